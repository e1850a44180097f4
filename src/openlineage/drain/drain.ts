// Drains the queue of events of a workspace into datasets, jobs, runs and lineage.

import type { Context, ServerContext } from '../../context.ts';
import { holdName } from '../../database/held-name.ts';
import { execute, rows } from '../../database/rows.ts';
import { atLength } from '../../database/scratch.ts';
import { CatalogError } from '../../errors.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Run } from '../../jobs/run.ts';
import { noteRefusals } from '../events/queue.ts';
import { type Folded, type Folding, foldEvents, type HashedEvent } from '../folding/fold-events.ts';
import { flowsOf, type RunFlow } from '../folding/run-flows.ts';
import { sqlFlowsOf } from '../folding/sql-flows.ts';
import { type DescribedPlaces, describe } from './describe-batch.ts';
import { type KnownRun, knownDatasets, knownJobs, knownRuns } from './known-rows.ts';
import { linkFlows } from './link.ts';
import {
  type FlowChange,
  noteLastRuns,
  startOf,
  writeDatasets,
  writeFlows,
  writeJobs,
  writeRuns,
} from './write-rows.ts';

/** Events that are read at once: what is kept of them while they are is some megabytes. */
const batchSize = 5_000;
const batchBytes = 32 * 1024 * 1024;

/** Drain the queue of the job's workspace until it is empty. */
export async function runDrain(run: Pick<Run, 'ctx' | 'log' | 'progress'>): Promise<object> {
  let drained = 0;
  for (;;) {
    run.ctx.signal.throwIfAborted();
    const batch = await nextEvents(run.ctx);
    if (batch.length === 0) return { drained };
    await drainBatch(run.ctx, batch);
    drained += batch.length;
    run.progress('reading events', drained);
  }
}

/** The next events, the earliest first, as many as fit. */
async function nextEvents(ctx: Context): Promise<HashedEvent[]> {
  return rows<HashedEvent>(
    ctx,
    Prisma.sql`select n.hash, n.body from (
        select e.hash, e.body, e.event_time,
          sum(pg_column_size(e.body)) over (order by e.event_time, e.hash) as bytes
        from (select * from openlineage_event e where e.workspace_id = ${ctx.workspaceId}::uuid
          order by e.event_time, e.hash limit ${batchSize}) e) n
      where n.bytes <= ${batchBytes} or n.bytes = pg_column_size(n.body)
      order by n.event_time, n.hash`,
  );
}

/** Drain a batch; where it can't be taken as a whole, its halves, until what stands in the way is alone, and left out. */
async function drainBatch(ctx: ServerContext, batch: readonly HashedEvent[]): Promise<void> {
  try {
    await takeBatch(ctx, batch);
  } catch (error) {
    if (!(error instanceof CatalogError) || error.code !== 'BAD_REQUEST') throw error;
    if (batch.length > 1) {
      const half = Math.ceil(batch.length / 2);
      await drainBatch(ctx, batch.slice(0, half));
      await drainBatch(ctx, batch.slice(half));
      return;
    }
    await noteRefusals(ctx, [error.message]);
    await forget(ctx, batch);
  }
}

async function takeBatch(ctx: ServerContext, batch: readonly HashedEvent[]): Promise<void> {
  const folded = foldEvents(batch);
  const runs = await knownRuns(ctx, folded);
  const flows = await changedFlows(runs, folded);
  const datasets = await knownDatasets(ctx, folded);
  const jobs = await knownJobs(ctx, folded);
  const places = await describe(ctx, folded, datasets, jobs);
  await atLength(ctx, async (tx) => {
    await holdDrain(tx);
    // Another worker may have drained them in the meantime.
    if (!(await forget(tx, batch))) throw new DrainOutdated();
    await writeDatasets(tx, datasets.values(), places);
    await writeJobs(tx, jobs.values(), places);
    await writeRuns(tx, runs);
    await noteLastRuns(tx, runs);
    await countDays(tx, batch);
    await writeFlows(tx, flows);
    await linkFlows(tx, {
      jobs: [...new Set(flows.map(({ jobId }) => jobId))],
      datasets: datasetsToLink(folded, datasets, places),
    });
  });
}

