// Statements that read a page of a list: after a cursor, by number, in a sorted order, or of rows that have to be looked for.

import { Prisma } from '../generated/prisma/client.ts';
import type { KeyedRows, Listing, SortTerm, WalkedRows } from './listing.ts';

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

/** Rows that are sorted for a page at most: a few tenths of a second. */
export const maxSorted = 100_000;

/** The statement that reads rows of a list. */
export function pageStatement(listing: Listing, asked: Asked): Prisma.Sql {
  const { sorted, walked, byKey, partitions } = listing;
  if (sorted) return sortedPage(listing, asked);
  if (byKey && walked) return walkedPage(listing, byKey, walked, asked);
  if (byKey && (partitions || asked.skip > 0)) return numberedPage(listing, byKey, asked);
  return keysetPage(listing, asked);
}

/** The rows after a cursor, or the first ones: an index has them in order, and begins at the cursor. */
function keysetPage(listing: Listing, asked: Asked): Prisma.Sql {
  return Prisma.sql`${columnsOf(listing, asked)} ${rowsInOrder(listing, asked)}`;
}

/** Ids first, then their rows: an index alone holds the ids, so that the rows passed over are not read from the table. */
function numberedPage(listing: Listing, byKey: KeyedRows, asked: Asked): Prisma.Sql {
  const chosen = Prisma.sql`select ${byKey.key} as key ${rowsInOrder(listing, asked)}`;
  return Prisma.sql`${columnsOf(listing, asked)} from (${chosen}) chosen join ${byKey.row} ${ordering(asked.order)}`;
}

/** No index has this order, so all rows are sorted; where they are too many, one row says so instead. */
function sortedPage(listing: Listing, asked: Asked): Prisma.Sql {
  const { from, where } = listing;
  const [most, oneMore] = [literal(maxSorted), literal(maxSorted + 1)];
  return Prisma.sql`with counted as materialized (select count(*) > ${most} as is_too_many
      from (select from ${from} where ${where} limit ${oneMore}) c)
    select c.is_too_many as "isTooMany", p.* from counted c
      left join lateral (select * from (${keysetPage(listing, asked)}) p where not c.is_too_many) p on true`;
}

/** Rows of the list that are looked through for those that pass: first a few; where some of these pass, many. */
const fewWalked = 500;
const manyWalked = 20_000;
/** Or so many for each row up to the end of a page that is far from the start. */
const walkedForEach = 4;
/** Fewer than these may pass by chance. */
const leastPassed = 3;

/**
 * A condition that many rows may pass or few, such as a text within titles, and no plan can tell which. The first rows of
 * the list are looked through, and all that pass are found by an index and sorted only where those don't hold
 * the page. Of a million rows PostgreSQL alone walked through all for a rare word: 750 ms; this takes 12.
 */
function walkedPage(
  listing: Listing,
  byKey: KeyedRows,
  walked: WalkedRows,
  asked: Asked,
): Prisma.Sql {
  const { skip, most, order } = asked;
  const end = skip + most;
  const places = order.map((term, i) => ({ ...term, by: Prisma.raw(`place_${i}`) }));
  const named = order.map(({ by }, i) => Prisma.sql`${by} as ${Prisma.raw(`place_${i}`)}`);
  const keys = Prisma.sql`${byKey.key} as key, ${Prisma.join(named)}`;
  const unfiltered = { ...listing, where: walked.where, hasGenericPlan: true };
  const passing = (rows: number) => Prisma.sql`select ${keys} from (select ${walked.alias}.*
      ${rowsInOrder(unfiltered, { ...asked, skip: 0, most: rows })}) ${walked.alias} where ${listing.where}`;
  const many = Math.max(manyWalked, end * walkedForEach);
  return Prisma.sql`with few as materialized (${passing(fewWalked)} limit ${end}),
      many as materialized (${passing(many)}
        and (select count(*) from few) between ${leastPassed} and ${end - 1} limit ${end}),
      page as (select * from few where (select count(*) from few) = ${end}
        union all select * from many where (select count(*) from many) = ${end}),
      found as (select * from page
        union all select ${keys} from ${listing.from} where (select count(*) from page) = 0
          and (${walked.byIndex}) and (${startOf(unfiltered, asked)}))
    ${columnsOf(listing, asked)} from (select key from found ${ordering(places)} limit ${most} offset ${skip}) chosen
      join ${byKey.row} ${ordering(order)}`;
}

