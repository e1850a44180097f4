// A worker: claiming jobs, keeping their leases, and stopping without losing any.

import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '../database/listen.ts';
import { acrossWorkspaces } from '../database/outside.ts';
import type { Connection } from '../database/rows.ts';
import type { Job } from '../generated/prisma/client.ts';
import type { Tracer } from '../tracing/tracer.ts';
import { type Claim, claimJobs, renewLeases, saveSaid, secondsToNext, sweepJobs } from './lease.ts';
import { type ActiveRun, type JobHandler, startRun, type Workplace } from './run.ts';

/** The handlers of a process by kind of job. Kinds that it has none for are left to others. */
export type JobHandlers = Readonly<Record<string, JobHandler>>;

/** Something that makes jobs when their time has come, such as the schedule of monitors. */
export interface JobSchedule {
  /** Make the jobs that are due; answers when the next one will be, or null when none is known. */
  readonly tick: (db: Connection) => Promise<Date | null>;
}

export interface WorkerOptions extends Workplace {
  readonly handlers: JobHandlers;
  readonly schedules?: readonly JobSchedule[];
  /** Jobs that run at once. */
  readonly concurrency?: number;
  /** A worker that is silent for so long is taken for lost; at least 3. */
  readonly leaseSeconds?: number;
  /** How long a worker sleeps when no one wakes it. */
  readonly pollSeconds?: number;
  /** Called with errors that are no client's business, to log them. */
  readonly onError: (error: unknown) => void;
  /** Null where nothing is traced. */
  readonly tracer?: Tracer | null;
}

export interface Worker {
  /**
   * Claim nothing more, let what runs come to its end for so long, then ask it to stop and give
   * back what does not.
   */
  stop(graceMs?: number): Promise<void>;
}

/**
 * How often what jobs say is stored, and how often a worker looks whether a lease is to be
 * renewed.
 */
const tickMs = 250;
/** How long a handler has to heed its signal. */
const heedMs = 1_000;
const minLeaseSeconds = 3;

/** Start to work. The returned worker has to be stopped before the database is closed. */
export function startWorker(options: WorkerOptions): Worker {
  const { database, concurrency = 4, leaseSeconds = 5, pollSeconds = 5 } = options;
  if (leaseSeconds < minLeaseSeconds) throw new Error(`A lease is ${minLeaseSeconds} s at least.`);
  const db = acrossWorkspaces(database);
  const active = new Map<string, ActiveRun>();
  const wakeup = makeWakeup();
  const { onError } = options;
  const fill = makeFill({ ...options, concurrency, leaseSeconds }, db, active, wakeup);
  let renewNow = false;
  let stopping = false;
  const closing = new AbortController();

  const silence = listen(database, 'queue', (ids) => {
    // Named jobs are those to be cancelled; the answer to a renewal says so.
    if (ids?.some((id) => active.has(id))) renewNow = true;
    else wakeup.wake();
  });

  async function work(): Promise<void> {
    while (!stopping) {
      try {
        const dueMs = await fill();
        if (dueMs > 0) await wakeup.sleep(Math.min(dueMs, pollSeconds * 1_000));
      } catch (error) {
        // The database is away, as a rule: what runs goes on, and the next look may succeed.
        onError(error);
        await wakeup.sleep(1_000);
      }
    }
  }

  async function renew(): Promise<void> {
    let renewedAt = performance.now();
    while (!closing.signal.aborted) {
      await sleep(tickMs, undefined, { signal: closing.signal }).catch(() => {});
      try {
        for (const run of active.values()) await run.save((said) => saveSaid(db, run.job, said));
        const isDue = performance.now() - renewedAt > (leaseSeconds * 1_000) / 3;
        if (active.size === 0 || !(isDue || renewNow)) continue;
        renewNow = false;
        renewedAt = performance.now();
        await renewAll(db, active, leaseSeconds);
      } catch (error) {
        onError(error);
      }
    }
  }

  const working = work();
  const renewing = renew();
  return {
    async stop(graceMs = 10_000) {
      stopping = true;
      silence();
      wakeup.wake();
      await working;
      await settle(active, graceMs);
      for (const run of active.values()) run.stop('released');
      await settle(active, heedMs);
      for (const run of active.values()) await run.giveBack().catch(onError);
      closing.abort();
      await renewing;
    },
  };
}

/** How soon a worker looks again where all that is due was just taken by others, and where its last place is kept free. */
const contendedMs = 20;
const othersMs = 500;

/** Places of a worker that are only for what has no other job that runs: one, where it has several. */
const sparePlaces = (concurrency: number) => (concurrency > 1 ? 1 : 0);

