// In charge of the lineage that a source names: finding its ends, and bringing the edges in line.

import type { Context } from '../context.ts';
import { scratch } from '../database/scratch.ts';
import { type LineageOrigin, sameEdge } from '../lineage/connect.ts';
import { settleIntegration } from '../lineage/implied.ts';
import type { ExtractedLineage, Reference } from './extraction.ts';
import { IdSequence } from './id-sequence.ts';
import type { Stage } from './stage.ts';

/** What became of the lines of lineage that were staged. */
export interface StagedEdges {
  /** Lines of which an end is nothing that the catalog knows. */
  readonly unknown: number;
  /** Some of those lines, for the log. */
  readonly examples: readonly number[];
  /** Lines that lead from a resource to itself. */
  readonly circular: number;
}

const referenceColumns = ['key', 'cluster', 'database', 'schema', 'table', 'column'] as const;

/**
 * Find the ends of a batch of lineage and stage the edges. An end is named by its key in this
 * integration, or by its name in any: a name that fits tables of different paths fits none. Expects
 * the plan, and the names where a reference goes by name.
 */
export async function stageEdges(
  ctx: Context,
  stage: Stage,
  integrationId: string,
  batch: readonly ExtractedLineage[],
): Promise<StagedEdges> {
  const byName = batch.some(({ from, to }) => from.by === 'name' || to.by === 'name');
  const ends = (['f', 't'] as const).map((end) => findEnd(stage, end, byName));
  const columns = (['f', 't'] as const).flatMap((end) =>
    referenceColumns.map((name) => `${end}_${name} text`),
  );
  const [counted] = await scratch<{ unknown: number; circular: number; examples: number[] | null }>(
    ctx,
    `with found as materialized (
        select e.line, f.id as source_id, t.id as target_id,
          case when 'column' in (f.kind, t.kind) then 'COLUMN' else 'TABLE' end as level
        from json_to_recordset($3::json) as e(line integer, ${columns.join(', ')})
        ${ends.join('\n')}),
      staged as (
        insert into ${stage.edges} (source_id, target_id, level)
        select source_id, target_id, level from found
        where source_id is not null and target_id is not null and source_id <> target_id)
      select count(*) filter (where source_id is null or target_id is null)::integer as unknown,
        count(*) filter (where source_id = target_id)::integer as circular,
        (array_agg(line order by line) filter (where source_id is null or target_id is null))[1:5]
          as examples
      from found`,
    [ctx.workspaceId, integrationId, JSON.stringify(batch.map(rowOf))],
  );
  const { unknown = 0, circular = 0, examples = null } = counted ?? {};
  return { unknown, circular, examples: examples ?? [] };
}

function rowOf({ line, from, to }: ExtractedLineage) {
  return { line, ...endOf('f', from), ...endOf('t', to) };
}

function endOf(end: string, reference: Reference) {
  if (reference.by === 'key') return { [`${end}_key`]: reference.key };
  return {
    [`${end}_cluster`]: reference.cluster,
    [`${end}_database`]: reference.database,
    [`${end}_schema`]: reference.schema,
    [`${end}_table`]: reference.table,
    [`${end}_column`]: reference.column,
  };
}

/** The joins that find one end of each line: by key in the plan, then in the catalog, or by name. */
function findEnd({ plan, names }: Stage, end: 'f' | 't', byName: boolean): string {
  const named = `select n.id, 'table' as kind from (
      select (array_agg(n.id order by n.rank))[1] as id, count(distinct n.path) as paths
      from ${names} n where n.title = lower(e.${end}_table)
        and (e.${end}_schema is null or n.schema_name = lower(e.${end}_schema))
        and (e.${end}_database is null or n.database_name = lower(e.${end}_database))
        and (e.${end}_cluster is null or n.cluster is null or n.cluster = lower(e.${end}_cluster))) n
      where n.paths = 1 and e.${end}_table is not null`;
  const column = (parent: string) => `select p.id, p.kind from ${plan} p
      where p.kind = 'column' and p.parent_id = ${parent} and lower(p.title) = lower(e.${end}_column)
      union all
      select r.id, r.kind from resource r where r.workspace_id = $1::uuid and r.kind = 'column'
        and r.parent_id = ${parent} and not r.archived and lower(r.title) = lower(e.${end}_column)`;
  const parts = [
    `select p.id, p.kind from ${plan} p where p.key = e.${end}_key`,
    `select r.id, r.kind from resource r where r.workspace_id = $1::uuid
      and r.integration_id = $2::uuid and r.databuilder_id = e.${end}_key and not r.archived`,
  ];
  if (byName) {
    parts.push(`select x.id, x.kind from (${named}) x where e.${end}_column is null`);
    parts.push(`select y.id, y.kind from (${named}) x cross join lateral (${column('x.id')}) y`);
  }
  return `left join lateral (${parts.join('\nunion all\n')} limit 1) ${end} on true`;
}

/** List the tables of the workspace by name, those that are planned included. */
export async function stageNames(ctx: Context, stage: Stage, integrationId: string): Promise<void> {
  const { names, plan } = stage;
  await scratch(ctx, `drop table if exists ${names}`);
  // Of several tables of one path, this integration's own comes first, then what is not stale.
  await scratch(
    ctx,
    `create unlogged table ${names} as
      select t.*, row_number() over (order by t.standing, t.id) as rank,
        concat_ws('.', t.database_name, t.schema_name, t.title) as path
      from (
        select lower(p.title) as title, lower(p.schema_name) as schema_name,
          lower(p.database_name) as database_name, lower(p.cluster) as cluster, p.id, 0 as standing
        from ${plan} p where p.kind = 'table'
        union all
        select lower(r.title), lower(r.schema_name), lower(r.database_name), lower(r.cluster), r.id,
          case when r.integration_id = $2::uuid then 1 when not r.stale then 2 else 3 end
        from resource r where r.workspace_id = $1::uuid and r.kind = 'table' and not r.archived
          and not exists (select from ${plan} p where p.id = r.id)) t`,
    [ctx.workspaceId, integrationId],
  );
  await scratch(ctx, `create index on ${names} (title)`);
  await scratch(ctx, `analyze ${names}`);
}

