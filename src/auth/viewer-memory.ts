// Remembers for seconds whom keys and sessions act for, and which of them are no one's.

import type { MaybePromise } from '../async/maybe-promise.ts';
import { Semaphore } from '../async/semaphore.ts';
import { acquireInTime } from '../limits/per-key.ts';
import type { KeyLapse } from './lapsed-key.ts';
import type { Viewer } from './viewer.ts';

/**
 * A revoked key, a new role or a new team counts on every process after this time at the latest.
 */
const rememberMs = 3_000;
/** Keys and sessions that are remembered at once: so many that somebody has, and as many others. */
const maxRemembered = 10_000;
/** Others are looked up so many at once: anybody can make keys of the right form, of which none is somebody's. */
const lookUpsAtOnce = 4;

/** What is remembered of a key or a session. */
export interface RememberedViewer {
  readonly viewer: Viewer;
  /** Why it doesn't work any more, for a key that doesn't whatever the time. */
  readonly lapse?: KeyLapse | null;
  /** When it stops working; null for never. */
  readonly expiresAt: Date | null;
  /** Notes that it was used, for one that doesn't note it when it is looked up. */
  noteUse?(now: Date): Promise<void>;
}

interface Remembered {
  account: MaybePromise<RememberedViewer | null>;
  /** Until when it is believed, in milliseconds of this process. */
  until: number;
}

/** Does work as soon as it may be done. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** What one process remembers. Keys that are no one's never take the place of others, nor keep them waiting. */
export class ViewerMemory {
  readonly #known = new Map<string, Remembered>();
  readonly #others = new Map<string, Remembered>();
  readonly #lookUps = new Semaphore(lookUpsAtOnce);

  /** Whom a key or a session acts for, by its place; undefined where that has to be looked up. */
  get(place: string): MaybePromise<RememberedViewer | null> | undefined {
    const remembered = this.#known.get(place) ?? this.#others.get(place);
    return remembered && performance.now() < remembered.until ? remembered.account : undefined;
  }

  /**
   * Look up whom it acts for, and remember that. Throws TOO_MANY_REQUESTS where no one had it before, and the
   * look-ups of other such ones keep it waiting too long.
   */
  lookUp(
    place: string,
    look: (inTurn: InTurn) => Promise<RememberedViewer | null>,
  ): Promise<RememberedViewer | null> {
    const isKnown = this.#known.has(place);
    const looking = look(isKnown ? atOnce : (work) => this.#inTurn(work));
    const remembered: Remembered = { account: looking, until: performance.now() + rememberMs };
    const memory = isKnown ? this.#known : this.#others;
    put(memory, place, remembered);
    looking.then(
      (found) => {
        remembered.account = found;
        if (found ? isKnown : !isKnown) return;
        if (memory.get(place) === remembered) memory.delete(place);
        put(found ? this.#known : this.#others, place, remembered);
      },
      () => {
        remembered.until = -Infinity;
        if (!isKnown && memory.get(place) === remembered) memory.delete(place);
      },
    );
    return looking;
  }

  /** Look everything up again from now on. Which keys and sessions are somebody's is not forgotten. */
  forget(): void {
    for (const memory of [this.#known, this.#others]) {
      for (const remembered of memory.values()) remembered.until = -Infinity;
    }
    this.#others.clear();
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const leave = await acquireInTime(this.#lookUps, neverAborted, 'whose keys are looked up');
    try {
      return await work();
    } finally {
      leave();
    }
  }
}

const neverAborted = new AbortController().signal;
const atOnce: InTurn = (work) => work();

/** Keep it as the newest; of more than may be remembered the oldest goes. */
function put(memory: Map<string, Remembered>, place: string, remembered: Remembered): void {
  memory.delete(place);
  const [oldest] = memory.keys();
  if (memory.size >= maxRemembered && oldest !== undefined) memory.delete(oldest);
  memory.set(place, remembered);
}
