// What a learner makes of days, clocks, silences, loads and returns that points alone don't explain.

import { describe, expect, test } from 'vitest';
import { isCountry } from '../../../src/calendar/holidays.ts';
import { isTimeZone, offsetAt } from '../../../src/calendar/time-zone.ts';
import { kindsOfDay } from '../../../src/monitors/learning/calendar/calendar.ts';
import type { LearnerSetup, Point } from '../../../src/monitors/learning/learner.ts';
import { createLearner } from '../../../src/monitors/learning/learner.ts';
import { learn } from '../../../src/monitors/learning/threshold.ts';
import { isWild, newUsual, noteValue } from '../../../src/monitors/learning/usual.ts';
import { randomFrom } from '../../trials/random.ts';
import { DAILY, HOUR, HOURLY } from './series.ts';

const DAY = 24 * HOUR;
const MONDAY = Date.UTC(2024, 0, 1);
const ROWS: LearnerSetup = { metricType: 'row_count', schedule: DAILY, sensitivity: 5 };

const days = (count: number, valueAt: (day: number, date: Date) => number): Point[] =>
  Array.from({ length: count }, (_, day) => {
    const at = MONDAY + day * DAY;
    return { at, value: valueAt(day, new Date(at)) };
  });

/** The indices of the points that alarm. */
function alarms(setup: LearnerSetup, points: readonly Point[]): number[] {
  const learner = createLearner(setup);
  return points.flatMap((point, i) =>
    ['above', 'below'].includes(learn(learner, point).verdict) ? [i] : [],
  );
}

const noisy = (seed: number) => {
  const random = randomFrom(seed);
  return (mean: number) => Math.round(mean * (1 + 0.03 * random.normal()));
};

describe('a value is wild', () => {
  const isWildAt = (usual: number, value: number, grain: number): boolean => {
    const state = newUsual();
    for (let slot = 0; slot < 6; slot++) {
      noteValue(state, 1, { slot, value: usual, lastSlot: slot - 1 });
    }
    return isWild(state, 1, { slot: 6, value, forecast: usual, grain });
  };

  test('below half or above twice what is usual', () => {
    expect([499, 500, 2000, 2001].map((value) => isWildAt(1000, value, 1))).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect([-5, 0, 5].map((value) => isWildAt(0, value, 1))).toEqual([false, false, false]);
  });

  test('but not where as few events are that by chance', () => {
    expect([0, 7, 8].map((value) => isWildAt(3, value, 1))).toEqual([false, false, true]);
    expect([0, 7].map((value) => isWildAt(3, value, 0.01))).toEqual([true, true]);
  });
});

describe('days of the calendar', () => {
  test('have the names of what they are besides their weekday', () => {
    const kinds = (date: string, country?: string) => kindsOfDay(Date.parse(date), country);
    expect(kinds('2024-06-03')).toEqual(['day 3 of the month', 'business day 1 of the month']);
    expect(kinds('2024-06-30')).toEqual(['day 30 of the month', 'the last day of the month']);
    expect(kinds('2024-06-28')).toContain('the last business day of the month');
    expect(kinds('2024-07-04', 'US')).toContain('a holiday');
    expect(kinds('2024-07-04', 'DE')).not.toContain('a holiday');
    expect(kinds('2024-07-03', 'US')).toContain('the day before a holiday');
    expect(kinds('2024-07-05')).not.toContain('the day after a holiday');
    expect([isCountry('US'), isCountry('XX'), isCountry('toString')]).toEqual([true, false, false]);
  });

  test('a first of the month alarms until it was seen, and another day like it always', () => {
    const about = noisy(4);
    const points = days(150, (_, date) => about(date.getUTCDate() === 1 ? 4000 : 1000));
    const found = alarms(ROWS, points).map((i) => new Date(points[i]?.at ?? 0).toISOString());
    expect(found.filter((at) => at.slice(8, 10) === '01').length).toBeLessThanOrEqual(2);
    // Four times as much on another day is as wrong as ever.
    const odd = points.map((point, i) => (i === 140 ? { ...point, value: 4000 } : point));
    expect(alarms(ROWS, odd)).toContain(140);
  });

  test('a first that is as many times as much of another level is known as well', () => {
    const about = noisy(9);
    const mean: LearnerSetup = { ...ROWS, metricType: 'mean' };
    const points = days(200, (day, date) =>
      about((date.getUTCDate() === 1 ? 4 : 1) * (day < 100 ? 1000 : 300)),
    );
    const found = alarms(mean, points).map((i) => new Date(points[i]?.at ?? 0).toISOString());
    const firsts = found.map((at) => at.slice(0, 10)).filter((at) => at.endsWith('-01'));
    expect(firsts).toEqual(['2024-02-01']);
    // Nothing at all is as wrong on a first as on any other day.
    const none = points.map((point, i) => (i === 182 ? { ...point, value: 0 } : point));
    expect(new Date(points[182]?.at ?? 0).getUTCDate()).toBe(1);
    expect(alarms(mean, none)).toContain(182);
  });

  test('a holiday like a Sunday alarms without its country, and not with it', () => {
    const about = noisy(7);
    const independence = (Date.UTC(2024, 6, 4) - MONDAY) / DAY;
    const points = days(200, (day) => about(day % 7 >= 5 || day === independence ? 400 : 1000));
    expect(alarms(ROWS, points)).toContain(independence);
    expect(alarms({ ...ROWS, country: 'US' }, points)).not.toContain(independence);
  });
});