export interface EdgeOptions {
  readonly integrationId: string;
  readonly origin: LineageOrigin;
  /** True where edges that the source no longer names are ended. */
  readonly end: boolean;
}

export interface EdgeCounts {
  readonly created: number;
  readonly ended: number;
  readonly unchanged: number;
}

/** Bring the staged edges in an order in which they are quick to write, each once. */
export async function planEdges(ctx: Context, stage: Stage): Promise<void> {
  await scratch(ctx, `drop table if exists ${stage.edgePlan}`);
  // Sorted, an edge lands in the indexes beside the one before, and its ends are found in memory.
  await scratch(
    ctx,
    `create unlogged table ${stage.edgePlan} as
      select row_number() over (order by source_id, target_id)::integer as n, d.* from (
        select source_id, target_id, min(level) as level from ${stage.edges}
        group by source_id, target_id) d`,
  );
  await scratch(ctx, `create index on ${stage.edgePlan} (n)`);
  await scratch(ctx, `analyze ${stage.edgePlan}`);
}

/** What `mergeEdges` would do. */
export async function countEdges(
  ctx: Context,
  stage: Stage,
  options: EdgeOptions,
): Promise<EdgeCounts> {
  const [counted] = await scratch<{ total: number; there: number; gone: number }>(
    ctx,
    `select (select count(*) from ${stage.edgePlan})::integer as total,
      (select count(*) from ${stage.edgePlan} p join lineage_edge e on ${isOurs} and not e.implied
        and e.source_id = p.source_id and e.target_id = p.target_id)::integer as there,
      (select count(*) from lineage_edge e where ${isOurs} and not e.implied and ${isGone(stage)}
        )::integer as gone`,
    [ctx.workspaceId, options.integrationId, options.origin],
  );
  const { total = 0, there = 0, gone = 0 } = counted ?? {};
  return { created: total - there, ended: options.end ? gone : 0, unchanged: there };
}

const isOurs = `e.workspace_id = $1::uuid and e.integration_id = $2::uuid and e.origin = $3
  and e.valid_to is null`;

const isGone = ({ edgePlan }: Stage) => `not exists (select from ${edgePlan} p
  where p.source_id = e.source_id and p.target_id = e.target_id)`;

/** Edges that one statement writes: enough to be quick, few enough to be remembered while it runs. */
const batchSize = 50_000;

/** Write the planned edges in a transaction, and end those that the source no longer names. */
export async function mergeEdges(
  tx: Context,
  stage: Stage,
  options: EdgeOptions,
  onBatch: (done: number, total: number) => void,
): Promise<EdgeCounts> {
  const { integrationId, origin } = options;
  const now = tx.now();
  const ours = [tx.workspaceId, integrationId, origin];
  const ended = options.end ? await endEdges(tx, stage, ours) : 0;
  const [last] = await scratch<{ total: number; columns: boolean }>(
    tx,
    `select coalesce(max(n), 0) as total, coalesce(bool_or(level = 'COLUMN'), false) or exists (
        select from lineage_edge e where ${isOurs} and e.implied) as columns
      from ${stage.edgePlan}`,
    ours,
  );
  const { total = 0, columns = false } = last ?? {};
  const ids = new IdSequence(now).prefix;
  const upstreamIds = new IdSequence(now).prefix;
  let created = 0;
  for (let from = 0; from < total; from += batchSize) {
    tx.signal.throwIfAborted();
    const [batch] = await scratch<{ written: number }>(
      tx,
      `with written as (
        insert into lineage_edge as e (workspace_id, id, upstream_id, source_id, target_id, level,
          origin, integration_id, created_at, updated_at, valid_from)
        select $1::uuid, ($5 || lpad(to_hex(p.n), 12, '0'))::uuid,
          ($6 || lpad(to_hex(p.n), 12, '0'))::uuid, p.source_id, p.target_id, p.level, $3,
          $2::uuid, $4::timestamptz, $4::timestamptz, $4::timestamptz
        from ${stage.edgePlan} p where p.n > $7 and p.n <= $8 order by p.n
        on conflict ${sameEdge.text} do update set implied = false, updated_at = excluded.updated_at
          where e.implied
        returning 1)
      select count(*)::integer as written from written`,
      [...ours, now, ids, upstreamIds, from, from + batchSize],
    );
    created += batch?.written ?? 0;
    onBatch(Math.min(from + batchSize, total), total);
  }
  if (columns) await settleIntegration(tx, integrationId);
  return { created, ended, unchanged: total - created };
}

async function endEdges(tx: Context, stage: Stage, ours: readonly string[]): Promise<number> {
  const [counted] = await scratch<{ ended: number }>(
    tx,
    `with ended as (
      update lineage_edge e set valid_to = $4, updated_at = $4
      where ${isOurs} and not e.implied and ${isGone(stage)} returning 1)
    select count(*)::integer as ended from ended`,
    [...ours, tx.now()],
  );
  return counted?.ended ?? 0;
}
