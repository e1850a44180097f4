// Yields to others during long work on a graph in memory.

import { setImmediate as nextRound } from 'node:timers/promises';
import type { Context } from '../../context.ts';

/** How long such work runs before others have their turn, in milliseconds. */
const sliceMs = 5;
/** After so many things it is looked at how long it ran. */
const itemsPerLook = 256;

/** Whose work it is: with an allowance it takes turns with all others, else with what comes in. */
export type Working = Pick<Context, 'allowance' | 'signal'>;

/** Asked now and then in long work: what is to be awaited before it goes on, or null. */
export type TurnTaking = () => Promise<void> | null;

/**
 * To be asked now and then: answers what is to be awaited when a slice is over, and null while it is not. The
 * graph may have changed when the next slice begins. Throws the reason of the signal when that is aborted.
 */
export function takingTurns({ allowance, signal }: Working): TurnTaking {
  let began = performance.now();
  return () => {
    if (performance.now() - began < sliceMs) return null;
    signal.throwIfAborted();
    const comes = allowance?.scheduler?.next() ?? nextRound();
    return comes.then(() => {
      began = performance.now();
    });
  };
}

/** Visit many things, each in no time, between which others have their turn. */
export async function eachInTurns<T>(
  items: Iterable<T>,
  turns: TurnTaking,
  visit: (item: T) => void,
): Promise<void> {
  let visited = 0;
  for (const item of items) {
    const turn = visited % itemsPerLook === 0 ? turns() : null;
    if (turn) await turn;
    visited += 1;
    visit(item);
  }
}

/** What becomes of each of many things. */
export async function mapInTurns<T, U>(
  items: readonly T[],
  turns: TurnTaking,
  become: (item: T) => U,
): Promise<U[]> {
  const all: U[] = [];
  await eachInTurns(items, turns, (item) => all.push(become(item)));
  return all;
}
