// Several people who do something to one resource at the same time: no one's part of it is lost.

import { expect, test } from 'vitest';
import { changedMembers } from '../../src/auth/account.ts';
import type { Context } from '../../src/context.ts';
import { transaction } from '../../src/database/transaction.ts';
import type { Resource } from '../../src/generated/prisma/client.ts';
import { archiveResource, restoreResource } from '../../src/resources/editing/archive.ts';
import type { ResourceChanges } from '../../src/resources/editing/asked-changes.ts';
import { listVersions } from '../../src/resources/editing/documentation-version.ts';
import { updateResource } from '../../src/resources/editing/edit.ts';
import { lockResource, lockResources, mayLieInItself } from '../../src/resources/editing/lock.ts';
import { kindNames, kinds } from '../../src/resources/kind.ts';
import {
  createQuestion,
  createReply,
  react,
  updateReply,
  vote,
} from '../../src/resources/questions/question.ts';
import { getResource } from '../../src/resources/resource.ts';
import { bookmark, viewResource } from '../../src/resources/usage.ts';
import { deleteTag } from '../../src/tags/tag.ts';
import { archiveTeam } from '../../src/teams/archive.ts';
import { addTeamMembers } from '../../src/teams/member.ts';
import { updateTeam } from '../../src/teams/team.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

const rounds = Array.from({ length: 10 }, (_, round) => round);

/** Do several things at once, each with a context of its own; all of them have to succeed. */
async function atOnce(catalog: Catalog, ...deeds: ((ctx: Context) => Promise<unknown>)[]) {
  return Promise.all(deeds.map((deed) => deed(catalog.admin)));
}

const edit = (id: string, changes: ResourceChanges) => (ctx: Context) =>
  updateResource(ctx, id, changes);

const read = (catalog: Catalog, { id }: Pick<Resource, 'id'>) =>
  getResource(catalog.admin, id, { archived: true });

test('edits of different fields at once are all kept, and imports will leave all of them alone', async () => {
  await using catalog = await openCatalog();
  const tag = await catalog.tag();
  for (const _ of rounds) {
    const table = await catalog.resource();
    await atOnce(
      catalog,
      edit(table.id, { description: 'What was sold' }),
      edit(table.id, { definition: '# Orders' }),
      edit(table.id, { tagIds: [tag.id] }),
      edit(table.id, { pii: true }),
      (ctx) => viewResource(ctx, table.id),
    );
    const after = await read(catalog, table);
    expect(after).toMatchObject({
      description: 'What was sold',
      definition: '# Orders',
      pii: true,
    });
    expect(after.editedFields.toSorted()).toEqual(['definition', 'description', 'tags']);
    expect(after.tagIds).toEqual([tag.id]);
    expect([after.internalUsage, after.version]).toEqual([1, 5]);
  }
});

test('everyone who saves documentation at once has a version of it, in an order', async () => {
  await using catalog = await openCatalog();
  for (const _ of rounds) {
    const page = await catalog.resource({ kind: 'document', definition: 'text 0' });
    const texts = ['text 1', 'text 2', 'text 3', 'text 4'];
    await atOnce(catalog, ...texts.map((definition) => edit(page.id, { definition })));
    const { nodes } = await listVersions(catalog.admin, page.id, { first: 10 });
    expect(nodes.map(({ version }) => version)).toEqual([5, 4, 3, 2, 1]);
    expect(nodes.map(({ definition }) => definition).toSorted()).toEqual(['text 0', ...texts]);
    const { definition, definitionVersion } = await read(catalog, page);
    expect([definition, definitionVersion]).toEqual([nodes[0]?.definition, 5]);
  }
});

test('votes and reactions that come at once are all counted, and taking them back as well', async () => {
  await using catalog = await openCatalog();
  const people = await Promise.all(rounds.slice(0, 4).map(() => catalog.user()));
  const all = (deed: (ctx: Context) => Promise<unknown>) =>
    Promise.all(people.map((user) => deed(catalog.contextOf(user))));
  for (const round of rounds) {
    const { id } = await createQuestion(catalog.admin, { title: `Question ${round}` });
    await all((ctx) => vote(ctx, id, 1));
    expect(await read(catalog, { id })).toMatchObject({ votesSum: 4 });
    await all((ctx) => vote(ctx, id, people[0]?.id === ctx.viewer.id ? 0 : -1));
    expect(await read(catalog, { id })).toMatchObject({ votesSum: -3 });
    const emojis = ['👍', '🎉', '👀', '🚀'];
    await Promise.all(
      people.map((user, at) => react(catalog.contextOf(user), id, emojis[at] ?? '', true)),
    );
    const { reactions } = await read(catalog, { id });
    expect(reactions.toSorted()).toEqual(emojis.toSorted());
  }
});

