// Layers that are too high for one column: split into several.

import type { Cell } from './cell.ts';

/** Boxes of one column at most. */
const mostInColumn = 60;

/** The columns of a layer, in its order: what stands together stays together, and all are about as high. */
export function wrapped(layer: readonly Cell[]): Cell[][] {
  // What a line crosses a layer by has no width.
  const boxes = layer.filter(({ width }) => width > 0).length;
  const columns = Math.ceil(boxes / mostInColumn);
  if (columns <= 1) return [[...layer]];
  const each = Math.ceil(boxes / columns);
  const all: Cell[][] = [[]];
  let room = each;
  for (const cell of layer) {
    if (cell.width > 0 && room === 0) {
      all.push([]);
      room = each;
    }
    if (cell.width > 0) room -= 1;
    all.at(-1)?.push(cell);
  }
  return all;
}
