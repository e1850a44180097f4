// Batching: what the fields of one request ask for one by one is read together.

import DataLoader from 'dataloader';
import type { Context } from '../context.ts';

/** Reads many keys in as few statements as it can; a key without a value is left out of the map. */
export type Batch<Key, Value> = (ctx: Context, keys: readonly Key[]) => Promise<Map<Key, Value>>;

/**
 * The request's loader for a batch function, which must be one and the same function at each call:
 * `loaderOf(ctx, tagsById).load(id)`. A key without a value loads as undefined.
 */
export function loaderOf<Key, Value>(
  ctx: Context,
  batch: Batch<Key, Value>,
): BatchLoader<Key, Value> {
  const known = ctx.loaders.get(batch);
  if (known instanceof BatchLoader) return known;
  const loader = loaderFor(ctx, batch);
  ctx.loaders.set(batch, loader);
  return loader;
}

/**
 * The request's loader for one way of asking of a family, such as children on a page of 20: those
 * that are asked in the same way, as `way` says, are read together.
 */
export function loaderInFamily<Key, Value>(
  ctx: Context,
  family: object,
  way: string,
  batch: () => Batch<Key, Value>,
): DataLoader<Key, Value | undefined> {
  const known = ctx.loaders.get(family);
  const ways: Map<string, unknown> = known instanceof Map ? known : new Map();
  ctx.loaders.set(family, ways);
  const before = ways.get(way);
  if (before instanceof DataLoader) return before;
  const loader = loaderFor(ctx, batch());
  ways.set(way, loader);
  return loader;
}

/**
 * The values of a few keys in their order, without keys that have none, read by the request's loader for the
 * batch function: at once where all of them are known already.
 */
export function loadList<Value>(
  ctx: Context,
  batch: Batch<string, Value>,
  keys: readonly string[],
): Value[] | Promise<Value[]> {
  return keys.length === 0 ? [] : loaderOf(ctx, batch).loadList(keys);
}

/** Rows by the key that each was read for, in their order; an empty list for a key without rows. */
export function byOwner<Row>(
  keys: readonly string[],
  found: readonly (Row & { readonly ownerId: string })[],
): Map<string, Row[]> {
  const rows = new Map<string, Row[]>(keys.map((key) => [key, []]));
  for (const row of found) rows.get(row.ownerId)?.push(row);
  return rows;
}

/** A loader of single keys, and of short lists of them such as the owners of a row. */
class BatchLoader<Key, Value> extends DataLoader<Key, Value | undefined> {
  /** What each key of a list has, once that is known; undefined where it has nothing. */
  readonly #known = new Map<Key, Value | undefined>();
  /** Lists that were asked for, by their keys: rows that have the same ones wait together. */
  readonly #lists = new Map<string, Promise<Value[]>>();

  loadList(keys: readonly Key[]): Value[] | Promise<Value[]> {
    if (keys.every((key) => this.#known.has(key))) {
      return keys.flatMap((key) => this.#known.get(key) ?? []);
    }
    const name = keys.join();
    const list = this.#lists.get(name) ?? this.#load(keys);
    this.#lists.set(name, list);
    return list;
  }

  async #load(keys: readonly Key[]): Promise<Value[]> {
    const found = await Promise.all(keys.map((key) => this.load(key)));
    for (const [i, key] of keys.entries()) this.#known.set(key, found[i]);
    return found.filter((value) => value !== undefined);
  }
}

function loaderFor<Key, Value>(ctx: Context, batch: Batch<Key, Value>): BatchLoader<Key, Value> {
  return new BatchLoader<Key, Value>(
    async (keys) => {
      const values = await batch(ctx, keys);
      return keys.map((key) => values.get(key));
    },
    { maxBatchSize: 10_000 },
  );
}
