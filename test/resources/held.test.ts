// What people, groups, teams and tags hold, and what glossary terms are linked with: read together for many.

import { expect, test } from 'vitest';
import { setValue } from '../../src/properties/assign.ts';
import { type Caller, type Catalog, openCatalog } from '../catalog.ts';

async function fill(catalog: Catalog) {
  const [ada, grace] = [
    await catalog.user({ firstName: 'Ada' }),
    await catalog.user({ firstName: 'Grace' }),
  ];
  const [group, team, tag] = [await catalog.group(), await catalog.team(), await catalog.tag()];
  const held = { ownerGroupIds: [group.id], teamIds: [team.id], tagIds: [tag.id] };
  for (const title of ['b', 'a', 'c']) {
    await catalog.resource({ title, ownerIds: [ada.id], ...held });
  }
  await catalog.resource({ title: 'chart', kind: 'chart', ownerIds: [ada.id, grace.id] });
  await catalog.resource({ title: 'hidden', ownerIds: [grace.id], published: false, ...held });
  return { ada, grace, group, team, tag };
}

const holding = 'first: 2) { totalCount nodes { title } pageInfo { endCursor } }';

test('what each of many people owns is listed by title, in two statements for all', async () => {
  await using catalog = await openCatalog();
  await fill(catalog);
  const query = `{ users(search: "a", first: 50) { nodes { firstName ownedResources(${holding} } } }`;
  const { value, statements } = await catalog.counting(() => catalog.graphql(query));
  expect(value.errors).toBeUndefined();
  const owned = new Map<string, unknown>(
    value.data.users.nodes.map(
      ({
        firstName,
        ownedResources,
      }: {
        firstName: string;
        ownedResources: { nodes: unknown[] };
      }) => [firstName, ownedResources],
    ),
  );
  expect(owned.get('Ada')).toMatchObject({
    totalCount: 4,
    nodes: [{ title: 'a' }, { title: 'b' }],
  });
  expect(owned.get('Grace')).toMatchObject({
    totalCount: 2,
    nodes: [{ title: 'chart' }, { title: 'hidden' }],
  });
  expect(statements.filter((text) => !/\bapi_key\b/.test(text))).toHaveLength(3);
});

test('it is narrowed and ordered like any list, and goes on where its cursor says', async () => {
  await using catalog = await openCatalog();
  const { ada } = await fill(catalog);
  const query = `query ($id: ID!, $after: String) { user(id: $id) { ownedResources(
    where: { kind: { eq: table } }, orderBy: [{ title: desc }], after: $after, ${holding} } }`;
  const first = (await catalog.graphql(query, { id: ada.id })).data.user.ownedResources;
  expect(first).toMatchObject({ totalCount: 3, nodes: [{ title: 'c' }, { title: 'b' }] });
  const after = first.pageInfo.endCursor;
  const next = (await catalog.graphql(query, { id: ada.id, after })).data.user.ownedResources;
  expect(next.nodes).toEqual([{ title: 'a' }]);
});

test('what is looked for in what a person owns is not found in what others own', async () => {
  await using catalog = await openCatalog();
  const { ada, grace } = await fill(catalog);
  const query = `query ($id: ID!) { user(id: $id) {
    ownedResources(where: { title: { contains: "a" } }, first: 5) { totalCount nodes { title } } } }`;
  const owned = async ({ id }: { id: string }) =>
    (await catalog.graphql(query, { id })).data.user.ownedResources;
  expect(await owned(ada)).toEqual({ totalCount: 2, nodes: [{ title: 'a' }, { title: 'chart' }] });
  expect(await owned(grace)).toEqual({ totalCount: 1, nodes: [{ title: 'chart' }] });
});

test('groups, teams and tags list what they hold, as far as the viewer sees it', async () => {
  await using catalog = await openCatalog();
  const { group, team, tag } = await fill(catalog);
  const query = `query ($group: ID!, $team: ID!, $tag: ID!) {
    group(id: $group) { held: ownedResources(${holding} }
    team(id: $team) { held: resources(${holding} } tag(id: $tag) { held: resources(${holding} } }`;
  const counts = async (caller: Caller) => {
    const { data } = await catalog.graphql(
      query,
      { group: group.id, team: team.id, tag: tag.id },
      caller,
    );
    return [data.group, data.team, data.tag].map((one) => one?.held.totalCount);
  };
  expect(await counts({ as: 'editor' })).toEqual([4, 4, 4]);
  expect(await counts({ as: 'viewer' })).toEqual([3, 3, 3]);
  expect(await counts({ as: 'guest' })).toEqual([undefined, undefined, 0]);
});

test('a term shows the terms and the resources that it is linked with, in either direction', async () => {
  await using catalog = await openCatalog();
  const related = await catalog.property({ name: 'Related', valueType: 'resource' });
  const means = await catalog.property({ name: 'Means', valueType: 'resource' });
  const note = await catalog.property({ name: 'Note', valueType: 'string' });
  const term = (title: string, published = true) =>
    catalog.resource({ kind: 'glossary', title, published });
  const [revenue, sales, churn, secret] = [
    await term('revenue'),
    await term('sales'),
    await term('churn'),
    await term('secret', false),
  ];
  const column = await catalog.resource({ kind: 'column', title: 'total' });
  const hidden = await catalog.resource({ kind: 'column', title: 'hidden', published: false });
  const { admin } = catalog;
  await setValue(admin, related.id, revenue.id, sales.id);
  await setValue(admin, related.id, churn.id, revenue.id);
  await setValue(admin, related.id, secret.id, revenue.id);
  await setValue(admin, means.id, column.id, revenue.id);
  await setValue(admin, means.id, hidden.id, revenue.id);
  // The same letters in a text are no link.
  await setValue(admin, note.id, sales.id, revenue.id);
  const query = `{ resources(where: { kind: { eq: glossary } }, orderBy: [{ title: asc }]) { nodes { title
    ... on GlossaryTerm { relatedTerms { title } linkedResources(where: { kind: { eq: column } }) { totalCount nodes { title } }
      customProperties { property { name } value resource { title } user { name } } } } } }`;
  const { value, statements } = await catalog.counting(() =>
    catalog.graphql(query, {}, { as: 'viewer' }),
  );
  expect(value.errors).toBeUndefined();
  const found = value.data.resources.nodes;
  expect(found.map(({ title }: { title: string }) => title)).toEqual(['churn', 'revenue', 'sales']);
  expect(found[1]).toMatchObject({
    relatedTerms: [{ title: 'churn' }, { title: 'sales' }],
    linkedResources: { totalCount: 1, nodes: [{ title: 'total' }] },
    customProperties: [{ property: { name: 'Related' }, resource: { title: 'sales' }, user: null }],
  });
  expect(found[2]).toMatchObject({
    relatedTerms: [{ title: 'revenue' }],
    linkedResources: { totalCount: 0 },
  });
  expect(found[2].customProperties).toMatchObject([{ property: { name: 'Note' }, resource: null }]);
  expect(statements.filter((text) => !/\bapi_key\b/.test(text)).length).toBeLessThanOrEqual(9);
});
