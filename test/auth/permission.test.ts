// What each role may do and see: the whole table once more, and the condition in SQL against the rule.

import { expect, test } from 'vitest';
import {
  type Action,
  isAllowed,
  knownGroups,
  knownUser,
  knownUsers,
  maySee,
  mustBeAllowed,
  visibleResources,
  visibleTeams,
} from '../../src/auth/permission.ts';
import {
  isRole,
  type Role,
  roles,
  serverId,
  serverViewer,
  type Viewer,
} from '../../src/auth/viewer.ts';
import { rows } from '../../src/database/rows.ts';
import { Prisma } from '../../src/generated/prisma/client.ts';
import { openCatalog } from '../catalog.ts';

// Written down once more, so that a change of one has to be meant; an action without a line does not compile.
const allowed: Record<Action, readonly Role[]> = {
  'edit resources': ['admin', 'editor'],
  'edit lineage': ['admin', 'editor'],
  'edit tags': ['admin', 'editor'],
  'edit custom properties': ['admin', 'editor'],
  'edit monitors': ['admin', 'editor'],
  'ask questions': ['admin', 'editor', 'viewer'],
  'take part': ['admin', 'editor', 'viewer', 'guest'],
  'read integrations': ['admin', 'editor'],
  'read people': ['admin', 'editor', 'viewer'],
  'read jobs': ['admin', 'editor'],
  "cancel others' jobs": ['admin'],
  'manage integrations': ['admin'],
  'manage teams': ['admin'],
  'manage people': ['admin'],
  'manage API keys': ['admin'],
  'manage webhooks': ['admin'],
  'read the audit log': ['admin'],
};

const someone = (role: Role, teamIds: readonly string[] = []): { viewer: Viewer } => ({
  viewer: { ...serverViewer('7'), id: 'me', role, teamIds },
});

const cases = Object.keys(allowed)
  .filter((action): action is Action => Object.hasOwn(allowed, action))
  .flatMap((action) => roles.map((role) => [role, action] as const));

test.each(cases)('%s: %s', (role, action) => {
  const may = allowed[action].includes(role);
  expect(isAllowed(someone(role), action)).toBe(may);
  const ask = () => mustBeAllowed(someone(role), action);
  if (may) return expect(ask).not.toThrow();
  const message = `The role ${role} may not ${action}; ${allowed[action].join(' or ')} may.`;
  expect(ask).toThrow(expect.objectContaining({ code: 'FORBIDDEN', message }));
});

test('a guest sees what one of its teams holds, a viewer what is published, who edits everything', () => {
  const seenBy = (role: Role, teamIds: readonly string[] = []) =>
    [
      { published: true, teamIds: [] },
      { published: false, teamIds: [] },
      { published: false, teamIds: ['a', 'b'] },
      { published: true, teamIds: ['c'] },
    ].map((resource) => maySee(someone(role, teamIds), resource));
  expect(seenBy('admin')).toEqual([true, true, true, true]);
  expect(seenBy('editor')).toEqual([true, true, true, true]);
  expect(seenBy('viewer', ['a'])).toEqual([true, false, false, true]);
  expect(seenBy('guest')).toEqual([false, false, false, false]);
  expect(seenBy('guest', ['b', 'x'])).toEqual([false, false, true, false]);
  expect(seenBy('guest', ['a', 'c'])).toEqual([false, false, true, true]);
});

