// In charge of pages: one function behind every list, by number for REST and by cursor for GraphQL.

import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { parseTextArray } from '../database/value-parsers.ts';
import { invalidField } from '../errors.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { countOf, keptCount } from './kept-count.ts';

/** Which page is asked for: by cursor (first/after or last/before), or by number (page/pageSize). */
export interface PageArgs {
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  page?: number | null | undefined;
  pageSize?: number | null | undefined;
}

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
  /** Whether it lists resources, and how many there are only changes with what `keptCount` names. */
  readonly isCountKept?: boolean;
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
  /** PostgreSQL type of the expression, such as `timestamptz`. */
  readonly type: string;
  readonly descending: boolean;
}

/** The usual order of rows under an alias of the listing: newest first, of one moment by id. */
export function newestFirst(alias: Prisma.Sql): SortTerm[] {
  return [
    { by: Prisma.sql`${alias}.created_at`, type: 'timestamptz', descending: true },
    { by: Prisma.sql`${alias}.id`, type: 'uuid', descending: true },
  ];
}

/** One page of a list. */
export interface Page<Row> {
  readonly nodes: readonly Row[];
  /** Cursor of the node at a place, from the end where it is negative; null where there is none. */
  readonly cursorAt: (place: number) => string | null;
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  /** 1-based number of the page; 1 where cursors were used. */
  readonly number: number;
  readonly size: number;
  /** How many rows the whole list has. One statement, run once at most. */
  readonly count: () => Promise<number>;
}

/** Rows on a page unless the client asks for another number. */
export const defaultPageSize = 50;
/** Rows on a page at most. */
export const maxPageSize = 1000;

/** Rows that are looked through before others are asked for. */
const maxWalked = 2_000;

/** What a statement answers beside the columns of a row. */
export interface Row {
  /** The list of what it is ordered by, as PostgreSQL writes one; most of them are never read. */
  readonly cursor: string;
}

/**
 * Read one page of a listing in one statement; the total is counted only when it is asked for.
 * Numbered pages use OFFSET, cursors compare whole rows, so that depth costs a cursor nothing.
 * Throws BAD_REQUEST for a page or size out of range and for a cursor that is not ours.
 */
export async function listPage<T extends object>(
  ctx: Context,
  listing: Listing,
  args: PageArgs,
): Promise<Page<T>> {
  const read = readerOf(listing, args);
  const found = await rows<T & Row>(ctx, read.statement);
  return read.pageOf(found, counter(ctx, listing));
}

/** How a page of a listing is read: the statement, and the page that its rows make. */
export function readerOf(listing: Listing, args: PageArgs) {
  const { size, number, after, before } = checkArgs(args);
  const backward = args.last != null;
  const order = backward ? listing.order.map(reversed) : listing.order;
  const cursor = backward ? before : after;
  const start = cursor === null ? Prisma.sql`true` : beyond(order, cursor);
  const keys = Prisma.join(listing.order.map((term) => Prisma.sql`(${term.by})::text`));
  const sorted = Prisma.join(order.map(orderBy));
  const chosen = Prisma.sql`from ${listing.from} where (${listing.where}) and (${start})
      order by ${sorted} limit ${size + 1} offset ${(number - 1) * size}`;
  const columns = Prisma.sql`select ${listing.columns}, array[${keys}]::text as "cursor"`;
  const { byKey, walked } = listing;
  const byKeys = (keyed: KeyedRows, from: Prisma.Sql) =>
    Prisma.sql`${columns} from ${from} chosen join ${keyed.row} order by ${sorted}`;
  const statementOf = () => {
    if (!byKey) return Prisma.sql`${columns} ${chosen}`;
    const keyed = Prisma.sql`select ${byKey.key} as key ${chosen}`;
    // Rows that are passed over are not read where an index alone holds their keys.
    if (number > 1) return byKeys(byKey, Prisma.sql`(${keyed})`);
    if (!walked) return Prisma.sql`${columns} ${chosen}`;
    const first = Prisma.sql`select ${walked.alias}.* from ${listing.from}
      where (${walked.where}) and (${start}) order by ${sorted} limit ${Prisma.raw(String(maxWalked))}`;
    const placeOf = (place: number) => Prisma.raw(`place_${place}`);
    const named = Prisma.join(order.map(({ by }, i) => Prisma.sql`${by} as ${placeOf(i)}`));
    const byName = Prisma.join(order.map((term, i) => orderBy({ ...term, by: placeOf(i) })));
    return Prisma.sql`with walked as materialized (select ${byKey.key} as key from (${first}) ${walked.alias}
        where ${listing.where} limit ${size + 1}),
      few as materialized (select ${byKey.key} as key, ${named} from ${listing.from}
        where (select count(*) from walked) <= ${size} and (${walked.few}) and (${start})),
      found as (select key from walked where (select count(*) from walked) > ${size}
        union all (select key from few order by ${byName} limit ${size + 1}))
      ${byKeys(byKey, Prisma.sql`found`)}`;
  };
  const pageOf = <T extends object>(
    found: readonly (T & Row)[],
    count: () => Promise<number>,
  ): Page<T> => {
    const more = found.length > size;
    const nodes = found.slice(0, size);
    if (backward) nodes.reverse();
    return {
      nodes,
      cursorAt: (place) => encodeCursor(nodes.at(place)?.cursor),
      hasNextPage: backward ? before !== null : more,
      hasPreviousPage: backward ? more : after !== null || number > 1,
      number,
      size,
      count,
    };
  };
  return { statement: statementOf(), pageOf };
}

