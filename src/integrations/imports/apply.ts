// In charge of writing the planned resources: what is new, what changed, and what is gone.

import type { Context } from '../../context.ts';
import { scratch, scratchCount } from '../../database/scratch.ts';
import { isChanged, type Range, source } from './batch.ts';
import { desired, inserted } from './desired.ts';
import { goneOf, markGone, renameBelow, type StaleRule, undecorateGone } from './gone.ts';
import { findWatched, noteChanged, noteGone } from './note-changes.ts';
import type { Stage } from './stage.ts';

export interface ApplyOptions {
  readonly integrationId: string;
  /** Teams that hold the new resources. */
  readonly teamIds: readonly string[];
  /** Whether viewers may read the new resources. */
  readonly published: boolean;
  readonly stale: StaleRule;
}

/** How many resources an import makes, changes, finds gone and leaves as they are. */
export interface ResourceCounts {
  readonly created: number;
  readonly updated: number;
  readonly staled: number;
  readonly unchanged: number;
}

/** Rows that one statement writes: the database remembers each until the statement has ended. */
const batchSize = 20_000;

/** What `applyResources` would do, without doing it. */
export async function countResources(
  ctx: Context,
  stage: Stage,
  options: ApplyOptions,
): Promise<ResourceCounts> {
  const { total, created, last, changes } = await planned(ctx, stage);
  let updated = 0;
  for (let from = 0; from < last; from += batchSize) {
    for (const isForeign of changes) {
      const [counted] = await scratch<{ n: number }>(
        ctx,
        `select count(*)::integer as n from resource r, ${source(stage)}
          where ${isChanged(isForeign)}`,
        [ctx.workspaceId, options.integrationId, from, from + batchSize],
      );
      updated += counted?.n ?? 0;
    }
  }
  const staled = await goneOf(ctx, stage, options.integrationId, options.stale);
  return { created, updated, staled, unchanged: total - created - updated };
}

/**
 * Write the plan within a transaction. What a person edited stays as they left it; what is stale and
 * named again is fresh again; what was deleted stays deleted.
 */
export async function applyResources(
  tx: Context,
  stage: Stage,
  options: ApplyOptions,
  onBatch: (done: number, total: number) => void,
): Promise<ResourceCounts> {
  const { total, last, creates, changes, isDocumented } = await planned(tx, stage);
  const { integrationId, stale } = options;
  const isFirst = !(await hasResources(tx, integrationId));
  const watched = await findWatched(tx, stage, integrationId, changes.includes(true));
  const whole = [tx.workspaceId, integrationId, 0, last] as const;
  if (watched) await noteChanged(tx, stage, watched, whole, changes);
  let created = 0;
  let updated = 0;
  for (let from = 0; from < last; from += batchSize) {
    tx.signal.throwIfAborted();
    const range = [tx.workspaceId, integrationId, from, from + batchSize] as const;
    if (creates) created += await insertBatch(tx, stage, options, range);
    for (const isForeign of changes) {
      if (isDocumented) await keepVersions(tx, stage, range, isForeign);
      updated += await updateBatch(tx, stage, range, isForeign);
    }
    onBatch(Math.min(from + batchSize, last), last);
  }
  if (watched) await noteGone(tx, stage, watched, integrationId, stale);
  // Of an integration that had nothing, nothing is gone: what it has now was planned just before.
  const staled = isFirst ? 0 : await markGone(tx, stage, integrationId, stale);
  await undecorateGone(tx, stage, integrationId, stale);
  // Only its own, if they were there before, can have another name now.
  if (changes.includes(false)) await renameBelow(tx, stage);
  return { created, updated, staled, unchanged: total - created - updated };
}

/** What the plan holds, so that no batch looks for what is nowhere. */
async function planned(ctx: Context, { plan, resources }: Stage) {
  const [found] = await scratch<{
    total: number;
    created: number;
    foreign: number;
    last: number;
    isDocumented: boolean;
  }>(
    ctx,
    `select count(*)::integer as total, (count(*) filter (where is_new))::integer as created,
      (count(*) filter (where is_foreign))::integer as foreign, coalesce(max(n), 0) as last,
      exists (select from ${resources} where definition is not null) as "isDocumented"
    from ${plan} where n is not null`,
  );
  const { total = 0, created = 0, foreign = 0, last = 0, isDocumented = false } = found ?? {};
  const changes = [...(total > created + foreign ? [false] : []), ...(foreign > 0 ? [true] : [])];
  return { total, created, last, creates: created > 0, changes, isDocumented };
}

/** Whether an integration brought anything yet. */
async function hasResources(tx: Context, integrationId: string): Promise<boolean> {
  const found = await scratch(
    tx,
    `select 1 from resource r where r.workspace_id = $1::uuid and r.integration_id = $2::uuid limit 1`,
    [tx.workspaceId, integrationId],
  );
  return found.length > 0;
}

async function insertBatch(
  tx: Context,
  stage: Stage,
  { teamIds, published }: ApplyOptions,
  range: Range,
): Promise<number> {
  return scratchCount(
    tx,
    `insert into resource (workspace_id, integration_id, id, created_at, updated_at, team_ids,
        published, ${Object.keys(inserted).join(', ')})
      select $1::uuid, $2::uuid, p.id, $5::timestamptz, $5::timestamptz, $6::uuid[], $7::boolean,
        ${Object.values(inserted).join(', ')}
      from ${source(stage)} where p.is_new order by p.n`,
    [...range, tx.now(), [...teamIds], published],
  );
}

async function updateBatch(
  tx: Context,
  stage: Stage,
  range: Range,
  isForeign: boolean,
): Promise<number> {
  const set = Object.entries(desired(isForeign)).map(([column, to]) => `${column} = ${to}`);
  return scratchCount(
    tx,
    `update resource r set ${set.join(', ')}, updated_at = $5
      from ${source(stage)} where ${isChanged(isForeign)}`,
    [...range, tx.now()],
  );
}

/** Keep the versions of the documentation that is about to change: the one before, and the new one. */
async function keepVersions(
  tx: Context,
  stage: Stage,
  range: Range,
  isForeign: boolean,
): Promise<void> {
  const { definition } = desired(isForeign);
  await scratch(
    tx,
    `insert into resource_version (workspace_id, resource_id, version, definition, created_at)
      select r.workspace_id, r.id, v.version, v.definition, v.created_at
      from ${source(stage)} join resource r on ${isChanged(isForeign)}
      cross join lateral (values (r.definition_version, r.definition, r.created_at),
        (r.definition_version + 1, ${definition}, $5::timestamptz)) v(version, definition, created_at)
      where ${definition} is distinct from r.definition
      on conflict (workspace_id, resource_id, version) do nothing`,
    [...range, tx.now()],
  );
}
