import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distanceToStart } from '../../src/resources/search/respelled.ts';

const letters = (text: string) => [...text];
const distance = (word: string, target: string) => distanceToStart(letters(word), letters(target));

test.each([
  ['orders', 'orders', 0],
  ['ord', 'orders', 0],
  ['ordres', 'orders', 1],
  ['orderss', 'orders', 1],
  ['oders', 'orders', 1],
  ['osders', 'orders', 1],
  ['ro', 'orders', 1],
  ['', 'orders', 0],
  ['abc', '', 3],
  ['custmer', 'customers', 1],
])('%s is as far from the start of %s as %i letters', (word, target, expected) => {
  expect(distance(word, target)).toBe(expected);
});

/** The definition itself, taken at its word: slow, and by other means than the product's. */
function byDefinition(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const [x, y] = [a.slice(0, -1), b.slice(0, -1)];
  const swapped = a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1);
  return Math.min(
    byDefinition(x, b) + 1,
    byDefinition(a, y) + 1,
    byDefinition(x, y) + (a.at(-1) === b.at(-1) ? 0 : 1),
    swapped ? byDefinition(a.slice(0, -2), b.slice(0, -2)) + 1 : Number.POSITIVE_INFINITY,
  );
}

test('the distance to a start is the least one to any start of the target', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 5 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      const starts = Array.from({ length: b.length + 1 }, (_, end) => b.slice(0, end));
      expect(distance(a, b)).toBe(Math.min(...starts.map((start) => byDefinition(a, start))));
    }),
    { numRuns: 500, seed: 7 },
  );
});
