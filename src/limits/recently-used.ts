// In charge of memories that hold so much and no more: what was asked for the longest ago makes room.

/** What is remembered of a key, and how much room it takes. */
interface Remembered<Value> {
  readonly value: Value;
  readonly size: number;
}

/** A memory for values of many sizes, which are at most so large together. */
export class RecentlyUsed<Value> {
  readonly #values = new Map<string, Remembered<Value>>();
  readonly #mostSize: number;
  #size = 0;

  constructor(mostSize: number) {
    this.#mostSize = mostSize;
  }

  get(key: string): Value | undefined {
    const known = this.#values.get(key);
    if (known === undefined) return undefined;
    // The last of the map is the one asked for last.
    this.#values.delete(key);
    this.#values.set(key, known);
    return known.value;
  }

  /** Remember a value, unless there is one of that key. */
  set(key: string, value: Value, size: number): void {
    if (this.get(key) !== undefined) return;
    this.#values.set(key, { value, size });
    this.#size += size;
    for (const [oldest, remembered] of this.#values) {
      if (this.#size <= this.#mostSize) return;
      this.#values.delete(oldest);
      this.#size -= remembered.size;
    }
  }
}
