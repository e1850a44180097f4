import { expect, test } from 'vitest';
import { nearest } from '../../src/text/nearest.ts';

const words = ['title', 'parent_id', 'integration_id', 'page', 'page_size', 'filter', 'postgres'];

test.each([
  ['titel', 'title'],
  ['Title', 'title'],
  ['titl', 'title'],
  ['parentid', 'parent_id'],
  ['page_siez', 'page_size'],
  ['postgress', 'postgres'],
  ['integration', 'integration_id'],
  ['filter[operator]', 'filter'],
])('%s is most likely %s', (given, meant) => {
  expect(nearest(given, words)).toBe(meant);
});

test.each(['colour', 'x', '', 'zzzzzz', 'ti', `${'a'.repeat(100_000)}`])(
  'nothing is near to %.20s',
  (given) => {
    expect(nearest(given, words)).toBeUndefined();
  },
);
