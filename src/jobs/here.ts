// Jobs that the process which was asked for them runs at once, such as an upload's import.

import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverId } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { patiently } from '../database/connections/await-connection.ts';
import { failureOf } from '../database/failure.ts';
import { inWorkspace } from '../database/outside.ts';
import { execute, rows } from '../database/rows.ts';
import { conflict, unavailable } from '../errors.ts';
import { type Job, Prisma } from '../generated/prisma/client.ts';
import { noteRunEnd, type RunEnd } from './figures.ts';
import { type Ended, noteRun, storeEnding, storeOwed } from './here-ending.ts';
import { jobColumns, payloadOf } from './job.ts';
import { openJournal } from './journal.ts';
import { endRun, lostLine, renewLeases, saveSaid } from './lease.ts';
import { type Run, Stopped } from './run.ts';
import { forgetRunning, noteRunning } from './running.ts';

/** Work that is done at once. */
export interface JobHere {
  readonly kind: string;
  /** What the job does, in words. */
  readonly title: string;
  /** Of the jobs that wait or run, only one has this key. */
  readonly dedupeKey: string;
  /** What to say where another job with the key runs. */
  readonly busy: string;
  /** What to say of the job where its process stopped before it had ended. */
  readonly ifLost: string;
}

/** What the work is given: what a handler of a worker is, its context being the caller's own. */
export type RunHere<C extends Context> = Pick<Run, 'job' | 'log' | 'progress' | 'complete'> & {
  readonly ctx: C;
};

/** A job that was made and runs. */
export interface Begun<T> {
  readonly job: Job;
  /** What the work answers, or throws. */
  readonly done: Promise<T>;
}

/** How often the lease is renewed, and what the job says is stored. */
const tickMs = 500;
/** A process that is silent for so long is taken for lost. */
const leaseSeconds = 10;

/**
 * Begin work as a job of this process: the job is there for people to watch and to cancel. Throws
 * CONFLICT while another job with its key runs. It is tried once, and ends with the process.
 */
export async function beginHere<C extends Context, T>(
  ctx: C,
  input: JobHere,
  work: (run: RunHere<C>) => Promise<T>,
): Promise<Begun<T>> {
  const job = await make(ctx, input);
  const done = perform(ctx, job, input, work);
  // Who waits for it learns of its error, now or later.
  done.catch(() => {});
  return { job, done };
}

async function perform<C extends Context, T>(
  ctx: C,
  job: Job,
  { ifLost }: JobHere,
  work: (run: RunHere<C>) => Promise<T>,
): Promise<T> {
  const { database } = ctx;
  const journal = openJournal(job);
  const stopping = new AbortController();
  const over = new AbortController();
  const kept = new AbortController();
  const note = () => noteRunning(database, { ...job, ...journal.said() });
  note();
  const forgetRun = noteRun(database, {
    stop: () => stopping.abort(new Stopped('released')),
    over: new Promise((resolve) => over.signal.addEventListener('abort', resolve)),
  });
  const renewing = keep(ctx, job, journal, stopping, kept.signal);
  const run: RunHere<C> = {
    job,
    ctx: { ...ctx, signal: AbortSignal.any([ctx.signal, stopping.signal]) },
    log(line) {
      journal.log(line);
      note();
    },
    progress(step, done, total) {
      journal.progress(step, done, total);
      note();
    },
    async complete(tx, result) {
      if (!(await endRun(tx, job, journal.said(), { state: 'succeeded', result }))) {
        // The lease ran out while the database or this process stood still, and a sweep came first.
        throw new Stopped('lost');
      }
      // From now on no one may stop it: what is missing is the commit.
      kept.abort();
    },
  };
  const began = performance.now();
  const noteEnd = (end: RunEnd) => noteRunEnd(database, job.kind, end, performance.now() - began);
  const end = (ending: Ended) => {
    noteEnd(ending.state);
    return storeEnding(database, job, journal.said(), ending);
  };
  try {
    const result = await work(run);
    // Where the work completed the job in its own transaction, this meets nothing.
    await end({ state: 'succeeded', result: result ?? null });
    return result;
  } catch (error) {
    // Of one that was given up the sweep has said what became of it.
    if (error instanceof Stopped && error.reason === 'lost') noteEnd('lost');
    else {
      const ending = ctx.signal.aborted ? left : endingOf(error, ifLost);
      if (ending.error) journal.log(ending.error);
      await end(ending);
    }
    throw error instanceof Stopped ? stoppedError(error, ifLost) : error;
  } finally {
    kept.abort();
    await renewing;
    forgetRunning(database, job.id);
    forgetRun();
    over.abort();
  }
}

