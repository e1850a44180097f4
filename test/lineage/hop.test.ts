import { expect, test } from 'vitest';
import { loaderOf } from '../../src/database/loader.ts';
import { downstreamOf, upstreamOf } from '../../src/lineage/hop.ts';
import { archiveResource } from '../../src/resources/editing/archive.ts';
import { openCatalog } from '../catalog.ts';
import { grow } from './network.ts';

test('the first hop of any number of resources is one statement a direction', async () => {
  await using catalog = await openCatalog();
  const bush = Array.from({ length: 50 }, (_, i) => `s${i}>t${i} t${i}>u${i} t${i}>v`).join(' ');
  const network = await grow(catalog, bush);
  const ids = Array.from({ length: 50 }, (_, i) => network.id(`t${i}`));
  const ctx = catalog.admin;
  const { value, statements } = await catalog.counting(() =>
    Promise.all([
      ...ids.map((id) => loaderOf(ctx, upstreamOf).load(id)),
      ...ids.map((id) => loaderOf(ctx, downstreamOf).load(id)),
    ]),
  );
  expect(statements).toHaveLength(2);
  expect(value[7]?.map(({ title }) => title)).toEqual(['s7']);
  expect(value[57]?.map(({ title }) => title)).toEqual(['u7', 'v']);
});

test('the first hop shows each neighbour once, and only what the viewer may see', async () => {
  await using catalog = await openCatalog();
  const network = await grow(catalog, 'a>b a>c a>s a>gone t.k>u.k', { s: { published: false } });
  await network.draw('a>b', { origin: 'QUERY' });
  await archiveResource(catalog.admin, network.id('gone'));
  const titles = async (role: 'admin' | 'viewer', name: string) => {
    const id = network.id(name);
    return (await downstreamOf(catalog.as(role), [id])).get(id)?.map(({ title }) => title);
  };
  expect(await titles('admin', 'a')).toEqual(['b', 'c', 's']);
  expect(await titles('viewer', 'a')).toEqual(['b', 'c']);
  expect(await titles('admin', 't')).toEqual(['u']);
  expect(await titles('admin', 't.k')).toEqual(['u.k']);
  expect(await titles('admin', 'c')).toEqual([]);
});

test('the first hop of a resource of another workspace is empty', async () => {
  await using catalog = await openCatalog();
  await using other = await catalog.another();
  const network = await grow(catalog, 'a>b');
  const id = network.id('a');
  expect((await downstreamOf(other.admin, [id])).get(id)).toEqual([]);
});
