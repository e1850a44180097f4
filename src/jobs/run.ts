// Running one claimed job: its context, what it may say, and how it ends.

import { viewerOfUser } from '../auth/account.ts';
import { serverViewer } from '../auth/viewer.ts';
import { type Context, contextFor, type ServerContext } from '../context.ts';
import type { Database } from '../database/database.ts';
import { failureOf } from '../database/failure.ts';
import { inWorkspace } from '../database/outside.ts';
import type { Connection } from '../database/rows.ts';
import { forbidden, statusOf } from '../errors.ts';
import type { Job } from '../generated/prisma/client.ts';
import type { Surroundings } from '../surroundings.ts';
import { type Task, tasks } from '../tracing/task.ts';
import type { SpanEnd, Tracer } from '../tracing/tracer.ts';
import { noteRunEnd, type RunEnd } from './figures.ts';
import { type JobOutput, type Journal, openJournal } from './journal.ts';
import { type Ending, endRun, lockLease, saveResult } from './lease.ts';
import { forgetRunning, noteRunning } from './running.ts';

/** What a handler is given. */
export interface Run {
  readonly job: Job;
  /** Acts for who started the job, with the role of today; its signal aborts when it is to stop. */
  readonly ctx: ServerContext;
  log(line: string): void;
  progress(step: string, done: number, total?: number): void;
  /** Store what was found so far as the job's result, which a later attempt begins with; JSON. */
  keep(soFar: unknown): Promise<void>;
  /**
   * End the job within a transaction of the handler's own, so that its effect and its end are one.
   * Throws when another worker has the job by now, which undoes the transaction.
   */
  complete(tx: Context, result?: unknown): Promise<void>;
  /** Make sure that a transaction commits only while no other worker has the job. */
  fence(tx: Context): Promise<void>;
}

/** Does the work of a kind of job. What it returns is the job's result; JSON. */
export type JobHandler = (run: Run) => Promise<unknown>;

/** A job that this process runs, as its worker sees it. */
export interface ActiveRun {
  readonly job: Job;
  /** Store what it said, if anything is new since it was last stored. */
  save(store: (said: JobOutput) => Promise<void>): Promise<void>;
  /** Ask the handler to stop, and say why. */
  stop(reason: StopReason): void;
  /** Put the job back for another worker, although its handler does not heed its signal. */
  giveBack(): Promise<void>;
  /** Settles when the run is over and its end is stored. */
  readonly over: Promise<void>;
}

/** Why a run is to stop: somebody cancelled it, another worker has it, or this one shuts down. */
export type StopReason = 'cancelled' | 'lost' | 'released';

/** Thrown in a transaction that must not commit: the job belongs to another worker by now. */
export class LeaseLost extends Error {
  constructor(job: Job) {
    super(`The job ${job.id} belongs to another worker by now.`);
    this.name = 'LeaseLost';
  }
}

/** Thrown into a handler that is to stop, by whatever listens to its signal. */
export class Stopped extends Error {
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(`The job was to stop: ${reason}.`);
    this.name = 'Stopped';
    this.reason = reason;
  }
}

/** Where jobs are worked on. */
export interface Workplace {
  readonly database: Database;
  readonly surroundings: Surroundings;
}

/** Who watches a run. */
export interface RunWatchers {
  /** Called with errors that are no client's business. */
  readonly onError: (error: unknown) => void;
  readonly tracer: Tracer | null;
}

/** Run a claimed job with its handler. Errors that are no client's business go to `onError`. */
export function startRun(
  place: Workplace,
  job: Job,
  handler: JobHandler,
  watchers: RunWatchers,
): ActiveRun {
  return new JobRun(place, job, handler, watchers);
}

/** One run of a job, from its claim to its end. */
class JobRun implements ActiveRun {
  readonly job: Job;
  readonly over: Promise<void>;
  readonly #place: Workplace;
  readonly #watchers: RunWatchers;
  readonly #db: Connection;
  readonly #task: Task;
  readonly #stopping = new AbortController();
  readonly #journal: Journal;
  /** Whether it said something that is not stored yet. */
  #isChanged = false;
  #reason: StopReason | null = null;
  /** Whether the job is somebody else's by now, whatever the handler still says. */
  #isGone = false;

