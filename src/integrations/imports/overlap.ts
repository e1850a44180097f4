// Does two parts of a large import at once, each on a connection of its own.

import type { Context } from '../../context.ts';
import { type ConnectionPermit, takeSpareImportPlace } from '../../database/connections/limits.ts';

/** Resources from which on a second connection is worth holding. */
const manyResources = 10_000;

/**
 * A second place, where so many resources are worth being written while the lineage after them is still
 * being read, and no one waits for one.
 */
export function takeSecondPlace({ database }: Context, resources: number): ConnectionPermit | null {
  return resources >= manyResources ? takeSpareImportPlace(database.pool) : null;
}

/**
 * Do `main`, and `aside` along with it; `main` is handed what it waits for when it needs the other's
 * work. When one fails the other is asked to stop through the signal of its context, and waited for:
 * then nothing is under way any more, and the error that came first is thrown.
 */
export async function alongside<C extends Context, T>(
  ctx: C,
  aside: (ctx: C) => Promise<void>,
  main: (ctx: C, done: Promise<void>) => Promise<T>,
): Promise<T> {
  const stopping = new AbortController();
  const both = { ...ctx, signal: AbortSignal.any([ctx.signal, stopping.signal]) };
  const done = aside(both);
  done.catch((error: unknown) => stopping.abort(error));
  try {
    return await main(both, done);
  } catch (error) {
    stopping.abort(error);
    await done.catch(() => {});
    throw error;
  }
}
