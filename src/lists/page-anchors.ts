// Page anchors: rows of a list whose numbers are known, from which pages far from its ends are reached.

import type { SortTerm } from './listing.ts';

/** A row of a list by its cursor, and its number, from 1; without a cursor the first or the last row. */
interface Anchor {
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

/** Anchors of an order at most. */
const maxAnchors = 64;
/** Rows between two anchors at least: so many are passed over in a fraction of a millisecond. */
const leastDistance = 1_000;

/** The anchors of a list of so many rows, valid until a row is added, removed or moved. */
export class PageAnchors {
  readonly #length: number;
  /** By order. */
  readonly #anchors = new Map<string, Anchor[]>();

  constructor(length: number) {
    this.#length = length;
  }

  /** The shortest way to rows: from an end of the list, or from an anchor. */
  wayTo(order: readonly SortTerm[], { skip, size }: Rows): Way {
    const end = Math.min(skip + size, this.#length);
    // A row more than the page holds says whether there is a next one.
    const onward = ({ at, cursor }: Anchor): Way => {
      return { isBackward: false, cursor, skip: skip + 1 - at, most: size + 1 };
    };
    const most = Math.max(0, end - skip);
    const hasMore = end < this.#length;
    const back = ({ at, cursor }: Anchor): Way => {
      return { isBackward: true, cursor, skip: at - end, most, hasMore };
    };
    const known = this.#of(order).filter(({ at }) => at <= skip + 1 || at >= end);
    const ways = [
      onward({ at: 1, cursor: null }),
      back({ at: this.#length, cursor: null }),
      ...known.map((anchor) => (anchor.at <= skip + 1 ? onward(anchor) : back(anchor))),
    ];
    return ways.reduce((best, way) => (way.skip < best.skip ? way : best));
  }

  /** Remember that the row of a cursor has this number, unless there is an anchor near it. */
  add(order: readonly SortTerm[], at: number, cursor: readonly string[]): void {
    const distance = Math.max(leastDistance, this.#length / maxAnchors);
    const anchors = this.#of(order);
    if (anchors.some((known) => Math.abs(known.at - at) < distance)) return;
    this.#anchors.set(keyOf(order), [...anchors, { at, cursor }]);
  }

  #of(order: readonly SortTerm[]): readonly Anchor[] {
    return this.#anchors.get(keyOf(order)) ?? [];
  }
}

const keyOf = (order: readonly SortTerm[]) =>
  order.map(({ by, descending }) => `${by.text} ${descending}`).join();
