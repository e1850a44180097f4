// Showing how the errors of forecasts are remembered, and what range follows.

import { expect, test } from 'vitest';
import {
  type ErrorRecord,
  type ForecastOutcome,
  forgetLatest,
  newRecord,
  reachNow,
  recordOutcome,
  usualError,
  yardstick,
} from '../../../src/monitors/learning/scale.ts';
import { reachOf } from '../../../src/monitors/learning/tail.ts';
import { UNITS } from '../../../src/monitors/metric.ts';
import { randomFrom } from '../../trials/random.ts';

const TAIL = { share: 0.1, points: 10 };
const AGAINST = { unit: UNITS.number, level: 100, steadiness: 0, amounts: false };
const RULES = { discount: 0.985, rate: 0.005, steadiness: 0, amounts: false, tail: TAIL };

const record = (errors: readonly number[], more: Partial<ForecastOutcome> = {}): ErrorRecord => {
  const made = newRecord(0);
  for (const error of errors) see(made, { ...more, value: (more.forecast ?? 100) + error });
  return made;
};

function see(made: ErrorRecord, outcome: Partial<ForecastOutcome>): void {
  const usual = {
    forecast: 100,
    value: 100,
    phase: null,
    wild: false,
    outside: false,
    excused: false,
  };
  recordOutcome(made, { ...usual, ...outcome }, AGAINST, RULES);
}

/** Sizes of errors of mean one: normal, or Student's with heavy tails. */
const drawn = (count: number, freedom: number | null, seed = 5): number[] => {
  const random = randomFrom(seed);
  const draw = () => (freedom === null ? random.normal() : random.student(freedom));
  const errors = Array.from({ length: count }, draw);
  const mean = errors.reduce((sum, error) => sum + Math.abs(error), 0) / count;
  return errors.map((error) => error / mean);
};

test('a record before the first forecast knows no error, and would reach far', () => {
  const made = newRecord(7);
  expect(usualError(made, 100, 3, AGAINST)).toBe(0);
  expect(reachNow(made)).toEqual({ below: 5, above: 5 });
});

test('what an error is held against never shrinks below the grain, nor far below the level', () => {
  const sizes = (forecast: number, level: number) =>
    (['constant', 'proportional', 'root'] as const).map((scale) =>
      yardstick(scale, forecast, { unit: UNITS.count, level }),
    );
  expect(sizes(-400, 100)).toEqual([1, 400, 20]);
  expect(sizes(0, 1800)).toEqual([1, 36, 6]);
  expect(sizes(0.5, 0)).toEqual([1, 1, 1]);
});

test('one wild error moves the mean error little', () => {
  const made = record(new Array(60).fill(1).map((size, i) => (i % 2 === 0 ? size : -size)));
  const before = usualError(made, 100, null, AGAINST);
  see(made, { value: 9e9 });
  expect(usualError(made, 100, null, AGAINST)).toBeLessThan(2 * before);
});

test('errors that grow with the forecast are expected to', () => {
  const random = randomFrom(2);
  const made = newRecord(0);
  for (let i = 0; i < 200; i++) {
    const forecast = 100 * (1 + (i % 10));
    see(made, { forecast, value: forecast * (1 + 0.05 * random.normal()) });
  }
  expect(made.best).toBe('proportional');
  const [small, large] = [100, 1000].map((at) => usualError(made, at, null, AGAINST));
  expect((large ?? 0) / (small ?? 1)).toBeCloseTo(10);
});

test('a phase that errs more than the others is given more room', () => {
  const random = randomFrom(3);
  const made = newRecord(7);
  for (let day = 0; day < 400; day++) {
    const noise = (day % 7 === 6 ? 30 : 5) * random.normal();
    see(made, { phase: day % 7, value: 100 + noise });
  }
  const [weekday, sunday] = [2, 6].map((phase) => usualError(made, 100, phase, AGAINST));
  expect(sunday).toBeGreaterThan(1.8 * (weekday ?? 0));
});

