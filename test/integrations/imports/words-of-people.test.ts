// What files say of deprecation, and of glossary terms: synonyms and status.

import { beforeEach, expect, test } from 'vitest';
import type { Integration } from '../../../src/generated/prisma/client.ts';
import { updateResource } from '../../../src/resources/editing/edit.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';
import { counts, feedCsv, feedJsonl, resourceAt } from './feed.ts';

let catalog: Catalog;
let integration: Integration;
beforeEach(async () => {
  catalog = await openCatalog();
  integration = await catalog.integration();
  return () => catalog[Symbol.asyncDispose]();
});

const feed = (...resources: object[]) => feedJsonl(catalog, integration, { resources });
const table = (key: string, more: object = {}) => ({
  ...{ entity_type: 'table', databuilder_id: key, title: key },
  ...{ database: 'shop', schema: 'public', ...more },
});
const term = (more: object) => ({
  ...{ entity_type: 'glossary', databuilder_id: 'g:revenue', title: 'Revenue', ...more },
});

test('a term has the synonyms and the status of its line until a person edits them', async () => {
  const odd = ['net, sales', 'say "sales"', 'back\\slash', '{}', 'NULL'];
  await feed(term({ synonyms: odd, term_status: 'in_review' }));
  const { id, ...made } = await resourceAt(catalog, 'Revenue');
  expect(made).toMatchObject({ synonyms: odd, termStatus: 'in_review' });
  const again = await feed(term({ synonyms: odd, term_status: 'in_review' }));
  expect(again).toMatchObject({ updated: 0, problems: [] });
  await feed(term({ synonyms: ['turnover'] }));
  expect(await resourceAt(catalog, 'Revenue')).toMatchObject({
    ...{ synonyms: ['turnover'], termStatus: 'in_review' },
  });
  await updateResource(catalog.admin, id, { synonyms: ['sales'], termStatus: 'approved' });
  await feed(term({ synonyms: null, term_status: null }));
  expect(await resourceAt(catalog, 'Revenue')).toMatchObject({
    ...{ synonyms: ['sales'], termStatus: 'approved', editedFields: ['synonyms', 'term_status'] },
  });
  await updateResource(catalog.admin, id, { releaseFields: ['synonyms', 'term_status'] });
  await feed(term({ synonyms: null, term_status: null }));
  expect(await resourceAt(catalog, 'Revenue')).toMatchObject({
    ...{ synonyms: [], termStatus: 'draft', editedFields: [] },
  });
});

test('a term that a file approves says since when, and not by whom', async () => {
  catalog.setTime(new Date('2026-10-02T08:00:00Z'));
  const approved = () => feed(term({ term_status: 'approved' }));
  await approved();
  const at = { approvedAt: new Date('2026-10-02T08:00:00Z'), approvedById: null };
  const { id, ...made } = await resourceAt(catalog, 'Revenue');
  expect(made).toMatchObject(at);
  catalog.setTime(new Date('2026-10-03T08:00:00Z'));
  expect(await approved()).toMatchObject({ updated: 0 });
  await feed(term({ term_status: 'draft' }));
  expect(await resourceAt(catalog, 'Revenue')).toMatchObject({ approvedAt: null });
  await updateResource(catalog.admin, id, { termStatus: 'approved' });
  await feed(term({ term_status: 'draft' }));
  expect(await resourceAt(catalog, 'Revenue')).toMatchObject({
    ...{ termStatus: 'approved', approvedById: catalog.idOf('admin') },
  });
  catalog.setTime(null);
});

