// Glossary terms: their synonyms, their status, and the terms that people link them with.

import { expect, test } from 'vitest';
import { archiveResource } from '../../../src/resources/editing/archive.ts';
import { updateResource } from '../../../src/resources/editing/edit.ts';
import { maxRelated } from '../../../src/resources/terms/related-terms.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';

const term = (catalog: Catalog, title: string, fields: object = {}) =>
  catalog.resource({ kind: 'glossary', title, published: true, ...fields });

const update = (catalog: Catalog, id: string, input: object) =>
  catalog.graphql(
    `mutation ($id: ID!, $input: UpdateResourceInput!) { updateResource(id: $id, input: $input) {
      version ... on GlossaryTerm { synonyms termStatus relatedTermIds } } }`,
    { id, input },
  );

const refusal = async (answer: ReturnType<typeof update>) => {
  const { errors } = await answer;
  return errors?.map(({ extensions }) => extensions)[0];
};

const related = async (catalog: Catalog, id: string, as: 'admin' | 'viewer' = 'admin') => {
  const { data } = await catalog.graphql(
    `query ($id: ID!) { resource(id: $id) { ... on GlossaryTerm {
      relatedTerms { title } relatedTermIds } } }`,
    { id },
    { as },
  );
  return data.resource.relatedTerms.map(({ title }: { title: string }) => title);
};

const find = async (catalog: Catalog, query: string) => {
  const { data, errors } = await catalog.graphql(
    'query ($q: String!) { search(query: $q) { nodes { resource { title } matchedFields } } }',
    { q: query },
  );
  expect(errors).toBeUndefined();
  return data.search.nodes.map(
    ({ resource, matchedFields }: { resource: { title: string }; matchedFields: string[] }) => [
      resource.title,
      ...matchedFields,
    ],
  );
};

test('a term is found by a synonym for as long as it has it, and nothing but that is said to match', async () => {
  await using catalog = await openCatalog();
  const { id } = await term(catalog, 'Net revenue', { synonyms: ['Turnover', 'intake, net'] });
  expect(await find(catalog, 'turnover')).toEqual([['Net revenue', 'synonyms']]);
  expect(await find(catalog, 'revenue')).toEqual([['Net revenue', 'title']]);
  const { data } = await update(catalog, id, { synonyms: ['Top line', ' Top line ', 'Takings'] });
  expect(data.updateResource).toMatchObject({ synonyms: ['Top line', 'Takings'] });
  expect(await find(catalog, 'turnover')).toEqual([]);
  expect(await find(catalog, 'takings')).toEqual([['Net revenue', 'synonyms']]);
  const listed = await catalog.graphql(
    '{ resources(where: { synonyms: { contains: "LINE" } }) { nodes { title } } }',
  );
  expect(listed.data.resources.nodes).toEqual([{ title: 'Net revenue' }]);
  await update(catalog, id, { synonyms: null });
  expect(await find(catalog, 'takings')).toEqual([]);
});

test('a term begins as a draft, and the log says who approved it', async () => {
  await using catalog = await openCatalog();
  const { id } = await term(catalog, 'Churn');
  await term(catalog, 'Other');
  await catalog.resource({ title: 'a table' });
  const of = async (status: string) => {
    const { data } = await catalog.graphql(
      `{ resources(where: { termStatus: { eq: ${status} } }, orderBy: [{ title: asc }]) { nodes { title } } }`,
    );
    return data.resources.nodes.map(({ title }: { title: string }) => title);
  };
  expect(await of('draft')).toEqual(['Churn', 'Other']);
  await updateResource(catalog.as('editor'), id, { termStatus: 'in_review' });
  const { version } = await updateResource(catalog.as('editor'), id, { termStatus: 'approved' });
  expect([await of('draft'), await of('approved')]).toEqual([['Other'], ['Churn']]);
  expect(await find(catalog, 'is:approved')).toEqual([['Churn']]);
  const { data } = await catalog.graphql(
    `query ($id: ID!) { resource(id: $id) { version ... on GlossaryTerm { termStatus }
    } auditLogs(first: 1) { nodes { performer { id } changes { field before after } } } }`,
    { id },
  );
  expect(data.resource).toEqual({ version, termStatus: 'approved' });
  expect(data.auditLogs.nodes).toEqual([
    {
      performer: { id: catalog.idOf('editor') },
      changes: [{ field: 'termStatus', before: 'in_review', after: 'approved' }],
    },
  ]);
  await update(catalog, id, { termStatus: null });
  expect(await of('draft')).toEqual(['Churn', 'Other']);
});

