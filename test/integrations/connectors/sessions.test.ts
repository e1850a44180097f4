// How many connections a source gets, and when they end.

import { getEventListeners } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import {
  maxSessions,
  openSessions,
  type Session,
} from '../../../src/integrations/connectors/sessions.ts';

interface Fake extends Session {
  readonly n: number;
  isOpen: boolean;
}

const opened: Fake[] = [];
let next = 0;

function connect(lasts = true) {
  return async (): Promise<Fake> => {
    const fake: Fake = {
      n: next++,
      isOpen: true,
      lasts,
      destroy() {
        fake.isOpen = false;
      },
    };
    opened.push(fake);
    return fake;
  };
}

const openNow = () => opened.filter(({ isOpen }) => isOpen).length;
const long = { timeoutMs: 10_000 };

/** Something that ends when the test says so. */
function gate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, passed };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

afterEach(() => {
  opened.length = 0;
});

test('a source has a few connections at once, no matter who asks; the others wait', async () => {
  const users = [1, 2, 3].map(() => openSessions('one', connect()));
  const gates = Array.from({ length: 9 }, gate);
  let most = 0;
  const work = gates.map(({ passed }, i) =>
    users[i % 3]?.use(long, async () => {
      most = Math.max(most, openNow());
      await passed;
    }),
  );
  await turn();
  expect(openNow()).toBe(maxSessions);
  for (const { open } of gates) open();
  await Promise.all(work);
  expect(most).toBe(maxSessions);
  for (const user of users) user.close();
  expect(openNow()).toBe(0);
});

test('other sources have connections of their own', async () => {
  const [one, two] = [openSessions('a', connect()), openSessions('b', connect())];
  const hold = gate();
  const work = Array.from({ length: 3 }, () => one.use(long, () => hold.passed));
  await two.use(long, async () => {});
  hold.open();
  await Promise.all(work);
  one.close();
  two.close();
});

test('a connection is used again, unless it cannot be or its work failed', async () => {
  const sessions = openSessions('again', connect());
  const numbers = [];
  for (let i = 0; i < 3; i += 1) numbers.push(await sessions.use(long, async ({ n }) => n));
  expect(new Set(numbers).size).toBe(1);
  await expect(
    sessions.use(long, async () => {
      throw new Error('failed');
    }),
  ).rejects.toThrow('failed');
  expect(openNow()).toBe(0);
  expect(await sessions.use(long, async ({ n }) => n)).not.toBe(numbers[0]);
  sessions.close();
  const fresh = openSessions('fresh', connect(false));
  await fresh.use(long, async () => {});
  expect(openNow()).toBe(0);
  fresh.close();
});

test('a connection that one keeps makes room for another who needs it', async () => {
  const idle = openSessions('room', connect());
  const busy = openSessions('room', connect());
  await Promise.all(Array.from({ length: 3 }, () => idle.use(long, turn)));
  expect(openNow()).toBe(3);
  await Promise.all(Array.from({ length: 3 }, () => busy.use(long, turn)));
  expect(openNow()).toBeLessThanOrEqual(maxSessions);
  idle.close();
  busy.close();
  expect(openNow()).toBe(0);
});

test('what takes too long is cut: the connection ends, and the place is free', async () => {
  const sessions = openSessions('slow', connect());
  const never = new Promise<never>(() => {});
  const cut = Array.from({ length: 6 }, () => sessions.use({ timeoutMs: 20 }, () => never));
  for (const one of cut) await expect(one).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(openNow()).toBe(0);
  expect(await sessions.use(long, async () => 'free')).toBe('free');
  sessions.close();
});

test('connecting counts, and what is connected too late is ended', async () => {
  const hold = gate();
  const sessions = openSessions('late', async () => {
    await hold.passed;
    return connect()();
  });
  await expect(sessions.use({ timeoutMs: 20 }, async () => {})).rejects.toMatchObject({
    code: 'UNAVAILABLE',
  });
  hold.open();
  await turn();
  expect(opened.length).toBe(1);
  expect(openNow()).toBe(0);
  sessions.close();
});

test('who gives up is let go with their own reason, waiting or working', async () => {
  const sessions = openSessions('signal', connect());
  const stop = new AbortController();
  const reason = new Error('no longer wanted');
  const never = new Promise<never>(() => {});
  const all = Array.from({ length: 5 }, () =>
    sessions.use({ ...long, signal: stop.signal }, () => never),
  );
  const settled = Promise.allSettled(all);
  await turn();
  stop.abort(reason);
  for (const result of await settled) {
    expect(result).toEqual({ status: 'rejected', reason });
  }
  expect(openNow()).toBe(0);
  await expect(sessions.use({ ...long, signal: stop.signal }, async () => {})).rejects.toBe(reason);
  sessions.close();
});

test('a failed connection frees its place', async () => {
  const sessions = openSessions<Fake>('refused', async () => {
    throw new Error('refused');
  });
  for (let i = 0; i < 5; i += 1) {
    await expect(sessions.use(long, async () => {})).rejects.toThrow('refused');
  }
  sessions.close();
});

/** Warnings of Node that some work leads to. */
async function warningsOf(work: () => Promise<unknown>): Promise<string[]> {
  const warnings: string[] = [];
  const onWarning = ({ message }: Error) => warnings.push(message);
  process.on('warning', onWarning);
  try {
    await work();
    await turn();
  } finally {
    process.off('warning', onWarning);
  }
  return warnings;
}

test('much at once and much in a row, on one signal, leaves nothing listening to it', async () => {
  const stop = new AbortController();
  const signals = [stop.signal, AbortSignal.any([stop.signal, new AbortController().signal])];
  for (const signal of signals) {
    const options = { timeoutMs: 10_000, signal };
    const users = Array.from({ length: 15 }, (_, i) => openSessions(`many ${i}`, connect()));
    const warnings = await warningsOf(async () => {
      await Promise.all(
        users.flatMap((user) => [1, 2, 3, 4, 5].map(() => user.use(options, () => turn()))),
      );
      for (let i = 0; i < 30; i += 1) await users[0]?.use(options, () => turn());
    });
    expect(warnings).toEqual([]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    for (const user of users) user.close();
  }
});

test('one signal ends all that waits for it and all that it works on', async () => {
  const stop = new AbortController();
  const options = { timeoutMs: 10_000, signal: stop.signal };
  const sessions = openSessions('ended', connect());
  const never = new Promise<never>(() => {});
  const uses = Array.from({ length: 12 }, () => sessions.use(options, () => never));
  const ends = Promise.allSettled(uses);
  await turn();
  expect(openNow()).toBe(maxSessions);
  stop.abort(new Error('enough'));
  for (const end of await ends) {
    expect(end).toMatchObject({ status: 'rejected', reason: new Error('enough') });
  }
  expect(openNow()).toBe(0);
  expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
});
