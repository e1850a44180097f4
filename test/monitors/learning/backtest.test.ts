// Showing what a backtest answers.

import { describe, expect, test } from 'vitest';
import { CatalogError } from '../../../src/errors.ts';
import {
  type BacktestSetup,
  backtest,
  LONGEST_SERIES,
} from '../../../src/monitors/learning/backtests/backtest.ts';
import { createLearner, type Point } from '../../../src/monitors/learning/learner.ts';
import { learn } from '../../../src/monitors/learning/threshold.ts';
import { DAILY, HOUR, HOURLY, seriesOf } from './series.ts';

const DAY = 24 * HOUR;
const START = Date.UTC(2024, 0, 1);
const ROWS: BacktestSetup = { metricType: 'row_count', schedule: DAILY };

const daily = (values: readonly number[], lag = 0): Point[] =>
  values.map((value, day) => ({ at: START + day * DAY + lag, value }));

const weekly = seriesOf('weekly_rows', 77, 90).values;

const fieldsOf = (series: readonly Point[], setup: BacktestSetup): string[] => {
  try {
    backtest(series, setup);
  } catch (error) {
    if (error instanceof CatalogError && error.code === 'BAD_REQUEST') {
      // The sentence says of each field what is wrong.
      for (const { field, message } of error.fields) {
        expect(error.message).toContain(`${field}: ${message}`);
      }
      return error.fields.map(({ field }) => field);
    }
    throw error;
  }
  throw new Error('The backtest was taken.');
};

describe('a backtest with learned ranges', () => {
  test('gives each point the range known before it, as a monitor would have', () => {
    const learner = createLearner({ metricType: 'row_count', schedule: DAILY, sensitivity: 5 });
    const { points } = backtest(daily(weekly), ROWS);
    expect(points).toHaveLength(90);
    for (const [day, point] of points.entries()) {
      const { range, verdict } = learn(learner, { at: point.at, value: point.value });
      const { lower, upper } = range;
      expect(point).toEqual({ at: START + day * DAY, value: weekly[day], lower, upper, verdict });
      expect(point.verdict === 'learning').toBe(day < 8);
    }
  });

  test('counts incidents, not breaches', () => {
    const values = [...weekly];
    for (const day of [50, 51, 70]) values[day] = 0;
    const { points, opened } = backtest(daily(values), ROWS);
    expect([50, 51, 70].map((day) => points[day]?.verdict)).toEqual(['below', 'below', 'below']);
    expect(opened.map(({ reason }) => reason)).toEqual(['recovered', 'recovered']);
  });

  test('of a constant series opens none', () => {
    const { points, opened } = backtest(daily(new Array(60).fill(12)), ROWS);
    expect(opened).toEqual([]);
    expect(new Set(points.slice(8).map(({ verdict }) => verdict))).toEqual(new Set(['within']));
  });

  test('takes the points in the order of their time', () => {
    const points = daily(weekly);
    const shuffled = [...points].sort((a, b) => (a.at % 7919) - (b.at % 7919));
    expect(shuffled).not.toEqual(points);
    expect(backtest(shuffled, ROWS)).toEqual(backtest(points, ROWS));
  });

  test.each([0, 5 * HOUR, 12 * HOUR, 12 * HOUR - 1, 23.9 * HOUR])(
    'answers the same for a series that is measured %d ms past midnight',
    (lag) => {
      const verdicts = (points: Point[]) => backtest(points, ROWS).points.map((p) => p.verdict);
      // Some minutes early and late, so that noon would be rounded to either side.
      const restless = daily(weekly, lag).map((point, i) => {
        return { ...point, at: point.at + ((i * 37) % 11) * 60_000 - 300_000 };
      });
      expect(verdicts(restless)).toEqual(verdicts(daily(weekly)));
    },
  );

  test('answers for hourly, weekly and monthly series', () => {
    const hourly = seriesOf('hourly_rows', 1).values.map((value, hour) => {
      return { at: START + hour * HOUR, value };
    });
    const verdictsOf = (points: Point[], setup: BacktestSetup) =>
      backtest(points, setup).points.map(({ verdict }) => verdict);
    expect(verdictsOf(hourly, { ...ROWS, schedule: HOURLY }).indexOf('within')).toBe(96);
    const weeks = weekly.map((_, week) => ({ at: START + week * 7 * DAY, value: 50 + (week % 3) }));
    const schedule = { ...DAILY, cadence: 'weekly' } as const;
    expect(verdictsOf(weeks, { ...ROWS, schedule }).slice(8)).not.toContain('learning');
    const months = Array.from({ length: 24 }, (_, month) => {
      return { at: Date.UTC(2022, month, 15), value: month === 20 ? 9000 : 500 + (month % 4) };
    });
    const monthly = { ...DAILY, cadence: 'monthly', day: 1 } as const;
    const verdicts = verdictsOf(months, { ...ROWS, schedule: monthly });
    expect(verdicts.filter((verdict) => verdict === 'above')).toHaveLength(1);
    expect(verdicts[20]).toBe('above');
  });

  test('opens more incidents at a higher sensitivity', () => {
    const noisy = daily(seriesOf('heavy_maximum', 5, 400).values);
    const count = (sensitivity: number) =>
      backtest(noisy, { ...ROWS, metricType: 'maximum', sensitivity }).opened.length;
    expect(count(10)).toBeGreaterThan(count(5));
    expect(count(5)).toBeGreaterThanOrEqual(count(1));
  });

  test('knows what a person marked as normal', () => {
    const values = [...weekly.slice(0, 56), 3 * (weekly[0] ?? 0), 3 * (weekly[0] ?? 0)];
    const marked = daily(values).map((point, day) => ({ ...point, normal: day === 56 }));
    const verdict = (series: Point[]) => backtest(series, ROWS).points[57]?.verdict;
    expect(verdict(daily(values))).toBe('above');
    expect(verdict(marked)).toBe('within');
  });

  test('of nothing is nothing', () => {
    expect(backtest([], ROWS)).toEqual({ points: [], opened: [] });
  });
});

