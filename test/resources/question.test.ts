// Questions, replies, votes and reactions, and how people use resources.

import { expect, test } from 'vitest';
import { archiveResource, restoreResource } from '../../src/resources/editing/archive.ts';
import { createResource, updateResource } from '../../src/resources/editing/edit.ts';
import {
  createQuestion,
  createReply,
  react,
  updateQuestion,
  updateReply,
  vote,
} from '../../src/resources/questions/question.ts';
import { getResource } from '../../src/resources/resource.ts';
import { bookmark, loadUsageDays, subscribe, viewResource } from '../../src/resources/usage.ts';
import { openCatalog } from '../catalog.ts';
import { feedJsonl } from '../integrations/imports/feed.ts';

test('a question is Unanswered until an answer is set, and again when it is taken back', async () => {
  await using catalog = await openCatalog();
  const asked = await createQuestion(catalog.as('viewer'), { title: 'Is it gross?' });
  expect(asked).toMatchObject({ questionStatus: 'Unanswered', published: true, answer: null });

  const answered = await updateQuestion(catalog.admin, asked.id, { answer: 'It is net.' });
  expect(answered).toMatchObject({ questionStatus: 'Answered', answer: 'It is net.' });

  const again = await updateQuestion(catalog.admin, asked.id, { answer: null });
  expect(again).toMatchObject({ questionStatus: 'Unanswered', answer: null, answeredById: null });
});

test('a question is Unanswered, and found as such, by whatever route it was made', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  const ids = [
    (await createQuestion(catalog.admin, { title: 'One?' })).id,
    (await createResource(catalog.admin, 'question', { title: 'Two?' })).id,
    (
      await catalog.rest('POST', '/resource/catalog', {
        body: { entity_type: 'question', title: 'Three?' },
      })
    ).body.id,
  ];
  const line = { entity_type: 'question', databuilder_id: 'four', title: 'Four?' };
  await feedJsonl(catalog, integration, { resources: [line] });
  const { data } = await catalog.graphql(`{
    resources(where: { kind: { eq: question }, questionStatus: { eq: Unanswered } }, first: 10) {
      totalCount nodes { id } } }`);
  expect(data.resources.totalCount).toBe(4);
  expect(data.resources.nodes.map(({ id }: { id: string }) => id)).toEqual(
    expect.arrayContaining(ids),
  );
});

test('a reply has a question, by whatever route it is made, and keeps one', async () => {
  await using catalog = await openCatalog();
  const { id: parentId } = await createQuestion(catalog.admin, { title: 'Which currency?' });
  const refused = { code: 'BAD_REQUEST', fields: [{ field: 'parent' }] };
  for (const none of [undefined, null, '']) {
    const making = createResource(catalog.admin, 'question_reply', { parentId: none });
    await expect(making).rejects.toMatchObject(refused);
  }
  const reply = await createResource(catalog.admin, 'question_reply', { parentId });
  const leaving = updateResource(catalog.admin, reply.id, { parentId: null });
  await expect(leaving).rejects.toMatchObject(refused);
  expect(await getResource(catalog.admin, reply.id)).toMatchObject({ parentId, version: 1 });
});

test('an accepted reply answers the question; another takes its place; none reopens it', async () => {
  await using catalog = await openCatalog();
  const { id } = await createQuestion(catalog.as('viewer'), { title: 'Which currency?' });
  const first = await createReply(catalog.as('editor'), {
    parentId: id,
    definition: 'EUR',
    acceptedAnswer: true,
  });
  const second = await createReply(catalog.admin, { parentId: id, definition: 'USD' });
  expect(await getResource(catalog.admin, id)).toMatchObject({
    questionStatus: 'Answered',
    answer: 'EUR',
  });

  await updateReply(catalog.as('viewer'), second.id, { acceptedAnswer: true });
  expect(await getResource(catalog.admin, id)).toMatchObject({ answer: 'USD' });
  expect(await getResource(catalog.admin, first.id)).toMatchObject({ acceptedAnswer: false });

  await updateReply(catalog.admin, second.id, { acceptedAnswer: false });
  expect(await getResource(catalog.admin, id)).toMatchObject({ questionStatus: 'Unanswered' });
});

test('a reply is the answer no longer when the question gets another one, or none', async () => {
  await using catalog = await openCatalog();
  const { admin } = catalog;
  const { id } = await createQuestion(admin, { title: 'Which currency?' });
  const reply = await createReply(admin, { parentId: id, definition: 'EUR', acceptedAnswer: true });
  const isAnswer = async () => (await getResource(admin, reply.id)).acceptedAnswer;
  // What is sent back as it was read changes nothing.
  await updateQuestion(admin, id, { answer: 'EUR', description: 'Of orders.' });
  expect(await isAnswer()).toBe(true);
  await updateQuestion(admin, id, { answer: null });
  expect(await isAnswer()).toBe(false);
  await updateReply(admin, reply.id, { acceptedAnswer: true });
  expect(await getResource(admin, id)).toMatchObject({ questionStatus: 'Answered', answer: 'EUR' });
  await updateQuestion(admin, id, { answer: 'USD' });
  expect(await isAnswer()).toBe(false);
});