test('a term has a formula and a next review, and says who approved it and when, until it is no longer approved', async () => {
  await using catalog = await openCatalog();
  const { id } = await term(catalog, 'Margin');
  const read = async (as: 'admin' | 'guest' = 'admin') => {
    const { data } = await catalog.graphql(
      `query ($id: ID!) { resource(id: $id) { ... on GlossaryTerm { formula nextReviewAt
        approvedAt approvedById approvedBy { id } } } }`,
      { id },
      { as },
    );
    return data.resource;
  };
  const empty = { approvedAt: null, approvedById: null, approvedBy: null };
  expect(await read()).toEqual({ ...empty, formula: null, nextReviewAt: null });
  const path = `/dictionary/terms/${id}`;
  const next_review_at = '2027-04-02T00:00:00.000Z';
  const body = { formula: 'a - b', next_review_at, synonyms: ['gain'], term_status: 'in_review' };
  const changed = await catalog.rest('PATCH', path, { body });
  expect([changed.status, changed.body]).toEqual([
    200,
    expect.objectContaining({ ...body, approved_at: null, approved_by: null }),
  ]);
  catalog.setTime(new Date('2026-10-02T08:00:00Z'));
  await updateResource(catalog.as('editor'), id, { termStatus: 'approved' });
  catalog.setTime(new Date('2026-10-03T08:00:00Z'));
  // What was approved is not approved once more.
  await updateResource(catalog.admin, id, { termStatus: 'approved', formula: 'a-b' });
  const editor = catalog.idOf('editor');
  expect(await read()).toEqual({
    ...{ formula: 'a-b', nextReviewAt: next_review_at, approvedAt: '2026-10-02T08:00:00.000Z' },
    ...{ approvedById: editor, approvedBy: { id: editor } },
  });
  expect((await catalog.rest('GET', path)).body).toMatchObject({
    ...{ approved_at: '2026-10-02T08:00:00.000Z', approved_by: editor, term_status: 'approved' },
  });
  await updateResource(catalog.admin, id, {
    termStatus: 'draft',
    formula: null,
    nextReviewAt: null,
  });
  expect(await read()).toEqual({ ...empty, formula: null, nextReviewAt: null });
  catalog.setTime(null);
  const made = await catalog.rest('POST', '/dictionary/terms', {
    body: { title: 'Yield', term_status: 'approved' },
  });
  expect(made.body).toMatchObject({ approved_by: catalog.idOf('admin') });
  expect(
    (await catalog.rest('PATCH', path, { body: { formula: 'x'.repeat(10_001) } })).status,
  ).toBe(400);
  const table = await catalog.resource({ kind: 'table' });
  await updateResource(catalog.admin, table.id, { formula: 'x', termStatus: 'approved' });
  const where = { workspaceId_id: { workspaceId: catalog.workspaceId, id: table.id } };
  const stored = await catalog.database.prisma.resource.findUniqueOrThrow({ where });
  expect([stored.formula, stored.approvedAt]).toEqual([null, null]);
});

test('two terms show each other, whoever of the two is changed, and what the viewer may not see stays', async () => {
  await using catalog = await openCatalog();
  const [revenue, refund, order] = [
    await term(catalog, 'Revenue'),
    await term(catalog, 'Refund'),
    await term(catalog, 'Order'),
  ];
  const secret = await term(catalog, 'Secret', { published: false });
  const first = await update(catalog, revenue.id, { addRelatedTermIds: [refund.id, secret.id] });
  expect(first.data.updateResource.version).toBe(2);
  expect(first.data.updateResource.relatedTermIds).toHaveLength(2);
  expect(await related(catalog, refund.id)).toEqual(['Revenue']);
  expect(await related(catalog, revenue.id, 'viewer')).toEqual(['Refund']);
  await update(catalog, revenue.id, { relatedTermIds: [order.id.toUpperCase(), secret.id] });
  expect(await related(catalog, revenue.id)).toEqual(['Order', 'Secret']);
  expect(await related(catalog, refund.id)).toEqual([]);
  await archiveResource(catalog.admin, order.id);
  expect(await related(catalog, revenue.id)).toEqual(['Secret']);
  // From the other side.
  await update(catalog, secret.id, { removeRelatedTermIds: [revenue.id] });
  expect(await related(catalog, revenue.id)).toEqual([]);
  const made = await term(catalog, 'Made', { relatedTermIds: [revenue.id] });
  expect(await related(catalog, revenue.id)).toEqual(['Made']);
  const { data } = await catalog.graphql(
    '{ auditLogs(first: 1) { nodes { resourceId changes { field after } } } }',
  );
  const [entry] = data.auditLogs.nodes;
  expect(entry.resourceId).toBe(made.id);
  expect(entry.changes).toContainEqual({ field: 'relatedTermIds', after: [revenue.id] });
});

