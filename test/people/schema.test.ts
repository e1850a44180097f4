// People and keys as GraphQL shows them, over its own HTTP.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { enqueueJob } from '../../src/jobs/job.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await openCatalog();
});
afterAll(() => catalog[Symbol.asyncDispose]());

test('a key that was made in GraphQL asks as its user, until it is revoked', async () => {
  const made = await catalog.graphql(
    `mutation {
      createUser(input: { email: "ann@example.com", firstName: "Ann", role: editor }) {
        id role name
      }
    }`,
  );
  const user = made.data.createUser;
  expect(user).toMatchObject({ role: 'editor', name: 'Ann' });
  const create = `mutation ($id: ID!) {
    createApiKey(input: { name: "CI", userId: $id }) { key apiKey { id prefix user { id } revokedAt } }
  }`;
  const { key, apiKey } = (await catalog.graphql(create, { id: user.id })).data.createApiKey;
  expect(apiKey).toMatchObject({
    prefix: key.slice(27, 35),
    user: { id: user.id },
    revokedAt: null,
  });

  const query = '{ viewer { id role name workspace { id name } } }';
  const asked = await catalog.graphql(query, {}, { key });
  const workspace = { id: catalog.workspaceId, name: 'Test' };
  expect(asked.data.viewer).toEqual({ id: user.id, role: 'editor', name: 'Ann', workspace });

  await catalog.graphql('mutation ($id: ID!) { revokeApiKey(id: $id) { revokedAt } }', {
    id: apiKey.id,
  });
  for (const refused of [key, null, 'forged']) {
    const answer = await catalog.graphql(query, {}, { key: refused });
    expect(answer.data ?? null).toBeNull();
    expect(answer.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
  }
  const keys = await catalog.graphql('{ apiKeys { nodes { id prefix lastUsedAt } } }');
  expect(JSON.stringify(keys)).not.toContain(key);
  expect(keys.data.apiKeys.nodes[0]).toMatchObject({ id: apiKey.id });
  expect(keys.data.apiKeys.nodes[0].lastUsedAt).not.toBeNull();
});

test('users and groups are made, changed, read and let go of', async () => {
  const { data } = await catalog.graphql(
    `mutation ($ids: [ID!]) {
      createGroup(input: { name: "Finance", memberIds: $ids }) { id members { id } }
    }`,
    { ids: [catalog.idOf('viewer')] },
  );
  const { id } = data.createGroup;
  expect(data.createGroup.members).toEqual([{ id: catalog.idOf('viewer') }]);
  const changed = await catalog.graphql(
    `mutation ($id: ID!, $user: ID!) {
      updateGroup(id: $id, input: { description: "Money" }) { description }
      updateUser(id: $user, input: { title: "Analyst", role: null }) { title role }
    }`,
    { id, user: catalog.idOf('viewer') },
  );
  expect(changed.errors?.[0]).toMatchObject({
    extensions: { code: 'BAD_REQUEST', fields: [{ field: 'role' }] },
  });
  const read = await catalog.graphql(
    `query ($id: ID!) {
      group(id: $id) { name description }
      groups { totalCount }
      users(search: "viewer", first: 5) { nodes { id email archived } }
    }`,
    { id },
    { as: 'viewer' },
  );
  expect(read.data).toEqual({
    group: { name: 'Finance', description: 'Money' },
    groups: { totalCount: 1 },
    users: {
      nodes: [{ id: catalog.idOf('viewer'), email: 'viewer@example.com', archived: false }],
    },
  });
  const gone = await catalog.graphql(
    `mutation ($id: ID!, $admin: ID!) {
      deleteGroup(id: $id) { id }
      deactivateUser(id: $admin) { id }
    }`,
    { id, admin: catalog.idOf('admin') },
  );
  expect(gone.errors).toMatchObject([
    { path: ['deactivateUser'], extensions: { code: 'CONFLICT' } },
  ]);
});

test('a guest learns of no owner but itself, not even by its id', async () => {
  const team = await catalog.team();
  const group = await catalog.group();
  await catalog.graphql(
    'mutation ($id: ID!, $ids: [ID!]!) { addTeamMembers(id: $id, userIds: $ids) { id } }',
    { id: team.id, ids: [catalog.idOf('guest')] },
  );
  const table = await catalog.resource({
    teamIds: [team.id],
    ownerIds: [catalog.idOf('admin'), catalog.idOf('guest')],
    ownerGroupIds: [group.id],
  });
  const query = `query ($id: ID!) {
    resource(id: $id) { owners { id } ownerGroups { id } teams { id members { id } } }
  }`;
  const seen = await catalog.graphql(query, { id: table.id }, { as: 'guest' });
  expect(seen.data.resource).toEqual({
    owners: [{ id: catalog.idOf('guest') }],
    ownerGroups: [],
    teams: [{ id: team.id, members: [{ id: catalog.idOf('guest') }] }],
  });
  const users = await catalog.graphql('{ users { totalCount } }', {}, { as: 'guest' });
  expect(users.errors?.[0]?.extensions.code).toBe('FORBIDDEN');
});

test('a job knows who started it', async () => {
  const { job } = await enqueueJob(catalog.as('editor'), { kind: 'schema test', title: 'Sync' });
  const query = 'query ($id: ID!) { job(id: $id) { title state failed user { email } } }';
  const { data } = await catalog.graphql(query, { id: job.id });
  expect(data.job).toEqual({
    title: 'Sync',
    state: 'queued',
    failed: false,
    user: { email: 'editor@example.com' },
  });
  const cancel = 'mutation ($id: ID!) { cancelJob(id: $id) { state failed } }';
  const cancelled = await catalog.graphql(cancel, { id: job.id });
  expect(cancelled.data.cancelJob).toEqual({ state: 'cancelled', failed: true });
  const list = await catalog.graphql(
    '{ jobs(kind: "schema test", states: [cancelled]) { totalCount } }',
  );
  expect(list.data.jobs.totalCount).toBe(1);
});
