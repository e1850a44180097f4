// Pages of lists: one function behind every list, by number for REST and by cursor for GraphQL.

import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { invalidField } from '../errors.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { type CachedList, cachedList, countOf } from './cached-count.ts';
import type { Listing, SortedRows, SortTerm } from './listing.ts';
import type { PageAnchors } from './page-anchors.ts';
import { decodeCursor, encodeCursor } from './page-cursor.ts';
import { maxSorted, pageStatement } from './page-statement.ts';

/** Which page is asked for: by cursor (first/after or last/before), or by number (page/pageSize). */
export interface PageArgs {
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  page?: number | null | undefined;
  pageSize?: number | null | undefined;
}

/** The usual order of rows under an alias of the listing: newest first, of one moment by id. */
export function newestFirst(alias: Prisma.Sql): SortTerm[] {
  return [
    { by: Prisma.sql`${alias}.created_at`, type: 'timestamptz', descending: true },
    { by: Prisma.sql`${alias}.id`, type: 'uuid', descending: true },
  ];
}

/** Rows under an alias of the listing by name, of one name by id. */
export function byName(alias: Prisma.Sql): SortTerm[] {
  return [
    { by: Prisma.sql`${alias}.name`, type: 'text', descending: false },
    { by: Prisma.sql`${alias}.id`, type: 'uuid', descending: false },
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
  /** How many rows the whole list has. One statement, run once at most; none where the page tells, or is numbered. */
  readonly count: () => Promise<number>;
}

/** Rows on a page unless the client asks for another number. */
export const defaultPageSize = 50;
/** Rows on a page at most. */
export const maxPageSize = 1000;

/** What a statement answers in addition to the columns of a row. */
export interface Row {
  /** The list of what it is ordered by, as PostgreSQL writes one; most of them are never read. */
  readonly cursor: string;
  /** How many rows the whole list has, where that was asked with them. */
  readonly listed?: number;
}

/** What is answered in place of rows where there are none, or too many to be sorted. */
interface TooMany {
  readonly cursor: null;
  readonly isTooMany: boolean;
}

function tooMany({ field, instead }: SortedRows) {
  const most = maxSorted.toLocaleString('en');
  return invalidField(
    field,
    `No index has this order, and the list has more than ${most} rows. Filter it, or order it by one of ${instead.join(', ')}.`,
  );
}

/** Rows from which on it is worth knowing how many a list has, before they are passed over. */
const manySkipped = 5_000;

/**
 * Read one page of a listing in one statement. The total is counted when it is asked for; numbered pages, which are
 * REST's and always say it, count it in the same statement unless it is cached.
 * Numbered pages use OFFSET, cursors compare whole rows, so that depth costs a cursor nothing. Where the count is
 * cached, a page far from the start is read from the nearer end, or from a nearer anchor.
 * Throws BAD_REQUEST for a page or size out of range, for a cursor that is not ours, and for an order of which
 * too many rows would have to be sorted.
 */
export async function listPage<T extends object>(
  ctx: Context,
  listing: Listing,
  args: PageArgs,
): Promise<Page<T>> {
  const { count, cached } = counter(ctx, listing);
  const isFar = (checkNumber(args.page) - 1) * (args.pageSize ?? defaultPageSize) >= manySkipped;
  const isKnown = isFar && listing.isCountCached && !ctx.reads.fromReplica;
  const anchors = isKnown ? (await cached()).anchors : null;
  const isNumbered = args.page != null || args.pageSize != null;
  const isCounted = isNumbered && !listing.isCountCached && !listing.sorted;
  const read = readerOf(listing, args, { anchors, isCounted });
  const found = await rows<(T & Row) | TooMany>(ctx, read.statement);
  const { sorted } = listing;
  if (sorted && found.some((row) => 'isTooMany' in row && row.isTooMany)) throw tooMany(sorted);
  const isRow = (row: (T & Row) | TooMany): row is T & Row => row.cursor !== null;
  const page = read.pageOf<T>(found.filter(isRow), count);
  if (anchors && listing.hasAnchors) addAnchor(anchors, listing.order, page);
  return page;
}

/** Remember where a page begins. */
function addAnchor(anchors: PageAnchors, order: readonly SortTerm[], page: Page<object>): void {
  const cursor = decodeCursor('page', page.cursorAt(0), order);
  if (cursor) anchors.add(order, (page.number - 1) * page.size + 1, cursor);
}

/** What is known of a list that a page is read of. */
interface Known {
  /** Anchors in it, where it is known how many rows there are. */
  readonly anchors?: PageAnchors | null;
  /** Whether to count the whole list as well. */
  readonly isCounted?: boolean;
}

/** How a page of a listing is read: the statement, and the page that its rows make. */
export function readerOf(listing: Listing, args: PageArgs, known: Known = {}) {
  const { size, number, after, before } = checkArgs(args, listing.order);
  const skip = (number - 1) * size;
  const way = known.anchors?.wayTo(listing.order, { skip, size });
  const isBackward = way?.isBackward ?? args.last != null;
  const statement = pageStatement(listing, {
    // A row more than the page holds says whether there is a next one.
    ...(way ?? { skip, most: size + 1 }),
    order: isBackward ? listing.order.map(reversed) : listing.order,
    cursor: way?.cursor ?? (args.last == null ? after : before),
    isFromCursor: way?.cursor != null,
    isCounted: known.isCounted ?? false,
  });
  const pageOf = <T extends object>(
    found: readonly (T & Row)[],
    count: () => Promise<number>,
  ): Page<T> => {
    const more = way?.hasMore ?? found.length > size;
    const nodes = found.slice(0, size);
    if (isBackward) nodes.reverse();
    // A page that holds the end of the list, and begins where it is known to, tells how many there are.
    const isEnd = !more && after === null && before === null && (nodes.length > 0 || skip === 0);
    const all = isEnd ? skip + nodes.length : nodes[0]?.listed;
    return {
      nodes,
      cursorAt: (place) => encodeCursor(nodes.at(place)?.cursor),
      hasNextPage: args.last == null ? more : before !== null,
      hasPreviousPage: args.last == null ? after !== null || number > 1 : more,
      number,
      size,
      count: all === undefined ? count : async () => all,
    };
  };
  return { statement, pageOf };
}

/** Counts a list once at most. */
function counter(ctx: Context, listing: Listing) {
  let counted: Promise<number> | undefined;
  let asked: Promise<CachedList> | undefined;
  const cached = () => {
    asked ??= cachedList(ctx, listing);
    return asked;
  };
  const count = () => {
    counted ??= listing.isCountCached ? cached().then(({ n }) => n) : countOf(ctx, listing);
    return counted;
  };
  return { count, cached };
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

function checkArgs(args: PageArgs, order: readonly SortTerm[]): CheckedArgs {
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
    after: decodeCursor('after', args.after, order),
    before: decodeCursor('before', args.before, order),
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
