// The values of custom properties that the viewer may know of.

import { knownUser } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { seenId } from '../resources/seen.ts';
import { type PropertyValue, valuesByResource } from './assign.ts';

/** Those of some values that name nothing which the viewer may not see, in their order. */
export async function seenValues(
  ctx: Context,
  values: readonly PropertyValue[],
): Promise<PropertyValue[]> {
  const seen = await Promise.all(values.map((value) => isSeen(ctx, value)));
  return values.filter((_, i) => seen[i]);
}

/** Values of many resources by their ids, and by the ids of the properties, without what the viewer may not see. */
export async function seenValuesOf(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, ReadonlyMap<string, string>>> {
  const found = await valuesByResource(ctx, ids);
  const entries = await Promise.all(
    [...found].map(async ([id, values]): Promise<[string, ReadonlyMap<string, string>]> => {
      const seen = await seenValues(ctx, values);
      return [id, new Map(seen.map(({ property, value }) => [property.id, value]))];
    }),
  );
  return new Map(entries);
}

async function isSeen(ctx: Context, { property, value }: PropertyValue): Promise<boolean> {
  if (property.valueType === 'user') return knownUser(ctx, value) !== null;
  return property.valueType === 'resource' ? (await seenId(ctx, value)) !== null : true;
}
