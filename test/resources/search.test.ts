import { expect, test } from 'vitest';
import type { Context } from '../../src/context.ts';
import { archiveResource, restoreResource } from '../../src/resources/editing/archive.ts';
import { updateResource } from '../../src/resources/editing/edit.ts';
import { type SearchQuery, search } from '../../src/resources/search/search.ts';
import { openCatalog } from '../catalog.ts';

test('titles come before descriptions and those before documentation', async () => {
  await using catalog = await openCatalog();
  await catalog.resource({ title: 'h', definition: 'Counts of *invoice* rows.' });
  await catalog.resource({ title: 'g', description: 'One row for each invoice sent.' });
  await catalog.resource({ title: 'raw_invoice' });
  await catalog.resource({ title: 'invoice_lines' });
  await catalog.resource({ title: 'Invoice' });
  await catalog.resource({ title: 'unrelated', description: 'Nothing of it.' });
  const ranked = ['Invoice', 'raw_invoice', 'invoice_lines', 'g', 'h'];
  expect(await titles(catalog.admin, 'invoice')).toEqual(ranked);
  const { hits } = await search(catalog.admin, { query: 'invoice' });
  const scores = hits.map(({ score }) => score);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
});

test('a phrase comes before its words in another order, however it is separated', async () => {
  await using catalog = await openCatalog();
  for (const title of [
    'items per order',
    'raw order-items',
    'order_items',
    'order items 2',
    'items',
  ]) {
    await catalog.resource({ title });
  }
  expect(await titles(catalog.admin, 'order items')).toEqual([
    'order_items',
    'order items 2',
    'raw order-items',
    'items per order',
  ]);
});

test('use and verification decide among what was found alike, and nothing more', async () => {
  await using catalog = await openCatalog();
  await catalog.resource({ title: 'sales_a' });
  await catalog.resource({ title: 'sales_b', externalUsage: 50 });
  await catalog.resource({ title: 'sales_c', verified: true });
  await catalog.resource({ title: 'sales_d', verified: true, externalUsage: 5_000_000_000 });
  await catalog.resource({ title: 'sales' });
  await catalog.resource({ title: 'z', description: 'sales', verified: true, externalUsage: 1e15 });
  expect(await titles(catalog.admin, 'sales')).toEqual([
    'sales',
    'sales_d',
    'sales_b',
    'sales_c',
    'sales_a',
    'z',
  ]);
});

test('a full title finds its table, whichever part of it is given', async () => {
  await using catalog = await openCatalog();
  const database = await catalog.resource({ kind: 'database', title: 'shop' });
  const schema = await catalog.resource({ kind: 'schema', title: 'public', parentId: database.id });
  const other = await catalog.resource({ kind: 'schema', title: 'raw', parentId: database.id });
  await catalog.resource({ title: 'orders', parentId: schema.id, description: 'ours' });
  await catalog.resource({ title: 'orders', parentId: other.id });
  for (const query of ['public.orders', 'Shop.Public.Orders']) {
    const { hits } = await search(catalog.admin, { query });
    expect(hits.map(({ resource }) => resource.titleFull)).toEqual(['shop.public.orders']);
  }
  await catalog.resource({ title: 'note', definition: 'Built from shop.public.orders nightly.' });
  expect(await titles(catalog.admin, 'shop.public.orders')).toEqual(['orders', 'note']);
});

test.each([
  ['custmers', 'customers'],
  ['cutsomers', 'customers'],
  ['ordres', 'orders'],
  ['usres', 'users'],
  ['paymnet methd', 'payment_method'],
  ['orderitems', 'order_items'],
  ['custmer', 'dim_customers'],
])('a typo is forgiven: %s finds %s', async (query, title) => {
  await using catalog = await openCatalog();
  await catalog.resource({ title });
  await catalog.resource({ title: 'order book' });
  await catalog.resource({ title: 'unrelated' });
  const found = await search(catalog.admin, { query });
  expect(found.hits.map(({ resource }) => resource.title)).toEqual([title]);
  expect(found.total).toBe(1);
  expect((await found.facets()).kind).toEqual([{ value: 'table', label: 'table', count: 1 }]);
});

test('a title that is nearly the word is found next to a text that holds it', async () => {
  await using catalog = await openCatalog();
  await catalog.resource({ title: 'stores', verified: true, externalUsage: 1e9 });
  await catalog.resource({ title: 'x', definition: 'About storos in general.' });
  expect(await titles(catalog.admin, 'storos')).toEqual(['stores', 'x']);
  expect(await titles(catalog.admin, 'house')).toEqual([]);
});