test('a question says what its accepted reply says, however that is edited or deleted', async () => {
  await using catalog = await openCatalog();
  const { admin } = catalog;
  const [viewer, editor] = [catalog.as('viewer'), catalog.as('editor')];
  const { id } = await createQuestion(editor, { title: 'Which currency?' });
  const told = { parentId: id, definition: 'EUR' };
  const reply = await createReply(viewer, told);
  const other = await createReply(viewer, { ...told, definition: 'None' });
  await updateReply(editor, reply.id, { acceptedAnswer: true });
  const asked = () => getResource(admin, id);

  await updateReply(viewer, reply.id, { definition: 'EUR, since May' });
  expect(await asked()).toMatchObject({ answer: 'EUR, since May', questionStatus: 'Answered' });
  await updateResource(admin, reply.id, { definition: 'USD' });
  expect(await asked()).toMatchObject({ answer: 'USD', answeredById: catalog.idOf('viewer') });
  const { version } = await asked();
  await updateReply(viewer, reply.id, { title: 'In short' });
  await updateReply(viewer, other.id, { definition: 'Unknown' });
  await archiveResource(viewer, other.id);
  expect(await asked()).toMatchObject({ answer: 'USD', version });

  await archiveResource(viewer, reply.id);
  const withdrawn = { answer: null, answeredById: null, questionStatus: 'Unanswered' };
  expect(await asked()).toMatchObject(withdrawn);
  const entries = await catalog.database.prisma.auditLog.findMany({
    where: { workspaceId: catalog.workspaceId },
    orderBy: { sequence: 'desc' },
    take: 2,
  });
  const [deleted, reopened] = entries;
  expect([deleted?.activityType, reopened?.activityType]).toEqual([
    'question_reply_deleted',
    'question_reopened',
  ]);
  expect(reopened?.parentId).toBe(deleted?.id);
  // Restored it is a reply as any other: somebody may have answered in the meantime.
  await restoreResource(admin, reply.id);
  expect(await getResource(admin, reply.id)).toMatchObject({ acceptedAnswer: false });
  expect(await asked()).toMatchObject(withdrawn);
});

test('a reply that is deleted with its question is its answer when both are restored', async () => {
  await using catalog = await openCatalog();
  const { id } = await createQuestion(catalog.admin, { title: 'Which currency?' });
  const told = { parentId: id, definition: 'EUR', acceptedAnswer: true };
  const reply = await createReply(catalog.admin, told);
  await archiveResource(catalog.admin, id);
  await restoreResource(catalog.admin, id);
  expect(await getResource(catalog.admin, id)).toMatchObject({ answer: 'EUR' });
  expect(await getResource(catalog.admin, reply.id)).toMatchObject({ acceptedAnswer: true });
});

test('an answer that is sent back as it was read stays that of the one who gave it', async () => {
  await using catalog = await openCatalog();
  const { id } = await createQuestion(catalog.as('viewer'), { title: 'Is it gross?' });
  await updateQuestion(catalog.as('editor'), id, { answer: 'It is net.' });
  const same = { answer: 'It is net.', description: 'Of orders.', priority: 'High' };
  const changed = await updateQuestion(catalog.as('viewer'), id, same);
  expect(changed).toMatchObject({
    ...{ answer: 'It is net.', answeredById: catalog.idOf('editor') },
    ...{ description: 'Of orders.', questionPriority: 'High' },
  });
  const other = await updateQuestion(catalog.as('viewer'), id, { answer: 'It is gross.' });
  expect(other.answeredById).toBe(catalog.idOf('viewer'));
});

