// Whose request a key makes: only of keys that work, and for how long others are believed.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forgetViewers, storedHash } from '../../src/auth/authentication.ts';
import { makeKey } from '../../src/auth/key-form.ts';
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from '../../src/people/api-key.ts';
import { viewerOfKey } from '../../src/people/sign-in.ts';
import { deactivateUser, updateUser } from '../../src/people/user.ts';
import { addTeamMembers } from '../../src/teams/member.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await openCatalog();
});
afterAll(() => catalog[Symbol.asyncDispose]());

const look = async (key: string, now = new Date()) => viewerOfKey(catalog.database, key, now);

test('a key acts for its user, with the role and teams of the user', async () => {
  const user = await catalog.user({ role: 'guest', firstName: 'Gus', lastName: 'Guest' });
  const team = await catalog.team();
  await addTeamMembers(catalog.admin, team.id, [user.id]);
  const { key, apiKey } = await createApiKey(catalog.admin, { name: 'CI', userId: user.id });
  expect(apiKey).toMatchObject({ name: 'CI', userId: user.id, prefix: key.slice(27, 35) });
  expect(await look(key)).toEqual({
    id: user.id,
    workspaceId: catalog.workspaceId,
    role: 'guest',
    email: user.email,
    firstName: 'Gus',
    lastName: 'Guest',
    teamIds: [team.id],
    performer: 'API',
    keyId: apiKey.id,
    scopes: ['READ'],
    limits: { resourceLimit: null, monitorLimit: null, writeLimit: null, storageLimitMb: null },
  });
});

test('a forged key never reaches the database', async () => {
  await look(makeKey(randomUUID()));
  const forged = [
    '',
    'x',
    'hwk_',
    `${makeKey(randomUUID()).slice(0, -1)}!`,
    'secret'.repeat(1_000),
  ];
  const { value, statements } = await catalog.counting(() =>
    Promise.all(forged.map((k) => look(k))),
  );
  expect(value).toEqual(forged.map(() => null));
  expect(statements).toEqual([]);
});

test('an unknown key is looked up once, then refused from memory', async () => {
  const key = makeKey(randomUUID());
  const { value, statements } = await catalog.counting(() =>
    Promise.all(Array.from({ length: 20 }, () => look(key))),
  );
  expect(value.every((viewer) => viewer === null)).toBe(true);
  expect(statements).toHaveLength(1);
});

test('a known key costs no statement for a while, and one write a minute at most', async () => {
  const { key, apiKey } = await createApiKey(catalog.admin, { name: 'Busy', expiresAt: null });
  const first = await catalog.counting(() => look(key, new Date('2030-01-01T10:00:30.500Z')));
  expect(first.statements).toHaveLength(2);
  const later = await catalog.counting(async () => {
    for (let i = 0; i < 100; i += 1) await look(key, new Date('2030-01-01T10:00:31Z'));
  });
  expect(later.statements).toEqual([]);
  await forgetViewers(catalog.database);
  const again = await catalog.counting(() => look(key, new Date('2030-01-01T10:00:59Z')));
  expect(again.statements).toHaveLength(1);
  const { nodes } = await listApiKeys(catalog.admin, {}, {});
  const known = nodes.find(({ id }) => id === apiKey.id);
  expect(known?.lastUsedAt).toEqual(new Date('2030-01-01T10:00:00Z'));
});

test('a revoked key is refused', async () => {
  const { key, apiKey } = await createApiKey(catalog.admin, { name: 'Leaked' });
  expect(await look(key)).not.toBeNull();
  const revoked = await revokeApiKey(catalog.admin, apiKey.id);
  expect(revoked.revokedAt).not.toBeNull();
  expect(await look(key)).toBeNull();
  expect(await revokeApiKey(catalog.admin, apiKey.id)).toEqual(revoked);
});

