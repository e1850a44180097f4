// Imports of CSV and JSONL files into the catalog: all or nothing, again and again, beside people.

import { expect, test } from 'vitest';
import type { Context } from '../../src/context.ts';
import type { ImportCounts } from '../../src/integrations/import.ts';
import { textSource } from '../../src/integrations/source.ts';
import { importCsv, importJsonl, type SyncOptions } from '../../src/integrations/sync.ts';
import { archiveResource } from '../../src/resources/archive.ts';
import { updateResource } from '../../src/resources/edit.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

type Row = Record<string, unknown>;

const text = (rows: readonly Row[]) => rows.map((row) => JSON.stringify(row)).join('\n');

/** Import rows as JSONL into an integration; absent rows are an absent file. */
function feed(
  ctx: Context,
  integrationId: string,
  rows: { resources?: readonly Row[]; lineages?: readonly Row[] },
  options: SyncOptions = {},
): Promise<ImportCounts> {
  const { resources, lineages } = rows;
  const sources = {
    resources: resources && textSource('resources_file', text(resources)),
    lineages: lineages && textSource('lineages_file', text(lineages)),
  };
  return importJsonl(ctx, integrationId, sources, options);
}

const row = (entity_type: string, databuilder_id: string, more: Row = {}): Row => ({
  entity_type,
  databuilder_id,
  title: databuilder_id,
  ...more,
});

const shop: readonly Row[] = [
  // Children may come before what holds them.
  row('column', 'id', { parent_databuilder_id: 'orders', type: 'bigint', sort_order: 1 }),
  row('table', 'orders', { parent_databuilder_id: 'public', description: 'Every order.' }),
  row('table', 'customers', { parent_databuilder_id: 'public' }),
  row('schema', 'public', { parent_databuilder_id: 'shop' }),
  row('database', 'shop'),
];

const edge = (from: string, to: string): Row => ({
  from_identifier: { internal_resource: { databuilder_id: from } },
  to_identifier: { internal_resource: { databuilder_id: to } },
});

/** Everything an import could have touched, to see that it touched nothing. */
async function stateOf({ database: { prisma }, workspaceId }: Catalog) {
  const where = { workspaceId };
  return {
    resources: await prisma.resource.findMany({ where, orderBy: { id: 'asc' } }),
    edges: await prisma.lineageEdge.findMany({ where, orderBy: { id: 'asc' } }),
    tags: await prisma.tag.findMany({ where, orderBy: { id: 'asc' } }),
    versions: await prisma.resourceVersion.findMany({ where, orderBy: { id: 'asc' } }),
    audit: await prisma.auditLog.count({ where }),
  };
}

function resource({ database: { prisma }, workspaceId }: Catalog, databuilderId: string) {
  return prisma.resource.findFirstOrThrow({ where: { workspaceId, databuilderId } });
}

async function scratchTables({ database: { pool } }: Catalog): Promise<number> {
  const { rowCount } = await pool.query(
    `select from information_schema.tables where table_schema = 'headwater_scratch'`,
  );
  return rowCount ?? 0;
}

test('a file is imported with its ancestry, and a second time nothing changes', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration();
  const lineages = [edge('customers', 'orders'), edge('customers', 'orders')];
  const first = await feed(catalog.admin, id, { resources: shop, lineages });
  expect(first).toMatchObject({ created: 5, updated: 0, staled: 0, unchanged: 0 });
  expect(first.lineage).toEqual({ created: 1, ended: 0, unchanged: 0, unknown: 0 });
  expect(await resource(catalog, 'id')).toMatchObject({
    kind: 'column',
    titleFull: 'shop.public.orders.id',
    databaseName: 'shop',
    schemaName: 'public',
    tableName: 'orders',
    type: 'bigint',
    sortOrder: 1,
    integrationId: id,
    stale: false,
  });
  const before = await stateOf(catalog);
  const second = await feed(catalog.admin, id, { resources: shop, lineages });
  expect(second).toMatchObject({ created: 0, updated: 0, staled: 0, unchanged: 5 });
  expect(second.lineage).toEqual({ created: 0, ended: 0, unchanged: 1, unknown: 0 });
  expect(await stateOf(catalog)).toEqual({ ...before, audit: before.audit + 1 });
  expect(await scratchTables(catalog)).toBe(0);
});

