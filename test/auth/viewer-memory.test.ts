// What is remembered of keys: those that are no one's neither push others out nor keep them waiting.

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { forgetViewers } from '../../src/auth/authentication.ts';
import { makeKey } from '../../src/auth/key-form.ts';
import { serverViewer } from '../../src/auth/viewer.ts';
import { type RememberedViewer, ViewerMemory } from '../../src/auth/viewer-memory.ts';
import { viewerOfKey } from '../../src/people/sign-in.ts';
import { openCatalog } from '../catalog.ts';
import { lockTable } from '../limits/locked.ts';

test('four keys that no one showed before are looked up at once, and known ones next to them', async () => {
  await using catalog = await openCatalog({ alone: true });
  const look = (key: string) => viewerOfKey(catalog.database, key, new Date());
  const known = catalog.keyOf('viewer');
  await look(known);
  await forgetViewers(catalog.database);
  const held = [];
  {
    await using keys = await lockTable(catalog.url, 'api_key');
    held.push(...Array.from({ length: 40 }, () => look(makeKey(randomUUID()))));
    await expect.poll(() => keys.waiting()).toBe(4);
    held.push(look(known));
    await expect.poll(() => keys.waiting()).toBe(5);
  }
  const found = await Promise.all(held);
  expect(found.pop()).toMatchObject({ role: 'viewer' });
  expect(found).toEqual(Array(40).fill(null));
});

const somebody: RememberedViewer = {
  viewer: serverViewer('00000000-0000-4000-8000-000000000000'),
  expiresAt: null,
};

test('ten thousand unknown keys push no known one out', async () => {
  const memory = new ViewerMemory();
  await memory.lookUp('known', async () => somebody);
  for (let n = 0; n <= 10_000; n += 1) await memory.lookUp(`unknown ${n}`, async () => null);
  memory.forget();
  const never = new Promise<null>(() => {});
  const begun: string[] = [];
  const look = (place: string) => {
    void memory.lookUp(place, (inTurn) =>
      inTurn(() => {
        begun.push(place);
        return never;
      }),
    );
  };
  for (const place of ['a', 'b', 'c', 'd', 'e', 'known']) look(place);
  await expect.poll(() => begun).toHaveLength(5);
  // Only of what is somebody's nothing waits for its turn.
  expect(begun.toSorted()).toEqual(['a', 'b', 'c', 'd', 'known']);
});

test('a look-up that began before all was forgotten is not believed after it', async () => {
  const memory = new ViewerMemory();
  let answer: (found: RememberedViewer) => void = () => {};
  const looking = memory.lookUp('a', () => new Promise((resolve) => (answer = resolve)));
  expect(memory.get('a')).toBe(looking);
  memory.forget();
  answer(somebody);
  expect(await looking).toBe(somebody);
  expect(memory.get('a')).toBeUndefined();
});

test('what could not be looked up is looked up again', async () => {
  const memory = new ViewerMemory();
  await memory.lookUp('known', async () => somebody);
  for (const place of ['known', 'unknown']) {
    const looking = memory.lookUp(place, () => Promise.reject(new Error('The database is away.')));
    await expect(looking).rejects.toThrow('away');
    expect(memory.get(place)).toBeUndefined();
  }
});
