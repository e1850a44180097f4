// Whether an incident is said to be over while the data is still broken, on real series with faults.
//
// The series are short parts of public ones: births in the United States, bike rentals in Washington,
// transformer loads, page views, pedestrians in Melbourne and the M4 competition.

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type RealSeries, readFolder } from '../../../bench/thresholds/series.ts';
import { decide, UNTROUBLED } from '../../../src/monitors/incidents/rules.ts';
import {
  createLearner,
  type LearnerSetup,
  type Point,
} from '../../../src/monitors/learning/learner.ts';
import { learn } from '../../../src/monitors/learning/threshold.ts';
import { root } from '../../house/sources.ts';
import { randomFrom } from '../../trials/random.ts';
import { DAILY, HOUR, HOURLY } from './series.ts';

const DAY = 24 * HOUR;
const START = Date.UTC(2026, 0, 1, 6);
/** The first point that is broken, by cadence. */
const FROM = { hourly: 400, daily: 80, weekly: 60, monthly: 0 } as const;
const series = readFolder(join(root, 'test/monitors/learning/real'));

interface Broken {
  readonly setup: LearnerSetup;
  readonly points: readonly Point[];
  readonly from: number;
  readonly to: number;
}

interface Seen {
  readonly found: boolean;
  /** Incidents since the first broken point. */
  readonly opened: number;
  /** How often an incident was said to be over, as recovered, while broken. */
  readonly overWhileBroken: number;
  readonly ends: readonly (string | null)[];
  readonly verdicts: readonly string[];
}

function watch({ setup, points, from, to }: Broken): Seen {
  const learner = createLearner(setup);
  let watched = UNTROUBLED;
  const seen = { found: false, opened: 0, overWhileBroken: 0 };
  const ends: (string | null)[] = [];
  const verdicts: string[] = [];
  for (const [i, point] of points.entries()) {
    const { verdict, level } = learn(learner, point);
    const decision = decide(watched, { type: 'measured', ...point, verdict, level });
    watched = decision.watch;
    if (i < from) continue;
    verdicts.push(verdict);
    const isBroken = i < to;
    const { incident } = watched;
    seen.opened += decision.opened ? 1 : 0;
    if (isBroken && incident !== null && incident.status !== 'resolved') seen.found = true;
    if (decision.notify !== 'resolved' || incident === null) continue;
    ends.push(incident.resolveReason);
    if (isBroken && incident.resolveReason === 'recovered') seen.overWhileBroken++;
  }
  return { ...seen, ends, verdicts };
}

/** A real series with another value from some point on, for so many points. */
function withFault(one: RealSeries, runs: number, fault: (value: number) => number): Broken {
  const { metricType, schedule } = one;
  const from = FROM[schedule.cadence];
  const points = one.points.map(({ at, value }, i) => ({
    at,
    value: i >= from && i < from + runs ? fault(value) : value,
  }));
  return { setup: { metricType, schedule, sensitivity: 5 }, points, from, to: from + runs };
}

const sum = (all: readonly Seen[], of: (seen: Seen) => number): number =>
  all.reduce((total, seen) => total + of(seen), 0);

/** Twenty series of one's own making. */
const twenty = (make: (random: ReturnType<typeof randomFrom>) => Broken): Seen[] =>
  Array.from({ length: 20 }, (_, seed) => watch(make(randomFrom(seed + 1))));

