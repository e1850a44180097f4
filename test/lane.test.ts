import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Lane } from '../src/lane.ts';

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
