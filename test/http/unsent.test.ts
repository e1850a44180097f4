// Answers that no one reads: they do not stay, however many clients ask for them.

import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { lightResponse } from '../../src/http/light-response.ts';
import { sendAnswer } from '../../src/http/send.ts';
import { createUnsent, type UnsentLimits } from '../../src/limits/connections.ts';

const roomy: UnsentLimits = { most: 50_000_000, patienceMs: 60_000, leastPace: 100_000 };

/** A server that answers everything with 20 megabytes, within limits. */
async function serve(limits: UnsentLimits) {
  const waiting = createUnsent(limits);
  const text = JSON.stringify('x'.repeat(20_000_000));
  const headers = { 'content-type': 'application/json' };
  const server = createServer((_request, response) => {
    void sendAnswer(lightResponse(text, { headers }), response, waiting);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('It does not listen.');
  const { port }: AddressInfo = address;
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { port, text, [Symbol.asyncDispose]: close };
}

/** A client that asks with a key and reads nothing, until it is told to. */
async function ask(port: number, key: string) {
  const socket = connect(port, '127.0.0.1');
  const client = { isCut: false, read: 0, resume: () => void socket.resume() };
  socket.on('error', () => {});
  socket.on('close', () => {
    client.isCut = true;
  });
  socket.on('data', (chunk) => {
    client.read += chunk.byteLength;
  });
  socket.pause();
  socket.write(`GET / HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  // What the server does with it needs a moment.
  await sleep(200);
  return client;
}

test('where too much waits, no matter who has most loses the oldest answer', async () => {
  await using server = await serve(roomy);
  const first = await ask(server.port, 'one');
  const other = await ask(server.port, 'two');
  const second = await ask(server.port, 'one');
  for (const client of [first, other, second]) client.resume();
  await expect
    .poll(() => [first.isCut, other.read, second.read])
    .toEqual([
      true,
      expect.toSatisfy((bytes: number) => bytes > server.text.length),
      expect.toSatisfy((bytes: number) => bytes > server.text.length),
    ]);
  expect(first.read).toBeLessThan(server.text.length);
  // What was sent counts no longer.
  const later = [await ask(server.port, 'one'), await ask(server.port, 'one')];
  for (const client of later) client.resume();
  await expect.poll(() => later.every(({ read }) => read > server.text.length)).toBe(true);
});

test('an answer that is read too slowly is cut, one that is read is not', async () => {
  await using server = await serve({ ...roomy, patienceMs: 500, leastPace: 20_000_000 });
  const [slow, fast] = [await ask(server.port, 'slow'), await ask(server.port, 'fast')];
  fast.resume();
  await expect.poll(() => fast.read).toBeGreaterThan(server.text.length);
  await sleep(1_600);
  expect(fast.isCut).toBe(false);
  slow.resume();
  await expect.poll(() => slow.isCut).toBe(true);
  expect(slow.read).toBeLessThan(server.text.length);
});
