// Writes the planned resources: what is new first, and last what others can see.

import type { Context } from '../../context.ts';
import { scratch, scratchCount } from '../../database/scratch.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { lockOrder } from '../../resources/editing/lock.ts';
import { keepSettledVersions } from '../claims/settle.ts';
import { maxInteger } from '../readers/json-fields.ts';
import { keepAnswers } from './answers.ts';
import { type BatchRange, changedSource, isChanged, source } from './batch.ts';
import {
  isOutdated,
  PlanOutdated,
  type SharedCounts,
  settleShared,
  writeShared,
} from './claims.ts';
import { markGone, renameBelow } from './gone.ts';
import { deleteWithinDeleted, holdHolders, holdMoves, straighten } from './hierarchy.ts';
import { noteAdded, noteAnswers, noteChanged, noteGone, type WatchedRows } from './note-changes.ts';
import type { ChangeOptions, Changes } from './planning/affected.ts';
import { desired, inserted } from './planning/desired.ts';
import { joining } from './planning/figures.ts';
import type { Recognized } from './planning/recognize.ts';
import { handOver } from './planning/taken.ts';
import { holdParents, writeProved } from './proved-keys.ts';
import type { Stage } from './staging/stage.ts';
import { unpublishNewParts } from './within-unpublished.ts';
import { writePlaces } from './write-places.ts';

export interface ApplyOptions extends ChangeOptions {
  /** Teams that hold the new resources. */
  readonly teamIds: readonly string[];
  /** Whether viewers may read the new resources. */
  readonly published: boolean;
  /** What messages call the file. */
  readonly file: string;
  /** Where its things lie. */
  readonly places: Recognized;
}

/** How many resources an import makes, changes, finds gone and leaves as they are. */
export interface ResourceCounts {
  readonly created: number;
  readonly updated: number;
  readonly staled: number;
  readonly unchanged: number;
  /** What it describes together with others. */
  readonly shared: SharedCounts;
}

/** What an import would do that found these changes. */
export function countResources(changes: Changes): ResourceCounts {
  const { total, created, updated, staled } = changes;
  const { claimed, left, merged } = changes.shared;
  const unchanged = Math.max(0, total - created - updated);
  return { created, updated, staled, unchanged, shared: { claimed, left, merged } };
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
      const { integrationId } = options.describer;
      const range = [tx.workspaceId, integrationId, from, from + batchSize] as const;
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
      from ${source(stage)} left join ${stage.placed} a on a.key = p.key
      where p.is_new order by p.n`,
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
  const { created, moved, settled, taken, shared } = changes;
  const { integrationId } = options.describer;
  // Writing may begin again, and then there is as much room as before.
  const watched = changes.watched && { ...changes.watched, room: { ...changes.watched.room } };
  const plan = [tx.workspaceId, integrationId, 0, changes.last] as const;
  if (moved > 0) await holdMoves(tx, stage, options.file);
  const isInDeleted = settled > 0 && (await holdHolders(tx, stage, settled));
  if (created > 0 && options.published) await unpublishNewParts(tx, stage);
  if (watched && created > 0) await noteAdded(tx, stage, watched, plan);
  const isNothing = changes.updated + changes.staled + taken.count === 0 && !changes.follow;
  const { updated, staled } =
    isNothing && !shared.isAny && changes.held === 0
      ? { updated: 0, staled: 0 }
      : await joining(tx, { integrationId, rows: changes.last }, () =>
          changeKnown(tx, stage, options, { ...changes, watched }, onBatch),
        );
  if (isInDeleted) await deleteWithinDeleted(tx, stage);
  if (settled > 0) await straighten(tx, stage, settled);
  if (options.places) await writePlaces(tx, stage, options.describer, options.places);
  return countResources({ ...changes, updated, staled });
}

async function changeKnown(
  tx: Context,
  stage: Stage,
  options: ApplyOptions,
  changes: Changes,
  onBatch: (done: number, total: number) => void,
): Promise<Pick<ResourceCounts, 'updated' | 'staled'>> {
  const { follow, isDocumented, watched, own } = changes;
  const { integrationId } = options.describer;
  await hold(tx, stage);
  if (await isOutdated(tx, stage)) throw new PlanOutdated();
  if (watched) await noteAll(tx, stage, watched, integrationId, changes);
  let updated = 0;
  for (let from = 0; from < own; from += batchSize) {
    tx.signal.throwIfAborted();
    const range = [tx.workspaceId, integrationId, from, from + batchSize] as const;
    if (isDocumented) await keepVersions(tx, stage, range);
    updated += await updateBatch(tx, stage, range);
    onBatch(Math.min(from + batchSize, own), own);
  }
  if (changes.answered > 0) {
    if (watched) await noteAnswers(tx, stage, watched, integrationId);
    await keepAnswers(tx, stage);
  }
  let staled = changes.staled > 0 ? await markGone(tx, stage) : 0;
  if (follow) await renameBelow(tx, stage);
  if (changes.shared.isAny) {
    await changeShared(tx, stage, options, watched);
    updated += changes.shared.updated;
    staled += changes.shared.staled;
  }
  await handOver(tx, stage, changes.taken);
  if (changes.held > 0) await giveKeys(tx, stage);
  return { updated, staled };
}

/** Give their keys to what had another one, and to what is new where something else had it. */
async function giveKeys(tx: Context, { plan }: Stage): Promise<void> {
  await scratch(
    tx,
    `update resource r set databuilder_id = p.key from ${plan} p where r.workspace_id = $1::uuid
      and r.id = p.id and p.is_held and not p.claims and p.n is not null`,
    [tx.workspaceId],
  );
}

/** Change what others describe as well: all of it by what was settled just before. */
async function changeShared(
  tx: Context,
  stage: Stage,
  options: ApplyOptions,
  watched: WatchedRows | null,
): Promise<void> {
  await settleShared(tx, stage, options);
  const all = [tx.workspaceId, options.describer.integrationId, 0, maxInteger] as const;
  if (watched) await noteChanged(tx, stage, watched, all, ['shared']);
  await keepSettledVersions(tx, stage.settling);
  await writeShared(tx, stage, options);
}

async function noteAll(
  tx: Context,
  stage: Stage,
  watched: WatchedRows,
  integrationId: string,
  { own, staled }: Changes,
): Promise<void> {
  const range = [tx.workspaceId, integrationId, 0, own] as const;
  if (own > 0) await noteChanged(tx, stage, watched, range, ['own']);
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

async function updateBatch(tx: Context, stage: Stage, range: BatchRange): Promise<number> {
  const set = Object.entries(desired('own')).map(([column, to]) => `${column} = ${to}`);
  return scratchCount(
    tx,
    `update resource r set ${set.join(', ')}, updated_at = $5
      from ${changedSource(stage, 'own')} where ${isChanged('own')}`,
    [...range, tx.now()],
  );
}

/** Keep the versions of the documentation that is about to change: the one before, and the new one. */
async function keepVersions(tx: Context, stage: Stage, range: BatchRange): Promise<void> {
  const { definition } = desired('own');
  await scratch(
    tx,
    `insert into resource_version (workspace_id, resource_id, version, definition, created_at)
      select r.workspace_id, r.id, v.version, v.definition, v.created_at
      from ${changedSource(stage, 'own')} join resource r on ${isChanged('own')}
      cross join lateral (values (r.definition_version, r.definition, r.created_at),
        (r.definition_version + 1, ${definition}, $5::timestamptz)) v(version, definition, created_at)
      where ${definition} is distinct from r.definition
      on conflict (workspace_id, resource_id, version) do nothing`,
    [...range, tx.now()],
  );
}
