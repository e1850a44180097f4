// In charge of reading the people that other things name, many at once and as far as the viewer may know of them.

import { knownGroups, knownUsers } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { loaderOf } from '../database/loader.ts';
import type { Group, User } from '../generated/prisma/client.ts';
import { groupsById } from './group.ts';
import { usersById } from './user.ts';

/** The user of an id; null where there is none, or none that the viewer may know of. */
export async function loadUser(ctx: Context, id: string | null): Promise<User | null> {
  return id === null ? null : ((await loadUsers(ctx, [id]))[0] ?? null);
}

/** The users of these ids, in their order; a guest gets to know nobody but itself. */
export async function loadUsers(ctx: Context, ids: readonly string[]): Promise<User[]> {
  const loader = loaderOf(ctx, usersById);
  const users = await Promise.all(knownUsers(ctx, ids).map((id) => loader.load(id)));
  return users.filter((user) => user !== undefined);
}

/** The groups of these ids, in their order; a guest gets to know none. */
export async function loadGroups(ctx: Context, ids: readonly string[]): Promise<Group[]> {
  const loader = loaderOf(ctx, groupsById);
  const groups = await Promise.all(knownGroups(ctx, ids).map((id) => loader.load(id)));
  return groups.filter((group) => group !== undefined);
}
