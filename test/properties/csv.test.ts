// Lists of resources as CSV, out and in again.

import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setValue } from '../../src/properties/assign.ts';
import { cellOf, joined, parted, textOf } from '../../src/properties/csv/csv-cell.ts';
import { updateResource } from '../../src/resources/editing/edit.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await openCatalog();
});
afterAll(() => catalog[Symbol.asyncDispose]());

type Row = Readonly<Record<string, string>>;

const rowsIn = (text: string): Row[] => parse(text, { columns: true, bom: true });

async function download(query: Readonly<Record<string, string>>, caller = 'admin' as const) {
  const answer = await catalog.rest('GET', `/resource/csv?${new URLSearchParams(query)}`, {
    caller: { as: caller },
  });
  expect(answer.headers.get('content-type')).toMatch(/^text\/csv/);
  return answer.text;
}

const update = async (content: string, dry_run = false) => {
  const { status, body } = await catalog.rest('PATCH', '/resource/csv', {
    body: { content, dry_run },
  });
  expect([status, body.detail]).toEqual([200, undefined]);
  return body;
};

const onlyOf = (integrationId: string) =>
  JSON.stringify({ operator: 'exact', field: 'integration_id', value: integrationId });

test('a list is downloaded with its columns, and what comes back unchanged changes nothing', async () => {
  const { id: integrationId } = await catalog.integration();
  const property = await catalog.property({ name: 'Kept, for' });
  const tag = await catalog.tag({ name: 'a; b' });
  const team = await catalog.team({ name: 'Finance "EU"' });
  const owner = await catalog.user({ email: 'anna@example.com' });
  const made = await catalog.resource({
    ...{ title: 'orders', integrationId, description: 'One row,\nper order', verified: true },
    ...{ tagIds: [tag.id], teamIds: [team.id], ownerIds: [owner.id] },
  });
  await setValue(catalog.admin, property.id, made.id, '=1+1');
  await catalog.resource({ title: 'other', integrationId });
  const text = await download({ filter: onlyOf(integrationId) });
  const [first, second, third] = rowsIn(text);
  expect(first).toMatchObject({
    ...{ id: made.id, kind: 'table', title: 'orders', description: 'One row,\nper order' },
    ...{ owners: 'anna@example.com', tags: 'a;; b', teams: 'Finance "EU"', verified: 'true' },
    'property:Kept, for': "'=1+1",
  });
  expect([second?.title, third]).toEqual(['other', undefined]);
  expect(await update(text)).toMatchObject({
    ...{ lines: 2, matched: 0, updated: 0, failed: [], differences: [], job: null },
    ignored_columns: ['kind', 'title_full'],
  });
});

test('a dry run shows what differs, and the same file then changes just that', async () => {
  const property = await catalog.property({ name: 'Stage', valueType: 'number' });
  await catalog.tag({ name: 'gold' });
  const { id, titleFull } = await catalog.resource({ title: 'sales', description: 'Old' });
  const file = ['id;description;tags;pii;property:Stage', `${id};New;Gold;TRUE;5`, ''].join('\r\n');
  const tried = await update(file, true);
  expect(tried).toMatchObject({ matched: 1, updated: 1, failed: [] });
  expect(tried.differences).toEqual([
    { id, title_full: titleFull, column: 'description', before: 'Old', after: 'New' },
    { id, title_full: titleFull, column: 'tags', before: '', after: 'Gold' },
    { id, title_full: titleFull, column: 'pii', before: 'false', after: 'TRUE' },
    { id, title_full: titleFull, column: 'property:Stage', before: '', after: '5' },
  ]);
  const columns = 'id,title,description,tags,pii,property:Stage';
  const read = async () => rowsIn(await download({ columns })).find((one) => one.id === id);
  expect(await read()).toMatchObject({ description: 'Old', tags: '', pii: 'false' });
  expect(await update(file)).toMatchObject({ matched: 1, updated: 1, failed: [] });
  expect(await read()).toEqual({
    ...{ id, title: 'sales', description: 'New', tags: 'gold', pii: 'true', 'property:Stage': '5' },
  });
  // An empty cell clears, and what is not in the file stays.
  await update(`id,description\n${id},\n`);
  expect(await read()).toMatchObject({ description: '', tags: 'gold' });
  await setValue(catalog.admin, property.id, id, '');
});

