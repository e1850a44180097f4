// A server that speaks Snowflake's SQL API as it is documented, over data in DuckDB.

import { createHash, generateKeyPairSync, verify } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { DuckDBType, DuckDBValue } from '@duckdb/node-api';
import type { Answer, Asked } from '../connectors/http-fake.ts';
import {
  type DuckAnswer,
  DuckRefusal,
  type DuckWarehouse,
  shopIn,
  startWarehouse,
  type WarehouseFake,
} from './warehouse-fake.ts';

const keyPair = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const privateKey = String(keyPair.privateKey.export({ type: 'pkcs8', format: 'pem' }));

export interface SnowflakeFake extends WarehouseFake {
  role: string;
}

/** Start one with the database SHOP; null where DuckDB is not installed. */
export async function startSnowflake(): Promise<SnowflakeFake | null> {
  const byRequest = new Map<string, string>();
  const results = new Map<string, { sql: string; answer: DuckAnswer; polls: number }>();
  const started = await startWarehouse(`${catalogOf('SHOP')} ${account}`, (asked) => answer(asked));
  if (!started) return null;
  const state = Object.assign(started, { role: 'HEADWATER' });
  const { warehouse } = state;

  async function answer(asked: Asked): Promise<Answer> {
    const refusal = refuseLogin(asked);
    if (refusal) return refusal;
    const [, handle = '', tail] =
      /^\/api\/v2\/statements(?:\/([\w-]+))?(\/cancel)?$/.exec(asked.url.pathname) ?? [];
    if (tail) {
      state.cancelled.push(results.get(handle)?.sql ?? '');
      return { body: {} };
    }
    if (asked.method === 'GET') return resultOf(handle, asked.url.searchParams.get('partition'));
    return submit(asked);
  }

  async function submit({ url, body }: Asked): Promise<Answer> {
    const id = url.searchParams.get('requestId') ?? '';
    const known = byRequest.get(id);
    if (known) return resultOf(known, null);
    const { statement: sql, parameters, role, timeout } = JSON.parse(body);
    if (parameters?.query_tag !== 'headwater' || role !== 'HEADWATER' || !(timeout > 0)) {
      return { status: 400, body: { code: '390000', message: 'The body lacks something.' } };
    }
    state.executed.push(sql);
    if (state.denied?.test(sql)) return unknownObject;
    try {
      const handle = `01b2-${results.size}`;
      const found = await runOn(warehouse, state, sql);
      results.set(handle, { sql, answer: found, polls: state.polls });
      byRequest.set(id, handle);
      return resultOf(handle, null);
    } catch (error) {
      if (!(error instanceof DuckRefusal)) throw error;
      if (error.kind === 'Catalog') return unknownObject;
      const code = error.kind === 'Parser' ? ['001003', '42000'] : ['000904', '42000'];
      return { status: 422, body: { code: code[0], sqlState: code[1], message: error.message } };
    }
  }

  function resultOf(handle: string, part: string | null): Answer {
    const result = results.get(handle);
    if (!result) return { status: 404, body: { code: '000709', message: 'No such statement.' } };
    if (result.polls > 0) {
      result.polls -= 1;
      return { status: 202, body: { code: '333334', message: 'running', statementHandle: handle } };
    }
    const { columns, rows } = result.answer;
    const data = rows.map((row) => row.map((value, at) => cellOf(value, columns[at]?.type)));
    const parts = Array.from(
      { length: Math.max(1, Math.ceil(data.length / state.partRows)) },
      (_, at) => data.slice(at * state.partRows, (at + 1) * state.partRows),
    );
    if (part !== null) {
      const packed = gzipSync(JSON.stringify({ data: parts[Number(part)] ?? [] }));
      return { headers: { 'content-encoding': 'gzip' }, body: packed };
    }
    return {
      body: {
        ...{ code: '090001', statementHandle: handle, message: 'done', data: parts[0] },
        resultSetMetaData: {
          ...{ numRows: data.length, format: 'jsonv2' },
          rowType: columns.map(({ name, type }) => ({ name, ...typeOf(type) })),
          partitionInfo: parts.map((one) => ({ rowCount: one.length, uncompressedSize: 1 })),
        },
      },
    };
  }
  return state;
}

