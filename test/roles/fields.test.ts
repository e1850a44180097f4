// Who may set which field, asked over both APIs: what people say is theirs, what others rely on is not.

import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mustMaySet, type ResourceField, resourceFields } from '../../src/auth/field-permission.ts';
import { setValue } from '../../src/properties/assign.ts';
import { createResource, updateResource } from '../../src/resources/editing/edit.ts';
import {
  createQuestion,
  createReply,
  updateQuestion,
} from '../../src/resources/questions/question.ts';
import { getResource } from '../../src/resources/resource.ts';
import { search } from '../../src/resources/search/search.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await openCatalog();
});
afterAll(() => catalog[Symbol.asyncDispose]());

const editors = 'Editors and admins set it.';
const asViewer = { as: 'viewer' } as const;
const create =
  'mutation ($input: CreateQuestionInput!) { createQuestion(input: $input) { id title } }';

test('a viewer says everything that a question says, and labels it', async () => {
  const tag = await catalog.tag();
  const property = await catalog.property();
  const input = {
    ...{ title: 'Gross?', description: 'Of the total.', definition: '# Hm', priority: 'High' },
    ...{ answer: 'Net.', tagIds: [tag.id], assignedToId: catalog.idOf('editor') },
    subscriberIds: [catalog.idOf('viewer')],
  };
  const { data, errors } = await catalog.graphql(create, { input }, asViewer);
  expect(errors).toBeUndefined();
  const { id } = data.createQuestion;
  expect(await getResource(catalog.admin, id)).toMatchObject({
    ...{ title: 'Gross?', description: 'Of the total.', definition: '# Hm' },
    ...{ questionPriority: 'High', answer: 'Net.', tagIds: [tag.id] },
    subscriberIds: [catalog.idOf('viewer')],
  });
  const certifying = setValue(catalog.as('viewer'), property.id, id, 'certified');
  const message = editors;
  await expect(certifying).rejects.toMatchObject({
    ...{ code: 'FORBIDDEN', fields: [{ field: 'custom_properties', message }] },
  });
  await updateQuestion(catalog.as('viewer'), id, { title: 'Net?', answer: null, tagIds: [] });
  expect(await getResource(catalog.admin, id)).toMatchObject({
    ...{ title: 'Net?', questionStatus: 'Unanswered', tagIds: [] },
  });
});

/** A field as GraphQL and REST name it, and a value that would change it. */
const refused = (): [string, string, unknown, string?][] => [
  ['verified', 'verified', true],
  ['pii', 'pii', true],
  ['published', 'published', false],
  ['ownerIds', 'owners', [catalog.idOf('viewer')]],
  ['teamIds', 'teams', ['00000000-0000-4000-8000-000000000000']],
  ['collectionIds', 'collections', ['00000000-0000-4000-8000-000000000000']],
  [
    'subscriberIds',
    'subscribers',
    [catalog.idOf('editor')],
    'Editors and admins set it for others, everybody else only for themselves.',
  ],
];

test('what others rely on is refused to a viewer by the name of the field, over both APIs', async () => {
  for (const [inGraphql, inRest, value, said = editors] of refused()) {
    const input = { title: 'taken', [inGraphql]: value };
    const { data, errors } = await catalog.graphql(create, { input }, asViewer);
    expect([Object.values(data), errors?.[0]?.extensions], inGraphql).toEqual([
      [null],
      { code: 'FORBIDDEN', fields: [{ field: inGraphql, message: said }] },
    ]);
    const answer = await catalog.rest('POST', '/question/questions', {
      body: { title: 'taken', [inRest]: value },
      caller: asViewer,
    });
    expect(answer.body, inRest).toMatchObject({
      ...{ status: 403, code: 'FORBIDDEN', detail: `${inRest}: ${said}` },
      errors: [{ field: inRest, message: said }],
    });
  }
  expect(await taken(catalog)).toBe(0);
});

test('the same is refused when a viewer changes what they asked, and in what they reply', async () => {
  const own = await createQuestion(catalog.as('viewer'), { title: 'mine' });
  const reply = await createReply(catalog.as('viewer'), { parentId: own.id, definition: 'hm' });
  for (const [, inRest, value, said = editors] of refused()) {
    for (const path of [`/question/questions/${own.id}`, `/question/replies/${reply.id}`]) {
      const answer = await catalog.rest('PATCH', path, {
        body: { title: 'taken', [inRest]: value },
        caller: asViewer,
      });
      expect([answer.status, answer.body.errors], `${path} ${inRest}`).toEqual([
        403,
        [{ field: inRest, message: said }],
      ]);
    }
  }
  const all = { externalUsage: 9_007_199_254_740_991, nativeType: 'x', url: 'https://example.com' };
  const changing = updateResource(catalog.as('viewer'), own.id, { ...all, title: 'taken' });
  await expect(changing).rejects.toMatchObject({
    code: 'FORBIDDEN',
    fields: ['url', 'native_type', 'external_usage'].map((field) => ({ field, message: editors })),
  });
  expect(await taken(catalog)).toBe(0);
  expect(await getResource(catalog.admin, own.id)).toMatchObject({ title: 'mine', version: 1 });
});