test('of replies that are accepted at once one is the answer, and its words are the question’s', async () => {
  await using catalog = await openCatalog();
  for (const round of rounds) {
    const question = await createQuestion(catalog.admin, { title: `Question ${round}` });
    const parentId = question.id;
    const replies = await Promise.all(
      ['a', 'b', 'c'].map((definition) => createReply(catalog.admin, { parentId, definition })),
    );
    await atOnce(
      catalog,
      ...replies.map(
        ({ id }) =>
          (ctx: Context) =>
            updateReply(ctx, id, { acceptedAnswer: true }),
      ),
      (ctx) => createReply(ctx, { parentId, definition: 'd', acceptedAnswer: true }),
    );
    const accepted = await catalog.database.prisma.resource.findMany({
      where: { parentId, acceptedAnswer: true },
    });
    expect(accepted).toHaveLength(1);
    const after = await read(catalog, question);
    expect([after.questionStatus, after.answer]).toEqual(['Answered', accepted[0]?.definition]);
  }
});

test('an accepted reply is edited, and another accepted, at once: the question says what is accepted', async () => {
  await using catalog = await openCatalog();
  for (const round of rounds) {
    const question = await createQuestion(catalog.admin, { title: `Question ${round}` });
    const parentId = question.id;
    const one = await createReply(catalog.admin, {
      parentId,
      definition: 'a',
      acceptedAnswer: true,
    });
    const two = await createReply(catalog.admin, { parentId, definition: 'b' });
    await atOnce(
      catalog,
      edit(one.id, { definition: 'aa' }),
      (ctx) => updateReply(ctx, two.id, { acceptedAnswer: true }),
      edit(two.id, { definition: 'bb' }),
    );
    expect(await read(catalog, question)).toMatchObject({
      answer: 'bb',
      questionStatus: 'Answered',
    });
  }
});

test('not even a statement of its own can accept a second reply', async () => {
  await using catalog = await openCatalog();
  const { id: parentId } = await createQuestion(catalog.admin, { title: 'Which one?' });
  await createReply(catalog.admin, { parentId, acceptedAnswer: true });
  const { id } = await createReply(catalog.admin, { parentId });
  const second = catalog.database.prisma.resource.updateMany({
    where: { id },
    data: { acceptedAnswer: true },
  });
  await expect(second).rejects.toMatchObject({ code: 'P2002' });
});

test('an accepted answer stays with its question', async () => {
  await using catalog = await openCatalog();
  const here = await createQuestion(catalog.admin, { title: 'Here?' });
  const there = await createQuestion(catalog.admin, { title: 'There?' });
  const { id } = await createReply(catalog.admin, { parentId: here.id, acceptedAnswer: true });
  const moving = updateReply(catalog.admin, id, { parentId: there.id });
  await expect(moving).rejects.toMatchObject({ code: 'CONFLICT' });
  await updateReply(catalog.admin, id, { acceptedAnswer: false });
  const moved = await updateReply(catalog.admin, id, { parentId: there.id });
  expect(moved).toMatchObject({ parentId: there.id, acceptedAnswer: false });
  expect(await read(catalog, here)).toMatchObject({ questionStatus: 'Unanswered', answer: null });
});

test('moves at once make no circle, however many resources lie between', async () => {
  await using catalog = await openCatalog();
  for (const _ of rounds) {
    const [a, b] = [
      await catalog.resource({ kind: 'document' }),
      await catalog.resource({ kind: 'document' }),
    ];
    const below = (parentId: string) => catalog.resource({ kind: 'document', parentId });
    const [withinA, withinB] = [await below(a.id), await below(b.id)];
    const moves = await Promise.allSettled([
      updateResource(catalog.admin, a.id, { parentId: withinB.id }),
      updateResource(catalog.admin, b.id, { parentId: withinA.id }),
    ]);
    const refused = moves.filter((move) => move.status === 'rejected');
    expect(refused).toHaveLength(1);
    expect(refused[0]).toMatchObject({ reason: { fields: [{ field: 'parent' }] } });
  }
});

test('what is put into something that is deleted at once is deleted with it, or refused', async () => {
  await using catalog = await openCatalog();
  for (const _ of rounds) {
    const schema = await catalog.resource({ kind: 'schema' });
    const table = await catalog.resource({ parentId: schema.id });
    const stray = await catalog.resource();
    const [, column, moved] = await Promise.allSettled([
      archiveResource(catalog.admin, schema.id),
      catalog.resource({ kind: 'column', parentId: table.id }),
      updateResource(catalog.admin, stray.id, { parentId: schema.id }),
    ]);
    for (const added of [column, moved]) {
      if (added.status === 'rejected') {
        expect(added.reason).toMatchObject({ code: 'BAD_REQUEST', fields: [{ field: 'parent' }] });
      } else expect(await read(catalog, added.value)).toMatchObject({ archived: true });
    }
    await restoreResource(catalog.admin, schema.id);
    expect(await read(catalog, table)).toMatchObject({ archived: false });
  }
});

