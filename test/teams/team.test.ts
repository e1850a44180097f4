// Teams: the default one, what becomes of what a deleted one held, and who may join.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateResource } from '../../src/resources/editing/edit.ts';
import { getResource } from '../../src/resources/resource.ts';
import { archiveTeam } from '../../src/teams/archive.ts';
import { addTeamMembers, joinTeam, leaveTeam, removeTeamMembers } from '../../src/teams/member.ts';
import { createTeam, getTeam, listTeams, updateTeam } from '../../src/teams/team.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await openCatalog();
});
afterAll(() => catalog[Symbol.asyncDispose]());

const sections = {
  home: true,
  catalog: true,
  documents: true,
  questions: true,
  glossary: true,
  collections: true,
};

test('a team is OPEN and shows every section unless told otherwise', async () => {
  const team = await createTeam(catalog.admin, { name: 'Data', sidebarSettings: { home: false } });
  expect(team).toMatchObject({
    name: 'Data',
    type: 'OPEN',
    isDefaultTeam: false,
    memberIds: [catalog.idOf('admin')],
    sidebarSettings: { ...sections, home: false },
  });
  const changed = await updateTeam(catalog.admin, team.id, {
    type: 'CLOSED',
    sidebarSettings: { glossary: false },
  });
  expect(changed).toMatchObject({
    name: 'Data',
    type: 'CLOSED',
    sidebarSettings: { ...sections, home: false, glossary: false },
  });
});

test.each([
  ['type', { type: 'SECRET' }],
  ['name', { name: ' ' }],
  ['sidebar_settings.chat', { sidebarSettings: { chat: true } }],
  ['sidebar_settings.home', { sidebarSettings: { home: 'yes' } }],
  ['sidebar_settings', { sidebarSettings: [] }],
])('a wrong %s is refused by name', async (field, input) => {
  await expect(createTeam(catalog.admin, input)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    fields: [{ field }],
  });
});

test('the default team can neither be deleted nor closed', async () => {
  const team = await catalog.defaultTeam();
  const refused = { code: 'CONFLICT' };
  await expect(archiveTeam(catalog.admin, team.id)).rejects.toMatchObject(refused);
  const closed = updateTeam(catalog.admin, team.id, { type: 'CLOSED' });
  await expect(closed).rejects.toMatchObject(refused);
  expect(await getTeam(catalog.admin, team.id)).toEqual(team);
});

