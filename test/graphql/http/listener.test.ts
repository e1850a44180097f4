// Requests of node:http on their way to GraphQL and back: limits, clients that leave, and streams.

import { once } from 'node:events';
import { request as ask, createServer, type IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type FetchHandler, graphqlListener } from '../../../src/graphql/http/listener.ts';

const maxBodyBytes = 20;

/** A server whose requests are answered by `answer`. */
async function serve(answer: FetchHandler['handleRequest']) {
  const unexpected: unknown[] = [];
  const handler = { fetchAPI: { Request }, handleRequest: answer };
  const onUnexpected = (error: unknown) => unexpected.push(error);
  const server = createServer(
    graphqlListener(handler, { bodySize: () => maxBodyBytes, onUnexpected }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    unexpected,
    /** Begin a request, whose body comes as the caller writes it. */
    post: () => ask({ port, host: '127.0.0.1', path: '/graphql?a=1', method: 'POST' }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const answerOf = async (sent: ReturnType<typeof ask>): Promise<IncomingMessage> => {
  const [response] = await once(sent, 'response');
  return response;
};

test('a body is handed on whole, also where a character is cut, and its answer has a length', async () => {
  await using served = await serve(async (request) => {
    const said = `${request.method} ${new URL(request.url).search} ${await request.text()}`;
    return new Response(said, { status: 202, headers: { 'x-own': 'yes' } });
  });
  const sent = served.post();
  for (const byte of Buffer.from('{"a":"é"}')) sent.write(Buffer.of(byte));
  sent.end();
  const response = await answerOf(sent);
  const said = 'POST ?a=1 {"a":"é"}';
  expect(await text(response)).toBe(said);
  expect(response.statusCode).toBe(202);
  expect(response.headers['x-own']).toBe('yes');
  expect(response.headers['content-length']).toBe(String(Buffer.byteLength(said)));
});

test('a long answer is sent in pieces, of which none cuts a character, while others are served', async () => {
  // Each is two units, and there is an odd one before them: pieces of an even length would cut them.
  const long = `{${'\u{1f4c8}'.repeat(2_000_000)}`;
  const order: string[] = [];
  const write = vi.spyOn(ServerResponse.prototype, 'write');
  onTestFinished(() => write.mockRestore());
  await using served = await serve(async (request) => {
    const isLong = (await request.text()) === 'long';
    const headers = { 'content-type': 'application/json' };
    return new Response(isLong ? long : '{}', { headers });
  });
  const asked = async (name: string) => {
    const sent = served.post();
    sent.end(name);
    const said = await text(await answerOf(sent));
    order.push(name);
    return said;
  };
  const [whole] = await Promise.all([asked('long'), asked('short')]);
  expect(whole === long).toBe(true);
  expect(order).toEqual(['short', 'long']);
  const pieces = write.mock.calls.map(([piece]) => String(piece));
  expect(pieces.join('') === long).toBe(true);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(long.length / 10);
  expect(served.unexpected).toEqual([]);
});

test('a client that leaves within a long answer ends it', async () => {
  await using served = await serve(() => {
    const headers = { 'content-type': 'application/json' };
    return new Response('x'.repeat(50_000_000), { headers });
  });
  const sent = served.post();
  sent.end();
  const response = await answerOf(sent);
  expect(response.headers['content-length']).toBe('50000000');
  await once(response, 'data');
  response.destroy();
  await once(response, 'close');
  // The next one is served.
  const next = served.post();
  next.end();
  expect(await text(await answerOf(next))).toHaveLength(50_000_000);
  expect(served.unexpected).toEqual([]);
});

test('a body that says nothing of its length is counted as it comes, and refused in JSON', async () => {
  let handled = 0;
  await using served = await serve(() => {
    handled += 1;
    return new Response('');
  });
  const sent = served.post();
  sent.write('x'.repeat(maxBodyBytes));
  sent.write('x');
  const response = await answerOf(sent);
  expect(response.statusCode).toBe(413);
  const { errors } = JSON.parse(await text(response));
  expect(errors[0].extensions.code).toBe('PAYLOAD_TOO_LARGE');
  expect([handled, served.unexpected]).toEqual([0, []]);
  sent.destroy();
});

test('a client that leaves before or after its body was read is no one’s error, and ends its work', async () => {
  let begin: (signal: AbortSignal) => void = () => {};
  const begun = new Promise<AbortSignal>((resolve) => {
    begin = resolve;
  });
  await using served = await serve(async ({ signal }) => {
    begin(signal);
    await new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
    return new Response('');
  });
  const half = served.post();
  half.on('error', () => {});
  half.write('{');
  await once(half, 'socket');
  half.destroy();
  const sent = served.post();
  sent.on('error', () => {});
  sent.end('{}');
  const signal = await begun;
  expect(signal.aborted).toBe(false);
  sent.destroy();
  await once(signal, 'abort');
  expect(signal.reason).toMatchObject({ name: 'AbortError' });
  expect(served.unexpected).toEqual([]);
});

test('events are sent as they come, and asked for no more when the client leaves', async () => {
  let cancel = () => {};
  const cancelled = new Promise<void>((resolve) => {
    cancel = resolve;
  });
  await using served = await serve(() => {
    const events = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from('event: next\n\n')),
      cancel: () => cancel(),
    });
    return new Response(events, { headers: { 'content-type': 'text/event-stream' } });
  });
  const sent = served.post().end('{}');
  sent.on('error', () => {});
  const response = await answerOf(sent);
  response.on('error', () => {});
  const [first] = await once(response, 'data');
  expect(String(first)).toBe('event: next\n\n');
  sent.destroy();
  await cancelled;
});

test('what fails without a word for clients is reported, and answered without its words', async () => {
  await using served = await serve(() => Promise.reject(new Error('hunter2')));
  const response = await answerOf(served.post().end('{}'));
  expect(response.statusCode).toBe(500);
  expect(JSON.parse(await text(response))).toEqual({
    errors: [
      {
        message: 'Something went wrong on the server.',
        extensions: { code: 'INTERNAL_SERVER_ERROR' },
      },
    ],
  });
  expect(served.unexpected).toEqual([new Error('hunter2')]);
});

test('an answer that can’t be read leaves nothing of itself but the error', async () => {
  await using served = await serve(() => {
    const broken = new ReadableStream({
      start: (controller) => controller.error(new Error('hunter2')),
    });
    const headers = { 'content-type': 'application/json', 'content-length': '3' };
    return new Response(broken, { headers });
  });
  const response = await answerOf(served.post().end('{}'));
  expect(response.statusCode).toBe(500);
  expect(JSON.parse(await text(response)).errors).toHaveLength(1);
  expect(served.unexpected).toEqual([new Error('hunter2')]);
});
