// Pages far from the start of a list: the same rows as by cursors, read from the end that is nearer.

import { expect, test } from 'vitest';
import { archiveResource } from '../../src/resources/editing/archive.ts';
import { listResources, type ResourceQuery } from '../../src/resources/resource.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

const total = 12_300;
const pageSize = 1_000;

/** A catalog of many tables: some titles come twice, every fifth table is for editors, some are of one moment. */
async function manyTables(): Promise<Catalog> {
  const catalog = await openCatalog();
  await catalog.owner.query(
    `insert into resource (workspace_id, kind, title, title_full, published, created_at)
      select $1, 'table', 't' || n % 9000, 't' || n, n % 5 > 0, timestamptz '2026-01-01' + n / 3 * interval '1 s'
      from generate_series(1, ${total}) n`,
    [catalog.workspaceId],
  );
  // As the server's autovacuum would soon: without figures some of these lists are planned a hundred times as slow.
  await catalog.owner.query('analyze resource');
  return catalog;
}

async function byNumber(catalog: Catalog, query: ResourceQuery, role: 'admin' | 'viewer') {
  const pages = [];
  for (let page = 1; page <= 14; page += 1) {
    const { nodes, hasNextPage, hasPreviousPage } = await listResources(catalog.as(role), query, {
      page,
      pageSize,
    });
    pages.push({ ids: nodes.map(({ id }) => id), hasNextPage, hasPreviousPage });
  }
  return pages;
}

async function byCursor(catalog: Catalog, query: ResourceQuery, role: 'admin' | 'viewer') {
  const ids: string[] = [];
  for (let after: string | null = null; ; ) {
    const page = await listResources(catalog.as(role), query, { first: pageSize, after });
    ids.push(...page.nodes.map(({ id }) => id));
    if (!page.hasNextPage) return ids;
    after = page.cursorAt(-1);
  }
}

const orders: [string, ResourceQuery][] = [
  ['newest first', { kinds: ['table'] }],
  ['by title', { kinds: ['table'], orderBy: [{ title: 'asc' }] }],
  ['by title, of all kinds', { orderBy: [{ title: 'desc' }] }],
];

test.each(orders)(
  'pages by number hold what cursors lead to, to the last one: %s',
  async (_, query) => {
    await using catalog = await manyTables();
    for (const [role, count] of [
      ['admin', total],
      ['viewer', 9_840],
    ] as const) {
      const expected = await byCursor(catalog, query, role);
      expect(new Set(expected).size).toBe(count);
      const pages = await byNumber(catalog, query, role);
      expect(pages.flatMap(({ ids }) => ids)).toEqual(expected);
      const last = Math.ceil(count / pageSize);
      expect(pages.map(({ ids }) => ids.length)).toEqual(
        pages.map((_page, i) => Math.max(0, Math.min(pageSize, count - i * pageSize))),
      );
      expect(pages.map(({ hasNextPage }) => hasNextPage)).toEqual(
        pages.map((_page, i) => i + 1 < last),
      );
      expect(pages.map(({ hasPreviousPage }) => hasPreviousPage)).toEqual(
        pages.map((_page, i) => i > 0),
      );
    }
  },
);

test('only a page beyond the middle is read from the end, and a resource that is gone is not counted', async () => {
  await using catalog = await manyTables();
  const read = async (page: number) => {
    const list = () => listResources(catalog.admin, { kinds: ['table'] }, { page, pageSize });
    const { value, statements } = await catalog.counting(list);
    const text = statements.at(-1) ?? '';
    return {
      ids: value.nodes.map(({ id }) => id),
      isBackward: !/created_at desc/.test(text),
      statements,
    };
  };
  expect((await read(2)).isBackward).toBe(false);
  expect((await read(2)).statements).toHaveLength(1);
  expect((await read(6)).isBackward).toBe(false);
  const before = await read(12);
  expect(before.isBackward).toBe(true);
  // It is counted first, and then the page is read.
  expect(before.statements).toHaveLength(2);

  const [first = ''] = (await read(1)).ids;
  await archiveResource(catalog.admin, first);
  const after = await read(12);
  expect(after.ids.slice(0, -1)).toEqual(before.ids.slice(1));
  expect((await read(13)).ids).toHaveLength(299);
});

test('a page besides one that was read passes over few rows, and whatever is made or deleted in the meantime, it is right', async () => {
  await using catalog = await manyTables();
  const query = { kinds: ['table'] } as const;
  const expected = async () => byCursor(catalog, query, 'admin');
  const read = async (page: number) => {
    const list = () => listResources(catalog.admin, query, { page, pageSize: 50 });
    const { value, statements } = await catalog.counting(list);
    const isFromPlace = /\(r\.created_at,r\.id\) [<>]=/.test(statements.at(-1) ?? '');
    return { ids: value.nodes.map(({ id }) => id), isFromPlace, page: value };
  };
  const at = (ids: readonly string[], page: number) => ids.slice(50 * (page - 1), 50 * page);
  let ids = await expected();
  const first = await read(130);
  expect(first.isFromPlace).toBe(false);
  expect(first.ids).toEqual(at(ids, 130));
  for (const page of [130, 131, 150, 129, 105]) {
    const { ids: found, isFromPlace, page: shown } = await read(page);
    expect(isFromPlace, String(page)).toBe(true);
    expect(found).toEqual(at(ids, page));
    expect([shown.hasPreviousPage, shown.hasNextPage]).toEqual([true, true]);
  }
  // The first and the last pages are nearer to the ends.
  expect((await read(243)).isFromPlace).toBe(false);

  await archiveResource(catalog.admin, ids[7] ?? '');
  await catalog.resource();
  await archiveResource(catalog.admin, ids[9] ?? '');
  ids = await expected();
  const after = await read(131);
  expect(after.isFromPlace).toBe(false);
  expect(after.ids).toEqual(at(ids, 131));
  expect((await read(130)).ids).toEqual(at(ids, 130));
});

test('no place is remembered of an order that changes without a resource that comes or goes', async () => {
  await using catalog = await manyTables();
  const query = { kinds: ['table'], orderBy: [{ updatedAt: 'desc' }] } as const;
  const read = (page: number) => listResources(catalog.admin, query, { page, pageSize: 50 });
  const [row] = (await read(130)).nodes;
  await catalog.owner.query('update resource set updated_at = now() where id = $1', [row?.id]);
  const ids = await byCursor(catalog, query, 'admin');
  expect((await read(130)).nodes.map(({ id }) => id)).toEqual(ids.slice(6_450, 6_500));
});
