// Comments on resources: who reads, changes and deletes them, whom they notify, and what becomes of them.

import { expect, test } from 'vitest';
import { mergeResources } from '../../src/integrations/claims/merge-resources.ts';
import { listInbox } from '../../src/notifications/inbox.ts';
import { archiveResource } from '../../src/resources/editing/archive.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { workOff } from '../notifications/work-off.ts';

type Caller = 'admin' | 'editor' | 'viewer' | 'guest';

const codeOf = ({ errors }: { errors?: readonly { extensions?: unknown }[] | undefined }) =>
  errors?.map(({ extensions }) => Reflect.get(Object(extensions), 'code'))[0];

const say = (catalog: Catalog, resourceId: string, text: string, as: Caller = 'editor') =>
  catalog.graphql(
    'mutation ($input: CreateCommentInput!) { createComment(input: $input) { id version text } }',
    { input: { resourceId, text } },
    { as },
  );

const change = (catalog: Catalog, id: string, text: string | null, as: Caller) =>
  catalog.graphql(
    'mutation ($id: ID!, $text: String) { updateComment(id: $id, input: { text: $text }) { text version } }',
    { id, text },
    { as },
  );

const remove = (catalog: Catalog, id: string, as: Caller) =>
  catalog.graphql('mutation ($id: ID!) { deleteComment(id: $id) { id } }', { id }, { as });

const read = async (catalog: Catalog, id: string, as: Caller = 'admin', first = 50) => {
  const { data } = await catalog.graphql(
    `query ($id: ID!, $first: Int!) { resource(id: $id) { comments(first: $first) { totalCount
      pageInfo { hasNextPage } nodes { id text mayChange mayDelete author { name } } } } }`,
    { id, first },
    { as },
  );
  return data.resource?.comments;
};

test('are read by those who see the resource, changed by their author, deleted by editors too', async () => {
  await using catalog = await openCatalog();
  const team = await catalog.team({ addMemberIds: [catalog.idOf('guest')] });
  const shown = await catalog.resource({ published: true, teamIds: [team.id] });
  const first = (await say(catalog, shown.id, 'By a viewer', 'viewer')).data.createComment.id;
  const second = (await say(catalog, shown.id, 'By an editor')).data.createComment.id;
  expect(await read(catalog, shown.id, 'viewer')).toMatchObject({
    totalCount: 2,
    nodes: [
      { id: second, mayChange: false, mayDelete: false, author: { name: 'editor Example' } },
      { id: first, mayChange: true, mayDelete: true, author: { name: 'viewer Example' } },
    ],
  });
  expect(await read(catalog, shown.id, 'guest')).toMatchObject({
    nodes: [
      { text: 'By an editor', mayDelete: false, author: null },
      { text: 'By a viewer', mayDelete: false, author: null },
    ],
  });
  expect(await read(catalog, shown.id, 'admin', 1)).toMatchObject({
    pageInfo: { hasNextPage: true },
    nodes: [{ id: second }],
  });
  expect(codeOf(await say(catalog, shown.id, 'x', 'guest'))).toBe('FORBIDDEN');
  expect(codeOf(await change(catalog, first, 'x', 'admin'))).toBe('FORBIDDEN');
  expect(codeOf(await change(catalog, second, 'x', 'viewer'))).toBe('FORBIDDEN');
  expect(codeOf(await remove(catalog, second, 'viewer'))).toBe('FORBIDDEN');
  expect((await change(catalog, first, 'Anew', 'viewer')).data.updateComment).toEqual({
    text: 'Anew',
    version: 2,
  });
  expect(codeOf(await remove(catalog, first, 'editor'))).toBeUndefined();
  expect(codeOf(await remove(catalog, first, 'viewer'))).toBe('NOT_FOUND');
  expect(await read(catalog, shown.id)).toMatchObject({ totalCount: 1 });

  // What one may not see has no comments, and they are not there to be changed.
  const hidden = await catalog.resource({ published: false });
  const { id } = (await say(catalog, hidden.id, 'Between editors')).data.createComment;
  expect(await read(catalog, hidden.id, 'viewer')).toBeUndefined();
  expect(codeOf(await say(catalog, hidden.id, 'x', 'viewer'))).toBe('NOT_FOUND');
  expect(codeOf(await remove(catalog, id, 'viewer'))).toBe('NOT_FOUND');
  expect(catalog.unexpected).toEqual([]);
});

