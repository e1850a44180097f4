// Questions say what their accepted replies say, also where an import changes these.

import { expect, test } from 'vitest';
import { transaction } from '../../../../src/database/transaction.ts';
import { updateResource } from '../../../../src/resources/editing/edit.ts';
import { updateReply } from '../../../../src/resources/questions/question.ts';
import { getResource } from '../../../../src/resources/resource.ts';
import { type Catalog, openCatalog } from '../../../catalog.ts';
import { counts, feedJsonl, listening } from '../feed.ts';
import { feedMeanwhile, untilSomebodyWaits } from './meanwhile.ts';

const question = { entity_type: 'question', databuilder_id: 'q', title: 'Which currency?' };
const reply = (databuilder_id: string, definition: string, parent = 'q') => ({
  ...{ entity_type: 'question_reply', databuilder_id, parent_databuilder_id: parent },
  ...{ title: databuilder_id, definition },
});

/** A question with two replies, one of them accepted. */
async function answered(catalog: Catalog) {
  const integration = await catalog.integration();
  const said = [question, reply('a', 'EUR'), reply('b', 'None')];
  await feedJsonl(catalog, integration, { resources: said });
  const { database, workspaceId, admin } = catalog;
  const byKey = (databuilderId: string) =>
    database.prisma.resource.findFirstOrThrow({ where: { workspaceId, databuilderId } });
  const [{ id }, a] = [await byKey('q'), await byKey('a')];
  await updateReply(admin, a.id, { acceptedAnswer: true });
  return { integration, id, accepted: a.id, asked: () => getResource(catalog.admin, id) };
}

test('an import that changes the accepted reply changes the answer, and tells who follows the question', async () => {
  await using catalog = await openCatalog();
  const { database, workspaceId, admin } = catalog;
  const { integration, id, asked } = await answered(catalog);
  await updateResource(admin, id, { subscriberIds: [catalog.idOf('editor')] });
  await database.prisma.resourceChange.deleteMany({ where: { workspaceId } });
  const before = await asked();
  const updatedAt = new Date(Date.now() + 3_600_000);
  catalog.setTime(updatedAt);

  const resources = [question, reply('a', 'EUR, since May'), reply('b', 'None')];
  const result = await feedJsonl(catalog, integration, { resources });

  expect(result).toEqual(counts({ updated: 1, unchanged: 2 }));
  expect(await asked()).toMatchObject({
    ...{ answer: 'EUR, since May', questionStatus: 'Answered', answeredById: null },
    ...{ version: before.version + 1, updatedAt },
  });
  const noted = await database.prisma.resourceChange.findMany({ where: { workspaceId } });
  expect(noted.map(({ resourceId, what }) => [resourceId, what])).toEqual([[id, 'answer']]);
});

test('another reply of it changes nothing of the question, nor does one that a person edited', async () => {
  await using catalog = await openCatalog();
  const { integration, accepted, asked } = await answered(catalog);
  const before = await asked();
  const other = [question, reply('a', 'EUR'), reply('b', 'Unknown')];
  expect(await feedJsonl(catalog, integration, { resources: other })).toMatchObject({ updated: 1 });
  expect(await asked()).toEqual(before);

  await updateReply(catalog.admin, accepted, { definition: 'USD' });
  const edited = await asked();
  expect(edited).toMatchObject({ answer: 'USD' });
  const again = [question, reply('a', 'CHF'), reply('b', 'None')];
  expect(await feedJsonl(catalog, integration, { resources: again })).toMatchObject({ updated: 1 });
  expect(await asked()).toEqual(edited);
});

const stays = (line: number) =>
  `resources.jsonl, line ${line}: the question_reply "a" stays with its question, as it is the ` +
  'accepted answer; unaccept it first.';

/** Two questions, each with an accepted reply; and a file that moves one of these to the other question. */
async function twoAnswered(catalog: Catalog) {
  const one = await answered(catalog);
  const { admin, database, workspaceId } = catalog;
  const questions = [question, { ...question, databuilder_id: 'q2', title: 'Which year?' }];
  const replies = [reply('a', 'EUR'), reply('b', 'None'), reply('c', '2024', 'q2')];
  await feedJsonl(catalog, one.integration, { resources: [...questions, ...replies] });
  const byKey = (databuilderId: string) =>
    database.prisma.resource.findFirstOrThrow({ where: { workspaceId, databuilderId } });
  const { id: other } = await byKey('c');
  await updateReply(admin, other, { acceptedAnswer: true });
  const moved = { ...reply('a', 'EUR, since May', 'q2'), title: 'Euro' };
  const resources = [...questions, moved, reply('b', 'None'), reply('c', '2024', 'q2')];
  return { ...one, byKey, resources };
}

