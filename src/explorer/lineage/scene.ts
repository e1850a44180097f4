// Scene: all that is painted, computed once a layout, so that a frame only paints.

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
  ];
  const kinds = new Set(cards.map(({ card }) => `kind-${card.resource.kind}`));
  const colors = [...names, ...kinds].map(
    (name) => [name, style.getPropertyValue(`--${name}`)] as const,
  );
  return {
    ways: model.lines.map((line) => wayOf(line, { model, layout })),
    cards,
    colors: new Map(colors.filter(([, color]) => color !== '')),
  };
}

/** The colour of a kind. */
export function kindColor({ colors }: Scene, kind: string): string {
  return colors.get(`kind-${kind}`) ?? colors.get('kind-other') ?? 'gray';
}

/** From the right of one card to the left of another, between those in its way. */
function wayOf(line: Line, laid: Laid): Way {
  const { id, isIndirect, change } = line;
  return { id, isIndirect, change, points: pointsOf(line, laid) };
}

function pointsOf(line: Line, { model: { cards }, layout: { places, ways } }: Laid): Point[] {
  const [from, to] = [cards.get(line.from), cards.get(line.to)];
  const [a, b] = [places.get(line.from), places.get(line.to)];
  if (!from || !to || !a || !b) return [];
  return [
    { x: a.x + from.width, y: a.y + meets(from, line.fromRow) },
    ...(ways.get(line.pair) ?? []),
    { x: b.x - tip, y: b.y + meets(to, line.toRow) },
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
