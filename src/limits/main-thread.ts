// In charge of turns on the main thread: who is next, and how long others have in between.

/** After a turn, others have as long as it took to get on, but no longer than this, in milliseconds. */
const maxPauseMs = 10;
/** Others for whom there are such pauses: who is at work, or was within so many milliseconds. */
const recentMs = 100;
/** So many of them are remembered. */
const maxRecent = 100;

/** Hands out turns on the main thread: one a round of the event loop, to all owners alike. */
export interface Turns {
  /** Resolves when it is the owner's turn. Of the owner's own the one with the lowest rank comes first. */
  next(owner: string, rank?: number): Promise<void>;
  /** Note that an owner is at work, until the answered function is called. */
  begin(owner: string): () => void;
}

/** The event loop, as far as turns need it. */
export interface EventLoop {
  /** The time, in milliseconds. */
  now(): number;
  /** Run something in the next round, after what has come in until then. */
  nextRound(work: () => void): void;
  /** Run something after so many milliseconds. */
  after(ms: number, work: () => void): void;
}

const ofThisProcess: EventLoop = {
  now: () => performance.now(),
  nextRound: (work) => void setImmediate(work),
  after: (ms, work) => void setTimeout(work, ms),
};

/** A turn that somebody waits for. */
interface Waiting {
  readonly rank: number;
  readonly begin: () => void;
}

/**
 * The turns of a process. While others are served who need none, or were a moment ago, there is a pause after each
 * turn: so long answers take half of the main thread at most, and whoever asks meets an idle one as often as not.
 */
export function createTurns(loop: EventLoop = ofThisProcess): Turns {
  const waiting = new Map<string, Waiting[]>();
  const served = createServed(loop);
  let isGiving = false;

  function give(): void {
    const [first] = waiting;
    if (!first) {
      isGiving = false;
      return;
    }
    const [owner, queue] = first;
    takeFirst(queue)?.begin();
    // Who still has something to do comes after all others.
    waiting.delete(owner);
    if (queue.length > 0) waiting.set(owner, queue);
    const began = loop.now();
    loop.nextRound(() => {
      const isLeftAlone = !served.hasAny((other) => other !== owner && !waiting.has(other));
      if (isLeftAlone) return give();
      loop.after(Math.min(loop.now() - began, maxPauseMs), give);
    });
  }

  return {
    next(owner, rank = 0) {
      return new Promise((resolve) => {
        const queue = waiting.get(owner) ?? [];
        queue.push({ rank, begin: resolve });
        waiting.set(owner, queue);
        if (isGiving) return;
        isGiving = true;
        loop.nextRound(give);
      });
    },
    begin: served.begin,
  };
}

/** Take out the one with the lowest rank; of equal ones the first. */
function takeFirst(queue: Waiting[]): Waiting | undefined {
  let first = 0;
  for (const [at, { rank }] of queue.entries()) if (rank < (queue[first]?.rank ?? 0)) first = at;
  return queue.splice(first, 1)[0];
}

/** Who is at work, or was a moment ago. */
function createServed(loop: EventLoop) {
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

/** The turns on the main thread of this process, of which it has one. */
export const mainThread: Turns = createTurns();
