// Lists of titles that contain a text, which few rows may have or many: each page, however many these are.

import { expect, test } from 'vitest';
import { listResources, type ResourceQuery } from '../../src/resources/resource.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { rowsRead } from './rows-read.ts';

const total = 24_000;
const pageSize = 7;

/** What a title contains of the resource that is the n-th from the newest, and in words how many do. */
const words: Record<string, [words: string, contains: (n: number) => boolean]> = {
  whole: ['all', () => true],
  other: ['every second', (n) => n % 2 === 0],
  fifty: ['every fiftieth', (n) => n % 50 === 0],
  seldom: ['few, beyond the first', (n) => n % 2_400 === 2_399],
  first: ['many of the first, and then none', (n) => n < 300],
  after: ['none of the first, and then all', (n) => n >= 20_600],
  absent: ['none', () => false],
};

/** A catalog of many tables and charts, newest first, and the titles that it has. */
async function manyTitles() {
  const catalog = await openCatalog({ alone: true });
  const titles = Array.from({ length: total }, (_, n) => {
    const said = Object.entries(words).flatMap(([word, [, contains]]) =>
      contains(n) ? [word] : [],
    );
    return `${String((n * 7919) % total).padStart(5, '0')}_${said.join('_')}`;
  });
  await catalog.owner.query(
    `insert into resource (workspace_id, kind, title, title_full, created_at)
      select $1, case when n % 3 = 0 then 'chart' else 'table' end, title, title, timestamptz '2026-01-01' - n * interval '1 s'
      from unnest($2::text[]) with ordinality as given(title, n)`,
    [catalog.workspaceId, titles],
  );
  await catalog.owner.query('vacuum analyze resource');
  return { catalog, titles };
}

const titlesOf = async (catalog: Catalog, query: ResourceQuery, page: number) => {
  const found = await listResources(catalog.admin, query, { page, pageSize });
  const { nodes, hasNextPage } = found;
  return { titles: nodes.map(({ title }) => title), hasNextPage, total: await found.count() };
};

test('pages by number hold the rows that pass, in order, to the last one: near the start, far from it, and beyond', async () => {
  const { catalog, titles } = await manyTitles();
  await using _ = catalog;
  const ofTables = titles.filter((_title, n) => (n + 1) % 3 !== 0);
  const lists: [ResourceQuery, string[]][] = [
    [{}, titles],
    [{ kinds: ['table'] }, ofTables],
    [{ orderBy: [{ title: 'desc' }] }, titles.toSorted().reverse()],
    [{ kinds: ['table'], orderBy: [{ title: 'asc' }] }, ofTables.toSorted()],
  ];
  for (const [query, inOrder] of lists) {
    for (const [word, [howMany]] of Object.entries(words)) {
      const expected = inOrder.filter((title) => title.split('_').includes(word));
      const last = Math.max(1, Math.ceil(expected.length / pageSize));
      const pages = [1, 2, 3, 40, Math.ceil(last / 3), last - 1, last, last + 1];
      for (const page of new Set(pages.filter((number) => number > 0))) {
        const start = (page - 1) * pageSize;
        const asked = { ...query, where: { title: { contains: word } } };
        expect(await titlesOf(catalog, asked, page), `${howMany}, page ${page}`).toEqual({
          titles: expected.slice(start, start + pageSize),
          hasNextPage: start + pageSize < expected.length,
          total: expected.length,
        });
      }
    }
  }
});

test('neither few rows at the end of a list nor a page that is far from its start are found by reading all of it', async () => {
  const { catalog } = await manyTitles();
  await using _ = catalog;
  const read = (word: string, page: number) =>
    rowsRead(catalog, (tx) =>
      listResources(tx, { where: { title: { contains: word } } }, { page, pageSize }),
    );
  // As often as it takes PostgreSQL to choose a generic plan.
  for (let time = 0; time < 12; time += 1) {
    for (const page of [1, 2, 3]) {
      expect(await read('seldom', page), `page ${page}`).toBeLessThan(1_000);
      // Those that pass are counted, as for all pages by number.
      expect(await read('whole', page), `page ${page}`).toBeLessThan(total + 1_000);
    }
    expect(await read('whole', 100)).toBeLessThan(total + 4_000);
  }
});
