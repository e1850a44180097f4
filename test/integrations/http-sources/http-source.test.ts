// Requests to sources that speak HTTP: one connection, inflated within bounds, again by one policy.

import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { maxAnswerBytes } from '../../../src/integrations/connectors/byte-limit.ts';
import { mustBeQuery } from '../../../src/integrations/connectors/only-query.ts';
import {
  type HttpAnswer,
  type HttpSource,
  keepAlive,
  send,
} from '../../../src/integrations/http-sources/http-source.ts';
import { type RetryClock, retrying } from '../../../src/integrations/http-sources/retry.ts';
import { tokenCache } from '../../../src/integrations/http-sources/token-cache.ts';
import { scrubberOf } from '../../../src/secrets/redaction.ts';
import { startFake } from '../connectors/http-fake.ts';

const { signal } = new AbortController();
const get = { method: 'GET', path: '/', headers: {}, signal } as const;

const at = (port: number): HttpSource => ({
  host: { name: 'source.test', address: '127.0.0.1' },
  encryption: 'disable',
  port,
});

test('requests of a session follow each other on one connection', async () => {
  await using fake = await startFake(() => ({ body: 'ok' }));
  const source = keepAlive(at(fake.port));
  for (let i = 0; i < 3; i += 1) expect((await send(source, get)).body).toBe('ok');
  expect(fake.connections()).toBe(1);
  source.agent.destroy();
  await send(at(fake.port), get);
  expect(fake.connections()).toBe(2);
});

