// Showing what the learner of thresholds promises, point by point.

import { describe, expect, test } from 'vitest';
import {
  createLearner,
  type Learner,
  type LearnerSetup,
  openLearner,
  type Point,
  saveLearner,
} from '../../../src/monitors/learning/learner.ts';
import {
  judge,
  learn,
  type Range,
  range,
  replay,
} from '../../../src/monitors/learning/threshold.ts';
import type { Schedule } from '../../../src/monitors/schedule.ts';
import { randomFrom } from '../../trials/random.ts';
import { DAILY, HOUR, HOURLY } from './series.ts';

const DAY = 24 * HOUR;
const MONDAY = Date.UTC(2024, 0, 1);
const ROWS: LearnerSetup = { metricType: 'row_count', schedule: DAILY, sensitivity: 5 };

const daily = (values: readonly number[]): Point[] =>
  values.map((value, day) => ({ at: MONDAY + day * DAY, value }));

/** Weekdays of about 1000 rows and weekends of about 400, with noise of 2 percent. */
const weekly = (days: number, seed = 1): number[] => {
  const random = randomFrom(seed);
  return Array.from({ length: days }, (_, day) =>
    Math.round((day % 7 >= 5 ? 400 : 1000) * (1 + 0.02 * random.normal())),
  );
};

const rangeAfter = (learner: Learner, days: number): Range => range(learner, MONDAY + days * DAY);

const widthOf = ({ lower, upper }: Range): number => (upper ?? Number.NaN) - (lower ?? Number.NaN);

describe('before a range is known', () => {
  const cases: [string, Schedule, number, number][] = [
    ['hourly', HOURLY, 1, 96],
    ['three-hourly', { ...HOURLY, frequency: 3 }, 3, 48],
    ['six-hourly', { ...HOURLY, frequency: 6 }, 6, 24],
    ['twelve-hourly', { ...HOURLY, frequency: 12 }, 12, 12],
    ['daily', DAILY, 24, 8],
    ['weekly', { ...DAILY, cadence: 'weekly' }, 168, 8],
  ];
  test.each(cases)('a %s monitor learns until it has its points', (_, schedule, hours, needed) => {
    const learner = createLearner({ metricType: 'mean', schedule, sensitivity: 5 });
    const random = randomFrom(3);
    for (let n = 0; n < needed; n++) {
      const at = MONDAY + n * hours * HOUR;
      const known = range(learner, at);
      expect(known).toMatchObject({ lower: null, upper: null, model: null, learned: n, needed });
      const learned = learn(learner, { at, value: 50 + random.normal() });
      expect(learned.verdict).toBe('learning');
    }
    const known = range(learner, MONDAY + needed * hours * HOUR);
    expect(known).toMatchObject({ learned: needed, needed });
    expect(known.lower).toBeLessThan(50);
    expect(known.upper).toBeGreaterThan(50);
  });

  test('a monthly monitor learns eight months of any length', () => {
    const schedule = { ...DAILY, cadence: 'monthly', day: 28 } as const;
    const learner = createLearner({ metricType: 'row_count', schedule, sensitivity: 5 });
    for (let month = 0; month < 8; month++) {
      const learned = learn(learner, { at: Date.UTC(2023, month, 28), value: 100 + month });
      expect(learned).toMatchObject({ verdict: 'learning', learned: true });
    }
    expect(judge(1000, range(learner, Date.UTC(2023, 8, 28)))).toBe('above');
    expect(judge(108, range(learner, Date.UTC(2023, 8, 28)))).toBe('within');
  });

  test('no value of any size is a breach', () => {
    const learner = createLearner(ROWS);
    const wild = [0, 1e12, 3, 0, 5e9, 1, 0, 1e15];
    const verdicts = daily(wild).map((point) => learn(learner, point).verdict);
    expect(new Set(verdicts)).toEqual(new Set(['learning']));
  });
});

