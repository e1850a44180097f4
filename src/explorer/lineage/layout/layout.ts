// Layered layout, left to right: the same for the same input.

import { type Cell, cellOf, type Link } from './cell.ts';
import { turnCircles } from './circles.ts';
import { rank, subdivide } from './layering.ts';
import { order } from './ordering.ts';
import { place } from './placing.ts';
import { wrapped } from './wrapping.ts';

/** What is to be placed, in pixels. */
export interface Box {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

/** A line from a box to another. */
export interface Arrow {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Layout {
  /** The upper left corner of each box. */
  readonly places: ReadonlyMap<string, Point>;
  /**
   * Where an arrow passes between the boxes of layers that it crosses. One that closes a circle passes below
   * them, from right to left.
   */
  readonly ways: ReadonlyMap<string, readonly Point[]>;
  readonly width: number;
  readonly height: number;
}

const gap = { x: 104, y: 18 };
/** Between the columns of a layer that has several. */
const columnGap = 36;
/** How far a line that closes a circle leaves its layers to the sides, and those below each other. */
const lanes = { out: 36, below: 48, apart: 14 };

/** Place boxes so that arrows lead to the right, with few crossings. Arrows of other boxes are left out. */
export function layOut(boxes: readonly Box[], arrows: readonly Arrow[]): Layout {
  const cells = new Map(boxes.map(({ id, width, height }) => [id, cellOf(width, height)]));
  const own = [...cells.values()];
  const ends = arrows.flatMap(({ id, from, to }) => {
    const [a, b] = [cells.get(from), cells.get(to)];
    return a && b && a !== b ? [{ id, a, b }] : [];
  });
  const links = turnCircles(own, ends);
  const forward = links.filter(({ isTurned }) => !isTurned);
  rank(own, forward);
  const { all, ways } = subdivide(own, forward);
  const layers = order(all).map(wrapped);
  place(layers.flat(), gap.y);
  return measure(cells, { layers, links, ways });
}

interface Placed {
  /** The columns of each layer, from left to right. */
  readonly layers: readonly (readonly (readonly Cell[])[])[];
  readonly links: readonly Link[];
  readonly ways: ReadonlyMap<string, readonly Cell[]>;
}

function measure(cells: ReadonlyMap<string, Cell>, { layers, links, ways }: Placed): Layout {
  let right = 0;
  const lefts = new Map<Cell, number>();
  const bounds = layers.map((columns) => {
    const left = right;
    for (const column of columns) {
      for (const cell of column) lefts.set(cell, right);
      right += column.reduce((most, cell) => Math.max(most, cell.width), 0) + columnGap;
    }
    right -= columnGap;
    const bound = { left, right };
    right += gap.x;
    return bound;
  });
  const flat = layers.flat(2);
  const top = flat.reduce((least, { y }) => Math.min(least, y), Infinity);
  const bottom = flat.reduce((most, { y, height }) => Math.max(most, y + height), -Infinity);
  const boundOf = ({ layer }: Cell) => bounds[layer] ?? { left: 0, right: 0 };
  const passing = (cell: Cell): Point[] => {
    const y = cell.y - top + cell.height / 2;
    const { left, right: end } = boundOf(cell);
    return [
      { x: left, y },
      { x: end, y },
    ];
  };
  const back = links.filter(({ isTurned }) => isTurned);
  const lowest = ({ a, b }: Link) =>
    layers
      .slice(a.layer, b.layer + 1)
      .flat(2)
      .reduce((most, { y, height }) => Math.max(most, y + height), -Infinity);
  const around = back.map((link, lane) => {
    const y = lowest(link) - top + lanes.below + lane * lanes.apart;
    const [last, first] = [boundOf(link.b).right + lanes.out, boundOf(link.a).left - lanes.out];
    return [
      { x: last, y },
      { x: first, y },
    ];
  });
  return {
    places: new Map(
      [...cells].map(([id, cell]) => [id, { x: lefts.get(cell) ?? 0, y: cell.y - top }]),
    ),
    ways: new Map([
      ...links.map(({ id }): [string, Point[]] => [id, (ways.get(id) ?? []).flatMap(passing)]),
      ...back.map(({ id }, lane): [string, Point[]] => [id, around[lane] ?? []]),
    ]),
    width: Math.max(0, right - gap.x),
    height: around.flat().reduce((most, { y }) => Math.max(most, y), Math.max(0, bottom - top)),
  };
}
