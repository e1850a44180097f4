// What one request may take: its turn among those of its key, its time, its connections.

import { clientLeft, onAbort } from '../async/abort.ts';
import { isToCome, type Soon, soon } from '../async/maybe-promise.ts';
import { Lane } from '../async/semaphore.ts';
import { mayAsBefore } from '../auth/permission.ts';
import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { Budget, budgets } from '../database/connections/budget.ts';
import type { Database } from '../database/database.ts';
import { type CatalogError, forbidden, invalid, timedOut, unauthenticated } from '../errors.ts';
import type { Allowance } from './allowance.ts';
import { Askers, KeyConnections } from './key-connections.ts';
import { type KeepPlace, LongRequests } from './long-requests.ts';
import { mainThread } from './main-thread.ts';
import { Pace } from './pace.ts';
import { enterInTime } from './turn.ts';

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
  run<C extends Bounded, T>(ctx: C, work: (ctx: C) => Soon<T>, way?: RunOptions): Soon<T>;
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
  /** Whether an answer says nothing: it is sent at once, whatever became of the viewer meanwhile. */
  readonly saysNothing?: (answer: unknown) => boolean;
}

/** What the settings are unless somebody says otherwise. */
export const usualBounds = { requestsPerKey: 8, timeoutMs: 10_000, databaseMs: 20_000 };

/** Whose bounds those have that come without a key. */
const nobody = 'nobody';

/** Whose bounds a viewer has, and with whom they take turns: each key has its own. */
export function boundsOf(viewer: Viewer | null): string {
  return viewer ? (viewer.keyId ?? viewer.id) : nobody;
}

/** What the database may answer to one request: what is built of it takes several times as much memory. */
const maxBytes = 64 * 1024 * 1024;

/** Long calculations of one key at once: the threads are few. */
const threadsPerKey = 1;

/** The bounds of one process. */
export function createBounds(options: BoundsOptions): RequestBounds {
  const { database, requestsPerKey, timeoutMs, databaseMs } = options;
  const owners = new Map<string, KeyLanes>();
  const askers = new Askers();

  function lanesOf(owner: string): KeyLanes {
    const known = owners.get(owner);
    if (known) return known;
    const hasOthers = () => owners.size > 1 || askers.hasOthersThan(owner);
    const lanes = {
      requests: new Lane(requestsPerKey),
      connections: new KeyConnections(database.connectionsPerKey, hasOthers),
      threads: new Lane(threadsPerKey),
    };
    owners.set(owner, lanes);
    return lanes;
  }

  function allow(owner: string, { connections, threads }: KeyLanes): Allowance {
    const budget = new Budget({
      ...{ owner, connections, databaseMs, maxBytes },
      tooLong: () => tooMuchDatabase(databaseMs),
      tooMuch,
    });
    return { budget, threads, pace: new Pace(mainThread, owner, budget) };
  }

  function run<C extends Bounded, T>(
    ctx: C,
    work: (ctx: C) => Promise<T>,
    way?: RunOptions,
  ): Promise<T>;
  function run<C extends Bounded, T>(
    ctx: C,
    work: (ctx: C) => Soon<T>,
    way: RunOptions = {},
  ): Soon<T> {
    if (ctx.allowance) return work(ctx);
    if (ctx.signal.aborted) throw clientLeft();
    const owner = boundsOf(ctx.viewer);
    askers.note(owner);
    const lanes = lanesOf(owner);
    const entered = lanes.requests.enterIfFree();
    return soon(
      entered ??
        enterInTime(lanes.requests, ctx.signal, ctx.viewer ? 'of this key' : 'without a key'),
      (leave) => {
        const allowance = allow(owner, lanes);
        const over = () => {
          leave();
          if (lanes.requests.isEmpty) owners.delete(owner);
        };
        return runWithin(ctx, allowance, work, { ...way, timeoutMs, owner, over });
      },
    );
  }

  const long = new LongRequests(requestsPerKey);

  async function runLong<C extends Bounded, T>(ctx: C, work: LongWork<C, T>): Promise<T> {
    if (ctx.isLong) return work(ctx, () => {});
    const began = performance.now();
    return long.run(boundsOf(ctx.viewer), ctx.signal, async (keepPlace) => {
      const answer = await work({ ...ctx, isLong: true }, keepPlace);
      // Who asked may have lost the right to the answer meanwhile.
      await checkViewer(ctx, began);
      return answer;
    });
  }

  return { run, runLong };
}

/** How a request is run: for whom, and how long it may take. */
interface Way extends RunOptions, Pick<BoundsOptions, 'timeoutMs'> {
  readonly owner: string;
  /** Called when nothing of it is left in the database. */
  readonly over: () => void;
}

/** Do work with an allowance. */
function runWithin<C extends Bounded, T>(
  ctx: C,
  allowance: Allowance,
  work: (ctx: C) => Soon<T>,
  way: Way,
): Soon<T> {
  const { budget } = allowance;
  const began = performance.now();
  const bounded = { ...ctx, allowance, signal: budget.signal };
  let answer: Soon<T>;
  try {
    answer = budgets.run(budget, () => work(bounded));
  } catch (error) {
    budget.atRest(way.over);
    throw error;
  }
  if (isToCome(answer)) return inTime(ctx, budget, answer, began, way);
  budget.atRest(way.over);
  return answer;
}

/** What work answers that began at a time of this process. */
async function inTime<T>(
  ctx: Bounded,
  budget: Budget,
  work: Promise<T>,
  began: number,
  { timeoutMs, owner, over, endsWithClient = true, saysNothing = () => false }: Way,
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
    budget.atRest(over);
  }
}

/** What all requests with one key share, for as long as there are any. */
interface KeyLanes {
  readonly requests: Lane;
  readonly connections: KeyConnections;
  readonly threads: Lane;
}

function tooLong(timeoutMs: number): Error {
  return timedOut(
    `The request took longer than ${timeoutMs / 1000} s, the most that one may; ask for less at once.`,
  );
}

function tooMuchDatabase(databaseMs: number): Error {
  return timedOut(
    `The statements of the request took longer than ${databaseMs / 1000} s together, the most that ` +
      'they may; ask for less at once.',
  );
}

function tooMuch(): Error {
  return invalid(
    `What was asked for is more than ${maxBytes / 1024 / 1024} MiB, the most that one request may read: ` +
      'ask for fewer rows with `first` or `page_size`, or for fewer fields.',
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

/**
 * What a viewer is told who lost something since a request of theirs began: UNAUTHENTICATED where the key
 * no longer works, FORBIDDEN where a role or a team is gone. Null where they may do as much as before.
 */
export function lossOf(before: Viewer, now: Viewer | null): CatalogError | null {
  if (!now) return unauthenticated();
  if (mayAsBefore(before, now)) return null;
  return forbidden('Your role or teams have changed; repeat the request.');
}

/** What the work answers, or why the budget is over if it is before. */
function orEnd<T>(budget: Budget, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stopListening = budget.onEnd(reject);
    // What still goes wrong in work that nobody waits for any more is said by its reason.
    work.then(
      (answer) => {
        stopListening();
        resolve(answer);
      },
      (error: unknown) => {
        stopListening();
        reject(error);
      },
    );
  });
}
