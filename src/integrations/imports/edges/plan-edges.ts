// The edges that are to be: each once, in order, with what they imply between tables.

import type { Context } from '../../../context.ts';
import { scratch, unwatched } from '../../../database/scratch.ts';
import { maxNesting } from '../../../resources/lists/nesting.ts';
import { listOldEnds } from '../proved-keys.ts';
import { IdSequence } from '../staging/id-sequence.ts';
import type { Stage } from '../staging/stage.ts';
import type { EdgeOptions } from './merge-edges.ts';

/**
 * Bring the staged edges into the plan of edges. An edge between columns implies one between the tables
 * in which they lie, unless the source names that one, too. Of those that are in the catalog the plan
 * says whether they were only implied there (`was_implied`).
 */
export async function planEdges(ctx: Context, stage: Stage, options: EdgeOptions): Promise<void> {
  const { edges, edgePlan } = stage;
  await findTables(ctx, stage);
  await scratch(ctx, `drop table if exists ${edgePlan}`);
  const ids = new IdSequence(ctx.now()).prefix;
  const there = await knownEdges(ctx, options);
  // Sorted, an edge lands in the indexes besides the one before, and its ends are found in memory.
  await scratch(
    ctx,
    `create unlogged table ${edgePlan} ${unwatched} as
      select s.*, ($1 || lpad(to_hex(s.n), 12, '0'))::uuid as id, ${there.column} as was_implied
      from (
        select row_number() over (order by source_id, target_id)::integer as n, d.* from (
          select source_id, target_id, min(level) as level, bool_and(implied) as implied from (
            select source_id, target_id, level, false as implied from ${edges}
            union all
            select s.table_id, t.table_id, 'TABLE', true from ${edges} e
            join ${stage.tables} s on s.id = e.source_id join ${stage.tables} t on t.id = e.target_id
            where e.level = 'COLUMN' and s.table_id <> t.table_id) a
          group by source_id, target_id) d) s ${there.join}`,
    [ids, ...there.values],
  );
  await scratch(ctx, `create index on ${edgePlan} (n)`);
  if (there.join !== '') await scratch(ctx, `create index on ${edgePlan} (source_id, target_id)`);
  await scratch(ctx, `analyze ${edgePlan}`);
  await listOldEnds(ctx, stage);
}

/** How to learn which edges are in the catalog; where none are, none is looked for. */
async function knownEdges(ctx: Context, { integrationId, origin }: EdgeOptions) {
  const isOurs = (first: number) => `e.workspace_id = $${first}::uuid
    and e.integration_id = $${first + 1}::uuid and e.origin = $${first + 2} and e.valid_to is null`;
  const values = [ctx.workspaceId, integrationId, origin];
  const [any] = await scratch(
    ctx,
    `select 1 from lineage_edge e where ${isOurs(1)} limit 1`,
    values,
  );
  if (!any) return { column: 'null::boolean', join: '', values: [] };
  const join = `left join lineage_edge e on ${isOurs(2)}
    and e.source_id = s.source_id and e.target_id = s.target_id`;
  return { column: 'e.implied', join, values };
}

/**
 * Find, for each end of an edge between columns, the table it lies in; what is no column is its own.
 * Ends that lie in no table have none.
 */
async function findTables(ctx: Context, { edges, plan, tables }: Stage): Promise<void> {
  // New resources are in the plan only, others perhaps in the catalog only.
  const planned = `planned as materialized (
    select distinct on (id) id, kind, parent_id from ${plan} where n is not null order by id, n)`;
  const find = (id: string, as: string) => `left join planned ${as}p on ${as}p.id = ${id}
    left join resource ${as}r on ${as}p.id is null and ${as}r.workspace_id = $1::uuid
      and ${as}r.id = ${id}
    cross join lateral (select coalesce(${as}p.id, ${as}r.id) as id,
      coalesce(${as}p.kind, ${as}r.kind) = 'column' as is_column,
      case when ${as}p.id is null then ${as}r.parent_id else ${as}p.parent_id end as parent_id) ${as}`;
  await scratch(ctx, `analyze ${edges}`);
  await scratch(ctx, `drop table if exists ${tables}`);
  // Nearly every column lies in a table itself: that is found while the list is made.
  await scratch(
    ctx,
    `create unlogged table ${tables} ${unwatched} as
      with ${planned}
      select e.id, case when own.is_column and holder.is_column then holder.parent_id end as at_id,
        case when not own.is_column then own.id when not holder.is_column then holder.id end as table_id
      from (
        select source_id as id from ${edges} where level = 'COLUMN'
        union select target_id from ${edges} where level = 'COLUMN') e
      ${find('e.id', 'own')} ${find('case when own.is_column then own.parent_id end', 'holder')}`,
    [ctx.workspaceId],
  );
  await scratch(ctx, `analyze ${tables}`);
  // A column may lie in a column, that one in another, and so on.
  for (let level = 2; level <= maxNesting; level++) {
    const [climbed] = await scratch<{ open: number }>(
      ctx,
      `with ${planned}, climbed as (
        update ${tables} t set at_id = case when at.is_column then at.parent_id end,
          table_id = case when not at.is_column then at.id end
        from ${tables} e ${find('e.at_id', 'at')}
        where e.at_id is not null and t.id = e.id returning t.at_id)
      select (count(*) filter (where at_id is not null))::integer as open from climbed`,
      [ctx.workspaceId],
    );
    if (!climbed?.open) break;
  }
}