test('a resource and what it lies in, renamed at once, agree about their full titles', async () => {
  await using catalog = await openCatalog();
  for (const _ of rounds) {
    const schema = await catalog.resource({ kind: 'schema', title: 'public' });
    const table = await catalog.resource({ title: 'orders', parentId: schema.id });
    const column = await catalog.resource({ kind: 'column', title: 'id', parentId: table.id });
    await atOnce(
      catalog,
      edit(schema.id, { title: 'private' }),
      edit(table.id, { title: 'sales' }),
      edit(column.id, { title: 'key' }),
    );
    expect(await read(catalog, table)).toMatchObject({
      titleFull: 'private.sales',
      schemaName: 'private',
    });
    expect(await read(catalog, column)).toMatchObject({
      titleFull: 'private.sales.key',
      schemaName: 'private',
      tableName: 'sales',
    });
  }
});

test('edit and deletion at once: what is deleted was edited before, or the edit is refused', async () => {
  await using catalog = await openCatalog();
  for (const _ of rounds) {
    const table = await catalog.resource();
    const [edited] = await Promise.allSettled([
      updateResource(catalog.admin, table.id, { description: 'last words' }),
      archiveResource(catalog.admin, table.id),
    ]);
    const after = await read(catalog, table);
    expect(after.archived).toBe(true);
    if (edited.status === 'fulfilled') expect(after.description).toBe('last words');
    else expect(edited.reason).toMatchObject({ code: 'NOT_FOUND' });
  }
});

