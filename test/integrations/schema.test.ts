// Integrations and small imports in GraphQL.

import { expect, test } from 'vitest';
import { openCatalog } from '../catalog.ts';
import { manifest, runResults, catalog as warehouse } from './readers/project.ts';

const importCsv = `mutation ($id: ID!, $content: String!, $dryRun: Boolean) {
  importCsv(integrationId: $id, content: $content, dryRun: $dryRun) {
    created updated staled unchanged } }`;

const csv = 'col_name,database,schema,name\nid,shop,public,orders\n';

test('a small file is imported as text, or only weighed', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration({ name: 'Warehouse' });
  const ask = async (dryRun: boolean) =>
    (await catalog.graphql(importCsv, { id, content: csv, dryRun })).data.importCsv;
  const counts = { created: 4, updated: 0, staled: 0, unchanged: 0 };
  expect(await ask(true)).toEqual(counts);
  expect(await ask(false)).toEqual(counts);
  expect(await ask(false)).toMatchObject({ created: 0, unchanged: 4 });
  const { data } = await catalog.graphql(
    '{ resources(kinds: [table]) { nodes { title integration { name } } } }',
  );
  expect(data.resources.nodes).toEqual([{ title: 'orders', integration: { name: 'Warehouse' } }]);
});

test('what is wrong with a file is said by field and line', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration();
  const { data, errors } = await catalog.graphql(importCsv, { id, content: 'a,b\n' });
  expect(data).toEqual({ importCsv: null });
  expect(errors?.[0]).toMatchObject({
    message: expect.stringMatching(/^content, line 1: "a" is not a column/),
    extensions: { code: 'BAD_REQUEST' },
  });
});

test('a project is imported with its tests, and says who fails them', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration({ type: 'dbt_core' });
  const { data } = await catalog.graphql(
    `mutation ($id: ID!, $manifest: String, $runResults: String, $catalog: String) {
      importArtifacts(integrationId: $id, manifest: $manifest, runResults: $runResults,
        catalog: $catalog) { created lineage { created } tests { created results } } }`,
    {
      id,
      manifest: JSON.stringify(manifest()),
      runResults: JSON.stringify(runResults()),
      catalog: JSON.stringify(warehouse()),
    },
  );
  expect(data.importArtifacts).toMatchObject({
    lineage: { created: 6 },
    tests: { created: 3, results: 4 },
  });
  const failing = await catalog.graphql(
    'query ($id: ID!) { failingTests(integrationId: $id) { failing warning } }',
    { id },
  );
  const idOf = async (databuilderId: string) =>
    (
      await catalog.database.prisma.resource.findFirstOrThrow({
        where: { workspaceId: catalog.workspaceId, databuilderId },
      })
    ).id;
  expect(failing.data.failingTests).toEqual({
    failing: [await idOf('model.shop.orders.order_id')],
    warning: [await idOf('model.shop.daily')],
  });
});