test('a write is found by the next read, and what is gone is not', async () => {
  await using catalog = await openCatalog();
  const ctx = catalog.admin;
  const { id } = await catalog.resource({ title: 'alpha' });
  expect(await titles(ctx, 'alpha')).toEqual(['alpha']);
  await updateResource(ctx, id, { title: 'beta', description: 'gamma rays', definition: 'delta' });
  expect(await titles(ctx, 'alpha')).toEqual([]);
  for (const word of ['beta', 'gamma', 'delta']) expect(await titles(ctx, word)).toEqual(['beta']);
  await archiveResource(ctx, id);
  for (const word of ['beta', 'gamma', 'bteta']) expect(await titles(ctx, word)).toEqual([]);
  await restoreResource(ctx, id);
  expect(await titles(ctx, 'beta')).toEqual(['beta']);
});

test('no one finds, counts or guesses what they may not see', async () => {
  await using catalog = await openCatalog();
  await using other = await catalog.another();
  const team = await catalog.team();
  await catalog.resource({ title: 'secret_plan', published: false, teamIds: [team.id] });
  await catalog.resource({ title: 'plan', teamIds: [] });
  for (const query of ['plan', 'secret', 'secret_plan', 'sceret']) {
    const page = await search(catalog.as('viewer'), { query });
    expect(page.hits.every(({ resource }) => resource.title === 'plan')).toBe(true);
    // Of two words one is enough where no hit has both; a part of a name is none.
    expect(page.total).toBe(query.includes('plan') ? 1 : 0);
    expect(page.isPartial).toBe(query === 'secret_plan');
    expect((await page.facets()).team).toEqual([]);
    expect((await search(other.admin, { query })).total).toBe(0);
  }
  expect(await titles(catalog.as('guest', [team]), 'plan')).toEqual(['secret_plan']);
  expect(await titles(catalog.as('guest'), 'plan')).toEqual([]);
});

test('what is guessed does not tell of words that only unseen or deleted titles hold', async () => {
  await using catalog = await openCatalog();
  const team = await catalog.team();
  for (const title of ['payments', 'refunds']) await catalog.resource({ title, teamIds: [] });
  await catalog.resource({ title: 'paymants', published: false, teamIds: [team.id] });
  const { id } = await catalog.resource({ title: 'refonds', teamIds: [] });
  await archiveResource(catalog.admin, id);
  expect(await titles(catalog.as('viewer'), 'paymants')).toEqual(['payments']);
  expect(await titles(catalog.as('guest', [team]), 'paymants')).toEqual(['paymants']);
  expect(await titles(catalog.admin, 'refonds')).toEqual(['refunds']);
});

test('hits can be narrowed, and facets count all of them', async () => {
  await using catalog = await openCatalog();
  const tag = await catalog.tag({ name: 'gold' });
  const team = await catalog.team({ name: 'growth' });
  const integration = await catalog.integration({ name: 'warehouse' });
  const owner = await catalog.user({ firstName: 'Ada', lastName: 'Lovelace' });
  const ctx = catalog.admin;
  await catalog.resource({ title: 'churn_1', tagIds: [tag.id], integrationId: integration.id });
  await catalog.resource({ title: 'churn_2', tagIds: [tag.id], teamIds: [team.id] });
  await catalog.resource({ title: 'churn_3', kind: 'dashboard', ownerIds: [owner.id] });
  const page = await search(ctx, { query: 'churn', first: 1 });
  expect(page.hits).toHaveLength(1);
  expect(page.total).toBe(3);
  expect(await page.facets()).toEqual({
    kind: [
      { value: 'table', label: 'table', count: 2 },
      { value: 'dashboard', label: 'dashboard', count: 1 },
    ],
    integration: [{ value: integration.id, label: 'warehouse', count: 1 }],
    tag: [{ value: tag.id, label: 'gold', count: 2 }],
    team: [{ value: team.id, label: 'growth', count: 1 }],
    owner: [{ value: owner.id, label: 'Ada Lovelace', count: 1 }],
  });
  expect(await titles(ctx, 'churn', { ownerIds: [owner.id] })).toEqual(['churn_3']);
  expect(await titles(ctx, 'churn', { kinds: ['dashboard', 'chart'] })).toEqual(['churn_3']);
  expect(await titles(ctx, 'churn', { kinds: [] })).toHaveLength(3);
  expect(await titles(ctx, 'churn', { tagIds: [tag.id], teamIds: [team.id] })).toEqual(['churn_2']);
  expect(await titles(ctx, 'churn', { integrationIds: [integration.id] })).toEqual(['churn_1']);
  const refused = { code: 'BAD_REQUEST', message: 'integrationIds: Use an id, which is a UUID.' };
  const nonsense = titles(ctx, 'churn', { integrationIds: ['nonsense'] });
  await expect(nonsense).rejects.toMatchObject(refused);
  expect(await titles(ctx, 'chrun', { kinds: ['dashboard'] })).toEqual(['churn_3']);
});