test('tags added at once are all on it, alongside edits that name none; a deleted one is on nothing', async () => {
  await using catalog = await openCatalog();
  for (const _ of rounds) {
    const tags = await Promise.all([catalog.tag(), catalog.tag(), catalog.tag(), catalog.tag()]);
    const [first, second, third, gone] = tags.map(({ id }) => id);
    const table = await catalog.resource({ tagIds: [first ?? ''] });
    const results = await Promise.allSettled([
      updateResource(catalog.admin, table.id, { addTagIds: [second ?? '', first ?? ''] }),
      updateResource(catalog.admin, table.id, { addTagIds: [third ?? ''] }),
      updateResource(catalog.admin, table.id, { description: 'no tag is named' }),
      updateResource(catalog.admin, table.id, { addTagIds: [gone ?? ''] }),
      deleteTag(catalog.admin, gone ?? ''),
    ]);
    expect(results.slice(0, 3).map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'));
    const { tagIds } = await read(catalog, table);
    expect(tagIds[0]).toBe(first);
    expect(tagIds.toSorted()).toEqual([first, second, third].toSorted());
  }
});

test('a team that is deleted with its integration’s new resources leaves them to the default team', async () => {
  await using catalog = await openCatalog();
  const general = await catalog.defaultTeam();
  for (const _ of rounds) {
    const team = await catalog.team();
    const { id: integrationId } = await catalog.integration({ teamIds: [team.id] });
    const [made] = await Promise.all([
      catalog.resource({ integrationId }),
      archiveTeam(catalog.admin, team.id),
    ]);
    const { teamIds } = await read(catalog, made);
    expect(teamIds).toEqual([general.id]);
  }
});

test('members that are added at once all belong to the team, in whichever way', async () => {
  await using catalog = await openCatalog();
  for (const _ of rounds) {
    const team = await catalog.team();
    const [a, b, c] = await Promise.all([catalog.user(), catalog.user(), catalog.user()]);
    const [, , renamed] = await Promise.all([
      addTeamMembers(catalog.admin, team.id, [a.id]),
      updateTeam(catalog.admin, team.id, { addMemberIds: [b.id], removeMemberIds: [c.id] }),
      updateTeam(catalog.admin, team.id, { description: 'nobody is named' }),
      addTeamMembers(catalog.admin, team.id, [a.id]),
    ]);
    expect(renamed.description).toBe('nobody is named');
    const after = await updateTeam(catalog.admin, team.id, {});
    expect(after.memberIds.toSorted()).toEqual([catalog.idOf('admin'), a.id, b.id].toSorted());
  }
});

test('bookmarks at once are all kept, and no change of the resource', async () => {
  await using catalog = await openCatalog();
  const people = await Promise.all(rounds.slice(0, 4).map(() => catalog.user()));
  const table = await catalog.resource();
  await Promise.all(people.map((user) => bookmark(catalog.contextOf(user), table.id, true)));
  const after = await read(catalog, table);
  expect(after.bookmarkedByIds.toSorted()).toEqual(people.map(({ id }) => id).toSorted());
  expect(after.version).toBe(table.version);
});

test('an edit costs no statement more for its lock', async () => {
  await using catalog = await openCatalog();
  const [tag, page] = [await catalog.tag(), await catalog.resource({ kind: 'document' })];
  const counted = async (changes: ResourceChanges) =>
    (await catalog.counting(() => updateResource(catalog.admin, page.id, changes))).statements;
  // The row, locked; the row, written; who watches it; the log with its announcement.
  const description = await counted({ description: 'one' });
  expect(description).toHaveLength(4);
  expect(description[0]).toMatch(/for no key update$/);
  // The tags, locked.
  expect(await counted({ description: 'two', addTagIds: [tag.id] })).toHaveLength(5);
  // The version before, and the new one.
  expect(await counted({ definition: 'three' })).toHaveLength(6);
  const { statements } = await catalog.counting(() =>
    vote(catalog.admin, page.id, 1).catch(() => {}),
  );
  expect(statements).toHaveLength(1);
});

test('locks are taken in one order: what holds others comes before them', () => {
  for (const kind of kindNames) {
    for (const parent of kinds[kind].parents) {
      const [above, below] = [kindNames.indexOf(parent), kindNames.indexOf(kind)];
      // A database is said to take a schema as its parent; so neither comes first by its kind.
      const isOdd = kind === 'database' && parent === 'schema';
      expect([kind, parent, isOdd || above <= below]).toEqual([kind, parent, true]);
    }
  }
  expect(kindNames.filter(mayLieInItself)).toEqual([
    'database',
    'schema',
    'column',
    'document',
    'glossary',
    'collection',
    'job',
  ]);
});

test('a lock waits for who has it, and reads what they left', async () => {
  await using catalog = await openCatalog();
  const table = await catalog.resource({ description: 'before' });
  const order: string[] = [];
  let locked = () => {};
  const isLocked = new Promise<void>((resolve) => {
    locked = resolve;
  });
  const first = transaction(catalog.admin, async (tx) => {
    await lockResources(tx, [table.id]);
    locked();
    await new Promise((resolve) => setTimeout(resolve, 100));
    await tx.db.resource.updateMany({ where: { id: table.id }, data: { description: 'after' } });
    order.push('first');
  });
  await isLocked;
  const second = transaction(catalog.admin, async (tx) => {
    const { resource } = await lockResource(tx, table.id);
    order.push('second');
    return resource.description;
  });
  await first;
  expect([await second, order]).toEqual(['after', ['first', 'second']]);
});

test('whole lists and parts of them are not given at once', async () => {
  await using catalog = await openCatalog();
  const table = await catalog.resource();
  const [tag, user] = [await catalog.tag(), await catalog.user()];
  const nobody = '00000000-0000-4000-8000-00000000000f';
  const refusals: [ResourceChanges, string][] = [
    [{ tagIds: [], addTagIds: [tag.id] }, 'tags'],
    [{ addTagIds: [tag.id], removeTagIds: [tag.id] }, 'add_tags'],
    [{ addTagIds: [nobody] }, 'add_tags'],
    [{ addOwnerIds: ['no id'] }, 'add_owners'],
    [{ addTagIds: Array.from({ length: 10_001 }, (_, n) => `${n}`) }, 'add_tags'],
  ];
  for (const [changes, field] of refusals) {
    await expect(updateResource(catalog.admin, table.id, changes)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      fields: expect.arrayContaining([expect.objectContaining({ field })]),
    });
  }
  await expect(updateResource(catalog.admin, table.id, { addTagIds: [nobody] })).rejects.toThrow(
    nobody,
  );
  expect(await read(catalog, table)).toMatchObject({ tagIds: [], version: 1 });
  const both = changedMembers(catalog.admin, [], { memberIds: [], addMemberIds: [user.id] });
  await expect(both).rejects.toMatchObject({ fields: [{ field: 'members' }] });
});

test('what is added comes last and once, what is removed leaves the others in their order', async () => {
  await using catalog = await openCatalog();
  const tags = await Promise.all([catalog.tag(), catalog.tag(), catalog.tag()]);
  const [a = '', b = '', c = ''] = tags.map(({ id }) => id);
  const { id } = await catalog.resource({ tagIds: [b, a] });
  const after = async (changes: ResourceChanges) =>
    (await updateResource(catalog.admin, id, changes)).tagIds;
  expect(await after({ addTagIds: [c.toUpperCase(), b, c] })).toEqual([b, a, c]);
  expect(await after({ removeTagIds: [a, a.toUpperCase()] })).toEqual([b, c]);
  expect(await after({ removeTagIds: [a] })).toEqual([b, c]);
  expect(await after({ addTagIds: [a], removeTagIds: [b] })).toEqual([c, a]);
  expect(await after({ addTagIds: [], removeTagIds: null })).toEqual([c, a]);
  expect((await read(catalog, { id })).editedFields).toEqual(['tags']);
});
