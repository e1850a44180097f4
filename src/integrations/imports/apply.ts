// Writes the planned resources: what is new first, and last what others can see.

import type { Context } from '../../context.ts';
import { scratch, scratchCount } from '../../database/scratch.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { lockOrder } from '../../resources/editing/lock.ts';
import { keepAnswers } from './answers.ts';
import { type BatchRange, changedSource, isChanged, type Sort, source } from './batch.ts';
import { markGone, renameBelow, undecorateGone } from './gone.ts';
import { deleteWithinDeleted, holdHolders, holdMoves, straighten } from './hierarchy.ts';
import { noteAdded, noteAnswers, noteChanged, noteGone, type WatchedRows } from './note-changes.ts';
import type { ChangeOptions, Changes } from './planning/affected.ts';
import { desired, inserted } from './planning/desired.ts';
import { joining } from './planning/figures.ts';
import { handOver } from './planning/taken.ts';
import { holdParents, writeProved } from './proved-keys.ts';
import type { Stage } from './staging/stage.ts';
import { unpublishNewParts } from './within-unpublished.ts';

export interface ApplyOptions extends ChangeOptions {
  /** Teams that hold the new resources. */
  readonly teamIds: readonly string[];
  /** Whether viewers may read the new resources. */
  readonly published: boolean;
  /** What messages call the file. */
  readonly file: string;
}

/** How many resources an import makes, changes, finds gone and leaves as they are. */
export interface ResourceCounts {
  readonly created: number;
  readonly updated: number;
  readonly staled: number;
  readonly unchanged: number;
}

/** What an import would do that found these changes. */
export function countResources({ total, created, updated, staled }: Changes): ResourceCounts {
  return { created, updated, staled, unchanged: total - created - updated };
}

/** Rows that one statement writes: the database remembers each until the statement has ended. */
const batchSize = 20_000;

/** Write what is new, within a transaction: no one sees it yet, and no one waits for it. */
export async function insertResources(
  tx: Context,
  stage: Stage,
  options: ApplyOptions,
  { created, last }: Changes,
  onBatch: (done: number, total: number) => void,
): Promise<void> {
  const prove = () => holdParents(tx, stage);
  await writeProved(tx, created, prove, async () => {
    let written = 0;
    for (let from = 0; created > 0 && from < last; from += batchSize) {
      tx.signal.throwIfAborted();
      const range = [tx.workspaceId, options.integrationId, from, from + batchSize] as const;
      written += await insertBatch(tx, stage, options, range);
      onBatch(Math.min(from + batchSize, last), last);
    }
    // What names one of them is written without looking for it.
    if (written !== created)
      throw new Error(`Of ${created} new resources ${written} were written.`);
  });
}

