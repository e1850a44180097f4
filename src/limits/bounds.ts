// In charge of what one request may take: its turn among those of its key, its time, its connections.

import { onAbort } from '../aborting.ts';
import type { Context } from '../context.ts';
import { Budget, budgets } from '../database/budget.ts';
import type { Database } from '../database/database.ts';
import { Lane } from '../database/lane.ts';
import { timedOut } from '../errors.ts';
import { openSlots } from './slots.ts';

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
export interface Bounds {
  /**
   * Do the work of a request, with a context that is aborted when its time is over. A request that
   * is bounded already is not bounded again.
   * Throws TOO_MANY_REQUESTS when its turn does not come soon, and TIMEOUT when it takes too long:
   * what it still has running in the database is cancelled then.
   */
  run<C extends Context, T>(ctx: C, work: (ctx: C) => Promise<T>, way?: Way): Promise<T>;
}

/** How a request is run. */
export interface Way {
  /** Whether it ends when its client goes away: a read does, a write that has begun does not. */
  readonly endsWithClient?: boolean;
}

/** What the settings are unless somebody says otherwise. */
export const usualBounds = { requestsPerKey: 8, timeoutMs: 10_000, databaseMs: 10_000 };

/** A request that waits longer for its turn is refused. */
const waitMs = 5_000;
/** Requests of one key that wait at most. */
const mayWait = 1_000;

/** The bounds of one process. */
export function createBounds(options: BoundsOptions): Bounds {
  const { database, requestsPerKey, timeoutMs, databaseMs } = options;
  const slots = openSlots({ perKey: requestsPerKey, waitMs, mayWait });
  // Others are to have connections even while one key has as many as it can get.
  const connections = Math.max(1, Math.floor(database.pool.options.max / 2));
  const lanes = new Map<string, Lane>();
  const tooMuch = () =>
    timedOut(
      `The statements of the request took longer than ${databaseMs / 1000} s together, the most ` +
        'that they may; ask for less at once.',
    );

  return {
    async run(ctx, work, { endsWithClient = true } = {}) {
      if (ctx.budget) return work(ctx);
      const owner = ctx.viewer.keyId ?? ctx.viewer.id;
      const leave = await slots.enter(owner, ctx.signal);
      const lane = lanes.get(owner) ?? new Lane(connections);
      lanes.set(owner, lane);
      const budget = new Budget({ lane, databaseMs, tooLong: tooMuch });
      const late = setTimeout(() => budget.end(tooLong(timeoutMs)), timeoutMs);
      const stopHearing = endsWithClient
        ? onAbort(ctx.signal, () => budget.end(reasonOf(ctx.signal)))
        : () => {};
      try {
        const bounded = { ...ctx, budget, signal: budget.signal };
        return await orEnd(
          budget.signal,
          budgets.run(budget, () => work(bounded)),
        );
      } finally {
        clearTimeout(late);
        stopHearing();
        // Its place is free when nothing of it is left in the database.
        void budget.atRest().then(() => {
          leave();
          if (lane.size === 0) lanes.delete(owner);
        });
      }
    },
  };
}

function tooLong(timeoutMs: number): Error {
  return timedOut(
    `The request took longer than ${timeoutMs / 1000} s, the most that one may; ask for less at once.`,
  );
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('The client went away.');
}

/** What the work answers, or the reason of the signal if that aborts before. */
async function orEnd<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let stopHearing = () => {};
  const ended = new Promise<never>((_, reject) => {
    stopHearing = onAbort(signal, () => reject(signal.reason));
  });
  try {
    return await Promise.race([work, ended]);
  } finally {
    stopHearing();
    // What still goes wrong in work that nobody waits for any more has been told by its reason.
    work.catch(() => {});
  }
}
