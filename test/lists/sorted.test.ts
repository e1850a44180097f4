// Orders of lists: those that an index has, and those for which rows would have to be sorted.

import { expect, test } from 'vitest';
import { execute } from '../../src/database/rows.ts';
import { listJobs } from '../../src/jobs/job.ts';
import type { PageArgs } from '../../src/lists/page.ts';
import { maxSorted } from '../../src/lists/page-statement.ts';
import { resourceOrder } from '../../src/resources/lists/where.ts';
import { listingOf, listResources, type ResourceQuery } from '../../src/resources/resource.ts';
import { openCatalog } from '../catalog.ts';

test('an order without an index is refused for more rows than are sorted, and only then', async () => {
  await using catalog = await openCatalog();
  const { admin, workspaceId } = catalog;
  const add = (rows: number, kind: string) =>
    execute(
      admin,
      `insert into job (workspace_id, kind, title, state)
        select $1::uuid, $2, 'Job ' || n, 'succeeded' from generate_series(1, $3::int) n`,
      [workspaceId, kind, rows],
    );
  const byTitle = { orderBy: [{ title: 'desc' }] };
  expect((await listJobs(admin, byTitle, { first: 2 })).nodes).toEqual([]);
  await add(maxSorted, 'many');
  expect((await listJobs(admin, byTitle, { first: 2 })).nodes).toMatchObject([
    { title: 'Job 99999' },
    { title: 'Job 99998' },
  ]);
  await add(2, 'few');
  for (const args of [{ first: 2 }, { last: 1 }, { page: 3, pageSize: 10 }]) {
    await expect(listJobs(admin, byTitle, args)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringMatching(/100,000 rows.*createdAt/),
    });
  }
  const indexed = await listJobs(admin, { orderBy: [{ createdAt: 'asc' }] }, { first: 1 });
  expect(indexed.nodes).toMatchObject([{ kind: 'many' }]);
  const narrowed = await listJobs(admin, { ...byTitle, kind: 'few' }, { first: 5 });
  expect(narrowed.nodes).toMatchObject([{ title: 'Job 2' }, { title: 'Job 1' }]);
  expect(narrowed.hasNextPage).toBe(false);
  expect(await narrowed.count()).toBe(2);
});

test('by title and by kind, one kind, some and all are in order whichever way they are read', async () => {
  await using catalog = await openCatalog();
  const kinds = ['table', 'chart', 'column', 'dashboard'] as const;
  const { workspaceId } = catalog;
  await catalog.database.prisma.resource.createMany({
    data: Array.from({ length: 14 }, (_, n) => ({
      ...{ workspaceId, kind: kinds[n % kinds.length] ?? 'table', published: n % 3 > 0 },
      ...{ title: `t${(n * 5) % 7}`, titleFull: '' },
      createdAt: new Date(Date.UTC(2026, 0, 1 + ((n * 3) % 5))),
    })),
  });
  const all = async (query: ResourceQuery, args: PageArgs, ctx = catalog.admin) => {
    const { nodes } = await listResources(ctx, query, args);
    return nodes.map(({ id, title, kind, createdAt }) => ({ id, title, kind, createdAt }));
  };
  const keys = {
    title: (r: { title: string; id: string }) => [r.title, r.id],
    kind: (r: { kind: string; createdAt: Date; id: string }) => [
      r.kind,
      r.createdAt.toISOString(),
      r.id,
    ],
  };
  for (const ctx of [catalog.admin, catalog.as('viewer')]) {
    for (const only of [undefined, ['chart', 'table'] as const, ['column'] as const]) {
      for (const [field, keyOf] of Object.entries(keys)) {
        const query = (order: string): ResourceQuery => ({
          ...(only ? { kinds: only } : {}),
          orderBy: [{ [field]: order }],
        });
        const listed = await all({ ...(only ? { kinds: only } : {}) }, { first: 50 }, ctx);
        const sorted = listed.toSorted((a, b) =>
          keyOf(a).join(' ') < keyOf(b).join(' ') ? -1 : 1,
        );
        expect(await all(query('asc'), { first: 50 }, ctx)).toEqual(sorted);
        expect(await all(query('desc'), { first: 50 }, ctx)).toEqual(sorted.toReversed());
        expect(await all(query('asc'), { last: 3 }, ctx)).toEqual(sorted.slice(-3));
        expect(await all(query('asc'), { page: 2, pageSize: 2 }, ctx)).toEqual(sorted.slice(2, 4));
        const { cursorAt } = await listResources(ctx, query('asc'), { first: 2 });
        const after = cursorAt(1);
        expect(await all(query('asc'), { first: 2, after }, ctx)).toEqual(sorted.slice(2, 4));
      }
    }
  }
});

