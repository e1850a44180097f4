// Moments of lineage: when edges around resources began and ended.

import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { startsOf, stepsOf } from '../graph.ts';
import type { LineageLevel, WalkScope } from '../neighbours.ts';
import { walk } from '../walk.ts';
import { entrances } from '../walk-start.ts';

/** Around what to look. Absent or null means the default. */
export interface MomentsQuery {
  /** 1 to 100 ids of resources. */
  readonly from: readonly string[];
  /** Steps from them, 1 to 100; 3 by default. */
  readonly depth?: number | null | undefined;
  /** TABLE by default. */
  readonly level?: LineageLevel | null | undefined;
}

/** Times that are answered at most. */
export const maxMoments = 500;
/** Resources around which changes are looked for at most, the nearest. */
const maxAround = 10_000;

/**
 * The times at which lineage within some steps of resources changed, oldest first: the newest 500, each
 * the first full second at which the change holds. What leads to resources that the viewer may not see
 * gives none. Throws NOT_FOUND and BAD_REQUEST as `lineage` does.
 */
export async function lineageMoments(ctx: Context, query: MomentsQuery): Promise<Date[]> {
  const level = query.level ?? 'TABLE';
  const depth = stepsOf(query.depth);
  const now: WalkScope = { level, asOf: null };
  const starts = await entrances(ctx, startsOf(query.from), now);
  const ever = { ...now, ever: true };
  const plan = { ...ever, direction: 'BOTH', depth, maxNodes: maxAround, kinds: null } as const;
  const { nodes } = await walk(ctx, starts, plan);
  const ids = nodes.part(0, nodes.count).map(({ id }) => id);
  const found = await rows<{ at: Date }>(ctx, changesAmong(ctx, ids, level));
  return found.map(({ at }) => at).reverse();
}

/**
 * When a pair among resources came or went, and when one of them was archived. That another origin takes a
 * pair over is no change.
 */
function changesAmong(ctx: Context, ids: readonly string[], level: LineageLevel): Prisma.Sql {
  const workspace = Prisma.sql`${ctx.workspaceId}::uuid`;
  return Prisma.sql`
    with held as (
      select e.source_id, e.target_id, e.valid_from as began,
          coalesce(e.valid_to, 'infinity'::timestamptz) as ended
        from unnest(${[...ids]}::uuid[]) s(id)
        join lineage_edge e on e.source_id = s.id
        join unnest(${[...ids]}::uuid[]) t(id) on t.id = e.target_id
        where e.workspace_id = ${workspace} and e.level = ${level} and e.strength = 'DIRECT'),
    run as (
      select began, max(ended) over (pair rows unbounded preceding) as ended, lead(began) over pair as next,
          max(ended) over (pair rows between unbounded preceding and 1 preceding) as before
        from held
        window pair as (partition by source_id, target_id order by began, ended)),
    change as (
      select began as at from run where before is null or before < began
      union
      select ended from run where ended < 'infinity' and (next is null or next > ended)
      union
      select r.archived_at from unnest(${[...ids]}::uuid[]) k(id)
        join resource r on r.workspace_id = ${workspace} and r.id = k.id
        where r.archived and r.archived_at is not null)
    select distinct to_timestamp(ceil(extract(epoch from at))) as at from change
      order by at desc limit ${maxMoments}`;
}
