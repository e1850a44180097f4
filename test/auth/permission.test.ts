// What each role may do and see: the whole table once more.

import { expect, test } from 'vitest';
import {
  type Action,
  isAllowed,
  knownGroups,
  knownUser,
  knownUsers,
  lossOf,
  maySee,
  mustBeAllowed,
} from '../../src/auth/permission.ts';
import {
  isRole,
  type Role,
  roles,
  serverId,
  serverViewer,
  type Viewer,
} from '../../src/auth/viewer.ts';

// Written down once more, so that a change of one has to be meant; an action without a line does not compile.
const allowed: Record<Action, readonly Role[]> = {
  'edit resources': ['admin', 'editor'],
  'edit lineage': ['admin', 'editor'],
  'edit tags': ['admin', 'editor'],
  'edit custom properties': ['admin', 'editor'],
  'edit monitors': ['admin', 'editor'],
  'ask questions': ['admin', 'editor', 'viewer'],
  'comment on resources': ['admin', 'editor', 'viewer'],
  'announce to everyone': ['admin'],
  'take part': ['admin', 'editor', 'viewer', 'guest'],
  'read integrations': ['admin', 'editor'],
  'read people': ['admin', 'editor', 'viewer'],
  'read jobs': ['admin', 'editor'],
  "cancel others' jobs": ['admin'],
  'manage integrations': ['admin'],
  'import metadata': ['admin'],
  'report runs': ['admin', 'editor'],
  'write SQL for sources': ['admin'],
  'manage teams': ['admin'],
  'manage people': ['admin'],
  'manage API keys': ['admin'],
  'make own API keys': ['admin', 'editor', 'viewer', 'guest'],
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
  const message = `The role ${role} can't ${action}; ${allowed[action].join(' or ')} can.`;
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

test('a guest knows no one but itself', () => {
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

test('a team that is gone takes something only from those who see by their teams', () => {
  const before = (role: Role) => ({ ...serverViewer('w'), role, teamIds: ['one', 'two'] });
  const after = (role: Role) => lossOf(before(role), { ...before(role), teamIds: ['two'] });
  expect(roles.map((role) => [role, after(role)?.code])).toEqual([
    ['admin', undefined],
    ['editor', undefined],
    ['viewer', 'FORBIDDEN'],
    ['guest', 'FORBIDDEN'],
  ]);
  // A viewer who sees only by teams from now on has lost something, whatever the teams are.
  expect(lossOf(before('editor'), before('viewer'))?.code).toBe('FORBIDDEN');
  // An editor sees everything, without a team.
  expect(lossOf(before('guest'), { ...before('editor'), teamIds: [] })).toBeNull();
});
