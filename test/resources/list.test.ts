// Lists of resources: filters, orders, pages, and what they cost.

import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Resource } from '../../src/generated/prisma/client.ts';
import { updateResource } from '../../src/resources/editing/edit.ts';
import { listResources, type ResourceQuery } from '../../src/resources/resource.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

const titles = (page: { nodes: readonly Resource[] }) => page.nodes.map(({ title }) => title);

test('each operator finds what it says, and no more', async () => {
  await using catalog = await openCatalog();
  const owner = catalog.idOf('editor');
  await catalog.resource({ title: 'Orders', description: '50% off', ownerIds: [owner] });
  await catalog.resource({ title: 'orders_2', externalUsage: 7, verified: true });
  await catalog.resource({ kind: 'chart', title: 'Revenue', externalUsage: 3 });

  const found = async (filter: object) =>
    titles(await listResources(catalog.admin, { filter, sort: [{ field: 'title' }] }, {}));
  const term = (operator: string, field: string, value?: unknown) => ({ operator, field, value });

  expect(await found(term('exact', 'type', 'chart'))).toEqual(['Revenue']);
  expect(await found(term('contains', 'title', 'ORDERS'))).toEqual(['Orders', 'orders_2']);
  expect(await found(term('contains', 'description', '50%'))).toEqual(['Orders']);
  expect(await found(term('contains', 'title', '_'))).toEqual(['orders_2']);
  expect(await found(term('in', 'title', ['Orders', 'Revenue']))).toEqual(['Orders', 'Revenue']);
  expect(await found(term('in', 'title', []))).toEqual([]);
  expect(await found(term('is_set', 'owners'))).toEqual(['Orders']);
  expect(await found(term('is_set', 'description', false))).toEqual(['Revenue', 'orders_2']);
  expect(await found(term('exact', 'owners', owner))).toEqual(['Orders']);
  expect(await found(term('gt', 'external_usage', 3))).toEqual(['orders_2']);
  expect(await found(term('lte', 'external_usage', 3))).toEqual(['Orders', 'Revenue']);
  expect(await found(term('exact', 'verified', true))).toEqual(['orders_2']);
  const not = { operator: 'not', operands: [term('contains', 'description', 'off')] };
  expect(await found(not)).toEqual(['Revenue', 'orders_2']);
  const or = { operator: 'or', operands: [term('exact', 'title', 'Orders'), not] };
  expect(await found(or)).toHaveLength(3);
});

test('a filter that is wrong says what is, and what is allowed', async () => {
  await using catalog = await openCatalog();
  const nested = (depth: number): object =>
    depth === 0
      ? { operator: 'exact', field: 'title', value: 'x' }
      : { operator: 'not', operands: [nested(depth - 1)] };
  for (const [filter, field, says] of [
    [{ operator: 'like', field: 'title', value: 'x' }, 'filter.operator', /exact, contains/],
    [{ operator: 'exact', field: 'toString', value: 'x' }, 'filter.field', /native_type/],
    [{ operator: 'exact', field: 'pii', value: 'maybe' }, 'filter.value', /true or false/],
    [{ operator: 'exact', field: 'parent_id', value: 7 }, 'filter.value', /UUID/],
    [{ operator: 'exact', field: 'type', value: 'tabel' }, 'filter.value', /database, schema/],
    [{ operator: 'gt', field: 'created_at', value: 'soon' }, 'filter.value', /ISO 8601/],
    [{ operator: 'gt', field: 'title', value: 'a' }, 'filter.value', /times and numbers/],
    [{ operator: 'and', operands: [] }, 'filter.operands', /at least one/],
    ['title', 'filter', /object/],
    [nested(10), /operands/, /10 levels/],
  ] as const) {
    await expect(listResources(catalog.admin, { filter }, {})).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      fields: [
        {
          field: typeof field === 'string' ? field : expect.stringMatching(field),
          message: expect.stringMatching(says),
        },
      ],
    });
  }
  await expect(listResources(catalog.admin, { filter: nested(9) }, {})).resolves.toBeDefined();
});

