// Announcements: who makes, sees and changes them, where and when they are shown, and whom they notify.

import { expect, test } from 'vitest';
import { mergeResources } from '../../src/integrations/claims/merge-resources.ts';
import { listInbox } from '../../src/notifications/inbox.ts';
import { archiveResource } from '../../src/resources/editing/archive.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { notifyOfChanges } from '../notifications/work-off.ts';

type Caller = 'admin' | 'editor' | 'viewer' | 'guest';

const codeOf = ({ errors }: { errors?: readonly { extensions?: unknown }[] | undefined }) =>
  errors?.map(({ extensions }) => Reflect.get(Object(extensions), 'code'))[0];

const announce = (catalog: Catalog, input: object, as: Caller = 'editor') =>
  catalog.graphql(
    'mutation ($input: CreateAnnouncementInput!) { createAnnouncement(input: $input) { id version } }',
    { input },
    { as },
  );

const change = (catalog: Catalog, id: string, input: object, as: Caller = 'editor') =>
  catalog.graphql(
    `mutation ($id: ID!, $input: UpdateAnnouncementInput!) {
      updateAnnouncement(id: $id, input: $input) { version endsAt } }`,
    { id, input },
    { as },
  );

const remove = (catalog: Catalog, id: string, as: Caller = 'editor') =>
  catalog.graphql('mutation ($id: ID!) { deleteAnnouncement(id: $id) { id } }', { id }, { as });

const textsOf = (list: readonly { text: string }[]) => list.map(({ text }) => text);

const on = async (catalog: Catalog, id: string, as: Caller = 'admin') => {
  const { data } = await catalog.graphql(
    'query ($id: ID!) { resource(id: $id) { announcements { text } } }',
    { id },
    { as },
  );
  return textsOf(data.resource.announcements);
};

const list = async (catalog: Catalog, args: string, as: Caller = 'admin') => {
  const { data } = await catalog.graphql(
    `{ announcements(first: 50, ${args}) { nodes { text mayChange } } }`,
    {},
    { as },
  );
  return data.announcements.nodes;
};

const listed = async (catalog: Catalog, args: string, as: Caller = 'admin') =>
  textsOf(await list(catalog, args, as));

const day = (n: number) => new Date(Date.UTC(2026, 0, n)).toISOString();

test('are shown on what they are about and all that lies in it, warnings first, while they are current', async () => {
  await using catalog = await openCatalog();
  catalog.setTime(new Date(day(10)));
  const database = await catalog.resource({ kind: 'database' });
  const schema = await catalog.resource({ kind: 'schema', parentId: database.id });
  const table = await catalog.resource({ parentId: schema.id });
  const column = await catalog.resource({ kind: 'column', parentId: table.id });
  const other = await catalog.resource();
  const of = { resourceId: table.id };
  await announce(catalog, { resourceId: database.id, text: 'It moves', startsAt: day(1) });
  await announce(catalog, { ...of, text: 'It is late', severity: 'WARNING', startsAt: day(2) });
  await announce(catalog, { ...of, text: 'It is new', startsAt: day(3) });
  await announce(catalog, { ...of, text: 'It ends', startsAt: day(4), endsAt: day(11) });
  await announce(catalog, { ...of, text: 'It comes', startsAt: day(12) });
  expect(await on(catalog, database.id)).toEqual(['It moves']);
  expect(await on(catalog, schema.id)).toEqual(['It moves']);
  const all = ['It is late', 'It ends', 'It is new', 'It moves'];
  expect(await on(catalog, table.id)).toEqual(all);
  expect(await on(catalog, column.id)).toEqual(all);
  expect(await on(catalog, other.id)).toEqual([]);
  const ofTable = `resourceId: "${table.id}"`;
  expect(await listed(catalog, ofTable)).toHaveLength(4);
  expect(await listed(catalog, `${ofTable}, current: false`)).toEqual(['It comes']);
  // It begins with its first moment, and ends before its last one.
  catalog.setTime(new Date(day(11)));
  expect(await on(catalog, table.id)).toEqual(['It is late', 'It is new', 'It moves']);
  catalog.setTime(new Date(day(12)));
  expect((await on(catalog, table.id))[1]).toBe('It comes');
  expect(await listed(catalog, `${ofTable}, current: false`)).toEqual(['It ends']);
  expect(catalog.unexpected).toEqual([]);
});

