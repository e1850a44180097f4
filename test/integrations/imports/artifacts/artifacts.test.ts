// A project's artifacts in the catalog: what its nodes become, and the lineage between them.

import { expect, test } from 'vitest';
import type { Resource } from '../../../../src/generated/prisma/client.ts';
import { lineage } from '../../../../src/lineage/graph.ts';
import { type Catalog, openCatalog } from '../../../catalog.ts';
import { bakery, bakeryCatalog, bakeryResources, type Manifest } from '../bakery.ts';
import { edgesOf, feedProject, listening, resourceAt, resourcesOf } from '../feed.ts';

const open = async () => {
  const catalog = await openCatalog();
  return { catalog, project: await catalog.integration({ type: 'dbt_core' }) };
};

async function byKey(catalog: Catalog): Promise<Map<string, Resource>> {
  const found = [...(await resourcesOf(catalog)).values()];
  return new Map(found.map((resource) => [resource.databuilderId ?? '', resource]));
}

/** All that a node rests on by the manifest's own words, without those that make no resource. */
function closureOf(manifest: Manifest, start: string): string[] {
  const { nodes, sources, exposures, metrics, semantic_models } = manifest;
  const members = { ...nodes, ...sources, ...exposures, ...metrics, ...semantic_models };
  const reached = new Set<string>();
  const visit = (key: string) => {
    if (reached.has(key)) return;
    reached.add(key);
    for (const next of members[key]?.depends_on?.nodes ?? []) visit(next);
  };
  visit(start);
  return [...reached].filter((key) => bakeryResources.includes(key)).sort();
}

test('models, seeds, snapshots, sources, exposures and metrics are resources, and nothing else is', async () => {
  const { catalog, project } = await open();
  const { watch, lines } = listening();
  await feedProject(catalog, project, { manifest: bakery() }, { watch });

  const found = [...(await byKey(catalog)).values()];
  const named = found.filter(({ kind }) => !['column', 'schema', 'database'].includes(kind));
  expect(named.map(({ databuilderId }) => databuilderId).sort()).toEqual(bakeryResources);
  expect(lines.find((line) => line.startsWith('The manifest declares'))).toMatch(
    /^(?=.* 6 models)(?=.*\b1 seeds)(?=.*\b1 snapshots)(?=.*\b2 sources)(?=.*\b4 tests)(?=.*\b1 exposures)(?=.*\b1 metrics)(?=.*\b1 groups)(?=.*\b1 other nodes)/,
  );
  const titles = named.concat(found.filter(({ kind }) => /^(schema|database)$/.test(kind)));
  expect(titles.map(({ kind, titleFull }) => `${kind} ${titleFull}`).sort()).toEqual([
    'chart Revenue',
    'dashboard The Board',
    'database bakery',
    'schema bakery.history',
    'schema bakery.main',
    'schema bakery.raw',
    'table bakery.history.breads_history',
    'table bakery.main.Order_Lines',
    'table bakery.main.alone',
    'table bakery.main.breads',
    'table bakery.main.daily',
    'table bakery.main.stg_orders',
    'table bakery.raw.order_items_v2',
    'table bakery.raw.orders',
  ]);
});

test('a model carries its SQL, materialization, tags, owner, docs and whatever the project noted', async () => {
  const { catalog, project } = await open();
  const baker = await catalog.user({ email: 'baker@example.com' });
  await feedProject(catalog, project, { manifest: bakery() });

  const model = await resourceAt(catalog, 'bakery.main.stg_orders');
  const tags = await catalog.database.prisma.tag.findMany({ where: { id: { in: model.tagIds } } });
  expect(tags.map(({ name }) => name).sort()).toEqual(['nightly', 'till']);
  expect(model).toMatchObject({
    databuilderId: 'model.bakery.stg_orders',
    nativeType: 'view',
    description: 'Orders as the till tells them',
    creationQuery: 'select 1 as stg_orders',
    hidden: true,
    ownerIds: [baker.id],
    databaseName: 'bakery',
    schemaName: 'main',
    sourceMetadata: {
      name: 'stg_orders',
      resource_type: 'model',
      materialized: 'view',
      path: 'models/stg_orders.sql',
      package: 'bakery',
      meta: { owner: 'Baker@Example.com', level: 2 },
    },
  });
  expect(await resourceAt(catalog, 'bakery.main.stg_orders.id')).toMatchObject({
    description: 'Number of the receipt',
    type: 'bigint',
    isPk: true,
    sortOrder: 1,
  });
  expect(await resourceAt(catalog, 'bakery.main.stg_orders.Bought At')).toMatchObject({
    isPk: false,
    sortOrder: 2,
    sourceMetadata: { meta: { unit: 'UTC' } },
  });
});

