// Lineage of a project's models, traced in the background from their SQL, and what a change reaches.

import { expect, test } from 'vitest';
import type { Resource } from '../../src/generated/prisma/client.ts';
import { importArtifacts } from '../../src/integrations/imports/sync.ts';
import { textSource } from '../../src/integrations/readers/source.ts';
import { createLineage } from '../../src/lineage/edge.ts';
import { createFromQuery } from '../../src/lineage/queries/from-query.ts';
import { runTrace, traceJob } from '../../src/lineage/queries/trace-job.ts';
import { readDeclaredMonitors } from '../../src/monitors/declarations/declare.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

const model = (name: string, sql: string, columns: string[], from: string[]) => ({
  [`model.shop.${name}`]: {
    resource_type: 'model',
    name,
    database: 'shop',
    schema: 'main',
    config: { materialized: 'table' },
    compiled_code: sql,
    columns: Object.fromEntries(columns.map((column) => [column, { name: column }])),
    depends_on: { nodes: from },
  },
});

/** A project with a raw table, which is a seed and a source at once, a staging model and a mart. */
function manifest(mart: string): string {
  const raw = {
    database: 'shop',
    schema: 'raw',
    columns: { id: { name: 'id' }, cents: { name: 'cents' } },
  };
  return JSON.stringify({
    metadata: {
      dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v12.json',
      adapter_type: 'duckdb',
    },
    nodes: {
      'seed.shop.orders': { resource_type: 'seed', name: 'orders', ...raw },
      ...model(
        'stg_orders',
        'with source as (select * from shop.raw.orders) select id as order_id, cents / 100 as amount from source',
        ['order_id', 'amount'],
        ['source.shop.app.orders'],
      ),
      ...model('revenue', mart, ['total', 'currency', 'lost'], ['model.shop.stg_orders']),
    },
    sources: { 'source.shop.app.orders': { name: 'orders', source_name: 'app', ...raw } },
    exposures: {
      'exposure.shop.board': { name: 'board', depends_on: { nodes: ['model.shop.revenue'] } },
    },
  });
}

const mart = "select sum(amount) as total, 'EUR' as currency from shop.main.stg_orders";

async function imported(catalog: Catalog, text: string) {
  const integration =
    (await catalog.database.prisma.integration.findFirst({
      where: { workspaceId: catalog.workspaceId },
    })) ?? (await catalog.integration({ type: 'dbt_core' }));
  await importArtifacts(
    catalog.admin,
    integration.id,
    {
      manifest: textSource('manifest.json', text),
    },
    readDeclaredMonitors,
  );
  const job = await catalog.database.prisma.job.findFirstOrThrow({
    where: { workspaceId: catalog.workspaceId, kind: traceJob },
    orderBy: { createdAt: 'desc' },
  });
  const lines: string[] = [];
  const report = await runTrace({
    job,
    ctx: catalog.admin,
    log: (line) => lines.push(line),
    progress() {},
    async complete() {},
    async fence() {},
    async keep() {},
  });
  return { report, lines };
}

async function resource(catalog: Catalog, titleFull: string): Promise<Resource> {
  return catalog.database.prisma.resource.findFirstOrThrow({
    where: { workspaceId: catalog.workspaceId, titleFull },
  });
}

async function edges(catalog: Catalog): Promise<string[]> {
  const found = await catalog.database.prisma.lineageEdge.findMany({
    where: { workspaceId: catalog.workspaceId, level: 'COLUMN', validTo: null },
    include: { source: true, target: true },
  });
  return found
    .map((edge) => `${edge.source.titleFull} > ${edge.target.titleFull}: ${edge.expression}`)
    .sort();
}

