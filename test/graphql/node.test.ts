// What is found by an id: of whatever type, null with a reason, and next to what else was asked for.

import { randomUUID } from 'node:crypto';
import { isAbstractType, isNonNullType } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';
import { openCatalog } from '../catalog.ts';
import { allThings, openPlace } from '../roles/world.ts';

const node = 'query ($id: ID!) { node(id: $id) { __typename id } }';

function typesOf(name: string): string[] {
  const type = schema.getType(name);
  return isAbstractType(type) ? schema.getPossibleTypes(type).map((one) => one.name) : [];
}

test('everything with an id of its own is found by it, as the type that it is', async () => {
  await using catalog = await openCatalog();
  const { shown } = await openPlace(catalog);
  const found = new Set<string>();
  for (const thing of allThings) {
    const id = await shown.one(thing);
    const { data } = await catalog.graphql(node, { id: id.toUpperCase() });
    if (data.node === null) continue;
    expect(data.node.id).toBe(id);
    found.add(data.node.__typename);
  }
  const resources = new Set(typesOf('Resource'));
  expect(resources.size).toBeGreaterThan(10);
  const others = typesOf('Node').filter((name) => !resources.has(name));
  expect(others).toContain('Webhook');
  expect([...found].filter((name) => !resources.has(name)).sort()).toEqual(others.sort());
  expect([...found].filter((name) => resources.has(name)).length).toBeGreaterThan(10);
});

test('many are found at once, in their order, null where there is nothing to see', async () => {
  await using catalog = await openCatalog();
  const { shown, hidden } = await openPlace(catalog);
  const ids: string[] = [];
  for (const thing of allThings) ids.push(await shown.one(thing));
  const nodes = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }';
  const asked = [...ids, randomUUID(), 'x', ids[0] ?? ''];
  const { data } = await catalog.graphql(nodes, { ids: asked });
  for (const [at, id] of asked.entries()) {
    const alone = await catalog.graphql(node, { id });
    expect(data.nodes[at]).toEqual(alone.data.node);
  }
  const secrets: string[] = [];
  for (const thing of ['table', 'monitor', 'incident', 'team'] as const) {
    secrets.push(await hidden.one(thing));
  }
  for (const thing of ['webhook', 'integration', 'job'] as const) {
    secrets.push(await shown.one(thing));
  }
  const seen = await catalog.graphql(nodes, { ids: secrets }, { as: 'guest' });
  expect(seen.data.nodes).toEqual(secrets.map(() => null));
  const many = await catalog.graphql(nodes, { ids: Array.from({ length: 101 }, () => 'x') });
  expect(many.errors?.[0]?.message).toContain('at most 100');
});

test('a node has all fields of its type, counts and links included', async () => {
  await using catalog = await openCatalog();
  const parent = await catalog.resource();
  await catalog.resource({ kind: 'column', parentId: parent.id });
  const team = await catalog.team({ name: 'Finance' });
  const { data, errors } = await catalog.graphql(
    `query ($table: ID!, $team: ID!) {
      table: node(id: $table) { ... on Resource { title childrenCount } ... on Table { columns { title } } }
      team: node(id: $team) { ... on Team { name } }
    }`,
    { table: parent.id, team: team.id },
  );
  expect(errors).toBeUndefined();
  expect(data.table).toMatchObject({ title: parent.title, childrenCount: 1 });
  expect(data.table.columns).toHaveLength(1);
  expect(data.team).toEqual({ name: 'Finance' });
});

test('what there is not and what one may not see are null with the same sentence', async () => {
  await using catalog = await openCatalog();
  await using other = await catalog.another();
  const { hidden, shown } = await openPlace(catalog);
  const sentence = async (id: string) => {
    const { data, errors = [] } = await catalog.graphql(node, { id }, { as: 'viewer' });
    expect(data).toEqual({ node: null });
    return errors.map(({ message, extensions: { code }, path }) => [
      message.replace(id, 'ID'),
      code,
      path,
    ]);
  };
  const unknown = await sentence(randomUUID());
  expect(unknown).toEqual([['Node ID was not found.', 'NOT_FOUND', ['node']]]);
  for (const id of [
    await hidden.one('table'),
    await shown.one('webhook'),
    await shown.one('integration'),
    (await other.tag()).id,
  ]) {
    expect(await sentence(id)).toEqual(unknown);
  }
  expect((await catalog.graphql(node, { id: 'secret' })).errors?.[0]?.message).toBe(
    'Node not found.',
  );
});

test('every root field that takes an id is nullable', () => {
  const byId = Object.values(schema.getQueryType()?.getFields() ?? {}).filter(({ args }) =>
    args.some(({ type }) => /^\[?ID!/.test(String(type)) && isNonNullType(type)),
  );
  expect(byId.length).toBeGreaterThan(15);
  expect(byId.filter(({ type }) => isNonNullType(type)).map(({ name }) => name)).toEqual([]);
});

test('one that is not found leaves the others as they are', async () => {
  await using catalog = await openCatalog();
  const tag = await catalog.tag({ name: 'kept' });
  const { data, errors = [] } = await catalog.graphql(
    `query ($tag: ID!, $no: ID!) {
      tag(id: $tag) { name }
      monitor(id: $no) { id } incident(id: $no) { id } job(id: $no) { id } team(id: $no) { id }
      user(id: $no) { id } group(id: $no) { id } webhook(id: $no) { id } integration(id: $no) { id }
      lineage(from: [$no]) { truncated } impact(of: [$no]) { truncated } missing: tag(id: $no) { id }
      comments(resourceId: $no) { totalCount }
      lineageMoments(from: [$no]) lineageChanges(from: [$no], since: "2020-01-01T00:00:00Z") { truncated }
    }`,
    { tag: tag.id, no: randomUUID() },
  );
  const { tag: kept, ...rest } = data;
  expect(kept).toEqual({ name: 'kept' });
  expect(Object.values(rest)).toEqual(Array(14).fill(null));
  expect(errors.map(({ extensions: { code } }) => code)).toEqual(Array(14).fill('NOT_FOUND'));
  expect(errors.map(({ path }) => path?.[0]).sort()).toEqual(Object.keys(rest).sort());
});
