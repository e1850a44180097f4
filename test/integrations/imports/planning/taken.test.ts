// Keys that name something else in the catalog than in the file: the file says what its keys name.

import { expect, test } from 'vitest';
import { updateResource } from '../../../../src/resources/editing/edit.ts';
import { createQuestion } from '../../../../src/resources/questions/question.ts';
import { getResource } from '../../../../src/resources/resource.ts';
import { type Catalog, openCatalog } from '../../../catalog.ts';
import { counts, feedJsonl, listening } from '../feed.ts';
import { feedMeanwhile } from './meanwhile.ts';

const orders = { entity_type: 'table', databuilder_id: 'shop.orders', title: 'orders' };
const column = {
  ...{ entity_type: 'column', databuilder_id: 'shop.orders.id', title: 'id' },
  parent_databuilder_id: 'shop.orders',
};
const target = { entity_type: 'table', databuilder_id: 'shop.totals', title: 'totals' };
const edge = {
  from_identifier: { internal_resource: { databuilder_id: 'shop.orders' } },
  to_identifier: { internal_resource: { databuilder_id: 'shop.totals' } },
};

/** A question that has a key, as an earlier version let anybody give one. */
async function keyedQuestion(catalog: Catalog, integrationId: string) {
  const { id } = await createQuestion(catalog.as('viewer'), { title: 'taken', definition: 'mine' });
  await catalog.database.prisma.resource.update({
    where: { workspaceId_id: { workspaceId: catalog.workspaceId, id } },
    data: { integrationId, databuilderId: 'shop.orders' },
  });
  return id;
}

const byKey = ({ database, workspaceId }: Catalog, databuilderId: string) =>
  database.prisma.resource.findMany({ where: { workspaceId, databuilderId } });

test('a question that has the key of a table gives it up, and the import reports it', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  const id = await keyedQuestion(catalog, integration.id);
  const { watch, lines } = listening();
  const file = { resources: [orders, column, target], lineages: [edge] };

  const from = { id, kind: 'question', title: 'taken' };
  const expected = counts(
    { created: 3, taken: { count: 1, first: [{ key: 'shop.orders', kind: 'table', from }] } },
    { created: 1 },
  );
  const dry = await feedJsonl(catalog, integration, file, { dryRun: true });
  expect(dry).toEqual(expected);
  expect((await byKey(catalog, 'shop.orders')).map((one) => one.id)).toEqual([id]);

  expect(await feedJsonl(catalog, integration, file, { watch })).toEqual(expected);
  expect(lines).toContain(
    `The key "shop.orders" names a table now; the question taken (${id}) had it, and stays without it.`,
  );
  const [table, ...more] = await byKey(catalog, 'shop.orders');
  expect([table?.kind, more]).toEqual(['table', []]);
  const [under] = await byKey(catalog, 'shop.orders.id');
  expect(under).toMatchObject({ parentId: table?.id, titleFull: 'orders.id' });
  const edges = await catalog.database.prisma.lineageEdge.findMany({
    where: { workspaceId: catalog.workspaceId },
  });
  expect(edges.map(({ sourceId }) => sourceId)).toEqual([table?.id]);
  // What a person said stays as it was.
  expect(await getResource(catalog.as('viewer'), id)).toMatchObject({
    ...{ title: 'taken', definition: 'mine', databuilderId: null, stale: false, archived: false },
  });

  // From then on it is no one's business any more.
  const again = await feedJsonl(catalog, integration, file);
  expect(again).toEqual(counts({ unchanged: 3 }, { unchanged: 1 }));
  expect(await getResource(catalog.admin, id)).toMatchObject({ stale: false, databuilderId: null });
});

test('what a person asked is no question of the file, be it of the same key', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  const id = await keyedQuestion(catalog, integration.id);
  const asked = { entity_type: 'question', databuilder_id: 'shop.orders', title: 'imported' };
  const result = await feedJsonl(catalog, integration, { resources: [asked] });
  expect(result).toMatchObject({ created: 1, taken: { count: 1, first: [{ from: { id } }] } });
  expect(await getResource(catalog.admin, id)).toMatchObject({ title: 'taken', stale: false });
  const again = { ...asked, title: 'imported again' };
  expect(await feedJsonl(catalog, integration, { resources: [again] })).toEqual(
    counts({ updated: 1 }),
  );
});

test('a deleted question is no hindrance either', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  const id = await keyedQuestion(catalog, integration.id);
  await catalog.rest('DELETE', `/question/questions/${id}`);
  expect(await feedJsonl(catalog, integration, { resources: [orders] })).toMatchObject({
    created: 1,
    taken: { count: 1 },
  });
  expect(await byKey(catalog, 'shop.orders')).toMatchObject([{ kind: 'table', archived: false }]);
});

