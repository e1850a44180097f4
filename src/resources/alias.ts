// Ids of resources that were merged into others: they lead to what was kept.

import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { Prisma } from '../generated/prisma/client.ts';

/** The ids of the resources that these were merged into, by the old ids. */
export async function currentIds(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const found = await rows<{ old: string; id: string }>(
    ctx,
    Prisma.sql`select a.old_id as old, a.resource_id as id from resource_alias a
      where a.workspace_id = ${ctx.workspaceId}::uuid and a.old_id = any(${[...ids]}::uuid[])`,
  );
  return new Map(found.map(({ old, id }) => [old, id]));
}

/** Ids in their order, those of resources that were merged into others in place of these. */
export async function idsOfNow(ctx: Context, ids: readonly string[]): Promise<string[]> {
  const kept = await currentIds(ctx, ids);
  return ids.map((id) => kept.get(id.toLowerCase()) ?? id);
}

/** The same of an array in SQL, for conditions of lists. */
export function idsOfNowIn(ctx: Context, ids: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`array(select coalesce(a.resource_id, x.id) from unnest(${ids}) x(id)
    left join resource_alias a on a.workspace_id = ${ctx.workspaceId}::uuid and a.old_id = x.id)`;
}

/** The id of the resource that one was merged into; null for any other. */
export async function currentId(ctx: Context, id: string): Promise<string | null> {
  return (await currentIds(ctx, [id])).get(id.toLowerCase()) ?? null;
}

/** The ids that a resource had before others were merged into it, and its own. */
export async function idsOfAllTime(ctx: Context, id: string): Promise<string[]> {
  const found = await rows<{ old: string }>(
    ctx,
    Prisma.sql`select a.old_id as old from resource_alias a
      where a.workspace_id = ${ctx.workspaceId}::uuid and a.resource_id = ${id}::uuid
      order by a.merged_at, a.old_id`,
  );
  return [id, ...found.map(({ old }) => old)];
}
