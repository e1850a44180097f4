// An empty database gets a workspace and an admin once, and somebody who starts it a key that works.

import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { blocksOf } from '../../src/audit/metadata.ts';
import { type KeyFile, keyFileIn } from '../../src/auth/key-file.ts';
import { isWellFormedKey } from '../../src/auth/key-form.ts';
import { contextFor } from '../../src/context.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import { listApiKeys, makeApiKey, revokeApiKey } from '../../src/people/api-key.ts';
import {
  checkChosenKey,
  ensureFirstAdmin,
  type FirstAdminOptions,
} from '../../src/people/first-admin.ts';
import { viewerOfKey } from '../../src/people/sign-in.ts';
import { openTestDatabase } from '../database.ts';

let folder: string;
let file: KeyFile;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-key-'));
  file = keyFileIn(folder);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A start in a terminal; the key that it shows. */
async function start(database: Database, options: FirstAdminOptions = {}): Promise<string> {
  const { key } = await ensureFirstAdmin(database, options);
  return key.state === 'made' ? key.key : key.state;
}

/** What the log says, in its order; all of it was done by the server itself. */
async function entriesOf({ prisma }: Database): Promise<string[]> {
  const entries = await prisma.auditLog.findMany({ orderBy: { sequence: 'asc' } });
  return entries.map(({ performerType, performerId, keyId, eventBlocks }) => {
    expect([performerType, performerId, keyId]).toEqual(['SYSTEM', null, null]);
    return blocksOf({ eventBlocks })[0]?.value ?? '';
  });
}

const use = async (database: Database, key: string) => viewerOfKey(database, key, new Date());

test('processes that start at once make one workspace, one admin, and a key for each', async () => {
  await using test = await openTestDatabase();
  const { database } = test;
  const racers = await Promise.all(Array.from({ length: 4 }, () => ensureFirstAdmin(database)));
  const workspaces = await database.prisma.workspace.findMany();
  expect(workspaces.map(({ name }) => name)).toEqual(['Headwater']);
  expect(new Set(racers.map(({ workspaceId }) => workspaceId))).toEqual(
    new Set(workspaces.map(({ id }) => id)),
  );
  const users = await database.prisma.user.findMany();
  expect(users).toMatchObject([{ email: 'admin@localhost', role: 'admin' }]);
  expect(await database.prisma.team.findMany()).toMatchObject([
    { name: 'General', type: 'OPEN', isDefaultTeam: true, memberIds: [users[0]?.id] },
  ]);
  const keys = racers.map(({ key }) => (key.state === 'made' ? key.key : ''));
  expect(keys.every(isWellFormedKey)).toBe(true);
  expect(new Set(keys).size).toBe(4);
});