test('pages show each hit once, in one order, also where typos fill them up', async () => {
  await using catalog = await openCatalog();
  for (let i = 0; i < 12; i += 1) await catalog.resource({ title: `metric_${i}` });
  for (const query of ['metric', 'metirc']) {
    const whole = await titles(catalog.admin, query);
    expect(whole).toHaveLength(12);
    const paged: string[] = [];
    let after: string | undefined;
    for (let more = true; more; ) {
      const page = await search(catalog.admin, { query, first: 5, after });
      paged.push(...page.hits.map(({ resource }) => resource.title));
      expect(page.total).toBe(12);
      expect(page.hasPreviousPage).toBe(after !== undefined);
      after = page.hits.at(-1)?.cursor;
      more = page.hasNextPage;
    }
    expect(paged).toEqual(whole);
  }
});

test('letters of any script are found in either case', async () => {
  await using catalog = await openCatalog();
  for (const title of [
    'Überweisungen',
    '顧客マスタ',
    'Ёлка',
    'naïve_table',
    'cafe\u0301',
    '🚀 launch',
  ]) {
    await catalog.resource({ title });
  }
  expect(await titles(catalog.admin, 'überweis')).toEqual(['Überweisungen']);
  expect(await titles(catalog.admin, 'ÜBERWEISUNGEN')).toEqual(['Überweisungen']);
  expect(await titles(catalog.admin, '顧客')).toEqual(['顧客マスタ']);
  expect(await titles(catalog.admin, 'マスタ')).toEqual(['顧客マスタ']);
  expect(await titles(catalog.admin, 'ёлка')).toEqual(['Ёлка']);
  expect(await titles(catalog.admin, 'NAÏVE')).toEqual(['naïve_table']);
  expect(await titles(catalog.admin, '🚀')).toEqual(['🚀 launch']);
});

test('wildcards, quotes and operators are letters like any other', async () => {
  await using catalog = await openCatalog();
  for (const title of ['abc', 'a_c', '100%', "o'brien", 'back\\slash', 'plain']) {
    await catalog.resource({ title, description: 'a word' });
  }
  expect(await titles(catalog.admin, 'a_c')).toEqual(['a_c']);
  expect(await titles(catalog.admin, '100%')).toEqual(['100%']);
  expect(await titles(catalog.admin, "o'brien")).toEqual(["o'brien"]);
  expect(await titles(catalog.admin, 'back\\slash')).toEqual(['back\\slash']);
  for (const query of [
    '%',
    '_',
    '%%%',
    '___',
    '.*',
    '*',
    '\\',
    "'",
    '"',
    '( | & ! <-> :*',
    '--',
    ';',
  ]) {
    expect(await titles(catalog.admin, query)).toEqual([]);
  }
});

const hostile = [
  `'; drop table resource; --`,
  `' or 1=1 --`,
  `") or ("1"="1`,
  `x'::tsquery`,
  'a & !b | (c <-> d):*',
  '(((((((((((((',
  '[[:alnum:]]+(a+)+$',
  '\\m\\y{1,9999}',
  '{{7*7}}',
  'a'.repeat(200),
  'ab '.repeat(66),
  '%'.repeat(200),
  '\u202Eabc',
  '\u0001\u0002',
  'ﷺ'.repeat(100),
  '👩‍👩‍👧‍👦'.repeat(10),
  'İstanbul',
  'ß',
  '𝕏',
];

test('hostile queries are words, and break nothing', async () => {
  await using catalog = await openCatalog();
  await catalog.resource({ title: 'survivor', description: 'still here' });
  for (const query of hostile) {
    const page = await search(catalog.admin, { query });
    expect(page.hits.map(({ resource }) => resource.title)).toEqual([]);
    await page.facets();
  }
  expect(await titles(catalog.admin, 'survivor')).toEqual(['survivor']);
});

