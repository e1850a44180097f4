// Resources from JSONL lines: every kind and field, tags and owners, ancestors and parents.

import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { importJsonl } from '../../../src/integrations/imports/sync.ts';
import { updateResource } from '../../../src/resources/editing/edit.ts';
import { kinds } from '../../../src/resources/kind.ts';
import { openCatalog } from '../../catalog.ts';
import { countedSource, counts, feedJsonl, listening, resourceAt, resourcesOf } from './feed.ts';

const table = (key: string, more: object = {}) => ({
  entity_type: 'table',
  databuilder_id: key,
  title: key,
  ...more,
});

test('every field of a resource line lands where the catalog shows it', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  const owner = await catalog.user({ email: 'Mia@Example.com' });

  await feedJsonl(catalog, integration, {
    resources: [
      { entity_type: 'dashboard_group', databuilder_id: 'bi:g', title: 'Sales' },
      {
        entity_type: 'dashboard',
        databuilder_id: 'bi:d',
        parent_databuilder_id: 'bi:g',
        title: 'Weekly',
        description: 'One look a week',
        definition: '# How to read it',
        external_updated_at: '2026-01-31T12:00:00+02:00',
        native_type: 'workbook',
        group: 'Finance',
        product: 'Tableau',
        tags: ['kpi'],
        owners: ['mia@example.com'],
        url: 'https://bi.example.com/d/1?a=b',
        external_usage: 12.5,
      },
      table('w:orders', { schema: 'public', database: 'shop', cluster: 'eu' }),
      {
        entity_type: 'column',
        databuilder_id: 'w:orders.id',
        parent_databuilder_id: 'w:orders',
        title: 'id',
        type: 'bigint',
        sort_order: 4,
        is_pk: true,
        hidden: true,
      },
    ],
  });

  expect(await resourceAt(catalog, 'Sales.Weekly')).toMatchObject({
    kind: 'dashboard',
    databuilderId: 'bi:d',
    integrationId: integration.id,
    description: 'One look a week',
    definition: '# How to read it',
    definitionVersion: 1,
    externalUpdatedAt: new Date('2026-01-31T10:00:00Z'),
    nativeType: 'workbook',
    groupName: 'Finance',
    product: 'Tableau',
    ownerIds: [owner.id],
    url: 'https://bi.example.com/d/1?a=b',
    externalUsage: 12.5,
    published: true,
  });
  expect(await resourceAt(catalog, 'shop.public.w:orders')).toMatchObject({
    schemaName: 'public',
    databaseName: 'shop',
    cluster: 'eu',
  });
  expect(await resourceAt(catalog, 'shop.public.w:orders.id')).toMatchObject({
    kind: 'column',
    type: 'bigint',
    sortOrder: 4,
    isPk: true,
    hidden: true,
    tableName: 'w:orders',
    schemaName: 'public',
    databaseName: 'shop',
    cluster: 'eu',
  });
});

test('every kind can be named, under each kind of parent that may hold it', async () => {
  await using catalog = await openCatalog();
  const lines: object[] = [];
  for (const [kind, { parents }] of Object.entries(kinds)) {
    lines.push({ entity_type: kind, databuilder_id: `${kind}:alone` });
    for (const parent of parents) {
      const parent_databuilder_id = `${parent}:alone`;
      lines.push({
        entity_type: kind,
        databuilder_id: `${kind}:in ${parent}`,
        parent_databuilder_id,
      });
    }
  }

  const made = await feedJsonl(catalog, await catalog.integration(), { resources: lines });

  expect(made).toEqual(counts({ created: lines.length }));
  const found = [...(await resourcesOf(catalog)).values()];
  for (const { databuilderId, kind, parentId, title } of found) {
    expect(databuilderId?.startsWith(`${kind}:`)).toBe(true);
    // What says no title is called by its key.
    expect(title).toBe(databuilderId);
    const holder = found.find(({ id }) => id === parentId);
    expect(holder?.kind).toBe(/:in (\w+)$/.exec(databuilderId ?? '')?.[1]);
  }
});

