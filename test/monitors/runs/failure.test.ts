// Monitors that can't measure: each way is said once, and once that it is over.

import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMySqlConnector } from '../../../src/integrations/connectors/mysql/mysql.ts';
import { openPostgresConnector } from '../../../src/integrations/connectors/postgres/postgres.ts';
import { createMonitor, getMonitor, type MonitorInput } from '../../../src/monitors/monitor.ts';
import type { OpenSource } from '../../../src/monitors/runs/asking.ts';
import { runAndKeep } from '../../../src/monitors/runs/run.ts';
import { testMonitor } from '../../../src/monitors/runs/trial.ts';
import { listInbox } from '../../../src/notifications/inbox.ts';
import { wordsOf } from '../../../src/notifications/outbox/say.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';
import { loopback } from '../../integrations/connectors/read-source.ts';
import { workOff } from '../../notifications/work-off.ts';
import { startMariaDb, startPostgres, type TestServer } from '../../servers.ts';

let server: TestServer | null = null;

beforeAll(async () => {
  server = await startPostgres();
  await server?.run(`create role reader login; alter role reader set timezone to 'America/New_York';
    create table orders (id int, amount double precision, made timestamp default now());
    insert into orders values (1, 10), (2, 20); grant select on orders to reader`);
}, 60_000);

afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

const open: OpenSource = async () =>
  openPostgresConnector(
    'postgres',
    { id: `failing ${server?.port}`, reach: loopback },
    {
      host: '127.0.0.1',
      user: 'reader',
      password: 'x',
      port: server?.port ?? 0,
      database: 'postgres',
    },
  );

async function openPlace(type = 'postgres') {
  const catalog = await openCatalog();
  const owner = await catalog.user({ email: 'owner@example.com', role: 'editor' });
  const integration = await catalog.integration({ type, name: 'Warehouse' });
  const table = await catalog.resource({ title: 'orders', ownerIds: [owner.id] });
  const columns = {
    amount: await catalog.resource({ kind: 'column', title: 'amount', parentId: table.id }),
    made: await catalog.resource({ kind: 'column', title: 'made', parentId: table.id }),
  };
  const { prisma } = catalog.database;
  const where = { workspaceId: catalog.workspaceId };
  const data = { integrationId: integration.id, databaseName: 'postgres', schemaName: 'public' };
  await prisma.resource.updateMany({ where, data });
  const typed = async (id: string, dataType: string) =>
    prisma.resource.updateMany({ where: { ...where, id }, data: { type: dataType } });
  await typed(columns.amount.id, 'double precision');
  await typed(columns.made.id, 'timestamp without time zone');
  const heard = async () => {
    const { nodes } = await listInbox(catalog.contextOf(owner), {}, { first: 50 });
    return nodes.map(({ event, content }) => `${event}: ${wordsOf(content).title}`);
  };
  return {
    catalog,
    table,
    columns,
    heard,
    [Symbol.asyncDispose]: () => catalog[Symbol.asyncDispose](),
  };
}

let minutes = 0;

async function measure(catalog: Catalog, ids: readonly string[], source: OpenSource = open) {
  minutes += 60;
  catalog.setTime(new Date(Date.now() + minutes * 60_000));
  const by = { jobId: null, scheduled: false, fence: async () => {} };
  await runAndKeep(catalog.admin, ids, source, by, { log: () => {}, progress: () => {} });
  await workOff(catalog);
}

interface Way {
  readonly metric: MonitorInput['metricType'];
  readonly on: 'table' | 'amount' | 'made';
  readonly breaks: string | (() => Promise<unknown>);
  readonly mends: string | (() => Promise<unknown>);
  readonly says: RegExp;
}

/** What holds a lock of a table, until it ends. */
let locking: pg.Client | null = null;

async function lockOrders(): Promise<void> {
  locking = new pg.Client({
    ...{ host: '127.0.0.1', port: server?.port, user: 'owner', database: 'postgres' },
  });
  locking.on('error', () => {});
  await locking.connect();
  await locking.query('begin; lock table orders in access exclusive mode');
}