test('an error that a person excused is in range for the next 45 points', () => {
  const errors = drawn(100, null);
  const made = record(errors);
  const before = reachNow(made).above;
  see(made, { value: 130, excused: true });
  const size = 30 / usualError(made, 100, null, AGAINST);
  expect(reachNow(made).above).toBeGreaterThan(Math.max(before, size));
  for (const error of errors.slice(0, 45)) see(made, { value: 100 + error });
  expect(reachNow(made).above).toBeLessThan(size);
});

test('the reach lets the share of errors out that was asked for', () => {
  for (const [rate, most] of [
    [0.005, 0.012],
    [0.05, 0.07],
  ] as const) {
    const errors = drawn(400, null, 9);
    const { below, above } = reachOf({ errors, wild: errors.map(() => 0) }, { rate, tail: TAIL });
    const fresh = drawn(20_000, null, 10);
    const share = fresh.filter((error) => error > above || error < -below).length / fresh.length;
    expect(share).toBeLessThan(most);
    expect(share).toBeGreaterThan(rate / 20);
  }
});

test('heavier tails reach further, each side by its own', () => {
  const wild = new Array<number>(400).fill(0);
  const reach = (errors: readonly number[]) =>
    reachOf({ errors, wild }, { rate: 0.005, tail: TAIL });
  expect(reach(drawn(400, 2)).above).toBeGreaterThan(1.3 * reach(drawn(400, null)).above);
  const lopsided = drawn(400, null).map((error) => (error > 0 ? 3 * error : error));
  expect(reach(lopsided).above).toBeGreaterThan(1.5 * reach(lopsided).below);
});

test('of the wildest points few say nothing of the width, and ordinary ones all do', () => {
  const errors = drawn(400, null);
  const extreme = errors.map((error, i) => (i % 40 === 0 ? 25 : error));
  const reach = (wild: readonly number[]) =>
    reachOf({ errors: extreme, wild }, { rate: 0.005, tail: TAIL }).above;
  const ordinary = reach(errors.map(() => 0));
  expect(reach(errors.map((_, i) => (i % 40 === 0 ? 1 : 0)))).toBeLessThan(ordinary / 2);
  expect(reach(errors.map((_, i) => (i % 41 === 1 ? 1 : 0)))).toBeGreaterThan(0.9 * ordinary);
});

test('errors that belonged to a shift are forgotten, and the reach is what it was', () => {
  const errors = drawn(60, null);
  const made = record(errors);
  const before = { ...made.reach, kept: made.scales.constant.errors.length };
  for (const shifted of [30, 30, 30]) see(made, { value: 100 + shifted, outside: true });
  expect(made.reach.above).toBeGreaterThan(1.3 * before.above);
  forgetLatest(made, 3);
  expect(made.scales.constant.errors).toHaveLength(before.kept);
  expect(made.wild).toHaveLength(before.kept);
  see(made, { value: 101 });
  expect(made.reach.above).toBeLessThan(1.1 * before.above);
});

test('where errors are steady, a calm while does not make them small', () => {
  const steady = { ...AGAINST, steadiness: 0.8 };
  const made = record([...drawn(120, null), ...new Array<number>(25).fill(0.05)]);
  expect(usualError(made, 100, null, AGAINST)).toBeLessThan(0.2);
  expect(usualError(made, 100, null, steady)).toBeGreaterThan(0.4);
});

test('amounts err in proportion unless they plainly do not, and a wild while widens them less', () => {
  const rows = { ...AGAINST, amounts: true };
  const rules = { ...RULES, amounts: true };
  const made = newRecord(0);
  for (const [i, error] of drawn(120, null).entries()) {
    const forecast = i % 2 === 0 ? 100 : 120;
    const outcome = { forecast, value: forecast + error, phase: null, wild: false };
    recordOutcome(made, { ...outcome, outside: false, excused: false }, rows, rules);
  }
  expect(made.best).toBe('proportional');
  const wild = structuredClone(made);
  wild.scales.proportional.mean *= 4;
  const ratio = usualError(wild, 100, null, rows) / usualError(made, 100, null, rows);
  expect(ratio).toBeGreaterThan(2);
  expect(ratio).toBeLessThan(3);
});
