// Where a walk begins: what the asked resources stand for at the level of the walk.

import { visibleResources } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { notFound } from '../errors.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { groupBy } from '../lists/group-by.ts';
import { idsOfNow } from '../resources/alias.ts';
import { maxNesting } from '../resources/lists/nesting.ts';
import { isUuid } from '../text/uuid.ts';
import { aliveAt, holdsAt, maxStep, type WalkPlace, type WalkScope } from './neighbours.ts';

interface Entrance extends WalkPlace {
  /** The resource that was asked for. */
  readonly asked: string;
}

/**
 * The places from which a walk over `ids` begins. At the level of columns a table stands for its
 * columns (and for itself when an edge ties it to a column, or when it has none), and a column for
 * itself, for those that lie in it and for those in which it lies: what reads one of these reads it. At the level of
 * tables a column stands for its table. All else stands for itself. Throws NOT_FOUND for what
 * is no id, is archived or may not be seen.
 */
export async function entrances(
  ctx: Context,
  ids: readonly string[],
  scope: WalkScope,
): Promise<WalkPlace[]> {
  const asked = [...new Set(ids.map((id) => id.toLowerCase()))];
  const stranger = asked.find((id) => !isUuid(id));
  if (stranger !== undefined) throw notFound('Resource');
  const found = await read(ctx, asked, scope);
  const places = new Map(found.map((place) => [place.id, place]));
  const known = new Set(found.map((place) => place.asked));
  if (asked.some((id) => !known.has(id))) {
    const now = await idsOfNow(ctx, asked);
    if (now.some((id, at) => id !== asked[at])) return entrances(ctx, now, scope);
    throw notFound('Resource');
  }
  return [...places.values()].map(placeOf);
}

/** The places from which a walk from each of some ids begins; an id from which none does is left out. */
export async function entrancesOfEach(
  ctx: Context,
  ids: readonly string[],
  scope: WalkScope,
): Promise<Map<string, WalkPlace[]>> {
  const found = groupBy(await read(ctx, ids, scope), ({ asked }) => asked);
  return new Map([...found].map(([id, places]) => [id, places.map(placeOf)]));
}

async function read(ctx: Context, asked: readonly string[], scope: WalkScope): Promise<Entrance[]> {
  return rows<Entrance>(
    ctx,
    scope.level === 'TABLE' ? tablesOf(ctx, asked, scope) : columnsOf(ctx, asked, scope),
  );
}

const placeOf = ({ id, kind, visible }: Entrance): WalkPlace => ({ id, kind, visible });

/** Climbs from columns to the table they lie in; a column that lies in none stands for itself. */
function tablesOf(ctx: Context, asked: readonly string[], scope: WalkScope): Prisma.Sql {
  return Prisma.sql`with recursive climb as (
      ${roots(ctx, asked, scope)}
      union all
      select c.asked, c.place, r.id, r.kind, r.parent_id, ${visibleResources(ctx)}, c.hops + 1
        from climb c join resource r
          on r.workspace_id = ${ctx.workspaceId}::uuid and r.id = c.parent_id
        where c.kind = 'column' and c.hops < ${maxNesting} and ${aliveAt(scope)})
    select distinct on (c.place, c.asked) c.asked, c.id, c.kind, c.visible
      from climb c order by c.place, c.asked, c.hops desc`;
}

/** Descends from tables and columns to the columns in them, and climbs from columns to those they lie in. */
function columnsOf(ctx: Context, asked: readonly string[], scope: WalkScope): Prisma.Sql {
  return Prisma.sql`with recursive descent as (
      ${roots(ctx, asked, scope)}
      union all
      select d.asked, d.place, r.id, r.kind, r.parent_id, ${visibleResources(ctx)}, d.hops + 1
        from descent d join resource r
          on r.workspace_id = ${ctx.workspaceId}::uuid and r.parent_id = d.id
        where r.kind = 'column' and d.kind in ('table', 'column') and d.hops < ${maxNesting}
          and ${aliveAt(scope)}),
    climb as (
      select * from descent d where d.hops = 0 and d.kind = 'column'
      union all
      select c.asked, c.place, r.id, r.kind, r.parent_id, ${visibleResources(ctx)}, c.hops + 1
        from climb c join resource r
          on r.workspace_id = ${ctx.workspaceId}::uuid and r.id = c.parent_id
        where r.kind = 'column' and c.hops < ${maxNesting} and ${aliveAt(scope)}),
    near as (select * from descent union all select * from climb where hops > 0)
    select d.asked, d.id, d.kind, d.visible from near d
      where d.kind <> 'table'
        or not exists (select from descent c where c.asked = d.id and c.hops > 0)
        or exists (select from lineage_edge e where e.workspace_id = ${ctx.workspaceId}::uuid
          and e.source_id = d.id and ${holdsAt(scope)})
        or exists (select from lineage_edge e where e.workspace_id = ${ctx.workspaceId}::uuid
          and e.target_id = d.id and ${holdsAt(scope)})
      order by d.place, d.hops, d.id limit ${maxStep}`;
}

function roots(ctx: Context, asked: readonly string[], scope: WalkScope): Prisma.Sql {
  return Prisma.sql`select r.id as asked, a.place, r.id, r.kind, r.parent_id, true as visible,
      0 as hops
    from unnest(${[...asked]}::uuid[]) with ordinality a(id, place)
    join resource r on r.workspace_id = ${ctx.workspaceId}::uuid and r.id = a.id
    where ${visibleResources(ctx)} and ${aliveAt(scope)}`;
}
