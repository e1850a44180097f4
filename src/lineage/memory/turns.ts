// In charge of letting others have their turn during long work on a graph in memory.

import { setImmediate as nextRound } from 'node:timers/promises';
import type { Context } from '../../context.ts';

/** How long such work runs before others have their turn, in milliseconds. */
const sliceMs = 5;

/** Whose work it is: with an allowance it takes turns with all others, else with what comes in. */
export type Working = Pick<Context, 'allowance' | 'signal'>;

/**
 * To be asked now and then: answers what is to be awaited when a slice is over, and null while it is not. The
 * graph may have changed when the next slice begins. Throws the reason of the signal when that is aborted.
 */
export function takingTurns({ allowance, signal }: Working): () => Promise<void> | null {
  let began = performance.now();
  return () => {
    if (performance.now() - began < sliceMs) return null;
    signal.throwIfAborted();
    const comes = allowance?.pace?.next() ?? nextRound();
    return comes.then(() => {
      began = performance.now();
    });
  };
}
