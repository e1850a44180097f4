// Cursors: those of a list lead on in each of its orders, and nothing else is taken for one.

import { expect, test } from 'vitest';
import { resourceFields } from '../../src/resources/lists/filter-fields.ts';
import { listResources, type ResourceQuery } from '../../src/resources/resource.ts';
import { openCatalog } from '../catalog.ts';

const encoded = (keys: unknown) => Buffer.from(JSON.stringify(keys)).toString('base64url');
const id = '6f1c2a1e-93b1-4c1e-9d5e-1c8a5b7f0a11';
const at = '2026-03-01 10:00:00.123+00';

test('in each order of resources one cursor after the other leads to every row once', async () => {
  await using catalog = await openCatalog();
  const { id: parentId } = await catalog.resource({ kind: 'schema', title: 'public' });
  await catalog.resource({ title: 'a "quoted", {braced} title\\', parentId, verified: true });
  await catalog.resource({ title: 'plain', externalUsage: 7, description: 'Said.' });
  await catalog.resource({ kind: 'document', title: 'dated', externalUpdatedAt: new Date() });
  const walked = async (query: ResourceQuery) => {
    const seen: string[] = [];
    for (let after: string | null = null; seen.length < 10; ) {
      const page = await listResources(catalog.admin, query, { first: 1, after });
      seen.push(...page.nodes.map((node) => node.id));
      after = page.cursorAt(-1);
      if (!page.hasNextPage) break;
    }
    return seen;
  };
  const unsorted: string[] = [];
  for (const field of Object.keys(resourceFields)) {
    for (const order of ['asc', 'desc']) {
      const query = { sort: [{ field, order }] };
      const listed = await listResources(catalog.admin, query, {}).catch(() => null);
      if (!listed) unsorted.push(field);
      else
        expect(await walked(query), `${field} ${order}`).toEqual(
          listed.nodes.map((node) => node.id),
        );
    }
  }
  expect(unsorted).not.toContain('title');
});

test('the last rows have nothing after them, those before a cursor have', async () => {
  await using catalog = await openCatalog();
  for (const title of ['a', 'b', 'c']) await catalog.resource({ title });
  const order = { sort: [{ field: 'title', order: 'asc' }] };
  const last = await listResources(catalog.admin, order, { last: 2 });
  expect(last.nodes.map(({ title }) => title)).toEqual(['b', 'c']);
  expect(last).toMatchObject({ hasPreviousPage: true, hasNextPage: false });
  const before = await listResources(catalog.admin, order, { last: 1, before: last.cursorAt(0) });
  expect(before.nodes.map(({ title }) => title)).toEqual(['a']);
  expect(before).toMatchObject({ hasPreviousPage: false, hasNextPage: true });
});

const wrong = {
  'no text of ours': 'x',
  'no list': encoded({ at }),
  'of nothing': encoded([]),
  'too short': encoded([at]),
  'too long': encoded([at, id, id]),
  'of an order by title': encoded(['orders', 'shop.orders', id]),
  'of another order of as many terms': encoded(['orders', id]),
  'not of texts': encoded([1, id]),
  'of no id': encoded([at, 'orders']),
  'of no time': encoded(['soon', id]),
};

test('a text that is no cursor of the list in this order is refused', async () => {
  await using catalog = await openCatalog();
  for (const [what, cursor] of Object.entries(wrong)) {
    for (const [field, args] of [
      ['after', { first: 1, after: cursor }],
      ['before', { last: 1, before: cursor }],
    ] as const) {
      await expect(listResources(catalog.admin, {}, args), what).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        fields: [{ field, message: expect.stringMatching(/^This is not a cursor of this list/) }],
      });
    }
  }
});
