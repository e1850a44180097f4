// The sample workspace: that it loads whole and once, shows what it promises, and disturbs no one.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadDemo } from '../../src/demo/demo.ts';
import { openConnector } from '../../src/integrations/connectors/open.ts';
import { readSource } from '../../src/integrations/syncs/live-sync.ts';
import { runAndKeep } from '../../src/monitors/runs/run.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

const silent = () => {};

// Loaded once: these tests read it, and the one that loads it again must not change it.
let catalog: Catalog;
let folder: string;
const duckdb = await import('@duckdb/node-api').catch(() => null);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-sample-'));
  catalog = await openCatalog();
  await catalog.app({ FILES_DIR: folder });
  await loadDemo(catalog, silent, folder);
});
afterAll(async () => {
  await catalog[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

test('the sample has four databases, a project, dashboards and what people wrote', async () => {
  const { data } = await catalog.graphql(`query Count {
    databases: resources(kinds: [database], sort: [{ field: "title" }]) { nodes { title } }
    tables: resources(kinds: [table]) { totalCount }
    columns: resources(kinds: [column]) { totalCount }
    charts: resources(kinds: [chart]) { totalCount }
    dashboards: resources(kinds: [dashboard]) { totalCount }
    documents: resources(kinds: [document]) { totalCount }
    events: resources(kinds: [event]) { nodes { parent { title } childrenCount } }
    questions: resources(kinds: [question]) { nodes { ... on Question { status } } }
  }`);
  expect(data.databases.nodes.map(({ title }: { title: string }) => title)).toEqual([
    'analytics',
    'crm',
    'shop',
    'storefront',
  ]);
  expect(data.tables.totalCount).toBeGreaterThan(50);
  expect(data.columns.totalCount).toBeGreaterThan(300);
  expect(data.charts.totalCount).toBeGreaterThan(10);
  expect(data.dashboards.totalCount).toBeGreaterThan(5);
  expect(data.documents.totalCount).toBe(5);
  expect(data.events.nodes).toHaveLength(4);
  for (const event of data.events.nodes) {
    expect(event.parent.title).toBe('Storefront tracking');
    expect(event.childrenCount).toBeGreaterThan(1);
  }
  const statuses = data.questions.nodes.map(({ status }: { status: string }) => status);
  expect(statuses.sort()).toEqual(['Answered', 'Answered', 'Unanswered']);
});

test('lineage runs from the shop to the dashboards, over tables and over columns', async () => {
  const from = async (titleFull: string) => {
    const title = titleFull.split('.').at(-1);
    const { data } = await catalog.graphql(
      `query Find($filter: ResourceFilter) { resources(filter: $filter) { nodes { id titleFull } } }`,
      { filter: { operator: 'exact', field: 'title', value: title } },
    );
    const { nodes } = data.resources;
    return nodes.find((node: { titleFull: string }) => node.titleFull === titleFull).id;
  };
  const walk = async (id: string, level: string) => {
    const { data } = await catalog.graphql(
      `query Walk($id: ID!, $level: LineageLevel!) {
        lineage(from: [$id], direction: DOWNSTREAM, depth: 10, level: $level) {
          nodes { depth resource { titleFull } } truncated
        }
      }`,
      { id, level },
    );
    expect(data.lineage.truncated).toBe(false);
    return new Map<string, number>(
      data.lineage.nodes.map((node: { depth: number; resource: { titleFull: string } }) => [
        node.resource.titleFull,
        node.depth,
      ]),
    );
  };

  const tables = await walk(await from('shop.public.refunds'), 'TABLE');
  expect(tables.get('analytics.raw_shop.refunds')).toBe(1);
  expect(tables.get('analytics.staging.stg_refunds')).toBe(2);
  // The ephemeral step between them is passed through.
  expect(tables.get('analytics.intermediate.int_order_amounts')).toBe(3);
  expect(tables.get('analytics.core.fct_orders')).toBe(4);
  expect(tables.get('analytics.marts.daily_revenue')).toBe(5);
  expect(tables.get('Company.Sales overview.Revenue by day')).toBe(6);
  expect([...tables.keys()].some((title) => title.includes('int_order_payments'))).toBe(false);

  const columns = await walk(await from('shop.public.refunds.amount_cents'), 'COLUMN');
  expect(columns.get('analytics.marts.daily_revenue.revenue_eur')).toBe(5);
  expect(columns.get('Company.Sales overview.Revenue by day')).toBe(6);
});

test('a project decorates the tables of the warehouse rather than doubling them', async () => {
  const { data } = await catalog.graphql(`query Decorated {
    resources(filter: { operator: exact, field: "title", value: "fct_orders" }) {
      nodes { verified published description definition children { totalCount } }
    }
  }`);
  expect(data.resources.nodes).toHaveLength(1);
  const [table] = data.resources.nodes;
  expect(table).toMatchObject({ verified: true, published: true });
  expect(table.description).toContain('One row per placed order');
  expect(table.definition).toContain('Start here');
  expect(table.children.totalCount).toBe(9);
});

const monitorsOf = () =>
  catalog.database.prisma.monitor.findMany({
    where: { workspaceId: catalog.workspaceId },
    orderBy: { name: 'asc' },
  });
const incidentsOf = () =>
  catalog.database.prisma.incident.findMany({
    where: { workspaceId: catalog.workspaceId },
    orderBy: { createdAt: 'asc' },
    include: { monitor: true },
  });

test('its monitors have measured sixty days and learned, with an open incident and a resolved one', async ({
  skip,
}) => {
  if (!duckdb) skip();
  const found = await monitorsOf();
  expect(found.map(({ name, status }) => [name, status])).toEqual([
    ['Average cart', 'incident'],
    ['Nightly load of carts', 'normal'],
    ['Searches that find nothing', 'normal'],
    ['Searches without words', 'normal'],
    ['Share of carts that are paid', 'normal'],
    ['Visits of a day', 'normal'],
  ]);
  for (const { id: monitorId, declaredIn } of found) {
    const measured = await catalog.database.prisma.measurement.findMany({
      where: { workspaceId: catalog.workspaceId, monitorId },
      orderBy: { createdAt: 'asc' },
    });
    expect(measured).toHaveLength(60);
    expect(measured.at(-1)?.upperThreshold).not.toBeNull();
    // The range of visits follows the days of the week.
    if (declaredIn === null) continue;
    const uppers = measured.slice(-7).map(({ upperThreshold }) => upperThreshold ?? 0);
    expect(Math.max(...uppers)).toBeGreaterThan(1.2 * Math.min(...uppers));
    expect(declaredIn).toBe('source.shop_analytics.storefront.visits');
  }
  expect((await incidentsOf()).map(({ monitor, status }) => [monitor.name, status])).toEqual([
    ['Searches without words', 'resolved'],
    ['Average cart', 'active'],
  ]);
});

test('its monitors go on measuring a source that is there, without noise', async ({ skip }) => {
  if (!duckdb) skip();
  const before = await incidentsOf();
  // Visits follow the days of the week: the same day measured again is an odd value of the next.
  const ids = (await monitorsOf()).flatMap(({ id, declaredIn }) => (declaredIn ? [] : id));
  const origin = { jobId: null, scheduled: false, fence: async () => {} };
  const watch = { log() {}, progress() {} };
  const kept = await runAndKeep(catalog.admin, ids, openConnector, origin, watch);
  expect(kept).toMatchObject({ measured: 5, failed: 0 });
  expect((await incidentsOf()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));

  const integration = await catalog.database.prisma.integration.findFirstOrThrow({
    where: { workspaceId: catalog.workspaceId, name: 'Storefront' },
  });
  const connector = await openConnector(catalog.admin, integration);
  const run = { ctx: catalog.admin, ...watch, complete: async () => {} };
  const again = await readSource(run, integration, connector);
  await connector.close();
  expect(again).toMatchObject({ created: 0, staled: 0 });
});

test('loading it again changes nothing', async () => {
  const count = () =>
    catalog.database.prisma.resource.count({ where: { workspaceId: catalog.workspaceId } });
  const before = await count();
  expect(await loadDemo(catalog, silent, folder)).toBe('there already');
  expect(await count()).toBe(before);
});

test('a load that was cut off is taken up where it was', async () => {
  await using catalog = await openCatalog();
  const { database, workspaceId } = catalog;
  const cut = (line: string) => {
    if (line.startsWith('Harbor BI')) throw new Error('cut off');
  };
  await expect(loadDemo(catalog, cut)).rejects.toThrow('cut off');
  expect(await loadDemo(catalog, silent)).toBe('loaded');
  const names = (await database.prisma.integration.findMany({ where: { workspaceId } })).map(
    ({ name }) => name,
  );
  expect(names.sort()).toEqual([
    'Harbor BI',
    'Marketing and support',
    'Shop analytics',
    'Shop database',
    'Warehouse',
  ]);
  expect(await database.prisma.tag.count({ where: { workspaceId, name: 'core' } })).toBe(1);
  // Without a folder for files there is no live source, and nothing that could only fail.
  expect(await database.prisma.monitor.count({ where: { workspaceId } })).toBe(0);
});

test('a workspace with resources of its own is left alone', async () => {
  await using catalog = await openCatalog();
  await catalog.resource({ title: 'mine' });
  const { database, workspaceId } = catalog;
  expect(await loadDemo(catalog, silent)).toBe('not empty');
  expect(await database.prisma.resource.count({ where: { workspaceId } })).toBe(1);
  expect(await database.prisma.integration.count({ where: { workspaceId } })).toBe(0);
});