  constructor(place: Workplace, job: Job, handler: JobHandler, watchers: RunWatchers) {
    this.job = job;
    this.#place = place;
    this.#watchers = watchers;
    this.#db = inWorkspace(place.database, job.workspaceId);
    this.#task = taskOf(job, watchers.tracer);
    this.#journal = openJournal(job);
    this.over = tasks.run(this.#task, () => this.#perform(handler));
  }

  async save(store: (said: JobOutput) => Promise<void>): Promise<void> {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    try {
      await store(this.#journal.said());
    } catch (error) {
      this.#isChanged = true;
      throw error;
    }
  }

  stop(why: StopReason): void {
    this.#reason ??= why;
    this.#stopping.abort(new Stopped(why));
    if (why === 'lost') this.#letGo();
  }

  async giveBack(): Promise<void> {
    await endRun(this.#db, this.job, this.#journal.said(), { state: 'released' });
    this.#letGo();
  }

  async #perform(handler: JobHandler): Promise<void> {
    const { database } = this.#place;
    const { onError } = this.#watchers;
    const began = performance.now();
    let end: RunEnd = 'failed';
    noteRunning(database, this.job);
    try {
      const ending = await this.#handle(handler).then(
        (result): Ending => ({ state: 'succeeded', result }),
        (error: unknown) => endingOf(error, this.job, this.#reason, this.#log, onError),
      );
      end = this.#reason === 'lost' ? 'lost' : ending.state;
      // Where the handler completed the job itself, or lost it, this meets nothing.
      if (end !== 'lost') await endRun(this.#db, this.job, this.#journal.said(), ending);
    } catch (error) {
      // The end could not be stored: the lease runs out, and a sweep takes the job back.
      onError(error);
    } finally {
      noteRunEnd(database, this.job.kind, end, performance.now() - began);
      this.#task.span?.end(spanEndOf(this.job, end));
      if (!this.#isGone) this.#letGo();
    }
  }

  async #handle(handler: JobHandler): Promise<unknown> {
    const { database, surroundings } = this.#place;
    const { signal } = this.#stopping;
    const viewer = await viewerOf(database, this.job);
    const ctx = { ...contextFor(database, viewer, { signal, credential: 'JOB' }), surroundings };
    // A handler that only listens for the event would wait forever for one that came before it.
    signal.throwIfAborted();
    return handler({
      job: this.job,
      ctx,
      log: this.#log,
      progress: (step, done, total) => {
        this.#journal.progress(step, done, total);
        this.#note();
      },
      keep: (soFar) => saveResult(this.#db, this.job, soFar),
      complete: async (tx, result) => {
        const ending: Ending = { state: 'succeeded', result };
        if (!(await endRun(tx, this.job, this.#journal.said(), ending)))
          throw new LeaseLost(this.job);
      },
      fence: async (tx) => {
        if (!(await lockLease(tx, this.job))) throw new LeaseLost(this.job);
      },
    });
  }

  readonly #log = (line: string): void => {
    this.#journal.log(line);
    this.#note();
  };

  #note(): void {
    if (this.#isGone) return;
    this.#isChanged = true;
    noteRunning(this.#place.database, { ...this.job, ...this.#journal.said() });
  }

  #letGo(): void {
    this.#isGone = true;
    this.#isChanged = false;
    forgetRunning(this.#place.database, this.job.id);
  }
}

/** What is known of a job while it runs. */
function taskOf({ id }: Job, tracer: Tracer | null): Task {
  const span = tracer?.job() ?? null;
  return {
    kind: 'job',
    id,
    span,
    traceId: span?.traceId ?? null,
    statements: 0,
    rows: 0,
    databaseMs: 0,
  };
}

function spanEndOf({ id, kind, attempts }: Job, end: RunEnd): SpanEnd {
  const attributes = {
    'headwater.job.id': id,
    'headwater.job.attempt': attempts,
    'headwater.job.end': end,
  };
  // One that is tried again has failed this time.
  return { name: `job ${kind}`, attributes, isFault: end === 'failed' || end === 'queued' };
}

async function viewerOf(database: Database, { workspaceId, userId }: Job) {
  if (userId === null) return serverViewer(workspaceId);
  const viewer = await viewerOfUser(inWorkspace(database, workspaceId), workspaceId, userId);
  if (!viewer) throw forbidden('The user who started this job has been deactivated.');
  return viewer;
}

const firstBackoffSeconds = 2;
const maxBackoffSeconds = 300;

/** What an error means for the job. Only what may pass by itself is tried again. */
function endingOf(
  error: unknown,
  job: Job,
  reason: StopReason | null,
  log: (line: string) => void,
  onError: (error: unknown) => void,
): Ending {
  if (error instanceof LeaseLost || reason === 'lost') return { state: 'failed', error: null };
  if (reason === 'released') return { state: 'released' };
  if (reason === 'cancelled') {
    log('Cancelled.');
    return { state: 'cancelled', error: null };
  }
  const known = failureOf(error);
  if (!known) onError(error);
  const message = known?.message ?? 'Something went wrong on the server.';
  const mayPass = !known || statusOf(known.code) === 503 || known.code === 'CONFLICT';
  if (!mayPass || job.attempts >= job.maxAttempts) {
    log(`Failed: ${message}`);
    return { state: 'failed', error: message };
  }
  const delaySeconds = Math.min(firstBackoffSeconds ** job.attempts, maxBackoffSeconds);
  log(`Attempt ${job.attempts} of ${job.maxAttempts} failed: ${message}`);
  return { state: 'queued', error: message, delaySeconds };
}
