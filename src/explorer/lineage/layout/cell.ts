// Cells in layers, which stand for boxes or for the way of a long line.

/** Something that takes room in a layer. */
export interface Cell {
  readonly width: number;
  readonly height: number;
  readonly before: Cell[];
  readonly after: Cell[];
  layer: number;
  /** Its place within its layer, from 0. */
  at: number;
  y: number;
}

/** A line between two cells, turned around where it would close a circle. */
export interface Link {
  readonly id: string;
  readonly a: Cell;
  readonly b: Cell;
  readonly isTurned: boolean;
}

/** A cell without neighbours, at the beginning. */
export function cellOf(width: number, height: number, layer = 0): Cell {
  return { width, height, before: [], after: [], layer, at: 0, y: 0 };
}

/** Make two cells neighbours. */
export function join(a: Cell, b: Cell): void {
  a.after.push(b);
  b.before.push(a);
}