test('terms are related as either of their lines says, until a person edits that', async () => {
  const line = (name: string, more: object = {}) =>
    term({ databuilder_id: `g:${name}`, title: name, ...more });
  const lines = (...of: (readonly string[] | null | undefined)[]) =>
    ['a', 'b', 'c'].map((name, at) =>
      line(
        name,
        of[at] === undefined ? {} : { related_terms: of[at]?.map((to) => `g:${to}`) ?? null },
      ),
    );
  const feedTerms = (...of: Parameters<typeof lines>) => feed(...lines(...of));
  const linked = async () => {
    const found = await catalog.graphql(
      '{ resources(where: { kind: { eq: glossary } }) { nodes { title ... on GlossaryTerm { relatedTerms { title } } } } }',
    );
    const nodes: { title: string; relatedTerms: { title: string }[] }[] =
      found.data.resources.nodes;
    return Object.fromEntries(
      nodes.map(({ title, relatedTerms }) => [title, relatedTerms.map((one) => one.title).join()]),
    );
  };
  expect(await feedTerms(['b'], undefined, ['b'])).toMatchObject({ created: 3, problems: [] });
  expect(await linked()).toEqual({ a: 'b', b: 'a,c', c: 'b' });
  // The same once more changes nothing; said from the other side it is the same.
  expect(await feedTerms(['b'], undefined, ['b'])).toMatchObject({ updated: 0, unchanged: 3 });
  expect(await feedTerms([], ['a', 'c'], null)).toMatchObject({ updated: 0 });
  // What is left out says nothing, and an empty list says that there are none.
  expect(await feedTerms()).toMatchObject({ updated: 0 });
  const changes: unknown[] = [];
  const options = {
    dryRun: true,
    onChanges: (found: readonly unknown[]) => changes.push(...found),
  };
  const tried = { resources: lines(['c'], ['c']) };
  expect(await feedJsonl(catalog, integration, tried, options)).toMatchObject({ updated: 2 });
  expect(changes).toMatchObject(
    ['a', 'b'].map((title) => ({ action: 'updated', title, fields: ['relatedTerms'] })),
  );
  expect(await linked()).toEqual({ a: 'b', b: 'a,c', c: 'b' });
  await feedTerms(['c'], ['c']);
  expect(await linked()).toEqual({ a: 'c', b: 'c', c: 'a,b' });

  // What a person linked with a term of their own stays, and what they edited is left alone.
  const own = await catalog.resource({ kind: 'glossary', title: 'own' });
  const { id: c } = await resourceAt(catalog, 'c');
  await updateResource(catalog.admin, own.id, { relatedTermIds: [c] });
  await feedTerms([], [], []);
  expect(await linked()).toEqual({ a: '', b: '', c: 'own', own: 'c' });
  const { id: a } = await resourceAt(catalog, 'a');
  const { id: b } = await resourceAt(catalog, 'b');
  await updateResource(catalog.admin, a, { relatedTermIds: [b] });
  expect(await resourceAt(catalog, 'a')).toMatchObject({ editedFields: ['related_term_ids'] });
  expect(await feedTerms(['c'], [], undefined)).toMatchObject({ updated: 0 });
  expect(await linked()).toMatchObject({ a: 'b', b: 'a', c: 'own' });
  await updateResource(catalog.admin, a, { releaseFields: ['related_term_ids'] });
  await feedTerms(['c'], [], undefined);
  expect(await linked()).toMatchObject({ a: 'c', b: '', c: 'a,own' });
});

test('a related term that is not known, or no term, is named', async () => {
  const { problems } = await feed(
    term({ related_terms: ['g:nowhere', 'orders', 'g:order'] }),
    term({ databuilder_id: 'g:order', title: 'Order' }),
    table('orders'),
  );
  expect(problems).toEqual(
    ['g:nowhere', 'orders'].map((key) =>
      expect.stringContaining(`line 1: related_terms names no other glossary term: "${key}".`),
    ),
  );
  const itself = term({ related_terms: ['g:revenue'] });
  await expect(feed(itself)).rejects.toThrow('related_terms must name other terms than this one.');
});

