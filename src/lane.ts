// How many of something are there at once, and who of those that wait comes next.

import { onAbort } from './aborting.ts';

/** Lets so many in at once; the others wait in their order. */
export class Lane {
  readonly places: number;
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  constructor(places: number) {
    this.places = places;
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
   * Enter as soon as there is room; call the answered function to leave. Throws the signal's reason
   * when it aborts before.
   */
  async enter(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const entered = this.enterIfFree();
    if (entered) return entered;
    await this.#room(signal);
    return this.#wayOut();
  }

  /** Enter where nobody has to wait for it; null where one would. */
  enterIfFree(): (() => void) | null {
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

  /** Who leaves hands his place on to the first who waits. */
  #leave(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#taken -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }

  #room(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stopListening = onAbort(signal, () => {
        this.#waiting.delete(next);
        reject(signal.reason);
      });
      const next = () => {
        stopListening();
        resolve();
      };
      this.#waiting.add(next);
    });
  }
}
