// A key for the one who has the database, whatever became of the keys and the admins in it.

import { expect, test } from 'vitest';
import { makeAdminKey } from '../../src/people/admin-key.ts';
import { ensureFirstAdmin } from '../../src/people/first-admin.ts';
import { viewerOfKey } from '../../src/people/sign-in.ts';
import { openCatalog } from '../catalog.ts';
import { openTestDatabase } from '../database.ts';

test('an address that no one has gets an account of an admin, and a key', async () => {
  await using catalog = await openCatalog();
  const { database, workspaceId } = catalog;
  const workspace = workspaceId;
  const made = await makeAdminKey(database, { email: 'new@example.com', workspace });
  expect(made).toMatchObject({ email: 'new@example.com', workspace: 'Test', account: 'made' });
  const viewer = await viewerOfKey(database, made.key, new Date());
  expect(viewer).toMatchObject({ role: 'admin', workspaceId, email: 'new@example.com' });

  // Again, in other letters: the account is found, and the first key works on.
  const again = await makeAdminKey(database, { email: 'NEW@example.com', workspace });
  expect(again).toMatchObject({ email: 'new@example.com', account: 'as it was' });
  expect(again.key).not.toBe(made.key);
  expect(await viewerOfKey(database, made.key, new Date())).toMatchObject({ id: viewer?.id });
  expect(await viewerOfKey(database, again.key, new Date())).toMatchObject({ id: viewer?.id });
});

test('an address in letters that only some functions take for the same is somebody else', async () => {
  await using catalog = await openCatalog();
  const { database, workspaceId: workspace } = catalog;
  const { id } = await catalog.user({ email: 'änna@example.com', role: 'admin' });
  const made = await makeAdminKey(database, { email: 'ÄNNA@example.com', workspace });
  expect(made.account).toBe('made');
  expect(await viewerOfKey(database, made.key, new Date())).not.toMatchObject({ id });
});

test('an account that is no admin becomes one only where that is wanted', async () => {
  await using catalog = await openCatalog();
  const { database, workspaceId: workspace } = catalog;
  const { id, email } = await catalog.user({ role: 'editor' });
  await expect(makeAdminKey(database, { email, workspace })).rejects.toMatchObject({
    code: 'CONFLICT',
    message: `${email} has the role editor: make it an admin with --promote, or give another address.`,
  });
  expect(await database.prisma.apiKey.count({ where: { userId: id } })).toBe(0);
  const made = await makeAdminKey(database, { email, workspace, promote: true });
  expect(made.account).toBe('promoted');
  expect(await viewerOfKey(database, made.key, new Date())).toMatchObject({ id, role: 'admin' });
});

test('an account that was deactivated stays so', async () => {
  await using catalog = await openCatalog();
  const { database, workspaceId: workspace } = catalog;
  const { id, email } = await catalog.user({ role: 'admin', archived: true });
  const given = makeAdminKey(database, { email, workspace, promote: true });
  await expect(given).rejects.toThrow(`${email} was deactivated: give another address.`);
  expect(await database.prisma.apiKey.count({ where: { userId: id } })).toBe(0);
});

test('the audit log says who made what: the server itself', async () => {
  await using catalog = await openCatalog();
  const { database, workspaceId } = catalog;
  const { email } = await catalog.user({ role: 'viewer' });
  const where = { workspaceId };
  const last = await database.prisma.auditLog.aggregate({ where, _max: { sequence: true } });
  await makeAdminKey(database, { email: 'made@example.com', workspace: workspaceId });
  await makeAdminKey(database, { email, workspace: workspaceId, promote: true });
  const entries = await database.prisma.auditLog.findMany({
    where: { ...where, sequence: { gt: last._max.sequence ?? 0n } },
    orderBy: { sequence: 'asc' },
  });
  expect(entries.map(({ activityType }) => activityType).sort()).toEqual([
    'api_key_created',
    'api_key_created',
    'user_created',
    'user_updated',
  ]);
  for (const { performerType, performerId } of entries) {
    expect([performerType, performerId]).toEqual(['SYSTEM', null]);
  }
});

test('of several workspaces one has to be named, by its name or its id', async () => {
  await using test = await openTestDatabase();
  const { database } = test;
  await ensureFirstAdmin(database);
  const { id } = await database.prisma.workspace.create({ data: { name: 'Second' } });
  await database.prisma.workspace.create({ data: { name: 'Twice' } });
  await database.prisma.workspace.create({ data: { name: 'Twice' } });
  const email = 'me@example.com';
  for (const workspace of [undefined, 'Twice', 'Nothing']) {
    await expect(makeAdminKey(database, { email, workspace })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringMatching(
        /^workspace: Give the id of one of these: .*Twice \([0-9a-f-]+\)/,
      ),
    });
  }
  expect(await database.prisma.user.count({ where: { email } })).toBe(0);
  const byName = await makeAdminKey(database, { email, workspace: 'Second' });
  const byId = await makeAdminKey(database, { email, workspace: id.toUpperCase() });
  for (const { key } of [byName, byId]) {
    expect(await viewerOfKey(database, key, new Date())).toMatchObject({ workspaceId: id });
  }
});

test('in an empty database it makes what a start makes, and a start finds it', async () => {
  await using test = await openTestDatabase();
  const { database } = test;
  const email = 'me@example.com';
  const all = await Promise.all([
    ensureFirstAdmin(database, { email }),
    makeAdminKey(database, { email }),
  ]);
  expect(await database.prisma.workspace.count()).toBe(1);
  expect(await database.prisma.user.count()).toBe(1);
  expect(await database.prisma.team.count()).toBe(1);
  const where = { activityType: 'user_created' };
  expect(await database.prisma.auditLog.count({ where })).toBe(1);
  const viewer = await viewerOfKey(database, all[1].key, new Date());
  expect(viewer).toMatchObject({ role: 'admin', workspaceId: all[0].workspaceId, email });
});
