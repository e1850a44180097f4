// Lists of many owners: how often what they are asked with is looked at.

import { expect, test } from 'vitest';
import type { Kind } from '../../src/resources/kind.ts';
import { loadChildPage } from '../../src/resources/loaders.ts';
import { openCatalog } from '../catalog.ts';

/** A list of kinds, and how often it was written as JSON. */
function counted(kinds: Kind[]) {
  const written = { times: 0 };
  const toJSON = () => {
    written.times += 1;
    return [...kinds];
  };
  return { kinds: Object.assign(kinds, { toJSON }), written };
}

test('what all rows ask with is written once, and read in one statement', async () => {
  await using catalog = await openCatalog();
  const ctx = catalog.admin;
  const { kinds, written } = counted(['column']);
  const other = counted(['table']);
  const owners = await Promise.all(
    Array.from({ length: 5 }, () => catalog.resource({ kind: 'table' })),
  );
  for (const { id: parentId } of owners) await catalog.resource({ kind: 'column', parentId });
  const { value, statements } = await catalog.counting(() =>
    Promise.all(
      owners.flatMap(({ id }) => [
        loadChildPage(ctx, id, { kinds }, { first: 1 }),
        loadChildPage(ctx, id, { kinds: other.kinds }, { first: 1 }),
        loadChildPage(ctx, id, { kinds }, { first: 2 }),
      ]),
    ),
  );
  expect(value.map(({ nodes, size }) => [nodes.length, size])).toEqual(
    owners.flatMap(() => [
      [1, 1],
      [0, 1],
      [1, 2],
    ]),
  );
  expect([written.times, other.written.times]).toEqual([2, 1]);
  expect(statements).toHaveLength(3);
});

test('lists that show other columns are read apart', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.resource({ kind: 'table' });
  // Long ones: short columns are read along once a process has told many selections apart.
  const definition = 'of one piece';
  await catalog.resource({ kind: 'column', parentId: id, definition });
  const read = async (field: string) => {
    const query = { kinds: ['column'] as const, shown: new Set([field]) };
    return (await loadChildPage(catalog.admin, id, query, { first: 1 })).nodes[0];
  };
  const [said, made] = await Promise.all([read('definition'), read('sql')]);
  expect([said?.definition, said?.sql]).toEqual([definition, undefined]);
  expect([made?.definition, made?.sql]).toEqual([undefined, null]);
});

test('a cursor that is longer than any of ours is not read', async () => {
  await using catalog = await openCatalog();
  const cursor = Buffer.from(JSON.stringify(['x'.repeat(200_000)])).toString('base64url');
  const { errors } = await catalog.graphql(
    'query ($after: String) { resources(first: 1, after: $after) { nodes { id } } }',
    { after: cursor },
  );
  expect(errors?.[0]?.message).toMatch(/^after: This is not a cursor of this list/);
});
