// How long after its timeout a query that would run for ever is ended, on each kind of source that is
// installed: the bar is half a second.
//
//   npm run bench:cuts -- [--timeout 500] [--rounds 3]

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Connector } from '../src/integrations/connectors/connector.ts';
import { openDuckDbConnector } from '../src/integrations/connectors/duckdb/duckdb.ts';
import { openMySqlConnector } from '../src/integrations/connectors/mysql/mysql.ts';
import { openPostgresConnector } from '../src/integrations/connectors/postgres/postgres.ts';
import { loopback } from '../test/integrations/connectors/read-source.ts';
import { startMariaDb, startPostgres } from '../test/servers.ts';

const { values: options } = parseArgs({
  options: {
    timeout: { type: 'string', default: '500' },
    rounds: { type: 'string', default: '3' },
  },
});
const timeoutMs = Number(options.timeout);
const rounds = Number(options.rounds);
const graceMs = 500;
const login = { host: '127.0.0.1', user: 'reader', password: '', ssl: 'disable' };

await onPostgres();
await onMariaDb();
await onDuckDb();

async function onPostgres(): Promise<void> {
  await using server = await startPostgres();
  if (!server) return;
  await server.run('create role reader login');
  const { port } = server;
  const source = { id: 'postgres', reach: loopback };
  const credentials = { ...login, port, database: 'postgres' };
  await time('PostgreSQL', openPostgresConnector('postgres', source, credentials), [
    'select pg_sleep(3600)',
    "select set_config('statement_timeout', '0', false), pg_sleep(3600)",
    "select set_config('statement_timeout', '0', true) from pg_sleep(3600)",
    'select count(*) from generate_series(1, 1e12)',
    'with recursive r as (select 1 as n union all select n + 1 from r) select count(*) from r',
    "select count(*) from generate_series(1, 1000000) g where repeat(g::text, 1000) ~ '(x+x+)+y'",
    "select length(repeat(md5('x'), 30000000))",
    "select regexp_replace(repeat('x', 100000), '(x*)*y', '')",
  ]);
}

async function onMariaDb(): Promise<void> {
  await using server = await startMariaDb();
  if (!server) return;
  await server.run(`create database shop; create user reader identified by '';
    grant select on shop.* to reader`);
  const { port } = server;
  const source = { id: 'mariadb', reach: loopback };
  const connector = openMySqlConnector('mariadb', source, { ...login, port, database: 'shop' });
  const many = 'seq_1_to_1000000000';
  await time('MariaDB', connector, [
    'select sleep(3600)',
    'select sum(sleep(1)) from seq_1_to_10000',
    `select sum(seq * rand()) from ${many}`,
    `select count(*) from ${many} a, seq_1_to_1000 b`,
    "select benchmark(1000000000, md5('x'))",
    'with recursive r as (select 1 as n union all select 1 - n from r) select count(*) from r',
  ]);
}

async function onDuckDb(): Promise<void> {
  const duckdb = await import('@duckdb/node-api').catch(() => null);
  if (!duckdb) return;
  const filesDir = await mkdtemp(join(tmpdir(), 'headwater-cuts-'));
  try {
    const instance = await duckdb.DuckDBInstance.create(join(filesDir, 'shop.db'));
    instance.closeSync();
    const source = { id: 'duckdb', reach: { ...loopback, filesDir } };
    await time('DuckDB', openDuckDbConnector(source, { path: 'shop.db' }), [
      'select sum(a.range * b.range) from range(100000000) a, range(100000000) b',
      'select count(distinct md5(range::varchar)) from range(10000000000)',
      'with recursive r as (select 1 as n union all select n + 1 from r) select count(*) from r',
      "select count(*) from range(1000000000) where regexp_matches(repeat(range::varchar, 99), 'y')",
    ]);
  } finally {
    await rm(filesDir, { recursive: true, force: true });
  }
}

async function time(name: string, connector: Connector, endless: readonly string[]): Promise<void> {
  let worst = 0;
  let answered = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const sql of endless) {
      const started = performance.now();
      const end = await connector.query(sql, { timeoutMs }).then(
        () => 'answered',
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
      const late = performance.now() - started - timeoutMs;
      worst = Math.max(worst, late);
      if (end === 'answered') answered += 1;
      if (late > graceMs) console.log(`  ${late.toFixed(0)} ms late: ${sql} (${end})`);
    }
  }
  await connector.close();
  const times = endless.length * rounds;
  console.log(
    `${name}: ${times} queries, ${answered} answered, the last ended ${worst.toFixed(0)} ms after its ` +
      `timeout of ${timeoutMs} ms (bar: ${graceMs} ms)`,
  );
}
