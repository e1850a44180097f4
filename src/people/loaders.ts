// Reading the people that other things name, many at once and as far as the viewer may know of them.

import { knownGroups, knownUsers } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { loadList } from '../database/loader.ts';
import type { Group, User } from '../generated/prisma/client.ts';
import { groupsById } from './group.ts';
import { usersById } from './user.ts';

/** The user of an id; null where there is none, or none that the viewer may know of. */
export async function loadUser(ctx: Context, id: string | null): Promise<User | null> {
  return id === null ? null : ((await loadUsers(ctx, [id]))[0] ?? null);
}

/** The users of these ids, in their order; a guest gets to know no one but itself. */
export function loadUsers(ctx: Context, ids: readonly string[]): User[] | Promise<User[]> {
  return loadList(ctx, usersById, knownUsers(ctx, ids));
}

/** The groups of these ids, in their order; a guest gets to know none. */
export function loadGroups(ctx: Context, ids: readonly string[]): Group[] | Promise<Group[]> {
  return loadList(ctx, groupsById, knownGroups(ctx, ids));
}
