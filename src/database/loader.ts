// In charge of batching: what the fields of one request ask for one by one is read together.

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
  const loader = new DataLoader<Key, Value | undefined>(
    async (keys) => {
      const values = await batch(ctx, keys);
      return keys.map((key) => values.get(key));
    },
    { maxBatchSize: 10_000 },
  );
  ctx.loaders.set(batch, loader);
  return loader;
}
