// The ids that stand on a resource: which of them the viewer may know of.

import { type MaybePromise, whenReady } from '../async/maybe-promise.ts';
import { isAllowed, visibleResources, visibleTeams } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { loaderOf } from '../database/loader.ts';
import { rows } from '../database/rows.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { FilterField, FilterFields } from '../lists/field.ts';
import { idsOfNowIn } from './alias.ts';

/** Those of some ids of resources that the viewer may see, in their order. */
export function seenIds(ctx: Context, ids: readonly string[]): MaybePromise<string[]> {
  return known(ctx, ids, resourcesSeen);
}

/** The id of a resource that the viewer may see, or null. */
export function seenId(ctx: Context, id: string | null): MaybePromise<string | null> {
  return id === null ? null : whenReady(seenIds(ctx, [id]), ([seen]) => seen ?? null);
}

/** Those of some ids of teams that the viewer may know of, in their order. */
export function seenTeamIds(ctx: Context, ids: readonly string[]): MaybePromise<string[]> {
  return known(ctx, ids, teamsSeen);
}

type Batch = (ctx: Context, ids: readonly string[]) => Promise<Map<string, boolean>>;

/** Who edits everything sees everything, and costs neither a statement nor a promise; others one for a whole list. */
function known(ctx: Context, ids: readonly string[], seen: Batch): MaybePromise<string[]> {
  return ids.length === 0 || isAllowed(ctx, 'edit resources') ? [...ids] : those(ctx, ids, seen);
}

async function those(ctx: Context, ids: readonly string[], seen: Batch): Promise<string[]> {
  const answers = await Promise.all(ids.map((id) => loaderOf(ctx, seen).load(id)));
  return ids.filter((_, i) => answers[i]);
}

const resourcesSeen: Batch = (ctx, ids) => found(ctx, resourcesAmong(ctx, given(ids)));

const teamsSeen: Batch = (ctx, ids) => found(ctx, teamsAmong(ctx, given(ids)));

const given = (ids: readonly string[]) => Prisma.sql`${[...ids]}::uuid[]`;

async function found(ctx: Context, seen: Prisma.Sql): Promise<Map<string, boolean>> {
  const all = await rows<{ id: string }>(ctx, Prisma.sql`select unnest(${seen}) as id`);
  return new Map(all.map(({ id }) => [id, true]));
}

function resourcesAmong(ctx: Context, ids: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`array(select s.id from resource s where s.workspace_id = ${ctx.workspaceId}::uuid
    and s.id = any(${ids}) and ${visibleResources(ctx, 's')})`;
}

/** Those of an array of ids, in SQL, that are of teams which the viewer may know of. */
export function teamsAmong(ctx: Context, ids: Prisma.Sql): Prisma.Sql {
  if (isAllowed(ctx, 'edit resources')) return ids;
  return Prisma.sql`array(select t.id from team t where t.workspace_id = ${ctx.workspaceId}::uuid
    and t.id = any(${ids}) and ${visibleTeams(ctx)})`;
}

/**
 * The fields of a filter or an order as far as the viewer may know what they name: an id of anything else
 * matches nothing, as one does that nothing has, and is not sorted by.
 */
export function fieldsSeen<Fields extends FilterFields>(
  ctx: Context,
  fields: Fields,
): FilterFields {
  const all = new Map<string, FilterField>(Object.entries(fields));
  for (const name of ['id', 'parent_id', 'parent']) {
    const field = all.get(name);
    if (field) all.set(name, { ...field, current: (ids) => idsOfNowIn(ctx, ids) });
  }
  if (isAllowed(ctx, 'edit resources')) return Object.fromEntries(all);
  for (const [name, among] of Object.entries(namedBy)) {
    const field = all.get(name);
    if (field) all.set(name, { ...field, among: (ids) => among(ctx, ids) });
  }
  return Object.fromEntries(all);
}

type Among = (ctx: Context, ids: Prisma.Sql) => Prisma.Sql;

/** Those of an array of ids, in SQL, that are of users whom the viewer may know of. */
export const usersAmong: Among = (ctx, ids) =>
  isAllowed(ctx, 'read people')
    ? ids
    : Prisma.sql`array(select u from unnest(${ids}) u where u = ${ctx.viewer.id}::uuid)`;

const groupsAmong: Among = (ctx, ids) =>
  isAllowed(ctx, 'read people') ? ids : Prisma.sql`'{}'::uuid[]`;

const namedBy: Readonly<Record<string, Among>> = {
  ...{ parent_id: resourcesAmong, parent: resourcesAmong, collections: resourcesAmong },
  ...{ teams: teamsAmong, owners_groups: groupsAmong, owners: usersAmong },
  ...{ subscribers: usersAmong, bookmarked_by: usersAmong, assigned_to: usersAmong },
};
