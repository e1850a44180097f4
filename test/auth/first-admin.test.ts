// An empty database gets a workspace and an admin once, whoever starts on it.

import { expect, test } from 'vitest';
import { viewerOfKey } from '../../src/auth/api-key.ts';
import { checkChosenKey, ensureFirstAdmin } from '../../src/auth/first-admin.ts';
import { isWellFormedKey } from '../../src/auth/key-form.ts';
import { contextFor } from '../../src/context.ts';
import { listApiKeys, revokeApiKey } from '../../src/people/api-key.ts';
import { openTestDatabase } from '../database.ts';

test('the first start makes a workspace and an admin, and tells the key once', async () => {
  await using test = await openTestDatabase();
  const { database } = test;
  const racers = await Promise.all(Array.from({ length: 4 }, () => ensureFirstAdmin(database)));
  const keys = racers.flatMap(({ madeKey }) => (madeKey === null ? [] : [madeKey]));
  expect(keys).toHaveLength(1);
  expect(new Set(racers.map(({ workspaceId }) => workspaceId)).size).toBe(1);
  const [key = ''] = keys;
  expect(isWellFormedKey(key)).toBe(true);

  const viewer = await viewerOfKey(database, key, new Date());
  expect(viewer).toMatchObject({ role: 'admin', workspaceId: racers[0]?.workspaceId });
  const workspaces = await database.prisma.workspace.findMany();
  const teams = await database.prisma.team.findMany();
  expect(workspaces.map(({ name }) => name)).toEqual(['Headwater']);
  expect(teams).toMatchObject([
    { name: 'General', type: 'OPEN', isDefaultTeam: true, memberIds: [viewer?.id] },
  ]);

  // A key that is given on a later start is ignored.
  const later = await ensureFirstAdmin(database, { key: 'another-key-of-mine' });
  expect(later).toEqual({ workspaceId: racers[0]?.workspaceId, madeKey: null });
  expect(await viewerOfKey(database, 'another-key-of-mine', new Date())).toBeNull();
});

test('a chosen key works, and no other key without our form reaches the database', async () => {
  await using test = await openTestDatabase();
  const { database } = test;
  const chosen = 'correct-horse-battery-staple';
  // Somebody who asks before the first admin is there must not be remembered as refused for good.
  expect(await viewerOfKey(database, chosen, new Date())).toBeNull();
  const { madeKey } = await ensureFirstAdmin(database, { key: chosen });
  expect(madeKey).toBeNull();
  const viewer = await viewerOfKey(database, chosen, new Date());
  expect(viewer?.role).toBe('admin');

  const statements: string[] = [];
  database.onStatement((text) => statements.push(text));
  for (const forged of ['correct-horse-battery-stable', 'hwk_forged', `${chosen} `]) {
    expect(await viewerOfKey(database, forged, new Date())).toBeNull();
  }
  expect(statements).toEqual([]);

  if (!viewer) throw new Error('There is no viewer.');
  const ctx = contextFor(database, viewer);
  const [apiKey] = (await listApiKeys(ctx, {})).nodes;
  expect(apiKey?.prefix).toBe('chosen');
  await revokeApiKey(ctx, apiKey?.id ?? '');
  expect(await viewerOfKey(database, chosen, new Date())).toBeNull();
});

test('a chosen key that would be a guess, or cannot travel in a header, is refused', () => {
  const bad = ['', 'short', 'with spaces in between it', 'ключ-ключ-ключ-ключ', 'x'.repeat(201)];
  for (const key of bad) {
    expect(() => checkChosenKey(key)).toThrow('16 to 200 visible ASCII characters');
  }
  expect(() => checkChosenKey('x'.repeat(16))).not.toThrow();
});
