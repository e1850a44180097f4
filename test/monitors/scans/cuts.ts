// Endless queries on real sources, and how long after its timeout each is ended.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../../src/errors.ts';
import type { Connector } from '../../../src/integrations/connectors/connector.ts';
import { openDuckDbConnector } from '../../../src/integrations/connectors/duckdb/duckdb.ts';
import { openMySqlConnector } from '../../../src/integrations/connectors/mysql/mysql.ts';
import { openPostgresConnector } from '../../../src/integrations/connectors/postgres/postgres.ts';
import { loopback } from '../../integrations/connectors/read-source.ts';
import { startMariaDb, startPostgres } from '../../servers.ts';

/** A query is to be ended so soon after its timeout, in milliseconds. */
const graceMs = 500;

export interface CutOptions {
  readonly timeoutMs: number;
  /** How often each query is run. */
  readonly rounds: number;
}

/** What became of the queries. */
export interface Cut {
  readonly queries: number;
  /** Those that came to an end by themselves. */
  readonly answered: number;
  /** How long after its timeout the last of them was ended, in milliseconds. */
  readonly worstMs: number;
  /** Those that were ended later than the bar, each with by how much. */
  readonly late: readonly string[];
}

const login = { host: '127.0.0.1', user: 'reader', password: '', ssl: 'disable' };

/** Run all of them on each kind of source; null where that is not installed. */
export const cutsBySource: readonly (readonly [
  name: string,
  cut: (options: CutOptions) => Promise<Cut | null>,
])[] = [
  ['PostgreSQL', onPostgres],
  ['MariaDB', onMariaDb],
  ['DuckDB', onDuckDb],
];

async function onPostgres(options: CutOptions): Promise<Cut | null> {
  await using server = await startPostgres();
  if (!server) return null;
  await server.run('create role reader login');
  const { port } = server;
  const source = { id: 'postgres', reach: loopback };
  const credentials = { ...login, port, database: 'postgres' };
  return await time(openPostgresConnector('postgres', source, credentials), options, [
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

async function onMariaDb(options: CutOptions): Promise<Cut | null> {
  await using server = await startMariaDb();
  if (!server) return null;
  await server.run(`create database shop; create user reader identified by '';
    grant select on shop.* to reader`);
  const { port } = server;
  const source = { id: 'mariadb', reach: loopback };
  const connector = openMySqlConnector('mariadb', source, { ...login, port, database: 'shop' });
  const many = 'seq_1_to_1000000000';
  return await time(connector, options, [
    'select sleep(3600)',
    'select sum(sleep(1)) from seq_1_to_10000',
    `select sum(seq * rand()) from ${many}`,
    `select count(*) from ${many} a, seq_1_to_1000 b`,
    "select benchmark(1000000000, md5('x'))",
    'with recursive r as (select 1 as n union all select 1 - n from r) select count(*) from r',
  ]);
}

async function onDuckDb(options: CutOptions): Promise<Cut | null> {
  const duckdb = await import('@duckdb/node-api').catch(() => null);
  if (!duckdb) return null;
  const filesDir = await mkdtemp(join(tmpdir(), 'headwater-cuts-'));
  try {
    const instance = await duckdb.DuckDBInstance.create(join(filesDir, 'shop.db'));
    instance.closeSync();
    const source = { id: 'duckdb', reach: { ...loopback, filesDir } };
    return await time(openDuckDbConnector(source, { path: 'shop.db' }), options, [
      'select sum(a.range * b.range) from range(100000000) a, range(100000000) b',
      'select count(distinct md5(range::varchar)) from range(10000000000)',
      'with recursive r as (select 1 as n union all select n + 1 from r) select count(*) from r',
      "select count(*) from range(1000000000) where regexp_matches(repeat(range::varchar, 99), 'y')",
    ]);
  } finally {
    await rm(filesDir, { recursive: true, force: true });
  }
}

async function time(
  connector: Connector,
  { timeoutMs, rounds }: CutOptions,
  endless: readonly string[],
): Promise<Cut> {
  const late: string[] = [];
  let worstMs = 0;
  let answered = 0;
  for (const sql of Array.from({ length: rounds }, () => endless).flat()) {
    const started = performance.now();
    const end = await connector.query(sql, { timeoutMs }).then(() => 'answered', messageOf);
    const ms = performance.now() - started - timeoutMs;
    worstMs = Math.max(worstMs, ms);
    if (end === 'answered') answered += 1;
    if (ms > graceMs) late.push(`${ms.toFixed(0)} ms late: ${sql} (${end})`);
  }
  await connector.close();
  return { queries: endless.length * rounds, answered, worstMs, late };
}