test('of many resources are read in one statement', async () => {
  await using catalog = await openCatalog();
  const schema = await catalog.resource({ kind: 'schema' });
  await announce(catalog, { resourceId: schema.id, text: 'It moves' });
  const count = async () => {
    const { value, statements } = await catalog.counting(() =>
      catalog.graphql(
        '{ resources(where: { kind: { eq: table } }) { nodes { announcements { text } } } }',
      ),
    );
    return {
      tables: value.data.resources.nodes,
      statements: statements.filter((text) => !/\bapi_key\b/.test(text)),
    };
  };
  await catalog.resource({ parentId: schema.id });
  const one = await count();
  for (let n = 0; n < 5; n += 1) await catalog.resource({ parentId: schema.id });
  const six = await count();
  expect(six.tables).toEqual(
    Array.from({ length: 6 }, () => ({ announcements: [{ text: 'It moves' }] })),
  );
  expect(six.statements).toEqual(one.statements);
});

test('are seen by those who see what they are about, and by everyone where they are to everyone', async () => {
  await using catalog = await openCatalog();
  const hidden = await catalog.resource({ kind: 'schema', published: false });
  const table = await catalog.resource({ parentId: hidden.id, published: true });
  await announce(catalog, { resourceId: hidden.id, text: 'Between editors' });
  await announce(catalog, { resourceId: table.id, text: 'Of the table' });
  await announce(catalog, { text: 'To everyone' }, 'admin');
  expect((await on(catalog, table.id, 'editor')).sort()).toEqual([
    'Between editors',
    'Of the table',
  ]);
  expect(await on(catalog, table.id, 'viewer')).toEqual(['Of the table']);
  expect(await listed(catalog, '', 'editor')).toEqual([
    'To everyone',
    'Of the table',
    'Between editors',
  ]);
  const ofHidden = `{ announcements(first: 50, resourceId: "${hidden.id}") { nodes { text } } }`;
  const { data, errors } = await catalog.graphql(ofHidden, {}, { as: 'viewer' });
  expect([data, errors?.[0]?.extensions.code]).toEqual([null, 'NOT_FOUND']);
  expect(await listed(catalog, '', 'guest')).toEqual(['To everyone']);
  expect(await listed(catalog, 'toEveryone: true, current: true', 'viewer')).toEqual([
    'To everyone',
  ]);
  expect(await listed(catalog, 'toEveryone: false', 'viewer')).toEqual(['Of the table']);
  await archiveResource(catalog.admin, table.id);
  expect(await listed(catalog, 'toEveryone: false')).toEqual(['Between editors']);
});

test('are made and changed by editors, those to everyone by admins', async () => {
  await using catalog = await openCatalog();
  const { id: resourceId } = await catalog.resource({ published: true });
  const one = (await announce(catalog, { resourceId, text: 'One' })).data.createAnnouncement.id;
  const all = (await announce(catalog, { text: 'All' }, 'admin')).data.createAnnouncement.id;
  for (const as of ['viewer', 'guest'] as const) {
    expect(codeOf(await announce(catalog, { resourceId, text: 'x' }, as))).toBe('FORBIDDEN');
    expect(codeOf(await change(catalog, one, { text: 'x' }, as))).toBe('FORBIDDEN');
    expect(codeOf(await remove(catalog, one, as))).toBe('FORBIDDEN');
  }
  expect(codeOf(await announce(catalog, { text: 'x' }))).toBe('FORBIDDEN');
  expect(codeOf(await change(catalog, all, { text: 'x' }))).toBe('FORBIDDEN');
  expect(codeOf(await remove(catalog, all))).toBe('FORBIDDEN');
  expect(await list(catalog, '', 'editor')).toEqual([
    { text: 'All', mayChange: false },
    { text: 'One', mayChange: true },
  ]);
  expect(
    (await list(catalog, '', 'admin')).map((a: { mayChange: boolean }) => a.mayChange),
  ).toEqual([true, true]);
  expect(
    (await change(catalog, one, { severity: 'WARNING' })).data.updateAnnouncement.version,
  ).toBe(2);
  expect(
    (await change(catalog, one, { severity: 'WARNING' })).data.updateAnnouncement.version,
  ).toBe(2);
  expect(codeOf(await remove(catalog, one))).toBeUndefined();
  expect(codeOf(await remove(catalog, one))).toBe('NOT_FOUND');
  await using theirs = await catalog.another();
  expect(codeOf(await change(theirs, all, { text: 'x' }, 'admin'))).toBe('NOT_FOUND');
  expect(codeOf(await announce(theirs, { resourceId, text: 'x' }))).toBe('NOT_FOUND');
  expect(await listed(theirs, '')).toEqual([]);
  expect(catalog.unexpected).toEqual([]);
});