test('a line may come before its parent', async () => {
  await using catalog = await openCatalog();
  await feedJsonl(catalog, await catalog.integration(), {
    resources: [
      { entity_type: 'column', databuilder_id: 'c', title: 'c', parent_databuilder_id: 't' },
      table('t', { parent_databuilder_id: 's' }),
      { entity_type: 'schema', databuilder_id: 's', title: 's', parent_databuilder_id: 'd' },
      { entity_type: 'database', databuilder_id: 'd', title: 'd' },
    ],
  });
  expect([...(await resourcesOf(catalog)).keys()].sort()).toEqual(['d', 'd.s', 'd.s.t', 'd.s.t.c']);
});

test("a table's missing schema and database are made, once for all that name them", async () => {
  await using catalog = await openCatalog();
  const made = await feedJsonl(catalog, await catalog.integration(), {
    resources: [
      table('a', { schema: 'public', database: 'shop' }),
      table('b', { schema: 'public', database: 'shop' }),
      table('c', { schema: 'public' }),
      table('d', { database: 'shop' }),
      { entity_type: 'schema', databuilder_id: 'x', title: 'extra', database: 'shop' },
      table('e'),
    ],
  });
  const titles = [...(await resourcesOf(catalog)).entries()].map(([title, r]) => [title, r.kind]);
  expect(titles.sort()).toEqual([
    ['d', 'table'],
    ['e', 'table'],
    ['public', 'schema'],
    ['public.c', 'table'],
    ['shop', 'database'],
    ['shop.extra', 'schema'],
    ['shop.public', 'schema'],
    ['shop.public.a', 'table'],
    ['shop.public.b', 'table'],
  ]);
  expect(made).toEqual(counts({ created: titles.length }));
});

test('schemas and databases that are named under keys of their own are not made again', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  const named = [
    { entity_type: 'database', databuilder_id: 'db-1', title: 'Shop', description: 'Named' },
    {
      entity_type: 'schema',
      databuilder_id: 'sc-1',
      title: 'Public',
      parent_databuilder_id: 'db-1',
    },
  ];
  const orders = table('orders', { schema: 'public', database: 'shop' });
  // Wherever they stand in the file, and whatever the case of their names.
  const made = await feedJsonl(catalog, integration, { resources: [orders, ...named] });
  expect(made).toEqual(counts({ created: 3 }));
  expect([...(await resourcesOf(catalog)).keys()].sort()).toEqual([
    'Shop',
    'Shop.Public',
    'Shop.Public.orders',
  ]);
  // A later file need not name them again: the table still lies in them.
  const more = table('customers', { schema: 'public', database: 'shop' });
  const next = await feedJsonl(
    catalog,
    integration,
    { resources: [orders, more] },
    { stale: false },
  );
  expect(next).toEqual(counts({ created: 1, unchanged: 3 }));
  expect((await resourceAt(catalog, 'Shop.Public.customers')).kind).toBe('table');
});

test('tags go by name without regard to case, and those that are missing are made', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  const known = await catalog.tag({ name: 'Finance', color: '#112233' });

  await feedJsonl(catalog, integration, {
    resources: [table('a', { tags: ['finance', 'New', 'NEW'] }), table('b', { tags: ['new'] })],
  });

  const { workspaceId, database } = catalog;
  const tags = await database.prisma.tag.findMany({
    where: { workspaceId },
    orderBy: { name: 'asc' },
  });
  expect(tags.map(({ name }) => name)).toEqual(['Finance', 'New']);
  const [finance, made] = tags;
  expect(finance).toMatchObject({ id: known.id, color: '#112233', integrationId: null });
  expect(made?.integrationId).toBe(integration.id);
  const tagged = async (title: string) => (await resourceAt(catalog, title)).tagIds.toSorted();
  expect(await tagged('a')).toEqual([known.id, made?.id].sort());
  expect(await tagged('b')).toEqual([made?.id]);
  // Another workspace has its own.
  const other = await catalog.another();
  expect(await other.database.prisma.tag.count({ where: { workspaceId: other.workspaceId } })).toBe(
    0,
  );
});