test.each([
  ['nothing', ''],
  ['white space', ' \t\n '],
  ['ten kilobytes', 'x'.repeat(10_000)],
  ['U+0000', 'a\0b'],
  ['half a character', 'a\uD800'],
])('a query of %s is refused by name', async (_what, query) => {
  await using catalog = await openCatalog();
  await expect(search(catalog.admin, { query })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    fields: [{ field: 'query' }],
  });
});

test('pages out of range and foreign cursors are refused by name', async () => {
  await using catalog = await openCatalog();
  const refused = (args: Partial<SearchQuery>, field: string) =>
    expect(search(catalog.admin, { query: 'x', ...args })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      fields: [{ field }],
    });
  for (const first of [-1, 1_001, 1.5, Number.NaN]) await refused({ first }, 'first');
  for (const after of ['', '[]', '[1]', '{}', 'null', '[1,"x"]', '["1","x"]', '[1e999,"x"]']) {
    await refused({ after }, 'after');
  }
});

test('long titles and texts are indexed as far as they can be', async () => {
  await using catalog = await openCatalog();
  const definition = `${'lorem ipsum '.repeat(80_000)}beyond`;
  await catalog.resource({
    title: '長'.repeat(1_000),
    definition,
    description: 'é'.repeat(90_000),
  });
  expect(await titles(catalog.admin, 'ipsum')).toHaveLength(1);
  expect(await titles(catalog.admin, '長'.repeat(100))).toHaveLength(1);
  expect(await titles(catalog.admin, 'beyond')).toHaveLength(0);
});

test('more matches than are ranked are said to be more', async () => {
  await using catalog = await openCatalog();
  const { workspaceId } = catalog;
  await catalog.database.prisma.resource.createMany({
    data: Array.from({ length: 2_300 }, (_, i) => ({
      workspaceId,
      kind: 'column',
      title: `event_${i}`,
      titleFull: `event_${i}`,
    })),
  });
  await catalog.resource({ title: 'event' });
  const page = await search(catalog.admin, { query: 'event', first: 3 });
  expect(page.isCapped).toBe(true);
  expect(page.total).toBeGreaterThanOrEqual(1_000);
  expect(page.hits[0]?.resource.title).toBe('event');
  expect((await search(catalog.admin, { query: 'event_1234' })).isCapped).toBe(false);
  const guessed = await search(catalog.admin, { query: 'evnet' });
  expect(guessed.isCapped).toBe(true);
  expect(guessed.total).toBeGreaterThan(100);
});

test('a search is two statements, its facets and matched fields one each, and its highlights none', async () => {
  await using catalog = await openCatalog();
  for (let i = 0; i < 30; i += 1) {
    await catalog.resource({ title: `ledger_${i}`, description: 'The **ledger** of a day.' });
  }
  const query = `query ($first: Int) {
    search(query: "ledger", first: $first) {
      totalCount isCapped pageInfo { hasNextPage endCursor }
      nodes { score matchedFields resource { title } highlights { field text matches { start end } } }
      facets { kind { value count } tag { label } }
    }
  }`;
  const ask = (first: number) => catalog.counting(() => catalog.graphql(query, { first }));
  await ask(1);
  const { value, statements } = await ask(30);
  expect(value.errors).toBeUndefined();
  expect(statements).toHaveLength(4);
  expect((await ask(2)).statements).toHaveLength(4);
  const { nodes, ...rest } = value.data.search;
  expect(rest).toMatchObject({
    totalCount: 30,
    isCapped: false,
    facets: { kind: [{ value: 'table', count: 30 }], tag: [] },
  });
  expect(nodes).toHaveLength(30);
  expect(nodes[0].highlights).toEqual([
    { field: 'title', text: nodes[0].resource.title, matches: [{ start: 0, end: 6 }] },
    { field: 'description', text: 'The **ledger** of a day.', matches: [{ start: 6, end: 12 }] },
  ]);
});

async function titles(
  ctx: Context,
  query: string,
  narrowing: Omit<SearchQuery, 'query'> = {},
): Promise<string[]> {
  const { hits, total } = await search(ctx, { query, ...narrowing });
  expect(hits).toHaveLength(total);
  return hits.map(({ resource }) => resource.title);
}