test('any JSON at all as a filter or sort is answered or refused, never a failure', async () => {
  await using catalog = await openCatalog();
  await catalog.resource({});
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constant('\0'),
    fc.constant(Number.POSITIVE_INFINITY),
    fc.string(),
  );
  const filter = fc.record({
    operator: fc.constantFrom('exact', 'contains', 'in', 'is_set', 'gt', 'not', 'and', 'x'),
    field: fc.constantFrom('id', 'type', 'title', 'created_at', 'external_usage', 'tags', 'x'),
    value,
    operands: fc.option(fc.array(value, { maxLength: 3 }), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(fc.oneof(filter, value), async (input) => {
      const answer = await listResources(catalog.admin, { filter: input }, {}).catch(
        (error: unknown) => error,
      );
      if (answer instanceof Error) expect(answer).toMatchObject({ code: 'BAD_REQUEST' });
    }),
    { numRuns: 300, seed: 7 },
  );
});

test('cursors and numbers both show every row once, in the same order, on ties too', async () => {
  await using catalog = await openCatalog();
  for (let i = 0; i < 11; i += 1) await catalog.resource({ title: `t${i}`, externalUsage: i % 3 });
  const sort = [{ field: 'external_usage', order: 'desc' }];

  const whole = titles(await listResources(catalog.admin, { sort }, {}));
  const numbered: string[] = [];
  for (let page = 1; page <= 4; page += 1) {
    const found = await listResources(catalog.admin, { sort }, { page, pageSize: 3 });
    numbered.push(...titles(found));
    expect([page, found.hasPreviousPage, found.hasNextPage]).toEqual([page, page > 1, page < 4]);
  }
  const forward: string[] = [];
  let after: string | null = null;
  for (;;) {
    const page = await listResources(catalog.admin, { sort }, { first: 3, after });
    expect(page.hasPreviousPage).toBe(after !== null);
    forward.push(...titles(page));
    if (!page.hasNextPage) break;
    after = page.cursorAt(-1);
  }
  const last = await listResources(catalog.admin, { sort }, { last: 3 });
  const before = await listResources(
    catalog.admin,
    { sort },
    { last: 3, before: last.cursorAt(0) },
  );

  expect(whole).toHaveLength(11);
  expect(numbered).toEqual(whole);
  expect(forward).toEqual(whole);
  expect(titles(last)).toEqual(whole.slice(-3));
  expect([last.hasPreviousPage, last.hasNextPage]).toEqual([true, false]);
  expect(titles(before)).toEqual(whole.slice(-6, -3));
  expect([before.hasPreviousPage, before.hasNextPage]).toEqual([true, true]);
});

test('a page past the end is empty and knows the count; a page out of range is refused', async () => {
  await using catalog = await openCatalog();
  await catalog.resource({});
  const past = await listResources(catalog.admin, {}, { page: 9 });
  expect([past.nodes, past.hasNextPage, await past.count()]).toEqual([[], false, 1]);
  for (const args of [
    { page: 0 },
    { page: -1 },
    { pageSize: 0 },
    { pageSize: 1001 },
    { first: 1.5 },
    { first: 5, page: 2 },
    { after: 'nonsense' },
    { first: 1, last: 1 },
  ]) {
    await expect(listResources(catalog.admin, {}, args)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  }
});

test('100 tables with columns, tags, owners and teams cost as many statements as one', async () => {
  await using catalog = await openCatalog();
  const tag = await catalog.tag();
  const team = await catalog.team({});
  const make = async (n: number) => {
    for (let i = 0; i < n; i += 1) {
      const table = await catalog.resource({
        ownerIds: [catalog.idOf('editor')],
        tagIds: [tag.id],
        teamIds: [team.id],
      });
      const column = await catalog.resource({ kind: 'column', title: 'id', parentId: table.id });
      await catalog.resource({ kind: 'column', title: 'part', parentId: column.id });
    }
  };
  const query = `{ resources(kinds: [table], first: 100) { nodes {
      id title childrenCount tags { name } owners { email } teams { name }
      upstream { id } downstream { id } ... on Table { columns { title type } nestedColumns { title } } } } }`;
  await make(1);
  await catalog.graphql(query);
  const one = await catalog.counting(() => catalog.graphql(query));
  await make(99);
  const hundred = await catalog.counting(() => catalog.graphql(query));

  expect(hundred.value.errors).toBeUndefined();
  expect(hundred.value.data.resources.nodes).toHaveLength(100);
  expect(hundred.value.data.resources.nodes[42]).toMatchObject({
    childrenCount: 1,
    tags: [{ name: tag.name }],
    owners: [{ email: 'editor@example.com' }],
    columns: [{ title: 'id' }],
    nestedColumns: [{ title: 'part' }],
  });
  // Who asks is known from the request before, unless that was too long ago.
  const work = ({ statements }: { statements: string[] }) =>
    // Those that are sent at once have no order.
    statements.filter((text) => !text.includes('api_key')).sort();
  expect(work(hundred)).toEqual(work(one));
  expect(work(hundred).length).toBeLessThanOrEqual(8);
});

/** How the database reads a list, if it may neither sort nor read the whole table. */
async function planOf(
  catalog: Catalog,
  list: () => Promise<unknown>,
  without = ['seqscan', 'sort', 'incremental_sort', 'bitmapscan', 'hashjoin'],
): Promise<string> {
  const { statements } = await catalog.counting(list);
  const [text = ''] = statements;
  const count = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)));
  const client = await catalog.owner.connect();
  try {
    await client.query('begin');
    for (const setting of without) {
      await client.query(`set local enable_${setting} = off`);
    }
    await client.query('set local plan_cache_mode = force_generic_plan');
    await client.query(`prepare listing as ${text}`);
    const values = Array.from({ length: count }, () => 'null').join(', ');
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `explain (costs off) execute listing${count > 0 ? `(${values})` : ''}`,
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  } finally {
    await client.query('rollback');
    await client.query('deallocate all');
    client.release();
  }
}

