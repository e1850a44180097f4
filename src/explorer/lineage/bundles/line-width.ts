// Width of lines in a picture in groups.

import type { Model } from '../model.ts';

/** In pixels of the picture: of a line that stands for one connection, and of the one that stands for the most. */
const [least, most] = [2, 9];

/**
 * The widths of the lines that lead from or to a card of several, by the ids of the lines; none where the picture has no
 * groups. The rule is the design's: the wider, the larger its share of the connections, so that one sees without reading where
 * most of the data goes. Between the two ends the width grows evenly, in whole pixels.
 */
export function lineWidths({ cards, lines }: Model): ReadonlyMap<string, number> {
  const isGroup = (id: string) => (cards.get(id)?.bundle?.of ?? 'siblings') !== 'siblings';
  if (![...cards.keys()].some(isGroup)) return new Map();
  const isOfSeveral = (id: string) => (cards.get(id)?.bundle ?? null) !== null;
  const some = lines.filter(({ from, to }) => isOfSeveral(from) || isOfSeveral(to));
  const largest = some.reduce((sum, { count }) => Math.max(sum, count), 1);
  return new Map(some.map(({ id, count }) => [id, widthOf(count, largest)]));
}

/** The width of a line that stands for `count` connections, where the one of the most stands for `largest`. */
export function widthOf(count: number, largest: number): number {
  const share = largest > 1 ? (count - 1) / (largest - 1) : 0;
  return Math.round(least + (most - least) * share);
}
