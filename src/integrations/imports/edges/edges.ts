// The lineage that a source names: finding the two resources that each line means.

import type { Context } from '../../../context.ts';
import {
  type CopiedValue,
  copyIntoScratch,
  jsonRows,
  scratch,
  unwatched,
} from '../../../database/scratch.ts';
import type { ExtractedLineage, Reference } from '../../readers/extraction.ts';
import type { Stage } from '../staging/stage.ts';

/** What became of the lines of lineage that were staged. */
export interface StagedEdges {
  /** Lines of which an end is nothing that the catalog knows. */
  readonly unknown: number;
  /** Some of those lines, for the log. */
  readonly examples: readonly number[];
  /** Lines that lead from a resource to itself. */
  readonly circular: number;
}

const nameColumns = ['cluster', 'database', 'schema', 'table', 'column'] as const;
type End = 'f' | 't';
const ends = ['f', 't'] as const;

/** Whether both ends of every line are named by their keys. */
export function isByKey(batch: readonly ExtractedLineage[]): boolean {
  return batch.every(({ from, to }) => from.by === 'key' && to.by === 'key');
}

/** Keep a batch of lineage by key, until all of it can be found at once. */
export async function keepByKey(
  ctx: Context,
  { edgesByKey }: Stage,
  batch: readonly ExtractedLineage[],
): Promise<void> {
  await copyIntoScratch(ctx, edgesByKey, ['line', 'f_key', 't_key'], keysOf(batch));
}

function* keysOf(batch: readonly ExtractedLineage[]): Generator<CopiedValue[]> {
  const keyOf = (end: Reference) => (end.by === 'key' ? end.key : undefined);
  for (const { line, from, to } of batch) yield [line, keyOf(from), keyOf(to)];
}

/**
 * Find the ends of the lineage that was kept by key, and stage the edges. Looking each key up in an
 * index took ten times as long for two million lines: it reads pages all over the place.
 */
export async function stageByKey(
  ctx: Context,
  stage: Stage,
  integrationId: string,
): Promise<StagedEdges> {
  const { edgesByKey, keys } = stage;
  await scratch(ctx, `analyze ${edgesByKey}`);
  await stageKeys(ctx, stage, integrationId);
  return stageFound(
    ctx,
    stage,
    `${edgesByKey} e left join ${keys} f on f.key = e.f_key left join ${keys} t on t.key = e.t_key`,
    [],
  );
}

/** List what has keys of an integration, what is planned included. */
async function stageKeys(
  ctx: Context,
  { keys, plan }: Stage,
  integrationId: string,
): Promise<void> {
  await scratch(ctx, `drop table if exists ${keys}`);
  await scratch(
    ctx,
    `create unlogged table ${keys} ${unwatched} as
      select p.key, p.id, p.kind from ${plan} p
      union all
      select r.databuilder_id, r.id, r.kind from resource r where r.workspace_id = $1::uuid
        and r.integration_id = $2::uuid and r.databuilder_id is not null and not r.archived
        and not r.shared and not exists (select from ${plan} p where p.key = r.databuilder_id)
      union all
      select c.key, r.id, r.kind from resource_claim c join resource r
        on r.workspace_id = $1::uuid and r.id = c.resource_id and not r.archived
        where c.workspace_id = $1::uuid and c.integration_id = $2::uuid
          and not exists (select from ${plan} p where p.key = c.key)`,
    [ctx.workspaceId, integrationId],
  );
  await scratch(ctx, `analyze ${keys}`);
}

/**
 * Find the ends of a batch of lineage and stage the edges. An end is named by its key in this
 * integration, or by its name in any: a name that fits tables of different paths fits none. Expects
 * the plan and the names.
 */
export async function stageByName(
  ctx: Context,
  stage: Stage,
  batch: readonly ExtractedLineage[],
): Promise<StagedEdges> {
  const types = ends.flatMap((end) => ['key', ...nameColumns].map((name) => `${end}_${name} text`));
  return stageFound(
    ctx,
    stage,
    `json_to_recordset($2::json) as e(line integer, ${types.join(', ')})
      ${ends.map((end) => findByKeyOrName(stage, end)).join('\n')}`,
    [ctx.workspaceId, jsonRows(batch.map(rowOf))],
  );
}