test('an alias is the name in the warehouse, a version and keys are kept, and groups own', async () => {
  const { catalog, project } = await open();
  const sales = await catalog.user({ email: 'sales@example.com' });
  const daily = await catalog.user({ email: 'daily@example.com' });
  await feedProject(catalog, project, { manifest: bakery() });

  expect(await resourceAt(catalog, 'bakery.main.Order_Lines')).toMatchObject({
    ownerIds: [sales.id],
    nativeType: 'table',
    sourceMetadata: { name: 'order_lines', group: 'sales', access: 'public', version: 2 },
  });
  const keys = [...(await resourcesOf(catalog)).values()].filter(({ isPk }) => isPk);
  expect(keys.map(({ titleFull }) => titleFull).sort()).toEqual([
    'bakery.main.Order_Lines.bread',
    'bakery.main.Order_Lines.order_id',
    'bakery.main.stg_orders.id',
  ]);
  // Whom a model names itself comes before its group.
  expect((await resourceAt(catalog, 'bakery.main.daily')).ownerIds).toEqual([daily.id]);
});

test('seeds, snapshots and sources say what they are; sources are called as the warehouse does', async () => {
  const { catalog, project } = await open();
  await feedProject(catalog, project, { manifest: bakery() });
  const found = await byKey(catalog);
  expect(found.get('seed.bakery.breads')?.nativeType).toBe('seed');
  expect(found.get('snapshot.bakery.breads_history')?.nativeType).toBe('snapshot');
  expect(found.get('model.bakery.daily')?.nativeType).toBe('incremental');
  expect(found.get('source.bakery.till.orders')).toMatchObject({
    nativeType: 'source',
    description: 'One row a receipt',
    sourceMetadata: { source_name: 'till', loader: 'copy' },
  });
  expect(found.get('source.bakery.till.items')).toMatchObject({
    title: 'order_items_v2',
    // The table has no description of its own; its source's is that of the whole system.
    description: null,
    sourceMetadata: { name: 'items' },
  });
});

test('an exposure is a dashboard with its owner and address, a metric a chart', async () => {
  const { catalog, project } = await open();
  const baker = await catalog.user({ email: 'baker@example.com' });
  await feedProject(catalog, project, { manifest: bakery() });
  expect(await resourceAt(catalog, 'The Board')).toMatchObject({
    kind: 'dashboard',
    nativeType: 'dashboard',
    description: 'What we sold',
    url: 'https://bi.example.com/board',
    ownerIds: [baker.id],
    sourceMetadata: { name: 'board', maturity: 'high' },
  });
  expect(await resourceAt(catalog, 'Revenue')).toMatchObject({
    kind: 'chart',
    nativeType: 'metric',
    description: 'All that was paid',
    sourceMetadata: { name: 'revenue', type: 'simple', expression: 'sum(price)' },
  });
});

test('depends_on is the lineage; ephemeral and semantic models are passed through', async () => {
  const { catalog, project } = await open();
  await feedProject(catalog, project, { manifest: bakery() });
  expect(await edgesOf(catalog)).toEqual(
    [
      'Revenue > The Board',
      'bakery.history.breads_history > bakery.main.daily',
      'bakery.main.Order_Lines > Revenue',
      'bakery.main.Order_Lines > bakery.main.daily',
      'bakery.main.breads > bakery.history.breads_history',
      'bakery.main.breads > bakery.main.Order_Lines',
      'bakery.main.daily > The Board',
      'bakery.main.stg_orders > bakery.main.Order_Lines',
      'bakery.raw.order_items_v2 > bakery.main.Order_Lines',
      'bakery.raw.orders > bakery.main.stg_orders',
    ].sort(),
  );
  const { workspaceId, database } = catalog;
  const origins = await database.prisma.lineageEdge.groupBy({
    by: ['origin', 'level'],
    where: { workspaceId },
  });
  expect(origins).toMatchObject([{ origin: 'ARTIFACT', level: 'TABLE' }]);
});