test('another process refuses a revoked key within five seconds', async () => {
  const { key, apiKey } = await createApiKey(catalog.admin, { name: 'Leaked elsewhere' });
  expect(await look(key)).not.toBeNull();
  // What another process revokes, this one only finds in the database.
  await catalog.database.prisma.apiKey.updateMany({
    where: { id: apiKey.id },
    data: { revokedAt: new Date() },
  });
  expect(await look(key)).not.toBeNull();
  await new Promise((resolve) => setTimeout(resolve, 3_500));
  expect(await look(key)).toBeNull();
});

test('a key ends at its time, also while it is remembered', async () => {
  const expiresAt = new Date(Date.now() + 3_600_000);
  const { key } = await createApiKey(catalog.admin, { name: 'Short', expiresAt });
  expect(await look(key, new Date(expiresAt.getTime() - 1))).not.toBeNull();
  expect(await look(key, expiresAt)).toBeNull();
  const past = createApiKey(catalog.admin, { name: 'Late', expiresAt: new Date(0) });
  await expect(past).rejects.toMatchObject({ fields: [{ field: 'expires_at' }] });
});

test('a new role counts at once, and the keys of a deactivated user are refused', async () => {
  const user = await catalog.user({ role: 'editor' });
  const { key } = await createApiKey(catalog.admin, { name: 'Theirs', userId: user.id });
  expect((await look(key))?.role).toBe('editor');
  await updateUser(catalog.admin, user.id, { role: 'viewer' });
  expect((await look(key))?.role).toBe('viewer');
  await deactivateUser(catalog.admin, user.id);
  expect(await look(key)).toBeNull();
});

