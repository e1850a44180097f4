// Semaphore with priorities: how many hold a permit at once, and who of those that wait is next.

import { onAbort } from './abort.ts';

/** Admits a number of holders at once; others wait in their order. The number may change over time. */
export class Semaphore {
  readonly #places: number | (() => number);
  /** The function that admits each waiter, and its rank. */
  readonly #waiting = new Map<() => void, number>();
  #taken = 0;

  constructor(places: number | (() => number)) {
    this.#places = places;
  }

  /** How many may hold a permit. */
  get places(): number {
    return typeof this.#places === 'number' ? this.#places : this.#places();
  }

  /** How many hold a permit. */
  get taken(): number {
    return this.#taken;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Whether the next one would wait. */
  get isFull(): boolean {
    return this.#taken >= this.places;
  }

  get isEmpty(): boolean {
    return this.#taken === 0;
  }

  /**
   * Take a permit as soon as there is one; call the answered function to release it. The waiter with the lowest
   * rank is next, of equal ones the first. Throws the signal's reason when it aborts before.
   */
  async acquire(signal: AbortSignal, rank = 0): Promise<() => void> {
    signal.throwIfAborted();
    const release = this.tryAcquire();
    if (release) return release;
    await this.#wait(signal, rank);
    return this.#releaseOnce();
  }

  /** Take a permit if one is free; null otherwise. */
  tryAcquire(): (() => void) | null {
    // The number of places may have grown since others began to wait.
    this.#admit();
    if (this.isFull) return null;
    this.#taken += 1;
    return this.#releaseOnce();
  }

  #releaseOnce(): () => void {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      if (this.#taken < 1) throw new Error('More permits were released than taken.');
      this.#taken -= 1;
      this.#admit();
    };
  }

  /** Admit waiters as long as there are places. */
  #admit(): void {
    while (this.#waiting.size > 0 && !this.isFull) {
      let [first] = this.#waiting;
      for (const one of this.#waiting) if (first && one[1] < first[1]) first = one;
      if (!first) return;
      const [next] = first;
      this.#waiting.delete(next);
      this.#taken += 1;
      next();
    }
  }

  #wait(signal: AbortSignal, rank: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const stopListening = onAbort(signal, () => {
        this.#waiting.delete(next);
        reject(signal.reason);
      });
      const next = () => {
        stopListening();
        resolve();
      };
      this.#waiting.set(next, rank);
    });
  }
}