const unknownObject: Answer = {
  status: 422,
  body: {
    ...{ code: '002003', sqlState: '42S02' },
    message: "SQL compilation error: Object 'X' does not exist or not authorized.",
  },
};

/** Check who comes: the header of the kind, the signature, and each claim. */
function refuseLogin({ headers }: Asked): Answer | null {
  const invalid = { status: 401, body: { code: '390144', message: 'JWT token is invalid.' } };
  if (!headers['user-agent']?.startsWith('headwater/')) return { status: 400, body: {} };
  if (headers['x-snowflake-authorization-token-type'] !== 'KEYPAIR_JWT') return invalid;
  const [header = '', claims = '', signature = ''] =
    headers.authorization?.replace('Bearer ', '').split('.') ?? [];
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    keyPair.publicKey,
    Buffer.from(signature, 'base64url'),
  );
  const der = keyPair.publicKey.export({ type: 'spki', format: 'der' });
  const fingerprint = createHash('sha256').update(der).digest('base64');
  const { iss, sub, iat, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  const now = Date.now() / 1_000;
  const isRight = iss === `MYORG-SHOP.READER.SHA256:${fingerprint}` && sub === 'MYORG-SHOP.READER';
  const isNow = iat <= now && exp > now && exp - iat <= 3_600;
  return isSigned && isRight && isNow ? null : invalid;
}

/** Statements that have no counterpart there, by their shape; all others run as they are. */
async function runOn(
  warehouse: DuckWarehouse,
  { role }: SnowflakeFake,
  sql: string,
): Promise<DuckAnswer> {
  const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const shapes: readonly (readonly [RegExp, string])[] = [
    [/^SELECT CURRENT_VERSION\(\)$/, `select '9.30.1' v`],
    [/^SELECT CURRENT_ROLE\(\)$/, `select ${literal(role)} r`],
    [/^SELECT CURRENT_WAREHOUSE\(\)$/, `select 'W' w`],
    [/^SELECT CURRENT_SECONDARY_ROLES\(\)$/, `select '{"roles":"","value":""}' s`],
    [
      /^SHOW DATABASES$/,
      `select * from (values ('x', 'SHOP', 'STANDARD'), ('x', 'SHARED', 'IMPORTED DATABASE'),
        ('x', 'SNOWFLAKE', 'APPLICATION')) d("created_on", "name", "kind")`,
    ],
    [
      /^SHOW PRIMARY KEYS IN SCHEMA/,
      `select table_name, unnest(constraint_column_names) column_name from duckdb_constraints()
        where constraint_type = 'PRIMARY KEY' and schema_name =
          ${literal(/"\."(.*)"$/.exec(sql)?.[1] ?? '')}`,
    ],
  ];
  // DuckDB has no FLATTEN; the lists are structures there.
  if (/FLATTEN/.test(sql)) return warehouse.ask(flattened(sql));
  const shape = shapes.find(([pattern]) => pattern.test(sql));
  if (!shape && /^SHOW/.test(sql)) throw new Error(`Unknown statement: ${sql}`);
  return warehouse.ask(
    shape?.[1] ??
      sql
        .replaceAll('.INFORMATION_SCHEMA.', '.is_.')
        .replaceAll('::timestamp_ltz', '::timestamptz')
        .replaceAll('DATE_PART(EPOCH_MICROSECOND, ', 'epoch_us('),
  );
}

