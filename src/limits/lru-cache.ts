// LRU cache of a fixed size: the entry that was asked for the longest ago makes room.

/** A value, and its size. */
interface Remembered<Value> {
  readonly value: Value;
  readonly size: number;
}

/** A cache for values of any size, which together are at most so large. */
export class LruCache<Value> {
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