test('upstream of every node lies exactly what its depends_on closes over', async () => {
  const { catalog, project } = await open();
  await feedProject(catalog, project, { manifest: bakery() });
  const keys = new Map([...(await byKey(catalog))].map(([key, { id }]) => [id, key]));
  for (const [id, key] of keys) {
    if (!bakeryResources.includes(key)) continue;
    const { nodes, truncated } = await lineage(catalog.admin, {
      from: [id],
      direction: 'UPSTREAM',
      depth: 10,
    });
    expect(truncated).toBe(false);
    const found = nodes.map((node) => keys.get(node.id)).sort();
    expect({ of: key, is: found }).toEqual({ of: key, is: closureOf(bakery(), key) });
  }
  // The check is worth something: one node has a long way up, and some have none.
  expect(closureOf(bakery(), 'exposure.bakery.board')).toHaveLength(9);
  expect(closureOf(bakery(), 'model.bakery.alone')).toEqual(['model.bakery.alone']);
});

test('nodes that the manifest does not hold, and circles of them, make no lineage and no error', async () => {
  const { catalog, project } = await open();
  const manifest = bakery();
  const change = (key: string, nodes: string[]) => {
    manifest.nodes[key] = { ...manifest.nodes[key], depends_on: { nodes } };
  };
  change('model.bakery.stg_items', ['model.bakery.clean_items']);
  change('model.bakery.alone', ['model.bakery.alone', 'model.elsewhere.secret']);
  await feedProject(catalog, project, { manifest });
  const edges = await edgesOf(catalog);
  expect(edges.filter((edge) => edge.includes('alone'))).toEqual([]);
  expect(edges.filter((edge) => edge.endsWith('> bakery.main.Order_Lines'))).toHaveLength(2);
});

test('a catalog gives types, order and size of what the manifest names, and only of that', async () => {
  const { catalog, project } = await open();
  await feedProject(catalog, project, { manifest: bakery(), catalog: bakeryCatalog() });
  const columns = [...(await resourcesOf(catalog)).values()]
    .filter(({ kind, tableName }) => kind === 'column' && tableName === 'Order_Lines')
    .sort((one, other) => (one.sortOrder ?? 0) - (other.sortOrder ?? 0));
  expect(columns.map(({ title, type, isPk }) => [title, type, isPk])).toEqual([
    ['PRICE', 'DECIMAL(10,2)', false],
    ['ORDER_ID', 'BIGINT', true],
    ['BREAD', 'VARCHAR', true],
    ['LOADED_AT', 'TIMESTAMP', false],
  ]);
  expect(await resourceAt(catalog, 'bakery.main.Order_Lines')).toMatchObject({
    rowCount: 1200,
    byteSize: 65536,
    nativeType: 'table',
  });
  expect(await resourceAt(catalog, 'bakery.raw.orders.id')).toMatchObject({ type: 'BIGINT' });
  const keys = [...(await byKey(catalog)).keys()];
  expect(keys.filter((key) => key.includes('not_in_manifest'))).toEqual([]);
});

test('without a catalog, columns that the manifest does not document stay fresh; with one they go', async () => {
  const { catalog, project } = await open();
  const whole = { manifest: bakery(), catalog: bakeryCatalog() };
  await feedProject(catalog, project, whole);
  expect(await feedProject(catalog, project, { manifest: bakery() })).toMatchObject({ staled: 0 });

  Reflect.deleteProperty(whole.catalog.nodes['model.bakery.order_lines'].columns, 'LOADED_AT');
  const next = await feedProject(catalog, project, whole);
  expect(next.staled).toBe(1);
  expect((await resourceAt(catalog, 'bakery.main.Order_Lines.LOADED_AT')).stale).toBe(true);
});
