// In charge of the statement that reads a page of a list: which rows it chooses, and by which index.

import { Prisma } from '../generated/prisma/client.ts';
import type { KeyedRows, Listing, RowsApart, SortTerm, WalkedRows } from './listing.ts';

/** Which rows, and in which order: that of the list, or its reverse. */
interface Asked {
  /** Rows that are passed over. */
  readonly skip: number;
  /** Rows that are read after those at most. */
  readonly most: number;
  readonly order: readonly SortTerm[];
  readonly cursor: readonly string[] | null;
  /** Whether the row of the cursor is the first of them; else they come after it. */
  readonly isFromCursor?: boolean;
  /** Whether each row says how many rows the whole list has. */
  readonly isCounted?: boolean;
}

/** Rows that are looked through before others are asked for. */
const maxGlanced = 500;
/** And where as many of these pass as make it likely that so many hold a page. */
const maxWalked = 20_000;
/** Or so many for each row up to the end of a page that is far from the start. */
const maxWalkedEach = 4;
/** Fewer than these may pass by chance. */
const leastPassed = 3;

/** Rows that are sorted for a page at most: a few tenths of a second. */
export const maxSorted = 100_000;

/** The statement that reads rows of a list. */
export function pageStatement(listing: Listing, asked: Asked): Prisma.Sql {
  const { skip, most, order } = asked;
  const { byKey, walked, apart } = listing;
  const chosen = Prisma.sql`from ${listing.from} where (${listing.where}) and (${startOf(listing, asked)})
      ${ordering(order)} limit ${bound(listing, most)} ${offset(listing, skip)}`;
  const columns = columnsOf(listing, asked);
  if (listing.sorted) return guarded(listing, Prisma.sql`${columns} ${chosen}`);
  if (!byKey) return Prisma.sql`${columns} ${chosen}`;
  if (walked) return walkedPage(listing, byKey, walked, asked);
  const keysOf = (found: Prisma.Sql) =>
    keyed(listing, byKey, asked, Prisma.sql`(select ${byKey.key} as key ${found})`);
  if (apart) return keysOf(firstOf(listing, apart, listing.where, asked, { skip, most }));
  // Rows that are passed over are not read where an index alone holds their keys.
  return skip > 0 ? keysOf(chosen) : Prisma.sql`${columns} ${chosen}`;
}

function startOf({ isPlanKept }: Listing, { order, cursor, isFromCursor = false }: Asked) {
  if (cursor === null) return Prisma.sql`true`;
  const keys = order.flatMap(({ type }, i) => {
    const key = cursor[i];
    if (key === undefined) return [];
    const value = Prisma.sql`${key}::${Prisma.raw(type)}`;
    return [isPlanKept ? untold(value) : value];
  });
  return beyond(order, keys, isFromCursor);
}

function columnsOf(
  listing: Listing,
  { isCounted }: Asked,
  count: Prisma.Sql = totalOf(listing),
): Prisma.Sql {
  const { columns, order } = listing;
  const keys = Prisma.join(order.map((term) => Prisma.sql`(${term.by})::text`));
  // PostgreSQL counts once, since the count depends on no row, and not at all where there is none.
  const listed = isCounted ? Prisma.sql`, ${count} as "listed"` : Prisma.empty;
  return Prisma.sql`select ${columns}, array[${keys}]::text as "cursor"${listed}`;
}

const totalOf = ({ from, where }: Listing) =>
  Prisma.sql`(select count(*) from ${from} where ${where})`;

/** The rows of the chosen keys. */
function keyed(
  listing: Listing,
  { row }: KeyedRows,
  asked: Asked,
  chosen: Prisma.Sql,
  count?: Prisma.Sql,
): Prisma.Sql {
  const columns = columnsOf(listing, asked, count);
  return Prisma.sql`${columns} from ${chosen} chosen join ${row} ${ordering(asked.order)}`;
}

/** The page, unless there are too many rows: then a row that says so. One that says nothing where there is none. */
function guarded({ from, where }: Listing, page: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`with counted as materialized (select count(*) > ${limit(maxSorted)} as is_too_many
      from (select from ${from} where ${where} limit ${limit(maxSorted + 1)}) c)
    select c.is_too_many as "isTooMany", p.*
      from counted c left join lateral (select * from (${page}) p where not c.is_too_many) p on true`;
}

/**
 * The first rows of a list in its order, or those after them. Where an index has the rows of each value of a
 * column in order, as many of each value are merged.
 */
function firstOf(
  listing: Listing,
  apart: RowsApart | undefined,
  where: Prisma.Sql,
  asked: Asked,
  { skip, most }: Pick<Asked, 'skip' | 'most'>,
): Prisma.Sql {
  const { from } = listing;
  const inOrder = ordering(asked.order);
  const start = startOf(listing, asked);
  const end = Prisma.sql`${inOrder} limit ${limit(most)} ${offset(listing, skip)}`;
  if (!apart) return Prisma.sql`from ${from} where (${where}) and (${start}) ${end}`;
  const { of, values, alias } = apart;
  return Prisma.sql`from unnest(${[...values]}::text[]) part(value) cross join lateral (
      select ${alias}.* from ${from} where ${of} = part.value and (${where}) and (${start})
        ${inOrder} limit ${limit(skip > 0 ? powerOfTwo(skip + most) : most)}) ${alias} ${end}`;
}

/**
 * A page of a condition of which no plan can tell how many rows pass it. A few of the first rows are looked
 * through; where enough of them pass, as many as should hold the page. Else all that pass it are found and sorted.
 */
