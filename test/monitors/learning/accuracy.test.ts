// Accuracy of the learner on generated series: false alarms, and faults found.

import { beforeAll, expect, test } from 'vitest';
import { accuracy, factorFor, ours, shareBeyond, type Tallies, watch } from './evaluation.ts';
import { elementary } from './rules.ts';

const SEEDS = [2000, 2001, 2002, 2003];
let tallies: Tallies = new Map();

beforeAll(() => {
  tallies = watch(ours(5), SEEDS);
});

test('few values that are in order raise an alarm, and most faults do', () => {
  expect(tallies.size).toBe(25);
  const { falseAlarms, recall } = accuracy(tallies);
  expect(falseAlarms).toBeLessThan(0.007);
  expect(recall.S).toBeGreaterThan(0.5);
  expect(recall.M).toBeGreaterThan(0.84);
  expect(recall.L).toBeGreaterThan(0.94);
});

test('constants never alarm, and their faults always do', () => {
  for (const family of ['constant_percentage', 'constant_cardinality'] as const) {
    const tally = tallies.get(family);
    expect(tally?.clean.length).toBeGreaterThan(300);
    expect(shareBeyond(tally?.clean ?? [])).toBe(0);
    expect(shareBeyond(tally?.faults.S ?? [0])).toBe(1);
  }
});

test('the second and third week raise hardly an alarm', () => {
  const early = [...tallies.values()].flatMap((tally) => tally.early);
  expect(early.length).toBeGreaterThan(900);
  expect(shareBeyond(early)).toBeLessThan(0.01);
});

test('a level that shifts for good costs one incident', () => {
  const shifts = [...tallies.values()].flatMap((tally) => tally.shifts);
  expect(shifts).toHaveLength(12);
  for (const { runs, incidents } of shifts) {
    expect(incidents).toBeLessThanOrEqual(1);
    expect(runs).toBeLessThanOrEqual(7);
  }
  expect(shifts.filter(({ incidents }) => incidents === 1).length).toBeGreaterThan(10);
});

test('at the same share of false alarms it finds far more than a z-score', () => {
  const matched = (seen: Tallies) =>
    accuracy(
      seen,
      factorFor(
        [...seen.values()].map((tally) => tally.clean),
        0.005,
      ),
    ).recall;
  const theirs = watch(({ schedule }) => elementary(schedule.cadence === 'daily' ? 24 : 1), SEEDS);
  expect(matched(tallies).S).toBeGreaterThan(matched(theirs).S + 0.12);
  expect(matched(tallies).M).toBeGreaterThan(matched(theirs).M + 0.25);
});

test('a higher sensitivity finds more and alarms more', () => {
  const [low, high] = [accuracy(watch(ours(1), SEEDS)), accuracy(watch(ours(10), SEEDS))];
  const middle = accuracy(tallies);
  expect(low.falseAlarms).toBeLessThan(0.003);
  expect(high.recall.S).toBeGreaterThan(0.8);
  expect(middle.recall.S).toBeGreaterThan(low.recall.S);
  expect(high.recall.S).toBeGreaterThan(middle.recall.S);
  expect(middle.falseAlarms).toBeGreaterThan(low.falseAlarms);
  expect(high.falseAlarms).toBeGreaterThan(middle.falseAlarms);
});
