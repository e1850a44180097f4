// How many people reacted to questions and replies, with which emoji.

import type { Context } from '../../context.ts';
import { loaderOf } from '../../database/loader.ts';
import { rows } from '../../database/rows.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { groupBy } from '../../lists/group-by.ts';

/** An emoji that people reacted with. */
export interface ReactionCount {
  readonly emoji: string;
  /** People, 1 at least. */
  readonly count: number;
  readonly isByViewer: boolean;
}

/** The reactions to a question or reply, the first emoji first. Anyone who may see the resource may see them. */
export async function loadReactionCounts(
  ctx: Context,
  id: string,
): Promise<readonly ReactionCount[]> {
  return (await loaderOf(ctx, countsById).load(id)) ?? [];
}

async function countsById(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, ReactionCount[]>> {
  const found = await rows<ReactionCount & { id: string }>(
    ctx,
    Prisma.sql`select x.resource_id as id, x.emoji, count(*) as count,
        bool_or(x.user_id = ${ctx.viewer.id}::uuid) as "isByViewer"
      from reaction x
      where x.workspace_id = ${ctx.workspaceId}::uuid and x.resource_id = any(${[...ids]}::uuid[])
      group by x.resource_id, x.emoji order by min(x.created_at), x.emoji`,
  );
  return groupBy(found, (reaction) => reaction.id);
}