test('an accepted reply stays with its question where the file moves it, and all else is imported', async () => {
  await using catalog = await openCatalog();
  const { admin } = catalog;
  const { integration, id, accepted, asked, byKey, resources } = await twoAnswered(catalog);
  const other = await byKey('q2');

  const tried = await feedJsonl(catalog, integration, { resources }, { dryRun: true });
  expect(tried).toEqual({ ...counts({ updated: 1, unchanged: 4 }), problems: [stays(3)] });
  const { lines, watch } = listening();
  const result = await feedJsonl(catalog, integration, { resources }, { watch });
  expect(result).toEqual(tried);
  expect(lines.filter((line) => line === stays(3))).toHaveLength(1);

  const titles = { title: 'Euro', titleFull: 'Which currency?.Euro' };
  const kept = { ...titles, definition: 'EUR, since May', parentId: id, acceptedAnswer: true };
  expect(await byKey('a')).toMatchObject(kept);
  expect(await asked()).toMatchObject({ answer: 'EUR, since May', questionStatus: 'Answered' });
  expect(await byKey('q2')).toEqual(other);

  // What stays is no change, and is said each time.
  const before = await byKey('a');
  const again = await feedJsonl(catalog, integration, { resources });
  expect(again).toEqual({ ...counts({ unchanged: 5 }), problems: [stays(3)] });
  expect(await byKey('a')).toEqual(before);

  await updateReply(admin, accepted, { acceptedAnswer: false });
  expect(await feedJsonl(catalog, integration, { resources })).toEqual(
    counts({ updated: 1, unchanged: 4 }),
  );
  const place = { parentId: other.id, titleFull: 'Which year?.Euro' };
  expect(await byKey('a')).toMatchObject(place);
  expect(await asked()).toMatchObject({ answer: null, questionStatus: 'Unanswered' });
});

test.each(['before the import writes', 'while the import waits to write'])(
  'so does one that is accepted %s',
  async (when) => {
    await using catalog = await openCatalog({ alone: true, maxConnections: 10 });
    const { admin } = catalog;
    const { integration, id, accepted, asked, byKey, resources } = await twoAnswered(catalog);
    await updateReply(admin, accepted, { acceptedAnswer: false });
    let letGo = () => {};
    const isWaitedFor = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    if (when.startsWith('before')) letGo();
    let accepting: Promise<void> = Promise.resolve();
    const feeding = feedMeanwhile(
      catalog,
      integration,
      resources,
      () =>
        new Promise<void>((done, fail) => {
          accepting = transaction(admin, async (tx) => {
            await updateReply(tx, accepted, { acceptedAnswer: true });
            if (!when.startsWith('before')) done();
            await isWaitedFor;
          });
          accepting.then(done, fail);
        }),
    );
    if (!when.startsWith('before')) await untilSomebodyWaits(catalog);
    letGo();
    await accepting;

    const expected = counts({ updated: 1, unchanged: 4 }, { unknown: 1 });
    const problems = [expect.stringContaining('1 lineage line'), stays(3)];
    expect(await feeding).toEqual({ ...expected, problems });
    expect(await byKey('a')).toMatchObject({ parentId: id, acceptedAnswer: true });
    expect(await asked()).toMatchObject({ answer: 'EUR, since May', questionStatus: 'Answered' });
    expect(await byKey('q2')).toMatchObject({ answer: '2024', questionStatus: 'Answered' });
  },
);

test('a reply that is moved and accepted in the meantime gives its new question the answer of the file', async () => {
  await using catalog = await openCatalog();
  const { integration, asked, byKey, resources } = await twoAnswered(catalog);
  const [{ id }, { id: parentId }] = [await byKey('b'), await byKey('q2')];
  const next = resources.map((line) =>
    line.databuilder_id === 'b' ? reply('b', 'This one') : line,
  );
  const before = await asked();
  await feedMeanwhile(catalog, integration, next.toSpliced(2, 1), () =>
    updateReply(catalog.admin, id, { parentId, acceptedAnswer: true }),
  );
  expect(await byKey('b')).toMatchObject({ parentId, definition: 'This one' });
  expect(await byKey('q2')).toMatchObject({ answer: 'This one', questionStatus: 'Answered' });
  expect(await asked()).toEqual(before);
});

test('of many replies that stay the first 20 are named', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  const numbers = Array.from({ length: 22 }, (_, n) => n);
  const lines = (parentOf: (n: number) => string) => [
    ...numbers.map((n) => ({ ...question, databuilder_id: `q${n}` })),
    ...numbers.map((n) => reply(`a${n}`, 'So.', parentOf(n))),
  ];
  await feedJsonl(catalog, integration, { resources: lines((n) => `q${n}`) });
  const { database, workspaceId } = catalog;
  const where = { workspaceId, kind: 'question_reply' };
  await database.prisma.resource.updateMany({ where, data: { acceptedAnswer: true } });
  const resources = lines((n) => `q${(n + 1) % 22}`);
  const { problems, updated } = await feedJsonl(catalog, integration, { resources });
  expect(updated).toBe(0);
  expect(problems).toHaveLength(21);
  expect(problems[0]).toContain('line 23: the question_reply "a0" stays');
  expect(problems[20]).toBe('resources.jsonl: the same of 2 more replies.');
});
