// A picture as numbers in arrays, which a thread takes over without a copy.

import type { Change } from '../model.ts';
import { kindColor, type Region, regionOf, type Scene } from '../scene.ts';
import type { Trace } from '../trace.ts';

/** Lines and boxes, in pixels of the picture. */
export interface Sheet {
  /** The x and y of each point of each line, one line after the other. */
  readonly points: Float32Array<ArrayBuffer>;
  /** The point that each line begins with, and in the end how many points there are. */
  readonly starts: Uint32Array<ArrayBuffer>;
  /** Of each line, 1 where it only decides about rows. */
  readonly indirect: Uint8Array<ArrayBuffer>;
  /** Of each line, its place in `changes`. */
  readonly changed: Uint8Array<ArrayBuffer>;
  /** The width of each line in pixels of the picture; zero for a hairline. */
  readonly widths: Uint8Array<ArrayBuffer>;
  /** The room that each card takes, as `regionAt` reads it. */
  readonly boxes: Float32Array<ArrayBuffer>;
  /** The color of each card. */
  readonly fills: readonly string[];
  readonly colors: ReadonlyMap<string, string>;
}

/** What of a sheet is on the path that is lit: 1 for each line and card that is. */
export interface Lit {
  readonly lines: Uint8Array<ArrayBuffer>;
  readonly cards: Uint8Array<ArrayBuffer>;
}

/** What may become of a line. */
export const changes: readonly Change[] = ['', 'new', 'gone'];

/** The sheet of a scene. */
export function sheetOf(scene: Scene): Sheet {
  const { ways, cards, colors } = scene;
  const starts = new Uint32Array(ways.length + 1);
  for (const [at, { points }] of ways.entries()) {
    starts[at + 1] = (starts[at] ?? 0) + points.length;
  }
  const points = new Float32Array(2 * (starts[ways.length] ?? 0));
  let next = 0;
  for (const way of ways) {
    for (const { x, y } of way.points) {
      points[next] = x;
      points[next + 1] = y;
      next += 2;
    }
  }
  return {
    points,
    starts,
    indirect: Uint8Array.from(ways, ({ isIndirect }) => Number(isIndirect)),
    changed: Uint8Array.from(ways, ({ change }) => changes.indexOf(change)),
    widths: Uint8Array.from(ways, ({ width }) => width),
    boxes: Float32Array.from(
      cards.map(regionOf).flatMap(({ left, top, right, bottom }) => [left, top, right, bottom]),
    ),
    fills: cards.map(({ card }) => kindColor(scene, card.resource.kind)),
    colors,
  };
}

/** What is lit of the sheet of a scene; null where nothing is. */
export function litOf({ ways, cards }: Scene, lit: Trace | null): Lit | null {
  return (
    lit && {
      lines: Uint8Array.from(ways, ({ id }) => Number(lit.lines.has(id))),
      cards: Uint8Array.from(cards, ({ card }) => Number(lit.ids.has(card.id))),
    }
  );
}

/** One of many regions that stand in an array as left, top, right and bottom. */
export function regionAt(regions: Float32Array, at: number): Region {
  const first = 4 * at;
  return {
    left: regions[first] ?? 0,
    top: regions[first + 1] ?? 0,
    right: regions[first + 2] ?? 0,
    bottom: regions[first + 3] ?? 0,
  };
}