test('owners go by address; those who are no users are counted in the log, and not made', async () => {
  await using catalog = await openCatalog();
  const user = await catalog.user({ email: 'ann@example.com' });
  const foreigner = await (await catalog.another()).user({ email: 'bob@elsewhere.com' });
  const { watch, lines } = listening();

  await feedJsonl(
    catalog,
    await catalog.integration(),
    {
      resources: [
        table('a', { owners: ['ANN@example.com', foreigner.email, 'nobody@example.com'] }),
        table('b', { owners: [] }),
      ],
    },
    { watch },
  );

  expect((await resourceAt(catalog, 'a')).ownerIds).toEqual([user.id]);
  expect(lines).toContain(
    `2 owners are neither users nor groups of this workspace: ${foreigner.email}, nobody@example.com.`,
  );
  const { workspaceId, database } = catalog;
  expect(await database.prisma.user.count({ where: { workspaceId, email: foreigner.email } })).toBe(
    0,
  );
});

test('owners go by the name of a group or person, by a handle, and are said where they are unknown', async () => {
  await using catalog = await openCatalog();
  const ann = await catalog.user({
    email: 'ann.lee@example.com',
    firstName: 'Ann',
    lastName: 'Lee',
  });
  const bob = await catalog.user({ email: 'bob@example.com', firstName: 'Sam', lastName: 'Roe' });
  await catalog.user({ email: 'sam@example.com', firstName: 'Sam', lastName: 'Roe' });
  const finance = await catalog.group({ name: 'Finance' });
  const sales = await catalog.group({ name: 'bob' });
  const integration = await catalog.integration();
  const feed = (owners: readonly string[]) =>
    feedJsonl(catalog, integration, { resources: [table('a', { owners })] });
  const owned = async () => {
    const { ownerIds, ownerGroupIds } = await resourceAt(catalog, 'a');
    return [ownerIds, ownerGroupIds];
  };
  await feed(['finance', 'Ann Lee']);
  expect(await owned()).toEqual([[ann.id], [finance.id]]);
  await feed(['@ann.lee', '@bob', 'Ann <ann.lee@example.com>']);
  expect(await owned()).toEqual([[ann.id, bob.id].sort(), []]);
  await feed(['bob', '@finance']);
  expect(await owned()).toEqual([[], [finance.id, sales.id].sort()]);
  // Two are called so.
  const { problems } = await feed(['Sam Roe', 'Nobody']);
  expect(await owned()).toEqual([[], []]);
  expect(problems).toEqual([
    '2 owners are neither users nor groups of this workspace: Sam Roe, Nobody.',
  ]);
  const { id } = await resourceAt(catalog, 'a');
  const unknown = async () => {
    const query = 'query ($id: ID!) { resource(id: $id) { unknownOwners } }';
    return (await catalog.graphql(query, { id })).data.resource.unknownOwners;
  };
  expect(await unknown()).toEqual(['Sam Roe', 'Nobody']);
  expect(await feed(['Sam Roe', 'Nobody'])).toMatchObject({ updated: 0 });
  // What a person says of the groups stays, and what the source says of the users is taken.
  await updateResource(catalog.admin, id, { ownerGroupIds: [sales.id] });
  await feed(['Finance', '@bob']);
  expect([await owned(), await unknown()]).toEqual([[[bob.id], [sales.id]], []]);
  await updateResource(catalog.admin, id, { releaseFields: ['owners_groups'] });
  await feed(['Finance', '@bob']);
  expect(await owned()).toEqual([[bob.id], [finance.id]]);
});

test('a field that is absent leaves what is there; one that is empty or null clears it', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  const full = {
    description: 'Old',
    definition: 'Docs',
    url: 'https://example.com/',
    tags: ['x'],
    native_type: 'view',
  };
  await feedJsonl(catalog, integration, { resources: [table('a', full)] });

  const silent = await feedJsonl(catalog, integration, { resources: [table('a')] });
  expect(silent).toEqual(counts({ unchanged: 1 }));
  expect(await resourceAt(catalog, 'a')).toMatchObject({ description: 'Old', definition: 'Docs' });

  const cleared = { description: '', definition: null, url: null, tags: [], native_type: '' };
  const made = await feedJsonl(catalog, integration, { resources: [table('a', cleared)] });
  expect(made).toEqual(counts({ updated: 1 }));
  expect(await resourceAt(catalog, 'a')).toMatchObject({
    description: null,
    definition: '',
    url: null,
    tagIds: [],
    nativeType: null,
  });
});