test('a dry run counts what an import then does, and changes nothing', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration();
  await feed(catalog.admin, id, { resources: shop, lineages: [edge('customers', 'orders')] });
  const before = await stateOf(catalog);
  const changed = {
    resources: [
      ...shop.filter((each) => each.databuilder_id !== 'id'),
      row('table', 'refunds', { parent_databuilder_id: 'public', tags: ['new'] }),
      row('table', 'customers', { parent_databuilder_id: 'public', native_type: 'view' }),
    ].filter((_, i) => i !== 1),
    lineages: [edge('orders', 'refunds')],
  };
  const would = await feed(catalog.admin, id, changed, { dryRun: true });
  expect(await stateOf(catalog)).toEqual(before);
  expect(would).toMatchObject({ created: 1, updated: 1, staled: 1, unchanged: 3 });
  expect(await feed(catalog.admin, id, changed)).toEqual(would);
});

test('what a source no longer names is stale until it returns, if it was not asked to be left', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration();
  const without = shop.filter(({ databuilder_id }) => databuilder_id !== 'id');
  await feed(catalog.admin, id, { resources: shop });
  expect(await feed(catalog.admin, id, { resources: without }, { stale: false })).toMatchObject({
    staled: 0,
    unchanged: 4,
  });
  expect(await feed(catalog.admin, id, { resources: without })).toMatchObject({ staled: 1 });
  expect(await resource(catalog, 'id')).toMatchObject({ stale: true });
  expect((await resource(catalog, 'id')).staleAt).not.toBeNull();
  expect(await feed(catalog.admin, id, { resources: without })).toMatchObject({ staled: 0 });
  expect(await feed(catalog.admin, id, { resources: shop })).toMatchObject({ updated: 1 });
  expect(await resource(catalog, 'id')).toMatchObject({ stale: false, staleAt: null });
});

test('another integration, and what people made, never becomes stale by an import', async () => {
  await using catalog = await openCatalog();
  const [one, other] = [await catalog.integration(), await catalog.integration()];
  await feed(catalog.admin, other.id, { resources: shop });
  await catalog.resource({ integrationId: one.id });
  await feed(catalog.admin, one.id, { resources: [row('database', 'shop')] });
  const { workspaceId } = catalog;
  const stale = await catalog.database.prisma.resource.count({
    where: { workspaceId, stale: true },
  });
  expect(stale).toBe(0);
});

test('what a person edited stays as they left it', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration();
  const told = { description: 'Told.', definition: '# Told', tags: ['told'], owners: [] };
  const rows = [row('query', 'a', told), row('query', 'b', told)];
  await feed(catalog.admin, id, { resources: rows });
  const tag = await catalog.tag({ name: 'chosen' });
  const { id: edited } = await resource(catalog, 'a');
  await updateResource(catalog.as('editor'), edited, {
    description: 'Edited.',
    definition: '# Edited',
    tagIds: [tag.id],
    ownerIds: [catalog.idOf('editor')],
  });
  const later = { description: 'Later.', definition: '# Later', tags: ['later'], native_type: 'x' };
  await feed(catalog.admin, id, { resources: rows.map((each) => ({ ...each, ...later })) });
  expect(await resource(catalog, 'a')).toMatchObject({
    description: 'Edited.',
    definition: '# Edited',
    tagIds: [tag.id],
    ownerIds: [catalog.idOf('editor')],
    nativeType: 'x',
  });
  const b = await resource(catalog, 'b');
  expect(b).toMatchObject({ description: 'Later.', definition: '# Later', definitionVersion: 2 });
  const versions = await catalog.database.prisma.resourceVersion.findMany({
    where: { resourceId: b.id },
    orderBy: { version: 'asc' },
  });
  expect(versions.map(({ version, definition }) => [version, definition])).toEqual([
    [1, '# Told'],
    [2, '# Later'],
  ]);
});

test('an absent field leaves what is there, an empty one clears it', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration();
  const full = { description: 'x', definition: 'y', tags: ['t'], url: 'https://example.com/' };
  await feed(catalog.admin, id, { resources: [row('query', 'a', full)] });
  await feed(catalog.admin, id, { resources: [row('query', 'a')] });
  expect(await resource(catalog, 'a')).toMatchObject({ description: 'x', definition: 'y' });
  const empty = { description: null, definition: '', tags: [], url: null };
  await feed(catalog.admin, id, { resources: [row('query', 'a', empty)] });
  expect(await resource(catalog, 'a')).toMatchObject({
    description: null,
    definition: '',
    tagIds: [],
    url: null,
  });
});

