// How many connections of a pool transactions and imports hold, so that some stay free.

import type pg from 'pg';
import { Semaphore } from '../../async/semaphore.ts';
import { unavailable } from '../../errors.ts';

/** A place that is taken; disposing of it gives it back. */
export type ConnectionPermit = Disposable;

interface Shares {
  readonly transactions: Semaphore;
  readonly imports: Semaphore;
}

const sharesOf = new WeakMap<pg.Pool, Shares>();

/**
 * Transactions leave a fifth of the connections to single statements, which wait for no one: however
 * many changes wait for each other, reads are served. Imports hold two fifths at most.
 */
function sharesIn(pool: pg.Pool): Shares {
  const known = sharesOf.get(pool);
  if (known) return known;
  const { max } = pool.options;
  const shares = {
    transactions: new Semaphore(Math.max(1, max - Math.ceil(max / 5))),
    imports: new Semaphore(Math.max(1, Math.floor((max * 2) / 5))),
  };
  sharesOf.set(pool, shares);
  return shares;
}

/** The places of a pool's connections, to look at. */
export function connectionPlaces(
  pool: pg.Pool,
): Readonly<Record<keyof Shares, Pick<Semaphore, 'taken' | 'waiting' | 'places'>>> {
  return sharesIn(pool);
}

/**
 * Take the place of a transaction. Throws UNAVAILABLE after so long in line; without a limit it waits
 * until the signal aborts.
 */
export async function takeTransactionPlace(
  pool: pg.Pool,
  signal: AbortSignal,
  limitMs: number | null,
): Promise<ConnectionPermit> {
  const { transactions } = sharesIn(pool);
  const leave = transactions.tryAcquire();
  if (leave) return place(leave);
  if (limitMs === null) return place(await transactions.acquire(signal));
  const late = AbortSignal.timeout(limitMs);
  try {
    return place(await transactions.acquire(AbortSignal.any([signal, late])));
  } catch (error) {
    throw late.aborted ? unavailable('Too many changes are under way; try again.') : error;
  }
}

/**
 * Take the place of an import: for one connection, whichever it is at a time. The rest wait in line,
 * as long as it takes, without holding any; `onWait` is notified of it.
 */
export async function takeImportPlace(
  pool: pg.Pool,
  signal: AbortSignal,
  onWait: () => void,
): Promise<ConnectionPermit> {
  const { imports } = sharesIn(pool);
  const leave = imports.tryAcquire();
  if (leave) return place(leave);
  onWait();
  return place(await imports.acquire(signal));
}

/** Take a second place for an import, for more work at once, where no one waits for it. */
export function takeSpareImportPlace(pool: pg.Pool): ConnectionPermit | null {
  const leave = sharesIn(pool).imports.tryAcquire();
  return leave && place(leave);
}

function place(leave: () => void): ConnectionPermit {
  return { [Symbol.dispose]: leave };
}
