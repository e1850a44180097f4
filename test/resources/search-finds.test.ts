// What a search finds, held to the definition of it over generated catalogs: by words, by beginnings, by texts.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Resource } from '../../src/generated/prisma/client.ts';
import type { Kind } from '../../src/resources/kind.ts';
import { search } from '../../src/resources/search/search.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

const word = fc.constantFrom(
  'order',
  'orders',
  'item',
  'id',
  'customer',
  'cust',
  'v2',
  'ord',
  'dim',
);
const title = fc
  .array(word, { minLength: 1, maxLength: 3 })
  .chain((words) => fc.constantFrom('_', ' ', '-').map((between) => words.join(between)));
const text = fc.option(
  fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' ')),
  { nil: undefined },
);
const kind = fc.constantFrom('table' as const, 'dashboard' as const, 'query' as const);
const resource = fc.record({ title, kind, description: text, definition: text });
const query = fc.oneof(title, word, fc.constantFrom('or', 'customers item', 'ord', 'order ite'));

/** The words of a resource's texts. */
function wordsOf({ title: named, description, definition }: Resource): string[] {
  return `${named} ${description ?? ''} ${definition}`.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** What may stand for a word of the query, by its definition: its family begins so, or it is its abbreviation. */
function standsFor(asked: string, there: string): boolean {
  if (asked.length < 3) return there === asked;
  const stem = asked.replace(/s$/, '').replace(/^customer$/, 'custom');
  const isSame = asked.startsWith('customer')
    ? there === 'cust'
    : asked === 'cust' && there === 'customer';
  return there.startsWith(stem) || isSame;
}

const holdsAll = (resource: Resource, phrase: string) =>
  phrase
    .split(/[^a-z0-9]+/)
    .every((asked) => wordsOf(resource).some((there) => standsFor(asked, there)));

interface Made {
  readonly title: string;
  readonly kind: Kind;
  readonly description?: string | undefined;
  readonly definition?: string | undefined;
  readonly externalUsage?: number;
}

async function fill(catalog: Catalog, made: readonly Made[]): Promise<Resource[]> {
  const { workspaceId } = catalog;
  const { prisma } = catalog.database;
  await prisma.resource.deleteMany({ where: { workspaceId } });
  return prisma.resource.createManyAndReturn({
    data: made.map(({ title: named, kind: of, description, definition, externalUsage }) => ({
      ...{ workspaceId, kind: of, title: named, titleFull: named },
      ...{ description: description ?? null, definition: definition ?? '' },
      externalUsage: externalUsage ?? 0,
    })),
  });
}

test('what holds all words, wherever each of them stands, is found, and before what holds fewer', async () => {
  await using catalog = await openCatalog();
  await fc.assert(
    fc.asyncProperty(fc.array(resource, { maxLength: 12 }), query, async (made, phrase) => {
      const stored = await fill(catalog, made);
      for (const kinds of [null, ['dashboard', 'query'] as const]) {
        const { hits, total, isCapped, isPartial } = await search(catalog.admin, {
          query: phrase,
          kinds,
        });
        const isAsked = (one: Resource) => kinds === null || kinds.some((of) => of === one.kind);
        const whole = stored.filter((one) => isAsked(one) && holdsAll(one, phrase));
        const first = hits.slice(0, whole.length).map(({ resource: { id } }) => id);
        // A title may begin with letters that are no word of it.
        if (phrase.length >= 3) expect(new Set(first)).toEqual(new Set(whole.map(({ id }) => id)));
        expect(hits.every(({ resource: one }) => isAsked(one))).toBe(true);
        if (whole.length > 0) expect(isPartial).toBe(false);
        expect([isCapped, total]).toEqual([false, hits.length]);
      }
    }),
    { numRuns: 60, seed: 3 },
  );
});

test('where nothing can be looked at but the most used, these are what is found first', async () => {
  await using catalog = await openCatalog();
  const many = Array.from({ length: 2_400 }, (_, i) => ({
    title: `${String.fromCharCode(97 + (i % 26))}x_sales_${i}`,
    externalUsage: i,
    kind: i % 300 === 0 ? ('dashboard' as const) : ('table' as const),
    description: i % 2 === 0 ? 'Turnover' : undefined,
  }));
  await fill(catalog, [...many, { title: 'sales', kind: 'table' }]);
  const { hits, isCapped, total } = await search(catalog.admin, { query: 'sales', first: 3 });
  expect(hits.map(({ resource: { title: named } }) => named)).toEqual([
    'sales',
    'hx_sales_2399',
    'gx_sales_2398',
  ]);
  expect(isCapped).toBe(true);
  expect(total).toBeLessThanOrEqual(2_000);
  // What a search is narrowed to is looked at as a whole, however common its words are.
  const dashboards = await search(catalog.admin, { query: 'sales', kinds: ['dashboard'] });
  expect(dashboards).toMatchObject({ total: 8, isCapped: false });
  const described = await search(catalog.admin, { query: 'turnover' });
  expect(described).toMatchObject({ total: 1_200, isCapped: false });
});

test('among titles alike it is the most used that are ranked', async () => {
  await using catalog = await openCatalog();
  const columns = Array.from({ length: 2_300 }, (_, i) => ({
    title: 'id',
    kind: 'column' as const,
    externalUsage: (i * 7) % 2_300,
  }));
  await fill(catalog, columns);
  const { hits, isCapped } = await search(catalog.admin, { query: 'ID', first: 1_000 });
  expect(isCapped).toBe(true);
  expect(hits.slice(0, 3).map(({ resource: { externalUsage } }) => externalUsage)).toEqual([
    2_299, 2_298, 2_297,
  ]);
});

test('the words of titles are known to those of their workspace alone, from the first write on', async () => {
  await using catalog = await openCatalog();
  await using other = await catalog.another();
  const { id } = await catalog.resource({ title: 'quartz' });
  const find = async (typed: string, ctx = catalog.admin) =>
    (await search(ctx, { query: typed })).hits.map(({ resource: { title: named } }) => named);
  expect(await find('qaurtz')).toEqual(['quartz']);
  expect(await find('qaurtz', other.admin)).toEqual([]);
  await catalog.database.prisma.resource.update({
    where: { workspaceId_id: { workspaceId: catalog.workspaceId, id } },
    data: { title: 'feldspar' },
  });
  expect(await find('fedlspar')).toEqual(['feldspar']);
  expect(await find('qaurtz')).toEqual([]);
});

test('a word that a title holds is taken to be right', async () => {
  await using catalog = await openCatalog();
  for (const title of ['form_a', 'from_b', 'forms']) await catalog.resource({ title });
  const right = await search(catalog.admin, { query: 'form b' });
  expect(right).toMatchObject({ isPartial: true, suggestion: null });
  const nearly = await search(catalog.admin, { query: 'frmo b' });
  expect(nearly.hits[0]?.resource.title).toBe('from_b');
});