test('an import of models gives column lineage with expressions, and each column is accounted for', async () => {
  await using catalog = await openCatalog();

  const { report, lines } = await imported(catalog, manifest(mart));

  expect(await edges(catalog)).toEqual([
    'shop.main.stg_orders.amount > shop.main.revenue.total: SUM(amount)',
    'shop.raw.orders.cents > shop.main.stg_orders.amount: cents / 100',
    'shop.raw.orders.id > shop.main.stg_orders.order_id: null',
  ]);
  expect(report).toMatchObject({
    tables: 2,
    columns: { COLUMNS: 3, CONSTANT: 1, ROWS: 0, UNRESOLVED: 0, ABSENT: 1 },
    problems: [{ name: 'shop.main.revenue.lost' }],
  });
  expect(lines.join('\n')).toContain(
    '2 tables, 5 columns: 3 have sources, 1 is a constant, 1 is not in the SQL.',
  );
});

test('a seed and the source over it are one table, and columns come from it', async () => {
  await using catalog = await openCatalog();
  await imported(catalog, manifest(mart));
  const { nodes } = (
    await catalog.graphql(
      `query ($from: [ID!]!) { lineage(from: $from, level: COLUMN, direction: UPSTREAM, depth: 9) {
        nodes { resource { titleFull parent { nativeType } } } edges { expression } } }`,
      { from: [(await resource(catalog, 'shop.main.revenue.total')).id] },
    )
  ).data.lineage;
  expect(nodes.at(-1).resource).toEqual({
    titleFull: 'shop.raw.orders.cents',
    parent: { nativeType: 'seed' },
  });
});

test('a changed model has the lineage of its new SQL; one that cannot be read keeps what it had', async () => {
  await using catalog = await openCatalog();
  await imported(catalog, manifest(mart));

  await imported(catalog, manifest(mart.replace('sum(amount)', 'count(order_id)')));
  expect(await edges(catalog)).toContain(
    'shop.main.stg_orders.order_id > shop.main.revenue.total: COUNT(order_id)',
  );
  expect((await edges(catalog)).join()).not.toContain('SUM(amount)');

  const { report } = await imported(catalog, manifest('select sum(amount as total from'));
  expect(report.problems[0]).toMatchObject({
    name: 'shop.main.revenue',
    reason: expect.stringMatching(/[Ll]ine 1/),
  });
  expect(await edges(catalog)).toContain(
    'shop.main.stg_orders.order_id > shop.main.revenue.total: COUNT(order_id)',
  );
});

test('what the SQL of a model says again, otherwise or no longer has one entry each in the audit log', async () => {
  await using catalog = await openCatalog();
  const { database, workspaceId } = catalog;
  const entries = async () => {
    const found = await database.prisma.auditLog.findMany({
      where: { workspaceId, activityType: { startsWith: 'lineage_' } },
      orderBy: { sequence: 'asc' },
    });
    return found.map(({ activityType, resourceMetadata, changes }) => {
      const [change] = Array.isArray(changes) ? changes : [];
      return { activityType, title: Object(resourceMetadata).title, change };
    });
  };
  const [amount, order] = ['amount', 'order_id'].map(
    (column) => `shop.main.stg_orders.${column} -> shop.main.revenue.total`,
  );
  const table = 'shop.main.stg_orders -> shop.main.revenue';
  await imported(catalog, manifest(mart));
  const first = await entries();
  const made = first.find(({ title }) => title === 'revenue');
  expect(made).toMatchObject({ activityType: 'lineage_created', change: { before: null } });
  expect(made?.change).toMatchObject({ after: expect.arrayContaining([amount]) });

  await imported(catalog, manifest(mart.replace('sum(amount)', 'count(order_id)')));
  const second = (await entries()).slice(first.length);
  expect(second).toMatchObject([{ activityType: 'lineage_replaced', title: 'revenue' }]);
  expect(second[0]?.change).toMatchObject({ before: [amount], after: [order] });

  await imported(catalog, manifest("select 1 as total, 'EUR' as currency"));
  const third = (await entries()).slice(first.length + 1);
  expect(third).toMatchObject([{ activityType: 'lineage_deleted', title: 'revenue' }]);
  expect(third[0]?.change).toMatchObject({ before: [table, order], after: null });

  await imported(catalog, manifest("select 1 as total, 'EUR' as currency"));
  expect(await entries()).toHaveLength(first.length + 2);
});

