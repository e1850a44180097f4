// Listing: a table, a condition, an order, and the index by which its rows are found.

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
  /** Where the planner can't estimate how many rows pass the condition: the first rows of the list are looked through. */
  readonly walked?: WalkedRows;
  /** Where an index has the rows in order for each value of a column, but not for all of them. */
  readonly partitions?: Partitions;
  /** Where no index has the rows in the order: it is refused for more than `maxSorted` of them. */
  readonly sorted?: SortedRows;
  /** Whether one generic plan serves all pages: an index has the rows in the order, whatever the values are. */
  readonly hasGenericPlan?: boolean;
  /** Whether it lists resources, and how many there are only changes with what `cachedList` names. */
  readonly isCountCached?: boolean;
  /** Whether it is ordered by nothing but what never changes, or what `cachedList` names. */
  readonly hasAnchors?: boolean;
}

/** A column of a listing, and the values of it that are listed. */
export interface Partitions {
  readonly by: Prisma.Sql;
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
  /** The condition of the listing in the form in which an index finds the rows that pass. */
  readonly byIndex: Prisma.Sql;
}

/** One term of an order: an expression of the listing, and how its values are kept in a cursor. */
export interface SortTerm {
  readonly by: Prisma.Sql;
  /** PostgreSQL type of the expression. */
  readonly type: 'uuid' | 'text' | 'boolean' | 'timestamptz' | 'float8' | 'int4';
  readonly descending: boolean;
}
