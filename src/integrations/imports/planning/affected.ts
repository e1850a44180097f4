// Finds out which resources of the catalog an import will change, before it locks any.

import type { Context } from '../../../context.ts';
import { prepare, scratch, scratchCount, unwatched } from '../../../database/scratch.ts';
import { findAnswered } from '../answers.ts';
import { type BatchRange, isChanged, source } from '../batch.ts';
import { type ClaimChanges, type ClaimOptions, findClaims } from '../claims.ts';
import { findGone, findRenamed } from '../gone.ts';
import { findWatched, type WatchedRows } from '../note-changes.ts';
import type { Stage } from '../staging/stage.ts';
import { joining } from './figures.ts';
import { findTaken, type TakenKeys } from './taken.ts';

export type ChangeOptions = ClaimOptions;

/** What is to become of resources, as far as the plan and the catalog say so at a time. */
export interface Changes {
  /** Resources that the plan names, each once. */
  readonly total: number;
  readonly created: number;
  /** Numbers of the plan go up to this. */
  readonly last: number;
  /** Resources that are there and are to be different. */
  readonly updated: number;
  /** Those of them that the integration describes alone. */
  readonly own: number;
  readonly staled: number;
  /** Those that get another parent. */
  readonly moved: number;
  /** Those that get another place, and new ones in what was there before. */
  readonly settled: number;
  /** Those that get their key at the end, as something else has it, or they had another one. */
  readonly held: number;
  /** Keys of theirs that name something else from now on. */
  readonly taken: TakenKeys;
  /** What becomes of what others describe as well. */
  readonly shared: ClaimChanges;
  /** Whether other resources than those follow: below what is renamed. */
  readonly follow: boolean;
  /** Questions of replies that are to be different. */
  readonly answered: number;
  /** Whether any of them is the integration's own, or others describe it as well. */
  readonly sorts: readonly ('own' | 'shared')[];
  /** What of it people watch; null where that is nothing. */
  readonly watched: WatchedRows | null;
  /** Whether the source says something of definitions at all. */
  readonly isDocumented: boolean;
  /** How many resources the plan names of each kind. */
  readonly kinds: Readonly<Record<string, number>>;
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
    const { integrationId } = options.describer;
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
  const { integrationId } = options.describer;
  const own = await compare(tx, stage, integrationId, planned, onBatch);
  const shared = await findClaims(tx, stage, options);
  await listShared(tx, stage);
  const updated = own + shared.updated;
  const answered = planned.replies > 0 ? await findAnswered(tx, stage) : 0;
  const taken = await findTaken(tx, stage);
  const isFirst = !(await hasResources(tx, integrationId));
  // Of an integration that had nothing, nothing is gone.
  const gone = isFirst ? 0 : await findGone(tx, stage, { integrationId, stale: options.stale });
  const staled = gone + shared.staled;
  const renamed = planned.known > 0 ? await findRenamed(tx, stage) : 0;
  await scratch(tx, `create index on ${stage.changes} (k)`);
  await scratch(tx, `analyze ${stage.changes}`);
  const sorts = [
    ...(planned.known > 0 ? (['own'] as const) : []),
    ...(shared.isAny ? (['shared'] as const) : []),
  ];
  const watched = await findWatched(tx, stage, integrationId, shared.isAny);
  const { known: _known, replies: _replies, ...ofPlan } = planned;
  const follow = renamed > 0;
  return { ...ofPlan, sorts, own, updated, staled, shared, taken, answered, follow, watched };
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
  readonly held: number;
  readonly last: number;
  readonly isDocumented: boolean;
  readonly kinds: Readonly<Record<string, number>>;
}

async function plannedOf(ctx: Context, { plan, resources }: Stage): Promise<Planned> {
  const [found] = await scratch<Planned>(
    ctx,
    `select count(*)::integer as total, (count(*) filter (where is_new))::integer as created,
      (count(*) filter (where not is_new and not is_foreign))::integer as known,
      (count(*) filter (where kind = 'question_reply' and not is_new))::integer as replies,
      (count(*) filter (where is_moved))::integer as moved,
      (count(*) filter (where is_held and not claims))::integer as held,
      (count(*) filter (where settles or is_placed))::integer as settled,
      coalesce(max(n), 0) as last,
      exists (select from ${resources} where definition is not null) as "isDocumented",
      coalesce((select jsonb_object_agg(k.kind, k.named) from (select kind, count(*) as named
        from ${plan} where n is not null group by kind) k), '{}') as kinds
    from ${plan} where n is not null`,
  );
  if (!found) throw new Error('A count has one row.');
  return found;
}

/** List what others describe as well, so that it is locked with the rest. */
async function listShared(tx: Context, { changes, touched, pairs }: Stage): Promise<void> {
  await scratch(
    tx,
    `insert into ${changes} (id, becomes) select t.id, 'shared' from ${touched} t
      union all select p.gone, 'merged' from ${pairs} p
      union all select p.kept, 'shared' from ${pairs} p`,
  );
}

/** List what differs from what it is to be; how many those are. */
async function compare(
  tx: Context,
  stage: Stage,
  integrationId: string,
  planned: Planned,
  onBatch: (done: number, total: number) => void,
): Promise<number> {
  let found = 0;
  for (let from = 0; planned.known > 0 && from < planned.last; from += batchSize) {
    tx.signal.throwIfAborted();
    const range: BatchRange = [tx.workspaceId, integrationId, from, from + batchSize];
    found += await scratchCount(
      tx,
      `insert into ${stage.changes} (k, n, id, becomes)
        select $5::integer + row_number() over (order by p.n), p.n, p.id, 'own'
        from ${source(stage)} join resource r on ${isChanged('own')}`,
      [...range, found],
    );
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
