// Connections that were answered and ask nothing more: how long they are kept, and who gets their places.

import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import type { ConnectionOptions } from '../../src/limits/connections.ts';
import { serveApp } from '../serve.ts';

/** A connection with a key that works, on which one request after the other may be sent. */
interface Kept {
  readonly socket: Socket;
  readonly isClosed: () => boolean;
  ask(path?: string): void;
  /** What was answered so far. */
  readonly answers: () => number;
}

/** Answers at once, but for what is asked at /later. */
const handle: RequestListener = ({ url }, response) => {
  if (url === '/later') response.writeHead(200).flushHeaders();
  else response.end('here');
};

async function serve(limits: Partial<ConnectionOptions>) {
  const served = await serveApp({ handle, isSignedIn: async () => true }, limits);
  const port = Number(new URL(served.base).port);
  const keep = (): Kept => {
    const socket = connect(port, '127.0.0.1');
    let [text, isClosed] = ['', false];
    socket.on('data', (data) => {
      text += data.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      isClosed = true;
    });
    const ask = (path = '/') =>
      void socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer key\r\n\r\n`);
    const answers = () => text.split('HTTP/1.1 200').length - 1;
    return { socket, isClosed: () => isClosed, ask, answers };
  };
  const answered = async () => {
    const kept = keep();
    kept.ask();
    await expect.poll(kept.answers).toBe(1);
    return kept;
  };
  return { served, keep, answered, [Symbol.asyncDispose]: () => served[Symbol.asyncDispose]() };
}

test('a connection is closed when no next request comes, and not before', async () => {
  await using server = await serve({ keepAliveMs: 500 });
  const kept = await server.answered();
  kept.ask();
  await expect.poll(kept.answers).toBe(2);
  const began = performance.now();
  await expect.poll(kept.isClosed, { interval: 20 }).toBe(true);
  expect(performance.now() - began).toBeGreaterThan(300);
});

test('a connection with a request under way is kept, whatever the time', async () => {
  await using server = await serve({ keepAliveMs: 200, readingMs: 200 });
  const later = await server.answered();
  later.ask('/later');
  await expect.poll(later.answers).toBe(2);
  const silent = await server.answered();
  await expect.poll(silent.isClosed, { interval: 20 }).toBe(true);
  expect(later.isClosed()).toBe(false);
  later.socket.destroy();
});

test('where nearly all places are taken, the one that has waited longest makes room', async () => {
  await using server = await serve({ maxConnections: 20 });
  const busy = await server.answered();
  busy.ask('/later');
  const waiting: Kept[] = [];
  for (let n = 0; n < 17; n += 1) waiting.push(await server.answered());
  // The first asks again, so the second has waited longest.
  waiting[0]?.ask();
  await expect.poll(() => waiting[0]?.answers()).toBe(2);
  expect(waiting.some(({ isClosed }) => isClosed())).toBe(false);
  for (let n = 0; n < 10; n += 1) expect((await server.answered()).answers()).toBe(1);
  await expect.poll(() => waiting.filter(({ isClosed }) => isClosed()).length).toBe(10);
  expect(waiting.map(({ isClosed }) => isClosed()).indexOf(true)).toBe(1);
  expect([busy.isClosed(), waiting[0]?.isClosed()]).toEqual([false, false]);
  busy.socket.destroy();
});
