// Notes what an import changes of resources that somebody watches, set by set.

import type { Context } from '../../context.ts';
import { scratch, scratchCount, unwatched } from '../../database/scratch.ts';
import { type ChangeName, hasWatchers, shortLength } from '../../resources/editing/change.ts';
import { otherAnswers } from './answers.ts';
import { type BatchRange, changedSource, isChanged, type Sort, source } from './batch.ts';
import { isStillGone } from './gone.ts';
import { desired } from './planning/desired.ts';
import type { Stage } from './staging/stage.ts';

/** What of an import's resources is watched, and how many changes there is still room for. */
export interface WatchedRows {
  /** True where a rule or a webhook asks for every change, no matter who watches the resource. */
  readonly all: boolean;
  readonly room: { people: number; rules: number };
}

/** Changes that one import notes at most: more are counted by no one. */
const maxForPeople = 100_000;
const maxForRules = 10_000;

/**
 * Find out what somebody watches of what the import may change: owned, subscribed to, or named by a
 * rule, with the columns of such tables. Null where that is nothing, as an index says at once.
 */
export async function findWatched(
  tx: Context,
  stage: Stage,
  integrationId: string,
  hasShared: boolean,
): Promise<WatchedRows | null> {
  const wishes = await wishesOf(tx);
  const named = namedBy(wishes);
  await scratch(tx, `drop table if exists ${stage.watched}`);
  await scratch(
    tx,
    `create unlogged table ${stage.watched} ${unwatched} as
      with recursive ${named.within}
      direct as (${[...people(stage, hasShared), ...named.direct].join(' union all ')})
      select id, bool_or(by_people) as by_people from (
        select id, by_people from direct
        union all select c.id, direct.by_people from direct join resource c
          on c.workspace_id = $1::uuid and c.parent_id = direct.id and c.kind = 'column') found
      group by id`,
    [tx.workspaceId, integrationId, ...named.parameters],
  );
  const [found] = await scratch(tx, `select 1 from ${stage.watched} limit 1`);
  if (!found && !wishes.all) return null;
  await scratch(tx, `create unique index on ${stage.watched} (id)`);
  await scratch(tx, `analyze ${stage.watched}`);
  const isRuled = wishes.all || named.direct.length > 0;
  return { all: wishes.all, room: { people: maxForPeople, rules: isRuled ? maxForRules : 0 } };
}

const mine = 'r.workspace_id = $1::uuid and r.integration_id = $2::uuid and not r.archived';

/** What people watch of the integration's own, and of what others describe as well. */
function people({ settling }: Stage, hasShared: boolean): string[] {
  const own = `select r.id, true as by_people from resource r where ${mine} and ${hasWatchers('r')}`;
  const shared = `select r.id, true from ${settling.settled} t
    join resource r on r.workspace_id = $1::uuid and r.id = t.id and not r.archived
    where ${hasWatchers('r')}`;
  return hasShared ? [own, shared] : [own];
}

/** What rules name, with all that lies within; only what they name is looked for at all. */
function namedBy({ resourceIds, tagIds, teamIds }: Wishes) {
  const parameters: (readonly string[])[] = [];
  const next = (ids: readonly string[]) => `$${parameters.push(ids) + 2}::uuid[]`;
  const direct: string[] = [];
  let within = '';
  if (resourceIds.length > 0) {
    within = `within as (
        select r.id from resource r where r.workspace_id = $1::uuid and r.id = any(${next(resourceIds)})
        union select c.id from within join resource c
          on c.workspace_id = $1::uuid and c.parent_id = within.id),`;
    direct.push('select id, false from within');
  }
  for (const [column, ids] of [
    ['tag_ids', tagIds],
    ['team_ids', teamIds],
  ] as const) {
    if (ids.length === 0) continue;
    direct.push(`select r.id, false from resource r where ${mine} and r.${column} && ${next(ids)}`);
  }
  return { within, direct, parameters };
}

interface Wishes {
  readonly all: boolean;
  readonly resourceIds: readonly string[];
  readonly tagIds: readonly string[];
  readonly teamIds: readonly string[];
}

/** What rules and webhooks ask for. */
async function wishesOf(tx: Context): Promise<Wishes> {
  const rules = await scratch<Omit<Wishes, 'all'>>(
    tx,
    `select resource_ids as "resourceIds", tag_ids as "tagIds", team_ids as "teamIds"
      from notification_rule where workspace_id = $1::uuid and is_enabled
        and 'resource_changed' = any(events)
      union all select '{}', '{}', '{}' from webhook where workspace_id = $1::uuid and is_enabled
        and 'resource_changed' = any(events)`,
    [tx.workspaceId],
  );
  const isAll = ({ resourceIds, tagIds, teamIds }: Omit<Wishes, 'all'>) =>
    resourceIds.length + tagIds.length + teamIds.length === 0;
  return {
    all: rules.some(isAll),
    resourceIds: rules.flatMap(({ resourceIds }) => resourceIds),
    tagIds: rules.flatMap(({ tagIds }) => tagIds),
    teamIds: rules.flatMap(({ teamIds }) => teamIds),
  };
}

/** Note what an import is about to change, of a range of the changes. */
export async function noteChanged(
  tx: Context,
  stage: Stage,
  watched: WatchedRows,
  range: BatchRange,
  sorts: readonly Sort[],
): Promise<void> {
  for (const sort of sorts) {
    await note(tx, stage, watched, range, (isWatched) => changed(stage, sort, isWatched));
  }
}

