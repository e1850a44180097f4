// What differs between two texts, line by line.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffOf } from '../../../src/explorer/parts/diff.ts';

const linesOf = (before: readonly string[], after: readonly string[]) =>
  diffOf(before.join('\n'), after.join('\n')).map(({ of, text }) => [of, text].join(' '));

test('lines that both texts have stand once, the others with their text', () => {
  expect(linesOf(['a', 'b', 'c'], ['a', 'x', 'c'])).toEqual([
    'both a',
    'before b',
    'after x',
    'both c',
  ]);
  expect(linesOf(['a'], ['a'])).toEqual(['both a']);
  expect(linesOf(['a'], ['b'])).toEqual(['before a', 'after b']);
});

test('as many lines as can be are common ones', () => {
  const before = ['a', 'b', 'c', 'd', 'e'];
  expect(linesOf(before, ['x', 'b', 'y', 'd', 'z'])).toEqual([
    ...['before a', 'after x', 'both b', 'before c', 'after y', 'both d', 'before e', 'after z'],
  ]);
  // A line that comes again is not taken for both of its places.
  expect(linesOf(['a', 'a'], ['a'])).toEqual(['both a', 'before a']);
  expect(linesOf(['a', 'b', 'a'], ['a'])).toEqual(['both a', 'before b', 'before a']);
});

test('each text can be read from the lines, which are numbered', () => {
  const texts = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const lines = diffOf(before.join('\n'), after.join('\n'));
      const of = (side: 'before' | 'after') =>
        lines.filter((line) => line.of === side || line.of === 'both').map(({ text }) => text);
      expect([of('before'), of('after')]).toEqual([before, after]);
      expect(lines.map(({ at }) => at)).toEqual(lines.map((_, at) => at));
    }),
  );
});