const all = 'delete from orders; insert into orders values (1, 10), (2, 20)';
const ways: Record<string, Way> = {
  'a table that was dropped': {
    ...{ metric: 'row_count', on: 'table', breaks: 'alter table orders rename to gone' },
    ...{ mends: 'alter table gone rename to orders', says: /does not exist/ },
  },
  'a column that was renamed': {
    ...{ metric: 'mean', on: 'amount', breaks: 'alter table orders rename amount to total' },
    ...{ mends: 'alter table orders rename total to amount', says: /does not exist/ },
  },
  'a right that was revoked': {
    ...{ metric: 'row_count', on: 'table', breaks: 'revoke select on orders from reader' },
    ...{ mends: 'grant select on orders to reader', says: /permission/ },
  },
  'a login that was locked out': {
    ...{ metric: 'row_count', on: 'table', breaks: 'alter role reader nologin' },
    ...{ mends: 'alter role reader login', says: /log|refuse/i },
  },
  'a table that somebody locks': {
    ...{ metric: 'row_count', on: 'table', breaks: lockOrders },
    ...{ mends: async () => locking?.end(), says: /locked by someone else/ },
  },
  'a column whose type was changed': {
    ...{ metric: 'mean', on: 'amount' },
    breaks: 'alter table orders alter amount type text',
    mends: 'alter table orders alter amount type double precision using amount::float8',
    says: /does not exist|operator|type/,
  },
  'a table that was emptied, of its freshness': {
    ...{ metric: 'freshness', on: 'made', breaks: 'delete from orders' },
    ...{ mends: all, says: /no value/ },
  },
  'a table that was emptied, of a mean': {
    ...{ metric: 'mean', on: 'amount', breaks: 'delete from orders' },
    ...{ mends: all, says: /no value/ },
  },
  'a column without a value': {
    ...{ metric: 'maximum', on: 'amount', breaks: 'update orders set amount = null' },
    ...{ mends: all, says: /no value/ },
  },
  'a column of nothing but NaN': {
    ...{ metric: 'sum', on: 'amount', breaks: "update orders set amount = 'NaN'" },
    ...{ mends: all, says: /nothing but 2 values that are NaN or infinity/ },
  },
  'a time that is infinite': {
    ...{ metric: 'freshness', on: 'made', breaks: "update orders set made = 'infinity'" },
    ...{ mends: all, says: /[Ii]nfinity/ },
  },
};

const apply = async (step: Way['breaks']) =>
  typeof step === 'string' ? server?.run(step) : step();

test.each(Object.entries(ways))('%s is said once, and once that it is over', async (_, way) => {
  if (!server) return;
  await using place = await openPlace();
  const { catalog, table, columns, heard } = place;
  const targetId = way.on === 'table' ? table.id : columns[way.on].id;
  const { id, name } = await createMonitor(catalog.admin, { targetId, metricType: way.metric });
  await measure(catalog, [id]);
  expect((await getMonitor(catalog.admin, id)).lastErrorMessage).toBe('');
  await apply(way.breaks);
  try {
    await measure(catalog, [id]);
    expect(await heard()).toEqual([]);
    for (let run = 0; run < 3; run++) await measure(catalog, [id]);
    const failed = await getMonitor(catalog.admin, id);
    expect(failed).toMatchObject({ status: 'error', failedRuns: 4 });
    expect(failed.lastErrorMessage).toMatch(way.says);
    const subject = failed.failedAway ? "Warehouse can't be measured" : `${name} can't measure`;
    expect(await heard()).toEqual([`monitor_failed: ${subject}`]);
  } finally {
    await apply(way.mends);
  }
  for (let run = 0; run < 2; run++) await measure(catalog, [id]);
  expect(await getMonitor(catalog.admin, id)).toMatchObject({ failedRuns: 0, failedSince: null });
  expect((await heard()).filter((one) => one.startsWith('monitor_recovered'))).toHaveLength(1);
  expect(await heard()).toHaveLength(2);
});

test('a table that is gone from the catalog is said once', async () => {
  if (!server) return;
  await using place = await openPlace();
  const { catalog, table, heard } = place;
  const { id } = await createMonitor(catalog.admin, {
    targetId: table.id,
    metricType: 'row_count',
  });
  const { prisma } = catalog.database;
  const archived = { where: { id: table.id }, data: { archived: true } };
  await prisma.resource.updateMany(archived);
  for (let run = 0; run < 3; run++) await measure(catalog, [id]);
  expect(await prisma.monitor.findFirst({ where: { id } })).toMatchObject({
    status: 'error',
    lastErrorMessage: expect.stringContaining('No longer in the catalog'),
  });
  expect(await heard()).toHaveLength(1);
});