test('what is no synonym and no status is refused as it is by hand; other kinds have neither', async () => {
  const refused: readonly (readonly [object, string])[] = [
    [{ term_status: 'fine' }, 'term_status is wrong: Use draft, in_review or approved'],
    [{ synonyms: ['x'.repeat(201)] }, 'synonyms is wrong: '],
    [{ synonyms: Array.from({ length: 51 }, (_, n) => `s${n}`) }, 'Use at most 50 entries.'],
    [{ synonyms: 'sales' }, 'synonyms must be a list of texts'],
    [{ deprecated: 'yes' }, 'deprecated must be a JSON object'],
    [{ deprecated: { why: 'old' } }, '"why" is not a field; allowed are since, note, successor.'],
    [{ deprecated: { since: 'May' } }, 'deprecated.since must be an ISO 8601 date-time'],
    [{ deprecated: { since: '1901-01-01T00:00:00Z' } }, 'deprecated.since is wrong: '],
    [{ deprecated: { note: 'x'.repeat(2_001) } }, 'deprecated.note is wrong: '],
    [
      { deprecated: { successor: { type: 'internal_resource', databuilder_id: 'g:revenue' } } },
      'deprecated.successor must be another resource than this one.',
    ],
  ];
  for (const [more, message] of refused) {
    await expect(feed(term(more))).rejects.toThrow(message);
  }
  const { problems } = await feed(
    table('orders', { synonyms: ['sales'], term_status: 'draft', related_terms: [] }),
    {
      ...{ entity_type: 'question', databuilder_id: 'q', title: 'Why?', deprecated: true },
    },
  );
  expect(problems).toEqual([
    expect.stringContaining('synonyms has no effect on the kind table.'),
    expect.stringContaining('term_status has no effect on the kind table.'),
    expect.stringContaining('related_terms has no effect on the kind table.'),
    expect.stringContaining('deprecated has no effect on the kind question.'),
  ]);
});

test('a line deprecates with a note and a successor, which other lines or the catalog have', async () => {
  const other = await catalog.resource({ title: 'elsewhere' });
  const byName = { type: 'external_table', table: 'elsewhere' };
  const byKey = { type: 'internal_resource', databuilder_id: 'orders_v2' };
  const since = '2026-01-31T00:00:00Z';
  const lines = [
    table('orders', { deprecated: { since, note: ' Rows are late. ', successor: byKey } }),
    table('visits', { deprecated: { successor: byName } }),
    table('clicks', { deprecated: true }),
    table('unsure', { deprecated: { successor: { ...byName, table: 'nowhere' } } }),
    table('orders_v2'),
  ];
  const { problems } = await feed(...lines);
  expect(problems).toEqual([
    expect.stringMatching(/line 4: deprecated\.successor points at nothing known/),
  ]);
  const at = (name: string) => resourceAt(catalog, `shop.public.${name}`);
  const [next, orders, visits, clicks] = await Promise.all(
    ['orders_v2', 'orders', 'visits', 'clicks'].map(at),
  );
  expect(orders).toMatchObject({
    ...{ deprecatedAt: new Date(since), deprecationNote: 'Rows are late.', successorId: next?.id },
  });
  expect(visits).toMatchObject({ deprecationNote: null, successorId: other.id });
  expect(clicks).toMatchObject({ deprecatedAt: expect.any(Date), successorId: null });
  expect(await at('unsure')).toMatchObject({ deprecatedAt: expect.any(Date), successorId: null });
  // The same once more changes nothing, and keeps since when.
  expect(await feed(...lines)).toMatchObject({ updated: 0 });
  expect((await at('clicks')).deprecatedAt).toEqual(clicks?.deprecatedAt);
  await updateResource(catalog.admin, orders?.id ?? '', { deprecation: { note: 'By hand.' } });
  await feed(table('orders', { deprecated: false }), table('clicks', { deprecated: null }));
  expect(await at('orders')).toMatchObject({
    ...{ deprecationNote: 'By hand.', editedFields: ['deprecation'] },
  });
  expect(await at('clicks')).toMatchObject({ deprecatedAt: null, successorId: null });
});

test('a row of CSV deprecates its table, with a successor next to it', async () => {
  const header = 'database,schema,name,col_name,deprecated,deprecation_note,successor_name';
  const csv = [
    ...[header, 'shop,public,orders,id,true,"Late, always",orders_v2'],
    ...['shop,public,orders,amount,true,"Late, always",orders_v2', 'shop,public,orders_v2,id,,,'],
  ];
  expect(await feedCsv(catalog, integration, csv.join('\n'))).toMatchObject({ problems: [] });
  const next = await resourceAt(catalog, 'shop.public.orders_v2');
  expect(next.deprecatedAt).toBeNull();
  expect(await resourceAt(catalog, 'shop.public.orders')).toMatchObject({
    ...{ deprecatedAt: expect.any(Date), deprecationNote: 'Late, always', successorId: next.id },
  });
  const changes = await feedCsv(catalog, integration, csv.join('\n'));
  expect(changes).toEqual(counts({ unchanged: changes.unchanged }));
});
