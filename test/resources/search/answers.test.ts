// Answers of a search besides its hits: filters, hints, what is missing, what was meant, where words were found; and that
// none of it tells of what the viewer may not see.

import { expect, test } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { archiveResource } from '../../../src/resources/editing/archive.ts';
import { updateResource } from '../../../src/resources/editing/edit.ts';
import { search } from '../../../src/resources/search/search.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';

async function found(ctx: Context, query: string): Promise<string[]> {
  return (await search(ctx, { query })).hits.map(({ resource }) => resource.title);
}

async function shop(catalog: Catalog) {
  const tag = await catalog.tag({ name: 'customer data' });
  const owner = await catalog.user({ firstName: 'Ada', lastName: 'Lovelace' });
  const team = await catalog.team({ name: 'Growth' });
  const source = await catalog.integration({ name: 'Warehouse' });
  const schema = await catalog.resource({ kind: 'schema', title: 'sales' });
  const orders = await catalog.resource({
    ...{ title: 'orders', parentId: schema.id, integrationId: source.id },
    ...{ ownerIds: [owner.id], tagIds: [tag.id], teamIds: [team.id], verified: true },
  });
  await catalog.resource({ kind: 'column', title: 'discountCode', parentId: orders.id });
  await catalog.resource({ title: 'refunds', description: 'Money sent back.' });
  await catalog.resource({ kind: 'dashboard', title: 'Refunds by week' });
  return { orders };
}

test.each([
  ['orders discount code', ['discountCode', 'orders']],
  ['sales orders', ['orders', 'discountCode']],
  ['refunds dashboard', ['Refunds by week']],
  ['which table has money', ['refunds']],
  ['who owns orders', ['orders', 'discountCode']],
  ['ada table', ['orders']],
  ['growth table', ['orders']],
  ['warehouse table', ['orders']],
  ['tag:"customer data"', ['orders']],
  ['owner:ada', ['orders']],
  ['team:growth', ['orders']],
  ['source:warehouse', ['orders']],
  ['in:sales kind:table', ['orders']],
  ['column:discount', ['orders']],
  ['is:verified', ['orders']],
  ['has:owner', ['orders']],
  ['no:owner kind:table', ['refunds']],
  ['-kind:table,column,schema', ['Refunds by week']],
  ['"money sent"', ['refunds']],
  ['refunds -week', ['refunds']],
])('%s finds %j', async (query, titles) => {
  await using catalog = await openCatalog();
  await shop(catalog);
  const all = await found(catalog.admin, query);
  expect(all.slice(0, titles.length)).toEqual(titles);
  if (query.includes(':')) expect(all).toHaveLength(titles.length);
});

test('fewer of the words are looked for where all find nothing, and the answer says so', async () => {
  await using catalog = await openCatalog();
  await shop(catalog);
  const page = await search(catalog.admin, { query: 'refunds zebra' });
  expect(page.hits[0]?.resource.title).toBe('refunds');
  expect(page).toMatchObject({ isPartial: true, missingWords: ['zebra'] });
  expect(await search(catalog.admin, { query: 'refunds money' })).toMatchObject({
    isPartial: false,
    missingWords: [],
  });
});

test('what was meant is said with the words of the hit, and where it holds them', async () => {
  await using catalog = await openCatalog();
  const { orders } = await shop(catalog);
  const page = await search(catalog.admin, { query: 'ordres discuont' });
  expect(page.suggestion).toBe('orders discount');
  const hit = page.hits.find(({ resource }) => resource.id === orders.id);
  expect(await hit?.matchedFields()).toEqual(['title', 'columns']);
  const named = await search(catalog.admin, { query: 'sales ada orders table' });
  expect(await named.hits[0]?.matchedFields()).toEqual(['title', 'ancestry', 'kind', 'owner']);
});

test('a value that is not known finds nothing, and the nearest is named', async () => {
  await using catalog = await openCatalog();
  await shop(catalog);
  const hintFor = async (query: string) => {
    const { hits, hints } = await search(catalog.admin, { query });
    expect(hits).toEqual([]);
    return hints;
  };
  expect(await hintFor('tag:custmer-data orders')).toEqual([
    'No tag is "custmer-data". Did you mean tag:"customer data"?',
  ]);
  expect(await hintFor('kind:tabel')).toEqual(['No kind is "tabel". Did you mean kind:table?']);
  expect((await hintFor('is:loud'))[0]).toMatch(/^No is is "loud"\. Use one of verified, /);
});

test('nothing that is answered depends on what the viewer may not see', async () => {
  await using catalog = await openCatalog();
  await shop(catalog);
  const asks = [
    'zebra',
    'zebar',
    'zebras orders',
    'orders stripe',
    'ordres',
    'stripes',
    'kind:table',
    'tag:zoo',
  ];
  const answers = async () => {
    const all: object[] = [];
    for (const role of ['viewer', 'guest'] as const) {
      for (const query of asks) {
        const { hits, facets, ...page } = await search(catalog.as(role), { query });
        const shown = hits.map(({ resource, score }) => [resource.title, score]);
        all.push({ role, query, shown, facets: await facets(), ...page });
      }
    }
    return all;
  };
  const before = await answers();
  const team = await catalog.team({ name: 'Zoo', type: 'CLOSED' });
  for (const title of ['zebra', 'zebras', 'stripes', 'ordres', 'zebra_stripes']) {
    const hidden = await catalog.resource({
      ...{ title, published: false, teamIds: [team.id], description: 'zebra stripe orders' },
    });
    await catalog.resource({
      ...{ kind: 'column', title: 'stripe', parentId: hidden.id, published: false },
    });
  }
  expect(await answers()).toEqual(before);
});

test('documents follow columns as they are added, renamed and deleted, also by two at once', async () => {
  await using catalog = await openCatalog();
  const ctx = catalog.admin;
  const table = await catalog.resource({ title: 'ledger' });
  const add = (title: string) => catalog.resource({ kind: 'column', title, parentId: table.id });
  const columns = await Promise.all(['debit', 'credit', 'balance', 'currency'].map(add));
  const holds = async (word: string) => (await found(ctx, `kind:table ${word}`)).includes('ledger');
  for (const word of ['debit', 'credit', 'balance', 'currency'])
    expect(await holds(word)).toBe(true);
  const [debit, credit] = columns;
  if (!debit || !credit) throw new Error('No columns were made.');
  await updateResource(ctx, debit.id, { title: 'charged' });
  await archiveResource(ctx, credit.id);
  expect([await holds('charged'), await holds('debit'), await holds('credit')]).toEqual([
    true,
    false,
    false,
  ]);
});