const orders: [string, ResourceQuery][] = [
  ['created_at', { kinds: ['table'] }],
  ...(['asc', 'desc'] as const).flatMap((order) =>
    ['created_at', 'updated_at', 'external_usage'].map((field): [string, ResourceQuery] => [
      field,
      { sort: [{ field, order }], ...(field === 'external_usage' ? {} : { kinds: ['table'] }) },
    ]),
  ),
  ['created_at', {}],
  ['updated_at', { sort: [{ field: 'updated_at', order: 'desc' }] }],
  ['external_usage', { order: 'used' }],
  ...(['asc', 'desc'] as const).flatMap((order) =>
    ['total_usage', 'external_updated_at'].map((field): [string, ResourceQuery] => [
      field,
      { sort: [{ field, order }] },
    ]),
  ),
  ['integration', { integrationId: randomUUID() }],
];

test.each(orders)(
  'a list by %s is read in the order of an index, whichever page (%j)',
  async (_, query) => {
    await using catalog = await openCatalog();
    const cursor = async () => {
      const page = await listResources(catalog.admin, query, { first: 1 });
      return page.cursorAt(0);
    };
    await catalog.resource({ title: 'one' });
    await catalog.resource({ title: 'other' });
    const after = query.integrationId ? null : ((await cursor()) ?? null);
    for (const args of [{ first: 10 }, { first: 10, after }, { page: 3, pageSize: 10 }]) {
      const plan = await planOf(catalog, () => listResources(catalog.admin, query, args));
      const inner = plan.split('\n');
      // A page by its number puts its few rows in order once more.
      const sorts = inner.filter((line) => /Sort$/.test(line));
      expect(sorts.length, plan).toBeLessThanOrEqual('page' in args ? 1 : 0);
      expect(plan).toMatch(/resource_\w+_idx/);
      expect(plan).not.toMatch(/Seq Scan/);
    }
  },
);

test('a list by title is read by an index of the beginnings of titles', async () => {
  await using catalog = await openCatalog();
  const long = 'x'.repeat(300);
  for (const title of [`${long}b`, 'b', `${long}a`, 'a']) await catalog.resource({ title });
  const alike = [`${long}a`, `${long}b`];
  const query: ResourceQuery = { kinds: ['table'], sort: [{ field: 'title', order: 'asc' }] };
  const { nodes, cursorAt } = await listResources(catalog.admin, query, { first: 10 });
  // Those that begin alike for as far as the index goes are in order by id.
  expect(nodes.slice(0, 2).map(({ title }) => title)).toEqual(['a', 'b']);
  expect(nodes.slice(2).map(({ title }) => title)).toEqual(expect.arrayContaining(alike));
  const rest = await listResources(catalog.admin, query, { first: 10, after: cursorAt(2) });
  expect(rest.nodes.map(({ id }) => id)).toEqual([nodes[3]?.id]);
  const list = () => listResources(catalog.admin, query, { first: 10 });
  const plan = await planOf(catalog, list, ['seqscan', 'sort', 'bitmapscan']);
  expect(plan).toMatch(/^Limit\n +-> +Index Scan using resource_kind_title_idx/);
  expect((await catalog.counting(list)).statements).toHaveLength(1);
});