type Unsuccessful = Extract<Ended, { error: string | null }>;

/** The end of a job whose client did not wait for it. */
const left: Unsuccessful = {
  state: 'failed',
  error: 'The client went away before it had ended; nothing was changed.',
};

function stoppedError({ reason }: Stopped, ifLost: string) {
  if (reason === 'cancelled') return conflict('Cancelled; nothing was changed.');
  return unavailable(
    reason === 'released'
      ? ifLost
      : 'The connection seemed lost, so the work was given up; nothing was changed. Try again.',
  );
}

function endingOf(error: unknown, ifLost: string): Unsuccessful {
  if (error instanceof Stopped) {
    return error.reason === 'released'
      ? { state: 'failed', error: ifLost }
      : { state: 'cancelled', error: 'Cancelled.' };
  }
  const known = failureOf(error);
  return { state: 'failed', error: known?.message ?? 'Something went wrong on the server.' };
}

/** Make the job, running from the start and held by this process. */
async function make(ctx: Context, input: JobHere): Promise<Job> {
  const userId = ctx.viewer.id === serverId ? null : ctx.viewer.id;
  // The other job may end, or turn out to be dead, between the two statements.
  for (let attempt = 0; attempt < 3; attempt++) {
    const [job] = await patiently(ctx, () =>
      rows<Job>(
        ctx,
        Prisma.sql`insert into job as j (workspace_id, kind, title, user_id, dedupe_key, payload,
            max_attempts, state, attempts, lease_owner, lease_token, lease_until, started_at)
          values (${ctx.workspaceId}::uuid, ${input.kind}, ${input.title}, ${userId}::uuid,
            ${input.dedupeKey}, ${JSON.stringify({ ifLost: input.ifLost })}::jsonb, 1, 'running', 1,
            ${`${hostname()}:${process.pid}`}, 1, now() + make_interval(secs => ${leaseSeconds}),
            now())
          on conflict (workspace_id, dedupe_key)
            where dedupe_key is not null and state in ('queued', 'running') do nothing
          returning ${jobColumns}`,
      ),
    );
    if (job) return job;
    if (!(await endDead(ctx, input.dedupeKey))) throw conflict(input.busy);
  }
  throw conflict(input.busy);
}

/** End the job that has a key and whose process is gone; whether the key is free now. */
export async function endDead(ctx: Context, dedupeKey: string): Promise<boolean> {
  const [other] = await patiently(ctx, () =>
    rows<Pick<Job, 'id' | 'state' | 'payload'> & { expired: boolean }>(
      ctx,
      Prisma.sql`select j.id, j.state, j.payload, j.lease_until < now() as expired from job j
        where j.workspace_id = ${ctx.workspaceId}::uuid and j.dedupe_key = ${dedupeKey}
          and j.state in ('queued', 'running')`,
    ),
  );
  if (!other) return true;
  // One that waits for a worker is not lost.
  if (other.state === 'queued') return false;
  // One of this process may have ended while the database was away.
  if (await storeOwed(ctx.database, other.id)) return true;
  if (!other.expired) return false;
  const { ifLost } = payloadOf(other);
  const message = typeof ifLost === 'string' ? ifLost : lostLine;
  await execute(
    ctx,
    Prisma.sql`update job j set state = 'failed', completed_at = now(), lease_until = null,
        lease_owner = null, last_error = ${message}, logs = j.logs || ${`${message}\n`}
      where j.workspace_id = ${ctx.workspaceId}::uuid and j.id = ${other.id}::uuid
        and j.state in ('queued', 'running')`,
  );
  return true;
}

/** Renew the lease and store what the job says, until it is over; ask it to stop when it must. */
async function keep(
  ctx: Context,
  job: Job,
  journal: ReturnType<typeof openJournal>,
  stopping: AbortController,
  over: AbortSignal,
): Promise<void> {
  const { database } = ctx;
  const db = inWorkspace(database, job.workspaceId);
  let saved = '';
  while (!over.aborted) {
    await sleep(tickMs, undefined, { signal: over }).catch(() => {});
    if (over.aborted) return;
    try {
      const said = journal.said();
      const fresh = JSON.stringify(said);
      if (fresh !== saved) await saveSaid(db, job, said);
      saved = fresh;
      const renewed = await renewLeases(db, [job], leaseSeconds);
      const state = renewed.get(job.id);
      if (state === 'cancel requested') stopping.abort(new Stopped('cancelled'));
      if (state === 'lost' && !over.aborted) stopping.abort(new Stopped('lost'));
    } catch {
      // The database is away or very busy: the next round may get through.
    }
  }
}
