// In charge of the first hop: the direct sources and targets of many resources at once.

import { visibleResources } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { type Batch, loaderInFamily } from '../database/loader.ts';
import { rows } from '../database/rows.ts';
import { Prisma, type Resource } from '../generated/prisma/client.ts';
import { keyOf, type Shown, shownColumns } from '../resources/shown.ts';

/** Neighbours of one resource at most; `lineage` shows how many there are. */
export const maxHop = 1_000;

/** What flows directly into each resource, by title, for `loaderOf`; as far as one may see. */
export async function upstreamOf(
  ctx: Context,
  ids: readonly string[],
  shown: Shown = null,
): Promise<Map<string, readonly Resource[]>> {
  return hop(ctx, ids, Prisma.sql`e.source_id`, Prisma.sql`e.target_id`, shown);
}

/** What each resource flows directly into, by title, for `loaderOf`; as far as one may see. */
export async function downstreamOf(
  ctx: Context,
  ids: readonly string[],
  shown: Shown = null,
): Promise<Map<string, readonly Resource[]>> {
  return hop(ctx, ids, Prisma.sql`e.target_id`, Prisma.sql`e.source_id`, shown);
}

/** The neighbours of one resource, those of many in one statement: of their columns what an answer shows. */
export async function loadHop(
  ctx: Context,
  hopOf: typeof upstreamOf,
  id: string,
  shown: Shown,
): Promise<Resource[]> {
  const way = shown ? keyOf(shown) : 'all';
  const loader = loaderInFamily(
    ctx,
    hopOf,
    way,
    (): Batch<string, readonly Resource[]> => (within, ids) => hopOf(within, ids, shown),
  );
  return [...((await loader.load(id)) ?? [])];
}

// A column's neighbours are those of the column level, everything else's those of the table level:
// the same that `lineage` shows at depth 1.
async function hop(
  ctx: Context,
  ids: readonly string[],
  far: Prisma.Sql,
  near: Prisma.Sql,
  shown: Shown,
): Promise<Map<string, readonly Resource[]>> {
  const found = await rows<Resource & { nearId: string }>(
    ctx,
    Prisma.sql`select o.id as "nearId", r.* from unnest(${[...ids]}::uuid[]) k(id)
      join resource o on o.workspace_id = ${ctx.workspaceId}::uuid and o.id = k.id
      cross join lateral (
        select ${shownColumns(shown)} from resource r
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