async function insertBatch(
  tx: Context,
  stage: Stage,
  { teamIds, published }: ApplyOptions,
  range: BatchRange,
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

/**
 * Change what is there, within a transaction: anyone who edits one of these resources waits for its end.
 * What a person edited stays as they left it, and so does a place that the source does not change; what is
 * stale and named again is fresh again; what was deleted stays deleted, with what comes to lie in it.
 */
export async function changeResources(
  tx: Context,
  stage: Stage,
  options: ApplyOptions,
  changes: Changes,
  onBatch: (done: number, total: number) => void,
): Promise<ResourceCounts> {
  const { total, created, moved, settled, taken } = changes;
  // Writing may begin again, and then there is as much room as before.
  const watched = changes.watched && { ...changes.watched, room: { ...changes.watched.room } };
  const plan = [tx.workspaceId, options.integrationId, 0, changes.last] as const;
  if (moved > 0) await holdMoves(tx, stage, options.file);
  const isInDeleted = settled > 0 && (await holdHolders(tx, stage, settled));
  if (created > 0 && options.published) await unpublishNewParts(tx, stage);
  if (watched && created > 0) await noteAdded(tx, stage, watched, plan);
  const isNothing = changes.updated + changes.staled + taken.count === 0 && !changes.follow;
  const { updated, staled } = isNothing
    ? { updated: 0, staled: 0 }
    : await joining(tx, { integrationId: options.integrationId, rows: changes.last }, () =>
        changeKnown(tx, stage, options, { ...changes, watched }, onBatch),
      );
  if (isInDeleted) await deleteWithinDeleted(tx, stage);
  if (settled > 0) await straighten(tx, stage, settled);
  return { created, updated, staled, unchanged: total - created - updated };
}

async function changeKnown(
  tx: Context,
  stage: Stage,
  { integrationId }: ApplyOptions,
  changes: Changes,
  onBatch: (done: number, total: number) => void,
): Promise<Pick<ResourceCounts, 'updated' | 'staled'>> {
  const { follow, sorts, isDocumented, watched } = changes;
  await hold(tx, stage);
  if (watched) await noteAll(tx, stage, watched, integrationId, changes);
  let updated = 0;
  for (let from = 0; from < changes.updated; from += batchSize) {
    tx.signal.throwIfAborted();
    const range = [tx.workspaceId, integrationId, from, from + batchSize] as const;
    for (const sort of sorts) {
      if (isDocumented) await keepVersions(tx, stage, range, sort);
      updated += await updateBatch(tx, stage, range, sort);
    }
    onBatch(Math.min(from + batchSize, changes.updated), changes.updated);
  }
  if (changes.answered > 0) {
    if (watched) await noteAnswers(tx, stage, watched, integrationId);
    await keepAnswers(tx, stage);
  }
  const staled = changes.staled > 0 ? await markGone(tx, stage) : 0;
  if (follow) await undecorateGone(tx, stage, integrationId);
  if (follow) await renameBelow(tx, stage);
  await handOver(tx, stage, changes.taken);
  return { updated, staled };
}

async function noteAll(
  tx: Context,
  stage: Stage,
  watched: WatchedRows,
  integrationId: string,
  { sorts, updated, staled }: Changes,
): Promise<void> {
  const range = [tx.workspaceId, integrationId, 0, updated] as const;
  if (updated > 0) await noteChanged(tx, stage, watched, range, sorts);
  if (staled > 0) await noteGone(tx, stage, watched, integrationId);
}

/**
 * Lock all that will be changed, in the order in which everybody locks resources: no two wait for each
 * other. One that somebody is editing is waited for.
 */
async function hold(tx: Context, { changes }: Stage): Promise<void> {
  await scratch(
    tx,
    Prisma.sql`select count(*) from (
      select 1 from resource r where r.workspace_id = ${tx.workspaceId}::uuid
        and r.id in (select c.id from ${Prisma.raw(changes)} c)
      order by ${lockOrder} for no key update) held`,
  );
}

async function updateBatch(
  tx: Context,
  stage: Stage,
  range: BatchRange,
  sort: Sort,
): Promise<number> {
  const set = Object.entries(desired(sort)).map(([column, to]) => `${column} = ${to}`);
  return scratchCount(
    tx,
    `update resource r set ${set.join(', ')}, updated_at = $5
      from ${changedSource(stage, sort)} where ${isChanged(sort)}`,
    [...range, tx.now()],
  );
}

/** Keep the versions of the documentation that is about to change: the one before, and the new one. */
async function keepVersions(
  tx: Context,
  stage: Stage,
  range: BatchRange,
  sort: Sort,
): Promise<void> {
  const { definition } = desired(sort);
  await scratch(
    tx,
    `insert into resource_version (workspace_id, resource_id, version, definition, created_at)
      select r.workspace_id, r.id, v.version, v.definition, v.created_at
      from ${changedSource(stage, sort)} join resource r on ${isChanged(sort)}
      cross join lateral (values (r.definition_version, r.definition, r.created_at),
        (r.definition_version + 1, ${definition}, $5::timestamptz)) v(version, definition, created_at)
      where ${definition} is distinct from r.definition
      on conflict (workspace_id, resource_id, version) do nothing`,
    [...range, tx.now()],
  );
}