function walkedPage(
  listing: Listing,
  byKey: KeyedRows,
  walked: WalkedRows,
  asked: Asked,
): Prisma.Sql {
  const { skip, most, order } = asked;
  const wanted = skip + most;
  const end = skip === 0 ? bound(listing, most) : told(listing, wanted);
  const named = Prisma.sql`${byKey.key} as key, ${Prisma.join(order.map(({ by }, i) => Prisma.sql`${by} as ${placeOf(i)}`))}`;
  const passing = (looked: number, unless: Prisma.Sql) => Prisma.sql`select ${named}
    from (select ${walked.alias}.* ${firstOf(listing, listing.apart, walked.where, asked, { skip: 0, most: looked })}) ${walked.alias}
    where ${unless} and ${listing.where} limit ${end}`;
  const passed = (name: string) => Prisma.sql`(select count(*) from ${Prisma.raw(name)})`;
  const looked = Math.max(maxWalked, powerOfTwo(wanted * maxWalkedEach));
  const enough = Math.max(leastPassed, Math.ceil((wanted * maxGlanced) / looked));
  const isLikely = Prisma.sql`${passed('glanced')} between ${told(listing, enough)} and ${told(listing, wanted - 1)}`;
  const inOrder = ordering(order.map((term, i) => ({ ...term, by: placeOf(i) })));
  const chosen = Prisma.sql`with glanced as materialized (${passing(maxGlanced, Prisma.sql`true`)}),
      walked as materialized (${passing(looked, isLikely)}),
      first as materialized (select * from glanced where ${passed('glanced')} = ${end}
        union all select * from walked where ${passed('walked')} = ${end}),
      few as materialized (select ${named} from ${listing.from}
        where ${passed('first')} = 0 and (${walked.few}) and (${startOf(listing, asked)})),
      found as (select key from (select * from first union all select * from few) whole
        ${inOrder} limit ${bound(listing, most)} ${offset(listing, skip)})`;
  // Where all were found, they are counted as they are. After a cursor that is not all.
  const count =
    asked.cursor === null
      ? Prisma.sql`case when ${passed('first')} = 0 then ${passed('few')} else ${totalOf(listing)} end`
      : totalOf(listing);
  return Prisma.sql`${chosen} ${keyed(listing, byKey, asked, Prisma.sql`found`, count)}`;
}

const placeOf = (place: number) => Prisma.raw(`place_${place}`);
/** Limits stand in the statement itself: of a parameter the planner would not know how few rows are read. */
const limit = (rows: number) => Prisma.raw(String(rows));
/** For as many as there are sizes of pages there are plans where one is kept; where none is, a parameter is as good. */
const bound = ({ isPlanKept }: Listing, rows: number) =>
  isPlanKept ? limit(rows) : Prisma.sql`${rows}`;
/** What the planner is not told the value of, which it would otherwise plan each statement anew for. */
const untold = (value: Prisma.Sql) => Prisma.sql`(select ${value})`;

/** A number that many pages differ by. */
const told = ({ isPlanKept }: Listing, rows: number) =>
  isPlanKept ? untold(Prisma.sql`${rows}::bigint`) : Prisma.sql`${rows}`;

const offset = (listing: Listing, skip: number) =>
  skip === 0 ? Prisma.empty : Prisma.sql`offset ${told(listing, skip)}`;

/** So many or more: of all depths of pages there are few statements whose plans are kept. */
const powerOfTwo = (rows: number) => 2 ** Math.ceil(Math.log2(rows));

function ordering(order: readonly SortTerm[]): Prisma.Sql {
  return Prisma.sql`order by ${Prisma.join(order.map(orderBy))}`;
}

// Nulls come last in either direction, as people expect of a sorted list.
function orderBy({ by, descending }: SortTerm): Prisma.Sql {
  return Prisma.sql`${by} ${Prisma.raw(descending ? 'desc' : 'asc')}`;
}

/** Rows that come after the keys of a cursor, or with them. Where all terms have one direction, they are compared as one. */
function beyond(
  order: readonly SortTerm[],
  keys: readonly Prisma.Sql[],
  isFromCursor: boolean,
): Prisma.Sql {
  const descending = order[0]?.descending;
  const isOne = order.length > 1 && order.every((term) => term.descending === descending);
  if (!isOne || keys.length !== order.length) return termByTerm(order, keys, isFromCursor);
  const terms = Prisma.join(order.map(({ by }) => by));
  const than = Prisma.raw((descending ? '<' : '>') + (isFromCursor ? '=' : ''));
  return Prisma.sql`(${terms}) ${than} (${Prisma.join(keys)})`;
}

/** a < x or (a = x and (b < y or ...)), which is total, and a range of an index by its first term. */
function termByTerm(
  order: readonly SortTerm[],
  keys: readonly Prisma.Sql[],
  isFromCursor: boolean,
): Prisma.Sql {
  const [term, ...rest] = order;
  const [value, ...others] = keys;
  if (!term || value === undefined) return Prisma.sql`false`;
  const past = Prisma.sql`${term.by} ${Prisma.raw(term.descending ? '<' : '>')} ${value}`;
  const edge = Prisma.sql`${term.by} ${Prisma.raw(term.descending ? '<=' : '>=')} ${value}`;
  if (rest.length === 0) return isFromCursor ? edge : past;
  return Prisma.sql`${edge} and (${past} or (${termByTerm(rest, others, isFromCursor)}))`;
}
