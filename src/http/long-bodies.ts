// Limit on long bodies of one sender that are parsed at a time.

import { mainThread } from '../limits/fair-queue.ts';
import { KeyedSemaphore } from '../limits/per-key.ts';
import { longBytes, type OwnerHeaders, ownerOf } from './intake.ts';

/** So many of one key or session at once: one is read while another waits for the database. */
const perSender = 2;

/** What takes longer waits for something else than the reading of its values, and leaves its place, in milliseconds. */
const longestMs = 1_000;

/**
 * The long bodies of one process. A body of 180 kB can hold 60,000 values. Where fifty are read before the first of
 * them is refused, the values of all are there at once, and to collect them takes as long as to make them.
 */
export class LongBodies {
  readonly #reading = new KeyedSemaphore({
    ...{ places: perSender, retryAfter: 1 },
    whose: `of this key with more than ${longBytes.toLocaleString('en')} characters`,
  });

  /** How many senders have one that is read. */
  get senders(): number {
    return this.#reading.size;
  }

  /**
   * Wait until the text of a body may be made into values; call the answered function once it was. Throws TOO_MANY_REQUESTS
   * when its turn does not come in time, and an error that is no one's fault when the signal aborts.
   */
  async enter(text: string, headers: OwnerHeaders, signal: AbortSignal): Promise<() => void> {
    if (text.length <= longBytes) return () => {};
    const owner = ownerOf(headers);
    const leave = await this.#reading.acquire(owner, signal);
    const late = setTimeout(leave, longestMs);
    // The one before has just been answered, in this round of the event loop.
    await mainThread.next(owner);
    return () => {
      clearTimeout(late);
      leave();
    };
  }
}
