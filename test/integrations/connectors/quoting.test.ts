// What a source says of a statement may hold rows: they reach neither the message, which is kept and shown to
// everybody, nor the source's words, which are for those who write its SQL.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Connector } from '../../../src/integrations/connectors/connector.ts';
import { openDuckDbConnector } from '../../../src/integrations/connectors/duckdb/duckdb.ts';
import { openMySqlConnector } from '../../../src/integrations/connectors/mysql/mysql.ts';
import { openPostgresConnector } from '../../../src/integrations/connectors/postgres/postgres.ts';
import { saidBy, withoutValues } from '../../../src/integrations/connectors/source-error.ts';
import { startMariaDb, startPostgres, type TestServer } from '../../servers.ts';
import { loopback } from './read-source.ts';

const row = 'SECRETROW42 alice@corp.example';
const big = '98765432109876';

/** Conversions, functions and rules whose errors quote what they were given: `v` is the text, `n` the number. */
const onPostgres = `v::float, v::int, v::numeric, v::date, v::timestamp, v::interval, v::boolean, v::uuid, v::json,
  v::jsonb, v::inet, v::macaddr, v::regclass, v::regtype, v::regrole, v::int[], v::money, v::point, v::bit(4),
  v::bytea::text::int, n::int, v::tsquery, v::pg_lsn, current_setting(v), v::int4range`;
const onMariaDb = `exp(n), pow(n; n), n * n * n, ~n * n, 18446744073709551615 + n, n - 18446744073709551615, n * n * -n,
  v regexp concat('('; v), v regexp concat('['; v), regexp_replace(v; concat('['; v); 'x'), (select v union all select v),
  -n - 9223372036854775807, n * 9223372036854775807, n + 9223372036854775807, regexp_substr(v; concat('('; v)),
  n * n * (n + 1), cast(n as unsigned) - cast(999999999999999 as unsigned), regexp_instr(v; concat('*'; v)), n * n - n * -n,
  json_extract(v; concat('$'; v))`;
const onDuckDb = `v::double, v::int, v::date, v::timestamp, v::interval, v::boolean, v::uuid, v::json, v::int[], v::time,
  v::decimal(4), v::hugeint, n::int, n::tinyint, (n * n * n)::int, v::bit, strptime(v; '%Y'), v::float, v::smallint,
  error('"' || v || '"'), error('it was ''' || v || ''''), regexp_matches(v; '(' || v), v::blob::varchar::int,
  date_part(v; date '2026-01-01')`;

/** One statement for each expression; a semicolon stands for a comma within one. */
const statementsOf = (expressions: string) =>
  expressions
    .split(/,\s+/)
    .map((expression) => `select ${expression.replaceAll(';', ',')} as made from t`);

let folder: string;
let postgres: TestServer | null = null;
let mariadb: TestServer | null = null;
const duckdb = await import('@duckdb/node-api').catch(() => null);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-quoting-'));
  [postgres, mariadb] = await Promise.all([startPostgres(), startMariaDb()]);
  const table = `create table t (v varchar(100), n bigint); insert into t values ('${row}', ${big})`;
  await postgres?.run(`${table}; create role reader login; grant select on t to reader`);
  await mariadb?.run(`create database shop; use shop; ${table};
    create user reader identified by ''; grant select on shop.* to reader`);
  const connection = await (
    await duckdb?.DuckDBInstance.create(join(folder, 'shop.db'))
  )?.connect();
  await connection?.run(`${table}; checkpoint`);
  connection?.closeSync();
}, 60_000);

afterAll(async () => {
  await postgres?.[Symbol.asyncDispose]();
  await mariadb?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** How many of the statements were refused; none of them says anything of the row. */
async function refusals(connector: Connector, expressions: string): Promise<number> {
  let refused = 0;
  try {
    for (const sql of statementsOf(expressions)) {
      const error = await connector.query(sql, { timeoutMs: 30_000 }).then(
        () => null,
        (caught: unknown) => caught,
      );
      if (error === null) continue;
      refused += 1;
      const all = `${String(error)} ${saidBy(error)} ${JSON.stringify(error)}`;
      const leaked = /secretrow|alice|corp\.example|98765/i.test(all) ? all : '';
      expect([sql, leaked]).toEqual([sql, '']);
    }
  } finally {
    await connector.close();
  }
  return refused;
}

test('conversions and functions of PostgreSQL quote nothing of a row', async ({ skip }) => {
  const { port } = postgres ?? skip();
  const login = { host: '127.0.0.1', port, user: 'reader', password: 'x', database: 'postgres' };
  const connector = openPostgresConnector('postgres', { id: 'quoting', reach: loopback }, login);
  expect(await refusals(connector, onPostgres)).toBeGreaterThanOrEqual(20);
});

test('those of MariaDB quote nothing of a row', async ({ skip }) => {
  const { port } = mariadb ?? skip();
  const login = { host: '127.0.0.1', port, user: 'reader', password: '', database: 'shop' };
  const connector = openMySqlConnector('mariadb', { id: 'quoting', reach: loopback }, login);
  expect(await refusals(connector, onMariaDb)).toBeGreaterThanOrEqual(14);
});

test('those of DuckDB quote nothing of a row', async ({ skip }) => {
  if (!duckdb) skip();
  const source = { id: 'quoting', reach: { ...loopback, filesDir: folder } };
  const connector = openDuckDbConnector(source, { path: 'shop.db' });
  expect(await refusals(connector, onDuckDb)).toBeGreaterThanOrEqual(20);
});

test('what its writer wrote stays, so that it can be mended', () => {
  const sql = "select ordrs.id from orders where state = 'paid'";
  expect(withoutValues('missing FROM-clause entry for table "ordrs"', sql)).toContain('"ordrs"');
  expect(withoutValues("invalid input syntax: 'paid', 'Anna'", sql)).toBe(
    "invalid input syntax: 'paid', …",
  );
});
