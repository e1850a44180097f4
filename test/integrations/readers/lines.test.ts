// Cutting bytes into lines: borders, limits and what is no text.

import { expect, test } from 'vitest';
import { readLines } from '../../../src/integrations/readers/lines.ts';
import { plainBytes } from '../../../src/integrations/readers/source.ts';
import { inPieces, refusalOf } from './reading.ts';

async function linesOf(content: string | Buffer, size?: number, limit?: number) {
  const lines = [];
  const bytes = plainBytes(inPieces('f', content, size), 1_000_000);
  for await (const { number, text } of readLines('f', bytes, limit)) lines.push([number, text]);
  return lines;
}

test('lines are the same wherever the pieces end', async () => {
  const content = '\uFEFFone\r\n\n  \nfour é\nfünf';
  const expected = [
    [1, 'one'],
    [4, 'four é'],
    [5, 'fünf'],
  ];
  for (let size = 1; size < 12; size++) expect(await linesOf(content, size)).toEqual(expected);
});

test('a line as long as allowed is read, a longer one is refused by its number', async () => {
  expect(await linesOf(`a\n${'b'.repeat(10)}\nc`, 4, 10)).toHaveLength(3);
  const long = inPieces('f', `a\n${'b'.repeat(11)}\nc`, 4);
  expect(await refusalOf(readLines('f', plainBytes(long, 1000), 10))).toBe(
    'f, line 2: is longer than 10 bytes, the most a line may have.',
  );
});

test('a line of 200 MB is refused as soon as it is too long, and never held', async () => {
  let sent = 0;
  const endless = (async function* () {
    yield Buffer.from('{"entity_type":"table"}\n');
    const chunk = Buffer.alloc(64 * 1024, 'x');
    for (; sent < 200 * 1024 * 1024; sent += chunk.length) yield chunk;
  })();
  const before = process.memoryUsage().arrayBuffers;
  const refusal = await refusalOf(readLines('resources_file', endless));
  expect(refusal).toMatch(/^resources_file, line 2: is longer than 4194304 bytes/);
  expect(sent).toBeLessThan(5 * 1024 * 1024);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * 1024 * 1024);
});

test('bytes that are no UTF-8 are refused by their line', async () => {
  const content = Buffer.concat([
    Buffer.from('fine\nbad '),
    Buffer.from([0xff]),
    Buffer.from('\n'),
  ]);
  expect(await refusalOf(readLines('f', plainBytes(inPieces('f', content), 1000)))).toBe(
    'f, line 2: is not UTF-8 text.',
  );
});
