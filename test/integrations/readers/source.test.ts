// The bytes of uploads: packed or plain, bounded either way.

import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { plainBytes } from '../../../src/integrations/readers/source.ts';
import { inPieces } from './reading.ts';

async function read(content: string | Buffer, size = 5, maxBytes = 1_000_000): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of plainBytes(inPieces('f', content, size), maxBytes)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

test('gzip is known by its first bytes, even if these come one by one', async () => {
  const text = 'plain text\n'.repeat(50);
  expect(await read(text)).toBe(text);
  expect(await read(gzipSync(text), 1)).toBe(text);
  expect(await read(gzipSync(text), 1000)).toBe(text);
  expect(await read('')).toBe('');
  expect(await read('x', 1)).toBe('x');
});

test('what a small archive unpacks to is bounded', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000));
  await expect(read(bomb, 4096, 1_000_000)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
});

test('a broken archive is a bad file', async () => {
  const broken = gzipSync('some text that is long enough').subarray(0, 20);
  await expect(read(broken)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringContaining('f: is not a readable gzip archive'),
  });
});

test('an error of the source itself is passed on as it is', async () => {
  const failing = {
    file: 'f',
    bytes: (async function* () {
      yield Buffer.from('ab');
      throw new Error('the client went away');
    })(),
  };
  const drain = async () => {
    for await (const _ of plainBytes(failing, 100));
  };
  await expect(drain()).rejects.toThrow('the client went away');
});
