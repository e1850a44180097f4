import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { readBody, readMessage, readText } from '../../src/http/body.ts';
import { mainThread } from '../../src/limits/fair-queue.ts';

function post(body: BodyInit): Request {
  const init = { method: 'POST', body, duplex: 'half' };
  return new Request('http://library.test/', init);
}

test('a body is read as text and as fields', async () => {
  expect(await readBody(post('{"a": [1]}'), 100)).toEqual({
    text: '{"a": [1]}',
    fields: { a: [1] },
  });
});

test('no body, or white space, is an empty object', async () => {
  expect((await readBody(new Request('http://a/', { method: 'POST' }), 100)).fields).toEqual({});
  expect((await readBody(post(' \n'), 100)).fields).toEqual({});
});

test('the limit counts bytes, and the last one still fits', async () => {
  const body = '{"a":"é"}';
  expect(Buffer.byteLength(body)).toBe(10);
  expect((await readBody(post(body), 10)).fields).toEqual({ a: 'é' });
  await expect(readBody(post(body), 9)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
});

test('a body that is compressed, or in another encoding, is refused with what to do', async () => {
  for (const body of [gzipSync('{"a":1}'), Buffer.from('{"a":"é"}', 'latin1')]) {
    await expect(readBody(post(new Uint8Array(body)), 100)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'The request body is not UTF-8. Send it as text, and uncompressed.',
    });
  }
});

test('a character may be cut by the pieces that a body comes in', async () => {
  const bytes = new TextEncoder().encode('{"a":"é"}');
  const pieces = new ReadableStream({
    start(controller) {
      for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
      controller.close();
    },
  });
  expect((await readBody(post(pieces), 100)).fields).toEqual({ a: 'é' });
});

test('a body that drips for a quarter of a minute is given up', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    let cancelled = false;
    const drips = new ReadableStream({
      start: (controller) => controller.enqueue(new Uint8Array([0x7b])),
      cancel: () => {
        cancelled = true;
      },
    });
    const body = readBody(post(drips), 100);
    body.catch(() => {});
    await vi.advanceTimersByTimeAsync(15_000);
    await expect(body).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' });
    expect(cancelled).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

test('of one key a few bodies are gone on with at once, so that another one need not wait for all', async () => {
  const order: string[] = [];
  const read = async (key: string) => {
    const headers = { authorization: `Bearer ${key}` };
    const request = new Request('http://localhost', { method: 'POST', headers, body: '{}' });
    expect(await readText(request, 100)).toBe('{}');
    order.push(key);
  };
  await Promise.all([...Array.from({ length: 40 }, () => read('many')), read('other')]);
  expect(order).toHaveLength(41);
  expect(order.indexOf('other')).toBeLessThan(20);
});

/** A body as node:http receives it, in pieces that have all come. */
function message(pieces: readonly Buffer[], key: string): IncomingMessage {
  const headers = { authorization: `Bearer ${key}` };
  return Object.assign(Readable.from(pieces, { objectMode: false }), { headers }) as never;
}

const megabyte = Array.from({ length: 16 }, () => Buffer.alloc(65_536, 'a'));

test('long bodies that have come are read in turns, and others get on between their pieces', async () => {
  let [rounds, isOver] = [0, false];
  const count = () => {
    rounds += 1;
    if (!isOver) setImmediate(count);
  };
  const reading = Promise.all(
    Array.from({ length: 10 }, (_, n) => readMessage(message(megabyte, `key ${n}`), 2_000_000)),
  );
  setImmediate(count);
  for (const text of await reading) expect(text).toBe('a'.repeat(1_048_576));
  isOver = true;
  // Ten megabytes of which a quarter of one is read in a round, each time before somebody's next turn.
  expect(rounds).toBeGreaterThan(40);
});

test('while a body waits for its turn it does not come too slowly', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const waiting: (() => void)[] = [];
  const next = vi
    .spyOn(mainThread, 'next')
    .mockImplementation(() => new Promise((resolve) => void waiting.push(resolve)));
  try {
    const reading = readMessage(message(megabyte, 'patient'), 2_000_000);
    const ended = reading.then(
      () => 'read',
      ({ code }) => code,
    );
    await vi.waitFor(() => expect(waiting).not.toEqual([]));
    await vi.advanceTimersByTimeAsync(60_000);
    next.mockRestore();
    for (const go of waiting) go();
    expect(await ended).toBe('read');
  } finally {
    next.mockRestore();
    vi.useRealTimers();
  }
});

test('nothing of a body is waited for once its client has left', async () => {
  const left = message(megabyte, 'left');
  const reading = readMessage(left, 2_000_000);
  left.destroy();
  await expect(reading).rejects.toThrow();
});
