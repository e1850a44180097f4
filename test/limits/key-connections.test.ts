// Connections of one key: how many it has at once, and which of its requests have them while others ask.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ActiveKeys, KeyConnections } from '../../src/limits/per-key.ts';
import { openCatalog } from '../catalog.ts';
import { clientsOf } from './client.ts';
import { lockTable } from './locked.ts';

const never = new AbortController().signal;

test('others are there for a second after they asked', () => {
  let now = 0;
  const askers = new ActiveKeys(() => now);
  askers.note('a');
  expect([askers.hasOthersThan('a'), askers.hasOthersThan('b')]).toEqual([false, true]);
  now = 500;
  askers.note('b');
  askers.note('b');
  expect(askers.hasOthersThan('b')).toBe(true);
  now = 1_200;
  expect([askers.hasOthersThan('a'), askers.hasOthersThan('b')]).toEqual([true, false]);
  now = 1_500;
  expect(askers.hasOthersThan('a')).toBe(false);
});

test('while others ask, what has had much leaves one to what has had little, and the oldest of it goes first', async () => {
  let hasOthers = true;
  const connections = new KeyConnections(2, () => hasOthers);
  const entered: string[] = [];
  const long = async (name: string, began: number) => {
    const leave = await connections.enterLong(never, began);
    entered.push(name);
    return leave;
  };
  const first = await long('first', 3);
  const waiting = [long('young', 9), long('old', 1)];
  const little = await connections.enter(never);
  await sleep(5);
  expect(entered).toEqual(['first']);
  const another = connections.enter(never);
  little();
  (await another)();
  first();
  const old = await waiting[1];
  await sleep(5);
  expect(entered).toEqual(['first', 'old']);
  // Alone it has all of them.
  hasOthers = false;
  const last = long('last', 10);
  await waiting[0];
  expect(entered).toEqual(['first', 'old', 'young']);
  old?.();
  (await last)();
  (await waiting[0])?.();
  const both = await Promise.all([connections.enter(never), connections.enter(never)]);
  expect(both).toHaveLength(2);
});

test('a key whose last four requests had much is likely to have much again, until one has little', () => {
  const connections = new KeyConnections(2, () => true);
  const seen = [true, true, true, true, false, true, true, true, true].map((hadMuch) => {
    connections.noteEnd(hadMuch);
    return connections.isLikelyLong;
  });
  expect(seen).toEqual([false, false, false, true, false, false, false, false, true]);
});

test('who stops waiting for one leaves nothing behind', async () => {
  const connections = new KeyConnections(1, () => true);
  const leave = await connections.enter(never);
  const leaving = new AbortController();
  const waits = [
    connections.enterLong(leaving.signal, 1),
    connections.enterLong(leaving.signal, 2),
  ];
  leaving.abort(new Error('The client went away.'));
  for (const one of waits) await expect(one).rejects.toThrow('went away');
  leave();
  (await connections.enterLong(never, 3))();
  (await connections.enter(never))();
});

const long = { REQUEST_TIMEOUT_MS: '60000', REQUEST_DATABASE_MS: '60000' };

test.each([
  ['beside others one of them stays free', true, 1],
  ['alone they have all', false, 2],
])(
  'of requests of a key that have had much of the database: %s',
  async (_, hasOthers, expected) => {
    await using catalog = await openCatalog({ alone: true, maxConnections: 4 });
    const { admin, viewer } = await clientsOf(catalog, long);
    const tag = await catalog.database.prisma.tag.create({
      data: { workspaceId: catalog.workspaceId, name: 'core' },
    });
    await catalog.resource({ title: 'orders', tagIds: [tag.id] });
    const ask = () => admin.graphql('{ resources(first: 5) { nodes { tags { name } } } }');
    const light = '{ integrations(first: 1) { nodes { id } } }';
    await Promise.all([ask(), admin.graphql(light), viewer.graphql('{ viewer { id } }')]);
    await sleep(hasOthers ? 0 : 1_100);
    await using tags = await lockTable(catalog.url, 'tag');
    const held = [];
    {
      await using resources = await lockTable(catalog.url, 'resource');
      held.push(ask(), ask());
      await expect.poll(() => resources.waiting()).toBe(2);
      await sleep(200);
    }
    if (hasOthers) await viewer.graphql('{ viewer { id } }');
    await expect.poll(() => tags.waiting()).toBe(expected);
    await sleep(200);
    expect(await tags.waiting()).toBe(expected);
    if (hasOthers) {
      expect((await admin.graphql(light)).body.data.integrations.nodes).toEqual([]);
    }
    await tags[Symbol.asyncDispose]();
    for (const { body } of await Promise.all(held)) {
      expect(body.data.resources.nodes[0].tags).toEqual([{ name: 'core' }]);
    }
    expect(catalog.unexpected).toEqual([]);
  },
);
