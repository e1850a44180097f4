// Two months of a warehouse: what broke is posted, once, in the chat, and nothing else is.

import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openConnector } from '../../src/integrations/connectors/open.ts';
import { runImport } from '../../src/integrations/imports/import.ts';
import { createIntegration } from '../../src/integrations/integration.ts';
import { startWorker } from '../../src/jobs/worker.ts';
import { listIncidents, loadActions } from '../../src/monitors/incidents/incident.ts';
import { updateIncident } from '../../src/monitors/incidents/incident-change.ts';
import { listMeasurements } from '../../src/monitors/measurement.ts';
import { createMonitor, getMonitor } from '../../src/monitors/monitor.ts';
import { runAndKeep } from '../../src/monitors/runs/run.ts';
import { parsePrivateHosts } from '../../src/network/address.ts';
import { handlers } from '../../src/work.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { type ChatServer, chatCredentials, startChat } from '../notifications/chat-server.ts';
import { startPostgres, type TestServer } from '../servers.ts';

let server: TestServer | null = null;
beforeAll(async () => {
  server = await startPostgres();
  await server?.run('create database shop');
  await server?.run(
    `create role reader login;
     create table orders (id int, amount numeric);
     create table customers (id int, email text);
     create table events (id int, loaded_at timestamptz);
     grant select on all tables in schema public to reader`,
    'shop',
  );
});
afterAll(() => server?.[Symbol.asyncDispose]());

const DAYS = 60;
/** The days on which something is wrong, and what. */
const broken = { 30: 'orders', 40: 'customers', 50: 'events' } as const;
const first = Date.UTC(2026, 2, 2, 6, 0, 1);
const momentOf = (day: number) => new Date(first + day * 86_400_000);
/** The same noise in every run of the test, of which no day predicts the next: -1 to 1. */
function noise(day: number, salt: number): number {
  const digest = createHash('sha256').update(`${day} ${salt}`).digest();
  return digest.readUInt32BE(0) / 2 ** 31 - 1;
}

/** What the pipelines of a day leave in the warehouse. */
function loadOf(day: number): string {
  const isWeekend = day % 7 > 4;
  const orders = Math.round((isWeekend ? 400 : 1_000) + 15 * noise(day, 1));
  const wrong = Object.entries(broken).find(([at]) => Number(at) === day)?.[1];
  const nulls = wrong === 'customers' ? 150 : Math.round(10 + 2 * noise(day, 2));
  const hours = wrong === 'events' ? 49 : 1 + noise(day, 3) / 10;
  const loadedAt = new Date(momentOf(day).getTime() - hours * 3_600_000).toISOString();
  return `truncate orders, customers, events;
    insert into orders select n, n from generate_series(1, ${wrong === 'orders' ? 0 : orders}) n;
    insert into customers
      select n, case when n > ${nulls} then n || '@example.com' end from generate_series(1, 500) n;
    insert into events select n, '${loadedAt}'::timestamptz from generate_series(1, 10) n`;
}

async function extracted(catalog: Catalog, port: number) {
  const { admin } = catalog;
  catalog.surroundings.reach = { privateHosts: parsePrivateHosts('127.0.0.0/8'), filesDir: null };
  const integration = await createIntegration(admin, {
    type: 'postgres',
    credentials: { host: '127.0.0.1', port, database: 'shop', user: 'reader', password: 'none' },
  });
  const connector = await openConnector(admin, integration);
  try {
    await runImport(admin, {
      ...{ integration, title: 'Extraction', file: '', origin: 'IMPORT', stale: 'everything' },
      extraction: connector.extract({ note: () => {} }),
      covers: { resources: true, lineage: false, tests: false },
      readDeclarations: null,
      ...{ isProject: false, dryRun: false, watch: { log: () => {}, progress: () => {} } },
    });
  } finally {
    await connector.close();
  }
  const found = await catalog.database.prisma.resource.findMany({
    where: { workspaceId: catalog.workspaceId, kind: { in: ['table', 'column'] } },
  });
  return (kind: string, title: string) =>
    found.find((resource) => resource.kind === kind && resource.title === title)?.id ?? '';
}

