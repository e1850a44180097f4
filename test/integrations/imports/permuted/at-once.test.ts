// What integrations and people do to one table at the same time.

import { expect, test } from 'vitest';
import { mergeResources } from '../../../../src/integrations/claims/merge-resources.ts';
import { updateResource } from '../../../../src/resources/editing/edit.ts';
import { getResource } from '../../../../src/resources/resource.ts';
import { openCatalog } from '../../../catalog.ts';
import { feedCsv, resourceAt } from '../feed.ts';
import { look } from './look.ts';
import { csv, makeIntegrations, project } from './steps.ts';

const model = (who: string) =>
  project(who, { models: [{ name: 'core', description: `Core, says ${who}` }] });

async function openFour() {
  const catalog = await openCatalog();
  const ids = await makeIntegrations(catalog, [
    { name: 'W', type: 'custom' },
    ...['A', 'B', 'C'].map((name) => ({ name, type: 'dbt_core' })),
  ]);
  return { catalog, ids, idOf: (name: string) => ids.get(name) ?? '', place: { catalog, ids } };
}

test('imports that bring one table at once make one table, and find out where it lies', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { catalog, ids, idOf, place } = await openFour();
    await Promise.all([
      csv('wh.core.core')(place, idOf('W')),
      ...['A', 'B', 'C'].map((name) => model(name.toLowerCase())(place, idOf(name))),
    ]);
    expect((await look(catalog, ids)).tables).toEqual(['wh.core.core W +A,B,C']);
    const { prisma } = catalog.database;
    const { workspaceId } = catalog;
    expect(await prisma.databaseAddress.findMany({ where: { workspaceId } })).toMatchObject([
      { adapter: 'duckdb', database: 'wh', address: `integration:${idOf('W')}` },
    ]);
  }
});

test('what people write during imports of several describers stays', async () => {
  const { catalog, idOf, place, ids } = await openFour();
  await csv('wh.core.core')(place, idOf('W'));
  const { id } = await resourceAt(catalog, 'wh.core.core');
  await Promise.all([
    model('a')(place, idOf('A')),
    model('b')(place, idOf('B')),
    updateResource(catalog.admin, id, { definition: 'Written by a person' }),
  ]);
  expect((await look(catalog, ids)).tables).toEqual(['wh.core.core W +A,B written']);
});

test('a merge and edits of both at once lose no text', async () => {
  const { catalog, idOf } = await openFour();
  const row = (database: string) => `database,schema,name,col_name\n${database},public,users,id`;
  await feedCsv(catalog, { id: idOf('W') }, row('app'));
  const other = await catalog.integration();
  await feedCsv(catalog, other, row('copy'));
  const kept = await resourceAt(catalog, 'app.public.users');
  const gone = await resourceAt(catalog, 'copy.public.users');
  await Promise.all([
    mergeResources(catalog.admin, { keep: kept.id, merge: gone.id }),
    updateResource(catalog.admin, gone.id, { definition: 'Written on the one' }),
    updateResource(catalog.admin, kept.id, { description: 'Written on the other' }),
  ]);
  expect(await getResource(catalog.admin, gone.id)).toMatchObject({
    ...{ id: kept.id, definition: 'Written on the one', description: 'Written on the other' },
  });
});

test('who may not see a table sees neither who describes it nor what they are called', async () => {
  const { catalog, idOf, place } = await openFour();
  await csv('wh.core.core')(place, idOf('W'));
  await model('a')(place, idOf('A'));
  const { id } = await resourceAt(catalog, 'wh.core.core');
  const query = `query ($id: ID!) { resource(id: $id) {
    describers { key integration { name } } madeBy { name } missingFrom { name } mergedFrom } }`;
  const asked = (as: 'admin' | 'viewer') => catalog.graphql(query, { id }, { as });
  expect((await asked('admin')).data.resource).toEqual({
    describers: [
      { key: 'table:wh.core.core', integration: { name: 'W' } },
      { key: 'model.a.core', integration: { name: 'A' } },
    ],
    ...{ madeBy: { name: 'A' }, missingFrom: [], mergedFrom: [] },
  });
  // Viewers read no integrations; what is not published they do not read at all.
  expect((await asked('viewer')).data.resource).toMatchObject({
    describers: [{ integration: null }, { integration: null }],
    madeBy: null,
  });
  await updateResource(catalog.admin, id, { published: false });
  expect((await asked('viewer')).data?.resource ?? null).toBeNull();
});

test('a thousand columns of one source make no claim', async () => {
  const { catalog, idOf } = await openFour();
  const rows = Array.from({ length: 1_000 }, (_, at) => `wh,core,wide,c${at}`);
  await feedCsv(catalog, { id: idOf('W') }, ['database,schema,name,col_name', ...rows].join('\n'));
  const where = { workspaceId: catalog.workspaceId };
  expect(await catalog.database.prisma.resourceClaim.count({ where })).toBe(0);
  expect(await catalog.database.prisma.resource.count({ where: { ...where, shared: true } })).toBe(
    0,
  );
});

test('merges of two into each other and imports of both at once leave one, under both ids', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { catalog, ids, idOf, place } = await openFour();
    const other = await catalog.integration({ name: 'O' });
    ids.set('O', other.id);
    const [app, copy] = [csv('app.public.users', 'app.public.a'), csv('copy.public.users')];
    await app(place, idOf('W'));
    await copy(place, other.id);
    const wider = 'database,schema,name,col_name\ncopy,public,users,id\ncopy,public,users,email';
    const one = (await resourceAt(catalog, 'app.public.users')).id;
    const two = (await resourceAt(catalog, 'copy.public.users')).id;
    const merge = (keep: string, gone: string) =>
      mergeResources(catalog.admin, { keep, merge: gone }).catch((error: unknown) => error);
    const ended = await Promise.all([
      merge(one, two),
      merge(two, one),
      app(place, idOf('W')),
      feedCsv(catalog, other, wider),
      updateResource(catalog.admin, two, { definition: 'Written by a person' }),
    ]);
    expect(ended.slice(0, 2)).toContainEqual(
      expect.objectContaining({ code: 'BAD_REQUEST', fields: [expect.anything()] }),
    );
    await Promise.all([app(place, idOf('W')), feedCsv(catalog, other, wider)]);
    const [left, right] = await Promise.all([one, two].map((id) => getResource(catalog.admin, id)));
    expect(left).toEqual(right);
    expect(left).toMatchObject({ definition: 'Written by a person', stale: false });
    expect((await look(catalog, ids)).tables).toEqual([
      'app.public.a W',
      expect.stringMatching(/^(app|copy)\.public\.users W \+O written$/),
    ]);
    expect(catalog.unexpected).toEqual([]);
  }
});
