// Showing that each kind of expert forecasts the series it was made for.

import { expect, test } from 'vitest';
import {
  absorb,
  type ExpertPlan,
  forecast,
  newExpert,
  reanchor,
} from '../../../src/monitors/learning/expert.ts';
import { plansFor } from '../../../src/monitors/learning/plans.ts';
import { UNITS } from '../../../src/monitors/metric.ts';

const WEEK = [10, 20, 30, 40, 50, 5, 1];

const planNamed = (name: string): ExpertPlan => {
  const plan = plansFor(24).find((candidate) => candidate.name === name);
  if (plan === undefined) throw new Error(`There is no plan "${name}".`);
  return plan;
};

const trained = (plan: ExpertPlan, length: number, valueAt: (slot: number) => number) => {
  const state = newExpert();
  for (let slot = 100; slot < 100 + length; slot++) absorb(plan, state, slot, valueAt(slot));
  return { state, ahead: (steps: number) => forecast(plan, state, 99 + length + steps) };
};

const cases: [string, number, (slot: number) => number][] = [
  ['last value', 3, (slot) => 7 * (slot % 2)],
  ['slow level', 20, () => 42],
  ['growth', 200, (slot) => 1000 + 25 * slot],
  ['weekly season', 60, (slot) => 100 + (WEEK[slot % 7] ?? 0)],
  ['quick weekly season', 60, (slot) => 100 + (WEEK[slot % 7] ?? 0)],
  ['weekly factors', 60, (slot) => 3 * (WEEK[slot % 7] ?? 0)],
];

test.each(cases)('"%s" forecasts the series it was made for', (name, length, valueAt) => {
  const plan = planNamed(name);
  const { ahead } = trained(plan, length, valueAt);
  const truth = name === 'last value' ? valueAt(99 + length) : valueAt(100 + length);
  expect(ahead(1)).toBeCloseTo(truth, 6);
});

test('weekly growth forecasts a table that grows on weekdays only', () => {
  let total = 0;
  const valueAt = (slot: number) => {
    total += slot % 7 < 5 ? 100 : 0;
    return total;
  };
  const { ahead, state } = trained(planNamed('weekly growth'), 140, valueAt);
  const before = state.lastValue;
  const expected = [1, 2, 3, 4, 5, 6, 7].map((step) => ahead(step) ?? 0);
  expect((expected[6] ?? 0) - before).toBeCloseTo(500, 0);
});

test('a trend goes on over a gap, and no further than ten slots', () => {
  const { ahead, state } = trained(planNamed('growth'), 200, (slot) => 10 * slot);
  expect((ahead(4) ?? 0) - state.lastValue).toBeCloseTo(40, 6);
  expect(ahead(400)).toBe(ahead(10));
});

test('an expert of seasons says nothing before it has seen one', () => {
  const plan = planNamed('weekly season');
  const state = newExpert();
  for (let slot = 0; slot < 7; slot++) {
    expect(forecast(plan, state, slot)).toBeNull();
    absorb(plan, state, slot, slot);
  }
  expect(forecast(plan, state, 7)).toBe(0);
});

test('a phase that was never seen is learned when it comes', () => {
  const plan = planNamed('weekly season');
  const state = newExpert();
  for (let slot = 0; slot < 28; slot++) if (slot % 7 !== 6) absorb(plan, state, slot, 50);
  expect(forecast(plan, state, 34)).toBeNull();
  absorb(plan, state, 34, 80);
  expect(forecast(plan, state, 41)).toBeCloseTo(80);
  expect(forecast(plan, state, 42)).toBeCloseTo(50);
});

test('no factor is greater than its period, however small the level was', () => {
  const plan = planNamed('weekly factors');
  const { state } = trained(plan, 80, (slot) => (slot % 40 === 0 ? 1 : 1e-12));
  for (const factor of state.season) expect(factor).toBeLessThanOrEqual(7);
});

test('after a shift a season of rows grows with the level, one of percentages stays', () => {
  const plan = planNamed('weekly season');
  const valueAt = (slot: number) => 100 + (WEEK[slot % 7] ?? 0);
  const shifted = [160, 161, 162].map((slot) => ({ slot, value: 2 * valueAt(slot) }));
  const rows = trained(plan, 60, valueAt).state;
  reanchor(plan, rows, shifted, UNITS.count);
  expect(forecast(plan, rows, 163)).toBeCloseTo(2 * valueAt(163), 3);
  const share = trained(plan, 60, valueAt).state;
  const raised = [160, 161, 162].map((slot) => ({ slot, value: 9 + valueAt(slot) }));
  reanchor(plan, share, raised, UNITS.percentage);
  expect(forecast(plan, share, 163)).toBeCloseTo(9 + valueAt(163), 3);
});

test('the seasons of a cadence are the days and weeks that it can see', () => {
  const periods = (hours: number | null) =>
    [...new Set(plansFor(hours).map((plan) => plan.period))].filter((period) => period > 0);
  expect(periods(1)).toEqual([24, 168]);
  expect(periods(3)).toEqual([8, 56]);
  expect(periods(6)).toEqual([4, 28]);
  expect(periods(12)).toEqual([2, 14]);
  expect(periods(24)).toEqual([7]);
  expect(periods(48)).toEqual([7]);
  expect(periods(5)).toEqual([24, 168]);
  expect(periods(168)).toEqual([]);
  expect(periods(null)).toEqual([]);
});

test('no two plans of a pool have the same name', () => {
  for (const hours of [1, 2, 3, 5, 6, 7, 9, 12, 24, 36, 48, 72, 168, null]) {
    const names = plansFor(hours).map((plan) => plan.name);
    expect(new Set(names).size).toBe(names.length);
  }
});