test('what only a deleted team held moves to the default team, the rest stays', async () => {
  const [gone, kept] = [await catalog.team(), await catalog.team()];
  const general = await catalog.defaultTeam();
  const only = await catalog.resource({ teamIds: [gone.id] });
  const both = await catalog.resource({ teamIds: [gone.id, kept.id] });
  const none = await catalog.resource({ teamIds: [] });
  const source = await catalog.integration({ teamIds: [gone.id] });
  const archived = await archiveTeam(catalog.admin, gone.id);
  expect(archived.archived).toBe(true);

  const teamsOf = async (id: string) => (await getResource(catalog.admin, id)).teamIds;
  expect(await teamsOf(only.id)).toEqual([general.id]);
  expect(await teamsOf(both.id)).toEqual([kept.id]);
  expect(await teamsOf(none.id)).toEqual([]);
  const { prisma } = catalog.database;
  const after = await prisma.integration.findFirst({ where: { id: source.id } });
  expect(after?.teamIds).toEqual([general.id]);
  expect(await getTeam(catalog.admin, gone.id)).toMatchObject({ archived: true });
  const listed = async (archived: boolean) =>
    (await listTeams(catalog.admin, { archived }, {})).nodes.map(({ id }) => id);
  expect(await listed(false)).not.toContain(gone.id);
  expect(await listed(true)).toContain(gone.id);
  await expect(updateTeam(catalog.admin, gone.id, { name: 'x' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  const log = await prisma.auditLog.findMany({ where: { resourceId: gone.id } });
  expect(log.map(({ activityType }) => activityType)).toContain('team_deleted');
});

test('a team that is deleted while it is given resources holds none of them', async () => {
  for (let round = 0; round < 10; round += 1) {
    const team = await catalog.team();
    const table = await catalog.resource({ teamIds: [] });
    const [assigned] = await Promise.allSettled([
      updateResource(catalog.admin, table.id, { teamIds: [team.id] }),
      archiveTeam(catalog.admin, team.id),
    ]);
    if (assigned.status === 'rejected') {
      expect(assigned.reason).toMatchObject({ code: 'BAD_REQUEST', fields: [{ field: 'teams' }] });
    }
    expect((await getResource(catalog.admin, table.id)).teamIds).not.toContain(team.id);
  }
});

test('anyone joins and leaves an OPEN team', async () => {
  const team = await catalog.team();
  const viewer = catalog.idOf('viewer');
  const joined = await joinTeam(catalog.as('viewer'), team.id);
  expect(joined.memberIds).toEqual([catalog.idOf('admin'), viewer]);
  expect(await joinTeam(catalog.as('viewer'), team.id)).toEqual(joined);
  const left = await leaveTeam(catalog.as('viewer'), team.id);
  expect(left.memberIds).toEqual([catalog.idOf('admin')]);
  const log = await catalog.database.prisma.auditLog.findMany({ where: { resourceId: team.id } });
  const joins = log.filter(({ activityType }) => activityType === 'team_joined');
  expect(joins).toMatchObject([{ relatedResourceIds: [viewer], relatedResourceType: 'user' }]);
});

test('only admins add members to a CLOSED team, which others do not know of', async () => {
  const team = await catalog.team({ type: 'CLOSED' });
  const missing = { code: 'NOT_FOUND' };
  for (const role of ['viewer', 'guest'] as const) {
    await expect(joinTeam(catalog.as(role), team.id)).rejects.toMatchObject(missing);
    await expect(getTeam(catalog.as(role), team.id)).rejects.toMatchObject(missing);
  }
  const closed = joinTeam(catalog.as('editor'), team.id);
  await expect(closed).rejects.toMatchObject({ code: 'FORBIDDEN' });
  const viewer = catalog.idOf('viewer');
  const added = await addTeamMembers(catalog.admin, team.id, [viewer, viewer]);
  expect(added.memberIds).toEqual([catalog.idOf('admin'), viewer]);
  expect(await getTeam(catalog.as('viewer'), team.id)).toEqual(added);
  const removed = await removeTeamMembers(catalog.admin, team.id, [viewer]);
  expect(removed.memberIds).toEqual([catalog.idOf('admin')]);
  const strangers = addTeamMembers(catalog.admin, team.id, [
    (await catalog.another()).idOf('admin'),
  ]);
  await expect(strangers).rejects.toMatchObject({ fields: [{ field: 'members' }] });
});

test('a guest cannot join its way to what it may not see', async () => {
  const team = await catalog.team();
  const table = await catalog.resource({ teamIds: [team.id] });
  await expect(joinTeam(catalog.as('guest'), team.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const hidden = getResource(catalog.as('guest'), table.id);
  await expect(hidden).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect((await getResource(catalog.as('guest', [team]), table.id)).id).toBe(table.id);
});

test('people list the teams they may know of, newest first', async () => {
  await using other = await openCatalog();
  const open = await other.team();
  const closed = await other.team({ type: 'CLOSED' });
  const general = await other.defaultTeam();
  const ids = async (ctx: typeof other.admin) =>
    (await listTeams(ctx, {}, {})).nodes.map(({ id }) => id);
  expect(await ids(other.as('editor'))).toEqual([closed.id, open.id, general.id]);
  expect(await ids(other.as('viewer'))).toEqual([open.id, general.id]);
  expect(await ids(other.as('guest'))).toEqual([]);
  await archiveTeam(other.admin, open.id);
  expect(await ids(other.as('viewer'))).toEqual([general.id]);
});

test('only admins make, change and delete teams', async () => {
  const team = await catalog.team();
  const refused = { code: 'FORBIDDEN' };
  for (const role of ['editor', 'viewer', 'guest'] as const) {
    const ctx = catalog.as(role);
    await expect(createTeam(ctx, { name: 'x' })).rejects.toMatchObject(refused);
    await expect(updateTeam(ctx, team.id, { name: 'x' })).rejects.toMatchObject(refused);
    await expect(archiveTeam(ctx, team.id)).rejects.toMatchObject(refused);
    await expect(addTeamMembers(ctx, team.id, [])).rejects.toMatchObject(refused);
    await expect(removeTeamMembers(ctx, team.id, [])).rejects.toMatchObject(refused);
  }
  expect(await getTeam(catalog.admin, team.id)).toEqual(team);
});

test('an id of another workspace, or that is no id, is not found', async () => {
  const other = await catalog.another();
  const team = await catalog.team();
  const missing = { code: 'NOT_FOUND' };
  for (const id of [team.id, 'x']) {
    await expect(getTeam(other.admin, id)).rejects.toMatchObject(missing);
    await expect(updateTeam(other.admin, id, {})).rejects.toMatchObject(missing);
    await expect(archiveTeam(other.admin, id)).rejects.toMatchObject(missing);
    await expect(joinTeam(other.admin, id)).rejects.toMatchObject(missing);
    await expect(leaveTeam(other.admin, id)).rejects.toMatchObject(missing);
  }
  expect(await getTeam(catalog.admin, team.id)).toEqual(team);
});