test('everybody makes, lists, rotates and revokes their own keys, admins those of all active users', async () => {
  const { apiKey } = await createApiKey(catalog.admin, { name: 'Kept' });
  const other = await catalog.another();
  for (const role of ['editor', 'viewer', 'guest'] as const) {
    const ctx = catalog.as(role);
    const own = await createApiKey(ctx, { name: `of ${role}`, scopes: ['ADMIN'] });
    expect((await look(own.key))?.role).toBe(role);
    const forAdmin = createApiKey(ctx, { name: 'x', userId: catalog.idOf('admin') });
    await expect(forAdmin).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const listed = (await listApiKeys(ctx, {}, { first: 100 })).nodes;
    expect(new Set(listed.map(({ userId }) => userId))).toEqual(new Set([catalog.idOf(role)]));
    expect((await listApiKeys(ctx, { userId: catalog.idOf('admin') }, {})).nodes).toEqual([]);
    for (const end of [revokeApiKey, rotateApiKey]) {
      await expect(end(ctx, apiKey.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    expect((await rotateApiKey(ctx, own.apiKey.id)).apiKey.userId).toBe(catalog.idOf(role));
    await revokeApiKey(ctx, own.apiKey.id);
    expect(await look(own.key)).toBeNull();
  }
  for (const id of [apiKey.id, 'x']) {
    await expect(revokeApiKey(other.admin, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
  const stranger = await other.user();
  for (const userId of [stranger.id, 'x']) {
    const made = createApiKey(catalog.admin, { name: 'x', userId });
    await expect(made).rejects.toMatchObject({ fields: [{ field: 'user_id' }] });
  }
  expect((await listApiKeys(other.admin, {}, {})).nodes.map(({ id }) => id)).not.toContain(
    apiKey.id,
  );
});

test('neither the key nor its hash is listed, logged or stored in the clear', async () => {
  const { key, apiKey } = await createApiKey(catalog.admin, { name: 'Secret' });
  const { prisma } = catalog.database;
  const where = { workspaceId: catalog.workspaceId };
  const stored = await prisma.apiKey.findFirstOrThrow({ where: { id: apiKey.id } });
  const seen = JSON.stringify([await listApiKeys(catalog.admin, {}, {}), apiKey]);
  const logged = JSON.stringify(
    await prisma.auditLog.findMany({ where, omit: { sequence: true } }),
  );
  expect(JSON.stringify(stored)).not.toContain(key);
  expect(stored.hash).toMatch(/^[0-9a-f]{64}$/);
  for (const text of [seen, logged]) {
    expect(text).not.toContain(key);
    expect(text).not.toContain(stored.hash);
  }
});

test('a key expires after the days that the server has for it, unless a time is given', async () => {
  const madeAt = Date.now();
  const { apiKey } = await createApiKey(catalog.admin, { name: 'usual' });
  const days = ((apiKey.expiresAt?.getTime() ?? 0) - madeAt) / 86_400_000;
  expect(Math.abs(days - 365)).toBeLessThan(0.01);
  const lasting = await createApiKey(catalog.admin, { name: 'lasting', expiresAt: null });
  expect(lasting.apiKey.expiresAt).toBeNull();
  const forEver = { ...catalog.admin.surroundings, apiKeyDays: 0 };
  const none = await createApiKey({ ...catalog.admin, surroundings: forEver }, { name: 'none' });
  expect(none.apiKey.expiresAt).toBeNull();
});

test('of a rotated key both work until the overlap is over, and then only the new one', async () => {
  const expiresAt = new Date(Date.now() + 10 * 86_400_000);
  const integration = await catalog.integration();
  const input = { name: 'CI', scopes: ['IMPORT'], integrationId: integration.id, expiresAt };
  const old = await createApiKey(catalog.admin, input);
  const made = await rotateApiKey(catalog.admin, old.apiKey.id, 2);
  expect(made.apiKey).toMatchObject({
    name: 'CI',
    scopes: ['IMPORT'],
    integrationId: integration.id,
  });
  const now = Date.now();
  const at = (hours: number) => new Date(now + hours * 3_600_000);
  const isIn = async (hours: number) =>
    (await Promise.all([old.key, made.key].map((key) => look(key, at(hours))))).map(Boolean);
  expect([await isIn(1.9), await isIn(2.1), await isIn(241)]).toEqual([
    [true, true],
    [false, true],
    [false, false],
  ]);
  for (const hours of [-1, 0.5, 721]) {
    const refused = rotateApiKey(catalog.admin, made.apiKey.id, hours);
    await expect(refused).rejects.toMatchObject({ fields: [{ field: 'overlap_hours' }] });
  }
  await revokeApiKey(catalog.admin, made.apiKey.id);
  const gone = rotateApiKey(catalog.admin, made.apiKey.id);
  await expect(gone).rejects.toMatchObject({ code: 'CONFLICT' });
});

test('only a key with the scope IMPORT, of somebody who may import, is for an integration', async () => {
  const { id: integrationId } = await catalog.integration();
  const make = (input: object) => createApiKey(catalog.admin, { name: 'x', ...input });
  for (const [input, field] of [
    [{ scopes: ['READ'], integrationId }, 'integration_id'],
    [{ scopes: ['IMPORT'], integrationId: 'x' }, 'integration_id'],
    [{ scopes: ['IMPORT'], integrationId: randomUUID() }, 'integration_id'],
    [{ scopes: ['EVERYTHING'] }, 'scopes'],
    [{ scopes: [] }, 'scopes'],
  ] as const) {
    await expect(make(input)).rejects.toMatchObject({ fields: [{ field }] });
  }
  const forEditor = make({ scopes: ['IMPORT'], userId: catalog.idOf('editor') });
  await expect(forEditor).rejects.toMatchObject({ code: 'FORBIDDEN' });
  const scopes = ['WRITE', 'READ', 'WRITE'];
  expect((await make({ scopes })).apiKey.scopes).toEqual(['READ', 'WRITE']);
});

test('a key of an earlier version, which names no workspace, goes on', async () => {
  const old = 'hwk_0123456789ABCDEFGHIJKLMNOPQRST4PMbyp';
  const { database, workspaceId } = catalog;
  const data = { workspaceId, userId: catalog.idOf('editor'), name: 'old', prefix: '01234567' };
  await database.prisma.apiKey.create({ data: { ...data, hash: await storedHash(database, old) } });
  expect(await look(old)).toMatchObject({ role: 'editor', scopes: ['ADMIN'] });
});
