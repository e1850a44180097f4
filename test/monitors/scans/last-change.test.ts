// Freshness by the source's own catalog: asked at the run itself, on real servers.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { openConnector } from '../../../src/integrations/connectors/open.ts';
import { createIntegration } from '../../../src/integrations/integration.ts';
import { createMonitor, getMonitor } from '../../../src/monitors/monitor.ts';
import { runAndKeep } from '../../../src/monitors/runs/run.ts';
import { askForLastChange } from '../../../src/monitors/scans/last-change.ts';
import { sourceDialect } from '../../../src/monitors/scans/source-dialect.ts';
import { parsePrivateHosts } from '../../../src/network/address.ts';
import { openCatalog } from '../../catalog.ts';
import { startMariaDb, startPostgres, type TestServer } from '../../servers.ts';

const servers: TestServer[] = [];
async function started(server: Promise<TestServer | null>): Promise<TestServer | null> {
  const found = await server;
  if (found) servers.push(found);
  return found;
}

const postgresTables = `create role reader login; create table "odd ""t" (id int);
  create table parts (n int) partition by range (n);
  create table part partition of parts for values from (0) to (9);
  insert into "odd ""t" values (1); insert into parts values (1);
  create view seen as select 1 as id;
  grant select on all tables in schema public to reader`;

let keeping: TestServer | null = null;
let forgetting: TestServer | null = null;
let maria: TestServer | null = null;
beforeAll(async () => {
  [keeping, forgetting, maria] = await Promise.all([
    started(startPostgres(['track_commit_timestamp=on'])),
    started(startPostgres()),
    started(startMariaDb()),
  ]);
  await keeping?.run(postgresTables);
  await forgetting?.run(postgresTables);
  await maria?.run(`create database shop; use shop;
    create table \`odd "name'\\x\` (id int); insert into \`odd "name'\\x\` values (1);
    create table untouched (id int);
    create user reader identified by ''; grant select on shop.* to reader`);
}, 120_000);
afterAll(async () => {
  for (const server of servers) await server[Symbol.asyncDispose]();
});

/** A catalog with a table of a server, and what a run of its freshness says. */
async function watching(
  { port }: TestServer,
  type: string,
  place: { database: string; schema: string; title: string },
  metricConfig: object = {},
) {
  const catalog = await openCatalog();
  catalog.surroundings.reach = { privateHosts: parsePrivateHosts('127.0.0.0/8'), filesDir: null };
  const database = type === 'postgres' ? place.database : place.schema;
  const credentials = { host: '127.0.0.1', port, database, user: 'reader', password: '' };
  const integration = await createIntegration(catalog.admin, { type, name: type, credentials });
  const { id } = await catalog.resource({ title: place.title });
  await catalog.resource({ kind: 'column', parentId: id, title: 'id', type: 'integer' });
  await catalog.database.prisma.resource.updateMany({
    where: { workspaceId: catalog.workspaceId },
    data: {
      integrationId: integration.id,
      // What an extraction once found is not what is asked for.
      externalUpdatedAt: new Date('2020-01-01'),
      ...{ databaseName: place.database, schemaName: place.schema },
    },
  });
  const monitor = await createMonitor(catalog.admin, {
    ...{ targetId: id, metricType: 'freshness', metricConfig },
  });
  return async (at: Date) => {
    catalog.setTime(at);
    const origin = { jobId: null, scheduled: false, fence: async () => {} };
    const watch = { log() {}, progress() {} };
    await runAndKeep(catalog.admin, [monitor.id], openConnector, origin, watch);
    const { lastMeasurementValue, lastErrorMessage } = await getMonitor(catalog.admin, monitor.id);
    return { value: lastMeasurementValue, error: lastErrorMessage };
  };
}

/** A moment so many seconds after one that a server gives in seconds since 1970. */
async function after(server: TestServer, sql: string, seconds: number): Promise<Date> {
  const [row] = await server.run(sql);
  const [changed] = Object.values(Object(row));
  return new Date(Math.ceil((Number(changed) + seconds) * 1_000));
}

