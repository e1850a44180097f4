// The columns of a table, in pages.

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { openCatalog } from '../catalog.ts';

const query = `query ($id: ID!, $first: Int!, $after: ID) {
  resource(id: $id) { ... on Table { columns(first: $first, after: $after) { id title } } } }`;

test('columns are listed to the last one, in their order, with those without a place at the end', async () => {
  await using catalog = await openCatalog();
  const table = await catalog.resource({ title: 'wide' });
  const other = await catalog.resource({ title: 'other' });
  const column = (title: string, sortOrder: number | null, parentId = table.id) =>
    catalog.resource({ kind: 'column', title, sortOrder, parentId });
  for (const title of ['z', 'y']) await column(title, null);
  for (const [at, title] of ['e', 'd', 'c', 'b', 'a'].entries()) await column(title, at);
  // Two of the same place, by title.
  await column('aa', 4);
  const elsewhere = await column('elsewhere', 0, other.id);

  const pages: string[][] = [];
  let after: string | null = null;
  for (let at = 0; at < 5; at += 1) {
    const { data, errors } = await catalog.graphql(query, { id: table.id, first: 3, after });
    expect(errors).toBeUndefined();
    const { columns } = data.resource;
    pages.push(columns.map(({ title }: { title: string }) => title));
    after = columns.at(-1)?.id ?? after;
  }
  expect(pages).toEqual([['e', 'd', 'c'], ['b', 'a', 'aa'], ['y', 'z'], [], []]);

  for (const strange of [elsewhere.id, randomUUID()]) {
    const { data } = await catalog.graphql(query, { id: table.id, first: 3, after: strange });
    expect(data.resource.columns).toEqual([]);
  }
  const { errors } = await catalog.graphql(query, { id: table.id, first: 3, after: '7' });
  expect(errors).toMatchObject([
    { extensions: { code: 'BAD_REQUEST', fields: [{ field: 'after' }] } },
  ]);
});