test('the condition on the table of resources is the rule, for every role, under any alias', async () => {
  await using catalog = await openCatalog();
  const [mine, other] = [
    await catalog.team({ addMemberIds: [catalog.idOf('guest'), catalog.idOf('viewer')] }),
    await catalog.team({}),
  ];
  for (const published of [true, false]) {
    for (const teamIds of [[], [mine.id], [other.id], [mine.id, other.id]]) {
      await catalog.resource({ published, teamIds });
    }
  }
  for (const role of roles) {
    const ctx = catalog.as(role);
    const viewer = { ...ctx.viewer, teamIds: role === 'guest' ? [mine.id] : [] };
    for (const alias of ['r', 'other']) {
      const condition =
        alias === 'r' ? visibleResources({ viewer }) : visibleResources({ viewer }, alias);
      const found = await rows<{ published: boolean; teamIds: string[]; seen: boolean }>(
        ctx,
        Prisma.sql`select published, team_ids as "teamIds", ${condition} as seen
          from resource ${Prisma.raw(alias)} where workspace_id = ${ctx.workspaceId}::uuid`,
      );
      expect(found.length).toBeGreaterThanOrEqual(8);
      for (const { seen, ...resource } of found) {
        expect([role, resource, seen]).toEqual([role, resource, maySee({ viewer }, resource)]);
      }
    }
  }
});

test('a closed team is known to its members and to who edits, a deleted one to nobody', async () => {
  await using catalog = await openCatalog();
  const made: string[] = [];
  for (const type of ['OPEN', 'CLOSED'] as const) {
    for (const isIn of [true, false]) {
      const addMemberIds = isIn ? roles.map((role) => catalog.idOf(role)) : [];
      const name = `${type}${isIn ? ' mine' : ''}`;
      made.push((await catalog.team({ name, type, addMemberIds })).id);
      const gone = await catalog.team({ name: `${name} gone`, type, addMemberIds });
      await catalog.database.prisma.team.updateMany({
        where: { workspaceId: catalog.workspaceId, id: gone.id },
        data: { archived: true },
      });
      made.push(gone.id);
    }
  }
  const known = async (role: Role, alias?: string) => {
    const ctx = catalog.as(role);
    const found = await rows<{ name: string }>(
      ctx,
      Prisma.sql`select name from team ${Prisma.raw(alias ?? 't')}
        where workspace_id = ${ctx.workspaceId}::uuid and id = any(${made}::uuid[])
          and ${visibleTeams(ctx, alias)} order by name`,
    );
    return found.map(({ name }) => name);
  };
  const all = ['CLOSED', 'CLOSED mine', 'OPEN', 'OPEN mine'];
  expect(await known('admin')).toEqual(all);
  expect(await known('editor', 'x')).toEqual(all);
  expect(await known('viewer')).toEqual(['CLOSED mine', 'OPEN', 'OPEN mine']);
  expect(await known('viewer', 'x')).toEqual(['CLOSED mine', 'OPEN', 'OPEN mine']);
  expect(await known('guest')).toEqual(['CLOSED mine', 'OPEN mine']);
  expect(await known('guest', 'x')).toEqual(['CLOSED mine', 'OPEN mine']);
});

test('a guest knows nobody but itself', () => {
  for (const role of ['admin', 'editor', 'viewer'] as const) {
    const ctx = someone(role);
    expect(knownUsers(ctx, ['a', 'me'])).toEqual(['a', 'me']);
    expect([knownUser(ctx, 'a'), knownUser(ctx, null)]).toEqual(['a', null]);
    expect(knownGroups(ctx, ['a'])).toEqual(['a']);
  }
  const guest = someone('guest');
  expect(knownUsers(guest, ['a', 'me', 'b'])).toEqual(['me']);
  expect([knownUser(guest, 'a'), knownUser(guest, 'me'), knownUser(guest, null)]).toEqual([
    ...[null, 'me', null],
  ]);
  expect(knownGroups(guest, ['a'])).toEqual([]);
});

test('the server itself acts as an admin that no user is', () => {
  expect(serverViewer('7')).toEqual({
    id: '00000000-0000-0000-0000-000000000000',
    workspaceId: '7',
    role: 'admin',
    email: '',
    firstName: 'Headwater',
    lastName: '',
    teamIds: [],
    performer: 'SYSTEM',
  });
  expect(serverId).toBe(serverViewer('7').id);
  expect(roles.filter(isRole)).toEqual([...roles]);
  expect(['', 'Admin', 'owner', 'constructor'].filter(isRole)).toEqual([]);
});
