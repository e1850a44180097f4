// Two tests, of which one fails the first time and the other each time; outcomes.process.test.ts runs them.

import { expect, test } from 'vitest';

test('fails the first time', () => {
  expect(process.env.AGAIN).toBeDefined();
});

test('fails each time', () => {
  expect(1).toBe(2);
});
