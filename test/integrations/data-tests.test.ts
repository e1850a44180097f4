// What a project tests of a table is shown on it: failing tests first, those of its columns too.

import { expect, test } from 'vitest';
import { openCatalog } from '../catalog.ts';

test('a table shows its tests and those of its columns, a column its own, to who may see them', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration({ type: 'dbt_core' });
  const table = await catalog.resource({ title: 'orders' });
  const column = await catalog.resource({ kind: 'column', parentId: table.id, title: 'amount' });
  const { workspaceId, database } = catalog;
  const of = (key: string, status: string | null, more = {}) => ({
    ...{ workspaceId, integrationId: integration.id, key, name: key, status },
    ...{ resourceId: table.id, message: `Got ${key}`, ...more },
  });
  await database.prisma.dataTest.createMany({
    data: [
      of('a passes', 'pass'),
      of('b warns', 'warn'),
      of('c fails', 'fail', { columnId: column.id, failures: 3 }),
      of('d is gone', 'fail', { stale: true }),
    ],
  });
  const ask = (as: 'admin' | 'viewer') =>
    catalog.graphql(
      `query($table: ID!, $column: ID!) {
        table: resource(id: $table) { ... on Table { dataTests { name status failures message } } }
        column: resource(id: $column) { ... on Column { dataTests { name } } }
      }`,
      { table: table.id, column: column.id },
      { as },
    );
  const { data } = await ask('admin');
  expect(data.table.dataTests).toEqual([
    { name: 'c fails', status: 'fail', failures: 3, message: 'Got c fails' },
    { name: 'b warns', status: 'warn', failures: null, message: 'Got b warns' },
    { name: 'a passes', status: 'pass', failures: null, message: 'Got a passes' },
  ]);
  expect(data.column.dataTests).toEqual([{ name: 'c fails' }]);
  const seen = (await ask('viewer')).data;
  expect(seen.table.dataTests.map(({ message }: { message: string }) => message)).toEqual([
    ...[null, null, null],
  ]);
  await database.prisma.resource.update({
    where: { workspaceId_id: { workspaceId: catalog.workspaceId, id: column.id } },
    data: { published: false },
  });
  const less = (await ask('viewer')).data;
  expect(less.table.dataTests.map(({ name }: { name: string }) => name)).toEqual([
    ...['b warns', 'a passes'],
  ]);
});
