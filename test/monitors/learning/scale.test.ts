// In charge of showing how an expert's errors are remembered.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ErrorRecord,
  largestError,
  newRecord,
  recordOutcome,
  scoreOf,
  sigmaOf,
  yardstick,
} from '../../../src/monitors/learning/scale.ts';
import { UNITS } from '../../../src/monitors/metric.ts';

const AGAINST = { unit: UNITS.number, level: 100 };

const record = (errors: readonly number[], accepted = true, watched = true): ErrorRecord => {
  const made = newRecord();
  for (const error of errors) {
    const outcome = { forecast: 100, value: 100 + error, accepted, watched };
    recordOutcome(made, outcome, AGAINST, 0.97);
  }
  return made;
};

test('the largest error is that of the last 45 accepted ones', () => {
  const error = fc.double({ min: -50, max: 50, noNaN: true });
  const errors = fc.array(error, { minLength: 1, maxLength: 150, size: 'max' });
  const holds = fc.property(errors, (list) => {
    const naive = Math.max(...list.slice(-45).map((error) => Math.abs(100 + error - 100)));
    expect(largestError(record(list), 'constant', 100, AGAINST)).toBe(naive);
  });
  fc.assert(holds, { numRuns: 300, seed: 7 });
});

test('a record before the first forecast knows nothing, and no error', () => {
  const nothing = { mean: 0, score: 0, peaks: [] };
  const scales = { constant: nothing, proportional: nothing, root: nothing };
  expect(newRecord()).toEqual({ scored: 0, accepted: 0, weight: 0, scales });
  expect(largestError(newRecord(), 'constant', 100, AGAINST)).toBe(0);
  expect(sigmaOf(newRecord(), 'root', 100, AGAINST)).toBe(0);
});

test('what an error is held against never shrinks below the grain, nor far below the level', () => {
  const sizes = (forecast: number, level: number) =>
    (['constant', 'proportional', 'root'] as const).map((scale) =>
      yardstick(scale, forecast, { unit: UNITS.count, level }),
    );
  expect(sizes(-400, 100)).toEqual([1, 400, 20]);
  expect(sizes(0, 1800)).toEqual([1, 9, 3]);
  expect(sizes(0.5, 0)).toEqual([1, 1, 1]);
});

test('a value out of range is not among the largest errors, however large', () => {
  const made = record([1, -2, 1]);
  const outcome = { forecast: 100, value: 9e9, accepted: false, watched: true };
  recordOutcome(made, outcome, AGAINST, 0.97);
  expect(largestError(made, 'constant', 100, AGAINST)).toBe(2);
  expect(sigmaOf(made, 'constant', 100, AGAINST)).toBeLessThan(6);
});

test('an error on a side that nobody watches does not widen the other', () => {
  expect(largestError(record([5, 5], true, false), 'constant', 100, AGAINST)).toBe(0);
});

test('sigma is that of normal errors', () => {
  const errors = Array.from({ length: 400 }, (_, i) => (i % 2 === 0 ? 8 : -8));
  expect(sigmaOf(record(errors), 'constant', 100, AGAINST)).toBeCloseTo(8 * 1.2533, 3);
});

test('a proportional scale expects twice the error at twice the forecast', () => {
  const made = record([3, -3, 3, -3]);
  const [at100, at200] = [100, 200].map((forecast) =>
    sigmaOf(made, 'proportional', forecast, AGAINST),
  );
  expect(at200).toBeCloseTo(2 * (at100 ?? 0));
  expect(sigmaOf(made, 'root', 400, AGAINST)).toBeCloseTo(2 * (at100 ?? 0));
});

test('the better expert has the lower score', () => {
  const [good, bad] = [record(new Array(20).fill(1)), record(new Array(20).fill(4))];
  expect(scoreOf(good, 'constant')).toBeLessThan(scoreOf(bad, 'constant'));
});

test('a value out of range scores nobody', () => {
  const made = record([1, -1, 1, -1, 1, -1]);
  const before = scoreOf(made, 'constant') - 1.5 / made.scored;
  const outcome = { forecast: 100, value: 500, accepted: false, watched: true };
  recordOutcome(made, outcome, AGAINST, 0.97);
  expect(scoreOf(made, 'constant') - 1.5 / made.scored).toBeCloseTo(before, 12);
});
