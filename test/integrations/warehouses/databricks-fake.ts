// A server that speaks Databricks' REST interfaces as they are documented, over data in DuckDB.

import type { DuckDBType, DuckDBValue } from '@duckdb/node-api';
import type { Answer, Asked } from '../connectors/http-fake.ts';
import {
  type DuckAnswer,
  DuckRefusal,
  startWarehouse,
  type WarehouseFake,
} from './warehouse-fake.ts';

export const clientSecret = 'dose-of-the-principal';

/** Start one with the catalog shop; null where DuckDB is not installed. */
export async function startDatabricks(): Promise<WarehouseFake | null> {
  const statements = new Map<
    string,
    { sql: string; answer: DuckAnswer | null; error?: object; polls: number }
  >();
  const started = await startWarehouse(shop, (asked) => answer(asked));
  if (!started) return null;
  const state = started;
  const { warehouse } = state;

  async function answer(asked: Asked): Promise<Answer> {
    const { pathname, searchParams } = asked.url;
    if (pathname === '/oidc/v1/token') return mint(asked);
    if (asked.headers.authorization !== `Bearer token-${state.tokens}-of-the-principal`) {
      return { status: 401, body: { error_code: 'UNAUTHENTICATED', message: 'Token is expired.' } };
    }
    if (pathname.startsWith('/api/2.1/unity-catalog/')) return listOf(pathname, searchParams);
    if (asked.method === 'POST' && pathname === '/api/2.0/sql/statements') return submit(asked);
    const [, id = '', chunk, cancel] =
      /^\/api\/2\.0\/sql\/statements\/([^/]+)(?:\/result\/chunks\/(\d+))?(\/cancel)?$/.exec(
        pathname,
      ) ?? [];
    if (cancel) {
      state.cancelled.push(statements.get(id)?.sql ?? '');
      return { body: {} };
    }
    return chunk ? { body: chunkOf(id, Number(chunk)) } : resultOf(id);
  }

  function mint({ headers, body }: Asked): Answer {
    const login = `Basic ${Buffer.from(`principal:${clientSecret}`).toString('base64')}`;
    if (
      headers.authorization !== login ||
      body !== 'grant_type=client_credentials&scope=all-apis'
    ) {
      return { status: 401, body: { error: 'invalid_client' } };
    }
    state.tokens += 1;
    const access_token = `token-${state.tokens}-of-the-principal`;
    return { body: { access_token, expires_in: 3_600, token_type: 'Bearer' } };
  }

  async function listOf(pathname: string, query: URLSearchParams): Promise<Answer> {
    const what = pathname.split('/').at(-1) ?? '';
    // Pages may be empty and have a next one all the same.
    if (!query.get('page_token')) return { body: { [what]: [], next_page_token: 'second' } };
    const { rows } = await warehouse.ask(lists[what]?.(query) ?? never());
    const items = rows.map(([json]) => JSON.parse(String(json)));
    return { body: { [what]: items } };
  }

  async function submit({ body }: Asked): Promise<Answer> {
    const asked = JSON.parse(body);
    const sql: string = asked.statement;
    if (
      asked.warehouse_id !== 'w1' ||
      asked.disposition !== 'INLINE' ||
      asked.format !== 'JSON_ARRAY'
    ) {
      return { status: 400, body: { error_code: 'INVALID_PARAMETER_VALUE', message: 'What?' } };
    }
    state.executed.push(sql);
    const id = `s-${statements.size}`;
    if (state.denied?.test(sql)) {
      statements.set(id, {
        sql,
        answer: null,
        polls: 0,
        error: refusal('INSUFFICIENT_PERMISSIONS', '42501'),
      });
      return resultOf(id);
    }
    try {
      statements.set(id, { sql, answer: await runOn(sql), polls: state.polls });
    } catch (error) {
      if (!(error instanceof DuckRefusal)) throw error;
      const isUnknown = error.kind === 'Catalog';
      const said = isUnknown
        ? refusal('TABLE_OR_VIEW_NOT_FOUND', '42P01')
        : refusal('BAD_REQUEST', '42601');
      statements.set(id, { sql, answer: null, polls: 0, error: said });
    }
    return resultOf(id);
  }

  const refusal = (code: string, sqlState: string) => ({
    ...{ state: 'FAILED', sql_state: sqlState },
    error: { error_code: 'BAD_REQUEST', message: `[${code}] It cannot be done.` },
  });

  const runOn = (sql: string) =>
    warehouse.ask(
      sql
        .replaceAll(/`([^`]*)`/g, '"$1"')
        .replaceAll('system.query.history', 'sys_.query_history')
        .replaceAll(/system\.access\.(\w+)/g, 'sys_.$1')
        .replaceAll('AS STRING', 'AS VARCHAR')
        .replaceAll('array_join(collect_set(', 'array_to_string(list(DISTINCT ')
        .replaceAll('"shop".information_schema.', 'sys_.')
        .replaceAll('current_version().dbsql_version', `'2026.10'`)
        .replaceAll('current_user()', `'principal'`)
        .replaceAll('UNIX_MICROS(', 'epoch_us(')
        .replaceAll("TIMESTAMP '", "TIMESTAMPTZ '"),
    );

  function chunkOf(id: string, index: number) {
    const { columns = [], rows = [] } = statements.get(id)?.answer ?? {};
    const from = index * state.partRows;
    const data = rows.slice(from, from + state.partRows);
    return {
      ...{ chunk_index: index, row_offset: from, row_count: data.length },
      data_array: data.map((row) => row.map((value, at) => cellOf(value, columns[at]?.type))),
      ...(from + state.partRows < rows.length ? { next_chunk_index: index + 1 } : {}),
    };
  }

  function resultOf(id: string): Answer {
    const found = statements.get(id);
    if (!found) return { status: 404, body: { error_code: 'RESOURCE_DOES_NOT_EXIST' } };
    if (found.error) return { body: { statement_id: id, status: found.error } };
    if (found.polls > 0) {
      found.polls -= 1;
      return {
        body: { statement_id: id, status: { state: found.polls % 2 ? 'PENDING' : 'RUNNING' } },
      };
    }
    const { columns = [], rows = [] } = found.answer ?? {};
    return {
      body: {
        ...{ statement_id: id, status: { state: 'SUCCEEDED' } },
        manifest: {
          schema: {
            columns: columns.map(({ name, type }, position) => ({
              name,
              position,
              type_name: typeOf(type),
            })),
          },
          ...{ total_row_count: rows.length, truncated: false },
        },
        result: chunkOf(id, 0),
      },
    };
  }
  return state;
}

function never(): never {
  throw new Error('Nothing answers this.');
}

const literal = (text: string | null) => `'${(text ?? '').replaceAll("'", "''")}'`;

/** Unity's lists, each row one item. */
const lists: Readonly<Record<string, (query: URLSearchParams) => string>> = {
  catalogs: () =>
    `select to_json({'name': n}) from (values ('shop'), ('system'), ('samples')) c(n)`,
  schemas: (query) => `select to_json({'name': schema_name, 'comment': null}) from duckdb_schemas()
    where database_name = ${literal(query.get('catalog_name'))} and schema_name not in ('main', 'sys_', 'pg_catalog')
    order by schema_name`,
  tables: (query) => {
    const own = `database_name = ${literal(query.get('catalog_name'))} and schema_name = ${literal(query.get('schema_name'))}`;
    return `select to_json({'name': t.name, 'table_type': t.kind, 'comment': t.said, 'owner': 'loader',
        'view_definition': t.definition, 'data_source_format': 'DELTA', 'updated_at': 1772360000123,
        'columns': (select list({'name': column_name, 'type_text': lower(data_type), 'position': column_index - 1,
          'comment': "comment", 'nullable': is_nullable} order by column_index) from duckdb_columns() c where ${own} and c.table_name = t.name)})
      from (select table_name as name, 'MANAGED' as kind, "comment" as said, null as definition from duckdb_tables() where ${own}
        union all select view_name, 'VIEW', "comment", regexp_replace(sql, '(?i)^create view .*? as ', '')
          from duckdb_views() where ${own}) t order by 1`;
  },
};

function typeOf(type: DuckDBType): string {
  const name = String(type);
  if (/^(BIGINT|UBIGINT|HUGEINT)/.test(name)) return 'LONG';
  if (/^DECIMAL/.test(name)) return 'DECIMAL';
  if (/^TIMESTAMP/.test(name)) return 'TIMESTAMP';
  return { INTEGER: 'INT', DOUBLE: 'DOUBLE', BOOLEAN: 'BOOLEAN', DATE: 'DATE' }[name] ?? 'STRING';
}

function cellOf(value: DuckDBValue, type: DuckDBType | undefined): string | null {
  if (value === null) return null;
  if (typeof value === 'object' && 'micros' in value && /^TIMESTAMP/.test(String(type))) {
    return new Date(Number(value.micros) / 1_000).toISOString();
  }
  return String(value);
}

const shop = `attach ':memory:' as shop; use shop; create schema sales; create schema staging; create schema sys_;
  create table sales.orders (id bigint not null, amount decimal(18, 2), placed_at timestamp, name varchar);
  insert into sales.orders select n, n * 1.5, '2026-01-01'::timestamp + to_hours(n::int), 'n' || n from range(1, 501) r(n);
  comment on table sales.orders is 'One row an order, it''s said'; comment on column sales.orders.amount is 'Net, in euros';
  create table sales.daily (day date, total decimal(18, 2));
  create view sales.large as select id, amount * 2 as twice from shop.sales.orders where amount > 100;
  create table staging.raw (id bigint);
  create table sys_.table_tags (schema_name varchar, table_name varchar, tag_name varchar, tag_value varchar);
  create table sys_.column_tags (schema_name varchar, table_name varchar, column_name varchar, tag_name varchar, tag_value varchar);
  insert into sys_.table_tags values ('sales', 'orders', 'tier', 'gold');
  insert into sys_.column_tags values ('sales', 'orders', 'amount', 'confidential', '');
  create table sys_.table_lineage (event_date date, source_table_catalog varchar, source_table_schema varchar,
    source_table_name varchar, target_table_catalog varchar, target_table_schema varchar, target_table_name varchar);
  insert into sys_.table_lineage select current_date - d, s[1], s[2], s[3], t[1], t[2], t[3] from (values
    (1, ['shop', 'staging', 'raw'], ['shop', 'sales', 'orders']), (2, ['SHOP', 'Staging', 'RAW'], ['shop', 'sales', 'orders']),
    (120, ['shop', 'sales', 'large'], ['shop', 'staging', 'raw']), (1, ['shop', 'sales', 'orders'], [null, null, null])) l(d, s, t);
  create table sys_.column_lineage as select *, 'ID' as source_column_name, 'id' as target_column_name
    from sys_.table_lineage where source_table_schema = 'staging';
  create table sys_.query_history (statement_text varchar, executed_by varchar, start_time timestamptz,
    execution_status varchar, statement_type varchar, client_application varchar);
  insert into sys_.query_history values
    ('insert into shop.sales.daily select cast(placed_at as date), sum(amount) from shop.sales.orders group by 1', 'etl',
      now() - interval 1 hour, 'FINISHED', 'INSERT', null),
    ('select id from SHOP.Sales.orders', 'anna', now() - interval 2 hour, 'FINISHED', 'SELECT', 'dash'),
    ('select id from SHOP.Sales.orders', 'bob', now() - interval 3 hour, 'FINISHED', 'SELECT', 'dash'),
    ('select count(*) from shop.sales.orders', 'principal', now(), 'FINISHED', 'SELECT', null),
    ('insert into shop.sales.daily select 1', 'bob', now(), 'FAILED', 'INSERT', null);`;
