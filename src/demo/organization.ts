// Who is in the sample workspace, and the words they sort things by.

import { viewerOfUser } from '../auth/account.ts';
import type { Context } from '../context.ts';
import { createGroup } from '../people/group.ts';
import { createUser } from '../people/user.ts';
import { createProperty } from '../properties/property.ts';
import { createTag } from '../tags/tag.ts';
import { addTeamMembers } from '../teams/member.ts';
import { createTeam } from '../teams/team.ts';
import type { Sample } from './sample.ts';

/** Ids by name, those of people by address. */
export interface Organization {
  readonly users: ReadonlyMap<string, string>;
  readonly groups: ReadonlyMap<string, string>;
  readonly teams: ReadonlyMap<string, string>;
  readonly tags: ReadonlyMap<string, string>;
  readonly properties: ReadonlyMap<string, string>;
}

/** Make what is not there yet: all of it, or, after a load that was cut off, nothing. */
export async function makeOrganization(tx: Context, sample: Sample): Promise<Organization> {
  const there = await readOrganization(tx);
  if (sample.users.every(({ email }) => there.users.has(email))) return there;
  for (const user of sample.users) await createUser(tx, user);
  const { users } = await readOrganization(tx);
  for (const { members, ...group } of sample.groups) {
    await createGroup(tx, { ...group, memberIds: allNamed(users, members) });
  }
  for (const { members, ...team } of sample.teams) {
    const { id } = await createTeam(tx, team);
    await addTeamMembers(tx, id, allNamed(users, members));
  }
  for (const tag of sample.tags) await createTag(tx, tag);
  for (const property of sample.properties) await createProperty(tx, property);
  return readOrganization(tx);
}

async function readOrganization({ db, workspaceId }: Context): Promise<Organization> {
  const all = { where: { workspaceId } };
  const byName = (list: readonly { id: string; name: string }[]) =>
    new Map(list.map(({ id, name }) => [name, id]));
  return {
    users: new Map((await db.user.findMany(all)).map(({ id, email }) => [email, id])),
    groups: byName(await db.group.findMany(all)),
    teams: byName(await db.team.findMany(all)),
    tags: byName(await db.tag.findMany(all)),
    properties: byName(await db.customProperty.findMany(all)),
  };
}

/** What a name stands for. Throws an Error that says the name, which is wrong in the sample then. */
export function named<T>(things: ReadonlyMap<string, T>, name: string): T {
  const thing = things.get(name);
  if (thing === undefined) throw new Error(`The sample names ${name}, which is not there.`);
  return thing;
}

/** What several names stand for. */
export function allNamed<T>(things: ReadonlyMap<string, T>, names: readonly string[]): T[] {
  return names.map((name) => named(things, name));
}

/** The same context, acting for another user of the workspace. */
export async function actingFor(ctx: Context, userId: string): Promise<Context> {
  const viewer = await viewerOfUser(ctx, ctx.workspaceId, userId);
  if (!viewer) throw new Error(`The user ${userId} is not there, or deactivated.`);
  return { ...ctx, viewer, loaders: new Map() };
}
