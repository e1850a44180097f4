// What follows for resources that the source did not name: gone, or below what it renamed.

import type { Context } from '../../context.ts';
import { scratch, scratchCount } from '../../database/scratch.ts';
import { placeBelow, setPlace } from './hierarchy.ts';
import { maxLevels } from './planning/parents.ts';
import { isMadeByHand, isTakenFrom } from './planning/taken.ts';
import type { Stage } from './staging/stage.ts';

/** What of an integration that its source no longer names becomes stale. */
export type StaleRule =
  | 'nothing'
  | 'everything'
  | 'all but columns of what is named'
  /** Columns of the tables that are named, and what has one of these keys. */
  | { readonly keys: readonly string[] };

interface Rule {
  readonly integrationId: string;
  readonly stale: StaleRule;
}

/** List what the integration no longer names among the changes; how many those are. */
export async function findGone(
  ctx: Context,
  stage: Stage,
  { integrationId, stale }: Rule,
): Promise<number> {
  if (stale === 'nothing') return 0;
  return scratchCount(
    ctx,
    `insert into ${stage.changes} (id, becomes)
      select r.id, 'gone' from resource r where ${isGone(stage, stale)}`,
    [ctx.workspaceId, integrationId],
  );
}

/** List what lies below something that gets another name among the changes. */
export async function findRenamed(ctx: Context, stage: Stage): Promise<number> {
  return scratchCount(
    ctx,
    `with recursive ${down(stage)}
      insert into ${stage.changes} (id, becomes) select distinct d.id, 'renamed' from down d`,
    [ctx.workspaceId],
  );
}

const isListed = ({ changes }: Stage, as: string) =>
  `r.workspace_id = $1::uuid and r.id in (select c.id from ${changes} c where c.becomes = '${as}')`;

/** Whether a resource `r` is listed as gone, and no one did anything about it in the meantime. */
export function isStillGone(stage: Stage): string {
  return `${isListed(stage, 'gone')} and ${mayBecomeStale}`;
}

/** Make stale what is listed as gone. Answers how many resources became stale. */
export async function markGone(tx: Context, stage: Stage): Promise<number> {
  return scratchCount(
    tx,
    `update resource r set stale = true, stale_at = $2, updated_at = $2
      where ${isStillGone(stage)}`,
    [tx.workspaceId, tx.now()],
  );
}

const mayBecomeStale =
  'not r.shared and not r.stale and not r.archived and not r.forced_unstale_by_user';

/**
 * Whether the source no longer names a resource `r`. One without a key was made by hand, in the name of
 * the integration: no source names it. Nor does one name the queries that lineage was read from.
 */
function isGone(stage: Stage, rule: StaleRule): string {
  return `r.workspace_id = $1::uuid and r.integration_id = $2::uuid and ${mayBecomeStale}
    and r.databuilder_id is not null
    and not (r.kind = 'query' and r.databuilder_id like 'sql:%')
    and not (${isMadeByHand} and ${isTakenFrom(stage)})
    and not exists (select from ${stage.pairs} x where x.gone = r.id) and ${isUnnamed(stage, rule)}`;
}

function isUnnamed({ plan }: Stage, rule: StaleRule): string {
  const unnamed = `not exists (select from ${plan} p where p.id = r.id)`;
  if (rule === 'everything') return unnamed;
  const ofNamed = isColumnOfNamed('r', plan);
  if (typeof rule === 'object') {
    return `${unnamed} and (r.databuilder_id in (${keyList(rule)}) or ${ofNamed})`;
  }
  return `${unnamed} and not ${ofNamed}`;
}

/** Whether a resource `r` is a column that lies, also within others, in something that the plan names. */
export function isColumnOfNamed(r: string, plan: string): string {
  return `(${r}.kind = 'column' and (exists (select from ${plan} p where p.id = ${r}.parent_id)
    or exists (
      with recursive up(id, parent_id, hops) as (
        select h.id, h.parent_id, 1 from resource h
          where h.workspace_id = $1::uuid and h.id = ${r}.parent_id and h.kind = 'column'
        union all
        select h.id, h.parent_id, u.hops + 1 from up u join resource h
          on h.workspace_id = $1::uuid and h.id = u.parent_id and h.kind = 'column'
          where u.hops < ${maxLevels})
      select from up u join ${plan} p on p.id = u.parent_id)))`;
}

/** The keys that are gone, as a list in SQL: a null where there are none. */
export function keyList({ keys }: Extract<StaleRule, object>): string {
  return keys.length === 0 ? 'null' : keys.map(quoted).join(', ');
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/**
 * Bring the full titles, and the names of database, schema and table, in line below what was renamed
 * or moved, as far as the source did not place it itself.
 */
export async function renameBelow(tx: Context, stage: Stage): Promise<void> {
  await scratch(
    tx,
    `with recursive ${down(stage)} update resource r set ${setPlace('d', '$2')}
      from down d where r.workspace_id = $1::uuid and r.id = d.id`,
    [tx.workspaceId, tx.now()],
  );
}

/** A recursive query by the name of down: from what is renamed to all below that the plan does not place. */
function down({ plan }: Stage): string {
  const children = `resource c on c.workspace_id = $1::uuid`;
  // What the source names without saying what it lies in goes with that.
  const isOther = `not exists (select from ${plan} q where q.id = c.id and q.level > 0)`;
  return `down as (
    select ${placeBelow('r')}, 0 as level from ${plan} p
      join resource r on r.workspace_id = $1::uuid and r.id = p.id
      join ${children} and c.parent_id = r.id
      where p.is_renamed and not p.is_foreign and ${isOther}
    union all
    select ${placeBelow('d')}, d.level + 1 from down d join ${children} and c.parent_id = d.id
      where d.level < ${maxLevels} and ${isOther})`;
}
