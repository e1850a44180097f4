// In charge of what is to become of each staged resource: its id, its parent, its place and its names.

import type { Context } from '../../context.ts';
import { scratch } from '../../database/scratch.ts';
import { checkCircles, checkLinks, maxLevels } from './check.ts';
import { matchImplied, matchWarehouse } from './match.ts';
import type { Stage } from './stage.ts';

export interface PlanOptions {
  readonly integrationId: string;
  /** What messages call the file. */
  readonly file: string;
  /** True where tables that another integration brought are decorated rather than doubled. */
  readonly decorate: boolean;
}

/**
 * Work out the plan of the staged resources, without touching the catalog. A row of the plan with a
 * number (`n`) is to be written, in the order of the numbers: parents come before what they hold. One
 * without only says which resource its key names. Throws BAD_REQUEST for an unknown parent, one of a
 * wrong kind, a circle of parents, or a key that names something of another kind in the catalog.
 */
export async function makePlan(ctx: Context, stage: Stage, options: PlanOptions): Promise<void> {
  const { integrationId, file } = options;
  if (options.decorate) await matchWarehouse(ctx, stage, integrationId);
  await matchImplied(ctx, stage, integrationId);
  await scratch(ctx, `create index on ${stage.matches} (key)`);
  await scratch(ctx, `analyze ${stage.matches}`);
  const links = await link(ctx, stage, integrationId);
  await checkLinks(ctx, links, file);
  await settle(ctx, stage, links);
  await checkCircles(ctx, stage, links, file);
  await finish(ctx, stage, links);
}

/** Find out, for each staged resource, what it is in the catalog and which is its parent. */
async function link(ctx: Context, stage: Stage, integrationId: string): Promise<string> {
  const { resources, matches } = stage;
  const [known, links] = [`${stage.plan}_known`, `${stage.plan}_links`];
  const own = (alias: string) =>
    `${alias}.workspace_id = $1::uuid and ${alias}.integration_id = $2::uuid`;
  const ids = [ctx.workspaceId, integrationId];
  await scratch(ctx, `drop table if exists ${known}, ${links}`);
  await scratch(
    ctx,
    `create unlogged table ${known} as
      select s.seq, s.line, s.key, s.kind, s.standing, s.parent_key, s.database_name,
        s.schema_name, s.cluster, coalesce(l.id, o.id, s.id) as id,
        l.id is null and o.id is null as is_new,
        l.id is not null and l.integration_id is distinct from $2::uuid as is_foreign,
        coalesce(l.title, nullif(s.title, ''), o.title, s.key) as title,
        coalesce(l.kind, o.kind) as live_kind,
        coalesce(l.title_full, o.title_full) as live_title_full,
        case when l.id is null then o.parent_id else l.parent_id end as live_parent_id
      from ${resources} s
      left join ${matches} m on m.key = s.key
      left join resource l on l.workspace_id = $1::uuid and l.id = m.id
      left join resource o on ${own('o')} and o.databuilder_id = s.key
      where m.same_as is null`,
    ids,
  );
  // Without figures about these tables, joins of a million rows are planned as if they had a few.
  await scratch(ctx, `create unique index on ${known} (key)`);
  await scratch(ctx, `analyze ${known}`);
  await scratch(
    ctx,
    `create unlogged table ${links} as
      select k.*, p.seq as parent_seq, coalesce(p.id, o.id) as parent_id,
        coalesce(p.kind, o.kind) as parent_kind, o.title as outer_title,
        o.title_full as outer_title_full, o.database_name as outer_database_name,
        o.schema_name as outer_schema_name, o.table_name as outer_table_name,
        o.cluster as outer_cluster
      from ${known} k
      left join ${matches} m on m.key = k.parent_key and m.same_as is not null
      left join ${known} p on p.key = coalesce(m.same_as, k.parent_key)
      left join resource named on p.key is null and ${own('named')}
        and named.databuilder_id = k.parent_key
      left join resource o on p.key is null and o.workspace_id = $1::uuid and o.id =
        case when k.parent_key is null then k.live_parent_id else named.id end`,
    ids,
  );
  await scratch(ctx, `create index on ${links} (parent_seq)`);
  await scratch(ctx, `create index on ${links} (seq)`);
  await scratch(ctx, `analyze ${links}`);
  await scratch(ctx, `drop table ${known}`);
  return links;
}

/** What a resource inherits from its parent, alias `p`, or else says of itself, alias `l`. */
const inherited = (kind: string, title: string, name: (column: string) => string) => ({
  database: `coalesce(
    case ${kind} when 'database' then ${title} else ${name('database_name')} end, l.database_name)`,
  schema: `coalesce(
    case ${kind} when 'schema' then ${title} else ${name('schema_name')} end, l.schema_name)`,
  table: `case ${kind} when 'table' then ${title} else ${name('table_name')} end`,
  cluster: `coalesce(l.cluster, ${name('cluster')})`,
});

/** Follow the parents down from the roots, level by level. What lies in a circle is never reached. */
async function settle(ctx: Context, stage: Stage, links: string): Promise<void> {
  const outer = inherited('l.parent_kind', 'l.outer_title', (column) => `l.outer_${column}`);
  const inner = inherited('p.kind', 'p.title', (column) => `p.${column}`);
  await scratch(ctx, `drop table if exists ${stage.plan}`);
  await scratch(
    ctx,
    `create unlogged table ${stage.plan} as
      with recursive tree as (
        select l.seq, 0 as level, l.id, l.kind, l.title,
          case when l.is_foreign then l.live_parent_id else l.parent_id end as parent_id,
          case when l.is_foreign then l.live_title_full
            else coalesce(l.outer_title_full || '.', '') || l.title end as title_full,
          ${outer.database} as database_name, ${outer.schema} as schema_name,
          ${outer.table} as table_name, ${outer.cluster} as cluster
        from ${links} l where l.parent_seq is null
        union all
        select l.seq, p.level + 1, l.id, l.kind, l.title,
          case when l.is_foreign then l.live_parent_id else p.id end,
          case when l.is_foreign then l.live_title_full else p.title_full || '.' || l.title end,
          ${inner.database}, ${inner.schema}, ${inner.table}, ${inner.cluster}
        from tree p join ${links} l on l.parent_seq = p.seq where p.level < ${maxLevels})
      select row_number() over (order by t.level, t.seq)::integer as n, t.*, l.key, l.line,
        l.is_new, l.is_foreign,
        not l.is_new and t.title_full is distinct from l.live_title_full as is_renamed
      from tree t join ${links} l on l.seq = t.seq`,
  );
  await scratch(ctx, `create index on ${stage.plan} (n)`);
  await scratch(ctx, `create index on ${stage.plan} (id)`);
  await scratch(ctx, `analyze ${stage.plan}`);
}

async function finish(ctx: Context, stage: Stage, links: string): Promise<void> {
  const { plan, matches } = stage;
  await scratch(ctx, `drop table ${links}`);
  // Two descriptions of one warehouse table would take turns: the first of them is kept.
  await scratch(
    ctx,
    `update ${plan} p set n = null where p.is_foreign and exists (
      select from ${plan} q where q.id = p.id and q.n < p.n)`,
  );
  await scratch(
    ctx,
    `insert into ${plan} (key, id, kind, title, database_name, schema_name)
      select m.key, p.id, p.kind, p.title, p.database_name, p.schema_name
      from ${matches} m join ${plan} p on p.key = m.same_as`,
  );
  await scratch(ctx, `create unique index on ${plan} (key)`);
}
