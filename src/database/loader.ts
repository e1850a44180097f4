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
): DataLoader<Key, Value | undefined> {
  const known = ctx.loaders.get(batch);
  if (known instanceof DataLoader) return known;
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

function loaderFor<Key, Value>(
  ctx: Context,
  batch: Batch<Key, Value>,
): DataLoader<Key, Value | undefined> {
  return new DataLoader<Key, Value | undefined>(
    async (keys) => {
      const values = await batch(ctx, keys);
      return keys.map((key) => values.get(key));
    },
    { maxBatchSize: 10_000 },
  );
}