test('need a text of no more than 10,000 characters, and a resource that is there', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.resource();
  const { data } = await say(catalog, id, 'y'.repeat(10_000));
  for (const text of ['', ' \n', 'y'.repeat(10_001), 'a\u0000b', '\ud800']) {
    expect(codeOf(await say(catalog, id, text))).toBe('BAD_REQUEST');
    expect(codeOf(await change(catalog, data.createComment.id, text, 'editor'))).toBe(
      'BAD_REQUEST',
    );
  }
  expect(codeOf(await change(catalog, data.createComment.id, null, 'editor'))).toBe('BAD_REQUEST');
  expect(codeOf(await say(catalog, 'x', 'y'))).toBe('NOT_FOUND');
  expect(codeOf(await remove(catalog, 'x', 'editor'))).toBe('NOT_FOUND');
  await archiveResource(catalog.admin, id);
  expect(codeOf(await say(catalog, id, 'y'))).toBe('NOT_FOUND');
  expect(await read(catalog, id)).toMatchObject({ totalCount: 1 });
  await using theirs = await catalog.another();
  const other = await theirs.resource();
  expect(codeOf(await say(catalog, other.id, 'y'))).toBe('NOT_FOUND');
  expect(codeOf(await remove(theirs, data.createComment.id, 'admin'))).toBe('NOT_FOUND');
  expect(catalog.unexpected).toEqual([]);
});

test('notify whom they mention, once, where those may see the resource', async () => {
  await using catalog = await openCatalog();
  const marta = await catalog.user({ email: 'marta@example.com', role: 'viewer' });
  const inbox = async () =>
    (await listInbox(catalog.contextOf(marta), {}, { first: 50 })).nodes.map(
      ({ content }) => content,
    );
  const mention = `[@Marta](user:${marta.id})`;
  const { id: hidden } = await catalog.resource({ published: false });
  await say(catalog, hidden, `Look, ${mention}`);
  const { id: shown } = await catalog.resource({ title: 'orders', published: true });
  const comment = (await say(catalog, shown, `Look, ${mention}`)).data.createComment;
  await change(catalog, comment.id, `Look again, ${mention}`, 'editor');
  await workOff(catalog);
  expect(await inbox()).toEqual([
    expect.objectContaining({
      title: 'editor Example mentioned you in orders',
      text: 'A comment on it mentions you.',
      resources: [shown],
    }),
  ]);
});

