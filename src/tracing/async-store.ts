// Async context: values carried along to all that code calls and awaits.
//
// All of it is in one AsyncLocalStorage: until Node.js 24, each one is copied for every promise that is made.

import { AsyncLocalStorage } from 'node:async_hooks';

/** A value that is carried along, and what it is. */
interface Held<Value> {
  readonly store: AsyncStore<Value>;
  readonly value: Value;
}

const carried = new AsyncLocalStorage<readonly (Held<unknown> | undefined)[]>();
let stores = 0;

/** One thing that code carries along, such as the request that it answers; used as AsyncLocalStorage is. */
export class AsyncStore<Value> {
  readonly #place = stores++;

  /** What the running code carries; undefined where no one gave it anything. */
  getStore(): Value | undefined {
    const held = carried.getStore()?.[this.#place];
    return held && isOf(held, this) ? held.value : undefined;
  }

  /** Do some work that carries a value along. */
  run<Args extends unknown[], Answer>(
    value: Value,
    work: (...args: Args) => Answer,
    ...args: Args
  ): Answer {
    return carried.run(this.#with({ store: this, value }), work, ...args);
  }

  /** Do some work that carries nothing of this along. */
  exit<Answer>(work: () => Answer): Answer {
    return carried.run(this.#with(undefined), work);
  }

  #with(held: Held<Value> | undefined): readonly (Held<unknown> | undefined)[] {
    const all: (Held<unknown> | undefined)[] = [...(carried.getStore() ?? [])];
    all[this.#place] = held;
    return all;
  }
}

function isOf<Value>(held: Held<unknown>, store: AsyncStore<Value>): held is Held<Value> {
  return held.store === store;
}