test('each changed documentation is a version, and every version is kept', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  for (const definition of ['one', 'two', 'two', 'three']) {
    await feedJsonl(catalog, integration, { resources: [table('a', { definition })] });
  }
  const { id, definition, definitionVersion } = await resourceAt(catalog, 'a');
  expect([definition, definitionVersion]).toEqual(['three', 3]);
  const versions = await catalog.database.prisma.resourceVersion.findMany({
    where: { resourceId: id },
    orderBy: { version: 'asc' },
  });
  expect(versions.map((each) => [each.version, each.definition, each.authorId])).toEqual([
    [1, 'one', null],
    [2, 'two', null],
    [3, 'three', null],
  ]);
});

test('of two lines with one key the first that says a field decides it', async () => {
  await using catalog = await openCatalog();
  const made = await feedJsonl(catalog, await catalog.integration(), {
    resources: [
      table('a', { description: '' }),
      table('a', { title: 'other', description: 'Said later', type: 'x' }),
    ],
  });
  const problems = [expect.stringContaining('lines 1, 2: "a" is described more than once')];
  expect(made).toEqual({ ...counts({ created: 1 }), problems });
  const { title, description, type } = await resourceAt(catalog, 'a');
  expect([title, description, type]).toEqual(['a', 'Said later', 'x']);
});

test('a new title or parent carries through the full titles of all that lies below', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  const column = {
    entity_type: 'column',
    databuilder_id: 'c',
    parent_databuilder_id: 't',
    title: 'id',
  };
  const inSchema = (schema: string) => ({ schema, database: 'shop' });
  await feedJsonl(catalog, integration, { resources: [table('t', inSchema('a')), column] });
  const before = await resourceAt(catalog, 'shop.a.t.id');

  const moved = table('t', { ...inSchema('b'), title: 'renamed' });
  await feedJsonl(catalog, integration, { resources: [moved] }, { stale: false });

  const after = await resourceAt(catalog, 'shop.b.renamed.id');
  expect([after.id, after.schemaName, after.tableName]).toEqual([before.id, 'b', 'renamed']);
  expect([...(await resourcesOf(catalog)).keys()]).not.toContain('shop.a.t.id');
});

test('a file may come in pieces of any size, packed or not, with any line ends', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  const lines = [table('größe', { description: 'naïve 🧁' }), table('b')];
  const text = `\uFEFF${lines.map((line) => JSON.stringify(line)).join('\r\n\r\n  ')}\r\n`;
  const bytes = Buffer.from(text);
  await feedJsonl(catalog, integration, { resources: text });
  for (const whole of [bytes, gzipSync(bytes)]) {
    const pieces = [...whole].map((byte) => Uint8Array.of(byte));
    const { source, taken } = countedSource('resources.jsonl', pieces);
    const again = await importJsonl(catalog.admin, integration.id, { resources: source });
    expect(again).toEqual(counts({ unchanged: 2 }));
    expect(taken).toEqual({ bytes: whole.length, closed: true });
  }
  expect((await resourceAt(catalog, 'größe')).description).toBe('naïve 🧁');
});

test('the resources of an integration belong to its teams, and are published unless it keeps them back', async () => {
  await using catalog = await openCatalog();
  const team = await catalog.team();
  const integration = await catalog.integration({ teamIds: [team.id] });
  await feedJsonl(catalog, integration, { resources: [table('told')] });
  await catalog.database.prisma.integration.update({
    where: { workspaceId_id: { workspaceId: catalog.workspaceId, id: integration.id } },
    data: { properties: { publish_imports: false } },
  });
  await feedJsonl(catalog, integration, { resources: [table('quiet'), table('told')] });
  const shown = async (title: string) => {
    const { teamIds, published } = await resourceAt(catalog, title);
    return { teamIds, published };
  };
  expect(await shown('told')).toEqual({ teamIds: [team.id], published: true });
  expect(await shown('quiet')).toEqual({ teamIds: [team.id], published: false });
});
