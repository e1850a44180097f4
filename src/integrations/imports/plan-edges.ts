// In charge of the edges that are to be: each once, in order, with what they imply between tables.

import type { Context } from '../../context.ts';
import { scratch } from '../../database/scratch.ts';
import { maxNesting } from '../../lineage/entrance.ts';
import type { Stage } from './stage.ts';

/**
 * Bring the staged edges into the plan of edges. An edge between columns implies one between the tables
 * in which they lie, unless the source names that one, too.
 */
export async function planEdges(ctx: Context, stage: Stage): Promise<void> {
  const { edges, edgePlan } = stage;
  await findTables(ctx, stage);
  await scratch(ctx, `drop table if exists ${edgePlan}`);
  // Sorted, an edge lands in the indexes beside the one before, and its ends are found in memory.
  await scratch(
    ctx,
    `create unlogged table ${edgePlan} as
      select row_number() over (order by source_id, target_id)::integer as n, d.* from (
        select source_id, target_id, min(level) as level, bool_and(implied) as implied from (
          select source_id, target_id, level, false as implied from ${edges}
          union all
          select s.table_id, t.table_id, 'TABLE', true from ${edges} e
          join ${stage.tables} s on s.id = e.source_id join ${stage.tables} t on t.id = e.target_id
          where e.level = 'COLUMN' and s.table_id <> t.table_id) a
        group by source_id, target_id) d`,
  );
  await scratch(ctx, `create index on ${edgePlan} (n)`);
  await scratch(ctx, `create index on ${edgePlan} (source_id, target_id)`);
  await scratch(ctx, `analyze ${edgePlan}`);
}

/** Find, for each end of an edge between columns, the table it lies in; what is no column is its own. */
async function findTables(ctx: Context, { edges, plan, tables }: Stage): Promise<void> {
  await scratch(ctx, `analyze ${edges}`);
  await scratch(ctx, `drop table if exists ${tables}`);
  await scratch(
    ctx,
    `create unlogged table ${tables} as
      select id, id as at_id, false as is_found, null::uuid as table_id from (
        select source_id as id from ${edges} where level = 'COLUMN'
        union select target_id from ${edges} where level = 'COLUMN') e`,
  );
  await scratch(ctx, `create index on ${tables} (id)`);
  await scratch(ctx, `analyze ${tables}`);
  // A column may lie in a column. New ones are in the plan only, others perhaps in the catalog only.
  for (let level = 0; level <= maxNesting; level++) {
    const [climbed] = await scratch<{ open: number }>(
      ctx,
      `with climbed as (
        update ${tables} t set at_id = x.parent_id, is_found = x.kind <> 'column',
          table_id = case when x.kind <> 'column' then x.id end
        from (
          select t.id as leaf, t.at_id as id, coalesce(p.kind, r.kind) as kind,
            case when p.id is null then r.parent_id else p.parent_id end as parent_id
          from ${tables} t
          left join (select distinct on (id) id, kind, parent_id from ${plan}
            where n is not null order by id, n) p on p.id = t.at_id
          left join resource r on p.id is null and r.workspace_id = $1::uuid and r.id = t.at_id
          where not t.is_found and t.at_id is not null) x
        where x.leaf = t.id returning t.is_found)
      select (count(*) filter (where not is_found))::integer as open from climbed`,
      [ctx.workspaceId],
    );
    if (!climbed?.open) break;
  }
  await scratch(ctx, `delete from ${tables} where table_id is null`);
  await scratch(ctx, `analyze ${tables}`);
}
