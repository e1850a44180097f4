// Lists that many owners have one of, such as the children of parents: read together.

import DataLoader from 'dataloader';
import type { Context } from '../context.ts';
import { loaderInFamily } from '../database/loader.ts';
import { rows } from '../database/rows.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { Listing } from './listing.ts';
import { type Page, type PageArgs, type Row, readerOf } from './page.ts';

/** A list that each of many owners has one of. */
export interface OwnedListing extends Listing {
  /** Whether a row belongs to the owner, whose id is `owner.id`. */
  readonly belongs: Prisma.Sql;
}

/** Which list of an owner to read, and which page of it. */
export interface OwnedPage<Query> {
  readonly ownerId: string;
  readonly query: Query;
  readonly args: PageArgs;
}

/**
 * A page of one owner's list. What one request asks of many owners in the same way is read in one
 * statement, and counted in another where a count is asked for. `listingOf` must be one and the same
 * function at each call. Throws like `listPage`.
 */
export async function loadPage<T extends object, Query>(
  ctx: Context,
  listingOf: (ctx: Context, query: Query) => OwnedListing,
  { ownerId, query, args }: OwnedPage<Query>,
): Promise<Page<T>> {
  const way = wayOf(ctx, { query, args });
  const loader = loaderInFamily<string, Page<T>>(
    ctx,
    listingOf,
    way,
    () => (within, ownerIds) => readPages(within, listingOf(within, query), ownerIds, args),
  );
  const page = await loader.load(ownerId);
  if (!page) throw new Error(`No page of the list of ${ownerId} was read.`);
  return page;
}

/** A way of asking, and how it is written. */
interface KnownWay {
  readonly asked: Asked;
  readonly way: string;
}

type Asked = Pick<OwnedPage<unknown>, 'query' | 'args'>;

/** Ways of one request that are remembered. */
const maxWays = 200;

/**
 * How a way of asking is written: once for all rows of a list, which ask with the very same values. A filter or a
 * cursor may be a megabyte, and the rows a thousand.
 */
function wayOf(ctx: Context, asked: Asked): string {
  const known = waysOf(ctx);
  const same = known.find(
    (one) => isAlike(one.asked.query, asked.query) && isAlike(one.asked.args, asked.args),
  );
  if (same) return same.way;
  const way = JSON.stringify([asked.query, asked.args], (_, value) =>
    // Columns are a set, which JSON would leave empty.
    value instanceof Set ? [...value].sort() : value,
  );
  if (known.length < maxWays) known.push({ asked, way });
  return way;
}

const waysOfRequests = new WeakMap<Context['loaders'], KnownWay[]>();

function waysOf({ loaders }: Context): KnownWay[] {
  const known = waysOfRequests.get(loaders) ?? [];
  waysOfRequests.set(loaders, known);
  return known;
}

/** Whether two are one value, or objects of the same values. */
function isAlike(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Reflect.get(one, name) === Reflect.get(other, name))
  );
}

async function readPages<T extends object>(
  ctx: Context,
  listing: OwnedListing,
  ownerIds: readonly string[],
  args: PageArgs,
): Promise<Map<string, Page<T>>> {
  // The rows of an owner are found by the owner: few enough to be sorted.
  const { belongs, from, where, columns, order } = listing;
  const owners = (ids: readonly string[]) => Prisma.sql`unnest(${[...ids]}::uuid[]) owner(id)`;
  const mine = Prisma.sql`(${where}) and ${belongs}`;
  const read = readerOf({ from, columns, order, where: mine }, args);
  const found = await rows<T & Row & { ownerId: string }>(
    ctx,
    Prisma.sql`select owner.id as "ownerId", one.* from ${owners(ownerIds)}
      cross join lateral (${read.statement}) one`,
  );
  const byOwner = new Map<string, (T & Row)[]>(ownerIds.map((id) => [id, []]));
  for (const row of found) byOwner.get(row.ownerId)?.push(row);
  const counts = new DataLoader<string, number>(async (ids) => {
    const counted = await rows<{ id: string; n: number }>(
      ctx,
      Prisma.sql`select owner.id, one.n from ${owners(ids)}
        cross join lateral (select count(*) as n from ${from} where ${mine}) one`,
    );
    const known = new Map(counted.map(({ id, n }) => [id, n]));
    return ids.map((id) => known.get(id) ?? 0);
  });
  return new Map([...byOwner].map(([id, own]) => [id, read.pageOf(own, () => counts.load(id))]));
}