const taken = ({ database, workspaceId }: Catalog) =>
  database.prisma.resource.count({ where: { workspaceId, title: 'taken' } });

test('a record that is sent back as it was read sets nothing that is refused', async () => {
  const made = await catalog.rest('POST', '/question/questions', {
    body: {
      ...{ title: 'whole', entity_type: 'question', published: true, pii: false, verified: false },
      ...{ teams: [], owners: [], owners_groups: [], collections: [], subscribers: [], tags: [] },
      ...{ integration: '', definition: '', description: '' },
    },
    caller: asViewer,
  });
  expect([made.status, made.text]).toEqual([201, expect.stringContaining('"whole"')]);
  const { title, published, pii, verified, teams, owners, collections, subscribers } = made.body;
  const record = { title, published, pii, verified, teams, owners, collections, subscribers };
  const path = `/question/questions/${made.body.id}`;
  const again = await catalog.rest('PATCH', path, {
    body: { ...record, definition: 'more' },
    caller: asViewer,
  });
  expect([again.status, again.body.definition]).toEqual([200, 'more']);
  // What an editor set stays as it is, and may be sent back as well.
  await updateResource(catalog.as('editor'), made.body.id, { verified: true });
  const kept = { body: { ...record, verified: true, title: 'whole' }, caller: asViewer };
  expect((await catalog.rest('PATCH', path, kept)).body.verified).toBe(true);
  const undone = await catalog.rest('PATCH', path, { body: record, caller: asViewer });
  expect(undone.body.errors).toEqual([{ field: 'verified', message: editors }]);
});

test('a record that is sent back as it was read leaves what its reader may not see', async () => {
  const hidden = await catalog.team({ type: 'CLOSED' });
  const open = await catalog.team({ type: 'OPEN' });
  const draft = await catalog.resource({ kind: 'collection', published: false });
  const { id } = await createQuestion(catalog.as('viewer'), { title: 'seen in part' });
  const sets = { teamIds: [hidden.id, open.id], collectionIds: [draft.id] };
  await updateResource(catalog.as('editor'), id, sets);
  const path = `/question/questions/${id}`;
  const { body: record } = await catalog.rest('GET', path, { caller: asViewer });
  expect(record).toMatchObject({ teams: [open.id], collections: [] });
  const { title, teams, collections } = record;
  const body = { title, teams, collections, definition: 'more' };
  expect((await catalog.rest('PATCH', path, { body, caller: asViewer })).status).toBe(200);
  const viewer = catalog.as('viewer');
  await updateQuestion(viewer, id, { removeCollectionIds: [draft.id], removeTeamIds: [hidden.id] });
  expect(await getResource(catalog.admin, id)).toMatchObject({ ...sets, definition: 'more' });
  // What is there and not seen is answered as what nothing has.
  for (const one of [draft.id, '00000000-0000-4000-8000-000000000000']) {
    await expect(updateQuestion(viewer, id, { addCollectionIds: [one] })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      fields: [{ field: 'collections', message: editors }],
    });
  }
});

test('a reply whose question is not seen any more stays with it', async () => {
  const question = await createQuestion(catalog.as('editor'), { title: 'hidden later' });
  const viewer = catalog.as('viewer');
  const reply = await createReply(viewer, { parentId: question.id, definition: 'hm' });
  await catalog.database.prisma.resource.update({
    where: { workspaceId_id: { workspaceId: catalog.workspaceId, id: question.id } },
    data: { published: false },
  });
  const path = `/resource/all/${reply.id}`;
  const { body: record } = await catalog.rest('GET', path, { caller: asViewer });
  expect(record.parent).toBeNull();
  for (const title of [record.title, 'Another title']) {
    const body = { title, parent: null, definition: 'indeed' };
    const changed = await catalog.rest('PATCH', path, { body, caller: asViewer });
    expect([changed.status, changed.body.definition]).toEqual([200, 'indeed']);
    expect(await getResource(catalog.admin, reply.id)).toMatchObject({
      parentId: question.id,
      titleFull: `hidden later.${title}`,
    });
  }
});

test('a viewer subscribes to their own question, and takes no one else from it', async () => {
  const own = await createQuestion(catalog.as('viewer'), { title: 'told' });
  await updateResource(catalog.as('editor'), own.id, { subscriberIds: [catalog.idOf('editor')] });
  const viewer = catalog.as('viewer');
  await updateQuestion(viewer, own.id, { addSubscriberIds: [catalog.idOf('viewer')] });
  const ids = [catalog.idOf('editor'), catalog.idOf('viewer')];
  expect((await getResource(catalog.admin, own.id)).subscriberIds).toEqual(ids);
  const alone = updateQuestion(viewer, own.id, { subscriberIds: [catalog.idOf('viewer')] });
  await expect(alone).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await updateQuestion(viewer, own.id, { removeSubscriberIds: [catalog.idOf('viewer')] });
  expect((await getResource(catalog.admin, own.id)).subscriberIds).toEqual([
    catalog.idOf('editor'),
  ]);
});