test('tags are found by name or made, owners are found by address or counted in the log', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration();
  const gold = await catalog.tag({ name: 'Gold' });
  const said: string[] = [];
  const labels = { tags: ['gold', 'New', 'new'], owners: ['EDITOR@example.com', 'no@one.example'] };
  const watch = { log: (line: string) => said.push(line), progress: () => {} };
  await feed(catalog.admin, id, { resources: [row('query', 'a', labels)] }, { watch });
  const made = await catalog.database.prisma.tag.findFirstOrThrow({
    where: { workspaceId: catalog.workspaceId, name: 'New' },
  });
  expect(made.integrationId).toBe(id);
  const a = await resource(catalog, 'a');
  expect([...a.tagIds].sort()).toEqual([gold.id, made.id].sort());
  expect(a.ownerIds).toEqual([catalog.idOf('editor')]);
  expect(said).toContain('1 owners are no users of this workspace.');
  const again = await feed(catalog.admin, id, { resources: [row('query', 'a', labels)] });
  expect(again).toMatchObject({ updated: 0, unchanged: 1 });
});

test('implied ancestors are made once, and give way to those the source names', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration();
  const tables = ['a', 'b'].map((key) => row('table', key, { database: 'shop', schema: 'public' }));
  expect(await feed(catalog.admin, id, { resources: tables })).toMatchObject({ created: 4 });
  expect(await resource(catalog, 'a')).toMatchObject({ titleFull: 'shop.public.a' });

  const named = [
    row('database', 'my-db', { title: 'Shop' }),
    row('schema', 'my-schema', { title: 'public', parent_databuilder_id: 'my-db' }),
  ];
  expect(await feed(catalog.admin, id, { resources: [...tables, ...named] })).toMatchObject({
    created: 2,
    updated: 2,
    staled: 2,
  });
  const schema = await resource(catalog, 'my-schema');
  expect(await resource(catalog, 'a')).toMatchObject({
    parentId: schema.id,
    titleFull: 'Shop.public.a',
  });
  // From now on the tables alone mean the named ones, which they do not bring back as doubles.
  expect(await feed(catalog.admin, id, { resources: tables })).toMatchObject({
    created: 0,
    staled: 0,
    unchanged: 4,
  });
});

test('a new title shows in the full titles of all that lies below, named or not', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration();
  await feed(catalog.admin, id, { resources: shop });
  const renamed = [
    row('database', 'shop', { title: 'store' }),
    row('schema', 'public', { parent_databuilder_id: 'shop' }),
  ];
  await feed(catalog.admin, id, { resources: renamed }, { stale: false });
  expect(await resource(catalog, 'public')).toMatchObject({ titleFull: 'store.public' });
  expect(await resource(catalog, 'id')).toMatchObject({
    titleFull: 'store.public.orders.id',
    databaseName: 'store',
  });
});

test('what was deleted in the catalog stays deleted', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration();
  await feed(catalog.admin, id, { resources: shop });
  const { id: gone } = await resource(catalog, 'customers');
  await archiveResource(catalog.admin, gone);
  const changed = shop.map((each) => ({ ...each, native_type: 'x' }));
  await feed(catalog.admin, id, { resources: changed });
  expect(await resource(catalog, 'customers')).toMatchObject({ archived: true, nativeType: null });
});

test('new resources belong to the teams of the integration and are published as it says', async () => {
  await using catalog = await openCatalog();
  const team = await catalog.team();
  const { id } = await catalog.integration({ teamIds: [team.id] });
  await feed(catalog.admin, id, { resources: [row('query', 'a')] });
  expect(await resource(catalog, 'a')).toMatchObject({ teamIds: [team.id], published: true });
  await catalog.database.prisma.integration.update({
    where: { id },
    data: { properties: { publish_imports: false } },
  });
  await feed(catalog.admin, id, { resources: [row('query', 'a'), row('query', 'b')] });
  expect(await resource(catalog, 'a')).toMatchObject({ published: true });
  expect(await resource(catalog, 'b')).toMatchObject({ published: false });
});

const table = (key: string, parent: string) => row('table', key, { parent_databuilder_id: parent });
const document = (key: string, parent: string) =>
  row('document', key, { parent_databuilder_id: parent });