test('all monitors of a source that is away are one message, also those that come later', async () => {
  await using place = await openPlace();
  const { catalog, table, columns, heard } = place;
  const away: OpenSource = async () =>
    openPostgresConnector(
      'postgres',
      { id: 'away', reach: loopback },
      { host: '127.0.0.1', user: 'reader', password: 'x', port: 1, database: 'postgres' },
    );
  const ids: string[] = [];
  for (const metricType of ['mean', 'sum', 'maximum', 'minimum'] as const) {
    ids.push((await createMonitor(catalog.admin, { targetId: columns.amount.id, metricType })).id);
  }
  for (let run = 0; run < 3; run++) await measure(catalog, ids, away);
  expect(await heard()).toEqual(["monitor_failed: Warehouse can't be measured"]);
  const late = await createMonitor(catalog.admin, { targetId: table.id, metricType: 'row_count' });
  for (let run = 0; run < 3; run++) await measure(catalog, [late.id], away);
  expect(await heard()).toHaveLength(1);
  if (!server) return;
  await measure(catalog, ids);
  await measure(catalog, [late.id]);
  expect(await heard()).toEqual([
    'monitor_recovered: Warehouse can be measured again',
    "monitor_failed: Warehouse can't be measured",
  ]);
});

test('one NaN silences nothing: it is left out, and that is said', async () => {
  if (!server) return;
  await using place = await openPlace();
  const { catalog, columns, heard } = place;
  await server.run("insert into orders values (3, 'NaN'), (4, 'infinity')");
  try {
    for (const [metricType, value] of Object.entries({ mean: 15, sum: 30, maximum: 20 })) {
      const targetId = columns.amount.id;
      const { id } = await createMonitor(catalog.admin, { targetId, metricType });
      await measure(catalog, [id]);
      expect(await getMonitor(catalog.admin, id)).toMatchObject({
        ...{ lastMeasurementValue: value, lastErrorMessage: '' },
        lastWarning: 'Left out: 2 values that are NaN or infinity.',
      });
      const trial = await testMonitor(catalog.admin, { targetId, metricType }, { open });
      expect(trial).toMatchObject({ outcome: 'MEASURED', value, warning: /left out/i });
    }
    expect(await heard()).toEqual([]);
  } finally {
    await server.run(all);
  }
});

test("times without a zone are in the source's own, and times ahead are said", async () => {
  if (!server) return;
  await using place = await openPlace();
  const { catalog, columns } = place;
  const request = { targetId: columns.made.id, metricType: 'freshness' };
  catalog.setTime(new Date());
  // What the server's clock shows in New York is five hours behind UTC.
  await server.run(
    "update orders set made = (now() - interval '1 hour') at time zone 'America/New_York'",
  );
  const trial = await testMonitor(catalog.admin, request, { open });
  expect(trial.value).toBeGreaterThan(3_500);
  expect(trial.value).toBeLessThan(3_900);
  await server.run(
    "update orders set made = now() at time zone 'America/New_York' + interval '3 hours'",
  );
  expect(await testMonitor(catalog.admin, request, { open })).toMatchObject({
    ...{ outcome: 'MEASURED', value: 0 },
    warning: expect.stringMatching(/1[78]\d minutes in the future/),
  });
  await server.run(all);
});

test('so it is in MariaDB, whose clock may be ahead', async () => {
  await using maria = await startMariaDb(['--default-time-zone=+05:30']);
  if (!maria) return;
  await using place = await openPlace('mariadb');
  const { catalog, table, columns } = place;
  await maria.run(`create database shop; create user reader identified by 'x';
    grant select on shop.* to reader;
    create table shop.orders (amount double, made datetime default current_timestamp);
    insert into shop.orders (amount) values (1)`);
  const { prisma } = catalog.database;
  const data = { databaseName: 'def', schemaName: 'shop' };
  await prisma.resource.updateMany({ where: { workspaceId: catalog.workspaceId }, data });
  await prisma.resource.updateMany({ where: { id: columns.made.id }, data: { type: 'datetime' } });
  const source: OpenSource = async () =>
    openMySqlConnector(
      'mariadb',
      { id: `zone ${maria.port}`, reach: loopback },
      { host: '127.0.0.1', user: 'reader', password: 'x', port: maria.port, database: 'shop' },
    );
  catalog.setTime(new Date(Date.now() + 600_000));
  const request = { targetId: columns.made.id, metricType: 'freshness' };
  const trial = await testMonitor(catalog.admin, request, { open: source });
  expect(trial).toMatchObject({ outcome: 'MEASURED', warning: null });
  expect(trial.value).toBeGreaterThan(590);
  expect(trial.value).toBeLessThan(800);
  expect(table.title).toBe('orders');
});
