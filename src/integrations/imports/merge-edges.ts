// In charge of bringing the lineage edges of an integration in line with what its source names.

import type { Context } from '../../context.ts';
import { scratch } from '../../database/scratch.ts';
import { type LineageOrigin, sameEdge } from '../../lineage/connect.ts';
import type { Stage } from './stage.ts';

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

/** What `mergeEdges` would do. */
export async function countEdges(
  ctx: Context,
  stage: Stage,
  options: EdgeOptions,
): Promise<EdgeCounts> {
  return compareEdges(ctx, stage, options, await hasEdges(ctx, options));
}

async function compareEdges(
  ctx: Context,
  stage: Stage,
  options: EdgeOptions,
  isKnown: boolean,
): Promise<EdgeCounts> {
  const [planned] = await scratch<{ total: number }>(
    ctx,
    `select count(*)::integer as total from ${stage.edgePlan} where not implied`,
  );
  const total = planned?.total ?? 0;
  if (!isKnown) return { created: total, ended: 0, unchanged: 0 };
  const [counted] = await scratch<{ there: number; gone: number }>(
    ctx,
    `select (select count(*) from ${stage.edgePlan} p join lineage_edge e on ${isOurs} and not e.implied
        and e.source_id = p.source_id and e.target_id = p.target_id
        where not p.implied)::integer as there,
      (select count(*) from lineage_edge e where ${isOurs} and not e.implied
        and not ${isPlanned(stage, 'and not p.implied')})::integer as gone`,
    [ctx.workspaceId, options.integrationId, options.origin],
  );
  const { there = 0, gone = 0 } = counted ?? {};
  return { created: total - there, ended: options.end ? gone : 0, unchanged: there };
}

const isOurs = `e.workspace_id = $1::uuid and e.integration_id = $2::uuid and e.origin = $3
  and e.valid_to is null`;

/** Whether the integration has edges of the origin yet, implied ones included. */
async function hasEdges(ctx: Context, { integrationId, origin }: EdgeOptions): Promise<boolean> {
  const ours = [ctx.workspaceId, integrationId, origin];
  const found = await scratch(ctx, `select 1 from lineage_edge e where ${isOurs} limit 1`, ours);
  return found.length > 0;
}

const isPlanned = ({ edgePlan }: Stage, further = '') => `exists (select from ${edgePlan} p
  where p.source_id = e.source_id and p.target_id = e.target_id ${further})`;

/** Edges that one statement writes: enough to be quick, few enough to be remembered while it runs. */
const batchSize = 50_000;

/** Write the planned edges in a transaction, and end those that the source no longer names. */
export async function mergeEdges(
  tx: Context,
  stage: Stage,
  options: EdgeOptions,
  onBatch: (done: number, total: number) => void,
): Promise<EdgeCounts> {
  const now = tx.now();
  const ours = [tx.workspaceId, options.integrationId, options.origin];
  const isKnown = await hasEdges(tx, options);
  const counts = await compareEdges(tx, stage, options, isKnown);
  if (options.end && isKnown) await endEdges(tx, stage, ours);
  const [planned] = await scratch<{ last: number }>(
    tx,
    `select coalesce(max(n), 0) as last from ${stage.edgePlan}`,
  );
  const last = planned?.last ?? 0;
  // Only imports write such edges, and the integration is held: where there are none, looking for each
  // before it is written would be in vain. Edges of queries are written by traces, too.
  const mayCollide = isKnown || options.origin === 'QUERY';
  const onConflict = mayCollide
    ? `on conflict ${sameEdge.text} do update set implied = false, updated_at = excluded.updated_at
        where e.implied and not excluded.implied`
    : '';
  for (let from = 0; from < last; from += batchSize) {
    tx.signal.throwIfAborted();
    await scratch(
      tx,
      `insert into lineage_edge as e (workspace_id, id, upstream_id, source_id, target_id, level,
          implied, origin, integration_id, created_at, updated_at, valid_from)
        select $1::uuid, p.id, p.upstream_id, p.source_id, p.target_id, p.level, p.implied,
          $3, $2::uuid, $4::timestamptz, $4::timestamptz, $4::timestamptz
        from ${stage.edgePlan} p where p.n > $5 and p.n <= $6 order by p.n
        ${onConflict}`,
      [...ours, now, from, from + batchSize],
    );
    onBatch(Math.min(from + batchSize, last), last);
  }
  return counts;
}

async function endEdges(tx: Context, stage: Stage, ours: readonly string[]): Promise<void> {
  const values = [...ours, tx.now()];
  await scratch(
    tx,
    `update lineage_edge e set valid_to = $4, updated_at = $4
      where ${isOurs} and not ${isPlanned(stage)}`,
    values,
  );
  // The edge between two tables is no longer named, but edges between their columns still imply it.
  await scratch(
    tx,
    `update lineage_edge e set implied = true, updated_at = $4
      where ${isOurs} and not e.implied and ${isPlanned(stage, 'and p.implied')}`,
    values,
  );
}
