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
const query = fc.oneof(title, word, fc.constantFrom('or', 'cu', 'o', 'ustom', 'der_it'));

const wordsOf = (phrase: string) => phrase.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** All words, the last one as far as it is typed. */
function holdsWords(words: readonly string[], sought: readonly string[]): boolean {
  return sought.every((one, i) =>
    words.some((other) => (i === sought.length - 1 ? other.startsWith(one) : other === one)),
  );
}

/** The whole part of the score that a resource has by definition; null where it is not found. */
function tierOf(
  { title: named, description, definition }: Resource,
  phrase: string,
): number | null {
  const [folded, sought, words] = [named.toLowerCase(), phrase.toLowerCase(), wordsOf(phrase)];
  const spaced = folded.replaceAll(/[^a-z0-9]+/g, ' ').trim();
  const spacedPhrase = words.join(' ');
  const isLooked = words.some((one) => one.length >= 3);
  const has = isLooked ? words.every((one) => folded.includes(one)) : folded.startsWith(sought);
  if (folded === sought || (has && spaced === spacedPhrase)) return 6;
  if (folded.startsWith(sought) || (has && spaced.startsWith(spacedPhrase))) return 5;
  if (has) return folded.includes(sought) || spaced.includes(spacedPhrase) ? 4 : 3;
  if (holdsWords(wordsOf(description ?? ''), words)) return 2;
  return holdsWords(wordsOf(definition), words) ? 1 : null;
}

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

test('a search finds what holds its words, and nothing else but what is nearly it', async () => {
  await using catalog = await openCatalog();
  await fc.assert(
    fc.asyncProperty(fc.array(resource, { maxLength: 12 }), query, async (made, phrase) => {
      const stored = await fill(catalog, made);
      for (const kinds of [null, ['dashboard', 'query'] as const]) {
        const { hits, total, isCapped } = await search(catalog.admin, { query: phrase, kinds });
        const found = hits.flatMap(({ resource: { id }, score }) =>
          score < 1 ? [] : [[id, Math.floor(score)] as const],
        );
        const expected = stored.flatMap((one) => {
          const tier = tierOf(one, phrase);
          const isAsked = kinds === null || kinds.some((of) => of === one.kind);
          return tier === null || !isAsked ? [] : [[one.id, tier] as const];
        });
        expect(new Map(found)).toEqual(new Map(expected));
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
    description: i % 2 === 0 ? 'Revenue' : undefined,
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
  const described = await search(catalog.admin, { query: 'revenue' });
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
  const { hits } = await search(catalog.admin, { query: 'form b' });
  expect(hits).toEqual([]);
  const nearly = await search(catalog.admin, { query: 'frmo b' });
  expect(nearly.hits.map(({ resource: { title: named } }) => named)).toEqual(['from_b']);
});