test('need a text, and an end that is after the beginning', async () => {
  await using catalog = await openCatalog();
  const { id: resourceId } = await catalog.resource();
  const times = { startsAt: day(5), endsAt: day(6) };
  const made = await announce(catalog, { resourceId, text: 'y'.repeat(2_000), ...times });
  const { id } = made.data.createAnnouncement;
  for (const text of ['', ' \n', 'y'.repeat(2_001), 'a\u0000b']) {
    expect(codeOf(await announce(catalog, { resourceId, text }))).toBe('BAD_REQUEST');
    expect(codeOf(await change(catalog, id, { text }))).toBe('BAD_REQUEST');
  }
  for (const wrong of [
    { startsAt: day(6) },
    { endsAt: day(5) },
    { severity: null, endsAt: day(1) },
  ]) {
    expect(codeOf(await change(catalog, id, wrong))).toBe('BAD_REQUEST');
  }
  expect(codeOf(await announce(catalog, { resourceId, text: 'x', endsAt: day(1) }))).toBe(
    'BAD_REQUEST',
  );
  const { data } = await change(catalog, id, { startsAt: null, severity: null, endsAt: null });
  expect(data.updateAnnouncement).toEqual({ version: 2, endsAt: null });
  await archiveResource(catalog.admin, resourceId);
  expect(codeOf(await announce(catalog, { resourceId, text: 'x' }))).toBe('NOT_FOUND');
  expect(codeOf(await remove(catalog, id))).toBe('NOT_FOUND');
  expect(codeOf(await announce(catalog, { resourceId: 'x', text: 'x' }))).toBe('NOT_FOUND');
  expect(codeOf(await change(catalog, 'x', { text: 'x' }))).toBe('NOT_FOUND');
  expect(catalog.unexpected).toEqual([]);
});

test('notify those who follow the resource, of each text once', async () => {
  await using catalog = await openCatalog();
  const marta = await catalog.user({ email: 'marta@example.com', role: 'viewer' });
  const common = { subscriberIds: [marta.id], title: 'orders' };
  const { id: resourceId } = await catalog.resource({ ...common, published: true });
  const { id: hidden } = await catalog.resource({ ...common, published: false });
  const inbox = async () =>
    (await listInbox(catalog.contextOf(marta), {}, { first: 50 })).nodes.map(({ content }) =>
      Reflect.get(Object(content), 'lines'),
    );
  const made = await announce(catalog, { resourceId, text: 'It is late,\n\nsee **#data**' });
  await announce(catalog, { resourceId: hidden, text: 'Between editors' });
  await announce(catalog, { text: 'To everyone' }, 'admin');
  await notifyOfChanges(catalog);
  const said = ['- announcement: It is late, see **#data**, by editor Example'];
  expect(await inbox()).toEqual([said]);
  const { id } = made.data.createAnnouncement;
  await change(catalog, id, { severity: 'WARNING' });
  await notifyOfChanges(catalog);
  expect(await inbox()).toEqual([said]);
  await change(catalog, id, { text: 'It is there' });
  await notifyOfChanges(catalog);
  expect(await inbox()).toEqual([['- announcement: It is there, by editor Example'], said]);
});