describe('an incident is not said to be over while', () => {
  test('values are fifty times what they were, for ten runs', () => {
    const all = series.map((one) => watch(withFault(one, 10, (value) => 50 * value)));
    expect(all).toHaveLength(23);
    expect(all.every(({ found }) => found)).toBe(true);
    expect(sum(all, ({ overWhileBroken }) => overWhileBroken)).toBeLessThanOrEqual(1);
  });

  test('values are doubled, for ten runs, wherever the range could tell', () => {
    const all = series.map((one) => watch(withFault(one, 10, (value) => 2 * value)));
    expect(all.filter(({ found }) => found).length).toBeGreaterThanOrEqual(20);
    expect(sum(all, ({ overWhileBroken }) => overWhileBroken)).toBeLessThanOrEqual(7);
  });

  test('nothing comes for half a day, and three times in ten days it is found', () => {
    const hourly = series.filter(({ schedule }) => schedule.cadence === 'hourly');
    const all = hourly.map((one) => watch(withFault(one, 12, () => 0)));
    expect(sum(all, ({ overWhileBroken }) => overWhileBroken)).toBe(0);
    expect(all.filter(({ found }) => found).length).toBeGreaterThanOrEqual(6);
  });

  test('nothing comes any more: one incident, that does not end', () => {
    const rows = series.filter(({ schedule }) => schedule.cadence !== 'weekly');
    const all = rows.map((one) => watch(withFault(one, Number.POSITIVE_INFINITY, () => 0)));
    expect(sum(all, ({ overWhileBroken }) => overWhileBroken)).toBe(0);
    expect(sum(all, ({ opened }) => opened)).toBeLessThanOrEqual(all.length);
  });

  test('loads have stopped, by the day and by the hour: their age is no level', () => {
    const daily = twenty((random) => {
      const ages = Array.from({ length: 100 }, (_, i) => {
        const late = i < 60 ? 0 : i - 59;
        return { at: START + i * DAY, value: (2 + 1.5 * random.even()) * 3600 + late * 86_400 };
      });
      // The last load was some time before: the age grows by a whole day a day.
      const last = ages[59]?.value ?? 0;
      const points = ages.map(({ at, value }, i) => ({
        at,
        value: i < 60 ? value : last + (i - 59) * 86_400,
      }));
      const setup = { metricType: 'freshness', schedule: DAILY, sensitivity: 5 } as const;
      return { setup, points, from: 60, to: Number.POSITIVE_INFINITY };
    });
    const hourly = twenty((random) => {
      const points = Array.from({ length: 280 }, (_, i) => ({
        at: START + i * HOUR,
        value: i < 180 ? 120 + 300 * random.even() : 420 + (i - 179) * 3600,
      }));
      const setup = { metricType: 'freshness', schedule: HOURLY, sensitivity: 5 } as const;
      return { setup, points, from: 180, to: Number.POSITIVE_INFINITY };
    });
    for (const all of [daily, hourly]) {
      expect(all.every(({ found, ends }) => found && ends.length === 0)).toBe(true);
      expect(sum(all, ({ opened }) => opened)).toBe(20);
    }
  });

  test('a table that only grows does not grow any more', () => {
    const all = twenty((random) => {
      let total = 100_000;
      const points = Array.from({ length: 100 }, (_, i) => {
        if (i < 60) total += random.whole(900, 1_100);
        return { at: START + i * DAY, value: total };
      });
      const setup = { metricType: 'row_count', schedule: DAILY, sensitivity: 5 } as const;
      return { setup, points, from: 60, to: Number.POSITIVE_INFINITY };
    });
    expect(all.every(({ found }) => found)).toBe(true);
    expect(sum(all, ({ overWhileBroken }) => overWhileBroken)).toBe(0);
  });

  test('all of a column is null', () => {
    const all = twenty((random) => {
      const points = Array.from({ length: 80 }, (_, i) => ({
        at: START + i * DAY,
        value: i < 60 ? 0.7 + 0.6 * random.even() : 100,
      }));
      const setup = { metricType: 'null_percentage', schedule: DAILY, sensitivity: 5 } as const;
      return { setup, points, from: 60, to: Number.POSITIVE_INFINITY };
    });
    expect(all.every(({ found }) => found)).toBe(true);
    expect(sum(all, ({ overWhileBroken }) => overWhileBroken)).toBe(0);
  });
});

describe('how fast a range follows', () => {
  const shift = (adaptation: LearnerSetup['adaptation'], newLevel = false): Seen => {
    const random = randomFrom(7);
    const points = Array.from({ length: 100 }, (_, i) => ({
      at: START + i * DAY,
      value: (i < 60 ? 44 : 2_200) * (1 + 0.02 * random.normal()),
      newLevel: newLevel && i === 64,
    }));
    const setup = { metricType: 'mean', schedule: DAILY, sensitivity: 5, adaptation } as const;
    return watch({ setup, points, from: 60, to: Number.POSITIVE_INFINITY });
  };

  test('as is normal it follows, and forgets the old level after 28 days, in those words', () => {
    const { ends, verdicts, opened } = shift(undefined);
    expect(verdicts.slice(0, 5)).toEqual(['above', 'above', 'above', 'new_level', 'new_level']);
    expect([ends, opened]).toEqual([['new_level'], 1]);
    expect(verdicts.filter((one) => one === 'above' || one === 'below')).toHaveLength(3);
  });

  test('robust alerts until somebody says that it is the new normal', () => {
    const { ends, verdicts } = shift('robust');
    expect(new Set(verdicts)).toEqual(new Set(['above']));
    expect(ends).toEqual([]);
    const said = shift('robust', true);
    expect(said.verdicts.slice(0, 5)).toEqual(new Array(5).fill('above'));
    expect(said.verdicts.slice(6)).not.toContain('above');
    expect(said.ends).toEqual(['recovered']);
  });

  test('agile ends with the first value in the new range', () => {
    const { ends, verdicts } = shift('agile');
    expect(verdicts.slice(0, 4)).toEqual(['above', 'above', 'above', 'new_level']);
    expect(ends).toEqual(['new_level']);
  });

  test('a level that somebody called the new normal is not new any more', () => {
    const { verdicts } = shift(undefined, true);
    expect(verdicts[3]).toBe('new_level');
    expect(new Set(verdicts.slice(4))).toEqual(new Set(['within']));
  });
});

describe('a series that is never zero', () => {
  const setup = { metricType: 'row_count', schedule: DAILY, sensitivity: 5 } as const;
  const wide = (days: number, zeros: readonly number[] = []): Point[] => {
    const random = randomFrom(3);
    return Array.from({ length: days }, (_, i) => {
      const value = Math.round(1_000 * Math.exp(0.8 * random.normal()));
      return { at: START + i * DAY, value: zeros.includes(i) ? 0 : value };
    });
  };
  const last = (points: readonly Point[]) => {
    const learner = createLearner(setup);
    return points.map((point) => learn(learner, point)).at(-1);
  };

  test('has a range above zero, and a zero is out of it from the 31st value on', () => {
    expect(last(wide(31, [30]))?.verdict).toBe('below');
    expect(last(wide(31))?.range.lower).toBeGreaterThan(0);
    expect(last(wide(30, [29]))?.verdict).toBe('within');
  });

  test('is one no more when zeros have come three times', () => {
    const zeros = [40, 80, 120, 160];
    expect([41, 81, 121, 161].map((days) => last(wide(days, zeros))?.verdict)).toEqual([
      ...new Array(3).fill('below'),
      'within',
    ]);
  });
});
