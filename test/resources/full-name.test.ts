// Resources by their full names, and what hangs on who asks.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGroup } from '../../src/people/group.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await openCatalog();
});
afterAll(() => catalog[Symbol.asyncDispose]());

const byName = `query ($titleFull: String!, $kind: ResourceKind, $integrationId: ID) {
  resourceByName(titleFull: $titleFull, kind: $kind, integrationId: $integrationId) {
    id title childrenCount parent { title }
  }
}`;

test('a resource is found by its full name, and by no part of it', async () => {
  const schema = await catalog.resource({ kind: 'schema', title: 'public' });
  const { id } = await catalog.resource({ title: 'orders', parentId: schema.id });
  await catalog.resource({ kind: 'column', title: 'id', parentId: id });
  const asked = (titleFull: string) => catalog.graphql(byName, { titleFull });
  expect((await asked('public.orders')).data.resourceByName).toEqual({
    ...{ id, title: 'orders', childrenCount: 1, parent: { title: 'public' } },
  });
  for (const other of ['orders', 'public.order', 'PUBLIC.ORDERS', '', 'x'.repeat(5000)]) {
    const { data, errors } = await asked(other);
    expect([data, errors]).toEqual([{ resourceByName: null }, undefined]);
  }
});

test('where several have the name, the error names them; kind or integration tell them apart', async () => {
  const [one, two] = [await catalog.integration(), await catalog.integration({ name: 'Lake' })];
  const table = await catalog.resource({ title: 'sales', integrationId: one.id });
  const other = await catalog.resource({ title: 'sales', integrationId: two.id });
  const dashboard = await catalog.resource({ kind: 'dashboard', title: 'sales' });
  const titleFull = 'sales';
  const { data, errors } = await catalog.graphql(byName, { titleFull });
  expect(data).toEqual({ resourceByName: null });
  expect(errors?.[0]?.extensions.code).toBe('BAD_REQUEST');
  for (const { id } of [table, other, dashboard]) expect(errors?.[0]?.message).toContain(id);
  expect(errors?.[0]?.message).toContain(`table ${other.id} of Lake`);
  const found = async (narrowed: object) =>
    (await catalog.graphql(byName, { titleFull, ...narrowed })).data.resourceByName?.id;
  expect(await found({ kind: 'dashboard' })).toBe(dashboard.id);
  expect(await found({ kind: 'table', integrationId: two.id })).toBe(other.id);
  expect(await found({ kind: 'chart' })).toBeUndefined();
  // Only what the viewer may see counts, and integrations are not for it.
  await catalog.resource({ title: 'hours', published: false });
  const shown = await catalog.resource({ title: 'hours' });
  const asViewer = { as: 'viewer' } as const;
  const seen = await catalog.graphql(byName, { titleFull: 'hours' }, asViewer);
  expect(seen.data.resourceByName.id).toBe(shown.id);
  const several = await catalog.graphql(byName, { titleFull }, asViewer);
  expect(several.errors?.[0]?.message).toContain(other.id);
  expect(several.errors?.[0]?.message).not.toContain('Lake');
});

test('who asks finds what it owns, bookmarked, is told of and opened last', async () => {
  const as = { as: 'viewer' } as const;
  const me = catalog.idOf('viewer');
  const group = await createGroup(catalog.admin, { name: 'Analysts', memberIds: [me] });
  await catalog.resource({ title: 'a', ownerIds: [me] });
  const b = await catalog.resource({ title: 'b', ownerGroupIds: [group.id] });
  const c = await catalog.resource({ title: 'c' });
  await catalog.resource({ title: 'hidden', ownerIds: [me], published: false });
  await catalog.graphql(
    `mutation ($b: ID!, $c: ID!) {
      bookmarkResource(id: $b) { id }
      subscribeToResource(id: $c) { id }
      one: viewResource(id: $b) { id }
      two: viewResource(id: $c) { id }
      three: viewResource(id: $b) { id }
    }`,
    { b: b.id, c: c.id },
    as,
  );
  const list = 'totalCount nodes { title }';
  const { data, errors } = await catalog.graphql(
    `{ viewer { owned { ${list} } bookmarks { ${list} } subscribed { ${list} } recent { ${list} } } }`,
    {},
    as,
  );
  expect(errors).toBeUndefined();
  const titles = (...all: string[]) => ({
    totalCount: all.length,
    nodes: all.map((title) => ({ title })),
  });
  expect(data.viewer).toEqual({
    ...{ owned: titles('a', 'b'), bookmarks: titles('b'), subscribed: titles('c') },
    recent: titles('b', 'c'),
  });
  const others = await catalog.graphql('{ viewer { owned { totalCount } recent { totalCount } } }');
  expect(others.data.viewer).toEqual({ owned: { totalCount: 0 }, recent: { totalCount: 0 } });
});
