// Things that come one by one are handed on in groups, and none is lost or left behind.

import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inGroups } from '../../../src/monitors/runs/in-groups.ts';

async function* numbers(count: number): AsyncGenerator<number> {
  for (let n = 0; n < count; n += 1) yield n;
}

/** Something to wait for until it is opened. */
function gate() {
  let resolve = () => {};
  const promise = new Promise<void>((open) => {
    resolve = open;
  });
  return { promise, resolve: () => resolve() };
}

test('what comes at once is one group, in its order', async () => {
  const groups: number[][] = [];
  await inGroups(numbers(7), async (group) => void groups.push([...group]));
  expect(groups).toEqual([[0, 1, 2, 3, 4, 5, 6]]);
});

test('a group has an end, and everything is handed on once', async () => {
  const groups: number[][] = [];
  let handled = 0;
  await inGroups(numbers(95), async (group) => {
    expect(handled).toBe(groups.length);
    groups.push([...group]);
    await turn();
    handled += 1;
  });
  expect(groups.flat()).toEqual([...Array(95).keys()]);
  expect(Math.max(...groups.map(({ length }) => length))).toBe(20);
});

test('what comes while a group is handled is the next one', async () => {
  const groups: number[][] = [];
  const begun = gate();
  const enough = gate();
  async function* things() {
    yield 1;
    await begun.promise;
    yield* [2, 3];
    enough.resolve();
  }
  await inGroups(things(), async (group) => {
    groups.push([...group]);
    begun.resolve();
    await enough.promise;
  });
  expect(groups).toEqual([[1], [2, 3]]);
});

test('nothing comes, and nothing is handed on', async () => {
  await inGroups(numbers(0), async () => expect.unreachable());
});

test('who cannot handle a group ends those that bring more', async () => {
  let isClosed = false;
  const failed = gate();
  async function* things() {
    try {
      yield 1;
      await failed.promise;
      for (;;) yield 2;
    } finally {
      isClosed = true;
    }
  }
  const handling = inGroups(things(), async () => {
    failed.resolve();
    throw new Error('the lease was lost');
  });
  await expect(handling).rejects.toThrow('the lease was lost');
  expect(isClosed).toBe(true);
});

test('whose bringing fails waits for the group that is being handled', async () => {
  const begun = gate();
  let isHandled = false;
  async function* things() {
    yield 1;
    await begun.promise;
    throw new Error('the source is away');
  }
  const handling = inGroups(things(), async () => {
    begun.resolve();
    await turn();
    isHandled = true;
  });
  await expect(handling).rejects.toThrow('the source is away');
  expect(isHandled).toBe(true);
});
