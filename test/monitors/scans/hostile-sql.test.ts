// Monitors whose queries and conditions mean harm change nothing in real sources.

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openConnector } from '../../../src/integrations/connectors/open.ts';
import { createIntegration } from '../../../src/integrations/integration.ts';
import { createMonitor, listMonitors } from '../../../src/monitors/monitor.ts';
import { runAndKeep } from '../../../src/monitors/runs/run.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';
import { sayCounted } from '../../gates/counted.ts';
import { startMariaDb, startPostgres, type TestServer } from '../../servers.ts';
import { type Hostile, onDuckDb, onMariaDb, onPostgres } from './hostile.ts';

const duckdb = await import('@duckdb/node-api').catch(() => null);
let postgres: TestServer | null = null;
let mariadb: TestServer | null = null;
let files: string;

beforeAll(async () => {
  files = await mkdtemp(join(tmpdir(), 'headwater-hostile-'));
  [postgres, mariadb] = await Promise.all([startPostgres(), startMariaDb()]);
  await postgres?.run(
    `create table orders (id int, note text); insert into orders values (1, 'a'), (2, 'b');
     create sequence numbers; create role reader login; grant pg_read_all_data to reader;
     create function wipe() returns int language plpgsql as
       'begin delete from orders; return 1; end'; grant all on orders, numbers to reader`,
  );
  await mariadb?.run(
    `create database shop; use shop; create table orders (id int, note text);
     insert into orders values (1, 'a'), (2, 'b'); create sequence numbers;
     create function wipe() returns int begin delete from shop.orders; return 1; end;
     create user reader identified by ''; grant all on shop.* to reader`,
  );
  const connection = await (await duckdb?.DuckDBInstance.create(join(files, 'shop.db')))?.connect();
  await connection?.run(`create table orders (id int, note text); create sequence numbers;
    insert into orders values (1, 'a'), (2, 'b'); checkpoint`);
  connection?.closeSync();
}, 60_000);

afterAll(async () => {
  await postgres?.[Symbol.asyncDispose]();
  await mariadb?.[Symbol.asyncDispose]();
  await rm(files, { recursive: true, force: true });
});

async function shop(type: string, credentials: object) {
  const catalog = await openCatalog();
  await catalog.app({ ALLOW_PRIVATE_HOSTS: '127.0.0.0/8', FILES_DIR: files });
  const { id } = await createIntegration(catalog.admin, { type, credentials: { ...credentials } });
  const table = await catalog.resource({ title: 'orders' });
  await catalog.database.prisma.resource.updateMany({
    where: { workspaceId: catalog.workspaceId, id: table.id },
    data: { integrationId: id, schemaName: type === 'postgres' ? 'public' : 'shop' },
  });
  if (type === 'duckdb') {
    await catalog.database.prisma.resource.updateMany({
      where: { workspaceId: catalog.workspaceId, id: table.id },
      data: { databaseName: 'shop', schemaName: 'main' },
    });
  }
  return { catalog, table };
}

/** Make a monitor of each, past the check where that refuses it; run all; how many were refused. */
async function runAll(
  { catalog, table }: Awaited<ReturnType<typeof shop>>,
  { queries, conditions }: Hostile,
): Promise<number> {
  const { prisma } = catalog.database;
  let refused = 0;
  const configs = [
    ...queries.map((text) => ({ metricType: 'custom_sql', metricConfig: { query_select: text } })),
    ...conditions.map((text) => ({ metricType: 'row_count', metricConfig: { where: text } })),
  ];
  const ids: string[] = [];
  for (const { metricType, metricConfig } of configs) {
    const make = (config: object) =>
      createMonitor(catalog.admin, { targetId: table.id, metricType, metricConfig: config });
    const made = await make(metricConfig).catch((error) => {
      expect(error.code, JSON.stringify(metricConfig)).toBe('BAD_REQUEST');
      return null;
    });
    if (!made) refused += 1;
    const { id } =
      made ?? (await make(metricType === 'custom_sql' ? { query_select: 'select 1' } : {}));
    await prisma.monitor.updateMany({ where: { id }, data: { metricConfig } });
    ids.push(id);
  }
  const origin = { jobId: null, scheduled: false, fence: async () => {} };
  const quiet = { log: () => {}, progress: () => {} };
  await runAndKeep(catalog.admin, ids, openConnector, origin, quiet);
  return refused;
}

/** What each monitor came to, by the SQL of its person. */
async function outcomes(catalog: Catalog) {
  const { nodes } = await listMonitors(catalog.admin, {}, { first: 100 });
  return new Map(
    nodes.map(({ metricConfig, status, lastErrorMessage }) => [
      Object.values(Object(metricConfig))[0],
      `${status} ${lastErrorMessage}`,
    ]),
  );
}

