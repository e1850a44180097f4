// What is no request is answered like one: with a name, a problem, a line of the log and a count.

import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openHttpServer } from '../../src/http/server.ts';
import type { RequestTask } from '../../src/tracing/request.ts';
import { listening } from './listening.ts';

interface Ended {
  readonly task: RequestTask;
  readonly status: number | null;
}

async function serve(program: RequestListener = (_, response) => void response.end('served')) {
  const ended: Ended[] = [];
  const http = openHttpServer({
    onAnswer: (task, { headersSent, statusCode }) =>
      ended.push({ task, status: headersSent ? statusCode : null }),
  });
  http.begin(program);
  return { ended, ...(await listening(http)) };
}

/** Send words over a connection of their own, and read until the server closes it. */
async function answerTo(port: number, words: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(words);
  return text(socket);
}

const long = `X-Long: ${'x'.repeat(20_000)}`;
const refused = [
  ['no HTTP', 'hello\r\n\r\n', 400, 'BAD_REQUEST'],
  ['a broken first line', 'GET / HTTP/9.9\r\nHost: a\r\n\r\n', 400, 'BAD_REQUEST'],
  ['headers that are too long', `GET / HTTP/1.1\r\n${long}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
  ['a tunnel', 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\nhello', 405, 'METHOD_NOT_ALLOWED'],
  ['headers that come too slowly', 'GET / HTTP/1.1\r\nHost: a\r\n', 408, 'REQUEST_TIMEOUT'],
] as const;

test.each(refused)('%s', async (_, words, status, code) => {
  await using served = await serve();
  const answer = await answerTo(served.port, words);
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} \\w`));
  const [, id] = /^x-request-id: (.+)$/m.exec(head) ?? [];
  expect(id).toMatch(/^[\da-f-]{36}$/);
  expect(head).toMatch(/^content-type: application\/problem\+json$/m);
  expect(head).toMatch(/^connection: close$/m);
  expect(JSON.parse(body)).toMatchObject({ status, code, request_id: id });
  const [only, ...others] = served.ended;
  expect(others).toEqual([]);
  expect(only).toMatchObject({ status, task: { id, operation: '(malformed)', isQuiet: false } });
  // Nothing that the client made up.
  expect(JSON.stringify(only)).not.toMatch(/hello|xxx/);
});

test('anyone who asks for a tunnel is told what is allowed, and may leave before', async () => {
  await using served = await serve();
  const words = 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n';
  expect(await answerTo(served.port, words)).toMatch(/^allow: GET, HEAD, POST/m);
  for (let times = 0; times < 20; times += 1) {
    const socket = connect(served.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(words, () => socket.resetAndDestroy());
  }
  expect(await answerTo(served.port, words)).toMatch(/^HTTP\/1.1 405 /);
});

test('a request of HTTP/1.1 without a host is one that is refused', async () => {
  await using served = await serve();
  const answer = await answerTo(served.port, 'GET /here HTTP/1.1\r\nX-Request-Id: mine\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1.1 400 /);
  expect(answer).toMatch(/"request_id":"mine"/);
  await expect.poll(() => served.ended).toMatchObject([{ status: 400, task: { path: '/here' } }]);
  const old = await answerTo(served.port, 'GET / HTTP/1.0\r\n\r\n');
  expect(old).toMatch(/served$/);
});

test('a request that names two hosts is refused, whatever they are', async () => {
  await using served = await serve();
  for (const [first, second] of [
    ['Host: a', 'Host: b'],
    ['Host: a', 'host: a'],
    ['HOST: a', 'Host:'],
  ]) {
    for (const version of ['1.1', '1.0']) {
      const words = `GET / HTTP/${version}\r\n${first}\r\nX: y\r\n${second}\r\n\r\n`;
      const answer = await answerTo(served.port, words);
      expect(answer, words).toMatch(/^HTTP\/1.1 400 /);
      expect(answer, words).not.toContain('served');
      expect(answer).toMatch(/^connection: close$/im);
    }
  }
  // A line without a version is no request of HTTP/1.
  expect(await answerTo(served.port, 'GET /\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
});

test('what a request expects besides 100-continue is passed over', async () => {
  await using served = await serve();
  const head = ['GET / HTTP/1.1', 'Host: a', 'Expect: a miracle', 'Connection: close'];
  const answer = await answerTo(served.port, `${head.join('\r\n')}\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1.1 200 /);
  expect(answer).toMatch(/x-request-id: /);
});

test('a connection over which nothing came is refused quietly', async () => {
  await using served = await serve();
  const answer = await answerTo(served.port, '');
  expect(answer).toMatch(/^HTTP\/1.1 408 /);
  expect(served.ended).toMatchObject([{ status: 408, task: { isQuiet: true } }]);
});

test.each(['resetAndDestroy', 'end'] as const)(
  'a client that leaves in the middle of its body (%s) sent nothing malformed',
  async (leave) => {
    await using served = await serve(() => {});
    const socket = connect(served.port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{');
    await sleep(50);
    socket[leave]();
    await expect.poll(() => served.ended).toMatchObject([{ status: null, task: { path: '/' } }]);
    await sleep(50);
    expect(served.ended).toHaveLength(1);
  },
);

test('a body that breaks off the rules ends its request, and is answered once', async () => {
  await using served = await serve();
  const head = ['POST / HTTP/1.1', 'Host: a', 'Transfer-Encoding: chunked'];
  const answer = await answerTo(served.port, `${head.join('\r\n')}\r\n\r\nno chunk\r\n`);
  expect(answer.match(/HTTP\/1.1/g)).toHaveLength(1);
  await expect.poll(() => served.ended.map(({ task }) => task.operation)).toHaveLength(2);
});