test('synonyms and status of terms, and deprecation, are taken out and come back as an import calls them', async () => {
  const next = await catalog.resource({ title: 'visits_v2' });
  const old = await catalog.resource({ title: 'visits' });
  const deprecation = { since: new Date(0), successorId: next.id };
  await updateResource(catalog.admin, old.id, { deprecation });
  const term = await catalog.resource({
    ...{ kind: 'glossary', title: 'Visit', synonyms: ['click', 'hit; run'] },
  });
  const columns = 'id,synonyms,term_status,deprecated,deprecation_note';
  const read = async (id: string) =>
    rowsIn(await download({ columns })).find((one) => one.id === id);
  const plain = { synonyms: '', term_status: '', deprecation_note: '' };
  expect(await read(old.id)).toEqual({ ...plain, id: old.id, deprecated: 'true' });
  expect(await read(term.id)).toMatchObject({
    ...{ synonyms: 'click; hit;; run', term_status: 'draft', deprecated: 'false' },
  });
  const answer = await update(
    [columns, `${old.id},,,true,Late.`, `${term.id},hit;sessions,approved,false,`].join('\n'),
  );
  expect(answer).toMatchObject({ matched: 2, updated: 2, failed: [] });
  const stored = await catalog.database.prisma.resource.findMany({
    where: { id: { in: [old.id, term.id] } },
    select: {
      title: true,
      synonyms: true,
      termStatus: true,
      successorId: true,
      deprecatedAt: true,
    },
    orderBy: { title: 'asc' },
  });
  expect(stored).toEqual([
    expect.objectContaining({ synonyms: ['hit', 'sessions'], termStatus: 'approved' }),
    expect.objectContaining({ successorId: next.id, deprecatedAt: new Date(0) }),
  ]);
  await update(`id,deprecated\n${old.id},false\n${next.id},TRUE\n`);
  expect([await read(old.id), await read(next.id)]).toEqual([
    { ...plain, id: old.id, deprecated: 'false' },
    { ...plain, id: next.id, deprecated: 'true' },
  ]);
  const { failed } = await update(
    `id,deprecated,deprecation_note,term_status\n${old.id},false,Late.,\n${term.id},false,,fine\n`,
  );
  expect(failed.map((one: { message: string }) => one.message).sort()).toEqual([
    'deprecation_note: Only what is deprecated has a note.',
    expect.stringContaining('Use draft, in_review or approved'),
  ]);
});

test('related terms are taken out by their full names, and come back', async () => {
  const [net, order, visit] = await Promise.all(
    ['Net; sales', 'Order', 'Session'].map((title) =>
      catalog.resource({ kind: 'glossary', title }),
    ),
  );
  if (!net || !order || !visit) throw new Error('Three terms are made.');
  await updateResource(catalog.admin, order.id, { relatedTermIds: [net.id, visit.id] });
  const read = async (id: string) =>
    rowsIn(await download({ columns: 'id,related_terms' })).find((one) => one.id === id);
  expect(await read(order.id)).toMatchObject({ related_terms: 'Net;; sales; Session' });
  expect(await read(net.id)).toMatchObject({ related_terms: 'Order' });
  const same = await update(`id,related_terms\n${order.id},session;net;; sales\n${net.id},Order\n`);
  expect(same).toMatchObject({ matched: 0, updated: 0 });
  const answer = await update(
    `id,related_terms\n${order.id},SESSION\n${net.id},Session; Nowhere\n`,
  );
  expect(answer).toMatchObject({ matched: 2, updated: 1 });
  expect(answer.failed).toMatchObject([
    { id: net.id, message: 'related_terms: There is no Nowhere.' },
  ]);
  expect(await read(order.id)).toMatchObject({ related_terms: 'Session' });
  await update(`id,related_terms\n${visit.id},\n`);
  expect(await read(order.id)).toMatchObject({ related_terms: '' });
});

