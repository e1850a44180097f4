// Matches the staged columns of tables that others describe as well, or that have another key than before.

import type { Context } from '../../../context.ts';
import { scratch, scratchCount, unwatched } from '../../../database/scratch.ts';
import { deepestType } from '../../../lineage/sql/scope/struct.ts';
import { foldedName, keyInOneLine } from '../../../resources/identities/named-place.ts';
import { listPairsWithin } from '../../claims/pairs.ts';
import type { Stage } from '../staging/stage.ts';

/** Whether a resource `r` is this integration's alone, and has a key that the source does not name any more. */
export const isRekeyed = (r: string, staged: string) =>
  `coalesce(${r}.integration_id = $2::uuid and not ${r}.shared and ${r}.databuilder_id is not null
    and not exists (select from ${staged} x where x.key = ${r}.databuilder_id), false)`;

/**
 * Match the columns of tables that go through claims, level by level: those that lie in columns after these.
 * By the exact name, else by the folded one, unless the source has a column of the other spelling as well.
 */
export async function matchColumns(
  ctx: Context,
  stage: Stage,
  integrationId: string,
): Promise<void> {
  const { resources, matches, pairs, things } = stage;
  const heads = `${things}_heads`;
  await scratch(ctx, `drop table if exists ${heads}`);
  // What is matched of tables: their keys, and the resources that these mean.
  await scratch(
    ctx,
    `create unlogged table ${heads} ${unwatched} as
      select t.key, t.thing from ${things} t where t.kind = 'table' and t.thing in (
        select m.thing from ${things} m join ${matches} n on n.key = m.key where m.kind = 'table')`,
  );
  for (let level = 0; level < deepestType; level++) {
    await matchWithin(ctx, stage, heads, integrationId);
    const deeper = `select n.key, n.column_id from ${things}_staged_of n
      where exists (select from ${resources} s where s.parent_key = n.key and s.kind = 'column')`;
    await scratch(ctx, `delete from ${heads}`);
    const found = await scratchCount(ctx, `insert into ${heads} (key, thing) ${deeper}`);
    await scratch(ctx, `drop table ${things}_staged_of`);
    if (found === 0) break;
  }
  await listPairsWithin(ctx, pairs);
  await scratch(ctx, `drop table ${heads}`);
}

/** Match the columns that lie in what the heads mean, whose keys are the parents of those that are staged. */
async function matchWithin(
  ctx: Context,
  stage: Stage,
  heads: string,
  integrationId: string,
): Promise<void> {
  const { resources, matches, pairs, things } = stage;
  const holders = `${things}_holders`;
  const columns = `${things}_columns`;
  await scratch(ctx, `drop table if exists ${holders}, ${columns}`);
  await scratch(ctx, `analyze ${heads}`);
  await scratch(
    ctx,
    `create unlogged table ${holders} ${unwatched} as
      select distinct t.thing as id, t.thing from ${heads} t
      union select g.gone, t.thing from ${heads} t join ${pairs} g on g.kept = t.thing`,
  );
  await scratch(ctx, `analyze ${holders}`);
  await scratch(
    ctx,
    `create unlogged table ${columns} ${unwatched} as
      select distinct on (h.thing, r.title) h.thing, r.id, r.title, ${foldedName('r.title')} as folded
      from ${holders} h join resource r on r.workspace_id = $1::uuid and r.parent_id = h.id
        and r.kind = 'column' and not exists (select from ${pairs} x where x.gone = r.id)
      order by h.thing, r.title, (r.parent_id <> h.thing), r.archived, r.created_at, r.id`,
    [ctx.workspaceId],
  );
  await scratch(ctx, `analyze ${columns}`);
  const staged = `${things}_staged`;
  await scratch(ctx, `drop table if exists ${staged}, ${staged}_of`);
  await scratch(
    ctx,
    `create unlogged table ${staged} ${unwatched} as
      with named as (
        select s.seq, s.key, s.id, t.thing, coalesce(nullif(s.title, ''), ${keyInOneLine('s.key')}) as title, s.parent_key
        from ${resources} s join ${heads} t on t.key = s.parent_key
        where s.kind = 'column' and not exists (select from ${matches} m where m.key = s.key)),
      spelled as (
        select n.*, ${foldedName('n.title')} as folded,
          min(n.title collate "C") over w <> max(n.title collate "C") over w as is_exact
        from named n window w as (partition by n.parent_key, ${foldedName('n.title')}))
      select distinct on (n.key) n.*, c.id as there, o.id as mine
      from spelled n
      left join ${columns} c on c.thing = n.thing and c.folded = n.folded
        and (c.title = n.title or not n.is_exact)
      left join resource o on o.workspace_id = $1::uuid and o.integration_id = $2::uuid
        and o.databuilder_id = n.key and o.kind = 'column' and not o.shared
      order by n.key, (c.title <> n.title), c.title`,
    [ctx.workspaceId, integrationId],
  );
  await scratch(ctx, `analyze ${staged}`);
  await scratch(
    ctx,
    `create unlogged table ${staged}_of ${unwatched} as
      select n.*, count(*) over g as keys, first_value(n.seq) over g = n.seq as is_first,
        coalesce(n.there, first_value(n.mine) over g, first_value(n.id) over g) as column_id
      from ${staged} n
      window g as (partition by n.thing, coalesce(n.there::text, case when n.is_exact then n.title else n.folded end)
        order by (n.mine is null), n.seq rows between unbounded preceding and unbounded following)`,
  );
  await scratch(
    ctx,
    `insert into ${matches} (key, id, shared)
      select n.key, case when n.is_first and n.there is null then null else n.column_id end,
        not (n.keys = 1 and ${isRekeyed('r', resources)})
      from ${staged}_of n left join resource r on r.workspace_id = $1::uuid and r.id = n.there
      where n.keys > 1 or n.there is not null and n.there is distinct from n.mine`,
    [ctx.workspaceId, integrationId],
  );
  await scratch(
    ctx,
    `insert into ${pairs} select n.column_id, n.mine from ${staged}_of n join resource r
      on r.workspace_id = $1::uuid and r.id = n.mine and not r.archived where n.mine <> n.column_id
        and not exists (select from ${pairs} x where x.gone = n.mine)`,
    [ctx.workspaceId],
  );
  await scratch(ctx, `drop table ${holders}, ${columns}, ${staged}`);
}