describe('a backtest with bounds given by a person', () => {
  test('never learns', () => {
    const bounds = { lower: 10, upper: 20 };
    const { points, opened } = backtest(daily([15, 10, 20, 9.9, 20.1]), { ...ROWS, bounds });
    const verdicts = points.map(({ verdict }) => verdict);
    expect(verdicts).toEqual(['within', 'within', 'within', 'below', 'above']);
    expect(points.every(({ lower, upper }) => lower === 10 && upper === 20)).toBe(true);
    expect(opened).toEqual([{ openedAt: points[3]?.at, resolvedAt: null, reason: null }]);
  });

  test('may have one side only', () => {
    const verdicts = (lower: number | null, upper: number | null) =>
      backtest(daily([-1e9, 5, 1e9]), { ...ROWS, bounds: { lower, upper } }).points.map(
        ({ verdict }) => verdict,
      );
    expect(verdicts(null, 6)).toEqual(['within', 'within', 'above']);
    expect(verdicts(4, null)).toEqual(['below', 'within', 'within']);
  });
});

describe('a backtest that cannot be', () => {
  test.each<[string, Partial<BacktestSetup>, string]>([
    ['sensitivity 0', { sensitivity: 0 }, 'sensitivity'],
    ['sensitivity 11', { sensitivity: 11 }, 'sensitivity'],
    ['sensitivity 2.5', { sensitivity: 2.5 }, 'sensitivity'],
    ['no bound at all', { bounds: { lower: null, upper: null } }, 'bounds'],
    ['bounds the wrong way round', { bounds: { lower: 3, upper: 2 } }, 'bounds'],
  ])('with %s says so', (_, wrong, field) => {
    expect(fieldsOf(daily([1, 2]), { ...ROWS, ...wrong })).toEqual([field]);
  });

  test('for a broken point names it', () => {
    const points = [...daily([1, 2]), { at: Number.NaN, value: 1 }];
    expect(fieldsOf(points, ROWS)).toEqual(['series[2]']);
    expect(fieldsOf(daily([1, Number.POSITIVE_INFINITY]), ROWS)).toEqual(['series[1]']);
  });

  test('for more points than anyone looks at says how many are taken', () => {
    const long = daily(new Array(LONGEST_SERIES + 1).fill(1));
    expect(fieldsOf(long, ROWS)).toEqual(['series']);
  });
});
