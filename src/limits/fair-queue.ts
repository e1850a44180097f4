// Fair queue for the main thread: owners take turns in rounds, with pauses in which others are served.

import { type StateChanges, States } from '../async/states.ts';

/** After a turn others have as long as it took, but no longer than this, in milliseconds. */
const maxPauseMs = 10;
/** Pauses are for others that are at work, or were within so many milliseconds. */
const recentMs = 100;
/** So many of them are remembered. */
const maxRecent = 100;

/** Hands out turns on the main thread: one per tick of the event loop, to all owners alike. */
export interface FairQueue {
  /** Resolves when it is the owner's turn. Of the owner's waiters the one with the lowest rank is first. */
  next(owner: string, rank?: number): Promise<void>;
  /** Note that an owner is at work, until the answered function is called. */
  begin(owner: string): () => void;
}

/** The event loop, as far as the queue needs it. */
export interface EventLoop {
  /** The time, in milliseconds. */
  now(): number;
  /** Run something in the next tick, after what has come in until then. */
  nextRound(work: () => void): void;
  /** Run something after so many milliseconds. */
  after(ms: number, work: () => void): void;
}

const ofThisProcess: EventLoop = {
  now: () => performance.now(),
  nextRound: (work) => void setImmediate(work),
  after: (ms, work) => void setTimeout(work, ms),
};

/**
 * The queue has no waiters (`idle`), it gives its first turn in the next tick (`scheduled`), a turn is being used
 * (`serving`), or others are served before the next turn (`paused`).
 */
type QueueState = 'idle' | 'scheduled' | 'serving' | 'paused';

const queueChanges: StateChanges<QueueState> = {
  idle: ['scheduled'],
  scheduled: ['serving'],
  serving: ['serving', 'paused', 'idle'],
  paused: ['serving', 'idle'],
};

interface Waiter {
  readonly rank: number;
  readonly begin: () => void;
}

/**
 * The turns of a process. While others are served without turns, or were a moment ago, there is a pause after each
 * turn: so long answers take at most half of the main thread, and a short request finds it idle as often as not.
 */
export function createFairQueue(loop: EventLoop = ofThisProcess): FairQueue {
  const waiting = new Map<string, Waiter[]>();
  const active = createActiveOwners(loop);
  const state = new States<QueueState>(queueChanges, 'idle');

  function give(): void {
    const [first] = waiting;
    state.become(first ? 'serving' : 'idle');
    if (!first) return;
    const [owner, waiters] = first;
    takeFirst(waiters)?.begin();
    // Round robin: an owner with more waiters goes to the end.
    waiting.delete(owner);
    if (waiters.length > 0) waiting.set(owner, waiters);
    const began = loop.now();
    loop.nextRound(() => {
      if (!active.hasAny((other) => other !== owner && !waiting.has(other))) return give();
      state.become('paused');
      loop.after(Math.min(loop.now() - began, maxPauseMs), give);
    });
  }

  return {
    next(owner, rank = 0) {
      return new Promise((resolve) => {
        const waiters = waiting.get(owner) ?? [];
        waiters.push({ rank, begin: resolve });
        waiting.set(owner, waiters);
        if (state.now !== 'idle') return;
        state.become('scheduled');
        loop.nextRound(give);
      });
    },
    begin: active.begin,
  };
}

/** Take out the waiter with the lowest rank; of equal ones the first. */
function takeFirst(waiters: Waiter[]): Waiter | undefined {
  let first = 0;
  for (const [at, { rank }] of waiters.entries()) {
    if (rank < (waiters[first]?.rank ?? 0)) first = at;
  }
  return waiters.splice(first, 1)[0];
}

/** Owners that are at work, or were a moment ago. */
function createActiveOwners(loop: EventLoop) {
  const atWork = new Map<string, number>();
  const ended = new Map<string, number>();

  function end(owner: string): void {
    const left = (atWork.get(owner) ?? 1) - 1;
    if (left > 0) return void atWork.set(owner, left);
    atWork.delete(owner);
    // The last to end is the last in the map.
    ended.delete(owner);
    ended.set(owner, loop.now());
    const [oldest] = ended.keys();
    if (ended.size > maxRecent && oldest !== undefined) ended.delete(oldest);
  }

  return {
    begin(owner: string): () => void {
      atWork.set(owner, (atWork.get(owner) ?? 0) + 1);
      return () => end(owner);
    },
    hasAny(isMeant: (owner: string) => boolean): boolean {
      for (const owner of atWork.keys()) if (isMeant(owner)) return true;
      const since = loop.now() - recentMs;
      for (const [owner, at] of ended) {
        if (at < since) ended.delete(owner);
        else if (isMeant(owner)) return true;
      }
      return false;
    },
  };
}

/** The turns on the main thread of this process. */
export const mainThread: FairQueue = createFairQueue();

/** Counts work per tick of the event loop and owner, so that callers can yield. */
export class TickCounter {
  readonly #counts = new Map<string, number>();

  /** Count so much more; answers how much it was before. */
  add(owner: string, more: number): number {
    if (this.#counts.size === 0) setImmediate(() => this.#counts.clear());
    const before = this.#counts.get(owner) ?? 0;
    this.#counts.set(owner, before + more);
    return before;
  }
}
