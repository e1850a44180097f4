// Waits for one's turn among requests, such as those of one key, and for how long.

import { clientLeft, onAbort } from '../aborting.ts';
import { TooManyRequests } from '../errors.ts';
import type { Lane } from '../lane.ts';

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

function tooManyOf(whose: string, places: number, retryAfter: number): TooManyRequests {
  return new TooManyRequests(
    `${places} requests ${whose} are being worked on, the most at once; try again in ${retryAfter} s.`,
    retryAfter,
  );
}
