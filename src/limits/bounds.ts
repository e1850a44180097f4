// Limits of one request: its place among those of its key, its time, its share of the database and of the threads.

import { clientLeft, onAbort } from '../async/abort.ts';
import { isPending, type MaybePromise, whenReady } from '../async/maybe-promise.ts';
import { Semaphore } from '../async/semaphore.ts';
import { type StateChanges, States } from '../async/states.ts';
import { lossOf } from '../auth/permission.ts';
import type { Viewer } from '../auth/viewer.ts';
import type { Allowance, Context } from '../context.ts';
import { Budget, budgets } from '../database/connections/budget.ts';
import type { Database } from '../database/database.ts';
import { invalid, timedOut } from '../errors.ts';
import { CooperativeScheduler } from './cooperative-scheduler.ts';
import { mainThread } from './fair-queue.ts';
import {
  ActiveKeys,
  acquireInTime,
  type KeepPlace,
  KeyConnections,
  LongRequests,
} from './per-key.ts';

export interface BoundsOptions {
  readonly database: Database;
  /** Requests of one key that are worked on at once. */
  readonly requestsPerKey: number;
  /** How long a request may take, in milliseconds. */
  readonly timeoutMs: number;
  /** How long its statements may take together, in milliseconds. */
  readonly databaseMs: number;
}

/** Runs requests within their bounds. */
export interface RequestBounds {
  /**
   * Do the work of a request, with a context that is aborted when its time is over. A request that
   * is bounded already is not bounded again.
   * Throws TOO_MANY_REQUESTS when its turn does not come soon, and TIMEOUT when it takes too long:
   * what it still has running in the database is cancelled then. Work that waits for nothing is answered at once.
   */
  run<C extends Bounded, T>(ctx: C, work: (ctx: C) => Promise<T>, way?: RunOptions): Promise<T>;
  run<C extends Bounded, T>(
    ctx: C,
    work: (ctx: C) => MaybePromise<T>,
    way?: RunOptions,
  ): MaybePromise<T>;
  /**
   * Do work that may take as long as it needs, as many of each key at once as of other requests. One that has a place
   * already takes no other. Throws TOO_MANY_REQUESTS when its turn does not come soon, and as `checkViewer`.
   */
  runLong<C extends Bounded, T>(ctx: C, work: LongWork<C, T>): Promise<T>;
}

/** Work that may take as long as it needs; its place may be kept for longer than that. */
export type LongWork<C, T> = (ctx: C, keepPlace: KeepPlace) => Promise<T>;

/** What its bounds look at of a request; those without a viewer share theirs, as if they had one key. */
export interface Bounded extends Pick<Context, 'signal' | 'allowance'> {
  readonly viewer: Viewer | null;
  /** Asked only where there is a viewer. */
  readonly viewerNow?: Context['viewerNow'];
  /** Whether it has a place among those that may take as long as they need. */
  readonly isLong?: boolean;
}

/** How a request is run. */
export interface RunOptions {
  /** Whether it ends when its client goes away: a read does, a write that has begun does not. */
  readonly endsWithClient?: boolean;
  /** Whether an answer says nothing: it is sent at once, whatever became of the viewer. */
  readonly saysNothing?: (answer: unknown) => boolean;
}

/** The defaults of the settings. */
export const usualBounds = { requestsPerKey: 8, timeoutMs: 10_000, databaseMs: 20_000 };

/** The owner of a request, with whom its bounds are shared: its key, its user, or all that come without either. */
export function boundsOf(viewer: Viewer | null): string {
  return viewer ? (viewer.keyId ?? viewer.id) : 'anonymous';
}

/** What the database may answer to one request: what is built of it takes several times as much memory. */
const maxBytes = 64 * 1024 * 1024;

/** Long calculations of one key at once: the threads are few. */
const threadsPerKey = 1;

/** The bounds of one process. */
export function createBounds(options: BoundsOptions): RequestBounds {
  const { database, requestsPerKey, timeoutMs, databaseMs } = options;
  const owners = new Map<string, KeyLimits>();
  const activeKeys = new ActiveKeys();

  function limitsOf(owner: string): KeyLimits {
    const known = owners.get(owner);
    if (known) return known;
    const hasOthers = () => owners.size > 1 || activeKeys.hasOthersThan(owner);
    const limits = {
      requests: new Semaphore(requestsPerKey),
      connections: new KeyConnections(database.connectionsPerKey, hasOthers),
      threads: new Semaphore(threadsPerKey),
    };
    owners.set(owner, limits);
    return limits;
  }

  function allow(owner: string, { connections, threads }: KeyLimits): Allowance {
    const budget = new Budget({
      ...{ owner, connections, databaseMs, maxBytes },
      tooLong: () => tooMuchDatabase(databaseMs),
      tooMuch,
    });
    return { budget, threads, scheduler: new CooperativeScheduler(mainThread, owner, budget) };
  }

  function run<C extends Bounded, T>(
    ctx: C,
    work: (ctx: C) => Promise<T>,
    way?: RunOptions,
  ): Promise<T>;
  function run<C extends Bounded, T>(
    ctx: C,
    work: (ctx: C) => MaybePromise<T>,
    way: RunOptions = {},
  ): MaybePromise<T> {
    if (ctx.allowance) return work(ctx);
    if (ctx.signal.aborted) throw clientLeft();
    const owner = boundsOf(ctx.viewer);
    activeKeys.note(owner);
    const limits = limitsOf(owner);
    const state = new States<RequestState>(requestChanges, 'queued');
    const { requests } = limits;
    const whose = ctx.viewer ? 'of this key' : 'without a key';
    return whenReady(
      requests.tryAcquire() ?? acquireInTime(requests, ctx.signal, whose),
      (release) => {
        state.become('running');
        const over = () => {
          state.become('released');
          release();
          if (requests.isEmpty) owners.delete(owner);
        };
        return runWithin(ctx, allow(owner, limits), work, {
          ...way,
          timeoutMs,
          owner,
          state,
          over,
        });
      },
    );
  }

  const long = new LongRequests(requestsPerKey);

  async function runLong<C extends Bounded, T>(ctx: C, work: LongWork<C, T>): Promise<T> {
    if (ctx.isLong) return work(ctx, () => {});
    const began = performance.now();
    return long.run(boundsOf(ctx.viewer), ctx.signal, async (keepPlace) => {
      const answer = await work({ ...ctx, isLong: true }, keepPlace);
      // The viewer may have lost the right to the answer.
      await checkViewer(ctx, began);
      return answer;
    });
  }

  return { run, runLong };
}