test('each line that is wrong is named, and keeps none of the others', async () => {
  const one = await catalog.resource({ title: 'one' });
  const two = await catalog.resource({ title: 'two' });
  const three = await catalog.resource({ title: 'three' });
  const gone = '00000000-0000-4000-8000-000000000001';
  const answer = await update(
    [
      'id,version,title,owners,verified',
      `${one.id},${one.version},first,,true`,
      `${two.id},${two.version},two,nobody@example.com,perhaps`,
      `${three.id},7,third,,false`,
      `${gone},1,x,,false`,
    ].join('\n'),
  );
  expect(answer).toMatchObject({ lines: 4, matched: 3, updated: 1 });
  const failed = new Map(
    answer.failed.map((why: { id: string; code: string; message: string }) => [why.id, why]),
  );
  expect(failed.get(gone)).toMatchObject({ code: 'NOT_FOUND' });
  expect(failed.get(three.id)).toMatchObject({ code: 'CONFLICT' });
  expect(failed.get(two.id)).toMatchObject({
    message: expect.stringMatching(/nobody@example\.com.*Use true or false/),
  });
});

test.each([
  ['id,colour\nx,y\n', /no column "colour".*There are id, version/],
  ['title\nx\n', /column id/],
  ['id,title\nx,y\n', /Line 2 has no id/],
  ['id,title,title\n', /title is there twice/],
  ['', /empty/],
  ['id,"title\n', /not CSV/],
])('%j is refused in words', async (content, message) => {
  const { status, body } = await catalog.rest('PATCH', '/resource/csv', { body: { content } });
  expect([status, body.detail]).toEqual([400, expect.stringMatching(message)]);
});

test('an unknown column, kind or filter of a download is refused in words', async () => {
  for (const [query, message] of [
    ['columns=id,colour', /no column "colour"/],
    ['type=tabel', /table/],
    ['filter=x', /JSON/],
  ] as const) {
    const { status, body } = await catalog.rest('GET', `/resource/csv?${query}`);
    expect([status, body.detail]).toEqual([400, expect.stringMatching(message)]);
  }
});

test('some resources are one file in GraphQL, as the download has them', async () => {
  const shown = await catalog.resource({ title: 'chosen', published: true });
  const hidden = await catalog.resource({ title: 'not for viewers', published: false });
  const query =
    'query ($ids: [ID!]!, $columns: [String!]) { resourcesCsv(ids: $ids, columns: $columns) }';
  const ids = [shown.id, hidden.id];
  const { data } = await catalog.graphql(query, { ids }, { as: 'viewer' });
  const filter = JSON.stringify({ operator: 'in', field: 'id', value: [shown.id] });
  expect(data.resourcesCsv).toBe(await download({ filter }));
  const two = await catalog.graphql(query, { ids, columns: ['id', 'title'] });
  expect(rowsIn(two.data.resourcesCsv)).toEqual([
    { id: shown.id, title: 'chosen' },
    { id: hidden.id, title: 'not for viewers' },
  ]);
  for (const [wrong, message] of [
    [{ ids: [] }, /1 to 500/],
    [{ ids: Array.from({ length: 501 }, () => shown.id) }, /1 to 500/],
    [{ ids, columns: ['colour'] }, /no column "colour"/],
  ] as const) {
    const { errors } = await catalog.graphql(query, wrong);
    expect(errors?.[0]).toMatchObject({
      ...{ message: expect.stringMatching(message), extensions: { code: 'BAD_REQUEST' } },
    });
  }
});

test('a viewer downloads what it may see, and changes nothing', async () => {
  const { id } = await catalog.resource({ title: 'secret', published: false });
  const caller = { as: 'viewer' } as const;
  const { text } = await catalog.rest('GET', '/resource/csv', { caller });
  expect(text).not.toContain(id);
  const body = { content: `id,title\n${id},x\n` };
  expect((await catalog.rest('PATCH', '/resource/csv', { caller, body })).status).toBe(403);
});

test.each(['plain', '=1', "'=1", "''+", '-5', '@x', '\tx', "'quoted'", 'a,"b"\n;c', ''])(
  'the cell of %j is its text again, and no formula',
  (text) => {
    const [[cell = ''] = []] = parse(`${cellOf(text)},end`, { delimiter: ',' });
    expect(cell).not.toMatch(/^[=+\-@\t\r]/);
    expect(textOf(cell)).toBe(text);
  },
);

test('several names in a cell are the same again', () => {
  const names = ['a', 'b; c', 'd'];
  expect(parted(joined(names))).toEqual(names);
});
