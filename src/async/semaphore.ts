// How many of something are there at once, and who of those that wait comes next.

import { onAbort } from './abort.ts';

/** Lets so many in at once; the others wait in their order. How many that is may change with time. */
export class Lane {
  readonly #places: number | (() => number);
  /** What lets each of them in, and the rank of each. */
  readonly #waiting = new Map<() => void, number>();
  #taken = 0;

  constructor(places: number | (() => number)) {
    this.#places = places;
  }

  /** How many may be in. */
  get places(): number {
    return typeof this.#places === 'number' ? this.#places : this.#places();
  }

  /** How many are in. */
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

  /** Whether nobody is in. */
  get isEmpty(): boolean {
    return this.#taken === 0;
  }

  /**
   * Enter as soon as there is room; call the answered function to leave. Of those that wait the one with
   * the lowest rank comes next, of equal ones the first. Throws the signal's reason when it aborts before.
   */
  async enter(signal: AbortSignal, rank = 0): Promise<() => void> {
    signal.throwIfAborted();
    const entered = this.enterIfFree();
    if (entered) return entered;
    await this.#room(signal, rank);
    return this.#wayOut();
  }

  /** Enter where nobody has to wait for it; null where one would. */
  enterIfFree(): (() => void) | null {
    // There may be more places than there were when they began to wait.
    this.#letIn();
    if (this.isFull) return null;
    this.#taken += 1;
    return this.#wayOut();
  }

  #wayOut(): () => void {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#leave();
    };
  }

  #leave(): void {
    this.#taken -= 1;
    this.#letIn();
  }

  /** Let those in that wait, as far as there is room. */
  #letIn(): void {
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

  #room(signal: AbortSignal, rank: number): Promise<void> {
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