describe('a range', () => {
  test('is the one known before the point, and asking for it changes nothing', () => {
    const learner = createLearner(ROWS);
    for (const point of daily(weekly(40))) {
      const before = saveLearner(learner);
      const known = range(learner, point.at);
      expect(saveLearner(learner)).toBe(before);
      expect(learn(learner, point).range).toEqual(known);
    }
  });

  test('knows a weekend from a weekday', () => {
    const learner = replay(ROWS, daily(weekly(35)));
    expect(judge(1000, rangeAfter(learner, 35))).toBe('within');
    expect(judge(400, rangeAfter(learner, 35))).toBe('below');
    const weekend = replay(ROWS, daily(weekly(40)));
    expect(judge(400, rangeAfter(weekend, 40))).toBe('within');
    expect(judge(1000, rangeAfter(weekend, 40))).toBe('above');
  });

  test('explains itself with numbers that agree', () => {
    const known = rangeAfter(replay(ROWS, daily(weekly(60))), 60);
    expect(known.model).toMatch(/weekly|mixture/);
    expect(known).toMatchObject({ learned: 8, needed: 8, rate: 0.005, widthFrom: 'errors' });
    const { forecast, usualError, lower, upper } = known;
    if (forecast === null || usualError === null || lower === null || upper === null) {
      throw new Error('There is no range.');
    }
    expect(Math.abs(forecast - 1000)).toBeLessThan(30);
    // Of normal errors one in 200 is more than 3.5 times the mean one.
    for (const side of [forecast - lower, upper - forecast]) {
      expect(side).toBeGreaterThan(3 * usualError);
      expect(side).toBeLessThan(8 * usualError);
    }
  });

  test('stays inside what the metric can be', () => {
    const random = randomFrom(9);
    const nulls = Array.from({ length: 30 }, () => Math.min(100, 99 + Math.abs(random.normal())));
    const high = rangeAfter(replay({ ...ROWS, metricType: 'null_percentage' }, daily(nulls)), 30);
    expect(high.upper).toBe(100);
    expect(high.lower).toBeLessThan(99.9);
    const rare = Array.from({ length: 30 }, (_, day) => (day % 3 === 0 ? 4 : 0));
    const low = rangeAfter(replay(ROWS, daily(rare)), 30);
    expect(low.lower).toBe(0);
  });

  test('of freshness has no lower bound: data is never too fresh', () => {
    const setup = { ...ROWS, metricType: 'freshness' } as const;
    const random = randomFrom(5);
    const learner = createLearner(setup);
    for (let day = 0; day < 60; day++) {
      const value = day === 40 ? 0 : 20_000 + 900 * random.normal();
      const learned = learn(learner, { at: MONDAY + day * DAY, value });
      expect(learned.range.lower).toBeNull();
      expect(learned.verdict).not.toBe('below');
    }
    expect(judge(90_000, rangeAfter(learner, 60))).toBe('above');
  });

  test('around a constant finds a change by one, and never alarms before', () => {
    for (const constant of [0, 3, 41, 5000, 1_000_000]) {
      const points = daily(new Array(30).fill(constant));
      const learner = createLearner({ ...ROWS, metricType: 'cardinality' });
      for (const point of points) {
        expect(['learning', 'within']).toContain(learn(learner, point).verdict);
      }
      expect(judge(constant + 1, rangeAfter(learner, 30))).toBe('above');
      if (constant > 0) expect(judge(constant - 1, rangeAfter(learner, 30))).toBe('below');
    }
  });

  test('narrows with sensitivity, step by step', () => {
    const points = daily(weekly(60, 4));
    const widths = Array.from({ length: 10 }, (_, step) =>
      widthOf(rangeAfter(replay({ ...ROWS, sensitivity: step + 1 }, points), 60)),
    );
    for (const [step, width] of widths.entries()) {
      if (step > 0) expect(width).toBeLessThan(widths[step - 1] ?? 0);
    }
  });

  test.each([0, 0.5, 10.5, 11, Number.NaN])('is not made for sensitivity %s', (sensitivity) => {
    const message = `Sensitivity ${sensitivity} is not between 1 and 10.`;
    expect(() => createLearner({ ...ROWS, sensitivity })).toThrow(new RangeError(message));
  });
});

describe('a value out of range', () => {
  const usual = weekly(42, 2);

  test('does not widen the range, nor move it far', () => {
    const clean = rangeAfter(replay(ROWS, daily([...usual, 1000])), 43);
    const after = rangeAfter(replay(ROWS, daily([...usual, 50_000])), 43);
    expect(widthOf(after)).toBeLessThan(1.7 * widthOf(clean));
    expect(judge(1000, after)).toBe('within');
    expect(judge(1300, after)).toBe('above');
  });

  test('three times on one side is a new level, which is neither good nor bad', () => {
    const learner = createLearner(ROWS);
    const doubled = [2000, 2010, 1990, 2005, 1998, 800, 805, 2003, 1996];
    const verdicts = daily([...usual, ...doubled]).map((point) => learn(learner, point).verdict);
    const shifted = verdicts.slice(usual.length);
    expect(shifted.slice(0, 3)).toEqual(['above', 'above', 'above']);
    expect(shifted.slice(3)).toEqual(new Array(6).fill('new_level'));
  });

  test('twice on one side is not, nor three times on both', () => {
    const twice = rangeAfter(replay(ROWS, daily([...usual, 2000, 2000])), 44);
    expect(judge(2000, twice)).toBe('above');
    const both = rangeAfter(replay(ROWS, daily([...usual, 2000, 300, 2000])), 45);
    expect(judge(2000, both)).toBe('above');
    expect(judge(1000, both)).toBe('within');
  });

  test('that was marked as normal is in range the next time', () => {
    const points = daily([...usual, 1400]);
    const marked = points.map((point, i) => ({ ...point, normal: i === usual.length }));
    expect(judge(1400, rangeAfter(replay(ROWS, points), 43))).toBe('above');
    expect(judge(1400, rangeAfter(replay(ROWS, marked), 43))).toBe('within');
  });

  test('that is unmarked again leaves no trace', () => {
    const points = daily([...usual, 1400, 1010]);
    const unmarked = points.map((point) => ({ ...point, normal: false }));
    const marked = points.map((point, i) => ({ ...point, normal: i === usual.length }));
    const never = saveLearner(replay(ROWS, points));
    expect(saveLearner(replay(ROWS, unmarked))).toBe(never);
    expect(saveLearner(replay(ROWS, marked))).not.toBe(never);
  });
});

