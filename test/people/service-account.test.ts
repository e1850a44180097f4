// Service accounts: keys that work, of someone who is no person anywhere.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiKey } from '../../src/people/api-key.ts';
import { updateUser } from '../../src/people/user.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await openCatalog();
});
afterAll(() => catalog[Symbol.asyncDispose]());

async function make(name: string, role: string): Promise<string> {
  const { data } = await catalog.graphql(
    `mutation ($input: CreateServiceAccountInput!) { createServiceAccount(input: $input) { id role } }`,
    { input: { name, role } },
  );
  expect(data.createServiceAccount.role).toBe(role);
  return data.createServiceAccount.id;
}

test('its keys act with its role, and stop when it is deactivated', async () => {
  const userId = await make('Loader', 'editor');
  const { key } = await createApiKey(catalog.admin, { name: 'CI', userId, scopes: ['WRITE'] });
  const caller = { key };
  const { data } = await catalog.graphql('{ viewer { name role } }', {}, caller);
  expect(data.viewer).toEqual({ name: 'Loader', role: 'editor' });
  const tag = 'mutation { createTag(input: { name: "by a program" }) { id } }';
  expect((await catalog.graphql(tag, {}, caller)).errors).toBeUndefined();
  const update = `mutation ($id: ID!, $input: UpdateServiceAccountInput!) {
    updateServiceAccount(id: $id, input: $input) { name role archived version } }`;
  const change = async (input: object) =>
    (await catalog.graphql(update, { id: userId, input })).data.updateServiceAccount;
  expect(await change({ role: 'viewer', name: 'Reader' })).toMatchObject({
    ...{ name: 'Reader', role: 'viewer', version: 2 },
  });
  const refused = await catalog.graphql(tag, {}, caller);
  expect(refused.errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  await change({ archived: true });
  const ended = await catalog.graphql('{ viewer { name } }', {}, caller);
  expect(ended.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
  const list = 'query ($all: Boolean) { serviceAccounts(archived: $all) { nodes { id } } }';
  const listed = async (all: boolean) =>
    (await catalog.graphql(list, { all })).data.serviceAccounts.nodes.map(
      ({ id }: { id: string }) => id,
    );
  expect(await listed(false)).not.toContain(userId);
  expect(await listed(true)).toContain(userId);
});

test('no list of people has it, and it is nobody who owns or belongs to anything', async () => {
  const id = await make('Robot', 'editor');
  const { data } = await catalog.graphql('{ users(search: "Robot") { totalCount } }');
  expect(data.users.totalCount).toBe(0);
  const people = await catalog.rest('GET', '/user?page_size=1000');
  expect(people.body.results.map((one: { id: string }) => one.id)).not.toContain(id);
  const table = await catalog.resource();
  const group = await catalog.group();
  const refusals = [
    `updateResource(id: "${table.id}", input: { addOwnerIds: ["${id}"] }) { id }`,
    `updateResource(id: "${table.id}", input: { addSubscriberIds: ["${id}"] }) { id }`,
    `addGroupMembers(id: "${group.id}", userIds: ["${id}"]) { id }`,
    `createNotificationRule(input: { name: "x", userIds: ["${id}"] }) { id }`,
  ];
  for (const one of refusals) {
    const { errors } = await catalog.graphql(`mutation { ${one} }`);
    expect([one, errors?.[0]?.extensions.code]).toEqual([one, 'BAD_REQUEST']);
  }
  // A team decides what its members see, programs as well.
  const team = await catalog.team();
  const joined = await catalog.graphql(
    `mutation { addTeamMembers(id: "${team.id}", userIds: ["${id}"]) { id } }`,
  );
  expect(joined.errors).toBeUndefined();
  const asUser = await catalog.graphql(
    `mutation { updateUser(id: "${id}", input: { role: viewer }) { id } }`,
  );
  expect(asUser.errors?.[0]?.extensions.code).toBe('NOT_FOUND');
});

test('an admin that is a program is no admin who could let people in', async () => {
  const id = await make('Operator', 'admin');
  await createApiKey(catalog.admin, { name: 'all', userId: id, scopes: ['ADMIN'] });
  const { viewer } = catalog.admin;
  await expect(updateUser(catalog.admin, viewer.id, { role: 'viewer' })).rejects.toThrow(
    'The last admin of the workspace keeps the role',
  );
});
