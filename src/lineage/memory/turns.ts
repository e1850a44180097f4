// In charge of letting others have their turn during long work on a graph in memory.

import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long such work runs before others have their turn, in milliseconds. */
const sliceMs = 10;

/**
 * To be asked now and then: answers what is to be awaited when a slice is over, and null while it is not. The
 * graph may have changed when the next slice begins. Throws the reason of the signal when that is aborted.
 */
export function takingTurns(signal: AbortSignal): () => Promise<void> | null {
  let began = performance.now();
  return () => {
    if (performance.now() - began < sliceMs) return null;
    signal.throwIfAborted();
    return nextTurn().then(() => {
      began = performance.now();
    });
  };
}
