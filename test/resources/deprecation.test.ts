// Deprecation of resources: who says it, what it says, where it shows, and what becomes of it.

import { expect, test } from 'vitest';
import { mergeResources } from '../../src/integrations/claims/merge-resources.ts';
import { updateResource } from '../../src/resources/editing/edit.ts';
import { getResource } from '../../src/resources/resource.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

const deprecate = (
  catalog: Catalog,
  id: string,
  deprecation: object | null,
  as: 'editor' | 'viewer' = 'editor',
) =>
  catalog.graphql(
    `mutation ($id: ID!, $deprecation: DeprecationInput) {
      updateResource(id: $id, input: { deprecation: $deprecation }) { version
        deprecation { since note successor { title } } } }`,
    { id, deprecation },
    { as },
  );

const refusal = async (answer: ReturnType<typeof deprecate>) =>
  (await answer).errors?.map(({ extensions }) => extensions)[0];

test('an editor says since when, why and what to use instead, changes it, and ends it', async () => {
  await using catalog = await openCatalog();
  const old = await catalog.resource({ title: 'orders', published: true });
  const next = await catalog.resource({ title: 'orders_v2', published: true });
  const since = '2026-11-03T00:00:00.000Z';
  const said = { since, note: ' Rows are late. ', successorId: next.id };
  const first = await deprecate(catalog, old.id, said);
  expect(first.data.updateResource).toEqual({
    version: 2,
    deprecation: { since, note: 'Rows are late.', successor: { title: 'orders_v2' } },
  });
  // What is not said again is gone, but for the time.
  const second = await deprecate(catalog, old.id, {});
  expect(second.data.updateResource.deprecation).toEqual({ since, note: null, successor: null });
  const listed = async (deprecated: boolean) => {
    const { data } = await catalog.graphql(
      'query ($is: Boolean!) { resources(where: { deprecated: $is }) { nodes { title } } }',
      { is: deprecated },
    );
    return data?.resources.nodes.map(({ title }: { title: string }) => title);
  };
  expect([await listed(true), await listed(false)]).toEqual([['orders'], ['orders_v2']]);
  const { data } = await catalog.graphql(
    '{ auditLogs(first: 1) { nodes { activityType resourceVersion changes { field } } } }',
  );
  expect(data.auditLogs.nodes).toEqual([
    {
      ...{ activityType: 'table_updated', resourceVersion: 3 },
      changes: [{ field: 'deprecationNote' }, { field: 'successorId' }],
    },
  ]);
  expect((await deprecate(catalog, old.id, null)).data.updateResource).toEqual({
    version: 4,
    deprecation: null,
  });
  expect(await listed(true)).toEqual([]);
});

test('a successor that is not there is refused, and one that the viewer may not see is not told', async () => {
  await using catalog = await openCatalog();
  await using other = await openCatalog();
  const old = await catalog.resource({ title: 'orders', published: true });
  const secret = await catalog.resource({ title: 'secret', published: false });
  const foreign = await other.resource({ title: 'foreign' });
  expect(await refusal(deprecate(catalog, old.id, { successorId: foreign.id }))).toEqual({
    code: 'BAD_REQUEST',
    fields: [
      {
        field: 'successorId',
        message: `No resource of this workspace has the id ${foreign.id}.`,
      },
    ],
  });
  for (const successorId of ['x', old.id]) {
    expect(await refusal(deprecate(catalog, old.id, { successorId }))).toMatchObject({
      fields: [{ field: 'successorId' }],
    });
  }
  expect(await refusal(deprecate(catalog, old.id, { note: 'x'.repeat(2_001) }))).toMatchObject({
    fields: [{ field: 'note' }],
  });
  expect((await deprecate(catalog, old.id, { successorId: secret.id })).errors).toBeUndefined();
  const { data } = await catalog.graphql(
    'query ($id: ID!) { resource(id: $id) { deprecation { note successor { title } } } }',
    { id: old.id },
    { as: 'viewer' },
  );
  expect(data.resource.deprecation).toEqual({ note: null, successor: null });
  expect(await refusal(deprecate(catalog, old.id, {}, 'viewer'))).toMatchObject({
    code: 'FORBIDDEN',
  });
});

test('search ranks what is deprecated below what is not, and finds it by its state', async () => {
  await using catalog = await openCatalog();
  const first = await catalog.resource({ title: 'customers' });
  const second = await catalog.resource({ title: 'customers' });
  const found = async (query: string) => {
    const { data } = await catalog.graphql(
      'query ($q: String!) { search(query: $q) { nodes { resource { id } } } }',
      { q: query },
    );
    return data.search.nodes.map(({ resource }: { resource: { id: string } }) => resource.id);
  };
  for (const [one, other] of [
    [first.id, second.id],
    [second.id, first.id],
  ] as const) {
    await updateResource(catalog.admin, one, { deprecation: { note: 'Old' } });
    expect(await found('customers')).toEqual([other, one]);
    expect(await found('is:deprecated')).toEqual([one]);
    await updateResource(catalog.admin, one, { deprecation: null });
  }
});

test('a merge keeps what was said of either, and what took the place of the other is not deprecated by it', async () => {
  await using catalog = await openCatalog();
  const { admin } = catalog;
  const [kept, gone, old] = [
    await catalog.resource({ title: 'orders' }),
    await catalog.resource({ title: 'orders_old' }),
    await catalog.resource({ title: 'raw_orders' }),
  ];
  await updateResource(admin, gone.id, { deprecation: { successorId: kept.id } });
  await updateResource(admin, old.id, { deprecation: { successorId: gone.id } });
  await mergeResources(admin, { keep: kept.id, merge: gone.id });
  expect(await getResource(admin, kept.id)).toMatchObject({ deprecatedAt: null });
  expect(await getResource(admin, old.id)).toMatchObject({ successorId: kept.id });
});