describe('time', () => {
  test('that passed without a measurement counts with its length', () => {
    const grown = Array.from({ length: 40 }, (_, day) => 100_000 + 1000 * day);
    const points = daily(grown).filter((_, day) => day < 30 || day > 33);
    const learner = createLearner(ROWS);
    const verdicts = points.map((point) => learn(learner, point).verdict);
    expect(verdicts.filter((verdict) => verdict !== 'within' && verdict !== 'learning')).toEqual(
      [],
    );
    expect(judge(136_000, rangeAfter(learner, 40))).toBe('below');
  });

  test('of a second run within a slot is judged and not learned', () => {
    const learner = replay(ROWS, daily(weekly(30)));
    const before = saveLearner(learner);
    const again = learn(learner, { at: MONDAY + 29 * DAY + 3 * HOUR, value: 9 });
    expect(again).toMatchObject({ verdict: 'below', learned: false });
    expect(saveLearner(learner)).toBe(before);
  });

  test('of a run by hand counts where the slot is empty', () => {
    const points = daily(weekly(30)).filter((_, day) => day !== 29);
    const byHand = { at: MONDAY + 29 * DAY + 3 * HOUR, value: 1000 };
    expect(learn(replay(ROWS, points), byHand).learned).toBe(true);
  });

  test('of a run by hand in the afternoon is no reason to leave out the next scheduled one', () => {
    const learner = createLearner(ROWS);
    for (const [day, { at, value }] of daily(weekly(40)).entries()) {
      expect(learn(learner, { at, value }).learned, `${day}`).toBe(true);
      const later = { at: at + 18 * HOUR, value: 5 * value };
      expect(learn(learner, later).learned, `by hand on ${day}`).toBe(false);
    }
    expect(saveLearner(learner)).toBe(saveLearner(replay(ROWS, daily(weekly(40)))));
  });

  test('of a run that was late by hours is that of the instant it was late for', () => {
    const learner = replay(ROWS, daily(weekly(30)).slice(0, 29));
    const late = { at: MONDAY + 29 * DAY + 13 * HOUR, value: 1000 };
    expect(learn(learner, late).learned).toBe(true);
    expect(learn(learner, { at: MONDAY + 30 * DAY, value: 1000 }).learned).toBe(true);
  });

  test('after a change from hours to days is that of the hour that days are measured at', () => {
    const hours = Array.from({ length: 40 * 24 }, (_, hour) => {
      return { at: MONDAY + hour * HOUR, value: hour % 24 === 0 ? 100 : 5000 };
    });
    const learner = replay(ROWS, hours);
    expect(judge(100, range(learner, MONDAY + 40 * DAY))).toBe('within');
    expect(judge(5000, range(learner, MONDAY + 40 * DAY))).toBe('above');
  });

  test('by which the values lie behind their instants is taken off', () => {
    const setup: LearnerSetup = {
      metricType: 'row_count',
      schedule: HOURLY,
      sensitivity: 5,
      lag: HOUR / 3,
    };
    const learner = createLearner(setup);
    for (let hour = 0; hour < 20; hour++) {
      // Five minutes before the instant, or three quarters after it.
      const at = MONDAY + hour * HOUR + (hour % 2 === 0 ? -HOUR / 12 : (HOUR * 3) / 4);
      expect(learn(learner, { at, value: 7 }).learned, `${hour}`).toBe(true);
    }
  });

  test('that runs backwards teaches nothing', () => {
    const learner = replay(ROWS, daily(weekly(30)));
    const before = saveLearner(learner);
    expect(learn(learner, { at: MONDAY, value: 1 }).learned).toBe(false);
    expect(saveLearner(learner)).toBe(before);
  });

  test('at noon is as good as at midnight, late or early by minutes', () => {
    const random = randomFrom(8);
    const late = daily(weekly(60)).map(({ at, value }) => {
      return { at: at + 12 * HOUR + Math.round(600_000 * random.normal()), value };
    });
    const setup = { ...ROWS, schedule: { ...DAILY, hour: 12 } };
    const learner = createLearner(setup);
    for (const point of late) expect(learn(learner, point).learned).toBe(true);
  });
});

