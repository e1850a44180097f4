import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Lane } from '../../src/async/semaphore.ts';

const never = new AbortController().signal;

test('those who wait are let in in the order in which they came', async () => {
  const lane = new Lane(1);
  const leave = await lane.enter(never);
  expect(lane.enterIfFree()).toBeNull();
  const entered: string[] = [];
  const waiting = ['a', 'b', 'c'].map(async (name) => {
    const leaveAgain = await lane.enter(never);
    entered.push(name);
    await sleep(1);
    leaveAgain();
  });
  await sleep(10);
  expect(entered).toEqual([]);
  expect(lane.waiting).toBe(3);
  leave();
  // Left twice, it is still one place.
  leave();
  await Promise.all(waiting);
  expect(entered).toEqual(['a', 'b', 'c']);
  expect(lane.isEmpty).toBe(true);
  expect(lane.enterIfFree()).not.toBeNull();
  expect(lane.enterIfFree()).toBeNull();
  expect(lane.isFull).toBe(true);
});

test('who stops waiting leaves the line, and the next one gets in', async () => {
  const lane = new Lane(1);
  const leave = await lane.enter(never);
  const leaving = new AbortController();
  const left = lane.enter(leaving.signal);
  const stays = lane.enter(never);
  leaving.abort(new Error('The client went away.'));
  await expect(left).rejects.toThrow('went away');
  await expect(lane.enter(leaving.signal)).rejects.toThrow('went away');
  leave();
  (await stays)();
  expect(lane.isEmpty).toBe(true);
});

test('of those who wait the lowest rank comes first, of equal ones the first', async () => {
  const lane = new Lane(1);
  const leave = await lane.enter(never);
  const entered: string[] = [];
  const waiting = [
    ['late', 2],
    ['first', 1],
    ['second', 1],
  ] as const;
  const all = waiting.map(async ([name, rank]) => {
    const leaveAgain = await lane.enter(never, rank);
    entered.push(name);
    leaveAgain();
  });
  leave();
  await Promise.all(all);
  expect(entered).toEqual(['first', 'second', 'late']);
});

test('as many are in as there are places at the time', async () => {
  let places = 1;
  const lane = new Lane(() => places);
  const leave = await lane.enter(never);
  const waiting = lane.enter(never);
  expect([lane.places, lane.waiting]).toEqual([1, 1]);
  places = 3;
  // Who comes next lets those in first that came before.
  const newcomer = lane.enterIfFree();
  expect([newcomer === null, lane.waiting, lane.taken]).toEqual([false, 0, 3]);
  places = 1;
  leave();
  newcomer?.();
  expect([lane.taken, lane.isFull, lane.enterIfFree()]).toEqual([1, true, null]);
  (await waiting)();
  expect(lane.isEmpty).toBe(true);
});
