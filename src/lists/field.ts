// Fields of a list: an expression of it, and what its values look like.

import type { Prisma } from '../generated/prisma/client.ts';

/** A field that a list may be filtered or sorted by. */
export interface FilterField {
  /** The expression of the listing. */
  readonly sql: Prisma.Sql;
  /** The beginning of a text that may be too long for an index: rows are sorted by it. */
  readonly head?: Prisma.Sql;
  /** The text in small letters, as a trigram index has it that finds what contains a text. */
  readonly folded?: Prisma.Sql;
  readonly type: 'id' | 'ids' | 'text' | 'boolean' | 'time' | 'number';
  /** Whether each row has a value: an order by it can then be read from an index. */
  readonly always?: boolean;
  /** All that its texts may be, where they are of a closed set: nothing else can be asked for. */
  readonly words?: readonly string[];
  /** Turns a client's value into the stored one, where they differ; throws BAD_REQUEST. */
  readonly parse?: (value: string) => string;
  /** Those of an array of ids that count, where not all do: the viewer may not filter or sort by others. */
  readonly among?: (ids: Prisma.Sql) => Prisma.Sql;
  /** What an array of ids leads to, where those of before still count. */
  readonly current?: (ids: Prisma.Sql) => Prisma.Sql;
  /** Of an id: an array of further ids of the row, any of which counts as it. */
  readonly also?: Prisma.Sql;
}

/** The fields of a list by the names that clients use. */
export type FilterFields = Readonly<Record<string, FilterField>>;
