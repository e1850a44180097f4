// In charge of the connections of one key: how many its requests have at once, and which of them while others ask.

import type { Soon } from '../async/maybe-promise.ts';
import { Lane } from '../async/semaphore.ts';

/** Who asked within so many milliseconds is served beside whoever asks now. */
const recentMs = 1_000;

/** So many requests of a key tell what its next one will be like. */
const told = 4;

/** Knows who asked last, so that somebody who is alone can have everything. */
export class Askers {
  readonly #now: () => number;
  #last = { owner: '', at: -Infinity };
  /** The last who asked before the one who asked last. */
  #other = this.#last;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Note that somebody asks. */
  note(owner: string): void {
    if (owner !== this.#last.owner) this.#other = this.#last;
    this.#last = { owner, at: this.#now() };
  }

  /** Whether anybody else asked within the last second. */
  hasOthersThan(owner: string): boolean {
    const { at } = owner === this.#last.owner ? this.#other : this.#last;
    return this.#now() - at < recentMs;
  }
}

/**
 * The connections that the requests of one key share. While others ask, one of them stays for requests that have had
 * little of the database: so there is a processor for them where the server has as many as a key has connections, and
 * what is answered soon does not wait for what takes long. Of those that have had much, the one that began first goes
 * first: taking turns they would all be answered when the last one is, or too late.
 */
export class KeyConnections {
  readonly #all: Lane;
  readonly #ofLong: Lane;
  /** How many requests that ended one after the other, up to the last one, had much of the database. */
  #hadMuch = 0;

  constructor(places: number, hasOthers: () => boolean) {
    this.#all = new Lane(places);
    this.#ofLong = new Lane(() => (hasOthers() ? Math.max(1, places - 1) : places));
  }

  /** Note that a request has ended, and whether it had much of the database. */
  noteEnd(hadMuch: boolean): void {
    this.#hadMuch = hadMuch ? this.#hadMuch + 1 : 0;
  }

  /** Whether the next request will likely have much of the database: so had all of the last few. */
  get isLikelyLong(): boolean {
    return this.#hadMuch >= told;
  }

  /**
   * Take one as soon as there is one; call the answered function to give it back. Throws the signal's reason when it
   * aborts before.
   */
  enter(signal: AbortSignal): Soon<() => void> {
    return this.#all.enterIfFree() ?? this.#all.enter(signal);
  }

  /** The same for a request that has had much of the database, and began at a time in milliseconds. */
  async enterLong(signal: AbortSignal, began: number): Promise<() => void> {
    const leaveLong = await this.#ofLong.enter(signal, began);
    try {
      const leave = await this.enter(signal);
      return () => {
        leave();
        leaveLong();
      };
    } catch (error) {
      leaveLong();
      throw error;
    }
  }
}
