// Teams, tags and properties as GraphQL shows them, over its own HTTP.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Catalog, openCatalog } from '../catalog.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await openCatalog();
});
afterAll(() => catalog[Symbol.asyncDispose]());

test('a team is made, changed, joined, left and deleted', async () => {
  const made = await catalog.graphql(`mutation {
    createTeam(input: { name: "Data", icon: "*", sidebarSettings: { home: false } }) {
      id type sidebarSettings { home catalog } isDefaultTeam archived
    }
  }`);
  const { id, ...team } = made.data.createTeam;
  expect(team).toEqual({
    type: 'OPEN',
    sidebarSettings: { home: false, catalog: true },
    isDefaultTeam: false,
    archived: false,
  });
  const join = 'mutation ($id: ID!) { joinTeam(id: $id) { memberIds } }';
  const joined = await catalog.graphql(join, { id }, { as: 'viewer' });
  expect(joined.data.joinTeam.memberIds).toContain(catalog.idOf('viewer'));
  const mine = '{ viewer { teamIds } teams { nodes { id name } } }';
  const seen = await catalog.graphql(mine, {}, { as: 'viewer' });
  expect(seen.data.viewer.teamIds).toEqual([id]);
  expect(seen.data.teams.nodes.map((node: { name: string }) => node.name)).toEqual([
    'Data',
    'General',
  ]);
  const close = 'mutation ($id: ID!) { updateTeam(id: $id, input: { type: CLOSED }) { type } }';
  expect((await catalog.graphql(close, { id })).data.updateTeam.type).toBe('CLOSED');
  const leave = 'mutation ($id: ID!) { leaveTeam(id: $id) { memberIds } }';
  await catalog.graphql(leave, { id }, { as: 'viewer' });
  const hidden = 'query ($id: ID!) { team(id: $id) { name } }';
  const missing = await catalog.graphql(hidden, { id }, { as: 'viewer' });
  expect(missing.errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  const gone = await catalog.graphql('mutation ($id: ID!) { archiveTeam(id: $id) { archived } }', {
    id,
  });
  expect(gone.data.archiveTeam.archived).toBe(true);
});

test('tags and teams of any number of resources cost the same statements', async () => {
  const schema = await catalog.resource({ kind: 'schema' });
  for (let i = 0; i < 4; i += 1) {
    const [tag, team] = [await catalog.tag(), await catalog.team()];
    const ownerIds = [(await catalog.user()).id];
    await catalog.resource({ parentId: schema.id, tagIds: [tag.id], teamIds: [team.id], ownerIds });
  }
  const list = `query ($parent: ID!, $first: Int!) {
    resources(parentId: $parent, first: $first) {
      nodes { tags { name } teams { name } owners { name } }
    }
  }`;
  const ask = (first: number) =>
    catalog.counting(() => catalog.graphql(list, { parent: schema.id, first }));
  await ask(1);
  const [one, four] = [await ask(1), await ask(4)];
  expect(four.value.data.resources.nodes).toHaveLength(4);
  for (const node of four.value.data.resources.nodes) {
    expect([node.tags.length, node.teams.length, node.owners.length]).toEqual([1, 1, 1]);
  }
  expect(one.statements).toHaveLength(4);
  expect(four.statements).toHaveLength(4);
});

test('a tag is made, changed, found on a resource and deleted', async () => {
  const made = await catalog.graphql(
    'mutation { createTag(input: { name: "PII", color: "#ff0000" }) { id color } }',
  );
  const { id } = made.data.createTag;
  const table = await catalog.resource({ tagIds: [id] });
  await catalog.graphql(
    'mutation ($id: ID!) { updateTag(id: $id, input: { color: "#00ff00" }) { color } }',
    { id },
  );
  const query = `query ($id: ID!, $tag: ID!) {
    tag(id: $tag) { name color }
    resource(id: $id) { tags { name color } }
    tags(first: 1) { totalCount }
  }`;
  const tag = { name: 'PII', color: '#00ff00' };
  const read = await catalog.graphql(query, { id: table.id, tag: id });
  expect(read.data).toMatchObject({ tag, resource: { tags: [tag] } });
  await catalog.graphql('mutation ($id: ID!) { deleteTag(id: $id) { id } }', { id });
  const after = await catalog.graphql(query, { id: table.id, tag: id });
  expect(after.errors?.[0]?.extensions.code).toBe('NOT_FOUND');
});

test('a property is defined, replaced, valued and deleted', async () => {
  const made = await catalog.graphql(`mutation {
    createCustomProperty(input: { name: "Tier", valueType: select, options: ["1", "2"] }) {
      id valueType options entityTypes
    }
  }`);
  const { id, ...property } = made.data.createCustomProperty;
  expect(property).toEqual({ valueType: 'select', options: ['1', '2'], entityTypes: ['all'] });
  const table = await catalog.resource();
  const set = `mutation ($id: ID!, $table: ID!, $value: String!) {
    setCustomProperty(id: $id, resourceId: $table, value: $value) {
      customProperties { value property { name } }
    }
  }`;
  const valued = await catalog.graphql(set, { id, table: table.id, value: '2' });
  expect(valued.data.setCustomProperty.customProperties).toEqual([
    { value: '2', property: { name: 'Tier' } },
  ]);
  const wrong = await catalog.graphql(set, { id, table: table.id, value: '3' });
  expect(wrong.errors).toMatchObject([
    {
      message: expect.stringContaining('"Tier" is a select'),
      extensions: { code: 'BAD_REQUEST', fields: [{ field: `properties.${id}` }] },
    },
  ]);
  const replaced = await catalog.graphql(
    `mutation ($id: ID!) {
      replaceCustomProperty(id: $id, input: { name: "Level" }) { name valueType options }
    }`,
    { id },
  );
  expect(replaced.data.replaceCustomProperty).toEqual({
    name: 'Level',
    valueType: 'string',
    options: [],
  });
  const remove = 'mutation ($id: ID!) { deleteCustomProperty(id: $id) { id } }';
  await catalog.graphql(remove, { id });
  const list = await catalog.graphql('{ customProperties { totalCount } }');
  expect(list.data.customProperties.totalCount).toBe(0);
});
