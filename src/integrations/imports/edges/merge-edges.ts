// Brings the lineage edges of an integration in line with what its source names.

import type { Context } from '../../../context.ts';
import { scratch, scratchCount, unwatched } from '../../../database/scratch.ts';
import { type LineageOrigin, sameEdge } from '../../../lineage/connect.ts';
import { holdEnds, writeProved } from '../proved-keys.ts';
import type { Stage } from '../staging/stage.ts';

export interface EdgeOptions {
  readonly integrationId: string;
  readonly origin: LineageOrigin;
  /** True where edges that the source no longer names are ended. */
  readonly end: boolean;
}

/** Edges that the source names; what they imply between tables comes and goes with them, uncounted. */
export interface EdgeCounts {
  readonly created: number;
  readonly ended: number;
  readonly unchanged: number;
}

/** What is to become of edges. */
export interface EdgeChanges extends EdgeCounts {
  /** Numbers of the plan of edges go up to this. */
  readonly last: number;
  /** Whether the integration had edges of the origin before. */
  readonly isKnown: boolean;
  /** Edges of the catalog that are to be changed. */
  readonly changed: number;
}

const isOurs = `e.workspace_id = $1::uuid and e.integration_id = $2::uuid and e.origin = $3
  and e.valid_to is null`;

/**
 * List what of the catalog's edges will be changed in `stage.edgeChanges`: ended, stated instead of
 * implied, or the other way round. Expects the plan of edges.
 */
export async function findEdgeChanges(
  ctx: Context,
  stage: Stage,
  { integrationId, origin, end }: EdgeOptions,
): Promise<EdgeChanges> {
  const { edgePlan, edgeChanges } = stage;
  await scratch(ctx, `drop table if exists ${edgeChanges}`);
  await scratch(ctx, `create unlogged table ${edgeChanges} (id uuid, becomes text) ${unwatched}`);
  const [planned] = await scratch<{ last: number; total: number; there: number; isKnown: boolean }>(
    ctx,
    `select coalesce(max(n), 0) as last, (count(*) filter (where not implied))::integer as total,
      (count(*) filter (where not implied and was_implied = false))::integer as there,
      exists (select from lineage_edge e where ${isOurs}) as "isKnown" from ${edgePlan}`,
    [ctx.workspaceId, integrationId, origin],
  );
  const { last = 0, total = 0, there = 0, isKnown = false } = planned ?? {};
  const unchanged = there;
  const counts = { created: total - there, ended: 0, unchanged, last, isKnown, changed: 0 };
  if (!isKnown) return counts;
  const [listed] = await scratch<{ changed: number; ended: number }>(
    ctx,
    `with compared as (
        select e.id, e.implied as was, p.n is null as "isGone", p.implied
        from lineage_edge e left join ${edgePlan} p
          on p.source_id = e.source_id and p.target_id = e.target_id
        where ${isOurs}),
      listed as (
        insert into ${edgeChanges} (id, becomes)
        select id, case when "isGone" then 'ended' when implied then 'implied' else 'stated' end
        from compared where "isGone" and $4 or not "isGone" and was and not implied
          or not "isGone" and not was and implied and $4
        returning 1)
      select (select count(*) from listed)::integer as changed,
        (select count(*) from compared where not was and ("isGone" or implied) and $4)::integer
          as ended`,
    [ctx.workspaceId, integrationId, origin, end],
  );
  await scratch(ctx, `analyze ${edgeChanges}`);
  return { ...counts, ...listed };
}

/** Edges that one statement writes: enough to be quick, few enough to be remembered while it runs. */
const batchSize = 50_000;

/** Write the edges that are new, within a transaction: no one sees them yet. */
export async function insertEdges(
  tx: Context,
  stage: Stage,
  { integrationId, origin }: EdgeOptions,
  { last, isKnown }: EdgeChanges,
  onBatch: (done: number, total: number) => void,
): Promise<void> {
  // Where there are such edges, an edit of others may have implied one of these in the meantime; where there
  // are none, looking for each before it is written would be in vain. Traces write those of queries.
  const mayCollide = isKnown || origin === 'QUERY';
  const onConflict = mayCollide
    ? `on conflict ${sameEdge.text} do update set implied = false, updated_at = excluded.updated_at
        where e.implied and not excluded.implied`
    : '';
  const prove = () => holdEnds(tx, stage);
  await writeProved(tx, last, prove, async () => {
    for (let from = 0; from < last; from += batchSize) {
      tx.signal.throwIfAborted();
      await scratch(
        tx,
        `insert into lineage_edge as e (workspace_id, id, source_id, target_id, level,
          implied, origin, integration_id, created_at, updated_at, valid_from)
        select $1::uuid, p.id, p.source_id, p.target_id, p.level, p.implied,
          $3, $2::uuid, $4::timestamptz, $4::timestamptz, $4::timestamptz
        from ${stage.edgePlan} p where p.n > $5 and p.n <= $6 and p.was_implied is null
        order by p.n ${onConflict}`,
        [tx.workspaceId, integrationId, origin, tx.now(), from, from + batchSize],
      );
      onBatch(Math.min(from + batchSize, last), last);
    }
  });
}

/** Change the edges that are listed, within a transaction; those that somebody ended stay ended. */
export async function changeEdges(
  tx: Context,
  { edgeChanges }: Stage,
  { changed }: EdgeChanges,
): Promise<void> {
  if (changed === 0) return;
  const listed = `e.workspace_id = $1::uuid and e.valid_to is null
    and e.id in (select c.id from ${edgeChanges} c`;
  await scratch(
    tx,
    `select count(*) from (
      select 1 from lineage_edge e where ${listed}) order by e.id for no key update) held`,
    [tx.workspaceId],
  );
  for (const [becomes, set] of [
    ['ended', 'valid_to = $2'],
    ['implied', 'implied = true'],
    ['stated', 'implied = false'],
  ]) {
    await scratchCount(
      tx,
      `update lineage_edge e set ${set}, updated_at = $2
        where ${listed} where c.becomes = '${becomes}')`,
      [tx.workspaceId, tx.now()],
    );
  }
}
