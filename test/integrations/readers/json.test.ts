// JSON that others wrote: where it is wrong, and what no catalog may keep.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readJson } from '../../../src/integrations/readers/json.ts';
import { runs } from '../../trials/nightly.ts';

function faultOf(text: string) {
  const read = readJson(text);
  if (read.ok) throw new Error(`${text} was read.`);
  return read.fault;
}

test.each([
  ['{"a": 1,}', 8, 'expected a name in double quotes, found "}"'],
  ['{"a" 1}', 5, 'expected a colon, found "1"'],
  ['{"a": 1 "b": 2}', 8, 'expected a comma or the closing bracket, found "\\""'],
  ['[1, 2', 5, 'expected a comma or the closing bracket, found the end'],
  ['[1, ]', 4, 'expected a value, found "]"'],
  ["{'a': 1}", 1, 'expected a name in double quotes, found "\'"'],
  ['{} {}', 3, 'expected the end, found "{"'],
  ['', 0, 'expected a value, found the end'],
  ['{"a": tru}', 6, 'expected a value, found "t"'],
  ['{"a": "x', 6, 'expected a value, found "\\""'],
])('%s is wrong at %i', (text, at, message) => {
  expect(faultOf(text)).toEqual({ at, message });
});

test('a fault is found in every text that the engine refuses', () => {
  const almost = fc.tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '}', '"', '\\', 'x', ':'));
  fc.assert(
    fc.property(almost, ([json, n, insert]) => {
      const at = n % (json.length + 1);
      const text = json.slice(0, at) + insert + json.slice(at + 1);
      let isJson = true;
      try {
        JSON.parse(text);
      } catch {
        isJson = false;
      }
      if (isJson) return;
      const fault = faultOf(text);
      expect(fault.at).toBeGreaterThanOrEqual(0);
      expect(fault.at).toBeLessThanOrEqual(text.length);
    }),
    { seed: 7, numRuns: runs(2_000) },
  );
});

test('64 levels are read, 65 are not', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  expect(readJson(nested(64)).ok).toBe(true);
  expect(faultOf(nested(65))).toMatchObject({ at: 64, message: expect.stringMatching(/deeper/) });
  expect(faultOf(nested(1_000_000)).at).toBe(64);
  expect(readJson(`"${'['.repeat(100)}"`).ok).toBe(true);
});

test('text that no database can keep is refused, also as the name of a member', () => {
  for (const text of [
    '{"a":"x\\u0000"}',
    '{"\\u0000":1}',
    '["\\ud800"]',
    '{"a":{"b":["\\udfff"]}}',
  ]) {
    expect(faultOf(text).message).toMatch(/U\+0000 or half of a surrogate pair/);
  }
  expect(readJson('["\\ud83d\\ude00", "\\\\u0000"]').ok).toBe(true);
});
