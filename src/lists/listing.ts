// In charge of what a list is: a table, a condition, an order, and by which index its rows are found.

import type { Prisma } from '../generated/prisma/client.ts';

/** What to list: a table with its alias, the columns of a row, a condition, and a total order. */
export interface Listing {
  readonly from: Prisma.Sql;
  readonly columns: Prisma.Sql;
  readonly where: Prisma.Sql;
  /** Sort terms, most significant first. The last one must be unique within the listing. */
  readonly order: readonly SortTerm[];
  /** Where rows have one key by which they are found: a page far from the start is chosen by it. */
  readonly byKey?: KeyedRows;
  /**
   * A condition that many rows may pass or few, which no plan can tell: the first rows of these are looked
   * through, and only where they don't make a page the rows are asked for that pass it.
   */
  readonly walked?: WalkedRows;
  /** Where no index has the rows in the order but one that has those of each value of a column. */
  readonly apart?: RowsApart;
  /** Where no index has the rows in the order: it is refused for more than `maxSorted` of them. */
  readonly sorted?: SortedRows;
  /**
   * Whether an index has the rows in the order whatever is asked for, so that one plan serves all: PostgreSQL is
   * not told what it might plan anew for, and keeps the first.
   */
  readonly isPlanKept?: boolean;
  /** Whether it lists resources, and how many there are only changes with what `keptList` names. */
  readonly isCountKept?: boolean;
  /** Whether it is ordered by nothing but what never changes, or what `keptList` names. */
  readonly isPlaceKept?: boolean;
}

/** A column of a listing that has a row for each of its keys, and the values that are listed of it. */
export interface RowsApart {
  readonly of: Prisma.Sql;
  readonly values: readonly string[];
  /** The alias that the listing gives its rows. */
  readonly alias: Prisma.Sql;
}

/** What is said of an order that has no index. */
export interface SortedRows {
  /** The argument that asks for it, such as `orderBy`. */
  readonly field: string;
  /** What can be asked for instead, as the API calls it. */
  readonly instead: readonly string[];
}

/** A key of a listing's rows, and how the row of a key, `chosen.key`, is found again. */
export interface KeyedRows {
  readonly key: Prisma.Sql;
  readonly row: Prisma.Sql;
}

/** Rows of a listing in its order, without what it is filtered by. */
export interface WalkedRows {
  readonly where: Prisma.Sql;
  /** The alias that the listing gives them. */
  readonly alias: Prisma.Sql;
  /** The condition of the listing in the form in which the few rows are found for which it holds. */
  readonly few: Prisma.Sql;
}

/** One term of an order: an expression of the listing, and how its values are kept in a cursor. */
export interface SortTerm {
  readonly by: Prisma.Sql;
  /** PostgreSQL type of the expression. */
  readonly type: 'uuid' | 'text' | 'boolean' | 'timestamptz' | 'float8' | 'int4';
  readonly descending: boolean;
  /** Whether it is a text of which the term before it is the beginning. */
  readonly isRest?: boolean;
}