test('a question of a viewer cannot come before what others found good', async () => {
  const table = await catalog.resource({ title: 'revenue', verified: true, externalUsage: 900 });
  for (const input of [{ verified: true }, { externalUsage: 9_007_199_254_740_991 }]) {
    const asking = createQuestion(catalog.as('viewer'), { title: 'revenue', ...input });
    await expect(asking).rejects.toMatchObject({ code: 'FORBIDDEN' });
  }
  await createQuestion(catalog.as('viewer'), { title: 'revenue' });
  const { hits } = await search(catalog.as('viewer'), { query: 'revenue' });
  expect(hits.map(({ resource }) => resource.id)[0]).toBe(table.id);
  expect(hits).toHaveLength(2);
});

test('a key stands on what a source has, is given once, and is no one else’s', async () => {
  const { id: integrationId } = await catalog.integration();
  const field = 'databuilder_id';
  const owned = {
    code: 'FORBIDDEN',
    fields: [
      {
        field,
        message: 'The integration that the resource belongs to sets it, with its next import.',
      },
    ],
  };
  const keyed = { integrationId, databuilderId: 'shop.orders' };
  for (const kind of ['question', 'document', 'glossary', 'collection'] as const) {
    for (const ctx of [catalog.admin, catalog.as('editor')]) {
      const making = createResource(ctx, kind, keyed);
      await expect(making, kind).rejects.toMatchObject(owned);
    }
  }
  const viewers = createQuestion(catalog.as('viewer'), keyed);
  await expect(viewers).rejects.toMatchObject({
    code: 'FORBIDDEN',
    fields: [{ field: 'databuilder_id' }, { field: 'integration' }],
  });

  const table = await createResource(catalog.as('editor'), 'table', { ...keyed, title: 'orders' });
  const again = createResource(catalog.as('editor'), 'dashboard', { ...keyed, title: 'Orders' });
  const message = `The integration calls the table orders (${table.id}) by this key.`;
  await expect(again).rejects.toMatchObject({ code: 'CONFLICT', fields: [{ field, message }] });
  const change = { databuilderId: 'shop.other' };
  await expect(updateResource(catalog.admin, table.id, change)).rejects.toMatchObject(owned);
  await updateResource(catalog.admin, table.id, { databuilderId: 'shop.orders', title: 'Orders' });

  const byHand = await createResource(catalog.admin, 'table', { integrationId, title: 'by hand' });
  const same = updateResource(catalog.admin, byHand.id, { databuilderId: 'shop.orders' });
  await expect(same).rejects.toMatchObject({ code: 'CONFLICT', fields: [{ field }] });
  await updateResource(catalog.admin, byHand.id, change);
  expect((await getResource(catalog.admin, byHand.id)).databuilderId).toBe('shop.other');
});

test('editors set everything that is not a key', async () => {
  const [tag, user, group, team] = [
    await catalog.tag(),
    await catalog.user(),
    await catalog.group(),
    await catalog.team({ type: 'CLOSED' }),
  ];
  const collection = await catalog.resource({ kind: 'collection' });
  const question = await createQuestion(catalog.as('viewer'), { title: 'theirs' });
  const changed = await updateResource(catalog.as('editor'), question.id, {
    ...{
      verified: true,
      pii: true,
      published: false,
      externalUsage: 7,
      url: 'https://example.com',
    },
    ...{ tagIds: [tag.id], ownerIds: [user.id], ownerGroupIds: [group.id], teamIds: [team.id] },
    ...{ subscriberIds: [user.id], collectionIds: [collection.id], icon: '❓' },
  });
  expect(changed).toMatchObject({ verified: true, externalUsage: 7, teamIds: [team.id] });
});

test('the page of permissions says of every field who sets it, and nothing else', async () => {
  const page = await readFile(new URL('../../docs/permissions.md', import.meta.url), 'utf8');
  const fieldsOf = (who: string) => {
    const [, row = ''] = new RegExp(`^\\| ${who} \\| (.*) \\|$`, 'm').exec(page) ?? [];
    return [...row.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
  };
  const said = {
    speakers: fieldsOf('the person who asks or replies, and editors'),
    self: fieldsOf('each for oneself, editors for others'),
    editors: fieldsOf('editors'),
  };
  const all = [...said.speakers, ...said.self, ...said.editors];
  expect(all.sort()).toEqual([...resourceFields].sort());
  for (const field of resourceFields.filter(isField)) {
    const may = (role: 'viewer' | 'editor' | 'admin', owned: boolean) => {
      try {
        mustMaySet(catalog.as(role), [field], owned ? [field] : []);
        return true;
      } catch {
        return false;
      }
    };
    expect([may('viewer', false), may('editor', false), may('admin', false)], field).toEqual([
      ...[said.speakers.includes(field), true, true],
    ]);
    expect([may('editor', true), may('admin', true)], field).toEqual([false, false]);
  }
});

const isField = (name: string): name is ResourceField => resourceFields.includes(name);