/** The columns that ACCESS_HISTORY says were written, as the statement with FLATTEN asks for them. */
function flattened(sql: string): string {
  const asked =
    /objects_modified.*m\.value:columns.*c\.value:directSources.*-90.*m\.value:objectId IS NOT NULL AND s\.value:objectId IS NOT NULL/s;
  if (!asked.test(sql)) throw new Error(`Unknown statement: ${sql}`);
  return `with m as (select unnest(objects_modified) as v from SNOWFLAKE.ACCOUNT_USAGE.ACCESS_HISTORY
      where query_start_time >= now() - interval 90 day),
    c as (select v, unnest(v.columns) as w from m), s as (select v, w, unnest(w."directSources") as u from c)
    select distinct u."objectName", u."columnName", v."objectName", w."columnName" from s
      where v."objectId" is not null and u."objectId" is not null order by 1, 2, 3, 4`;
}

/** A database whose views are named as those of Snowflake's INFORMATION_SCHEMA. */
function catalogOf(name: string): string {
  const own = `database_name = '${name}' and schema_name <> 'is_'`;
  return `attach ':memory:' as "${name}"; ${shopIn(name)}
    create schema "${name}".is_;
    create view "${name}".is_.SCHEMATA as select schema_name, null::varchar as "comment"
      from duckdb_schemas() where database_name = '${name}' and schema_name not in
        ('is_', 'main', 'information_schema', 'pg_catalog');
    create view "${name}".is_.TABLES as select schema_name as table_schema, table_name,
        'BASE TABLE' as table_type, estimated_size as row_count, estimated_size * 8 as bytes,
        "comment", '2026-03-01 10:00:00.123456+00'::timestamptz as last_altered,
        null::varchar as clustering_key, 'NO' as is_dynamic, 'NO' as is_iceberg, 'LOADER' as table_owner
      from duckdb_tables() where ${own}
      union all select schema_name, view_name, 'VIEW', null, null, "comment",
        '2026-03-01 10:00:00+00'::timestamptz, null, 'NO', 'NO', 'LOADER' from duckdb_views() where ${own} and not internal;
    create view "${name}".is_.COLUMNS as select schema_name as table_schema, table_name, column_name,
        column_index as ordinal_position,
        case when data_type like 'DECIMAL%' or data_type = 'BIGINT' then 'NUMBER'
          when data_type = 'VARCHAR' then 'TEXT' else data_type end as data_type,
        case when data_type = 'VARCHAR' then 16777216 end as character_maximum_length,
        case when data_type = 'BIGINT' then 38 else numeric_precision end as numeric_precision,
        case when data_type = 'BIGINT' then 0 else numeric_scale end as numeric_scale, "comment",
        case when is_nullable then 'YES' else 'NO' end as is_nullable, column_default
      from duckdb_columns() where ${own};
    create view "${name}".is_.VIEWS as select schema_name as table_schema, view_name as table_name,
        case when view_name = 'LARGER' then '' else sql end as view_definition from duckdb_views()
      where ${own} and not internal;`;
}

