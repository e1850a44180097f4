// docs/api.md stays as it is where another run answers the same.

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { isSameAnswer } from './page.ts';

const answer = (name: string, count: number) => `200 OK

{
  "id": "${randomUUID()}", "name": "${name}", "count": ${count},
  "created_at": "${new Date(Math.random() * 1e12).toISOString()}"
}`;

test('an answer that differs in ids and times alone is the same', () => {
  expect(isSameAnswer(answer('a', 1), answer('a', 1))).toBe(true);
  expect(isSameAnswer('"key": "hwk_abc"', '"key": "hwk_xyz9"')).toBe(true);
});

test('an answer with another value, field or status is another one', () => {
  expect(isSameAnswer(answer('a', 1), answer('b', 1))).toBe(false);
  expect(isSameAnswer(answer('a', 1), answer('a', 2))).toBe(false);
  expect(isSameAnswer(answer('a', 1), answer('a', 1).replace('200 OK', '201 Created'))).toBe(false);
  expect(isSameAnswer(answer('a', 1), answer('a', 1).replace('count', 'size'))).toBe(false);
});
