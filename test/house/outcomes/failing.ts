// Two tests, of which one fails the first time and the other each time; outcomes.process.test.ts runs them.

import { expect, test } from 'vitest';

const tries = { first: 0 };

test('fails the first time', () => {
  tries.first += 1;
  expect(tries.first).toBe(2);
});

test('fails each time', () => {
  expect(1).toBe(2);
});
