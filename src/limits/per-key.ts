// Limits per key: how many of its requests run at once, also of those that may take long, and its database connections.

import { clientLeft, onAbort } from '../async/abort.ts';
import type { MaybePromise } from '../async/maybe-promise.ts';
import { Semaphore } from '../async/semaphore.ts';
import { TooManyRequests } from '../errors.ts';

/** The longest wait of a request for its turn, in milliseconds. */
const waitMs = 5_000;
/** The most requests that wait for one semaphore. */
const mayWait = 1_000;

/**
 * Take a permit for a request, which `whose` describes in the error; call the answered function to release it.
 * Throws TOO_MANY_REQUESTS when the turn does not come in time or too many wait, and an AbortError when the signal
 * aborts.
 */
export async function acquireInTime(
  semaphore: Semaphore,
  signal: AbortSignal,
  whose = 'of this key',
  retryAfter = 1,
): Promise<() => void> {
  const tooMany = () => tooManyOf(whose, semaphore.places, retryAfter);
  if (!semaphore.isFull) return semaphore.acquire(signal);
  if (semaphore.waiting >= mayWait) throw tooMany();
  const giveUp = new AbortController();
  const late = setTimeout(() => giveUp.abort(tooMany()), waitMs);
  const stopListening = onAbort(signal, () => giveUp.abort(clientLeft()));
  try {
    return await semaphore.acquire(giveUp.signal);
  } finally {
    clearTimeout(late);
    stopListening();
  }
}

/** Requests of one owner at once, which ones in the words of the error, and the seconds of its advice. */
interface KeyedSemaphoreOptions {
  readonly places: number;
  readonly whose: string;
  readonly retryAfter: number;
}

/** A semaphore for each owner, kept while it is in use. */
export class KeyedSemaphore {
  readonly #options: KeyedSemaphoreOptions;
  readonly #semaphores = new Map<string, Semaphore>();

  constructor(options: KeyedSemaphoreOptions) {
    this.#options = options;
  }

  /** How many owners hold a permit. */
  get size(): number {
    return this.#semaphores.size;
  }

  /** Take a permit of the owner, as `acquireInTime` does. */
  async acquire(owner: string, signal: AbortSignal): Promise<() => void> {
    const { places, whose, retryAfter } = this.#options;
    signal.throwIfAborted();
    const semaphore = this.#semaphores.get(owner) ?? new Semaphore(places);
    this.#semaphores.set(owner, semaphore);
    const release = await acquireInTime(semaphore, signal, whose, retryAfter);
    return () => {
      release();
      // At a second call the owner may have another one.
      const isOwn = this.#semaphores.get(owner) === semaphore;
      if (semaphore.isEmpty && isOwn) this.#semaphores.delete(owner);
    };
  }
}

function tooManyOf(whose: string, places: number, retryAfter: number): TooManyRequests {
  return new TooManyRequests(
    `${places} requests ${whose} are being worked on, the most at once; try again in ${retryAfter} s.`,
    retryAfter,
  );
}

/** Seconds after which a client may try again: few imports are over sooner. */
const retryAfterSeconds = 10;

/** Keeps the place of a request, also after its answer, until something is over. */
export type KeepPlace = (until: Promise<unknown>) => void;

/** The requests of all keys of one process that may take as long as they need, such as imports. */
export class LongRequests {
  readonly #running: KeyedSemaphore;

  constructor(perKey: number) {
    this.#running = new KeyedSemaphore({
      ...{ places: perKey, retryAfter: retryAfterSeconds },
      whose: 'of this key that may take long, such as imports,',
    });
  }

  /**
   * Do work as soon as its owner has a place for it. Throws TOO_MANY_REQUESTS when that takes too long, and an
   * AbortError when the signal aborts before.
   */
  async run<T>(
    owner: string,
    signal: AbortSignal,
    work: (keepPlace: KeepPlace) => Promise<T>,
  ): Promise<T> {
    const release = await this.#running.acquire(owner, signal);
    const kept: Promise<unknown>[] = [];
    try {
      return await work((until) => kept.push(until));
    } finally {
      void Promise.allSettled(kept).then(release);
    }
  }
}

/** Keys that asked within so many milliseconds count as active. */
const recentMs = 1_000;

/** Knows which keys are active, so that a key that is alone can have everything. */
export class ActiveKeys {
  readonly #now: () => number;
  #last = { owner: '', at: -Infinity };
  /** The last request of another owner than the last one's. */
  #other = this.#last;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Note a request. */
  note(owner: string): void {
    if (owner !== this.#last.owner) this.#other = this.#last;
    this.#last = { owner, at: this.#now() };
  }

  /** Whether any other key asked within the last second. */
  hasOthersThan(owner: string): boolean {
    const { at } = owner === this.#last.owner ? this.#other : this.#last;
    return this.#now() - at < recentMs;
  }
}

/** So many heavy requests of a key in a row predict that its next one is heavy. */
const heavyInRow = 4;

/**
 * The database connections that the requests of one key share. While other keys are active, one of them stays for
 * light requests: so a processor is left for them where the server has as many as a key has connections, and what is
 * answered quickly does not wait for what takes long. The heavy request that began first goes first: if they took
 * turns, all would be answered when the last one is, or too late.
 */
export class KeyConnections {
  readonly #all: Semaphore;
  readonly #heavy: Semaphore;
  /** Heavy requests that ended in a row, up to the last one. */
  #heavyEnded = 0;

  constructor(places: number, hasOthers: () => boolean) {
    this.#all = new Semaphore(places);
    this.#heavy = new Semaphore(() => (hasOthers() ? Math.max(1, places - 1) : places));
  }

  /** Note the end of a request, and whether it needed much of the database. */
  noteEnd(isHeavy: boolean): void {
    this.#heavyEnded = isHeavy ? this.#heavyEnded + 1 : 0;
  }

  /** Whether the next request is probably heavy: so were all of the last few. */
  get isLikelyLong(): boolean {
    return this.#heavyEnded >= heavyInRow;
  }

  /**
   * Take a connection as soon as there is one; call the answered function to give it back. Throws the signal's
   * reason when it aborts before.
   */
  enter(signal: AbortSignal): MaybePromise<() => void> {
    return this.#all.tryAcquire() ?? this.#all.acquire(signal);
  }

  /** The same for a heavy request that began at a time in milliseconds. */
  async enterLong(signal: AbortSignal, began: number): Promise<() => void> {
    const releaseHeavy = await this.#heavy.acquire(signal, began);
    try {
      const release = await this.enter(signal);
      return () => {
        release();
        releaseHeavy();
      };
    } catch (error) {
      releaseHeavy();
      throw error;
    }
  }
}