test.each<[string, Row[], string]>([
  [
    'an unknown parent',
    [table('x', 'nowhere')],
    'line 6: parent_databuilder_id names "nowhere", which is neither in this file nor in the integration.',
  ],
  [
    'a parent of a wrong kind',
    [table('x', 'shop')],
    'line 6: parent_databuilder_id is a database, which cannot hold a table; only a schema can.',
  ],
  [
    'a parent where there can be none',
    [row('query', 'x', { parent_databuilder_id: 'shop' })],
    'line 6: parent_databuilder_id is a database, which cannot hold a query; nothing can.',
  ],
  [
    'a circle of parents',
    [document('a', 'b'), document('b', 'c'), document('c', 'a'), document('d', 'a')],
    'makes a circle of parents: ',
  ],
  ['a parent of itself', [document('a', 'a')], 'line 6: parent_databuilder_id makes a circle'],
  [
    'an endless ladder of parents',
    [
      row('document', 'n0'),
      ...Array.from({ length: 70 }, (_, i) => document(`n${i + 1}`, `n${i}`)),
    ],
    'lies deeper than 64 levels below its outermost ancestor.',
  ],
  [
    'one key for two kinds',
    [row('table', 'orders'), row('column', 'customers')],
    'line 7: databuilder_id "customers" is a column and a table in this file',
  ],
  ['a key that is of another kind in the catalog', [row('job', 'known')], 'line 6: entity_type is'],
  [
    'an unknown field',
    [{ ...row('table', 'x'), colour: 'red' }],
    'line 6: "colour" is not a field',
  ],
])('%s is refused with its line, and nothing is half done', async (_name, rows, message) => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration();
  await feed(catalog.admin, id, { resources: [row('query', 'known')] });
  const before = await stateOf(catalog);
  const importing = feed(catalog.admin, id, { resources: [...shop, ...rows] });
  const error = await importing.catch((thrown) => thrown);
  expect(error).toMatchObject({ code: 'BAD_REQUEST' });
  expect(error.message).toMatch(/^resources_file, line \d+: /);
  expect(error.message).toContain(message);
  expect(await stateOf(catalog)).toEqual(before);
  expect(await scratchTables(catalog)).toBe(0);
});

test('a circle that leads through the catalog is refused, too', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration();
  const ladder = [row('document', 'a'), document('b', 'a'), document('c', 'b')];
  await feed(catalog.admin, id, { resources: ladder });
  const before = await stateOf(catalog);
  await expect(
    feed(catalog.admin, id, { resources: [document('a', 'c')] }, { stale: false }),
  ).rejects.toMatchObject({ code: 'BAD_REQUEST', message: expect.stringContaining('circle') });
  expect(await stateOf(catalog)).toEqual(before);
});

test('a mistake in the lineage file undoes the resources, too', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration();
  const before = await stateOf(catalog);
  const lineages = [edge('customers', 'orders'), { from_identifier: 5 }];
  await expect(feed(catalog.admin, id, { resources: shop, lineages })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringContaining(
      'lineages_file, line 2: from_identifier must be a JSON object',
    ),
  });
  expect(await stateOf(catalog)).toEqual(before);
});

test('CSV becomes databases, schemas, tables and columns, and is synced like the rest', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration();
  const csv = (...rows: string[]) =>
    textSource('file', ['col_name,database,schema,name,description', ...rows].join('\n'));
  const rows = [
    'ID,shop,public,orders,',
    'Total,shop,public,orders,Every order.',
    'id,shop,public,users,',
  ];
  expect(await importCsv(catalog.admin, id, csv(...rows))).toMatchObject({ created: 7 });
  const orders = await catalog.database.prisma.resource.findFirstOrThrow({
    where: { workspaceId: catalog.workspaceId, kind: 'table', title: 'orders' },
  });
  expect(orders).toMatchObject({ titleFull: 'shop.public.orders', description: 'Every order.' });
  expect(await importCsv(catalog.admin, id, csv(...rows))).toMatchObject({ unchanged: 7 });
  expect(await importCsv(catalog.admin, id, csv(...rows.slice(0, 2)))).toMatchObject({ staled: 2 });
});

test('only admins import, into an integration that such files feed', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration();
  for (const role of ['editor', 'viewer', 'guest'] as const) {
    await expect(feed(catalog.as(role), id, { resources: shop })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  }
  const project = await catalog.integration({ type: 'dbt_core' });
  await expect(feed(catalog.admin, project.id, { resources: shop })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
  const chat = await catalog.integration({ type: 'chat' });
  await expect(importCsv(catalog.admin, chat.id, textSource('file', ''))).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
  await expect(feed(catalog.admin, id, {})).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});
