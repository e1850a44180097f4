// Every statement of the case files gives the lineage written under it.
import { expect, test } from 'vitest';
import { asFarAsExpected, readCases, traceCase, written } from './case.js';

const cases = readCases();
test('there are more than 300 cases', () => {
  expect(cases.length).toBeGreaterThan(300);
});
test.each(cases)('$where $sql', (one) => {
  const lines = written(traceCase(one));
  const shown = one.expected.map((expected, i) => asFarAsExpected(lines[i], expected));
  expect(shown).toEqual(one.expected.map((line) => line.trim()));
  expect(lines.slice(one.expected.length)).toEqual([]);
});