describe('clocks', () => {
  test('of a zone are ahead of UTC by what the day says', () => {
    const hours = (zone: string, at: string) => offsetAt(zone, Date.parse(at)) / HOUR;
    expect(hours('Europe/Berlin', '2024-01-15T12:00Z')).toBe(1);
    expect(hours('Europe/Berlin', '2024-03-31T00:59Z')).toBe(1);
    expect(hours('Europe/Berlin', '2024-03-31T01:00Z')).toBe(2);
    expect(hours('America/New_York', '2024-07-04T00:00Z')).toBe(-4);
    expect(hours('Asia/Kolkata', '2024-07-04T00:00Z')).toBe(5.5);
    expect([isTimeZone('Europe/Berlin'), isTimeZone('Europe/Nowhere')]).toEqual([true, false]);
  });

  test('that go forward raise no alarm where the zone is known', () => {
    const about = noisy(2);
    const change = Date.UTC(2024, 2, 31, 1);
    const points = Array.from({ length: 34 * 24 }, (_, i) => {
      const at = change + (i - 32 * 24) * HOUR;
      const local = at + offsetAt('Europe/Berlin', at);
      return { at, value: about(new Date(local).getUTCHours() >= 7 ? 900 : 90) };
    });
    const setup: LearnerSetup = { ...ROWS, schedule: HOURLY };
    const later = (found: readonly number[]) => found.filter((i) => i >= 32 * 24).length;
    expect(later(alarms(setup, points))).toBeGreaterThan(0);
    expect(later(alarms({ ...setup, timeZone: 'Europe/Berlin' }, points))).toBe(0);
  });
});

describe('silences', () => {
  test('of a table that is mostly empty raise no alarm, nor does what comes between', () => {
    const random = randomFrom(3);
    const points = days(300, () => (random.even() < 0.9 ? 0 : random.whole(300, 900)));
    expect(alarms(ROWS, points.slice(0, 300)).filter((i) => i > 60).length).toBeLessThan(4);
  });

  test('of a table that is empty every other day by chance last as long as chance has them', () => {
    const found = Array.from({ length: 12 }, (_, seed) => seed).flatMap((seed) => {
      const random = randomFrom(seed);
      const points = days(400, () => (random.even() < 0.5 ? 0 : random.whole(300, 900)));
      return alarms(ROWS, points).filter((i) => i > 60);
    });
    expect(found.length).toBeLessThan(12);
    // A day on which nothing comes, every other day, is a rhythm: the second such day breaks it.
    const rhythm = days(200, (day) => (day % 2 === 0 || day > 150 ? 0 : 500 + (day % 7)));
    const [late = 0] = alarms(ROWS, rhythm).filter((i) => i > 150);
    expect(late).toBeLessThan(156);
  });

  test('a batch of each month that does not come is missed within days', () => {
    const about = noisy(5);
    const missing = (Date.UTC(2024, 8, 1) - MONDAY) / DAY;
    const points = days(260, (day, date) =>
      date.getUTCDate() === 1 && day !== missing ? about(5000) : 0,
    );
    const late = alarms(ROWS, points).filter((i) => i >= missing);
    expect(late[0]).toBeLessThan(missing + 8);
    expect(alarms(ROWS, points).filter((i) => i > 60 && i < missing)).toEqual([]);
  });
});

test('freshness by the hour of a daily load alarms when the load is late, and not as it ages', () => {
  const random = randomFrom(6);
  const late = 35;
  const loads = Array.from({ length: 45 }, (_, day) => {
    return (
      MONDAY + day * DAY + 6 * HOUR + 600_000 * random.normal() + (day === late ? 3 * HOUR : 0)
    );
  });
  const points = Array.from({ length: 44 * 24 - 24 }, (_, i) => {
    const at = MONDAY + DAY + i * HOUR;
    return { at, value: (at - Math.max(...loads.filter((load) => load <= at))) / 1000 };
  });
  const setup: LearnerSetup = { ...ROWS, metricType: 'freshness', schedule: HOURLY };
  const found = alarms(setup, points).filter((i) => i > 240);
  const due = (late - 1) * 24 + 6;
  expect(found.length).toBeGreaterThan(0);
  for (const i of found) expect(i - due).toBeGreaterThan(0);
  for (const i of found) expect(i - due).toBeLessThan(4);
});

test('good data after an outage is what it was before, at once', () => {
  const about = noisy(8);
  const outage = (day: number) => day >= 80 && day < 85;
  const points = days(110, (day) => (outage(day) ? 0 : about(day % 7 >= 5 ? 400 : 1000)));
  const found = alarms(ROWS, points).filter((i) => i >= 80);
  expect(found.slice(0, 3)).toEqual([80, 81, 82]);
  // In the two weeks after it nothing is left of it.
  expect(found.filter((i) => i >= 85 && i < 99)).toEqual([]);
});

test('a gap of any length is followed by a forecast of the right hour', () => {
  const about = noisy(9);
  const hours = Array.from({ length: 40 * 24 }, (_, i) => {
    return { at: MONDAY + i * HOUR, value: about(i % 24 >= 7 && i % 24 < 19 ? 900 : 90) };
  });
  const setup: LearnerSetup = { ...ROWS, schedule: HOURLY };
  for (const gap of [5, 31, 48, 100]) {
    const cut = hours.filter((_, i) => i < 700 || i >= 700 + gap);
    expect(
      alarms(setup, cut).filter((i) => i >= 700 && i < 706),
      `${gap}`,
    ).toEqual([]);
  }
});