/** The columns of a row, its cursor, and how many rows the list has where that is asked. */
function columnsOf({ columns, from, where, order }: Listing, { isCounted }: Asked): Prisma.Sql {
  const keys = Prisma.join(order.map((term) => Prisma.sql`(${term.by})::text`));
  // PostgreSQL counts once, since the count depends on no row, and not at all where there is none.
  const listed = isCounted
    ? Prisma.sql`, (select count(*) from ${from} where ${where}) as "listed"`
    : Prisma.empty;
  return Prisma.sql`select ${columns}, array[${keys}]::text as "cursor"${listed}`;
}

/** The rows in order, by an index of them all, or by one that has those of each partition in order, which are merged. */
function rowsInOrder(listing: Listing, asked: Asked): Prisma.Sql {
  const { from, where, partitions } = listing;
  const { skip, most } = asked;
  const { limit, value } = plannedFor(listing);
  const rows = Prisma.sql`${from} where (${where}) and (${startOf(listing, asked)})`;
  const inOrder = ordering(asked.order);
  const offset =
    skip === 0 ? Prisma.empty : Prisma.sql`offset ${value(Prisma.sql`${skip}::bigint`)}`;
  const page = Prisma.sql`${inOrder} limit ${limit(most)} ${offset}`;
  if (!partitions) return Prisma.sql`from ${rows} ${page}`;
  const { by, values, alias } = partitions;
  const upToEnd = skip === 0 ? limit(most) : value(Prisma.sql`${skip + most}::bigint`);
  return Prisma.sql`from unnest(${[...values]}::text[]) part(value) cross join lateral (
      select ${alias}.* from ${rows} and ${by} = part.value ${inOrder} limit ${upToEnd}) ${alias} ${page}`;
}

function literal(rows: number): Prisma.Sql {
  return Prisma.raw(String(rows));
}

/** How the values that pages differ by stand in a statement. */
interface PlannedFor {
  limit(rows: number): Prisma.Sql;
  value(given: Prisma.Sql): Prisma.Sql;
}

/**
 * PostgreSQL keeps a generic plan where it looks no dearer than plans made for the values. It knows a limit that is
 * written, and nothing of a value in a subquery with either plan, so planning takes 0.02 ms instead of 0.3.
 */
const generic: PlannedFor = {
  limit: literal,
  value: (given) => Prisma.sql`(select ${given})`,
};
/** As a parameter a limit makes a generic plan dear: PostgreSQL goes on to plan for the values, whose frequencies it knows. */
const custom: PlannedFor = { limit: (rows) => Prisma.sql`${rows}`, value: (given) => given };

const plannedFor = ({ hasGenericPlan }: Listing) => (hasGenericPlan ? generic : custom);

function startOf(listing: Listing, { order, cursor, isFromCursor = false }: Asked): Prisma.Sql {
  if (cursor === null) return Prisma.sql`true`;
  const { value } = plannedFor(listing);
  const keys = order.flatMap(({ type }, i) => {
    const key = cursor[i];
    return key === undefined ? [] : [value(Prisma.sql`${key}::${Prisma.raw(type)}`)];
  });
  return beyond(order, keys, isFromCursor);
}

// No term is ever null.
function ordering(order: readonly SortTerm[]): Prisma.Sql {
  const terms = order.map(
    ({ by, descending }) => Prisma.sql`${by} ${Prisma.raw(descending ? 'desc' : 'asc')}`,
  );
  return Prisma.sql`order by ${Prisma.join(terms)}`;
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