async function monitorsOf(catalog: Catalog, idOf: (kind: string, title: string) => string) {
  const make = (targetId: string, metricType: string) =>
    createMonitor(catalog.admin, {
      ...{ targetId, metricType, notifyChatChannel: 'C1', schedule: { cadence: 'daily', hour: 6 } },
    });
  return {
    orders: await make(idOf('table', 'orders'), 'row_count'),
    customers: await make(idOf('column', 'email'), 'null_percentage'),
    events: await make(idOf('table', 'events'), 'freshness'),
  };
}

const openings = (chat: ChatServer) => chat.messages.filter(({ thread }) => thread === null);

test('of 60 days with three faults the chat is notified of three incidents, and of their ends', async ({
  skip,
}) => {
  if (!server) skip('PostgreSQL is not installed.');
  await using chat = await startChat();
  await using catalog = await openCatalog({ alone: true });
  catalog.surroundings.chatBase = chat.base;
  await createIntegration(catalog.admin, { type: 'chat', credentials: chatCredentials });
  await server?.run(loadOf(0), 'shop');
  const idOf = await extracted(catalog, server?.port ?? 0);
  const monitors = await monitorsOf(catalog, idOf);
  const ids = Object.values(monitors).map(({ id }) => id);
  const worker = startWorker({
    database: catalog.database,
    surroundings: catalog.surroundings,
    handlers,
    onError: (error) => expect.unreachable(String(error)),
  });
  chat.refuse({ status: 429, headers: { 'retry-after': '1' } }, { status: 500 });

  for (let day = 0; day < DAYS; day += 1) {
    catalog.setTime(momentOf(day));
    await server?.run(loadOf(day), 'shop');
    const kept = await runAndKeep(
      catalog.admin,
      ids,
      openConnector,
      { jobId: null, scheduled: true, fence: async () => {} },
      { log: (line) => line.includes('measured,') || expect.unreachable(line), progress() {} },
    );
    expect(kept, `day ${day}`).toEqual({
      ...{ measured: 3, failed: 0, outOfRange: day in broken ? 1 : 0 },
    });
    if (!(day in broken)) continue;
    const opened = Object.keys(broken).filter((at) => Number(at) <= day).length;
    await expect.poll(() => openings(chat).length, { timeout: 30_000 }).toBe(opened);
    const { nodes } = await listIncidents(catalog.admin, { status: 'active' }, { first: 5 });
    expect(nodes).toHaveLength(1);
    catalog.setTime(new Date(momentOf(day).getTime() + 60_000));
    await updateIncident(catalog.admin, nodes[0]?.id ?? '', { comment: 'On it.' });
  }

  await expect.poll(() => chat.messages.length, { timeout: 30_000 }).toBe(6);
  await worker.stop();
  expect(openings(chat).map(({ text }) => text.split('\n')[0])).toEqual([
    '*Row count of orders*',
    '*Null percentage of email*',
    '*Freshness of events*',
  ]);
  const answers = chat.messages.filter(({ thread }) => thread !== null);
  expect(answers.map(({ thread }) => thread)).toEqual(openings(chat).map(({ ts }) => ts));
  expect(chat.requests()).toBe(8);

  const { nodes: incidents } = await listIncidents(catalog.admin, {}, { first: 10 });
  expect(incidents).toHaveLength(3);
  for (const incident of incidents) {
    expect(incident).toMatchObject({ status: 'resolved', resolveReason: 'recovered' });
    const actions = await loadActions(catalog.admin, incident.id);
    expect(actions.map(({ type }) => type)).toEqual([
      ...['notification_initial', 'comment', 'acknowledged', 'auto_resolved'],
    ]);
    const page = await listMeasurements(catalog.admin, { incidentId: incident.id }, { first: 9 });
    expect(page.nodes).toHaveLength(1);
  }
  for (const id of ids) {
    expect(await getMonitor(catalog.admin, id)).toMatchObject({ status: 'normal' });
  }
}, 300_000);
