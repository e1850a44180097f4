// Waits for one's turn among requests, such as those of one key, and for how long.

import { clientLeft, onAbort } from '../async/abort.ts';
import { Lane } from '../async/semaphore.ts';
import { TooManyRequests } from '../errors.ts';

/** Milliseconds that a request waits for its turn at most. */
const waitMs = 5_000;
/** Requests that wait in one lane at most. */
const mayWait = 1_000;

/**
 * Enter a lane of requests, which `whose` describes in the error; call the answered function to leave. Throws TOO_MANY_REQUESTS
 * when the turn does not come soon, or too many wait, and an error that is nobody's fault when
 * the signal aborts.
 */
export async function enterInTime(
  lane: Lane,
  signal: AbortSignal,
  whose = 'of this key',
  retryAfter = 1,
): Promise<() => void> {
  const tooMany = () => tooManyOf(whose, lane.places, retryAfter);
  if (!lane.isFull) return lane.enter(signal);
  if (lane.waiting >= mayWait) throw tooMany();
  const giveUp = new AbortController();
  const late = setTimeout(() => giveUp.abort(tooMany()), waitMs);
  const stopListening = onAbort(signal, () => giveUp.abort(clientLeft()));
  try {
    return await lane.enter(giveUp.signal);
  } finally {
    clearTimeout(late);
    stopListening();
  }
}

/** What each owner's requests have to themselves: a lane with so many places, kept while somebody is in it. */
export class OwnLanes {
  readonly #options: OwnLanesOptions;
  readonly #lanes = new Map<string, Lane>();

  constructor(options: OwnLanesOptions) {
    this.#options = options;
  }

  /** How many owners have somebody in theirs. */
  get size(): number {
    return this.#lanes.size;
  }

  /** Enter the owner's lane, as `enterInTime` does. */
  async enter(owner: string, signal: AbortSignal): Promise<() => void> {
    const { places, whose, retryAfter } = this.#options;
    signal.throwIfAborted();
    const lane = this.#lanes.get(owner) ?? new Lane(places);
    this.#lanes.set(owner, lane);
    const leave = await enterInTime(lane, signal, whose, retryAfter);
    return () => {
      leave();
      // Called again, the owner may have another one by now.
      if (lane.isEmpty && this.#lanes.get(owner) === lane) this.#lanes.delete(owner);
    };
  }
}

/** How many requests of one owner are in at once, which ones in the words of the error, and the seconds of its advice. */
interface OwnLanesOptions {
  readonly places: number;
  readonly whose: string;
  readonly retryAfter: number;
}

function tooManyOf(whose: string, places: number, retryAfter: number): TooManyRequests {
  return new TooManyRequests(
    `${places} requests ${whose} are being worked on, the most at once; try again in ${retryAfter} s.`,
    retryAfter,
  );
}
