// In charge of the ids that stand on a resource: which of them the viewer may know of.

import { isAllowed, visibleResources, visibleTeams } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { loaderOf } from '../database/loader.ts';
import { rows } from '../database/rows.ts';
import { Prisma } from '../generated/prisma/client.ts';

/** Those of some ids of resources that the viewer may see, in their order. */
export async function seenIds(ctx: Context, ids: readonly string[]): Promise<string[]> {
  return known(ctx, ids, resourcesSeen);
}

/** The id of a resource that the viewer may see, or null. */
export async function seenId(ctx: Context, id: string | null): Promise<string | null> {
  return id === null ? null : ((await seenIds(ctx, [id]))[0] ?? null);
}

/** Those of some ids of teams that the viewer may know of, in their order. */
export async function seenTeamIds(ctx: Context, ids: readonly string[]): Promise<string[]> {
  return known(ctx, ids, teamsSeen);
}

type Batch = (ctx: Context, ids: readonly string[]) => Promise<Map<string, boolean>>;

/** Who edits everything sees everything, and costs no statement; others one for a whole list. */
async function known(ctx: Context, ids: readonly string[], seen: Batch): Promise<string[]> {
  if (isAllowed(ctx, 'edit resources')) return [...ids];
  const answers = await Promise.all(ids.map((id) => loaderOf(ctx, seen).load(id)));
  return ids.filter((_, i) => answers[i]);
}

const resourcesSeen: Batch = async (ctx, ids) =>
  found(
    ctx,
    Prisma.sql`select r.id from resource r where r.workspace_id = ${ctx.workspaceId}::uuid
      and r.id = any(${[...ids]}::uuid[]) and ${visibleResources(ctx)}`,
  );

const teamsSeen: Batch = async (ctx, ids) =>
  found(
    ctx,
    Prisma.sql`select t.id from team t where t.workspace_id = ${ctx.workspaceId}::uuid
      and t.id = any(${[...ids]}::uuid[]) and ${visibleTeams(ctx)}`,
  );

async function found(ctx: Context, select: Prisma.Sql): Promise<Map<string, boolean>> {
  const those = await rows<{ id: string }>(ctx, select);
  return new Map(those.map(({ id }) => [id, true]));
}
