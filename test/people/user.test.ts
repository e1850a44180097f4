// Users: who may add and change them, and why an admin always remains.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiKey } from '../../src/people/api-key.ts';
import {
  createUser,
  deactivateUser,
  getUser,
  listUsers,
  updateUser,
} from '../../src/people/user.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await openCatalog();
});
afterAll(() => catalog[Symbol.asyncDispose]());

test('an admin adds a user, a viewer unless told otherwise', async () => {
  const user = await createUser(catalog.admin, { email: ' ann@example.com ', firstName: 'Ann' });
  expect(user).toMatchObject({
    email: 'ann@example.com',
    firstName: 'Ann',
    lastName: '',
    role: 'viewer',
    archived: false,
  });
  expect(await getUser(catalog.as('viewer'), user.id)).toEqual(user);
  const log = await catalog.database.prisma.auditLog.findMany({ where: { resourceId: user.id } });
  expect(log).toMatchObject([{ activityType: 'user_created', resourceType: 'user' }]);
});

test('an address is one user, however it is spelled', async () => {
  await createUser(catalog.admin, { email: 'bob@example.com' });
  const again = createUser(catalog.admin, { email: 'BOB@Example.com' });
  await expect(again).rejects.toMatchObject({ code: 'CONFLICT' });
  const eve = await catalog.user();
  const taken = updateUser(catalog.admin, eve.id, { email: 'Bob@example.com' });
  await expect(taken).rejects.toMatchObject({ code: 'CONFLICT' });
  const elsewhere = await catalog.another();
  await createUser(elsewhere.admin, { email: 'bob@example.com' });
});

test.each([
  ['email', { email: 'nobody' }],
  ['email', {}],
  ['email', { email: `${'x'.repeat(250)}@example.com` }],
  ['role', { email: 'c@example.com', role: 'owner' }],
  ['first_name', { email: 'c@example.com', firstName: 'a\0b' }],
  ['avatar_url', { email: 'c@example.com', avatarUrl: 'javascript:alert(1)' }],
])('a wrong %s is refused by name', async (field, input) => {
  await expect(createUser(catalog.admin, input)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    fields: [{ field }],
  });
});

test('only admins add, change and deactivate; others change their own profile', async () => {
  const user = await catalog.user();
  for (const role of ['editor', 'viewer', 'guest'] as const) {
    const ctx = catalog.as(role);
    const refused = { code: 'FORBIDDEN' };
    await expect(createUser(ctx, { email: 'd@example.com' })).rejects.toMatchObject(refused);
    await expect(updateUser(ctx, user.id, { firstName: 'X' })).rejects.toMatchObject(refused);
    await expect(deactivateUser(ctx, user.id)).rejects.toMatchObject(refused);
    const own = catalog.idOf(role);
    await expect(updateUser(ctx, own, { role: 'admin' })).rejects.toMatchObject(refused);
    await expect(updateUser(ctx, own, { archived: false })).rejects.toMatchObject(refused);
    expect(await updateUser(ctx, own, { title: 'Analyst' })).toMatchObject({
      title: 'Analyst',
      role,
    });
  }
});

test('guests read no one but themselves', async () => {
  const user = await catalog.user();
  const guest = catalog.as('guest');
  await expect(getUser(guest, user.id)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(listUsers(guest, {}, {})).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect((await getUser(guest, catalog.idOf('guest'))).role).toBe('guest');
});

test('users are listed newest first and found by name or address', async () => {
  await using other = await openCatalog();
  const zoe = await other.user({ firstName: 'Zoe', lastName: '100%' });
  const old = await other.user({ firstName: 'Old' });
  await deactivateUser(other.admin, old.id);
  const ids = async (query: object) =>
    (await listUsers(other.admin, query, {})).nodes.map(({ id }) => id);
  expect((await ids({}))[0]).toBe(zoe.id);
  expect(await ids({})).not.toContain(old.id);
  expect((await ids({ archived: true }))[0]).toBe(old.id);
  expect(await ids({ search: 'zoe 100%' })).toEqual([zoe.id]);
  expect(await ids({ search: '_oe' })).toEqual([]);
  expect(await ids({ search: zoe.email.toUpperCase() })).toEqual([zoe.id]);
});

test('the last admin keeps the role and stays', async () => {
  await using other = await openCatalog();
  const me = other.idOf('admin');
  const refused = { code: 'CONFLICT' };
  await expect(updateUser(other.admin, me, { role: 'editor' })).rejects.toMatchObject(refused);
  await expect(deactivateUser(other.admin, me)).rejects.toMatchObject(refused);
  const second = await other.user({ role: 'admin' });
  await deactivateUser(other.admin, second.id);
  await expect(deactivateUser(other.admin, me)).rejects.toMatchObject(refused);
  await updateUser(other.admin, second.id, { archived: false });
  await createApiKey(other.admin, {
    ...{ name: 'second', userId: second.id, scopes: ['ADMIN'], expiresAt: null },
  });
  expect(await updateUser(other.admin, me, { role: 'editor' })).toMatchObject({ role: 'editor' });
});

test('of two admins who leave at once one stays', async () => {
  await using other = await openCatalog();
  const second = await other.user({ role: 'admin' });
  const results = await Promise.allSettled([
    deactivateUser(other.admin, other.idOf('admin')),
    updateUser(other.contextOf(second), second.id, { role: 'viewer' }),
  ]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const admins = await other.database.prisma.user.count({
    where: { workspaceId: other.workspaceId, role: 'admin', archived: false },
  });
  expect(admins).toBe(1);
});

test('an id of another workspace, or that is no id, is not found', async () => {
  const other = await catalog.another();
  const user = await catalog.user();
  const missing = { code: 'NOT_FOUND' };
  for (const id of [user.id, 'x', '']) {
    await expect(getUser(other.admin, id)).rejects.toMatchObject(missing);
    await expect(updateUser(other.admin, id, { role: 'admin' })).rejects.toMatchObject(missing);
    await expect(deactivateUser(other.admin, id)).rejects.toMatchObject(missing);
  }
  expect(await getUser(catalog.admin, user.id)).toEqual(user);
});
