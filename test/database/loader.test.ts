import { expect, test } from 'vitest';
import { loaderOf, loadList } from '../../src/database/loader.ts';
import { openCatalog } from '../catalog.ts';

test('lists are read together, without what has no value, and at once where all of it is known', async () => {
  await using catalog = await openCatalog();
  const ctx = catalog.admin;
  const asked: (readonly string[])[] = [];
  const batch = async (_: unknown, keys: readonly string[]) => {
    asked.push(keys);
    return new Map(keys.filter((key) => key !== 'none').map((key) => [key, key.toUpperCase()]));
  };
  expect(loadList(ctx, batch, [])).toEqual([]);
  const lists = [['a', 'b'], ['b', 'none', 'a'], ['a', 'b'], ['c']];
  const loaded = await Promise.all(lists.map((keys) => loadList(ctx, batch, keys)));
  expect(loaded).toEqual([['A', 'B'], ['B', 'A'], ['A', 'B'], ['C']]);
  expect(asked).toEqual([['a', 'b', 'none', 'c']]);
  expect(loadList(ctx, batch, ['c', 'none', 'a'])).toEqual(['C', 'A']);
  expect(await loaderOf(ctx, batch).load('b')).toBe('B');
  expect(asked).toHaveLength(1);
});

test('a list that can not be read fails for each who asked', async () => {
  await using catalog = await openCatalog();
  const batch = async (): Promise<Map<string, string>> => {
    throw new Error('away');
  };
  const lists = [['a'], ['a'], ['a', 'b']].map((keys) => loadList(catalog.admin, batch, keys));
  const failed = await Promise.allSettled(lists);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
});
