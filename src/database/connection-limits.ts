// In charge of how many connections of a pool transactions and imports hold, so that some stay free.

import type pg from 'pg';
import { unavailable } from '../errors.ts';

/** A place that is taken; disposing of it gives it back. */
export type Place = Disposable;

/** A limited number of places, given away in the order in which they were asked for. */
export class Places {
  #free: number;
  readonly #line: (() => void)[] = [];

  constructor(size: number) {
    this.#free = size;
  }

  /** Take a place as soon as there is one; throws the signal's reason when that aborts before. */
  async take(signal: AbortSignal): Promise<Place> {
    signal.throwIfAborted();
    const free = this.takeIfFree();
    if (free) return free;
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#line.splice(this.#line.indexOf(next), 1);
        reject(signal.reason);
      };
      const next = () => {
        signal.removeEventListener('abort', leave);
        resolve(this.#place());
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#line.push(next);
    });
  }

  /** Take a place that nobody else waits for; null where there is none. */
  takeIfFree(): Place | null {
    if (this.#free === 0) return null;
    this.#free -= 1;
    return this.#place();
  }

  /** Whoever is first in line gets the place without its being free in between. */
  #place(): Place {
    let isTaken = true;
    return {
      [Symbol.dispose]: () => {
        if (!isTaken) return;
        isTaken = false;
        const next = this.#line.shift();
        if (next) next();
        else this.#free += 1;
      },
    };
  }
}

interface Shares {
  readonly transactions: Places;
  readonly imports: Places;
}

const sharesOf = new WeakMap<pg.Pool, Shares>();

/**
 * Transactions leave a fifth of the connections to single statements, which wait for nobody: however
 * many changes wait for each other, reads are served. Imports hold two fifths at most.
 */
function sharesIn(pool: pg.Pool): Shares {
  const known = sharesOf.get(pool);
  if (known) return known;
  const { max } = pool.options;
  const shares = {
    transactions: new Places(Math.max(1, max - Math.ceil(max / 5))),
    imports: new Places(Math.max(1, Math.floor((max * 2) / 5))),
  };
  sharesOf.set(pool, shares);
  return shares;
}

/**
 * Take the place of a transaction. Throws UNAVAILABLE after so long in line; without a limit it waits
 * until the signal aborts.
 */
export async function takeTransactionPlace(
  pool: pg.Pool,
  signal: AbortSignal,
  limitMs: number | null,
): Promise<Place> {
  const { transactions } = sharesIn(pool);
  const free = transactions.takeIfFree();
  if (free || limitMs === null) return free ?? transactions.take(signal);
  const late = AbortSignal.timeout(limitMs);
  try {
    return await transactions.take(AbortSignal.any([signal, late]));
  } catch (error) {
    throw late.aborted ? unavailable('Too many changes are under way; try again.') : error;
  }
}

/**
 * Take the place of an import: for one connection, whichever it is at a time. The rest wait in line,
 * as long as it takes, without holding any; `onWait` is told of it.
 */
export async function takeImportPlace(
  pool: pg.Pool,
  signal: AbortSignal,
  onWait: () => void,
): Promise<Place> {
  const { imports } = sharesIn(pool);
  const free = imports.takeIfFree();
  if (free) return free;
  onWait();
  return imports.take(signal);
}

/** Take a second place for an import, for more work at once, where nobody waits for it. */
export function takeSpareImportPlace(pool: pg.Pool): Place | null {
  return sharesIn(pool).imports.takeIfFree();
}