/** Thrown where what a batch was put together with has changed since. */
class DrainOutdated extends Error {}

/** Let one alone write what events say until the transaction ends. */
export async function holdDrain(tx: Context): Promise<void> {
  await holdName(tx, `openlineage ${tx.workspaceId}`);
}

/** Take events out of the queue; whether all of them were there. */
async function forget(tx: Context, batch: readonly HashedEvent[]): Promise<boolean> {
  const hashes = batch.map(({ hash }) => hash);
  const gone = await execute(
    tx,
    Prisma.sql`delete from openlineage_event e where e.workspace_id = ${tx.workspaceId}::uuid
      and e.hash = any(${hashes}::uuid[])`,
  );
  return gone === hashes.length;
}

/**
 * How the flows of runs change: those that a run shows now count one more, those that it does not any more one less. Datasets
 * that only its SQL names are folded as well.
 */
async function changedFlows(runs: readonly KnownRun[], folded: Folding): Promise<FlowChange[]> {
  const changes: FlowChange[] = [];
  for (const { jobId, before, said, isKept } of runs) {
    // What it was read from is gone by now.
    if (!isKept) continue;
    const at = said.end ? endOf(said) : startOf(said);
    const sql = await sqlFlowsOf(said);
    for (const name of sql.implied.values()) folded.imply(said.sql?.[0] ?? '', name);
    const was = flowsOf(jobId, before, (await sqlFlowsOf(before)).flows);
    const is = flowsOf(jobId, said, sql.flows);
    const note = (flow: RunFlow, count: number) => {
      changes.push({ ...flow, jobId, runs: count, at });
    };
    for (const [id, flow] of is) if (!was.has(id)) note(flow, 1);
    for (const [id, flow] of was) if (!is.has(id)) note(flow, -1);
  }
  return changes;
}

const endOf = (said: KnownRun['said']) => new Date(said.end?.[0].split(' ')[0] ?? 0);

/** The datasets whose flows are to be linked again: those that are described in another way than before. */
function datasetsToLink(
  { datasets: named }: Folded,
  datasets: Awaited<ReturnType<typeof knownDatasets>>,
  places: DescribedPlaces,
): string[] {
  return [...datasets.values()].flatMap(({ id, described, key }) => {
    const place = places.get(id);
    const isSame = place && place.described === described && place.key === key;
    return !isSame && (named.has(id) || described !== null) ? [id] : [];
  });
}

async function countDays(tx: Context, batch: readonly HashedEvent[]): Promise<void> {
  const byNamespace = new Map<string, { events: number; dropped: number; last: string }>();
  for (const { body } of batch) {
    const name = body.job?.namespace ?? '';
    const known = byNamespace.get(name) ?? { events: 0, dropped: 0, last: body.at };
    byNamespace.set(name, {
      events: known.events + 1,
      dropped: known.dropped + body.dropped,
      last: body.at > known.last ? body.at : known.last,
    });
  }
  const list = [...byNamespace].map(([namespace, counted]) => ({ namespace, ...counted }));
  await execute(
    tx,
    `insert into openlineage_day as d (workspace_id, day, namespace, events, dropped, last_event_at)
      select $1::uuid, ($3::timestamptz at time zone 'UTC')::date, n.namespace, n.events, n.dropped, n.last
      from jsonb_to_recordset($2::jsonb) n(namespace text, events integer, dropped integer, last timestamptz)
      on conflict (workspace_id, day, namespace) do update set events = d.events + excluded.events,
        dropped = d.dropped + excluded.dropped,
        last_event_at = greatest(d.last_event_at, excluded.last_event_at)`,
    [tx.workspaceId, JSON.stringify(list), tx.now()],
  );
}