/** What the account keeps: queries that ran, views of all owners, tags. */
const account = `attach ':memory:' as SNOWFLAKE; create schema SNOWFLAKE.ACCOUNT_USAGE;
  create table SNOWFLAKE.ACCOUNT_USAGE.QUERY_HISTORY (query_text varchar, user_name varchar,
    start_time timestamptz, database_name varchar, schema_name varchar, execution_status varchar,
    query_type varchar, query_tag varchar, query_parameterized_hash varchar);
  insert into SNOWFLAKE.ACCOUNT_USAGE.QUERY_HISTORY values
    ('insert into SALES.DAILY select PLACED_AT::date, sum(AMOUNT) from SALES.ORDERS group by 1', 'ETL',
      now() - interval 1 hour, 'SHOP', 'PUBLIC', 'SUCCESS', 'INSERT', '', 'h1'),
    ('select ID from sales.orders where ID = 1', 'ANNA', now() - interval 2 hours, 'SHOP', null, 'SUCCESS', 'SELECT', '', 'h2'),
    ('select ID from sales.orders where ID = 2', 'ANNA', now() - interval 3 hours, 'SHOP', null, 'SUCCESS', 'SELECT', '', 'h2'),
    ('select count(*) from SALES.ORDERS', 'READER', now(), 'SHOP', null, 'SUCCESS', 'SELECT', 'headwater', 'h3'),
    ('insert into SALES.DAILY select 1', 'BOB', now(), 'SHOP', 'SALES', 'FAIL', 'INSERT', '', 'h4');
  create table SNOWFLAKE.ACCOUNT_USAGE.ACCESS_HISTORY as
    select now() - to_days(d) as query_start_time, [{'objectId': 1, 'objectName': t, 'columns': [{'columnName': 'TOTAL',
      'directSources': [{'objectId': case when f <> 'UNRESOLVED' then 2 end, 'objectName': f, 'columnName': 'AMOUNT'}]}]}]
        as objects_modified
    from (values (1, 'SHOP.SALES.DAILY', 'SHOP.SALES.ORDERS'), (2, 'SHOP.SALES.DAILY__DBT_TMP', 'SHOP.SALES.ORDERS'),
      (3, 'SHOP.SALES.DAILY', 'SHOP.SALES."a.b ""q"'), (3, 'SHOP.SALES.DAILY', 'UNRESOLVED'),
      (100, 'SHOP.SALES.DAILY', 'SHOP.STAGING.RAW')) a(d, t, f);
  create table SNOWFLAKE.ACCOUNT_USAGE.TAG_REFERENCES (object_database varchar, object_schema varchar,
    object_name varchar, column_name varchar, tag_name varchar, tag_value varchar, domain varchar,
    object_deleted timestamptz);
  insert into SNOWFLAKE.ACCOUNT_USAGE.TAG_REFERENCES values
    ('SHOP', 'SALES', 'ORDERS', null, 'TIER', 'gold', 'TABLE', null),
    ('SHOP', 'SALES', 'ORDERS', 'AMOUNT', 'CONFIDENTIAL', '', 'COLUMN', null),
    ('SHOP', 'SALES', 'GONE', null, 'TIER', 'gold', 'TABLE', now());
  create view SNOWFLAKE.ACCOUNT_USAGE.VIEWS as select 'SHOP' as table_catalog, schema_name as table_schema,
    view_name as table_name, sql as view_definition, null as deleted from duckdb_views()
    where database_name = 'SHOP' and not internal;`;

function typeOf(type: DuckDBType): { type: string; scale?: number } {
  const name = String(type);
  const scale = /^DECIMAL\(\d+,\s*(\d+)\)/.exec(name)?.[1];
  if (scale) return { type: 'fixed', scale: Number(scale) };
  if (/^(BIGINT|INTEGER|HUGEINT|UBIGINT|SMALLINT|TINYINT)/.test(name))
    return { type: 'FIXED', scale: 0 };
  if (/^(DOUBLE|FLOAT)/.test(name)) return { type: 'real' };
  if (name === 'TIMESTAMP WITH TIME ZONE') return { type: 'timestamp_ltz', scale: 9 };
  if (/^TIMESTAMP/.test(name)) return { type: 'timestamp_ntz', scale: 9 };
  return { type: { BOOLEAN: 'boolean', DATE: 'date' }[name] ?? 'text' };
}

/** A value as the API writes it: text or null. */
function cellOf(value: DuckDBValue, type: DuckDBType | undefined): string | null {
  if (value === null) return null;
  if (typeof value === 'object' && 'micros' in value) {
    const micros = BigInt(String(value.micros));
    const seconds = micros / 1_000_000n;
    return `${seconds}.${String(micros % 1_000_000n).padStart(6, '0')}000`;
  }
  if (typeof value === 'object' && 'days' in value && String(type) === 'DATE') {
    return String(value.days);
  }
  return String(value);
}
