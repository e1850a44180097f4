// Imports of CSV and JSONL files into the catalog: again and again, and besides people.

import { expect, test } from 'vitest';
import { importCsv } from '../../../src/integrations/imports/sync.ts';
import { textSource } from '../../../src/integrations/readers/source.ts';
import { archiveResource, restoreResource } from '../../../src/resources/editing/archive.ts';
import { updateResource } from '../../../src/resources/editing/edit.ts';
import { openCatalog } from '../../catalog.ts';
import { edge, feed, resource, row, scratchTables, shop, stateOf } from '../readers/shop.ts';

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
  const texts = { description: 'Told.', definition: '# Told', tags: ['told'], owners: [] };
  const rows = [row('query', 'a', texts), row('query', 'b', texts)];
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
  expect(said).toContain(
    '1 owner is neither a user nor a group of this workspace: no@one.example.',
  );
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
    // They are the same database and schema, by keys of their own.
    created: 0,
    staled: 0,
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
  const { version } = await resource(catalog, 'id');
  const updatedAt = new Date(Date.now() + 3_600_000);
  catalog.setTime(updatedAt);
  await feed(catalog.admin, id, { resources: renamed }, { stale: false });
  expect(await resource(catalog, 'public')).toMatchObject({ titleFull: 'store.public', updatedAt });
  // What it is called in full is another version of it.
  expect(await resource(catalog, 'id')).toMatchObject({
    ...{ titleFull: 'store.public.orders.id', databaseName: 'store' },
    ...{ version: version + 1, updatedAt },
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

test('what is new in something deleted is deleted with it, and restored with it', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration();
  await feed(catalog.admin, id, { resources: shop });
  const { id: gone } = await resource(catalog, 'public');
  await archiveResource(catalog.admin, gone);
  const later = [
    row('table', 'refunds', { parent_databuilder_id: 'public' }),
    row('column', 'refund_id', { parent_databuilder_id: 'refunds' }),
    row('column', 'refund_part', { parent_databuilder_id: 'refund_id' }),
    row('schema', 'other', { parent_databuilder_id: 'shop' }),
    row('table', 'elsewhere', { parent_databuilder_id: 'other' }),
  ];
  const counts = await feed(catalog.admin, id, { resources: [...shop, ...later] });
  expect(counts).toMatchObject({ created: 5, updated: 0, staled: 0 });
  const archived = async () => {
    const keys = ['refunds', 'refund_id', 'refund_part', 'other', 'elsewhere'];
    const found = await Promise.all(keys.map((key) => resource(catalog, key)));
    return found.map((one) => one.archived);
  };
  expect(await archived()).toEqual([true, true, true, false, false]);
  await restoreResource(catalog.admin, gone);
  expect(await archived()).toEqual([false, false, false, false, false]);
});

test('new resources belong to the teams of the integration and are published as it says', async () => {
  await using catalog = await openCatalog();
  const team = await catalog.team();
  const { id } = await catalog.integration({ teamIds: [team.id] });
  await feed(catalog.admin, id, { resources: [row('query', 'a')] });
  expect(await resource(catalog, 'a')).toMatchObject({ teamIds: [team.id], published: true });
  await catalog.database.prisma.integration.update({
    where: { workspaceId_id: { workspaceId: catalog.workspaceId, id } },
    data: { properties: { publish_imports: false } },
  });
  await feed(catalog.admin, id, { resources: [row('query', 'a'), row('query', 'b')] });
  expect(await resource(catalog, 'a')).toMatchObject({ published: true });
  expect(await resource(catalog, 'b')).toMatchObject({ published: false });
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

test('what a person says is there all the same is fresh at once, and stays so', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration();
  const csv = (...tables: string[]) =>
    textSource(
      'file',
      ['col_name,database,schema,name', ...tables.map((one) => `id,shop,public,${one}`)].join('\n'),
    );
  const users = () =>
    catalog.database.prisma.resource.findFirstOrThrow({
      where: { workspaceId: catalog.workspaceId, kind: 'table', title: 'users' },
    });
  await importCsv(catalog.admin, id, csv('orders', 'users'));
  await importCsv(catalog.admin, id, csv('orders'));
  expect(await users()).toMatchObject({ stale: true });
  const path = `/table/tables/${(await users()).id}`;
  const body = { forced_unstale_by_user: true };
  expect(await catalog.rest('PATCH', path, { body, caller: { as: 'viewer' } })).toMatchObject({
    status: 403,
  });
  expect(await users()).toMatchObject({ stale: true });
  await catalog.rest('PATCH', path, { body, caller: { as: 'editor' } });
  expect(await users()).toMatchObject({ stale: false, staleAt: null, forcedUnstaleByUser: true });
  expect(await importCsv(catalog.admin, id, csv('orders'))).toMatchObject({ staled: 0 });
  expect(await users()).toMatchObject({ stale: false });
  // Taken back, the next import says again what it finds.
  await catalog.rest('PATCH', path, { body: { forced_unstale_by_user: false } });
  await importCsv(catalog.admin, id, csv('orders'));
  expect(await users()).toMatchObject({ stale: true });
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
