// The slow look: days that move away from the weeks before, one step too small for any range at a time.

import { expect, test } from 'vitest';
import {
  createLearner,
  type LearnerSetup,
  openLearner,
  type Point,
  saveLearner,
} from '../../../src/monitors/learning/learner.ts';
import { distanceAt, type Learned, learn } from '../../../src/monitors/learning/threshold.ts';
import { randomFrom } from '../../trials/random.ts';
import { DAILY, HOUR, HOURLY } from './series.ts';

const MONDAY = Date.UTC(2024, 0, 1);
const MEAN: LearnerSetup = { metricType: 'mean', schedule: HOURLY, sensitivity: 5 };
const WEEKS = 4 * 168;

/** A pattern of the day, with errors of 8 %, times what the hour is worth. */
function hours(count: number, times: (hour: number) => number): Point[] {
  const random = randomFrom(8);
  return Array.from({ length: count }, (_, hour) => ({
    at: MONDAY + hour * HOUR,
    value: times(hour) * (100 + 40 * Math.sin(hour / 3.82)) * (1 + 0.08 * random.normal()),
  }));
}

const drifting = (share: number) => (hour: number) =>
  (1 + share) ** Math.min(40, Math.max(0, hour - WEEKS));

function lessonsOf(setup: LearnerSetup, points: readonly Point[]): Learned[] {
  const learner = createLearner(setup);
  return points.map((point) => learn(learner, point));
}

const isAlarm = ({ verdict }: Learned): boolean => verdict === 'above' || verdict === 'below';
const driftsIn = (lessons: readonly Learned[]): number[] =>
  lessons.flatMap((lesson, i) =>
    lesson.range.widthFrom === 'drift' && isAlarm(lesson) ? [i] : [],
  );

test.each([
  [0.01, 'above'],
  [-0.02, 'below'],
] as const)('a drift of %s a step is found within 40 steps, and said once', (share, side) => {
  const points = hours(WEEKS + 160, drifting(share));
  const lessons = lessonsOf(MEAN, points);
  const found = driftsIn(lessons);
  expect(found).toHaveLength(1);
  const [first = 0] = found;
  expect(first).toBeGreaterThan(WEEKS);
  expect(first).toBeLessThan(WEEKS + 40);
  const { range, verdict } = lessons[first] ?? {};
  expect(verdict).toBe(side);
  // The value lies where its range has it, and the day outside of what is said of it.
  const { mean = 0, lowest = 0, highest = 0, expected = 0 } = range?.day ?? {};
  expect(mean > highest || mean < lowest).toBe(true);
  expect(expected).toBeGreaterThan(lowest);
  expect(expected).toBeLessThan(highest);
  const today = points.slice(first - 23, first + 1);
  expect(mean).toBeCloseTo(today.reduce((sum, { value }) => sum + value, 0) / 24);
});

test('without a drift nothing is said, nor after a stray value or a shift that was said', () => {
  expect(
    driftsIn(
      lessonsOf(
        MEAN,
        hours(2 * WEEKS, () => 1),
      ),
    ),
  ).toEqual([]);
  const stray = hours(2 * WEEKS, (hour) => (hour === WEEKS ? 30 : 1));
  const astray = lessonsOf(MEAN, stray);
  expect(isAlarm(astray[WEEKS] ?? astray[0] ?? never())).toBe(true);
  expect(driftsIn(astray).filter((i) => i < WEEKS + 24)).toEqual([]);
  expect(
    driftsIn(
      lessonsOf(
        MEAN,
        hours(2 * WEEKS, (hour) => (hour < WEEKS ? 1 : 3)),
      ),
    ),
  ).toEqual([]);
});

test('what a stray value has said of a day that moved is not said again, and what it has not is', () => {
  // A fifth more from an hour on, which no value by itself shows but the first.
  const points = hours(WEEKS + 96, (hour) => (hour < WEEKS ? 1 : hour === WEEKS ? 30 : 1.2));
  const lessons = lessonsOf(MEAN, points);
  expect(isAlarm(lessons[WEEKS] ?? never())).toBe(true);
  expect(driftsIn(lessons)).toEqual([]);
  const other = hours(WEEKS + 96, (hour) => (hour < WEEKS ? 1 : hour === WEEKS ? 0 : 1.2));
  expect(driftsIn(lessonsOf(MEAN, other))).toHaveLength(1);
});

test('days of one value have no mean to look at, nor has data that only ages', () => {
  expect(createLearner({ ...MEAN, schedule: DAILY }).rhythm).toBeNull();
  expect(createLearner({ ...MEAN, schedule: { ...HOURLY, frequency: 12 } }).rhythm).toBeNull();
  expect(createLearner({ ...MEAN, metricType: 'freshness' }).rhythm).toBeNull();
  const sixHourly = createLearner({ ...MEAN, schedule: { ...HOURLY, frequency: 6 } });
  expect(sixHourly.rhythm).toEqual({ day: 4, week: 28 });
});

test('how far a value would lie from what is in order is what makes it alarm', () => {
  const learner = createLearner(MEAN);
  for (const point of hours(WEEKS + 160, drifting(0.01))) {
    const distance = distanceAt(learner, point.at, point.value);
    const alarm = isAlarm(learn(learner, point));
    expect([point.at, Math.abs(distance ?? 0) > 1]).toEqual([point.at, alarm]);
  }
});

test('a look goes on after it was saved, to the digit', () => {
  const points = hours(WEEKS + 60, drifting(0.01));
  const whole = lessonsOf(MEAN, points);
  let learner = createLearner(MEAN);
  for (const [i, point] of points.entries()) {
    expect(learn(learner, point)).toEqual(whole[i]);
    if (i % 50 === 0) learner = openLearner(MEAN, saveLearner(learner)) ?? never();
  }
});

function never(): never {
  throw new Error('It could not be opened.');
}