test('the log says whom and which keys starts make, and nothing of a start that makes none', async () => {
  await using test = await openTestDatabase();
  const { database } = test;
  const key = 'correct-horse-battery';
  await start(database, { email: 'ada@example.com' });
  await start(database, { key });
  const entries = [
    'Headwater made the workspace Headwater with the team General and the first admin, ada@example.com',
    'Headwater created the API key First admin at a start, for the admin ada@example.com, ' +
      'which ends unless it is the first that is used',
    'Headwater created the API key First admin at a start, for the admin ada@example.com, ' +
      'which is the one of ADMIN_API_KEY',
  ];
  expect(await entriesOf(database)).toEqual(entries);
  await start(database, { key });
  expect(await entriesOf(database)).toEqual(entries);
  const [user] = await database.prisma.user.findMany();
  const keys = await database.prisma.apiKey.findMany({ orderBy: { createdAt: 'asc' } });
  const found = await database.prisma.auditLog.findMany({ orderBy: { sequence: 'asc' } });
  expect(found).toMatchObject([
    { activityType: 'user_created', resourceId: user?.id },
    { activityType: 'api_key_created', resourceId: keys[0]?.id, relatedResourceIds: [user?.id] },
    { activityType: 'api_key_created', resourceId: keys[1]?.id, relatedResourceIds: [user?.id] },
  ]);
  const text = JSON.stringify(found, (_, value) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
  for (const { hash } of keys) expect(text).not.toContain(hash);
  expect(text).not.toContain(key);
});

test('each start shows a key that works until one was used; then only that one works', async () => {
  await using test = await openTestDatabase();
  const { database } = test;
  const [first, second, third] = [
    await start(database),
    await start(database),
    await start(database),
  ];
  expect(await use(database, second)).toMatchObject({ role: 'admin' });
  expect(await use(database, first)).toBeNull();
  expect(await use(database, third)).toBeNull();
  expect(await use(database, second)).not.toBeNull();
  expect(await start(database)).toBe('used');
  // The log says of both that they ended, once, and that no one asked for it.
  const revoked = await database.prisma.apiKey.findMany({ where: { revokedAt: { not: null } } });
  const entries = await database.prisma.auditLog.findMany({
    where: { activityType: 'api_key_revoked' },
  });
  expect(entries.map(({ resourceId }) => resourceId).sort()).toEqual(
    revoked.map(({ id }) => id).sort(),
  );
  expect(entries).toHaveLength(2);
  expect(entries).toMatchObject([{ performerId: null }, { performerId: null }]);
  // What a person makes is not what a start made: it waits for its first use as long as it likes.
  const viewer = await use(database, second);
  if (!viewer) throw new Error('There is no viewer.');
  const ctx = contextFor(database, viewer);
  const made = [
    await makeApiKey(ctx, { name: 'one' }),
    await makeApiKey(ctx, { name: 'two' }),
  ] as const;
  expect(await use(database, made[1].key)).not.toBeNull();
  expect(await use(database, made[0].key)).not.toBeNull();
});

test('of keys that are used for the first time at once one works, on several processes', async () => {
  await using test = await openTestDatabase({ maxConnections: 8 });
  const { database, url } = test;
  const other = url ? await openDatabase({ databaseUrl: url, maxConnections: 8 }) : database;
  try {
    for (let round = 0; round < 10; round += 1) {
      await test.owner.query('delete from api_key');
      const keys = await Promise.all(Array.from({ length: 4 }, () => start(database)));
      const attempts = keys.flatMap((key) => [
        use(database, key).then((viewer) => ({ key, viewer })),
        use(other, key).then((viewer) => ({ key, viewer })),
      ]);
      const winners = (await Promise.all(attempts)).filter(({ viewer }) => viewer !== null);
      // The same key may have come by way of both.
      expect(new Set(winners.map(({ key }) => key)).size).toBe(1);
      const left = await database.prisma.apiKey.findMany({ where: { revokedAt: null } });
      expect(left).toHaveLength(1);
      expect(left[0]?.lastUsedAt).not.toBeNull();
      expect(await start(other)).toBe('used');
    }
  } finally {
    if (other !== database) await other.close();
  }
});

test('however often it is started, the newest hundred keys wait for their first use', async () => {
  await using test = await openTestDatabase();
  const { database } = test;
  const keys: string[] = [];
  for (let turn = 0; turn < 103; turn += 1) keys.push(await start(database));
  expect(await database.prisma.apiKey.count()).toBe(100);
  // Which are gone is in the log.
  const made = await database.prisma.auditLog.findMany({
    where: { activityType: 'api_key_created' },
    orderBy: { sequence: 'asc' },
  });
  const gone = await database.prisma.auditLog.findMany({
    where: { activityType: 'api_key_deleted' },
    orderBy: { sequence: 'asc' },
  });
  expect([made.length, gone.length]).toEqual([103, 3]);
  expect(gone.map(({ resourceId }) => resourceId)).toEqual(
    made.slice(0, 3).map(({ resourceId }) => resourceId),
  );
  expect(await use(database, keys[2] ?? '')).toBeNull();
  expect(await use(database, keys[3] ?? '')).toMatchObject({ role: 'admin' });
  expect(await database.prisma.apiKey.count({ where: { revokedAt: null } })).toBe(1);
});

test('without a terminal the key goes to a file that only its owner may read', async () => {
  await using test = await openTestDatabase();
  const { database } = test;
  const options = { file, toFile: true };
  expect(await start(database, options)).toBe('in file');
  expect((await stat(file.path)).mode & 0o777).toBe(0o600);
  const text = await readFile(file.path, 'utf8');
  const key = text.trim();
  expect(text).toBe(`${key}\n`);
  expect(isWellFormedKey(key)).toBe(true);

  // A start that is repeated makes no further keys, as long as the file is there.
  expect(await start(database, options)).toBe('in file');
  expect(await readFile(file.path, 'utf8')).toBe(text);
  await rm(file.path);
  expect(await start(database, options)).toBe('in file');
  expect(await database.prisma.apiKey.count()).toBe(2);
  const later = (await readFile(file.path, 'utf8')).trim();

  // The one of the file that was lost is used: the file's own works no more, and goes.
  expect(await use(database, key)).not.toBeNull();
  expect(await use(database, later)).toBeNull();
  expect(await start(database, options)).toBe('used');
  await expect(stat(file.path)).rejects.toThrow('ENOENT');
});

test('the file stays as long as its key works, and half a file is replaced', async () => {
  await using test = await openTestDatabase();
  const { database } = test;
  const options = { file, toFile: true };
  await writeFile(file.path, 'hwk_half');
  expect(await start(database, options)).toBe('in file');
  const key = (await readFile(file.path, 'utf8')).trim();
  expect(await use(database, key)).not.toBeNull();
  expect(await start(database, options)).toBe('used');
  expect((await readFile(file.path, 'utf8')).trim()).toBe(key);
});

test('a key that can not be written to the file is not made', async () => {
  await using test = await openTestDatabase();
  const { database } = test;
  await rm(folder, { recursive: true });
  await expect(start(database, { file, toFile: true })).rejects.toThrow('ENOENT');
  expect(await database.prisma.apiKey.count()).toBe(0);
  expect(await database.prisma.workspace.count()).toBe(0);
  expect(await database.prisma.auditLog.count()).toBe(0);
});

test('a chosen key is taken on any start before a key was used, and on none after', async () => {
  await using test = await openTestDatabase();
  const { database } = test;
  const shown = await start(database);
  expect(await start(database, { key: 'correct-horse-battery' })).toBe('given');
  expect(await start(database, { key: 'another-horse-battery' })).toBe('given');
  expect(await start(database, { key: 'correct-horse-battery' })).toBe('given');
  expect(await database.prisma.apiKey.count()).toBe(3);
  expect(await use(database, 'correct-horse-battery')).toMatchObject({ role: 'admin' });
  // Somebody chose it, and may have put it anywhere: only what a start made is revoked.
  expect(await use(database, 'another-horse-battery')).not.toBeNull();
  expect(await use(database, shown)).toBeNull();

  const { key } = await ensureFirstAdmin(database, { key: 'a-third-horse-battery' });
  expect(key).toEqual({ state: 'used', isGivenIgnored: true });
  expect(await use(database, 'a-third-horse-battery')).toBeNull();
  expect(await start(database, { key: 'correct-horse-battery' })).toBe('given');
});

test('a chosen key works, and no other key without our form reaches the database', async () => {
  await using test = await openTestDatabase();
  const { database } = test;
  const chosen = 'correct-horse-battery-staple';
  // Somebody who asks before the first admin is there must not be remembered as refused for good.
  expect(await use(database, chosen)).toBeNull();
  expect(await start(database, { key: chosen })).toBe('given');
  const viewer = await use(database, chosen);
  expect(viewer?.role).toBe('admin');

  const statements: string[] = [];
  database.onStatement((text) => statements.push(text));
  for (const forged of ['correct-horse-battery-stable', 'hwk_forged', `${chosen} `]) {
    expect(await use(database, forged)).toBeNull();
  }
  expect(statements).toEqual([]);

  if (!viewer) throw new Error('There is no viewer.');
  const ctx = contextFor(database, viewer);
  const [apiKey] = (await listApiKeys(ctx, {}, {})).nodes;
  expect(apiKey?.prefix).toBe('chosen');
  // The last way in stays.
  await makeApiKey(ctx, { name: 'another', scopes: ['ADMIN'] });
  await revokeApiKey(ctx, apiKey?.id ?? '');
  expect(await use(database, chosen)).toBeNull();
});

test('a chosen key that would be a guess, or cannot travel in a header, is refused', () => {
  const bad = ['', 'short', 'with spaces in between it', 'ключ-ключ-ключ-ключ', 'x'.repeat(201)];
  for (const key of bad) {
    expect(() => checkChosenKey(key)).toThrow('16 to 200 visible ASCII characters');
  }
  expect(() => checkChosenKey('x'.repeat(16))).not.toThrow();
});
