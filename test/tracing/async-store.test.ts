// What running code carries along: each thing by itself, though one store holds them all.

import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { AsyncStore } from '../../src/tracing/async-store.ts';

test('stores know nothing of each other, however they are nested', async () => {
  const [names, numbers] = [new AsyncStore<string>(), new AsyncStore<number>()];
  const both = () => [names.getStore(), numbers.getStore()];
  await names.run('a', async () => {
    await turn();
    expect(both()).toEqual(['a', undefined]);
    await numbers.run(1, async () => {
      await turn();
      expect(both()).toEqual(['a', 1]);
      await names.run('b', async () => expect(both()).toEqual(['b', 1]));
      expect(both()).toEqual(['a', 1]);
      await names.exit(async () => {
        await turn();
        expect(both()).toEqual([undefined, 1]);
      });
    });
    expect(both()).toEqual(['a', undefined]);
  });
  expect(both()).toEqual([undefined, undefined]);
});

test('work that goes on next to each other keeps what it was given', async () => {
  const names = new AsyncStore<string>();
  const later = async (suffix: string) => {
    await turn();
    return `${names.getStore()}${suffix}`;
  };
  const answers = ['a', 'b', 'c'].map((name) => names.run(name, later, '!'));
  expect(await Promise.all(answers)).toEqual(['a!', 'b!', 'c!']);
});

test('a value that is carried along may be nothing', () => {
  const maybe = new AsyncStore<null>();
  expect(maybe.run(null, () => maybe.getStore())).toBeNull();
  expect(maybe.getStore()).toBeUndefined();
});
