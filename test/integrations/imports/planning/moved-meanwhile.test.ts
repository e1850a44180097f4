// What people move, rename and delete while an import is under way, and where it puts things then.

import { expect, test } from 'vitest';
import { transaction } from '../../../../src/database/transaction.ts';
import type { Resource } from '../../../../src/generated/prisma/client.ts';
import { archiveResource, restoreResource } from '../../../../src/resources/editing/archive.ts';
import { updateResource } from '../../../../src/resources/editing/edit.ts';
import { type Catalog, openCatalog } from '../../../catalog.ts';
import { counts, feedJsonl, refusal } from '../feed.ts';
import { feedMeanwhile, untilSomebodyWaits } from './meanwhile.ts';

const line = (entity_type: string, key: string, parent?: string, more: object = {}) => ({
  ...{ entity_type, databuilder_id: key, title: key },
  ...(parent === undefined ? {} : { parent_databuilder_id: parent }),
  ...more,
});

/** The resource that has a key. */
function at({ database, workspaceId }: Catalog, databuilderId: string): Promise<Resource> {
  return database.prisma.resource.findFirstOrThrow({ where: { workspaceId, databuilderId } });
}

async function fed(resources: readonly object[], alone = false) {
  const catalog = await openCatalog(alone ? { alone: true, maxConnections: 10 } : {});
  const integration = await catalog.integration();
  await feedJsonl(catalog, integration, { resources });
  return { catalog, integration, idOf: async (key: string) => (await at(catalog, key)).id };
}

const groups = [line('dashboard_group', 'g1'), line('dashboard_group', 'g2')];
const shown = [...groups, line('dashboard', 'd', 'g1'), line('chart', 'c', 'd')];

test('a title and a place that the file says nothing of are those that people gave in the meantime', async () => {
  const { catalog, integration, idOf } = await fed(shown);
  await using _catalog = catalog;
  const parentId = await idOf('g2');
  const dashboard = { entity_type: 'dashboard', databuilder_id: 'd', external_usage: 5 };
  const chart = line('chart', 'c', 'd', { description: 'New.' });
  const next = [...groups, dashboard, chart, line('chart', 'added', 'd')];

  const result = await feedMeanwhile(catalog, integration, next, async () =>
    updateResource(catalog.admin, await idOf('d'), { parentId, title: 'Mine' }),
  );

  expect(result).toMatchObject({ created: 1, updated: 2 });
  const moved = { parentId, title: 'Mine', titleFull: 'g2.Mine' };
  expect(await at(catalog, 'd')).toMatchObject({ ...moved, externalUsage: 5 });
  expect(await at(catalog, 'c')).toMatchObject({ titleFull: 'g2.Mine.c', description: 'New.' });
  expect(await at(catalog, 'added')).toMatchObject({ titleFull: 'g2.Mine.added' });
});

test('so is a place that the file leaves as it was, until the next import', async () => {
  const { catalog, integration, idOf } = await fed(shown);
  await using _catalog = catalog;
  const next = [...groups, line('dashboard', 'd', 'g1', { external_usage: 5 }), shown[3] ?? {}];
  await feedMeanwhile(catalog, integration, next, async () =>
    updateResource(catalog.admin, await idOf('d'), { parentId: await idOf('g2') }),
  );
  expect(await at(catalog, 'd')).toMatchObject({ titleFull: 'g2.d', externalUsage: 5 });
  expect(await at(catalog, 'c')).toMatchObject({ titleFull: 'g2.d.c' });

  expect(await feedJsonl(catalog, integration, { resources: next })).toMatchObject({ updated: 2 });
  expect(await at(catalog, 'd')).toMatchObject({ titleFull: 'g1.d', parentId: await idOf('g1') });
  expect(await at(catalog, 'c')).toMatchObject({ titleFull: 'g1.d.c' });
});

const schemas = [line('schema', 's1'), line('schema', 's2')];
const warehouse = [...schemas, line('table', 't', 's1'), line('column', 'i', 't')];
/** The table is in the other schema, and has another column. */
const elsewhere = [
  ...[...schemas, line('table', 't', 's2', { title: 'Orders' })],
  ...[line('column', 'i', 't'), line('column', 'j', 't')],
];

test('what the file moves has the names that its new place was given in the meantime', async () => {
  const { catalog, integration, idOf } = await fed(warehouse);
  await using _catalog = catalog;
  const by = { kind: 'column', parentId: await idOf('t'), title: 'by hand' } as const;
  const { id } = await catalog.resource(by);
  await feedMeanwhile(catalog, integration, elsewhere, async () =>
    updateResource(catalog.admin, await idOf('s2'), { title: 'Sales' }),
  );
  const place = { schemaName: 'Sales', tableName: 'Orders' };
  expect(await at(catalog, 't')).toMatchObject({ titleFull: 'Sales.Orders', schemaName: 'Sales' });
  expect(await at(catalog, 'i')).toMatchObject({ titleFull: 'Sales.Orders.i', ...place });
  expect(await at(catalog, 'j')).toMatchObject({ titleFull: 'Sales.Orders.j', ...place });
  const byHand = await catalog.database.prisma.resource.findFirstOrThrow({ where: { id } });
  expect(byHand).toMatchObject({ titleFull: 'Sales.Orders.by hand', ...place });
});

