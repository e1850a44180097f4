// The layer of each box: to the right of all that it is made from.

import { type Cell, cellOf, join, type Link } from './cell.ts';

/** How high the way of a line is where it crosses a layer. */
const wayHeight = 10;

/** Give each cell its layer: the longest way from a source; sources stand next to what they feed. */
export function rank(cells: readonly Cell[], links: readonly Link[]): void {
  const out = new Map<Cell, Cell[]>(cells.map((cell) => [cell, []]));
  const waiting = new Map<Cell, number>();
  for (const { a, b } of links) {
    out.get(a)?.push(b);
    waiting.set(b, (waiting.get(b) ?? 0) + 1);
  }
  const sources = cells.filter((cell) => !waiting.has(cell));
  const sorted = [...sources];
  // It grows while it is walked.
  for (const cell of sorted) {
    for (const next of out.get(cell) ?? []) {
      next.layer = Math.max(next.layer, cell.layer + 1);
      const left = (waiting.get(next) ?? 0) - 1;
      waiting.set(next, left);
      if (left === 0) sorted.push(next);
    }
  }
  for (const cell of sources) {
    const fed = out.get(cell) ?? [];
    if (fed.length === 0) continue;
    cell.layer = fed.reduce((least, { layer }) => Math.min(least, layer), Infinity) - 1;
  }
}

/**
 * Make neighbours of the cells. A line over several layers gets a narrow cell in each that it crosses; those of
 * one box share theirs, which bundles them. Answers all cells, and those on the way of each line.
 */
export function subdivide(cells: readonly Cell[], links: readonly Link[]) {
  const all = [...cells];
  const ways = new Map<string, Cell[]>();
  const shared = new Map<Cell, Map<number, Cell>>();
  for (const { id, a, b } of links) {
    const own = shared.get(a) ?? new Map<number, Cell>();
    shared.set(a, own);
    const way: Cell[] = [];
    let last = a;
    for (let layer = a.layer + 1; layer < b.layer; layer += 1) {
      let cell = own.get(layer);
      if (!cell) {
        cell = cellOf(0, wayHeight, layer);
        own.set(layer, cell);
        all.push(cell);
        join(last, cell);
      }
      way.push(cell);
      last = cell;
    }
    join(last, b);
    ways.set(id, way);
  }
  return { all, ways };
}