test('what is no other term is refused by its field, and another kind takes none of it', async () => {
  await using catalog = await openCatalog();
  await using other = await openCatalog();
  const { id } = await term(catalog, 'Revenue');
  const table = await catalog.resource({ title: 'orders' });
  const foreign = await term(other, 'Foreign');
  const said = (field: string, message: string) => ({
    code: 'BAD_REQUEST',
    fields: [{ field, message }],
  });
  for (const unknown of [table.id, foreign.id]) {
    expect(await refusal(update(catalog, id, { addRelatedTermIds: [unknown] }))).toEqual(
      said('addRelatedTermIds', `No glossary term of this workspace has the id ${unknown}.`),
    );
  }
  expect(await refusal(update(catalog, id, { relatedTermIds: ['x'] }))).toMatchObject({
    fields: [{ field: 'relatedTermIds' }],
  });
  expect(await refusal(update(catalog, id, { relatedTermIds: [id] }))).toEqual(
    said('relatedTermIds', 'A term is not related to itself.'),
  );
  const both = { relatedTermIds: [], addRelatedTermIds: [table.id] };
  expect(await refusal(update(catalog, id, both))).toMatchObject({ code: 'BAD_REQUEST' });
  const many = Array.from({ length: 51 }, (_, n) => `word ${n}`);
  expect(await refusal(update(catalog, id, { synonyms: many }))).toEqual(
    said('synonyms', 'Use at most 50 entries.'),
  );
  expect(await refusal(update(catalog, id, { synonyms: ['ok', '  '] }))).toMatchObject({
    fields: [{ field: 'synonyms' }],
  });
  const ignored = { synonyms: ['x'], termStatus: 'approved', addRelatedTermIds: [id] };
  const { errors, extensions } = await update(catalog, table.id, ignored);
  expect(errors).toBeUndefined();
  expect(JSON.stringify(extensions)).toContain('Kinds that have it: glossary term');
  expect(await related(catalog, id)).toEqual([]);
});

test('a term has a hundred related terms and no more, from whichever side they come', async () => {
  await using catalog = await openCatalog();
  const { id } = await term(catalog, 'Full');
  const others = [];
  for (let n = 0; n <= maxRelated; n += 1) others.push((await term(catalog, `Term ${n}`)).id);
  const [last, ...first] = others.toReversed();
  expect((await update(catalog, id, { relatedTermIds: first })).errors).toBeUndefined();
  const more = 'A term has at most 100 related terms.';
  expect(await refusal(update(catalog, id, { addRelatedTermIds: [last] }))).toMatchObject({
    fields: [{ message: more }],
  });
  expect(await refusal(update(catalog, `${last}`, { addRelatedTermIds: [id] }))).toMatchObject({
    fields: [{ message: `${more} The term "Full" would have more.` }],
  });
  expect(await related(catalog, `${last}`)).toEqual([]);
});

test('of two people who link two terms from either side at once, both succeed, and it is there once', async () => {
  await using catalog = await openCatalog();
  const [one, two] = [await term(catalog, 'One'), await term(catalog, 'Two')];
  const answers = await Promise.all([
    update(catalog, one.id, { addRelatedTermIds: [two.id] }),
    update(catalog, two.id, { addRelatedTermIds: [one.id] }),
  ]);
  expect(answers.map(({ errors }) => errors)).toEqual([undefined, undefined]);
  expect(await related(catalog, one.id)).toEqual(['Two']);
  expect(await related(catalog, two.id)).toEqual(['One']);
});