test('what a query of somebody says of a table stays, whatever its own SQL says after it', async () => {
  await using catalog = await openCatalog();
  await imported(catalog, manifest(mart));
  const revenue = await resource(catalog, 'shop.main.revenue');
  await createFromQuery(catalog.as('editor'), {
    sql: `insert into shop.main.revenue (total, lost)
      select sum(amount), max(order_id) from shop.main.stg_orders`,
    dialect: 'duckdb',
  });
  const query = await catalog.database.prisma.resource.findFirstOrThrow({
    where: { workspaceId: catalog.workspaceId, kind: 'query' },
  });
  const given = [
    'shop.main.stg_orders.amount > shop.main.revenue.total: SUM(amount)',
    'shop.main.stg_orders.order_id > shop.main.revenue.lost: MAX(order_id)',
  ];
  const ofTheQuery = { workspaceId: catalog.workspaceId, queryId: query.id, validTo: null };
  const count = () => catalog.database.prisma.lineageEdge.count({ where: ofTheQuery });
  expect(await edges(catalog)).toEqual(expect.arrayContaining(given));
  const before = await count();

  // What its own SQL says alone comes and goes; what both say is the query's still.
  await imported(catalog, manifest("select 1 as total, 'EUR' as currency, 2 as lost"));
  await imported(catalog, manifest(mart.replace('sum(amount)', 'sum(amount) + max(order_id)')));
  expect(await edges(catalog)).toEqual(
    expect.arrayContaining([
      ...given,
      'shop.main.stg_orders.order_id > shop.main.revenue.total: SUM(amount) + MAX(order_id)',
    ]),
  );
  await imported(catalog, manifest(mart));

  expect((await edges(catalog)).filter((edge) => edge.includes(revenue.titleFull))).toEqual(given);
  expect(await count()).toBe(before);
});

test('impact lists columns, tables and charts with the way there, and what only may be reached', async () => {
  await using catalog = await openCatalog();
  await imported(catalog, manifest(mart));
  const total = await resource(catalog, 'shop.main.revenue.total');
  const chart = await catalog.resource({ kind: 'chart', title: 'Revenue per day' });
  const dashboard = await catalog.resource({ kind: 'dashboard', title: 'Sales' });
  await createLineage(catalog.admin, { fromId: total.id, toId: chart.id });
  await createLineage(catalog.admin, { fromId: chart.id, toId: dashboard.id });
  const cents = await resource(catalog, 'shop.raw.orders.cents');
  const query = `query ($of: [ID!]!) { impact(of: $of) { truncated hiddenNodes
    columns { depth resource { titleFull } path { title } } tables { resource { title } }
    others { depth resource { title } } possible { resource { title } } } }`;

  const answer = await catalog.graphql(query, { of: [cents.id] });

  expect(answer.data.impact).toEqual({
    truncated: false,
    hiddenNodes: 0,
    columns: [
      {
        depth: 1,
        resource: { titleFull: 'shop.main.stg_orders.amount' },
        path: [{ title: 'cents' }, { title: 'amount' }],
      },
      {
        depth: 2,
        resource: { titleFull: 'shop.main.revenue.total' },
        path: [{ title: 'cents' }, { title: 'amount' }, { title: 'total' }],
      },
    ],
    tables: [{ resource: { title: 'stg_orders' } }, { resource: { title: 'revenue' } }],
    others: [
      { depth: 3, resource: { title: 'Revenue per day' } },
      { depth: 4, resource: { title: 'Sales' } },
    ],
    possible: [{ resource: { title: 'board' } }],
  });
  const unused = await resource(catalog, 'shop.main.stg_orders.order_id');
  const nothing = await catalog.graphql(query, { of: [unused.id] });
  expect(nothing.data.impact).toMatchObject({ columns: [], tables: [], others: [] });
  // Not all of its SQL could be followed: it may be reached, and with it what is made from it.
  const titles = nothing.data.impact.possible.map((one: Titled) => one.resource.title);
  expect(titles).toEqual(['revenue', 'board', 'Revenue per day', 'Sales']);
});

interface Titled {
  readonly resource: { readonly title: string };
}