test('anyone who asked accepts a reply of somebody else also with its whole record', async () => {
  await using catalog = await openCatalog();
  const caller = { as: 'viewer' } as const;
  const question = await createQuestion(catalog.as('viewer'), { title: 'Which currency?' });
  const told = { parentId: question.id, definition: 'EUR' };
  const path = `/question/replies/${(await createReply(catalog.admin, told)).id}`;
  const { body: record } = await catalog.rest('GET', path, { caller });
  const accept = (more: object) =>
    catalog.rest('PATCH', path, { body: { ...record, accepted_answer: true, ...more }, caller });
  expect((await accept({ definition: 'Mine' })).status).toBe(403);
  expect((await accept({})).body).toMatchObject({ accepted_answer: true, definition: 'EUR' });
  expect(await getResource(catalog.admin, question.id)).toMatchObject({ answer: 'EUR' });
  // Others may not decide it, whatever they send with it.
  const theirs = await createQuestion(catalog.admin, { title: 'Theirs?' });
  const reply = await createReply(catalog.admin, { parentId: theirs.id, definition: 'x' });
  const accepting = updateReply(catalog.as('viewer'), reply.id, {
    ...{ definition: 'x', acceptedAnswer: true },
  });
  await expect(accepting).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('a viewer edits what they asked and accepts its answer, but not what others asked', async () => {
  await using catalog = await openCatalog();
  const own = await createQuestion(catalog.as('viewer'), { title: 'mine' });
  const other = await createQuestion(catalog.admin, { title: 'theirs' });
  const reply = await createReply(catalog.as('viewer'), { parentId: other.id, definition: 'hm' });

  await updateResource(catalog.as('viewer'), own.id, { description: 'more' });
  const editing = updateResource(catalog.as('viewer'), other.id, { description: 'less' });
  await expect(editing).rejects.toMatchObject({ code: 'FORBIDDEN' });
  const accepting = updateReply(catalog.as('viewer'), reply.id, { acceptedAnswer: true });
  await expect(accepting).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(createQuestion(catalog.as('guest'), { title: 'x' })).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
  expect(await getResource(catalog.admin, other.id)).toMatchObject({
    description: null,
    questionStatus: 'Unanswered',
  });
});

test('a wrong priority, assignee or question is refused by its field', async () => {
  await using catalog = await openCatalog();
  const table = await catalog.resource();
  for (const [field, asking] of [
    ['priority', () => createQuestion(catalog.admin, { priority: 'urgent' })],
    ['assigned_to', () => createQuestion(catalog.admin, { assignedToId: table.id })],
    ['parent', () => createReply(catalog.admin, { definition: 'to nothing' })],
  ] as const) {
    await expect(asking()).rejects.toMatchObject({ code: 'BAD_REQUEST', fields: [{ field }] });
  }
  const reply = createReply(catalog.admin, { parentId: table.id });
  await expect(reply).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('a vote counts once a user, and can be turned or taken back', async () => {
  await using catalog = await openCatalog();
  const { id } = await createQuestion(catalog.admin, { title: 'votes' });
  await vote(catalog.as('viewer'), id, 1);
  await vote(catalog.as('viewer'), id, 1);
  await vote(catalog.as('editor'), id, 1);
  expect((await getResource(catalog.admin, id)).votesSum).toBe(2);

  await vote(catalog.as('viewer'), id, -1);
  const mine = await getResource(catalog.as('viewer'), id, { extras: true });
  expect(mine).toMatchObject({ votesSum: 0, currentUserVote: -1 });
  await vote(catalog.as('viewer'), id, 0);
  expect((await getResource(catalog.admin, id)).votesSum).toBe(1);
  await expect(vote(catalog.admin, id, 5)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

test('a reaction is one emoji, shown once however many react', async () => {
  await using catalog = await openCatalog();
  const { id } = await createQuestion(catalog.admin, { title: 'reactions' });
  await react(catalog.as('viewer'), id, '👍', true);
  const both = await react(catalog.admin, id, '👍', true);
  expect(both.reactions).toEqual(['👍']);
  await react(catalog.admin, id, '👍', false);
  expect((await getResource(catalog.admin, id)).reactions).toEqual(['👍']);
  await react(catalog.as('viewer'), id, '👍', false);
  expect((await getResource(catalog.admin, id)).reactions).toEqual([]);
  await expect(react(catalog.admin, id, 'abc', true)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
});

test('views count uses and users; bookmarks and subscriptions are the viewer’s own', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.resource();
  await viewResource(catalog.as('viewer'), id);
  await viewResource(catalog.as('viewer'), id);
  await viewResource(catalog.as('editor'), id);
  await bookmark(catalog.as('viewer'), id, true);
  await bookmark(catalog.as('viewer'), id, true);
  await subscribe(catalog.as('editor'), id, true);

  const seen = await getResource(catalog.admin, id);
  expect(seen.internalUsage).toBe(3);
  expect(seen.internalUserIds.sort()).toEqual(
    [catalog.idOf('viewer'), catalog.idOf('editor')].sort(),
  );
  expect(seen.bookmarkedByIds).toEqual([catalog.idOf('viewer')]);
  expect(seen.subscriberIds).toEqual([catalog.idOf('editor')]);
  expect(await loadUsageDays(catalog.admin, id, 30)).toMatchObject([{ internal: 3, external: 0 }]);

  await bookmark(catalog.as('viewer'), id, false);
  expect((await getResource(catalog.admin, id)).bookmarkedByIds).toEqual([]);
});

test('reactions are counted by emoji, and say which are the own ones', async () => {
  await using catalog = await openCatalog();
  const { id } = await createQuestion(catalog.admin, { title: 'Is it gross?' });
  const { id: replyId } = await createReply(catalog.admin, { parentId: id, definition: 'No.' });
  await react(catalog.as('editor'), id, '🎉', true);
  await react(catalog.as('viewer'), id, '👍', true);
  await react(catalog.as('editor'), id, '👍', true);
  await react(catalog.as('viewer'), replyId, '👀', true);
  const counts = 'reactionCounts { emoji count isByViewer }';
  const { data } = await catalog.graphql(
    `query ($id: ID!) { resource(id: $id) { ... on Question { ${counts} replies { ${counts} } } } }`,
    { id },
    { as: 'viewer' },
  );
  expect(data.resource).toEqual({
    reactionCounts: [
      { emoji: '🎉', count: 1, isByViewer: false },
      { emoji: '👍', count: 2, isByViewer: true },
    ],
    replies: [{ reactionCounts: [{ emoji: '👀', count: 1, isByViewer: true }] }],
  });
});