test('go on with the resource that theirs is merged into', async () => {
  await using catalog = await openCatalog();
  const [keep, merge] = [await catalog.resource(), await catalog.resource()];
  await announce(catalog, { resourceId: keep.id, text: 'Of the one' });
  await announce(catalog, { resourceId: merge.id, text: 'Of the other' });
  await mergeResources(catalog.admin, { keep: keep.id, merge: merge.id });
  expect((await on(catalog, merge.id)).sort()).toEqual(['Of the one', 'Of the other']);
  expect(await listed(catalog, `resourceId: "${merge.id}"`)).toHaveLength(2);
});

test('two people who end and delete one at once meet no error', async () => {
  await using catalog = await openCatalog();
  const { id: resourceId } = await catalog.resource();
  const made = await announce(catalog, { resourceId, text: 'One', startsAt: day(1) });
  const { id } = made.data.createAnnouncement;
  const done = await Promise.all([
    ...[1, 2].map(() => change(catalog, id, { endsAt: day(2) })),
    remove(catalog, id),
    remove(catalog, id),
  ]);
  const codes = done.map(codeOf);
  expect(codes.slice(2).sort()).toEqual(['NOT_FOUND', undefined]);
  for (const code of codes) expect([undefined, 'NOT_FOUND']).toContain(code);
  expect(await listed(catalog, '')).toEqual([]);
  expect(catalog.unexpected).toEqual([]);
});

test('are listed in pages, made, changed and deleted over REST', async () => {
  await using catalog = await openCatalog();
  const table = await catalog.resource({ title: 'orders' });
  const as = (caller: Caller) => ({ caller: { as: caller } });
  const body = { resource: table.id, text: 'Late.', severity: 'WARNING', ends_at: day(9_999) };
  const made = await catalog.rest('POST', '/announcements', { body, ...as('editor') });
  expect([made.status, made.body]).toMatchObject([
    201,
    {
      ...{ resource: table.id, text: 'Late.', severity: 'WARNING', ends_at: day(9_999) },
      ...{ author: catalog.idOf('editor'), version: 1 },
    },
  ]);
  const everyone = { text: 'To everyone.' };
  const refused = await catalog.rest('POST', '/announcements', { body: everyone, ...as('editor') });
  expect([refused.status, refused.body.code]).toEqual([403, 'FORBIDDEN']);
  expect((await catalog.rest('POST', '/announcements', { body: everyone })).body).toMatchObject({
    ...{ resource: null, severity: 'INFO', ends_at: null },
  });
  const listOf = async (query: string) => {
    const { body: page } = await catalog.rest('GET', `/announcements?${query}`, as('viewer'));
    return [page.count, textsOf(page.results)];
  };
  expect(await listOf('page_size=1')).toEqual([2, ['To everyone.']]);
  expect(await listOf('page_size=1&page=2')).toEqual([2, ['Late.']]);
  expect(await listOf(`resource_id=${table.id}`)).toEqual([1, ['Late.']]);
  expect(await listOf('to_everyone=true')).toEqual([1, ['To everyone.']]);
  expect(await listOf('current=false')).toEqual([0, []]);

  const path = `/announcements/${made.body.id}`;
  const changed = await catalog.rest('PATCH', path, { body: { ends_at: null }, ...as('editor') });
  expect(changed.body).toMatchObject({ text: 'Late.', ends_at: null, version: 2 });
  const early = { body: { ends_at: day(1), starts_at: day(2) }, ...as('editor') };
  expect((await catalog.rest('PATCH', path, early)).body).toMatchObject({ code: 'BAD_REQUEST' });
  expect((await catalog.rest('DELETE', path, as('viewer'))).status).toBe(403);
  expect((await catalog.rest('DELETE', path, as('editor'))).status).toBe(204);
  expect((await catalog.rest('DELETE', path, as('editor'))).status).toBe(404);
  expect(await listOf('')).toEqual([1, ['To everyone.']]);
});
