// Scene: all that is painted, computed once a layout, so that a frame only paints.

import { lineWidths } from './bundles/line-width.ts';
import type { Point } from './layout/layout.ts';
import type { Laid } from './layout/use-layout.ts';
import { type Card, type Change, type Line, meets } from './model.ts';

/** A rectangle in the picture. */
export interface Region {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A line with its course. */
export interface Way {
  readonly id: string;
  readonly points: readonly Point[];
  readonly isIndirect: boolean;
  readonly change: Change;
  /** In pixels of the picture; zero for a hairline. */
  readonly width: number;
}

/** A card with its place. */
export interface Placed extends Point {
  readonly card: Card;
}

export interface Scene {
  readonly ways: readonly Way[];
  /** In the order in which they are read: by layers, from above. */
  readonly cards: readonly Placed[];
  readonly colors: ReadonlyMap<string, string>;
}

/** How far the tip of a line stays away from its card. */
const tip = 5;
/** How high a line from a card to itself stands over it. */
const loopHeight = 48;

/** All that is painted of a picture, in the colours of an element. */
export function sceneOf({ model, layout }: Laid, style: CSSStyleDeclaration): Scene {
  const cards = [...model.cards.values()].flatMap((card) => {
    const at = layout.places.get(card.id);
    return at ? [{ card, ...at }] : [];
  });
  cards.sort((a, b) => a.x - b.x || a.y - b.y);
  const names = [
    'line',
    'line-faded',
    'flow',
    'card',
    'edge',
    'ink',
    'quiet',
    'page',
    'kind-other',
    'line-new',
    'line-gone',
    'warning',
  ];
  const kinds = new Set(cards.map(({ card }) => `kind-${card.resource.kind}`));
  const colors = [...names, ...kinds].map(
    (name) => [name, style.getPropertyValue(`--${name}`)] as const,
  );
  const widths = lineWidths(model);
  return {
    ways: model.lines.map((line) => wayOf(line, { model, layout }, widths.get(line.id) ?? 0)),
    cards,
    colors: new Map(colors.filter(([, color]) => color !== '')),
  };
}

/** The colour of a kind. */
export function kindColor({ colors }: Scene, kind: string): string {
  return colors.get(`kind-${kind}`) ?? colors.get('kind-other') ?? 'gray';
}

/** From the right of one card to the left of another, between those in its way. */
function wayOf(line: Line, laid: Laid, width: number): Way {
  const { id, isIndirect, change } = line;
  return { id, isIndirect, change, width, points: pointsOf(line, laid) };
}

function pointsOf(line: Line, { model: { cards }, layout: { places, ways } }: Laid): Point[] {
  const [from, to] = [cards.get(line.from), cards.get(line.to)];
  const [a, b] = [places.get(line.from), places.get(line.to)];
  if (!from || !to || !a || !b) return [];
  if (line.from === line.to) return loopOf(a, from.width);
  const start = { x: a.x + from.width, y: a.y + meets(from, line.fromRow) };
  const end = { x: b.x - tip, y: b.y + meets(to, line.toRow) };
  const way = ways.get(line.pair) ?? [];
  if (!leadsBack(way)) return [start, ...way, end];
  const [right, left] = [way[0]?.x ?? start.x, way.at(-1)?.x ?? end.x];
  return [start, { x: right, y: start.y }, ...way, { x: left, y: end.y }, end];
}

/** Whether a line goes to the left somewhere: around the cards that it comes from, corner by corner. */
export function leadsBack(points: readonly Point[]): boolean {
  return points.some(({ x }, at) => x < (points[at - 1]?.x ?? x));
}

/** From a card to itself: over its upper edge. */
function loopOf({ x, y }: Point, width: number): Point[] {
  const [right, left] = [x + 0.77 * width, x + 0.44 * width];
  return [
    { x: right, y },
    { x: right, y: y - loopHeight },
    { x: left, y: y - loopHeight },
    { x: left, y: y - tip },
  ];
}

/** Whether two regions have something in common. */
export function overlap(a: Region, b: Region): boolean {
  return a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
}

/** The room that a card takes. */
export function regionOf({ card, x, y }: Placed): Region {
  return { left: x, top: y, right: x + card.width, bottom: y + card.height };
}
