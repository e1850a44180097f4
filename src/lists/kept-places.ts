// In charge of the places of rows in a list that are remembered, so that a page far from its ends is reached from near by.

import type { SortTerm } from './listing.ts';

/** A row of a list by its cursor, and which of the rows it is, from 1; without a cursor the first or the last. */
interface Place {
  readonly at: number;
  readonly cursor: readonly string[] | null;
}

/** Which rows of a list to read: so many at most, after so many. */
interface Rows {
  readonly skip: number;
  readonly size: number;
}

/** How rows are reached: from that of the cursor, in the order of the list or backwards, past `skip` of them. */
export interface Way {
  readonly isBackward: boolean;
  readonly cursor: readonly string[] | null;
  readonly skip: number;
  readonly most: number;
  /** Whether any come after them in the list, where no row more is read that would tell. */
  readonly hasMore?: boolean;
}

/** Places of an order that are remembered at most. */
const maxPlaces = 64;
/** Rows that are passed over in a fraction of a millisecond: places that are no further apart help nobody. */
const leastApart = 1_000;

/** The places of a list of so many rows, for as long as none comes to it, leaves it or changes its place. */
export class Places {
  readonly #length: number;
  /** By order. */
  readonly #places = new Map<string, Place[]>();

  constructor(length: number) {
    this.#length = length;
  }

  /** The shortest way to rows: from an end of the list, or from a place that is remembered. */
  wayTo(order: readonly SortTerm[], { skip, size }: Rows): Way {
    const end = Math.min(skip + size, this.#length);
    // A row more than the page holds says whether there is a next one.
    const onward = ({ at, cursor }: Place): Way => {
      return { isBackward: false, cursor, skip: skip + 1 - at, most: size + 1 };
    };
    const most = Math.max(0, end - skip);
    const hasMore = end < this.#length;
    const back = ({ at, cursor }: Place): Way => {
      return { isBackward: true, cursor, skip: at - end, most, hasMore };
    };
    const known = this.#of(order).filter(({ at }) => at <= skip + 1 || at >= end);
    const ways = [
      onward({ at: 1, cursor: null }),
      back({ at: this.#length, cursor: null }),
      ...known.map((place) => (place.at <= skip + 1 ? onward(place) : back(place))),
    ];
    return ways.reduce((best, way) => (way.skip < best.skip ? way : best));
  }

  /** Remember that the row of a cursor is the one of this number, unless one near by is known. */
  note(order: readonly SortTerm[], at: number, cursor: readonly string[]): void {
    const apart = Math.max(leastApart, this.#length / maxPlaces);
    const places = this.#of(order);
    if (places.some((known) => Math.abs(known.at - at) < apart)) return;
    this.#places.set(keyOf(order), [...places, { at, cursor }]);
  }

  #of(order: readonly SortTerm[]): readonly Place[] {
    return this.#places.get(keyOf(order)) ?? [];
  }
}

const keyOf = (order: readonly SortTerm[]) =>
  order.map(({ by, descending }) => `${by.text} ${descending}`).join();
