// Showing that a learner is its points and nothing else, whatever they are.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createLearner,
  type LearnerSetup,
  openLearner,
  type Point,
  saveLearner,
} from '../../../src/monitors/learning/learner.ts';
import { learn, replay } from '../../../src/monitors/learning/threshold.ts';
import { clampToUnit, METRICS, type MetricType } from '../../../src/monitors/metric.ts';
import { DAILY, HOUR, HOURLY, instantOf, seriesOf } from './series.ts';

const MONDAY = Date.UTC(2024, 0, 1);
const ROWS: LearnerSetup = { metricType: 'row_count', schedule: DAILY, sensitivity: 5 };

describe('a learner that is put away', () => {
  const points = seriesOf('hourly_rows', 3).values.map((value, hour) => {
    return { at: MONDAY + hour * HOUR, value };
  });
  const setup: LearnerSetup = { ...ROWS, schedule: HOURLY };

  test('goes on as if it had never been, at any point', () => {
    const learner = createLearner(setup);
    let stored = createLearner(setup);
    for (const [index, point] of points.entries()) {
      if (index % 97 === 0) stored = openLearner(setup, saveLearner(stored)) ?? stored;
      expect(learn(stored, point)).toEqual(learn(learner, point));
    }
    expect(saveLearner(stored)).toBe(saveLearner(learner));
    expect(saveLearner(stored).length).toBeLessThan(64_000);
  });

  test('is not taken for one of another kind, nor mended when it is broken', () => {
    const saved = saveLearner(replay(setup, points.slice(0, 200)));
    expect(openLearner(setup, saved)).not.toBeNull();
    expect(openLearner(ROWS, saved)).toBeNull();
    for (const broken of [
      '',
      '{}',
      'null',
      saved.slice(0, -9),
      saved.replace('"version":7', '"version":6'),
    ]) {
      expect(openLearner(setup, broken)).toBeNull();
    }
  });
});

describe('whatever is measured', () => {
  const anyPoints = fc.array(
    fc.record({
      gap: fc.integer({ min: 0, max: 40 }),
      value: fc.oneof(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer({ min: -5, max: 5 }),
        fc.constantFrom(0, 1e308, -1e308, 5e-324, 100),
      ),
      normal: fc.boolean(),
    }),
    { minLength: 10, maxLength: 60 },
  );
  const metrics = Object.keys(METRICS).filter((name): name is MetricType => name in METRICS);
  const anySetup = fc.record({
    metricType: fc.constantFrom(...metrics),
    sensitivity: fc.integer({ min: 1, max: 10 }),
    schedule: fc.constantFrom(DAILY, { ...HOURLY, frequency: 12 }, { ...HOURLY, frequency: 5 }),
  });

  test('ranges are numbers in order, and replay equals streaming bit for bit', () => {
    const holds = fc.property(anySetup, anyPoints, fc.boolean(), (setup, steps, domain) => {
      const { unit } = METRICS[setup.metricType];
      const learner = createLearner(setup);
      const points: Point[] = [];
      let at = MONDAY;
      for (const { gap, value, normal } of steps) {
        at += gap * 6 * HOUR;
        const point = { at, value: domain ? clampToUnit(value, unit) : value, normal };
        const { range: known, learned } = learn(learner, point);
        // Of several in one slot replay prefers those marked as normal, which no one can know at first.
        if (learned || !normal) points.push(point);
        for (const bound of [known.lower, known.upper, known.forecast, known.usualError]) {
          if (bound !== null) expect(bound).toSatisfy(Number.isFinite);
        }
        if (known.lower !== null && known.upper !== null) {
          expect(known.lower).toBeLessThanOrEqual(known.upper);
        }
      }
      const saved = saveLearner(learner);
      expect(saveLearner(replay(setup, points))).toBe(saved);
      expect(openLearner(setup, saved)).not.toBeNull();
    });
    fc.assert(holds, { numRuns: 300, seed: 20240101 });
  });

  test('generated tables of all families replay to the same ranges', () => {
    for (const family of ['weekly_rows', 'daily_load', 'hourly_sawtooth'] as const) {
      const series = seriesOf(family, 5);
      const setup = { metricType: series.metricType, schedule: series.schedule, sensitivity: 5 };
      const points = series.values.map((value, i) => ({ at: instantOf(series, i), value }));
      const streaming = createLearner(setup);
      for (const point of points) learn(streaming, point);
      expect(saveLearner(replay(setup, points))).toBe(saveLearner(streaming));
    }
  });
});