function counter(ctx: Context, { from, where, isCountKept }: Listing): () => Promise<number> {
  let counted: Promise<number> | undefined;
  return () => {
    counted ??= isCountKept ? keptCount(ctx, { from, where }) : countOf(ctx, { from, where });
    return counted;
  };
}

/** How many pages a list of so many rows has: at least one. */
export function totalPages(count: number, size: number): number {
  return Math.max(1, Math.ceil(count / size));
}

interface CheckedArgs {
  size: number;
  number: number;
  after: string[] | null;
  before: string[] | null;
}

function checkArgs(args: PageArgs): CheckedArgs {
  const byNumber = args.page != null || args.pageSize != null;
  const byCursor =
    args.first != null || args.last != null || args.after != null || args.before != null;
  if (byNumber && byCursor) {
    throw invalidField('page', 'Use page and pageSize, or first/after, or last/before.');
  }
  if (args.first != null && args.last != null) {
    throw invalidField('last', 'Ask for the first or for the last rows, not for both.');
  }
  if (args.before != null && args.last == null)
    throw invalidField('before', '`before` can only be used with `last`.');
  if (args.after != null && args.last != null)
    throw invalidField('after', '`after` can only be used with `first`.');
  return {
    size:
      checkSize('pageSize', args.pageSize, 1) ??
      checkSize('first', args.first, 0) ??
      checkSize('last', args.last, 0) ??
      defaultPageSize,
    number: checkNumber(args.page),
    after: args.after == null ? null : decodeCursor('after', args.after),
    before: args.before == null ? null : decodeCursor('before', args.before),
  };
}

/** A page may have no rows, for its count or to know whether there are any; a numbered one has some. */
function checkSize(field: string, size: number | null | undefined, least: 0 | 1): number | null {
  if (size == null) return null;
  if (Number.isInteger(size) && size >= least && size <= maxPageSize) return size;
  throw invalidField(field, `Use an integer from ${least} to ${maxPageSize}, not ${size}.`);
}

/** Throws BAD_REQUEST unless it is a number of rows that a list may be asked for. */
export function checkCount(field: string, count: number): void {
  checkSize(field, count, 1);
}

// OFFSET is a bigint in PostgreSQL; pages up to this one stay within it and within safe integers.
export const maxPage = 1_000_000_000;

function checkNumber(page: number | null | undefined): number {
  if (page == null) return 1;
  if (Number.isInteger(page) && page >= 1 && page <= maxPage) return page;
  throw invalidField('page', `Use an integer from 1 to ${maxPage}, not ${page}.`);
}

function reversed(term: SortTerm): SortTerm {
  return { ...term, descending: !term.descending };
}

// Nulls come last in either direction, as people expect of a sorted list.
function orderBy({ by, descending }: SortTerm): Prisma.Sql {
  return Prisma.sql`${by} ${Prisma.raw(descending ? 'desc' : 'asc')}`;
}

/** Rows that come after the cursor. Where all terms have one direction, they are compared as one. */
function beyond(order: readonly SortTerm[], cursor: readonly string[]): Prisma.Sql {
  const descending = order[0]?.descending;
  const isOne = order.length > 1 && order.every((term) => term.descending === descending);
  if (!isOne || cursor.length !== order.length) return termByTerm(order, cursor);
  const keys = order.map(({ type }, i) => Prisma.sql`${cursor[i]}::${Prisma.raw(type)}`);
  const terms = Prisma.join(order.map(({ by }) => by));
  return Prisma.sql`(${terms}) ${Prisma.raw(descending ? '<' : '>')} (${Prisma.join(keys)})`;
}

/** a < x or (a = x and (b < y or ...)), which is total, and a range of an index by its first term. */
function termByTerm(order: readonly SortTerm[], cursor: readonly string[]): Prisma.Sql {
  const [term, ...rest] = order;
  const [key, ...keys] = cursor;
  if (!term || key === undefined) return Prisma.sql`false`;
  const value = Prisma.sql`${key}::${Prisma.raw(term.type)}`;
  const past = Prisma.sql`${term.by} ${Prisma.raw(term.descending ? '<' : '>')} ${value}`;
  if (rest.length === 0) return past;
  const edge = Prisma.sql`${term.by} ${Prisma.raw(term.descending ? '<=' : '>=')} ${value}`;
  return Prisma.sql`${edge} and (${past} or (${termByTerm(rest, keys)}))`;
}

function encodeCursor(keys: Row['cursor'] | undefined): string | null {
  if (keys === undefined) return null;
  return Buffer.from(JSON.stringify(parseTextArray(keys))).toString('base64url');
}

function decodeCursor(field: string, cursor: string): string[] {
  try {
    const keys: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(keys) && keys.every((key) => typeof key === 'string')) return keys;
  } catch {
    // Falls through to the one message below.
  }
  throw invalidField(
    field,
    'This is not a cursor of this list; take one from pageInfo or an edge.',
  );
}