test.each([true, false])(
  'what an import brought as something else becomes stale, with stale=%s',
  async (stale) => {
    await using catalog = await openCatalog();
    const integration = await catalog.integration();
    const { id: monitored } = (await feedOne(catalog, integration.id)) ?? {};
    const chart = { entity_type: 'dashboard', databuilder_id: 'shop.orders', title: 'Orders' };
    const result = await feedJsonl(catalog, integration, { resources: [chart] }, { stale });
    expect(result).toMatchObject({
      created: 1,
      staled: stale ? 1 : 0,
      taken: { count: 1, first: [{ kind: 'dashboard', from: { id: monitored, kind: 'table' } }] },
    });
    expect(await getResource(catalog.admin, monitored ?? '')).toMatchObject({
      ...{ kind: 'table', stale: true, databuilderId: null, description: 'kept' },
    });
    expect(await byKey(catalog, 'shop.orders')).toMatchObject([
      { kind: 'dashboard', stale: false },
    ]);
  },
);

/** A table that an import brought, and a person described. */
async function feedOne(catalog: Catalog, integrationId: string) {
  await feedJsonl(catalog, { id: integrationId }, { resources: [orders] });
  const [table] = await byKey(catalog, 'shop.orders');
  return table && updateResource(catalog.admin, table.id, { description: 'kept' });
}

test('a table made by hand with the key is the one that the file means', async () => {
  await using catalog = await openCatalog();
  const { id: integrationId } = await catalog.integration();
  const byHand = { integrationId, databuilderId: 'shop.orders', title: 'by hand' };
  const { id } = await catalog.resource(byHand);
  const result = await feedJsonl(catalog, { id: integrationId }, { resources: [orders] });
  expect(result).toEqual(counts({ updated: 1 }));
  expect(await getResource(catalog.admin, id)).toMatchObject({ title: 'orders' });
});

test('a failed import leaves the key where it was', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  const id = await keyedQuestion(catalog, integration.id);
  const lost = { ...column, databuilder_id: 'lost', parent_databuilder_id: 'nowhere' };
  const feeding = feedJsonl(catalog, integration, { resources: [orders, lost] });
  await expect(feeding).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect((await byKey(catalog, 'shop.orders')).map((one) => one.id)).toEqual([id]);
});

test('many keys are counted, and the first hundred named', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  const lines = (entity_type: string) =>
    Array.from({ length: 120 }, (_, i) => ({
      entity_type,
      databuilder_id: `k${i}`,
      title: `t${i}`,
    }));
  await feedJsonl(catalog, integration, { resources: lines('chart') });
  const { watch, lines: log } = listening();
  const result = await feedJsonl(
    catalog,
    integration,
    { resources: lines('table') },
    { watch, force: true },
  );
  expect([result.created, result.staled, result.taken.count]).toEqual([120, 120, 120]);
  expect(result.taken.first).toHaveLength(100);
  expect(log).toContain('The same of 20 more keys.');
});

test('a table that was given the key by hand while the import compares is the one that it means', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  const hers = { title: 'hers', description: 'Mine.', databuilderId: 'shop.orders' };
  let id = '';
  const result = await feedMeanwhile(
    catalog,
    integration,
    [{ ...orders, description: 'Theirs.' }, column, target],
    async () => {
      ({ id } = await catalog.resource({ ...hers, integrationId: integration.id }));
    },
    [edge],
  );
  expect(result).toMatchObject({ created: 2, updated: 1, lineage: { created: 1 } });
  expect(await byKey(catalog, 'shop.orders')).toMatchObject([
    { id, title: 'orders', description: 'Mine.' },
  ]);
  expect(await byKey(catalog, 'shop.orders.id')).toMatchObject([{ parentId: id }]);
  const [totals] = await byKey(catalog, 'shop.totals');
  const edges = await catalog.database.prisma.lineageEdge.findMany({
    where: { workspaceId: catalog.workspaceId },
  });
  expect(edges).toMatchObject([{ sourceId: id, targetId: totals?.id }]);
});

test('something else that was given the key in the meantime gives it up, and is named', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  const given = { kind: 'dashboard' as const, title: 'Orders', databuilderId: 'shop.orders' };
  let id = '';
  const result = await feedMeanwhile(catalog, integration, [orders, column], async () => {
    ({ id } = await catalog.resource({ ...given, integrationId: integration.id }));
  });
  const from = { id, kind: 'dashboard', title: 'Orders' };
  expect(result.taken).toEqual({ count: 1, first: [{ key: 'shop.orders', kind: 'table', from }] });
  expect(await byKey(catalog, 'shop.orders')).toMatchObject([{ kind: 'table' }]);
  expect(await getResource(catalog.admin, id)).toMatchObject({ databuilderId: null, stale: false });
});