test('titles are in order by their first 256 characters, which an index has, and then by id, page by page', async () => {
  await using catalog = await openCatalog();
  const { admin, workspaceId } = catalog;
  const begun = ['x'.repeat(254), '\u{1f4c8}'.repeat(256)];
  const ends = ['', 'x', 'xx', 'xxz', 'xxa', 'xxm', 'xxb'];
  const long = begun.flatMap((text) => ends.map((end) => text + end));
  const titles = [...long, ...long, 'a', 'same', 'same', 'same', 'z', 'zz'];
  const kindOf = (n: number) => ['table', 'chart', 'column'][n % 3] ?? 'table';
  await catalog.database.prisma.resource.createMany({
    data: titles.map((title, n) => ({ workspaceId, kind: kindOf(n), title, titleFull: title })),
  });
  const pages: readonly PageArgs[] = [1, 2, 3, 4, 5, 6, 7].map((page) => ({ page, pageSize: 5 }));
  for (const field of ['title', 'titleFull']) {
    for (const only of [undefined, ['table', 'chart'] as const, ['column'] as const]) {
      const query: ResourceQuery = { orderBy: [{ [field]: 'asc' }], ...(only && { kinds: only }) };
      const { rows: expected } = await catalog.owner.query<{ id: string }>(
        `select id from resource where workspace_id = $1 and ($2::text[] is null or kind = any($2))
          order by left(title, 256), id`,
        [workspaceId, only ?? null],
      );
      const ids = expected.map(({ id }) => id);
      const byNumber = await Promise.all(pages.map((page) => listResources(admin, query, page)));
      expect(byNumber.flatMap(({ nodes }) => nodes.map(({ id }) => id))).toEqual(ids);
      const forward: string[] = [];
      for (let after: string | null = null; forward.length < ids.length; ) {
        const { nodes, cursorAt } = await listResources(admin, query, { first: 2, after });
        forward.push(...nodes.map(({ id }) => id));
        after = cursorAt(-1);
      }
      expect(forward).toEqual(ids);
      const backward: string[] = [];
      for (let before: string | null = null; backward.length < ids.length; ) {
        const { nodes, cursorAt } = await listResources(admin, query, { last: 3, before });
        backward.unshift(...nodes.map(({ id }) => id));
        before = cursorAt(0);
      }
      expect(backward).toEqual(ids);
    }
  }
});

test('a kind that is named twice is listed once, in every order', async () => {
  await using catalog = await openCatalog();
  const tables = [await catalog.resource(), await catalog.resource()].map(({ id }) => id);
  const column = await catalog.resource({ kind: 'column', parentId: tables[0] });
  for (const order of ['title', 'createdAt', 'kind', 'internalUsage']) {
    for (const [kinds, expected] of [
      [['table', 'table'], tables],
      [
        ['table', 'column', 'table', 'column'],
        [...tables, column.id],
      ],
    ] as const) {
      const { data } = await catalog.graphql(
        `query ($kinds: [ResourceKind!], $orderBy: [ResourceOrderBy!]) {
          resources(kinds: $kinds, orderBy: $orderBy) { totalCount nodes { id } } }`,
        { kinds, orderBy: [{ [order]: 'asc' }] },
      );
      const ids = data.resources.nodes.map(({ id }: { id: string }) => id);
      expect([order, ids.toSorted()]).toEqual([order, expected.toSorted()]);
      expect(data.resources.totalCount).toBe(expected.length);
    }
  }
});

test('an order of more than ten terms is refused, however it is spelled', async () => {
  await using catalog = await openCatalog();
  const sort = Array(11).fill({ field: 'title' });
  for (const list of ['resources', 'auditLogs']) {
    const { errors } = await catalog.graphql(
      `query ($sort: [${list === 'resources' ? 'Resource' : 'AuditLog'}Sort!]) {
        ${list}(sort: $sort) { nodes { id } } }`,
      { sort },
    );
    expect(errors?.[0]).toMatchObject({
      message: 'sort: Use 10 terms at most.',
      extensions: { code: 'BAD_REQUEST' },
    });
  }
  expect(catalog.unexpected).toEqual([]);
});

test('the orders that GraphQL offers have an index each, but for uses in the catalog', async () => {
  await using catalog = await openCatalog();
  const { rows: found } = await catalog.owner.query<{ indexdef: string }>(
    "select indexdef from pg_indexes where tablename = 'resource'",
  );
  const flat = (sql: string) =>
    sql
      .toLowerCase()
      .replaceAll(/ with time zone| desc|::double precision|\br\.|[\s()"']|::text/g, '');
  for (const name of Object.keys(resourceOrder)) {
    const { order, sorted, partitions } = listingOf(catalog.admin, {
      orderBy: [{ [name]: 'asc' }],
    });
    const first = flat(order[0]?.by.text ?? '').replace('timestamptz', 'timestamp');
    const begins = partitions ? `workspace_id,kind,${first},` : `workspace_id,${first},`;
    const hasIndex = found.some(({ indexdef }) => flat(indexdef).includes(`btree${begins}`));
    expect({ name, hasIndex, isSorted: sorted !== undefined }).toEqual({
      name,
      hasIndex: name !== 'internalUsage',
      isSorted: name === 'internalUsage',
    });
  }
});
