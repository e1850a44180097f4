// In charge of the first hop: the direct sources and targets of many resources at once.

import { visibleResources } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { Prisma, type Resource } from '../generated/prisma/client.ts';
import { resourceColumns } from '../resources/resource.ts';

/** Neighbours of one resource at most; `lineage` shows how many there are. */
export const maxHop = 1_000;

/** What flows directly into each resource, by title, for `loaderOf`; as far as one may see. */
export async function upstreamOf(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, readonly Resource[]>> {
  return hop(ctx, ids, Prisma.sql`e.source_id`, Prisma.sql`e.target_id`);
}

/** What each resource flows directly into, by title, for `loaderOf`; as far as one may see. */
export async function downstreamOf(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, readonly Resource[]>> {
  return hop(ctx, ids, Prisma.sql`e.target_id`, Prisma.sql`e.source_id`);
}

// A column's neighbours are those of the column level, everything else's those of the table level:
// the same that `lineage` shows at depth 1.
async function hop(
  ctx: Context,
  ids: readonly string[],
  far: Prisma.Sql,
  near: Prisma.Sql,
): Promise<Map<string, readonly Resource[]>> {
  const found = await rows<Resource & { nearId: string }>(
    ctx,
    Prisma.sql`select o.id as "nearId", r.* from unnest(${[...ids]}::uuid[]) k(id)
      join resource o on o.workspace_id = ${ctx.workspaceId}::uuid and o.id = k.id
      cross join lateral (
        select ${resourceColumns} from resource r
        where r.workspace_id = ${ctx.workspaceId}::uuid and not r.archived
          and ${visibleResources(ctx)}
          and r.id in (select ${far} from lineage_edge e
            where e.workspace_id = ${ctx.workspaceId}::uuid and ${near} = o.id
              and e.valid_to is null and e.strength = 'DIRECT'
              and e.level = case when o.kind = 'column' then 'COLUMN' else 'TABLE' end)
        order by r.title, r.id limit ${maxHop}) r`,
  );
  const neighbours = new Map<string, Resource[]>(ids.map((id) => [id, []]));
  for (const resource of found) neighbours.get(resource.nearId)?.push(resource);
  return neighbours;
}