/** Stage the edges whose ends, aliases `f` and `t`, were found for the lines, alias `e`. */
async function stageFound(
  ctx: Context,
  { edges }: Stage,
  from: string,
  values: readonly unknown[],
): Promise<StagedEdges> {
  const [counted] = await scratch<{ unknown: number; circular: number; examples: number[] | null }>(
    ctx,
    `with found as materialized (
        select e.line, f.id as source_id, t.id as target_id,
          case when 'column' in (f.kind, t.kind) then 'COLUMN' else 'TABLE' end as level
        from ${from}),
      staged as (
        insert into ${edges} (source_id, target_id, level)
        select source_id, target_id, level from found
        where source_id is not null and target_id is not null and source_id <> target_id)
      select count(*) filter (where source_id is null or target_id is null)::integer as unknown,
        count(*) filter (where source_id = target_id)::integer as circular,
        array(select line from found where source_id is null or target_id is null
          order by line limit 5) as examples
      from found`,
    values,
  );
  const { unknown = 0, circular = 0, examples = null } = counted ?? {};
  return { unknown, circular, examples: examples ?? [] };
}

function rowOf({ line, from, to }: ExtractedLineage) {
  return { line, ...endOf('f', from), ...endOf('t', to) };
}

function endOf(end: End, reference: Reference) {
  if (reference.by === 'key') return { [`${end}_key`]: reference.key };
  return {
    [`${end}_cluster`]: reference.cluster,
    [`${end}_database`]: reference.database,
    [`${end}_schema`]: reference.schema,
    [`${end}_table`]: reference.table,
    [`${end}_column`]: reference.column,
  };
}

/** The joins that find one end of each line, alias `e`, by its key or its name; `$1` is the workspace. Expects the names. */
export function findByKeyOrName({ keys, plan, names }: Stage, end: End): string {
  const named = `select n.id, 'table' as kind from (
      select (array_agg(n.id order by n.rank))[1] as id, count(distinct n.path) as paths
      from ${names} n where n.title = lower(e.${end}_table)
        and (e.${end}_schema is null or n.schema_name = lower(e.${end}_schema))
        and (e.${end}_database is null or n.database_name = lower(e.${end}_database))
        and (e.${end}_cluster is null or n.cluster is null or n.cluster = lower(e.${end}_cluster))) n
      where n.paths = 1 and e.${end}_table is not null`;
  const column = `select p.id, p.kind from ${plan} p
      where p.kind = 'column' and p.parent_id = x.id and lower(p.title) = lower(e.${end}_column)
      union all
      select r.id, r.kind from resource r where r.workspace_id = $1::uuid and r.kind = 'column'
        and r.parent_id = x.id and not r.archived and lower(r.title) = lower(e.${end}_column)`;
  const parts = [
    `select k.id, k.kind from ${keys} k where k.key = e.${end}_key`,
    `select x.id, x.kind from (${named}) x where e.${end}_column is null`,
    `select y.id, y.kind from (${named}) x cross join lateral (${column}) y
      where e.${end}_column is not null`,
  ];
  return `left join lateral (${parts.join('\nunion all\n')} limit 1) ${end} on true`;
}

/**
 * List the tables of the workspace by name, and what has keys, those that are planned included. What others are writing
 * at this moment is looked up in no index of theirs: its rows would be met at every step, and left out again.
 */
export async function stageNames(ctx: Context, stage: Stage, integrationId: string): Promise<void> {
  const { keys, names, plan, placed } = stage;
  await stageKeys(ctx, stage, integrationId);
  await scratch(ctx, `create index on ${keys} (key)`);
  await scratch(ctx, `drop table if exists ${names}`);
  // Of several tables of one path, what lies where its own names lie comes first, then what is not stale.
  await scratch(
    ctx,
    `create unlogged table ${names} ${unwatched} as
      select t.*, row_number() over (order by t.standing, t.id) as rank,
        concat_ws('.', t.database_name, t.schema_name, t.title) as path
      from (
        select lower(p.title) as title, lower(p.schema_name) as schema_name,
          lower(p.database_name) as database_name, lower(p.cluster) as cluster, p.id, 0 as standing
        from ${plan} p where p.kind = 'table'
        union all
        select lower(r.title), lower(r.schema_name), lower(r.database_name), lower(r.cluster), r.id,
          case when r.integration_id = $2::uuid or r.address in (select a.address from ${placed} a)
            then 1 when not r.stale then 2 else 3 end
        from resource r where r.workspace_id = $1::uuid and r.kind = 'table' and not r.archived
          and not exists (select from ${plan} p where p.id = r.id)) t`,
    [ctx.workspaceId, integrationId],
  );
  await scratch(ctx, `create index on ${names} (title)`);
  // The columns of a table that was found are looked up by it.
  await scratch(ctx, `create index on ${plan} (parent_id)`);
  await scratch(ctx, `analyze ${names}`);
}
