// What lies in databases and tables that people merge: it lies in the one that is kept, for all who name it afterwards.

import { expect, test } from 'vitest';
import { setIntegrationAddresses } from '../../../src/integrations/addresses/set-addresses.ts';
import { mergeResources } from '../../../src/integrations/claims/merge-resources.ts';
import { createResource } from '../../../src/resources/editing/edit.ts';
import { getResource } from '../../../src/resources/resource.ts';
import { openCatalog } from '../../catalog.ts';
import { feedJsonl, resourceAt } from '../imports/feed.ts';
import { look } from '../imports/permuted/look.ts';
import { csv, deleted, makeWarehouses, project } from '../imports/permuted/steps.ts';

async function openTwo() {
  const catalog = await openCatalog();
  const ids = new Map<string, string>();
  for (const [name, type] of [
    ['One', 'custom'],
    ['Two', 'custom'],
    ['Project', 'dbt_core'],
    ['Other project', 'dbt_core'],
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

test('the source whose names are kept may move, and move again', async () => {
  const { catalog, idOf, place, merge, tables } = await openTwo();
  const [app, copy] = [csv('app.public.users'), csv('copy.public.users', 'copy.public.orders')];
  await app(place, idOf('One'));
  await copy(place, idOf('Two'));
  await merge('app.public.users', 'copy.public.users');
  const before = await tables();
  expect(before).toEqual(['app.public.users One +Two', 'copy.public.orders Two']);
  for (const addresses of [
    [{ database: '*', address: 'postgres://one.example.com:5432' }],
    [{ database: 'app', address: 'postgres://two.example.com:5432' }],
    [
      { database: '*', address: 'postgres://three.example.com:5432' },
      { database: 'app', address: 'postgres://four.example.com:5432' },
    ],
    [],
  ]) {
    await setIntegrationAddresses(catalog.admin, idOf('One'), addresses);
    expect(await tables()).toEqual(before);
    for (const [step, name] of [
      [copy, 'Two'],
      [app, 'One'],
    ] as const) {
      expect(await step(place, idOf(name))).toMatchObject({ created: 0, updated: 0, staled: 0 });
    }
  }
  expect(await tables()).toEqual(before);
});

test.each([
  ['app.public.users', 'copy.public.users'],
  ['app.public', 'copy.public'],
])('a source whose %s alone was merged says where it lies', async (keep, gone) => {
  const { catalog, idOf, place, merge, tables } = await openTwo();
  const copy = csv('copy.public.users', 'copy.public.orders', 'copy.other.items');
  await csv('app.public.users')(place, idOf('One'));
  await copy(place, idOf('Two'));
  await merge(keep, gone);
  const before = await tables();
  for (const host of ['one', 'two']) {
    const address = `postgres://${host}.example.com:5432`;
    await setIntegrationAddresses(catalog.admin, idOf('Two'), [{ database: '*', address }]);
    expect(await tables()).toEqual(before);
    expect(await copy(place, idOf('Two'))).toMatchObject({ created: 0, updated: 0, staled: 0 });
  }
  expect(await tables()).toEqual(before);
});

test('a warehouse that is merged is reached by another host, and another one after that', async () => {
  const { catalog, idOf, place, merge, tables } = await openTwo();
  await using warehouses = await makeWarehouses({
    now: [
      'create schema core',
      'create table core.users (id integer)',
      'create table core.items (id integer)',
    ],
  });
  const { id } = await catalog.integration({ name: 'Warehouse', type: 'duckdb' });
  const app = csv('app.public.users');
  await app(place, idOf('One'));
  await warehouses.sync('now')(place, id);
  await merge('app.public.users', 'wh.core.users');
  const before = await tables();
  expect(before).toEqual(['app.public.users deleted +One', 'wh.core.items deleted']);
  for (const path of ['other/wh.duckdb', 'third/wh.duckdb']) {
    await warehouses.sync('now', path)(place, id);
    expect(await tables()).toEqual(before);
    expect(await app(place, idOf('One'))).toMatchObject({ created: 0, updated: 0, staled: 0 });
  }
  expect(await tables()).toEqual(before);
});

test('what a project calls otherwise stays one when it says where its database lies', async () => {
  const { catalog, idOf, place, merge, tables } = await openTwo();
  const models = [
    { name: 'users', schema: 'public', database: 'copy' },
    { name: 'orders', schema: 'public', database: 'copy' },
  ];
  const copy = project('p', { models });
  await csv('app.public.users')(place, idOf('One'));
  await copy(place, idOf('Project'));
  await merge('app.public.users', 'copy.public.users');
  const before = await tables();
  expect(before).toEqual(['app.public.users One +Project', 'copy.public.orders Project']);
  for (const host of ['one', 'two']) {
    const address = `postgres://${host}.example.com:5432`;
    await setIntegrationAddresses(catalog.admin, idOf('Project'), [{ database: 'copy', address }]);
    expect(await tables()).toEqual(before);
    expect(await copy(place, idOf('Project'))).toMatchObject({ created: 0, updated: 0, staled: 0 });
  }
});

test('a source that turns out to be a third one brings what that has into what was merged', async () => {
  const { catalog, idOf, place, merge, tables } = await openTwo();
  const three = (await catalog.integration({ name: 'Three' })).id;
  const [app, copy] = [csv('app.public.users'), csv('copy.public.users', 'copy.public.orders')];
  await app(place, idOf('One'));
  await copy(place, idOf('Two'));
  await merge('app.public.users', 'copy.public.users');
  const { id } = await resourceAt(catalog, 'app.public.users');
  await copy(place, three);
  await setIntegrationAddresses(catalog.admin, idOf('Two'), [
    { database: '*', address: `integration:${three}` },
  ]);
  const expected = ['app.public.users One +Two,deleted', 'copy.public.orders Two +deleted'];
  expect(await tables()).toEqual(expected);
  for (const again of [
    () => copy(place, three),
    () => copy(place, idOf('Two')),
    () => app(place, idOf('One')),
  ]) {
    expect(await again()).toMatchObject({ created: 0, updated: 0, staled: 0 });
  }
  expect(await tables()).toEqual(expected);
  expect((await resourceAt(catalog, 'app.public.users')).id).toBe(id);
});

test.each(['One', 'Two'])(
  'when %s of two merged sources is deleted the other goes on to describe what was merged',
  async (deletes) => {
    const { catalog, idOf, place, merge, tables } = await openTwo();
    const [app, copy] = [csv('app.public.users'), csv('copy.public.users', 'copy.public.orders')];
    const models = [{ name: 'users', schema: 'public', database: 'app' }];
    const named = project('p', { models });
    await app(place, idOf('One'));
    await copy(place, idOf('Two'));
    await named(place, idOf('Project'));
    await merge('app', 'copy');
    const users = (await resourceAt(catalog, 'app.public.users')).id;
    await deleted(place, idOf(deletes));
    const at = await catalog.database.prisma.resource.findMany({
      where: { workspaceId: catalog.workspaceId, address: { contains: idOf(deletes) } },
    });
    expect(at.map(({ titleFull }) => titleFull)).toEqual([]);
    const [left, step] = deletes === 'One' ? ['Two', copy] : ['One', app];
    const expected =
      deletes === 'One'
        ? ['copy.public.orders Two', 'copy.public.users Two +Project']
        : ['app.public.users One +Project'];
    expect(await tables()).toEqual(expected);
    for (const again of [() => step(place, idOf(left)), () => named(place, idOf('Project'))]) {
      expect(await again()).toMatchObject({ created: 0, updated: 0, staled: 0 });
      expect(await tables()).toEqual(expected);
    }
    expect((await getResource(catalog.admin, users)).stale).toBe(false);
  },
);

test.each([
  ['Two', 'wh.core.users Two +Project'],
  ['Other project', 'wh.core.users Project +Other project'],
])('what lay in a deleted source is where %s goes on to name it', async (name, expected) => {
  const { catalog, idOf, place, tables } = await openTwo();
  const models = [{ name: 'users' }];
  const naming = [
    ['Project', project('p', { models })],
    [name, name === 'Two' ? csv('wh.core.users') : project('q', { models })],
  ] as const;
  await csv('wh.core.users', 'wh.raw.items')(place, idOf('One'));
  for (const [who, step] of naming) {
    await setIntegrationAddresses(catalog.admin, idOf(who), [
      { database: 'wh', address: `integration:${idOf('One')}` },
    ]);
    await step(place, idOf(who));
  }
  const parentId = (await resourceAt(catalog, 'wh.raw')).id;
  const byHand = { title: 'by_hand', parentId };
  const { id } = await createResource(catalog.admin, 'table', byHand);
  await deleted(place, idOf('One'));
  const dead = { workspaceId: catalog.workspaceId, address: { contains: idOf('One') } };
  const { prisma } = catalog.database;
  expect(await prisma.resource.findMany({ where: dead })).toEqual([]);
  expect(await prisma.integrationAddress.findMany({ where: dead })).toEqual([]);
  expect(await tables()).toEqual(['by_hand -', expected]);
  for (const [who, step] of naming) {
    const unchanged = { created: 0, updated: 0, staled: 0 };
    expect(await step(place, idOf(who))).toMatchObject(unchanged);
  }
  expect(await tables()).toEqual(['by_hand -', expected]);
  expect((await getResource(catalog.admin, id)).stale).toBe(false);
});

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