/** Note which columns an import adds, of a range of the plan. */
export async function noteAdded(
  tx: Context,
  stage: Stage,
  watched: WatchedRows,
  range: BatchRange,
): Promise<void> {
  await note(tx, stage, watched, range, (isWatched) => added(stage, isWatched));
}

/** Note what the source no longer names, before it becomes stale. */
export async function noteGone(
  tx: Context,
  stage: Stage,
  watched: WatchedRows,
  integrationId: string,
): Promise<void> {
  // A table that is gone says it for its columns.
  await note(
    tx,
    stage,
    watched,
    [tx.workspaceId, integrationId],
    (isWatched) => `select r.id,
        case r.kind when 'column' then 'column_removed' else 'stale' end, null, null
      from resource r where ${isStillGone(stage)} and ${isWatched('r.id')}
        and (r.kind <> 'column' or exists (select from ${stage.plan} p where p.id = r.parent_id))`,
  );
}

/** Note which questions have another answer, once their replies say it, and before they do. */
export async function noteAnswers(
  tx: Context,
  stage: Stage,
  watched: WatchedRows,
  integrationId: string,
): Promise<void> {
  await note(
    tx,
    stage,
    watched,
    [tx.workspaceId, integrationId],
    (isWatched) =>
      `select q.id, 'answer', null, null from ${otherAnswers(stage)} and ${isWatched('q.id')}`,
  );
}

/** Says of an id whether it is among those of which something is to be noted. */
type IsWatched = (id: string) => string;

/** Note what a statement finds, as long as there is room: for people, then for rules. */
async function note(
  tx: Context,
  stage: Stage,
  { all, room }: WatchedRows,
  parameters: readonly unknown[],
  find: (isWatched: IsWatched) => string,
): Promise<void> {
  const list = (those: string) => `(select w.id from ${stage.watched} w where ${those})`;
  if (room.people > 0) {
    const theirs = find((id) => `${id} in ${list('w.by_people')}`);
    room.people -= await insert(tx, parameters, `${theirs} limit ${room.people}`);
  }
  if (room.rules > 0) {
    const others = all ? `not in ${list('w.by_people')}` : `in ${list('not w.by_people')}`;
    const found = find((id) => `${id} ${others}`);
    room.rules -= await insert(tx, parameters, `${found} limit ${room.rules}`);
  }
}

async function insert(tx: Context, parameters: readonly unknown[], found: string): Promise<number> {
  return scratchCount(
    tx,
    `with found (resource_id, what, before, after) as (${found})
      insert into resource_change (workspace_id, resource_id, what, before, after, integration_id)
      select $1::uuid, resource_id, what, before, after, $2::uuid from found`,
    parameters,
  );
}

/** Columns of a resource whose changes people are notified of, and under which name; the short ones with their values. */
const noteworthy: Readonly<Record<string, { what: ChangeName; isShort: boolean }>> = {
  title: { what: 'title', isShort: true },
  type: { what: 'type', isShort: true },
  description: { what: 'description', isShort: false },
  definition: { what: 'documentation', isShort: false },
  creation_query: { what: 'sql', isShort: false },
  owner_ids: { what: 'owners', isShort: false },
  owner_group_ids: { what: 'owners', isShort: false },
  tag_ids: { what: 'tags', isShort: false },
  parent_id: { what: 'moved', isShort: false },
  deprecated_at: { what: 'deprecated', isShort: false },
};

// A table that is back says it for its columns.
const isBack = `r.stale and not (r.kind = 'column' and exists (select from resource t
  where t.workspace_id = r.workspace_id and t.id = r.parent_id and t.stale))`;

/** Compares the resources that change with what they are to be, as `updateBatch` writes them. */
function changed(stage: Stage, sort: Sort, isWatched: IsWatched): string {
  const wanted = desired(sort);
  const compared = Object.entries(noteworthy).flatMap(([column, { what, isShort }]) => {
    const to = wanted[column];
    if (to === undefined) return [];
    const values = isShort
      ? `left(r.${column}, ${shortLength}), left(${to}, ${shortLength})`
      : 'null, null';
    return [`('${what}', ${values}, r.${column} is distinct from (${to}))`];
  });
  const back =
    sort === 'shared'
      ? [
          `('came_back', null, null, ${isBack} and not t.stale)`,
          `('stale', null, null, not r.stale and t.stale and not r.forced_unstale_by_user
            and r.kind <> 'column')`,
        ]
      : [`('came_back', null, null, ${isBack})`];
  return `select r.id, c.what, c.before, c.after
    from ${changedSource(stage, sort)} join resource r on ${isChanged(sort)}
    cross join lateral (values ${[...compared, ...back].join(', ')})
      c(what, before, after, is_so)
    where c.is_so and ${isWatched('r.id')}`;
}

/** Columns that are new in a table which is not. */
function added(stage: Stage, isWatched: IsWatched): string {
  return `select p.id, 'column_added', null, left(nullif(s.type, ''), ${shortLength})
    from ${source(stage)} where p.is_new and p.kind = 'column' and ${isWatched('p.parent_id')}
      and not exists (select from ${stage.plan} t where t.id = p.parent_id and t.is_new)
      and p.parent_id is not null`;
}
