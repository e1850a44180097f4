// The first hop: the direct sources and targets of many resources at once.

import type { MaybePromise } from '../async/maybe-promise.ts';
import { visibleResources } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { loaderInFamily } from '../database/loader.ts';
import { rows } from '../database/rows.ts';
import { Prisma, type Resource } from '../generated/prisma/client.ts';
import { keyOf, type Shown, shownColumns } from '../resources/shown.ts';
import { ways } from './memory/edge.ts';
import { type HopsBelow, hopInMemory, hopReadBefore } from './memory/hops.ts';

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

/** How hops are asked for. */
export interface HopQuery {
  readonly way: 'upstream' | 'downstream';
  readonly shown: Shown;
  /** Hops that are asked for below: one object for all who are read together. */
  readonly below: HopsBelow;
}

/**
 * The neighbours of one resource, of whose columns is read what an answer shows: those of many in one statement,
 * and at once what was read with a hop above.
 */
export function loadHop(
  ctx: Context,
  { id, kind }: Pick<Resource, 'id' | 'kind'>,
  { way, shown, below }: HopQuery,
): MaybePromise<readonly Resource[]> {
  const level = kind === 'column' ? 'COLUMN' : 'TABLE';
  const [hopOf, direction] = way === 'upstream' ? [upstreamOf, ways.up] : [downstreamOf, ways.down];
  const hop = { level, way: direction, shown, below } as const;
  const before = hopReadBefore(ctx, id, hop);
  if (before) return before;
  const read = async (within: Context, ids: readonly string[]) =>
    (await hopInMemory(within, ids, hop)) ?? hopOf(within, ids, shown);
  const key = `${level} ${shown ? keyOf(shown) : 'all'}`;
  const loader = loaderInFamily(ctx, below, `${way} ${key}`, () => read);
  return loader.load(id).then((found) => found ?? []);
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