test('a list by full title is read by an index of the beginnings of full titles', async () => {
  await using catalog = await openCatalog();
  const schema = await catalog.resource({ kind: 'schema', title: 'z' });
  await catalog.resource({ title: 'a', parentId: schema.id });
  await catalog.resource({ title: 'b' });
  const query: ResourceQuery = { sort: [{ field: 'title_full', order: 'asc' }] };
  const { nodes } = await listResources(catalog.admin, query, { first: 10 });
  expect(nodes.map(({ titleFull }) => titleFull)).toEqual(['b', 'z', 'z.a']);
  const list = () => listResources(catalog.admin, query, { first: 10 });
  const plan = await planOf(catalog, list, ['seqscan', 'sort', 'bitmapscan']);
  expect(plan).toMatch(/^Limit\n +-> +Index Scan using resource_title_full_idx/);
  expect((await catalog.counting(list)).statements).toHaveLength(1);
});

test('what contains a text is found in the order of the list, whether many do or few', async () => {
  await using catalog = await openCatalog();
  const { workspaceId } = catalog;
  const made = (n: number, title: string, published = true) => ({
    ...{ workspaceId, kind: 'table', title, titleFull: title, published },
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, n)),
  });
  await catalog.database.prisma.resource.createMany({
    data: [
      ...[0, 1, 2].map((n) => made(n, `Rare_${n}`)),
      ...Array.from({ length: 2_100 }, (_, n) => made(n + 3, `Common_${n}`, n % 2 === 0)),
    ],
  });
  const viewer = catalog.as('viewer');
  const find = async (title: string, args: object, ctx = catalog.admin) =>
    titles(await listResources(ctx, { kinds: ['table'], title }, args));
  expect(await find('cOMMON', { first: 2 })).toEqual(['Common_2099', 'Common_2098']);
  expect(await find('common', { first: 2 }, viewer)).toEqual(['Common_2098', 'Common_2096']);
  expect(await find('common', { last: 2 })).toEqual(['Common_1', 'Common_0']);
  expect(await find('rare', { first: 1 })).toEqual(['Rare_2']);
  expect(await find('rare', { first: 10 })).toEqual(['Rare_2', 'Rare_1', 'Rare_0']);
  expect(await find('rare', { page: 2, pageSize: 2 })).toEqual(['Rare_0']);
  const { cursorAt } = await listResources(catalog.admin, { title: 'rare' }, { first: 2 });
  expect(await find('rare', { first: 2, after: cursorAt(1) })).toEqual(['Rare_0']);
  expect(await find('nowhere', { first: 1 })).toEqual([]);
});

test('what a list is narrowed to is the same whether it is among the first rows or far behind', async () => {
  await using catalog = await openCatalog();
  const { workspaceId } = catalog;
  const rare = await catalog.tag({ name: 'rare' });
  const common = await catalog.tag({ name: 'common' });
  const leaf = await catalog.resource({ kind: 'schema', title: 'leaf' });
  const kept = await catalog.resource({ title: 'kept', tagIds: [rare.id], parentId: leaf.id });
  const held = await catalog.resource({ kind: 'column', title: 'held', parentId: kept.id });
  await catalog.database.prisma.resource.createMany({
    data: Array.from({ length: 2_100 }, (_, n) => ({
      ...{ workspaceId, kind: 'table', title: `t${n}`, titleFull: `t${n}` },
      ...{ createdAt: new Date(Date.now() + 60_000 + n), tagIds: [common.id] },
    })),
  });
  const find = async (where: object, first = 2, ctx = catalog.admin) =>
    titles(await listResources(ctx, { where }, { first }));
  expect(await find({ tags: { some: { name: { eq: 'common' } } } })).toEqual(['t2099', 't2098']);
  expect(await find({ tags: { some: { name: { eq: 'rare' } } } })).toEqual(['kept']);
  expect(await find({ tags: { some: { name: { eq: 'none' } } } })).toEqual([]);
  expect(await find({ within: leaf.id }, 5)).toEqual(['held', 'kept', 'leaf']);
  expect(await find({ within: held.id })).toEqual(['held']);
  expect(await find({ not: { within: leaf.id }, kind: { eq: 'column' } })).toEqual([]);
  const named = { or: [{ within: kept.id }, { title: { eq: 't7' } }] };
  expect(await find(named, 5)).toEqual(['t7', 'held', 'kept']);
  await updateResource(catalog.admin, leaf.id, { published: false });
  expect(await find({ within: leaf.id }, 5, catalog.as('viewer'))).toEqual([]);
});
