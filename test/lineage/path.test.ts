import { expect, test } from 'vitest';
import { lineagePath } from '../../src/lineage/path.ts';
import { walkLimits } from '../../src/lineage/walk.ts';
import { openCatalog } from '../catalog.ts';
import { grow } from './network.ts';

test('the shortest path follows the flow of data, ends included', async () => {
  await using catalog = await openCatalog();
  const network = await grow(catalog, 'a>b b>c c>d d>e a>x x>y y>z z>d e>a lonely>a');
  const path = async (from: string, to: string) => {
    const ids = await lineagePath(catalog.admin, network.id(from), network.id(to));
    return ids?.map(network.name).join('>') ?? null;
  };
  expect(await path('a', 'e')).toBe('a>b>c>d>e');
  expect(await path('b', 'a')).toBe('b>c>d>e>a');
  expect(await path('a', 'a')).toBe('a');
  expect(await path('lonely', 'z')).toBe('lonely>a>x>y>z');
  expect(await path('a', 'lonely')).toBeNull();
});

test('a path leads only over what the viewer may see', async () => {
  await using catalog = await openCatalog();
  const network = await grow(catalog, 'a>s s>d a>b b>c c>d a>t t>u', {
    s: { published: false },
    t: { published: false },
  });
  const [a, d, u, s] = ['a', 'd', 'u', 's'].map(network.id);
  const path = async (role: 'admin' | 'viewer', to = '') =>
    (await lineagePath(catalog.as(role), a ?? '', to))?.map(network.name).join('>');
  expect(await path('admin', d)).toBe('a>s>d');
  expect(await path('viewer', d)).toBe('a>b>c>d');
  expect(await path('viewer', u)).toBeUndefined();
  await expect(path('viewer', s)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('a path between tables may be one between their columns', async () => {
  await using catalog = await openCatalog();
  const network = await grow(catalog, 't.a>u.x u.x>v.k t>w w>v');
  const [t, v, w] = [network.id('t'), network.id('v'), network.id('w')];
  const columns = await lineagePath(catalog.admin, t, v, 'COLUMN');
  expect(columns?.map(network.name)).toEqual(['t.a', 'u.x', 'v.k']);
  const tables = await lineagePath(catalog.admin, network.id('t.a'), v, 'TABLE');
  expect(tables).toHaveLength(3);
  expect(await lineagePath(catalog.admin, t, w, 'COLUMN')).toBeNull();
});

test('a search that is cut says so instead of denying the path', async () => {
  await using catalog = await openCatalog();
  const bush = Array.from({ length: 20 }, (_, i) => `a>b${i} b${i}>c${i}`).join(' ');
  const network = await grow(catalog, `${bush} c7>d d>e e>f`);
  const search = (places: number) =>
    lineagePath(catalog.admin, network.id('a'), network.id('f'), 'TABLE', {
      ...walkLimits,
      places,
    });
  await expect(search(3)).rejects.toMatchObject({ code: 'UNPROCESSABLE' });
  expect((await search(1_000))?.map(network.name)).toEqual(['a', 'b7', 'c7', 'd', 'e', 'f']);
});

test('unknown ends are not found', async () => {
  await using catalog = await openCatalog();
  await using other = await catalog.another();
  const mine = await catalog.resource();
  const foreign = await other.resource();
  for (const id of [foreign.id, 'nonsense', '\0']) {
    for (const [from, to] of [
      [mine.id, id],
      [id, mine.id],
    ] as const) {
      await expect(lineagePath(catalog.admin, from, to)).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
    }
  }
});