/**
 * What a worker does each time it wakes: call the schedules, take back lost jobs, and fill its free
 * places. Answers after how many milliseconds it has to look again; 0 for at once.
 */
function makeFill(
  options: WorkerOptions & { concurrency: number; leaseSeconds: number },
  db: Connection,
  active: Map<string, ActiveRun>,
  wakeup: Wakeup,
): () => Promise<number> {
  const {
    database,
    surroundings,
    handlers,
    schedules = [],
    concurrency,
    leaseSeconds,
    onError,
    tracer = null,
  } = options;
  const owner = `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
  const claim: Claim = { owner, leaseSeconds, kinds: Object.keys(handlers) };
  let tickAt = 0;
  let sweepAt = 0;

  function start(job: Job): void {
    const handler = handlers[job.kind];
    if (!handler) throw new Error(`The job ${job.id} has the kind ${job.kind}, not ours.`);
    const run = startRun({ database, surroundings }, job, handler, { onError, tracer });
    active.set(job.id, run);
    void run.over.then(() => {
      active.delete(job.id);
      wakeup.wake();
    });
  }

  return async () => {
    const now = performance.now();
    if (now >= tickAt) tickAt = now + (await tickSchedules(schedules, db, onError));
    if (now >= sweepAt) {
      sweepAt = now + (leaseSeconds * 1_000) / 2;
      await sweepJobs(db, [...active.keys()]);
    }
    const free = concurrency - active.size;
    // The end of a run rings the wakeup.
    if (free <= 0) return tickAt - now;
    const places = { free, spare: Math.min(free, sparePlaces(concurrency)) };
    const jobs = await claimJobs(db, claim, places, [...active.keys()]);
    for (const job of jobs) start(job);
    if (jobs.length === free) return 0;
    const seconds = await secondsToNext(db, claim.kinds);
    const isForOthers = free - jobs.length <= places.spare;
    const waitMs = isForOthers ? othersMs : contendedMs;
    const nextMs = seconds === null ? Number.POSITIVE_INFINITY : seconds * 1_000 + 1;
    return Math.max(1, Math.min(tickAt - now, nextMs > 1 ? nextMs : waitMs));
  };
}

/** A schedule may learn at any time of something that is due earlier than it said. */
const maxTickMs = 1_000;

/** Milliseconds until the schedules are to be called again. */
async function tickSchedules(
  schedules: readonly JobSchedule[],
  db: Connection,
  onError: (error: unknown) => void,
): Promise<number> {
  if (schedules.length === 0) return Number.POSITIVE_INFINITY;
  let nextMs = maxTickMs;
  for (const { tick } of schedules) {
    try {
      const next = await tick(db);
      if (next) nextMs = Math.min(nextMs, next.getTime() - Date.now());
    } catch (error) {
      // One schedule that fails must not keep the others, and the queue, from going on.
      onError(error);
    }
  }
  // A clock that runs ahead of the database's would otherwise turn this into a busy loop.
  return Math.max(nextMs, 50);
}

async function renewAll(
  db: Connection,
  active: ReadonlyMap<string, ActiveRun>,
  leaseSeconds: number,
): Promise<void> {
  const held = [...active.values()].map(({ job }) => job);
  for (const [id, renewal] of await renewLeases(db, held, leaseSeconds)) {
    if (renewal === 'held') continue;
    active.get(id)?.stop(renewal === 'lost' ? 'lost' : 'cancelled');
  }
}

async function settle(active: ReadonlyMap<string, ActiveRun>, ms: number): Promise<void> {
  const waiting = new AbortController();
  const all = Promise.all([...active.values()].map(({ over }) => over));
  await Promise.race([all, sleep(ms, undefined, { signal: waiting.signal }).catch(() => {})]);
  waiting.abort();
}

interface Wakeup {
  /** Wake who sleeps; where no one does, the next one does not fall asleep. */
  wake(): void;
  /** Sleep until somebody calls `wake`, but so long at most. */
  sleep(ms: number): Promise<void>;
}

function makeWakeup(): Wakeup {
  let isAwake = false;
  let resume = () => {};
  return {
    wake() {
      isAwake = true;
      resume();
    },
    async sleep(ms) {
      if (!isAwake) {
        const waiting = new AbortController();
        const woken = new Promise<void>((resolve) => {
          resume = resolve;
        });
        await Promise.race([
          woken,
          sleep(ms, undefined, { signal: waiting.signal }).catch(() => {}),
        ]);
        waiting.abort();
      }
      isAwake = false;
    },
  };
}
