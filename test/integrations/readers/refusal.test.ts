// Files that cannot be imported: what is wrong is said by its line, and nothing is half done.

import { expect, test } from 'vitest';
import { openCatalog } from '../../catalog.ts';
import { edge, feed, type Row, row, scratchTables, shop, stateOf } from './shop.ts';

const table = (key: string, parent: string) => row('table', key, { parent_databuilder_id: parent });
const document = (key: string, parent: string) =>
  row('document', key, { parent_databuilder_id: parent });

test.each<[string, Row[], string]>([
  [
    'an unknown parent',
    [table('x', 'nowhere')],
    'line 6: parent_databuilder_id names "nowhere", which is neither in this file nor in the integration.',
  ],
  [
    'a parent of a wrong kind',
    [table('x', 'shop')],
    'line 6: parent_databuilder_id is a database, which cannot hold a table; only a schema can.',
  ],
  [
    'a parent where there can be none',
    [row('query', 'x', { parent_databuilder_id: 'shop' })],
    'line 6: parent_databuilder_id is a database, which cannot hold a query; nothing can.',
  ],
  [
    'a circle of parents',
    [document('a', 'b'), document('b', 'c'), document('c', 'a'), document('d', 'a')],
    'makes a circle of parents: ',
  ],
  ['a parent of itself', [document('a', 'a')], 'line 6: parent_databuilder_id makes a circle'],
  [
    'an endless ladder of parents',
    [
      row('document', 'n0'),
      ...Array.from({ length: 70 }, (_, i) => document(`n${i + 1}`, `n${i}`)),
    ],
    'lies deeper than 64 levels below its outermost ancestor.',
  ],
  [
    'an unknown field',
    [{ ...row('table', 'x'), colour: 'red' }],
    'line 6: "colour" is not a field',
  ],
])('%s is refused with its line, and nothing is half done', async (_name, rows, message) => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration();
  await feed(catalog.admin, id, { resources: [row('query', 'known')] });
  const before = await stateOf(catalog);
  const importing = feed(catalog.admin, id, { resources: [...shop, ...rows] });
  const error = await importing.catch((thrown) => thrown);
  expect(error).toMatchObject({ code: 'BAD_REQUEST' });
  expect(error.message).toMatch(/^resources_file, line \d+: /);
  expect(error.message).toContain(message);
  expect(await stateOf(catalog)).toEqual(before);
  expect(await scratchTables(catalog)).toBe(0);
});

test('a circle that leads through the catalog is refused, too', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration();
  const ladder = [row('document', 'a'), document('b', 'a'), document('c', 'b')];
  await feed(catalog.admin, id, { resources: ladder });
  const before = await stateOf(catalog);
  await expect(
    feed(catalog.admin, id, { resources: [document('a', 'c')] }, { stale: false }),
  ).rejects.toMatchObject({ code: 'BAD_REQUEST', message: expect.stringContaining('circle') });
  expect(await stateOf(catalog)).toEqual(before);
});

test('a mistake in the lineage file undoes the resources, too', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.integration();
  const before = await stateOf(catalog);
  const lineages = [edge('customers', 'orders'), { from_identifier: 5 }];
  await expect(feed(catalog.admin, id, { resources: shop, lineages })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringContaining(
      'lineages_file, line 2: from_identifier must be a JSON object',
    ),
  });
  expect(await stateOf(catalog)).toEqual(before);
});
