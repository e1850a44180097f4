// Turns on the main thread: each owner has one after the other, with room for others in between.

import { expect, test } from 'vitest';
import { createFairQueue } from '../../src/limits/fair-queue.ts';

test('turns go round among those who wait, however much one of them asks for', async () => {
  const turns = createFairQueue();
  const given: string[] = [];
  const ask = (owner: string) => turns.next(owner).then(() => given.push(owner));
  const asked = [...'aaaaaabbc'].map(ask);
  await Promise.all(asked);
  expect(given.join('')).toBe('abcabaaaa');
});

/** An event loop whose rounds and pauses are made by hand. */
function loopByHand() {
  const rounds: (() => void)[] = [];
  const pauses: number[] = [];
  let clock = 0;
  return {
    pauses,
    loop: {
      now: () => clock,
      nextRound: (work: () => void) => void rounds.push(work),
      after: (ms: number, work: () => void) => {
        pauses.push(ms);
        rounds.push(work);
      },
    },
    pass: (ms: number) => {
      clock += ms;
    },
    /** Run what is due until the promise is kept. */
    until: async (comes: Promise<void>) => {
      const state = { came: false };
      void comes.then(() => {
        state.came = true;
      });
      for (;;) {
        await Promise.resolve();
        await Promise.resolve();
        if (state.came) return;
        rounds.shift()?.();
      }
    },
  };
}

test('who is at work without turns, or was a moment ago, has as long as a turn took, up to 10 ms', async () => {
  const { loop, pauses, pass, until } = loopByHand();
  const turns = createFairQueue(loop);
  const takeTurns = async (...durations: number[]) => {
    pauses.length = 0;
    await until(turns.next('long'));
    for (const ms of durations) {
      pass(ms);
      await until(turns.next('long'));
    }
    return [...pauses];
  };
  const end = turns.begin('long');
  expect(await takeTurns(4, 30)).toEqual([]);
  const endShort = turns.begin('short');
  const endShortToo = turns.begin('short');
  await until(turns.next('nobody'));
  expect(await takeTurns(4, 30, 1)).toEqual([0, 4, 10, 1]);
  endShort();
  expect((await takeTurns(7)).at(-1)).toBe(7);
  endShortToo();
  // Who asked a moment ago may ask again.
  expect(await takeTurns(4, 30)).toEqual([0, 4, 10]);
  pass(101);
  await until(turns.next('nobody'));
  expect(await takeTurns(4, 30)).toEqual([]);
  end();
});

test('of what one owner waits for the lowest rank comes first, whatever others wait for', async () => {
  const turns = createFairQueue();
  const given: string[] = [];
  const ask = (owner: string, rank?: number) =>
    turns.next(owner, rank).then(() => given.push(`${owner}${rank ?? ''}`));
  await Promise.all([
    ...[5, 3, 4, 3].map((rank) => ask('a', rank)),
    ...[ask('b', 9), ask('b'), ask('a')],
  ]);
  expect(given).toEqual(['a', 'b', 'a3', 'b9', 'a3', 'a4', 'a5']);
});

test('who waits for turns of their own is no one to make room for, nor is the owner of the turn', async () => {
  const { loop, pauses, pass, until } = loopByHand();
  const turns = createFairQueue(loop);
  const ends = ['one', 'other'].map(turns.begin);
  for (let n = 0; n < 5; n += 1) {
    const comes = Promise.all([turns.next('one'), turns.next('other')]);
    pass(4);
    await until(comes.then(() => {}));
  }
  // Only while the last of a round had no one behind it was the other one at work without waiting.
  expect(pauses.length).toBeLessThanOrEqual(5);
  for (const end of ends) end();
  pass(101);
  pauses.length = 0;
  const endAlone = turns.begin('alone');
  for (let n = 0; n < 5; n += 1) {
    // Nothing of it waits between two turns, as while the next piece of its rows is on its way.
    await until(turns.next('alone'));
    pass(4);
    await until(Promise.resolve());
  }
  endAlone();
  expect(pauses).toEqual([]);
});
