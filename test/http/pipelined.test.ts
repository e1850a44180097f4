// Requests of one connection that are sent before the first is answered, and a client that leaves before the last.

import { once } from 'node:events';
import { request as ask } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { graphqlListener } from '../../src/graphql/http/listener.ts';
import { openHttpServer } from '../../src/http/server.ts';
import type { RequestTask } from '../../src/tracing/request.ts';
import { listening } from './listening.ts';

/** Requests that are over, and those of their answers that were sent. */
interface Ended {
  readonly task: RequestTask;
  readonly isWhole: boolean;
}

/** A server whose `/graphql` waits until its client leaves, and which notes every request that is over. */
async function serve() {
  const unexpected: unknown[] = [];
  const ended: Ended[] = [];
  const left: string[] = [];
  const http = openHttpServer({
    onAnswer: (task, { writableFinished }) => ended.push({ task, isWhole: writableFinished }),
  });
  const waiting = async ({ signal, headers }: Request) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    left.push(headers.get('x-request-id') ?? '');
    return new Response('');
  };
  http.begin(
    graphqlListener(
      { fetchAPI: { Request }, handleRequest: waiting },
      { bodySize: () => 1_000, onUnexpected: (error) => unexpected.push(error) },
    ),
  );
  const named = (prefix: string) => ended.filter(({ task }) => task.id.startsWith(prefix));
  return { unexpected, left, named, ...(await listening(http)) };
}

function sent(method: string, path: string, id: string, body = '', length = body.length): string {
  const head = [`${method} ${path} HTTP/1.1`, 'Host: a', `X-Request-Id: ${id}`];
  if (method === 'POST') head.push('Content-Type: application/json', `Content-Length: ${length}`);
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

test('each request of a client that leaves ends, also one whose turn to be answered had not come', async () => {
  await using served = await serve();
  const socket = await open(served.port);
  const healths = Array.from({ length: 50 }, (_, i) => sent('GET', '/healthz', `health-${i}`));
  socket.write(
    [
      sent('POST', '/graphql', 'first', '{}'),
      ...healths,
      sent('POST', '/graphql', 'waiting', '{}'),
      sent('POST', '/graphql', 'half', '{', 100),
    ].join(''),
  );
  // One that comes after them is answered, so they have been read.
  await sleep(50);
  const other = ask({ port: served.port, host: '127.0.0.1', path: '/healthz' }).end();
  const [response] = await once(other, 'response');
  response.resume();
  expect([served.named('health-'), served.left]).toEqual([[], []]);
  socket.resetAndDestroy();
  await expect.poll(() => served.named('health-').length).toBe(50);
  expect(served.named('health-').every(({ isWhole }) => !isWhole)).toBe(true);
  await expect.poll(() => served.left.toSorted()).toEqual(['first', 'waiting']);
  for (const name of ['first', 'waiting', 'half']) expect(served.named(name), name).toHaveLength(1);
  await sleep(50);
  // No one's fault, however it was left.
  expect(served.unexpected).toEqual([]);
});

test('answers come in the order of their requests, and each ends once', async () => {
  await using served = await serve();
  const socket = await open(served.port);
  socket.write(['a', 'b', 'c'].map((id) => sent('GET', '/healthz', `order-${id}`)).join(''));
  await expect.poll(() => served.named('order-').length).toBe(3);
  socket.destroy();
  await sleep(50);
  const ended = served.named('order-').map(({ task, isWhole }) => [task.id, isWhole]);
  expect(ended).toEqual(['a', 'b', 'c'].map((id) => [`order-${id}`, true]));
});

test('a connection with more than a hundred requests under way is closed', async () => {
  await using served = await serve();
  const socket = await open(served.port);
  const many = Array.from({ length: 1_000 }, (_, i) => sent('GET', '/healthz', `many-${i}`));
  socket.write(sent('POST', '/graphql', 'first', '{}') + many.join(''));
  await once(socket, 'close');
  await expect.poll(() => served.left).toEqual(['first']);
  expect(served.named('many-').length).toBe(99);
});
