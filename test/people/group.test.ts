// Groups: users who own resources together.

import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createGroup,
  deleteGroup,
  getGroup,
  listGroups,
  updateGroup,
} from '../../src/people/group.ts';
import { deactivateUser } from '../../src/people/user.ts';
import { getResource } from '../../src/resources/resource.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await openCatalog();
});
afterAll(() => catalog[Symbol.asyncDispose]());

test('a group has members, which a change replaces', async () => {
  const [ann, bob] = [await catalog.user(), await catalog.user()];
  const group = await createGroup(catalog.admin, { name: 'Finance', memberIds: [ann.id, ann.id] });
  expect(group).toMatchObject({ name: 'Finance', description: '', memberIds: [ann.id] });
  const changed = await updateGroup(catalog.admin, group.id, { memberIds: [bob.id] });
  expect(changed).toMatchObject({ name: 'Finance', memberIds: [bob.id] });
  expect(await getGroup(catalog.as('viewer'), group.id)).toEqual(changed);
  expect((await listGroups(catalog.as('viewer'), {})).nodes).toMatchObject([changed]);
});

test('members are active users of the workspace', async () => {
  const other = await catalog.another();
  const stranger = await other.user();
  const gone = await catalog.user();
  await catalog.database.prisma.user.update({
    where: { workspaceId_id: { workspaceId: catalog.workspaceId, id: gone.id } },
    data: { archived: true },
  });
  for (const [id, said] of [
    [stranger.id, `No active user of this workspace has the id ${stranger.id}.`],
    [gone.id, `No active user of this workspace has the id ${gone.id}.`],
    ['a secret', 'Use an id, which is a UUID.'],
  ] as const) {
    const made = createGroup(catalog.admin, { name: 'Strangers', memberIds: [id] });
    await expect(made).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      fields: [{ field: 'members', message: said }],
    });
  }
});

test('who was deactivated may stay a member, and joins nothing', async () => {
  const [ann, bob] = [await catalog.user(), await catalog.user()];
  const memberIds = [ann.id, bob.id];
  const group = await createGroup(catalog.admin, { name: 'Leavers', memberIds });
  const other = await catalog.group();
  await deactivateUser(catalog.admin, bob.id);
  const path = `/auth/group/${group.id}`;
  const { body } = await catalog.rest('GET', path);
  expect(body.members).toContain(bob.id);
  const again = await catalog.rest('PATCH', path, { body: { ...body, description: 'Left' } });
  expect([again.status, again.body.members]).toEqual([200, memberIds]);
  const added = await updateGroup(catalog.admin, group.id, { addMemberIds: memberIds });
  expect(added.memberIds).toEqual(memberIds);
  const refused = { code: 'BAD_REQUEST', fields: [{ field: 'members' }] };
  const joining = updateGroup(catalog.admin, other.id, { memberIds });
  await expect(joining).rejects.toMatchObject(refused);
  const without = await updateGroup(catalog.admin, group.id, { memberIds: [ann.id] });
  expect(without.memberIds).toEqual([ann.id]);
});

test('a name is one group', async () => {
  const group = await catalog.group({ name: 'Sales' });
  const second = await catalog.group();
  const refused = { code: 'CONFLICT' };
  await expect(createGroup(catalog.admin, { name: 'Sales' })).rejects.toMatchObject(refused);
  await expect(updateGroup(catalog.admin, second.id, { name: 'Sales' })).rejects.toMatchObject(
    refused,
  );
  expect(await updateGroup(catalog.admin, group.id, { name: 'Sales' })).toMatchObject({
    name: 'Sales',
  });
});

test('a deleted group owns nothing', async () => {
  const [group, kept] = [await catalog.group(), await catalog.group()];
  const table = await catalog.resource({ ownerGroupIds: [group.id, kept.id] });
  const integration = await catalog.integration();
  await catalog.database.prisma.integration.update({
    where: { workspaceId_id: { workspaceId: catalog.workspaceId, id: integration.id } },
    data: { previewAccessGroups: [group.id, kept.id] },
  });
  await deleteGroup(catalog.admin, group.id);
  expect((await getResource(catalog.admin, table.id)).ownerGroupIds).toEqual([kept.id]);
  const after = await catalog.database.prisma.integration.findFirst({
    where: { id: integration.id },
  });
  expect(after?.previewAccessGroups).toEqual([kept.id]);
  await expect(getGroup(catalog.admin, group.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('only admins make, change and delete groups; guests do not read them', async () => {
  const group = await catalog.group();
  const refused = { code: 'FORBIDDEN' };
  for (const role of ['editor', 'viewer', 'guest'] as const) {
    const ctx = catalog.as(role);
    await expect(createGroup(ctx, { name: 'x' })).rejects.toMatchObject(refused);
    await expect(updateGroup(ctx, group.id, {})).rejects.toMatchObject(refused);
    await expect(deleteGroup(ctx, group.id)).rejects.toMatchObject(refused);
  }
  await expect(getGroup(catalog.as('guest'), group.id)).rejects.toMatchObject(refused);
  await expect(listGroups(catalog.as('guest'), {})).rejects.toMatchObject(refused);
});

test('the viewer finds its own groups, by name; guests find none', async () => {
  const asked = async (as: 'admin' | 'viewer' | 'guest') =>
    (await catalog.graphql('{ viewer { groups { name } } }', {}, { as })).data.viewer.groups;
  const [viewer, guest] = [catalog.idOf('viewer'), catalog.idOf('guest')];
  await createGroup(catalog.admin, { name: 'Stewards', memberIds: [viewer, guest] });
  await createGroup(catalog.admin, { name: 'Keepers', memberIds: [viewer] });
  expect(await asked('viewer')).toEqual([{ name: 'Keepers' }, { name: 'Stewards' }]);
  expect(await asked('admin')).toEqual([]);
  expect(await asked('guest')).toEqual([]);
});

test('an id of another workspace, or that is no id, is not found', async () => {
  const other = await catalog.another();
  const group = await catalog.group();
  const missing = { code: 'NOT_FOUND' };
  for (const id of [group.id, 'x']) {
    await expect(getGroup(other.admin, id)).rejects.toMatchObject(missing);
    await expect(updateGroup(other.admin, id, { name: 'x' })).rejects.toMatchObject(missing);
    await expect(deleteGroup(other.admin, id)).rejects.toMatchObject(missing);
  }
  expect(await getGroup(catalog.admin, group.id)).toEqual(group);
});
