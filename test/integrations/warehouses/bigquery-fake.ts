// A server that speaks BigQuery's REST interface as it is documented, over data in DuckDB.

import { generateKeyPairSync, verify } from 'node:crypto';
import type { DuckDBType, DuckDBValue } from '@duckdb/node-api';
import type { Answer, Asked } from '../connectors/http-fake.ts';
import {
  type DuckAnswer,
  DuckRefusal,
  startWarehouse,
  type WarehouseFake,
} from './warehouse-fake.ts';

const keyPair = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = String(keyPair.privateKey.export({ type: 'pkcs8', format: 'pem' }));

/** The file of a key, whose tokens come from a server of ours. */
export function serviceAccount(host: string, port: number, id = 'key-1'): string {
  return JSON.stringify({
    ...{ type: 'service_account', project_id: 'shop-prod', private_key_id: id, private_key: pem },
    client_email: 'headwater@shop-prod.iam.gserviceaccount.com',
    token_uri: `http://${host.includes(':') ? `[${host.replace(/[[\]]/g, '')}]` : host}:${port}/token`,
  });
}

export interface BigQueryFake extends WarehouseFake {
  /** What a statement would read, in bytes. */
  bytes: number;
}

/** Start one with the project shop-prod; null where DuckDB is not installed. */
export async function startBigQuery(): Promise<BigQueryFake | null> {
  const jobs = new Map<string, { sql: string; answer: DuckAnswer; polls: number }>();
  const byRequest = new Map<string, string>();
  const started = await startWarehouse(shop, (asked) => answer(asked));
  if (!started) return null;
  const state = Object.assign(started, { bytes: 1_000 });
  const { warehouse } = state;

  async function answer(asked: Asked): Promise<Answer> {
    const { pathname, searchParams } = asked.url;
    if (pathname === '/token') return mint(asked);
    if (asked.headers.authorization !== `Bearer token-${state.tokens}-of-the-account`) {
      return failed(401, 'authError');
    }
    const rest = pathname.replace('/bigquery/v2/projects/shop-prod/', '');
    if (rest === 'datasets') return datasets(searchParams.get('pageToken'));
    if (rest === 'queries') return submit(asked);
    const [, id = '', tail] = /^(?:queries|jobs)\/([^/]+)(\/cancel)?$/.exec(rest) ?? [];
    // A job is found only where it is.
    if (searchParams.get('location') !== 'EU') return failed(404, 'notFound');
    if (tail) {
      state.cancelled.push(jobs.get(id)?.sql ?? '');
      return { body: {} };
    }
    const isExact = searchParams.get('formatOptions.useInt64Timestamp') === 'true';
    return resultOf(id, Number(searchParams.get('pageToken') ?? 0), isExact);
  }

  function mint({ body, url }: Asked): Answer {
    const assertion = new URLSearchParams(body).get('assertion') ?? '';
    const [header = '', claims = '', signature = ''] = assertion.split('.');
    const isSigned = verify(
      'sha256',
      Buffer.from(`${header}.${claims}`),
      keyPair.publicKey,
      Buffer.from(signature, 'base64url'),
    );
    const { iss, aud, scope, iat, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString());
    const isRight =
      isSigned && iss === 'headwater@shop-prod.iam.gserviceaccount.com' && exp - iat === 3_600;
    if (!isRight || !aud.endsWith(url.pathname) || !scope.endsWith('/auth/bigquery')) {
      return { status: 400, body: { error: 'invalid_grant', error_description: 'Bad assertion.' } };
    }
    state.tokens += 1;
    const access_token = `token-${state.tokens}-of-the-account`;
    return { body: { access_token, expires_in: 3_599, token_type: 'Bearer' } };
  }

  async function submit({ body }: Asked): Promise<Answer> {
    const asked = JSON.parse(body);
    const known = byRequest.get(asked.requestId);
    if (known) return resultOf(known, 0, true);
    // Without a word it is another dialect, which takes none of our statements.
    if (asked.useLegacySql !== false) return failed(400, 'invalidQuery');
    if (!asked.maximumBytesBilled || asked.labels?.headwater !== 'true' || !asked.requestId) {
      return failed(400, 'invalid');
    }
    if (asked.dryRun) {
      return { body: { jobComplete: true, totalBytesProcessed: String(state.bytes), rows: [] } };
    }
    state.executed.push(asked.query);
    if (state.denied?.test(asked.query)) return failed(403, 'accessDenied');
    if (state.bytes > Number(asked.maximumBytesBilled)) {
      return failed(400, 'bytesBilledLimitExceeded');
    }
    try {
      const id = `job_${jobs.size}`;
      jobs.set(id, { sql: asked.query, answer: await runOn(asked.query), polls: state.polls });
      byRequest.set(asked.requestId, id);
      return resultOf(id, 0, asked.formatOptions?.useInt64Timestamp === true);
    } catch (error) {
      if (!(error instanceof DuckRefusal)) throw error;
      return failed(
        error.kind === 'Catalog' ? 404 : 400,
        error.kind === 'Catalog' ? 'notFound' : 'invalidQuery',
        error.message,
      );
    }
  }

  const runOn = (sql: string) =>
    warehouse.ask(
      sql
        .replaceAll(/`([^`]*)`/g, (_, name: string) =>
          name
            .split('.')
            .map((one) => `"${one}"`)
            .join('.'),
        )
        .replaceAll('.INFORMATION_SCHEMA.JOBS', '.jobs_.JOBS')
        .replaceAll(/"([^"]+)"\.INFORMATION_SCHEMA\.(\w+)/g, 'is_."$1_$2"')
        .replaceAll(/"([^"]+)"\.__TABLES__/g, 'is_."$1_TABLES_META"')
        .replaceAll('"region-eu".', '')
        .replaceAll(" r'", " '")
        .replaceAll('TO_JSON_STRING', 'to_json')
        .replaceAll("TIMESTAMP '", "TIMESTAMPTZ '")
        .replaceAll('UNIX_MICROS(TIMESTAMP(', 'epoch_us((')
        .replaceAll('FLOAT64', 'DOUBLE'),
    );

  function resultOf(id: string, from: number, isExact: boolean): Answer {
    const job = jobs.get(id);
    if (!job) return failed(404, 'notFound');
    const jobReference = { projectId: 'shop-prod', jobId: id, location: 'EU' };
    if (job.polls > 0) {
      job.polls -= 1;
      return { body: { jobComplete: false, jobReference } };
    }
    const { columns, rows } = job.answer;
    const page = rows.slice(from, from + state.partRows);
    const next = from + state.partRows;
    return {
      body: {
        ...{ jobComplete: true, jobReference, totalRows: String(rows.length) },
        schema: { fields: columns.map(({ name, type }) => ({ name, ...fieldOf(type) })) },
        rows: page.map((row) => ({
          f: row.map((value, at) => ({ v: cellOf(value, columns[at]?.type, isExact) })),
        })),
        ...(next < rows.length ? { pageToken: String(next) } : {}),
        ...{ totalBytesProcessed: String(state.bytes), cacheHit: false },
      },
    };
  }
  return state;
}

function datasets(token: string | null): Answer {
  const one = (datasetId: string) => ({
    datasetReference: { projectId: 'shop-prod', datasetId },
    location: 'EU',
  });
  return token
    ? { body: { datasets: [one('staging')] } }
    : { body: { datasets: [one('sales')], nextPageToken: 'second' } };
}

/** A failure as BigQuery says it. */
export function failed(status: number, reason: string, message = `It failed: ${reason}.`): Answer {
  return { status, body: { error: { code: status, message, errors: [{ reason, message }] } } };
}

function fieldOf(type: DuckDBType): { type: string; mode?: string } {
  const name = String(type);
  if (/^(BIGINT|INTEGER|HUGEINT|UBIGINT)/.test(name)) return { type: 'INTEGER' };
  if (/^TIMESTAMP/.test(name)) return { type: 'TIMESTAMP' };
  if (/^DECIMAL/.test(name)) return { type: 'NUMERIC' };
  return { type: { BOOLEAN: 'BOOLEAN', DATE: 'DATE', DOUBLE: 'FLOAT' }[name] ?? 'STRING' };
}

function cellOf(value: DuckDBValue, type: DuckDBType | undefined, isExact: boolean): string | null {
  if (value === null) return null;
  if (typeof value === 'object' && 'micros' in value && /^TIMESTAMP/.test(String(type))) {
    // Without the option it is a float in seconds, of which nothing here may make a moment.
    return isExact ? String(value.micros) : `${Number(value.micros) / 1e6}E0`;
  }
  return String(value);
}

/** A dataset's views of itself, by the names that they get here. */
function viewsOf(dataset: string): string {
  const own = `database_name = 'shop-prod' and schema_name = '${dataset}'`;
  return `
    create view "shop-prod".is_."${dataset}_TABLES" as
      select table_name, 'BASE TABLE' as table_type from duckdb_tables() where ${own}
      union all select view_name, 'VIEW' from duckdb_views() where ${own};
    create view "shop-prod".is_."${dataset}_TABLES_META" as select table_name as table_id,
      estimated_size as row_count, estimated_size * 8 as size_bytes, 1772360000123 as last_modified_time, 1 as "type"
      from duckdb_tables() where ${own};
    create view "shop-prod".is_."${dataset}_COLUMNS" as select table_name, column_name,
      column_index as ordinal_position,
      case when is_nullable then 'YES' else 'NO' end as is_nullable, coalesce(column_default, 'NULL') as column_default
      from duckdb_columns() where ${own};
    create view "shop-prod".is_."${dataset}_COLUMN_FIELD_PATHS" as
      select table_name, column_name, column_name as field_path,
        replace(data_type, 'BIGINT', 'INT64') as data_type, "comment" as description
        from duckdb_columns() where ${own}
      union all select table_name, column_name, column_name || '.city', 'STRING', 'Where it goes'
        from duckdb_columns() where ${own} and column_name = 'address';
    create view "shop-prod".is_."${dataset}_VIEWS" as select view_name as table_name,
      regexp_replace(sql, '(?i)^create view .*? as ', '') as view_definition,
      case when view_name = 'old' then 'NO' else 'YES' end as use_standard_sql from duckdb_views() where ${own};
    create view "shop-prod".is_."${dataset}_TABLE_OPTIONS" as
      select table_name, 'description' as option_name, '"' || replace("comment", '"', '\\"') || '"' as option_value
        from duckdb_tables() where ${own} and "comment" is not null
      union all select table_name, 'labels', '[STRUCT("tier", "gold"), STRUCT("pii", "")]'
        from duckdb_tables() where ${own} and table_name = 'orders';`;
}

const shop = `attach ':memory:' as "shop-prod"; use "shop-prod";
  create schema "shop-prod".sales; create schema "shop-prod".staging;
  create table sales.orders (id bigint not null, amount decimal(38, 9) default 1.5, placed_at timestamptz, address struct(city varchar), name varchar);
  insert into sales.orders select n, n * 1.5, '2026-01-01T00:00:00Z'::timestamptz + to_hours(n::int), {city: 'c'}, 'n' || n
    from range(1, 501) r(n);
  comment on table sales.orders is 'One row an "order"';
  comment on column sales.orders.amount is 'Net, in euros';
  create table sales.daily (day date, total decimal(38, 9));
  create table sales.events_20260301 (id bigint); insert into sales.events_20260301 select * from range(10);
  create table sales.events_20260302 (id bigint, kind varchar);
  insert into sales.events_20260302 select n, 'k' from range(20) r(n);
  create table sales.version_20261399 (id bigint);
  create view sales.large as select id, amount * 2 as twice from sales.orders where amount > 100;
  create view sales.old as select id from sales.orders;
  create table staging.raw (id bigint);
  create schema "shop-prod".is_; create schema "shop-prod".jobs_;
  ${viewsOf('sales')} ${viewsOf('staging')}
  create table jobs_."JOBS" (query varchar, user_email varchar, creation_time timestamptz, job_type varchar,
    state varchar, error_result varchar, statement_type varchar, labels struct("key" varchar, "value" varchar)[],
    query_info struct(query_hashes struct(normalized_literals varchar)));
  insert into jobs_."JOBS" select q, u, now() - to_hours(h::int), 'QUERY', 'DONE', e, t,
      case when l = '' then [] else [{'key': l, 'value': 'true'}] end,
      {'query_hashes': {'normalized_literals': n}}
    from (values
      ('insert into sales.daily select date(placed_at), sum(amount) from sales.orders group by 1', 'etl@x', 1, null, 'INSERT', '', 'n1'),
      ('select id from \`shop-prod.sales.orders\` where id = 1', 'anna@x', 2, null, 'SELECT', '', 'n2'),
      ('select id from \`shop-prod.sales.orders\` where id = 2', 'anna@x', 3, null, 'SELECT', '', 'n2'),
      ('select id from \`shop-prod.sales.events_*\`', 'anna@x', 3, null, 'SELECT', '', 'n5'),
      ('select count(*) from sales.orders', 'headwater@x', 0, null, 'SELECT', 'headwater', 'n3'),
      ('insert into sales.daily select 1', 'bob@x', 0, 'failed', 'INSERT', '', 'n4')) j(q, u, h, e, t, l, n);`;