test('notify owners, members of owning groups and followers once, but not who wrote it, nor who may not see it', async () => {
  await using catalog = await openCatalog();
  const user = (name: string, more = {}) =>
    catalog.user({ email: `${name}@example.com`, role: 'viewer', ...more });
  const owner = await user('owner');
  const member = await user('member');
  const follower = await user('follower');
  const mentioned = await user('mentioned');
  const left = await user('left');
  const outside = await user('outside', { role: 'guest' });
  const group = await catalog.group({
    memberIds: [member.id, owner.id, catalog.idOf('editor'), left.id],
  });
  await catalog.database.prisma.user.updateMany({
    where: { id: left.id },
    data: { archived: true },
  });
  const { id } = await catalog.resource({
    ...{ title: 'orders', published: true, ownerIds: [owner.id, mentioned.id, outside.id] },
    ...{ ownerGroupIds: [group.id], subscriberIds: [follower.id, catalog.idOf('editor')] },
  });
  const told = async () => {
    await workOff(catalog);
    const all = [owner, member, follower, mentioned, outside];
    const lists = await Promise.all(
      all.map((one) => listInbox(catalog.contextOf(one), {}, { first: 50 })),
    );
    return lists.map(({ nodes }) => nodes.map(({ event, content }) => ({ event, content })));
  };
  const text = `Late again. [@M](user:${mentioned.id})`;
  const { data } = await say(catalog, id, text);
  const one = (event: string, title: string) => [
    { event, content: expect.objectContaining({ title, resources: [id] }) },
  ];
  const commented = one('commented', 'editor Example commented on orders');
  const expected = [
    ...[commented, commented, commented],
    ...[one('mentioned', 'editor Example mentioned you in orders'), []],
  ];
  expect(await told()).toEqual(expected);
  const own = await catalog.graphql('{ myNotifications { totalCount } }', {}, { as: 'editor' });
  expect(own.data.myNotifications.totalCount).toBe(0);
  // A change of its text is no new comment.
  await change(catalog, data.createComment.id, `${text} Really.`, 'editor');
  expect(await told()).toEqual(expected);
});

test('are listed, written, changed and deleted over REST', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.resource({ published: true });
  const path = `/resource/all/${id}/comments`;
  const as = (name: Caller) => ({ caller: { as: name } }) as const;
  const made = await catalog.rest('POST', path, { body: { text: 'One' }, ...as('viewer') });
  expect([made.status, made.body]).toEqual([
    201,
    expect.objectContaining({ text: 'One', resource: id, author: catalog.idOf('viewer') }),
  ]);
  expect((await catalog.rest('POST', path, { body: { text: ' ' } })).status).toBe(400);
  expect((await catalog.rest('POST', path, { body: { text: 'x' }, ...as('guest') })).status).toBe(
    403,
  );
  const own = `/resource/comments/${made.body.id}`;
  const change = { body: { text: 'Two' } };
  expect((await catalog.rest('PATCH', own, { ...change, ...as('editor') })).status).toBe(403);
  expect((await catalog.rest('PATCH', own, { ...change, ...as('viewer') })).body).toMatchObject({
    ...{ text: 'Two', version: 2 },
  });
  const list = await catalog.rest('GET', path, as('viewer'));
  expect(list.body).toMatchObject({ count: 1, results: [{ text: 'Two' }] });
  expect((await catalog.rest('DELETE', own, as('viewer'))).status).toBe(204);
  expect((await catalog.rest('GET', path)).body).toMatchObject({ count: 0, results: [] });
  const nowhere = `/resource/all/${made.body.id}/comments`;
  expect((await catalog.rest('GET', nowhere)).status).toBe(404);
});

test('go on with the resource that theirs is merged into', async () => {
  await using catalog = await openCatalog();
  const [keep, merge] = [await catalog.resource(), await catalog.resource()];
  await say(catalog, keep.id, 'Of the one');
  await say(catalog, merge.id, 'Of the other');
  await mergeResources(catalog.admin, { keep: keep.id, merge: merge.id });
  const { nodes } = await read(catalog, merge.id);
  expect(nodes.map(({ text }: { text: string }) => text).sort()).toEqual([
    'Of the one',
    'Of the other',
  ]);
});

test('two people who write and delete at once lose nothing and meet no error', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.resource({ published: true });
  const made = await Promise.all(
    Array.from({ length: 12 }, (_, n) => say(catalog, id, `c${n}`, n % 2 ? 'viewer' : 'editor')),
  );
  expect(made.map(codeOf)).toEqual(made.map(() => undefined));
  const { nodes } = await read(catalog, id);
  expect(nodes).toHaveLength(12);
  const gone = await Promise.all(
    [0, 1].map(() => remove(catalog, made[0]?.data.createComment.id, 'editor')),
  );
  expect(gone.map(codeOf).sort()).toEqual(['NOT_FOUND', undefined]);
  expect(catalog.unexpected).toEqual([]);
});
