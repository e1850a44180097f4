// Servers that speak as ClickHouse and Trino do over one table in DuckDB, with functions of these names.

import type { DuckDBValue } from '@duckdb/node-api';
import type { Asked } from '../connectors/http-fake.ts';
import { DuckRefusal, type DuckWarehouse, shopIn, startWarehouse } from './warehouse-fake.ts';

const shop = `attach ':memory:' as "shop"; ${shopIn('shop')} use "shop"."SALES";`;
const columns = ['ID', 'AMOUNT', 'PLACED_AT', 'PAID', 'Größe'];

/** A cell as JSON has it: large numbers and moments are texts. */
function cellOf(value: DuckDBValue): unknown {
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'object' && value !== null ? String(value) : value;
}

async function run(warehouse: DuckWarehouse, sql: string): Promise<unknown[][]> {
  const { rows } = await warehouse.ask(sql);
  return rows.map((row) => row.map(cellOf));
}

const clickHouseFunctions = `
  create macro toFloat64(x) as x::double; create macro uniqExact(x) as count(distinct x);
  create macro minOrNull(x) as min(x); create macro maxOrNull(x) as max(x); create macro sumOrNull(x) as sum(x);
  create macro lengthUTF8(x) as length(x); create macro toString(x) as x::varchar;
  create macro toDateTime64(x, digits, zone) as epoch(x);`;

/** A ClickHouse with the database SALES and its table ORDERS; null where DuckDB is not installed. */
export async function startClickHouse() {
  const types = ['Int64', 'Nullable(Decimal(38, 2))', 'DateTime', 'Bool', 'Nullable(String)'];
  const described = (sql: string): unknown[][] | null => {
    if (sql.includes('version()')) return [['26.3']];
    if (sql.includes('FROM system.databases')) return [['SALES', '']];
    if (sql.includes('FROM system.columns')) {
      const rows = columns.map((name, at) => ['ORDERS', name, types[at], at + 1, '', 0]);
      return [['LARGE', 'ID', 'Int64', 1, '', 0], ...rows];
    }
    if (sql.includes('FROM system.tables') && !sql.includes('name >')) {
      const made = '2026-03-01 10:00:00';
      const large = 'CREATE VIEW SALES.LARGE AS SELECT ID FROM SALES.ORDERS WHERE AMOUNT > 100';
      return [
        ['LARGE', 'View', '', null, null, made, large, ''],
        ['ORDERS', 'MergeTree', '', '500', '4000', made, '', 'ID'],
      ];
    }
    return /system\.|SHOW GRANTS/.test(sql) ? [] : null;
  };
  const started = await startWarehouse(shop + clickHouseFunctions, async ({ body }: Asked) => {
    if (!started) throw new Error('It has not started.');
    try {
      const sql = body.replaceAll('`', '"');
      return { body: { data: described(body) ?? (await run(started.warehouse, sql)) } };
    } catch (error) {
      if (!(error instanceof DuckRefusal)) throw error;
      return { status: 500, body: `Code: 62. DB::Exception: ${error.message} (SYNTAX_ERROR)` };
    }
  });
  return started;
}

/** A Trino with the catalog shop, its schema SALES and the table ORDERS; null where DuckDB is not installed. */
export async function startTrino() {
  const types = ['bigint', 'decimal(38,2)', 'timestamp(6)', 'boolean', 'varchar'];
  const described = (sql: string): unknown[][] | null => {
    if (sql === 'SELECT version()') return [['450']];
    if (/information_schema\.schemata/.test(sql)) return [['SALES']];
    if (/information_schema\.tables/.test(sql)) {
      return [
        ['LARGE', 'VIEW'],
        ['ORDERS', 'BASE TABLE'],
      ];
    }
    if (/information_schema\.views/.test(sql)) {
      return [['LARGE', 'SELECT ID FROM shop.SALES.ORDERS WHERE AMOUNT > 100']];
    }
    if (/information_schema\.columns/.test(sql)) {
      const rows = columns.map((name, at) => ['ORDERS', name, types[at], at + 1]);
      return [['LARGE', 'ID', 'bigint', 1], ...rows];
    }
    return /information_schema\.|system\./.test(sql) ? [] : null;
  };
  const functions = 'create macro TO_UNIXTIME(x) as epoch(x);';
  const started = await startWarehouse(shop + functions, async ({ body }: Asked) => {
    if (!started) throw new Error('It has not started.');
    try {
      return { body: { id: 'q', data: described(body) ?? (await run(started.warehouse, body)) } };
    } catch (error) {
      if (!(error instanceof DuckRefusal)) throw error;
      return { body: { id: 'q', error: { message: error.message, errorName: 'SYNTAX_ERROR' } } };
    }
  });
  return started;
}
