// Long bodies for GraphQL: of one sender two at once are made into values, and nothing keeps a place for good.

import { once } from 'node:events';
import { request as ask, type ClientRequest, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { graphqlListener } from '../../src/graphql/http/listener.ts';
import { LongBodies } from '../../src/http/long-bodies.ts';

const long = 'x'.repeat(50_001);
const short = 'x'.repeat(50_000);

/** A server that keeps every request until it is told what to answer, in the order in which they were begun. */
async function serveHeld() {
  const held: ((answer: Response | Error) => void)[] = [];
  const handler = {
    fetchAPI: { Request },
    handleRequest: () =>
      new Promise<Response>((resolve, reject) => {
        held.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer)));
      }),
  };
  const unexpected: unknown[] = [];
  const onUnexpected = (error: unknown) => void unexpected.push(error);
  const server = createServer(
    graphqlListener(handler, { bodySize: () => 1_000_000, onUnexpected }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const sent: ClientRequest[] = [];
  return {
    held,
    unexpected,
    post(body: string, headers: Record<string, string> = { authorization: 'Bearer one' }) {
      const request = ask({ port, host: '127.0.0.1', path: '/graphql', method: 'POST', headers });
      request.on('error', () => {});
      sent.push(request);
      return request.end(body);
    },
    /** Resolves once so many were begun, and no more are after others have been served. */
    async hasBegun(count: number) {
      await expect.poll(() => held.length).toBe(count);
      const turn = this.post('{}', { authorization: 'Bearer somebody else' });
      await expect.poll(() => held.length).toBe(count + 1);
      held.pop()?.(new Response('{}'));
      expect(await statusOf(turn)).toBe(200);
      expect(held).toHaveLength(count);
    },
    async [Symbol.asyncDispose]() {
      for (const request of sent) request.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function statusOf(request: ClientRequest): Promise<number | undefined> {
  const [response] = await once(request, 'response');
  await text(response);
  return response.statusCode;
}

const done = () => new Response('{}');

test('of one key two long bodies are read at once, and the next when one of them is answered', async () => {
  await using served = await serveHeld();
  const { held, post } = served;
  const [first, ...later] = [post(long), post(long), post(long)];
  await served.hasBegun(2);
  // Neither a short one waits for them, nor those of other keys, of a session and of no one.
  for (const headers of [{ authorization: 'Bearer other' }, { cookie: 'session=1' }, {}]) {
    post(long, headers);
  }
  post(short);
  await served.hasBegun(6);
  held[0]?.(done());
  expect(await statusOf(first as ClientRequest)).toBe(200);
  await served.hasBegun(7);
  for (const answer of held) answer(done());
  for (const one of later) expect(await statusOf(one)).toBe(200);
  expect(served.unexpected).toEqual([]);
});

test('one that fails, and one whose client leaves, leave their places; who left while it waited is not begun', async () => {
  await using served = await serveHeld();
  const { held, post } = served;
  const [failing, leaving] = [post(long), post(long)];
  await served.hasBegun(2);
  const [impatient, patient, last] = [post(long), post(long), post(long)];
  await served.hasBegun(2);
  impatient?.destroy();
  await served.hasBegun(2);
  held[0]?.(new Error('hunter2'));
  expect(await statusOf(failing as ClientRequest)).toBe(500);
  await served.hasBegun(3);
  leaving?.destroy();
  await served.hasBegun(3);
  held[1]?.(new DOMException('The client went away.', 'AbortError'));
  await served.hasBegun(4);
  for (const answer of held.slice(2)) answer(done());
  for (const one of [patient, last]) expect(await statusOf(one as ClientRequest)).toBe(200);
  expect(served.unexpected).toEqual([new Error('hunter2')]);
});

test('a subscription leaves its place once its events can come', async () => {
  await using served = await serveHeld();
  const { held, post } = served;
  post(long);
  post(long);
  await served.hasBegun(2);
  post(long);
  await served.hasBegun(2);
  let cancelled = false;
  const events = new ReadableStream({
    cancel: () => {
      cancelled = true;
    },
  });
  held[0]?.(new Response(events, { headers: { 'content-type': 'text/event-stream' } }));
  await served.hasBegun(3);
  expect(cancelled).toBe(false);
});

test('what is not answered within a second leaves its place, and the one who waits for five is told when to come back', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const bodies = new LongBodies();
  const { signal } = new AbortController();
  const key = { authorization: 'Bearer one' };
  const begun: (() => void)[] = [];
  const refused: unknown[] = [];
  const enter = () =>
    bodies.enter(long, key, signal).then(
      (leave) => begun.push(leave),
      (error: unknown) => refused.push(error),
    );
  const asked = Array.from({ length: 20 }, enter);
  const counts: number[][] = [];
  for (let second = 0; second <= 5; second++) {
    // Turns are taken in rounds of the event loop.
    await vi.waitFor(() =>
      expect(begun.length).toBeGreaterThanOrEqual(Math.min(2 * second + 2, 10)),
    );
    counts.push([begun.length, refused.length]);
    await vi.advanceTimersByTimeAsync(1_000);
  }
  await Promise.all(asked);
  expect(counts.slice(0, 5)).toEqual([2, 4, 6, 8, 10].map((count) => [count, 0]));
  expect(counts[5]).toEqual([10, 10]);
  expect(refused[0]).toMatchObject({
    code: 'TOO_MANY_REQUESTS',
    message:
      '2 requests of this key with more than 50,000 characters are being worked on, the most at once; try again in 1 s.',
  });
  for (const leave of begun) leave();
  expect(bodies.senders).toBe(0);
});

test('a place that was left twice is no one else’s', async () => {
  const bodies = new LongBodies();
  const { signal } = new AbortController();
  const leave = await bodies.enter(long, { cookie: 'a' }, signal);
  leave();
  const own = await bodies.enter(long, { cookie: 'a' }, signal);
  leave();
  expect(bodies.senders).toBe(1);
  own();
  expect(bodies.senders).toBe(0);
  await bodies.enter(short, { cookie: 'a' }, signal);
  expect(bodies.senders).toBe(0);
  await expect(bodies.enter(long, {}, AbortSignal.abort())).rejects.toThrow();
  expect(bodies.senders).toBe(0);
});