/**
 * A request waits for its place (`queued`), is worked on (`running`), has its answer or its error while statements of
 * it may still be ending (`answered`), and has given its place back (`released`).
 */
type RequestState = 'queued' | 'running' | 'answered' | 'released';

const requestChanges: StateChanges<RequestState> = {
  queued: ['running'],
  running: ['answered', 'released'],
  answered: ['released'],
  released: [],
};

/** How a request is run: for whom, and how long it may take. */
interface Way extends RunOptions, Pick<BoundsOptions, 'timeoutMs'> {
  readonly owner: string;
  readonly state: States<RequestState>;
  /** Called when nothing of it is left in the database. */
  readonly over: () => void;
}

/** Do work with an allowance. */
function runWithin<C extends Bounded, T>(
  ctx: C,
  allowance: Allowance,
  work: (ctx: C) => MaybePromise<T>,
  way: Way,
): MaybePromise<T> {
  const { budget } = allowance;
  const began = performance.now();
  const bounded = { ...ctx, allowance, signal: budget.signal };
  let answer: MaybePromise<T>;
  try {
    answer = budgets.run(budget, () => work(bounded));
  } catch (error) {
    budget.atRest(way.over);
    throw error;
  }
  if (isPending(answer)) return inTime(ctx, budget, answer, began, way);
  budget.atRest(way.over);
  return answer;
}

/** What work answers that began at a time of this process. */
async function inTime<T>(
  ctx: Bounded,
  budget: Budget,
  work: Promise<T>,
  began: number,
  { timeoutMs, owner, state, over, endsWithClient = true, saysNothing = () => false }: Way,
): Promise<T> {
  const rest = mainThread.begin(owner);
  const late = setTimeout(() => budget.end(tooLong(timeoutMs)), timeoutMs);
  const stopListening = endsWithClient
    ? onAbort(ctx.signal, () => budget.end(clientLeft()))
    : () => {};
  try {
    const answer = await orEnd(budget, work);
    // Where the database is gone, looking again would take as long once more.
    if (!saysNothing(answer)) await checkViewer(ctx, began);
    return answer;
  } finally {
    clearTimeout(late);
    rest();
    stopListening();
    state.become('answered');
    budget.atRest(over);
  }
}

/** What all requests with one key share, for as long as there are any. */
interface KeyLimits {
  readonly requests: Semaphore;
  readonly connections: KeyConnections;
  readonly threads: Semaphore;
}

function tooLong(timeoutMs: number): Error {
  return timedOut(`Timed out after ${timeoutMs / 1000} s. Narrow the request.`);
}

function tooMuchDatabase(databaseMs: number): Error {
  return timedOut(
    `Timed out after ${databaseMs / 1000} s of database statements. Narrow the request.`,
  );
}

function tooMuch(): Error {
  return invalid(
    `Result too large (over ${maxBytes / 1024 / 1024} MiB read). Ask for fewer rows with \`first\` or ` +
      '`page_size`, or for fewer fields.',
  );
}

/** What takes longer than this is looked at again before it is answered. */
const longMs = 3_000;

/**
 * Look again whether the viewer of work that began at a time of this process, and took long, may still
 * have its answer. Throws UNAUTHENTICATED when the key no longer works, and FORBIDDEN when the viewer
 * has lost a role, or a team that they see by.
 */
async function checkViewer(
  { viewer, viewerNow }: Pick<Bounded, 'viewer' | 'viewerNow'>,
  began: number,
): Promise<void> {
  if (!viewer || !viewerNow || performance.now() - began < longMs) return;
  const loss = lossOf(viewer, await viewerNow());
  if (loss) throw loss;
}

/** What the work answers, or why the budget is over if it is before. */
function orEnd<T>(budget: Budget, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stopListening = budget.onEnd(reject);
    // A later error of the work is not reported: the request ended with its reason.
    work.finally(stopListening).then(resolve, reject);
  });
}
