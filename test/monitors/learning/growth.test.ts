// What a learner makes of tables that only grow: each batch is judged, not the total alone.

import { describe, expect, test } from 'vitest';
import {
  createLearner,
  type Learner,
  type LearnerSetup,
  openLearner,
  type Point,
  saveLearner,
} from '../../../src/monitors/learning/learner.ts';
import { distanceAt, learn, range } from '../../../src/monitors/learning/threshold.ts';
import { randomFrom } from '../../trials/random.ts';
import { DAILY, HOUR, HOURLY } from './series.ts';

const DAY = 24 * HOUR;
const MONDAY = Date.UTC(2024, 0, 1);
const ROWS: LearnerSetup = { metricType: 'row_count', schedule: DAILY, sensitivity: 5 };
/** The day on which something happens: a Tuesday. */
const ON = 120;

/** A table of a million rows to which days add a batch, smaller at weekends and of another size each. */
function table(days: number, batchOf: (usual: number, day: number, total: number) => number) {
  const random = randomFrom(21);
  let total = 1_000_000;
  return Array.from({ length: days }, (_, day): Point => {
    const usual = Math.round((day % 7 >= 5 ? 300 : 1000) * (1 + 0.15 * random.normal()));
    total += batchOf(usual, day, total);
    return { at: MONDAY + day * DAY, value: total };
  });
}

/** The days from the second month on that alarm, with their verdicts. */
function alarms(points: readonly Point[], learner = createLearner(ROWS)): string[] {
  return points.flatMap((point) => {
    const day = Math.round((point.at - MONDAY) / DAY);
    const { verdict } = learn(learner, point);
    return day < 30 || verdict === 'within' ? [] : [`${verdict} on ${day}`];
  });
}

const learned = (points: readonly Point[]): Learner => {
  const learner = createLearner(ROWS);
  for (const point of points) learn(learner, point);
  return learner;
};

describe('of a table that only grows', () => {
  test('a batch that is missing is found, and the next one is in order', () => {
    expect(alarms(table(150, (usual) => usual))).toEqual([]);
    const missing = table(150, (usual, day) => (day === ON ? 0 : usual));
    expect(alarms(missing)).toEqual([`below on ${ON}`]);
    const half = table(150, (usual, day) => (day === ON ? usual / 3 : usual));
    expect(alarms(half)).toEqual([`below on ${ON}`]);
  });

  test('a batch that comes a day late is in order when it comes', () => {
    const waiting = table(150, (usual) => usual);
    const late = waiting.map((point, day) =>
      day === ON ? { ...point, value: waiting[ON - 1]?.value ?? 0 } : point,
    );
    expect(alarms(late)).toEqual([`below on ${ON}`]);
    const learner = learned(late.slice(0, ON + 1));
    const { at = 0, value = 0 } = late[ON + 1] ?? {};
    expect(learn(learner, { at, value }).range.because).toMatch(/where it was to be/);
  });

  test('rows that are lost, or filled in at once, cost one alarm', () => {
    const lost = table(150, (usual, day, total) => (day === ON ? -total / 10 : usual));
    expect(alarms(lost)).toEqual([`below on ${ON}`]);
    const filled = table(150, (usual, day) => (day === ON ? 60_000 : usual));
    expect(alarms(filled)).toEqual([`above on ${ON}`]);
  });

  test('one that reads as empty for some days and is back is what it was', () => {
    const whole = table(150, (usual) => usual);
    for (const days of [1, 2, 5]) {
      const empty = whole.map((point, day) =>
        day >= ON && day < ON + days ? { ...point, value: 0 } : point,
      );
      const found = alarms(empty);
      expect(found[0]).toBe(`below on ${ON}`);
      expect(found.filter((one) => Number(one.split(' on ')[1]) >= ON + days)).toEqual([]);
    }
  });

  test('a gap is as many batches as days are missing', () => {
    const whole = table(150, (usual) => usual);
    for (const days of [1, 3, 14]) {
      const first = ON - days;
      expect(alarms(whole.filter((_, day) => day < first || day >= ON))).toEqual([]);
      const learner = learned(whole.slice(0, first));
      const { at = 0, value = 0 } = whole[ON] ?? {};
      const { lower, upper } = range(learner, at);
      expect(lower).toBeGreaterThan((whole[first - 1]?.value ?? 0) + 250 * days);
      expect(upper).toBeGreaterThan(value);
      // Of the missing days' batches none came.
      expect(distanceAt(learner, at, whole[first - 1]?.value ?? 0)).toBeLessThan(-1);
    }
  });

  test('the range says that it is the growth that was learned', () => {
    const { model, forecast, usualError } = range(
      learned(table(ON, (usual) => usual)),
      MONDAY + ON * DAY,
    );
    expect(model).toMatch(/growth by .*week/);
    expect(forecast).toBeGreaterThan(1_000_000);
    expect(usualError).toBeLessThan(300);
  });

  test('what was learned goes on after it was saved, to the digit', () => {
    const points = table(150, (usual, day) => (day % 40 === 9 ? 0 : usual));
    const learner = createLearner(ROWS);
    let stored = createLearner(ROWS);
    for (const [day, point] of points.entries()) {
      if (day % 9 === 0) stored = openLearner(ROWS, saveLearner(stored)) ?? createLearner(ROWS);
      expect(learn(stored, point)).toEqual(learn(learner, point));
    }
    expect(saveLearner(stored)).toBe(saveLearner(learner));
  });
});

describe('growth is not learned', () => {
  const modelsOf = (points: readonly Point[], setup = ROWS): string[] => {
    const learner = createLearner(setup);
    return points.map((point) => learn(learner, point).range.model ?? '');
  };

  test('of a table that falls every other week, as those that are cleaned up do', () => {
    const cleaned = table(150, (usual, day) => (day % 11 === 10 ? -4000 : usual));
    expect(modelsOf(cleaned).filter((model) => model.includes('growth by'))).toEqual([]);
  });

  test('of days that rise from night to noon, of constants, of shares, and of the age of data', () => {
    const hours = Array.from({ length: 400 }, (_, hour) => ({
      at: MONDAY + hour * HOUR,
      value: Math.round(500 - 400 * Math.cos((hour % 24) * 0.26)),
    }));
    const same = table(100, () => 0);
    const shares = table(100, () => 0).map(({ at }, day) => ({ at, value: day / 3 }));
    const models = [
      modelsOf(hours, { ...ROWS, schedule: HOURLY }),
      modelsOf(same),
      modelsOf(shares, { ...ROWS, metricType: 'null_percentage' }),
      modelsOf(shares, { ...ROWS, metricType: 'freshness' }),
    ].flat();
    expect(models.filter((model) => model.includes('growth by'))).toEqual([]);
  });
});