const login = { host: '127.0.0.1', user: 'reader', password: '', ssl: 'disable' };
const numberOf = ({ queries, conditions }: Hostile) => queries.length + conditions.length;

test(`${numberOf(onPostgres)} hostile monitors change nothing on PostgreSQL`, async ({ skip }) => {
  if (!postgres) return skip();
  const { port } = postgres;
  const fingerprint = `select (select string_agg(o::text, '|' order by o::text) from orders o),
    (select string_agg(relname, '|' order by relname) from pg_class
      where relnamespace = 'public'::regnamespace), (select count(*) from pg_largeobject_metadata),
    (select last_value::text || is_called from numbers), (select count(*) from pg_replication_slots)`;
  const before = await postgres.run(fingerprint);
  const place = await shop('postgres', { ...login, port, database: 'postgres' });
  expect(onPostgres.queries.length).toBeGreaterThanOrEqual(40);
  expect(await runAll(place, onPostgres)).toBeGreaterThan(15);
  expect(await postgres.run(fingerprint)).toEqual(before);
  sayCounted(`${numberOf(onPostgres)} hostile monitors on PostgreSQL, nothing changed`);
  const came = await outcomes(place.catalog);
  expect(came.get('select wipe()')).toContain('is only to read (25006)');
  expect(came.get('wipe() = 1')).toContain('is only to read (25006)');
});

test(`${numberOf(onMariaDb)} hostile monitors change nothing on MariaDB`, async ({ skip }) => {
  if (!mariadb) return skip();
  const fingerprint = `select (select group_concat(id, note order by id) from shop.orders) as kept_rows,
    (select group_concat(table_name order by table_name) from information_schema.tables
      where table_schema = 'shop') as kept_tables, (select next_not_cached_value from shop.numbers) as n`;
  const before = await mariadb.run(fingerprint);
  const { port } = mariadb;
  const place = await shop('mariadb', { ...login, port, database: 'shop' });
  expect(onMariaDb.queries.length).toBeGreaterThanOrEqual(40);
  expect(await runAll(place, onMariaDb)).toBeGreaterThan(15);
  expect(await mariadb.run(fingerprint)).toEqual(before);
  sayCounted(`${numberOf(onMariaDb)} hostile monitors on MariaDB, nothing changed`);
  expect((await outcomes(place.catalog)).get('select wipe()')).toContain('is only to read (25006)');
});

/** Rows, all that there is with its definition, where sequences stand, and the files next to it, of the DuckDB file. */
async function duckDbAsItIs(): Promise<unknown> {
  const instance = await duckdb?.DuckDBInstance.create(join(files, 'shop.db'));
  const connection = await instance?.connect();
  const seen: unknown[] = [(await readdir(files)).sort()];
  for (const query of [
    'select id, note from orders order by id',
    'select schema_name, sequence_name, start_value, last_value from duckdb_sequences() order by all',
    'select schema_name, table_name, sql from duckdb_tables() where not internal order by all',
    'select schema_name, view_name, sql from duckdb_views() where not internal order by all',
    'select schema_name, function_name from duckdb_functions() where not internal order by all',
    'select database_name, schema_name from duckdb_schemas() where not internal order by all',
    'select constraint_type, constraint_text from duckdb_constraints() order by all',
    'select index_name, sql from duckdb_indexes() order by all',
  ]) {
    seen.push((await connection?.runAndReadAll(query))?.getRowsJS());
  }
  connection?.closeSync();
  instance?.closeSync();
  return seen;
}

test(`${numberOf(onDuckDb)} hostile monitors change nothing on DuckDB`, async ({ skip }) => {
  if (!duckdb) return skip();
  const before = await duckDbAsItIs();
  const place = await shop('duckdb', { path: 'shop.db' });
  expect(onDuckDb.queries.length).toBeGreaterThanOrEqual(40);
  expect(await runAll(place, onDuckDb)).toBeGreaterThan(15);
  const came = await outcomes(place.catalog);
  expect(came.get("select count(*) from read_text('/etc/passwd')")).toMatch(/^error/);
  expect(came.get("from read_text('/etc/passwd') select count(*)")).toMatch(/^error/);
  expect(await duckDbAsItIs()).toEqual(before);
  sayCounted(`${numberOf(onDuckDb)} hostile monitors on DuckDB, nothing changed`);
});

test('a monitor with the login of a superuser measures nothing, and says what to grant', async ({
  skip,
}) => {
  if (!postgres) return skip();
  const { port } = postgres;
  const owner = { ...login, user: 'owner', port, database: 'postgres' };
  const place = await shop('postgres', owner);
  await runAll(place, { queries: ['select 1'], conditions: [] });
  const came = (await outcomes(place.catalog)).get('select 1');
  expect(came).toContain('superuser');
  expect(came).toContain('ALTER DEFAULT PRIVILEGES');
  expect(came).toMatch(/^error/);
});
