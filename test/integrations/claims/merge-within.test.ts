// What lies in databases and tables that people merge: it lies in the one that is kept, for all who name it afterwards.

import { expect, test } from 'vitest';
import { setIntegrationAddresses } from '../../../src/integrations/addresses/set-addresses.ts';
import { mergeResources } from '../../../src/integrations/claims/merge-resources.ts';
import { openCatalog } from '../../catalog.ts';
import { feedJsonl, resourceAt } from '../imports/feed.ts';
import { look } from '../imports/permuted/look.ts';
import { csv, project } from '../imports/permuted/steps.ts';

async function openTwo() {
  const catalog = await openCatalog();
  const ids = new Map<string, string>();
  for (const [name, type] of [
    ['One', 'custom'],
    ['Two', 'custom'],
    ['Project', 'dbt_core'],
  ] as const) {
    ids.set(name, (await catalog.integration({ name, type })).id);
  }
  const idOf = (name: string) => ids.get(name) ?? '';
  const merge = async (keep: string, gone: string) =>
    mergeResources(catalog.admin, {
      keep: (await resourceAt(catalog, keep)).id,
      merge: (await resourceAt(catalog, gone)).id,
    });
  const tables = async () => (await look(catalog, ids)).tables;
  return { catalog, idOf, place: { catalog, ids }, merge, tables };
}

test.each([
  ['app', 'copy'],
  ['app.public', 'copy.public'],
])('what %s had not lies in it after %s was merged into it, under its name', async (keep, gone) => {
  const { catalog, idOf, place, merge, tables } = await openTwo();
  const copy = csv('copy.public.users', 'copy.public.orders');
  await csv('app.public.users')(place, idOf('One'));
  await copy(place, idOf('Two'));
  await merge(keep, gone);
  const { id } = await resourceAt(catalog, 'app.public.orders');
  const unchanged = { created: 0, updated: 0, staled: 0, problems: [] };
  expect(await copy(place, idOf('Two'))).toMatchObject(unchanged);
  // The others name the same.
  await csv('app.public.users', 'app.public.orders')(place, idOf('One'));
  await setIntegrationAddresses(catalog.admin, idOf('Project'), [
    { database: 'app', address: `integration:${idOf('One')}` },
  ]);
  const models = [{ name: 'orders', schema: 'public', database: 'app' }];
  await project('p', { models })(place, idOf('Project'));
  expect(await tables()).toEqual([
    'app.public.orders One +Project,Two',
    'app.public.users One +Two',
  ]);
  expect((await resourceAt(catalog, 'app.public.orders')).id).toBe(id);
  // What the merged one gets later lies there, too.
  await csv('app.public.users', 'app.public.orders', 'app.public.items')(place, idOf('One'));
  await csv('copy.public.users', 'copy.public.orders', 'copy.public.items')(place, idOf('Two'));
  expect((await tables())[0]).toBe('app.public.items One +Two');
});

test('saying where a source lies whose database was merged parts nothing of it', async () => {
  const { catalog, idOf, place, merge, tables } = await openTwo();
  await csv('app.public.users')(place, idOf('One'));
  await csv('copy.public.users', 'copy.public.orders')(place, idOf('Two'));
  await merge('app', 'copy');
  const before = await tables();
  expect(before).toEqual(['app.public.orders Two', 'app.public.users One +Two']);
  await setIntegrationAddresses(catalog.admin, idOf('One'), [
    { database: '*', address: 'postgres://db.example.com:5432' },
  ]);
  expect(await tables()).toEqual(before);
  await csv('app.public.users')(place, idOf('One'));
  await csv('copy.public.users', 'copy.public.orders')(place, idOf('Two'));
  expect(await tables()).toEqual(before);
});

test.each(['*', 'copy'])(
  'saying where %s of the merged source lies parts nothing of what was merged by hand',
  async (database) => {
    const { catalog, idOf, place, merge, tables } = await openTwo();
    const copy = csv('copy.public.users', 'copy.public.orders');
    await csv('app.public.users')(place, idOf('One'));
    await copy(place, idOf('Two'));
    await merge('app', 'copy');
    const before = await tables();
    for (const host of ['one', 'two']) {
      await setIntegrationAddresses(catalog.admin, idOf('Two'), [
        { database, address: `postgres://${host}.example.com:5432` },
      ]);
      expect(await tables()).toEqual(before);
      expect(await copy(place, idOf('Two'))).toMatchObject({ created: 0, updated: 0, staled: 0 });
    }
    expect(await tables()).toEqual(before);
  },
);

test('columns whose names differ by case alone stay apart, and go by their spelling', async () => {
  const { catalog, idOf, merge } = await openTwo();
  const lines = (database: string, ...columns: string[]) => ({
    resources: [
      { entity_type: 'table', databuilder_id: 't', title: 'users', database, schema: 'public' },
      ...columns.map((title) => ({
        ...{ entity_type: 'column', databuilder_id: `c:${title}`, title },
        parent_databuilder_id: 't',
      })),
    ],
  });
  await feedJsonl(catalog, { id: idOf('One') }, lines('app', 'id', 'name'));
  const copied = lines('copy', 'ID', 'id', 'Id', 'NAME');
  await feedJsonl(catalog, { id: idOf('Two') }, copied);
  await merge('app.public.users', 'copy.public.users');
  const columns = async () => {
    const parentId = (await resourceAt(catalog, 'app.public.users')).id;
    const found = await catalog.database.prisma.resource.findMany({ where: { parentId } });
    return found.map(({ title, stale }) => `${title}${stale ? ' stale' : ''}`).sort();
  };
  expect(await columns()).toEqual(['ID', 'Id', 'id', 'name']);
  const again = await feedJsonl(catalog, { id: idOf('Two') }, copied);
  expect(again).toMatchObject({ created: 0, updated: 0, staled: 0 });
  expect(await columns()).toEqual(['ID', 'Id', 'id', 'name']);
});