test('what lies in something that the file renames is renamed with it, named there or not', async () => {
  const { catalog, integration } = await fed(shown);
  await using _catalog = catalog;
  const dashboard = { entity_type: 'dashboard', databuilder_id: 'd' };
  const renamed = line('dashboard_group', 'g1', undefined, { title: 'G' });
  const next = [renamed, line('dashboard_group', 'g2'), dashboard];
  await feedJsonl(catalog, integration, { resources: next });
  expect(await at(catalog, 'd')).toMatchObject({ titleFull: 'G.d' });
  expect(await at(catalog, 'c')).toMatchObject({ titleFull: 'G.d.c', stale: true });
});

const terms = [line('glossary', 'x'), line('glossary', 'y')];
const under = [line('glossary', 'x'), line('glossary', 'y', 'x')];

test('an import and a person who move two things into each other make no circle', async () => {
  const { catalog, integration, idOf } = await fed(terms);
  await using _catalog = catalog;
  const parentId = await idOf('y');
  const feeding = feedMeanwhile(catalog, integration, under, async () =>
    updateResource(catalog.admin, await idOf('x'), { parentId }),
  );
  const refused = { code: 'BAD_REQUEST', field: 'parent_databuilder_id' };
  expect(await refusal(feeding)).toMatchObject(refused);
  expect(await at(catalog, 'y')).toMatchObject({ parentId: null, titleFull: 'y' });
  expect(await at(catalog, 'x')).toMatchObject({ parentId, titleFull: 'y.x' });
  const unmoved = counts({ unchanged: 2 });
  expect(await feedJsonl(catalog, integration, { resources: terms })).toEqual(unmoved);
});

test('an import that moves something waits for the one who is moving something else', async () => {
  const { catalog, integration, idOf } = await fed(terms, true);
  await using _catalog = catalog;
  const [x, parentId] = [await idOf('x'), await idOf('y')];
  let goOn = () => {};
  const isWaitedFor = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let move: Promise<void> = Promise.resolve();
  const feeding = feedMeanwhile(
    catalog,
    integration,
    under,
    () =>
      new Promise<void>((done) => {
        move = transaction(catalog.admin, async (tx) => {
          await updateResource(tx, x, { parentId });
          done();
          await isWaitedFor;
        });
      }),
  );
  const refused = refusal(feeding);
  await untilSomebodyWaits(catalog);
  goOn();
  await move;
  expect(await refused).toMatchObject({ code: 'BAD_REQUEST', field: 'parent_databuilder_id' });
  expect(await at(catalog, 'y')).toMatchObject({ parentId: null });
});

test('a circle through something new and something that the file leaves out is none either', async () => {
  const { catalog, integration } = await fed([terms[0] ?? {}, line('glossary', 'within', 'x')]);
  await using _catalog = catalog;
  const resources = [line('glossary', 'new', 'within'), line('glossary', 'x', 'new')];
  const feeding = feedJsonl(catalog, integration, { resources }, { dryRun: true, stale: false });
  expect(await refusal(feeding)).toMatchObject({ code: 'BAD_REQUEST' });
});

test.each(['before the import', 'meanwhile'])(
  'what the file moves into something that was deleted %s is deleted and restored with it',
  async (when) => {
    const { catalog, integration, idOf } = await fed(warehouse);
    await using _catalog = catalog;
    const { admin } = catalog;
    const schema = await idOf('s2');
    const drop = () => archiveResource(admin, schema);
    if (when === 'meanwhile') await feedMeanwhile(catalog, integration, elsewhere, drop);
    else {
      await drop();
      await feedJsonl(catalog, integration, { resources: elsewhere });
    }
    const { archivedAt } = await at(catalog, 's2');
    expect(archivedAt).not.toBeNull();
    for (const key of ['t', 'i', 'j']) {
      expect(await at(catalog, key)).toMatchObject({ archived: true, archivedAt });
    }
    expect(await at(catalog, 's1')).toMatchObject({ archived: false });
    expect(await feedJsonl(catalog, integration, { resources: elsewhere })).toMatchObject({
      ...{ created: 0, updated: 0, staled: 0 },
    });

    await restoreResource(admin, schema);
    expect(await at(catalog, 't')).toMatchObject({ archived: false, parentId: schema });
    expect(await at(catalog, 'j')).toMatchObject({ archived: false, titleFull: 's2.Orders.j' });
  },
);
