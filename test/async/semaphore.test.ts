import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Semaphore } from '../../src/async/semaphore.ts';

const never = new AbortController().signal;

test('those who wait are let in in the order in which they came', async () => {
  const semaphore = new Semaphore(1);
  const release = await semaphore.acquire(never);
  expect(semaphore.tryAcquire()).toBeNull();
  const entered: string[] = [];
  const waiting = ['a', 'b', 'c'].map(async (name) => {
    const releaseAgain = await semaphore.acquire(never);
    entered.push(name);
    await sleep(1);
    releaseAgain();
  });
  await sleep(10);
  expect(entered).toEqual([]);
  expect(semaphore.waiting).toBe(3);
  release();
  // Left twice, it is still one place.
  release();
  await Promise.all(waiting);
  expect(entered).toEqual(['a', 'b', 'c']);
  expect(semaphore.isEmpty).toBe(true);
  expect(semaphore.tryAcquire()).not.toBeNull();
  expect(semaphore.tryAcquire()).toBeNull();
  expect(semaphore.isFull).toBe(true);
});

test('who stops waiting leaves the line, and the next one gets in', async () => {
  const semaphore = new Semaphore(1);
  const release = await semaphore.acquire(never);
  const leaving = new AbortController();
  const left = semaphore.acquire(leaving.signal);
  const stays = semaphore.acquire(never);
  leaving.abort(new Error('The client went away.'));
  await expect(left).rejects.toThrow('went away');
  await expect(semaphore.acquire(leaving.signal)).rejects.toThrow('went away');
  release();
  (await stays)();
  expect(semaphore.isEmpty).toBe(true);
});

test('of those who wait the lowest rank comes first, of equal ones the first', async () => {
  const semaphore = new Semaphore(1);
  const release = await semaphore.acquire(never);
  const entered: string[] = [];
  const waiting = [
    ['late', 2],
    ['first', 1],
    ['second', 1],
  ] as const;
  const all = waiting.map(async ([name, rank]) => {
    const releaseAgain = await semaphore.acquire(never, rank);
    entered.push(name);
    releaseAgain();
  });
  release();
  await Promise.all(all);
  expect(entered).toEqual(['first', 'second', 'late']);
});

test('as many are in as there are places at the time', async () => {
  let places = 1;
  const semaphore = new Semaphore(() => places);
  const release = await semaphore.acquire(never);
  const waiting = semaphore.acquire(never);
  expect([semaphore.places, semaphore.waiting]).toEqual([1, 1]);
  places = 3;
  // Who comes next lets those in first that came before.
  const newcomer = semaphore.tryAcquire();
  expect([newcomer === null, semaphore.waiting, semaphore.taken]).toEqual([false, 0, 3]);
  places = 1;
  release();
  newcomer?.();
  expect([semaphore.taken, semaphore.isFull, semaphore.tryAcquire()]).toEqual([1, true, null]);
  (await waiting)();
  expect(semaphore.isEmpty).toBe(true);
});
