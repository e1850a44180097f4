// Finds out which resources of the catalog an import will change, before it locks any.

import type { Context } from '../../../context.ts';
import { prepare, scratch, scratchCount, unwatched } from '../../../database/scratch.ts';
import { findAnswered } from '../answers.ts';
import { type BatchRange, isChanged, source } from '../batch.ts';
import { findGone, findRenamed, findUndecorated, type StaleRule } from '../gone.ts';
import { findWatched, type WatchedRows } from '../note-changes.ts';
import type { Stage } from '../staging/stage.ts';
import { joining } from './figures.ts';
import { findTaken, type TakenKeys } from './taken.ts';

export interface ChangeOptions {
  readonly integrationId: string;
  readonly stale: StaleRule;
  /** True where the integration describes what others brought. */
  readonly decorate: boolean;
}

/** What is to become of resources, as far as the plan and the catalog say so at a time. */
export interface Changes {
  /** Resources that the plan names, each once. */
  readonly total: number;
  readonly created: number;
  /** Numbers of the plan go up to this. */
  readonly last: number;
  /** Resources that are there and are to be different. */
  readonly updated: number;
  readonly staled: number;
  /** Those that get another parent. */
  readonly moved: number;
  /** Those that get another place, and new ones in what was there before. */
  readonly settled: number;
  /** Keys of theirs that name something else from now on. */
  readonly taken: TakenKeys;
  /** Whether other resources than those follow: below what is renamed, or no longer described. */
  readonly follow: boolean;
  /** Questions of replies that are to be different. */
  readonly answered: number;
  /** Whether any of them is the integration's own, or another one's. */
  readonly sorts: readonly ('own' | 'foreign')[];
  /** What of it people watch; null where that is nothing. */
  readonly watched: WatchedRows | null;
  /** Whether the source says something of definitions at all. */
  readonly isDocumented: boolean;
}

/** Rows that one statement compares. */
const batchSize = 20_000;

/**
 * List what the plan will change in `stage.changes`, numbered from 1. Comparing a million resources
 * takes its time; what is equal is not touched afterwards, and what is not is locked only to be
 * written. Anyone who writes compares again: people go on working in the meantime.
 */
export async function findChanges(
  ctx: Context,
  stage: Stage,
  options: ChangeOptions,
  onBatch: (done: number, total: number) => void = () => {},
): Promise<Changes> {
  return prepare(ctx, async (tx) => {
    const planned = await plannedOf(tx, stage);
    const { integrationId } = options;
    return joining(tx, { integrationId, rows: planned.total }, () =>
      listPlanned(tx, stage, options, planned, onBatch),
    );
  });
}

async function listPlanned(
  tx: Context,
  stage: Stage,
  options: ChangeOptions,
  planned: Planned,
  onBatch: (done: number, total: number) => void,
): Promise<Changes> {
  await scratch(tx, `drop table if exists ${stage.changes}`);
  await scratch(
    tx,
    `create unlogged table ${stage.changes} (k integer, n integer, id uuid, becomes text) ${unwatched}`,
  );
  const updated = await compare(tx, stage, options, planned, onBatch);
  const answered = planned.replies > 0 ? await findAnswered(tx, stage) : 0;
  const taken = await findTaken(tx, stage);
  const isFirst = !(await hasResources(tx, options.integrationId));
  // Of an integration that had nothing, nothing is gone.
  const staled = isFirst ? 0 : await findGone(tx, stage, options);
  const undecorated = options.decorate ? await findUndecorated(tx, stage, options) : 0;
  const renamed = planned.known > 0 ? await findRenamed(tx, stage) : 0;
  await scratch(tx, `create index on ${stage.changes} (k)`);
  await scratch(tx, `analyze ${stage.changes}`);
  const sorts = sortsOf(planned);
  const isShared = sorts.includes('foreign');
  const watched = await findWatched(tx, stage, options.integrationId, isShared);
  const { total, created, moved, settled, last, isDocumented } = planned;
  const ofPlan = { total, created, moved, settled, last, isDocumented };
  const follow = undecorated + renamed > 0;
  return { ...ofPlan, sorts, updated, staled, taken, answered, follow, watched };
}

interface Planned {
  readonly total: number;
  readonly created: number;
  /** Of the integration's own, those that were there before. */
  readonly known: number;
  /** Those of them that are replies. */
  readonly replies: number;
  readonly moved: number;
  readonly settled: number;
  readonly foreign: number;
  readonly last: number;
  readonly isDocumented: boolean;
}

async function plannedOf(ctx: Context, { plan, resources }: Stage): Promise<Planned> {
  const [found] = await scratch<Planned>(
    ctx,
    `select count(*)::integer as total, (count(*) filter (where is_new))::integer as created,
      (count(*) filter (where is_foreign))::integer as foreign,
      (count(*) filter (where not is_new and not is_foreign))::integer as known,
      (count(*) filter (where kind = 'question_reply' and not is_new))::integer as replies,
      (count(*) filter (where is_moved))::integer as moved,
      (count(*) filter (where settles or is_placed))::integer as settled,
      coalesce(max(n), 0) as last,
      exists (select from ${resources} where definition is not null) as "isDocumented"
    from ${plan} where n is not null`,
  );
  if (!found) throw new Error('A count has one row.');
  return found;
}

function sortsOf({ known, foreign }: Planned): ('own' | 'foreign')[] {
  return [...(known > 0 ? (['own'] as const) : []), ...(foreign > 0 ? (['foreign'] as const) : [])];
}

/** List what differs from what it is to be; how many those are. */
async function compare(
  tx: Context,
  stage: Stage,
  { integrationId }: ChangeOptions,
  planned: Planned,
  onBatch: (done: number, total: number) => void,
): Promise<number> {
  const sorts = sortsOf(planned);
  let found = 0;
  for (let from = 0; sorts.length > 0 && from < planned.last; from += batchSize) {
    tx.signal.throwIfAborted();
    const range: BatchRange = [tx.workspaceId, integrationId, from, from + batchSize];
    for (const sort of sorts) {
      found += await scratchCount(
        tx,
        `insert into ${stage.changes} (k, n, id, becomes)
          select $5::integer + row_number() over (order by p.n), p.n, p.id, '${sort}'
          from ${source(stage)} join resource r on ${isChanged(sort)}`,
        [...range, found],
      );
    }
    onBatch(Math.min(from + batchSize, planned.last), planned.last);
  }
  return found;
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