test('a value on the bound is within it, whichever bound there is', () => {
  expect(judge(5, { lower: null, upper: 5 })).toBe('within');
  expect(judge(5, { lower: 5, upper: null })).toBe('within');
  expect(judge(6, { lower: null, upper: 5 })).toBe('above');
  expect(judge(4, { lower: 5, upper: null })).toBe('below');
  expect(judge(4, { lower: null, upper: null })).toBe('learning');
});

test.each([1, -1])(
  'a value on the bound of what was learned is learned as any other (%s)',
  (side) => {
    const learner = replay(ROWS, daily(weekly(60)));
    const { lower, upper } = rangeAfter(learner, 60);
    const value = side > 0 ? upper : lower;
    if (value === null) throw new Error('There is no range.');
    const { accepted } = learner.state;
    learn(learner, { at: MONDAY + 60 * DAY, value });
    expect([learner.state.accepted, learner.state.breaches]).toEqual([accepted + 1, []]);
  },
);

test('a value out of range is remembered with its side, until one is in range', () => {
  const learner = replay(ROWS, daily([...weekly(60), 9000]));
  expect(learner.state.breaches).toMatchObject([{ value: 9000, above: true }]);
  learn(learner, { at: MONDAY + 61 * DAY, value: 1 });
  expect(learner.state.breaches).toMatchObject([{ value: 1, above: false }]);
  learn(learner, { at: MONDAY + 62 * DAY, value: rangeAfter(learner, 62).forecast ?? 0 });
  expect(learner.state.breaches).toEqual([]);
});

describe('what was saved', () => {
  const learned = () => replay(ROWS, daily([...weekly(60), 9000]));

  test('goes on where it was', () => {
    const learner = learned();
    const saved = saveLearner(learner);
    const opened = openLearner(ROWS, saved);
    if (opened === null) throw new Error('It was not opened.');
    expect(rangeAfter(opened, 61)).toEqual(rangeAfter(learner, 61));
    expect(saveLearner(opened)).toBe(saved);
  });

  test('is taken up whatever came last', () => {
    const values = weekly(60);
    for (const more of [[], [9000], [9000, 9100, 9200], [9000, 1000]]) {
      const text = saveLearner(replay(ROWS, daily([...values, ...more])));
      expect(openLearner(ROWS, text), `${more}`).not.toBeNull();
    }
    expect(openLearner(ROWS, saveLearner(createLearner(ROWS)))).toEqual(createLearner(ROWS));
  });

  test('is not taken for what it is not', () => {
    const saved = saveLearner(learned());
    expect(openLearner(ROWS, 'nothing')).toBeNull();
    expect(openLearner(ROWS, '{}')).toBeNull();
    // Of another cadence, which has other experts.
    expect(openLearner({ ...ROWS, schedule: HOURLY }, saved)).toBeNull();
    expect(openLearner(ROWS, saved.replace('"version":7', '"version":6'))).toBeNull();
  });

  test('and lacks any part of itself is learned again', () => {
    const saved = saveLearner(learned());
    const paths = pathsOf(JSON.parse(saved));
    expect(paths.size).toBeGreaterThan(30);
    for (const path of paths.values()) {
      expect(
        openLearner(ROWS, JSON.stringify(without(JSON.parse(saved), path))),
        `${path}`,
      ).toBeNull();
    }
  });
});

/** One path to each field of an object, of lists to those of one item that has it. */
function pathsOf(value: unknown, above: readonly string[] = []): Map<string, readonly string[]> {
  if (typeof value !== 'object' || value === null) return new Map();
  const isList = Array.isArray(value);
  const found = new Map<string, readonly string[]>();
  for (const [key, inner] of Object.entries(value)) {
    const path = [...above, key];
    if (!isList) found.set(shapeOf(path), path);
    for (const [name, one] of pathsOf(inner, path)) found.set(name, one);
  }
  return found;
}

const shapeOf = (path: readonly string[]): string =>
  path.map((key) => (/^\d+$/.test(key) ? '*' : key)).join('.');

function without(value: unknown, [key = '', ...rest]: readonly string[]): unknown {
  if (Array.isArray(value)) {
    return value.map((item, i) => (String(i) === key ? without(item, rest) : item));
  }
  const fields = Object.entries(value ?? {});
  if (rest.length === 0) return Object.fromEntries(fields.filter(([name]) => name !== key));
  return Object.fromEntries(
    fields.map(([name, inner]) => [name, name === key ? without(inner, rest) : inner]),
  );
}