test('a connection that the source closed by now is made again, and a request that fails on a new one is not', async () => {
  let accepted = 0;
  const answered: string[] = [];
  // Answers the first request of each connection, then closes it when the second one comes.
  const server = createServer((socket) => {
    accepted += 1;
    let isFirst = true;
    socket.on('error', () => {});
    socket.on('data', () => {
      if (!isFirst) return socket.resetAndDestroy();
      isFirst = false;
      answered.push('one');
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: keep-alive\r\n\r\nok');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const source = keepAlive(at(port));
  expect((await send(source, get)).status).toBe(200);
  expect((await send(source, { ...get, method: 'POST', body: 'x' })).status).toBe(200);
  expect([accepted, answered.length]).toEqual([2, 2]);
  source.agent.destroy();
  await new Promise((resolve) => server.close(resolve));
});

test('a packed answer is unpacked, its headers are there, and what cannot be unpacked is said', async () => {
  const packed = gzipSync('{"größe":1}');
  await using fake = await startFake(({ url }) => {
    if (url.pathname === '/bad') {
      return { headers: { 'content-encoding': 'gzip' }, body: 'no gzip at all' };
    }
    if (url.pathname === '/odd') return { headers: { 'content-encoding': 'zstd' }, body: 'x' };
    if (url.pathname === '/cut') {
      return { headers: { 'content-encoding': 'gzip' }, body: packed.subarray(0, 12) };
    }
    return { headers: { 'content-encoding': 'gzip', 'x-left': '7' }, body: packed };
  });
  const source = at(fake.port);
  const answer = await send(source, get);
  expect(answer).toMatchObject({ body: '{"größe":1}', headers: { 'x-left': '7' } });
  expect(fake.asked[0]?.headers['accept-encoding']).toBe('gzip');
  for (const path of ['/bad', '/odd', '/cut']) {
    await expect(send(source, { ...get, path }), path).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  }
});

test('what inflates to more than is allowed is cut', async () => {
  const bomb = gzipSync(Buffer.alloc(maxAnswerBytes + 1));
  expect(bomb.length).toBeLessThan(maxAnswerBytes / 500);
  await using fake = await startFake(() => ({
    headers: { 'content-encoding': 'gzip' },
    body: bomb,
  }));
  await expect(send(at(fake.port), get)).rejects.toThrow('MiB');
});

/** A clock that no one waits for: what was waited is kept. */
function fakeClock(): RetryClock & { readonly waits: number[] } {
  let now = 1_000_000;
  const waits: number[] = [];
  return {
    waits,
    now: () => now,
    random: () => 1,
    async pause(ms) {
      waits.push(ms);
      now += ms;
    },
  };
}

const answer = (status: number, headers: HttpAnswer['headers'] = {}): HttpAnswer => ({
  status,
  headers,
  body: '',
});

test('a busy source is asked again, after what it asks for or longer each time', async () => {
  const clock = fakeClock();
  const date = new Date(clock.now() + 9_000).toUTCString();
  const answers = [
    answer(429, { 'retry-after': '7' }),
    answer(503),
    answer(429, { 'retry-after': '-3' }),
    answer(503, { 'retry-after': 'soon' }),
    answer(200),
  ];
  const rules = { isRepeatable: false, deadline: clock.now() + 100_000, signal, clock };
  const last = await retrying(async (count) => answers[count] ?? answer(500), rules);
  expect(last.status).toBe(200);
  expect(clock.waits).toEqual([7_000, 1_000, 2_000, 4_000]);
  const later = fakeClock();
  await retrying(async (count) => answer(count === 0 ? 429 : 200, { 'retry-after': date }), {
    ...rules,
    clock: later,
  });
  expect(later.waits).toEqual([9_000]);
});

test('nobody waits beyond the deadline, whatever a source asks for', async () => {
  for (const asked of ['1000000000', '61', new Date(9e15 / 1_000).toUTCString()]) {
    const clock = fakeClock();
    const rules = { isRepeatable: true, deadline: clock.now() + 60_000, signal, clock };
    await expect(
      retrying(async () => answer(429, { 'retry-after': asked }), rules),
      asked,
    ).rejects.toMatchObject({ code: 'UNAVAILABLE', message: expect.stringContaining('429') });
    expect(clock.waits).toEqual([]);
  }
  const clock = fakeClock();
  const rules = { isRepeatable: true, deadline: clock.now() + 60_000, signal, clock };
  await expect(retrying(async () => answer(503), rules)).rejects.toThrow('not available');
  expect(clock.waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000]);
});

test('only what may be sent twice is sent again after 500, 502, 504 and a lost connection', async () => {
  const reset = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
  for (const isRepeatable of [true, false]) {
    for (const status of [500, 502, 504, 0]) {
      const clock = fakeClock();
      let sent = 0;
      const rules = { isRepeatable, deadline: clock.now() + 60_000, signal, clock };
      const done = retrying(async () => {
        sent += 1;
        if (sent > 1) return answer(200);
        if (status === 0) throw reset;
        return answer(status);
      }, rules);
      if (status === 0 && !isRepeatable) await expect(done).rejects.toBe(reset);
      else expect((await done).status).toBe(isRepeatable ? 200 : status);
      expect(sent, `${status} ${isRepeatable}`).toBe(isRepeatable ? 2 : 1);
    }
  }
});

test('a refused token is renewed once, and what a source calls throttling is waited for', async () => {
  const clock = fakeClock();
  let renewed = 0;
  const rules = {
    ...{ isRepeatable: false, deadline: clock.now() + 60_000, signal, clock },
    renew: () => {
      renewed += 1;
    },
  };
  expect((await retrying(async (count) => answer(count === 0 ? 401 : 200), rules)).status).toBe(
    200,
  );
  expect((await retrying(async () => answer(401), rules)).status).toBe(401);
  expect(renewed).toBe(2);
  const judge = ({ status }: HttpAnswer) => (status === 403 ? ('again' as const) : undefined);
  const throttled = await retrying(async (count) => answer(count < 2 ? 403 : 200), {
    ...rules,
    judge,
  });
  expect([throttled.status, clock.waits]).toEqual([200, [500, 1_000]]);
});

test('one token is made for all who ask at once, renewed before its end, and never shown', async () => {
  let now = 0;
  let made = 0;
  const scrub = scrubberOf({ password: 'hush-hush' });
  const cache = tokenCache(
    async () => {
      made += 1;
      await new Promise((resolve) => setImmediate(resolve));
      return { token: `minted-token-${made}`, lifeMs: 1_000 };
    },
    scrub.also,
    () => now,
  );
  const all = await Promise.all([cache.get(signal), cache.get(signal), cache.get(signal)]);
  expect(all).toEqual(['minted-token-1', 'minted-token-1', 'minted-token-1']);
  now = 799;
  expect(await cache.get(signal)).toBe('minted-token-1');
  now = 801;
  expect(await cache.get(signal)).toBe('minted-token-2');
  // Somebody was refused with the old one: the new one stays.
  cache.forget('minted-token-1');
  expect(await cache.get(signal)).toBe('minted-token-2');
  cache.forget('minted-token-2');
  expect(await cache.get(signal)).toBe('minted-token-3');
  expect(scrub('it was hush-hush, minted-token-1 or minted-token-3')).toBe(
    'it was ***, *** or ***',
  );
});

test('one who gives up does not take the token from those who wait for it', async () => {
  const leaving = new AbortController();
  let give: (token: string) => void = () => {};
  const minting = new Promise<string>((resolve) => {
    give = resolve;
  });
  const cache = tokenCache(
    async () => ({ token: await minting, lifeMs: 1_000 }),
    () => {},
  );
  const first = cache.get(leaving.signal);
  const second = cache.get(signal);
  leaving.abort(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  give('one');
  expect(await second).toBe('one');
});

test('a function that does something is not called, however its name is written', () => {
  const forbidden = /^(SYSTEM\$.*|EXTERNAL_QUERY|AI\..*)$/;
  for (const sql of [
    `SELECT SYSTEM$CANCEL_ALL_QUERIES('x')`,
    `SELECT 1 WHERE system$wait (1) = 'x'`,
    `SELECT "SYSTEM$WAIT"(1)`,
    `SELECT * FROM EXTERNAL_QUERY('c', 'q')`,
    `SELECT AI.GENERATE('x')`,
    `SELECT p.d.external_query('x')`,
    `SELECT /* SYSTEM */ SYSTEM$ABORT_SESSION/**/(1)`,
  ]) {
    expect(() => mustBeQuery(sql, 'snowflake', forbidden), sql).toThrow('is not called');
  }
  for (const sql of [
    `SELECT 'SYSTEM$WAIT(1)' FROM t`,
    'SELECT external_query FROM t',
    'SELECT count(*) FROM t -- SYSTEM$WAIT(1)',
    'SELECT ai.x FROM ai WHERE (1) = 1',
  ]) {
    expect(() => mustBeQuery(sql, 'snowflake', forbidden), sql).not.toThrow();
  }
});
