// Lists of resources: filters, orders, pages, and what they cost.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Resource } from '../../src/generated/prisma/client.ts';
import { listResources } from '../../src/resources/resource.ts';
import { openCatalog } from '../catalog.ts';

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
    after = page.cursors.at(-1) ?? null;
  }
  const last = await listResources(catalog.admin, { sort }, { last: 3 });
  const before = await listResources(
    catalog.admin,
    { sort },
    { last: 3, before: last.cursors[0] ?? null },
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
      await catalog.resource({ kind: 'column', title: 'id', parentId: table.id });
    }
  };
  const query = `{ resources(kinds: [table], first: 100) { nodes {
      id title childrenCount tags { name } owners { email } teams { name }
      upstream { id } downstream { id } ... on Table { columns { title type } } } } }`;
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
  });
  // Who asks is known from the request before, unless that was too long ago.
  const work = ({ statements }: { statements: string[] }) =>
    // Those that are sent at once have no order.
    statements.filter((text) => !text.includes('api_key')).sort();
  expect(work(hundred)).toEqual(work(one));
  expect(work(hundred).length).toBeLessThanOrEqual(8);
});