test('MariaDB says when a table changed, and each run asks again', async ({ skip }) => {
  const server = maria ?? skip();
  const place = { database: 'def', schema: 'shop', title: `odd "name'\\x` };
  const run = await watching(server, 'mariadb', place);
  const changed = `select unix_timestamp(update_time) from information_schema.tables
    where table_schema = 'shop' and table_name like 'odd%'`;
  expect(await run(await after(server, changed, 3_600))).toEqual({ value: 3_600, error: '' });
  await server.run(`do sleep(1.1); insert into shop.\`odd "name'\\x\` values (2)`);
  expect(await run(await after(server, changed, 60))).toEqual({ value: 60, error: '' });
});

test('a table that MariaDB has seen no change of has no freshness', async ({ skip }) => {
  const server = maria ?? skip();
  const place = { database: 'def', schema: 'shop', title: 'untouched' };
  const run = await watching(server, 'mariadb', place);
  const { value, error } = await run(new Date());
  expect(value).toBeNull();
  expect(error).toMatch(/^No freshness source: .*has seen no change of the table/);
});

test('PostgreSQL says it where it keeps the times of commits', async ({ skip }) => {
  const server = keeping ?? skip();
  for (const title of ['odd "t', 'parts']) {
    const run = await watching(server, 'postgres', {
      ...{ database: 'postgres', schema: 'public', title },
    });
    const name = `"${title.replaceAll('"', '""')}"`;
    const changed = `select extract(epoch from max(pg_xact_commit_timestamp(xmin))) from ${name}`;
    for (const seconds of [3_600, 60]) {
      const { value, error } = await run(await after(server, changed, seconds));
      expect(error).toBe('');
      expect(value).toBeCloseTo(seconds, 1);
      await server.run(`insert into ${name} values (3)`);
    }
  }
});

test('PostgreSQL that keeps none, and a view, are errors that say so', async ({ skip }) => {
  const server = forgetting ?? skip();
  const place = { database: 'postgres', schema: 'public', title: 'odd "t' };
  const run = await watching(server, 'postgres', place);
  expect(await run(new Date())).toEqual({
    value: null,
    error: expect.stringMatching(/^No freshness source: .*track_commit_timestamp/),
  });
  const view = await watching(keeping ?? skip(), 'postgres', { ...place, title: 'seen' });
  expect((await view(new Date())).error).toMatch(
    /^No freshness source: .*a column that does not exist/,
  );
});

test('a condition, or a column that is not there, is not answered by the catalog', async ({
  skip,
}) => {
  const server = maria ?? skip();
  const place = { database: 'def', schema: 'shop', title: `odd "name'\\x` };
  const narrowed = await watching(server, 'mariadb', place, { where: 'id > 0' });
  expect(await narrowed(new Date())).toMatchObject({
    ...{ value: null, error: expect.stringContaining('a condition takes a column') },
  });
  const misnamed = await watching(server, 'mariadb', place, { timestamp_column: 'made' });
  expect(await misnamed(new Date())).toMatchObject({
    ...{ value: null, error: 'No freshness source: there is no column made.' },
  });
});

test('each source is asked in its own words, and those that keep nothing are not', () => {
  const table = ['db', 'sch', `it's\\`];
  const asked = (type: string) => askForLastChange(sourceDialect(type), table)?.sql;
  expect(asked('clickhouse')).toContain(`database = 'sch' AND table = 'it\\'s\\\\'`);
  expect(asked('snowflake')).toContain(`"db".INFORMATION_SCHEMA.TABLES`);
  expect(asked('snowflake')).toContain(`table_name = 'it''s\\'`);
  expect(asked('bigquery')).toContain('`db`.`sch`.__TABLES__');
  expect(asked('trino')).toContain(`"db"."sch"."it's\\$snapshots"`);
  for (const type of ['duckdb', 'redshift', 'databricks', 'oracle', 'sqlserver']) {
    expect(asked(type), type).toBeUndefined();
  }
  expect(askForLastChange(sourceDialect('snowflake'), ['sch', 't'])).toBeNull();
});
