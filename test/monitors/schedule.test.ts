// Showing when a monitor is due.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CatalogError } from '../../src/errors.ts';
import {
  CADENCES,
  instantOf,
  intervalHours,
  jitterMs,
  nextRunAt,
  readSchedule,
  type Schedule,
  type ScheduleInput,
  slotOf,
} from '../../src/monitors/schedule.ts';

const next = (input: ScheduleInput, after: string): string =>
  nextRunAt(readSchedule(input), new Date(after)).toISOString();

const anySchedule: fc.Arbitrary<Schedule> = fc
  .record({
    cadence: fc.constantFrom(...CADENCES),
    frequency: fc.integer({ min: 1, max: 168 }),
    hour: fc.integer({ min: 0, max: 23 }),
    weekday: fc.integer({ min: 0, max: 6 }),
    date: fc.integer({ min: 1, max: 28 }),
  })
  .map(({ weekday, date, ...rest }) => ({
    ...rest,
    day: rest.cadence === 'monthly' ? date : weekday,
  }));

const anyMoment = fc.date({
  min: new Date('1999-01-01T00:00:00Z'),
  max: new Date('2100-01-01T00:00:00Z'),
  noInvalidDate: true,
});

describe('the next run', () => {
  test.each<[string, ScheduleInput, string, string]>([
    ['hourly', { cadence: 'hourly' }, '2024-05-06T10:20:00Z', '2024-05-06T11:00:00.000Z'],
    [
      'on the instant itself',
      { cadence: 'hourly' },
      '2024-05-06T10:00:00Z',
      '2024-05-06T11:00:00.000Z',
    ],
    [
      'every 6 hours',
      { cadence: 'hourly', frequency: 6 },
      '2024-05-06T10:20:00Z',
      '2024-05-06T12:00:00.000Z',
    ],
    [
      'every 6 hours, at night',
      { cadence: 'hourly', frequency: 6 },
      '2024-05-06T18:00:00.001Z',
      '2024-05-07T00:00:00.000Z',
    ],
    ['daily', { cadence: 'daily', hour: 9 }, '2024-05-06T08:59:59Z', '2024-05-06T09:00:00.000Z'],
    [
      'daily, just missed',
      { cadence: 'daily', hour: 9 },
      '2024-05-06T09:00:00Z',
      '2024-05-07T09:00:00.000Z',
    ],
    ['by default', {}, '2024-02-28T23:00:00Z', '2024-02-29T00:00:00.000Z'],
    [
      'weekly on Monday',
      { cadence: 'weekly', day: 0 },
      '2024-05-06T00:00:00Z',
      '2024-05-13T00:00:00.000Z',
    ],
    [
      'weekly on Sunday',
      { cadence: 'weekly', day: 6, hour: 23 },
      '2024-05-06T00:00:00Z',
      '2024-05-12T23:00:00.000Z',
    ],
    [
      'monthly',
      { cadence: 'monthly', day: 28, hour: 4 },
      '2024-02-28T04:00:00Z',
      '2024-03-28T04:00:00.000Z',
    ],
    [
      'monthly over new year',
      { cadence: 'monthly' },
      '2023-12-01T00:00:00Z',
      '2024-01-01T00:00:00.000Z',
    ],
  ])('%s', (_, input, after, expected) => {
    expect(next(input, after)).toBe(expected);
  });

  test('lies ahead, by one interval at most, on an instant of its schedule', () => {
    const holds = fc.property(anySchedule, anyMoment, (schedule, after) => {
      const due = nextRunAt(schedule, after);
      const wait = due.getTime() - after.getTime();
      const longest = schedule.cadence === 'monthly' ? 31 * 24 : intervalHours(schedule);
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(longest * 3_600_000);
      expect(due.getTime() % 3_600_000).toBe(0);
      if (schedule.cadence !== 'hourly') expect(due.getUTCHours()).toBe(schedule.hour);
      if (schedule.cadence === 'weekly') expect((due.getUTCDay() + 6) % 7).toBe(schedule.day);
      if (schedule.cadence === 'monthly') expect(due.getUTCDate()).toBe(schedule.day);
      // Anyone who asks later, but before it is due, gets the same.
      expect(nextRunAt(schedule, new Date(due.getTime() - 1))).toEqual(due);
    });
    fc.assert(holds, { numRuns: 2000, seed: 11 });
  });

  test('after a long sleep is one, however many were missed', () => {
    expect(next({ cadence: 'hourly' }, '2024-05-06T10:20:00Z')).toBe('2024-05-06T11:00:00.000Z');
    expect(next({ cadence: 'hourly' }, '2024-05-09T15:20:00Z')).toBe('2024-05-09T16:00:00.000Z');
  });

  test('comes in slots that count up by one, near which every run is found', () => {
    const holds = fc.property(anySchedule, anyMoment, (schedule, after) => {
      const due = nextRunAt(schedule, after);
      const following = nextRunAt(schedule, due);
      const slot = slotOf(schedule, due.getTime());
      expect(slotOf(schedule, following.getTime())).toBe(slot + 1);
      expect(slotOf(schedule, due.getTime() + 20 * 60_000)).toBe(slot);
      expect(slotOf(schedule, due.getTime() - 20 * 60_000)).toBe(slot);
    });
    fc.assert(holds, { numRuns: 2000, seed: 12 });
  });

  test('is that of every run until the next one, however late, and of one that seems early', () => {
    const holds = fc.property(anySchedule, anyMoment, (schedule, after) => {
      const due = nextRunAt(schedule, after);
      const following = nextRunAt(schedule, due);
      const halfway = (due.getTime() + following.getTime()) / 2;
      const shortlyBefore = following.getTime() - 2 * 3_600_000;
      for (const at of [due.getTime() - 60_000, due.getTime(), halfway]) {
        expect(instantOf(schedule, at)).toBe(due.getTime());
      }
      const before = shortlyBefore > due.getTime() ? shortlyBefore : halfway;
      expect(instantOf(schedule, before)).toBe(due.getTime());
    });
    fc.assert(holds, { numRuns: 2000, seed: 13 });
  });
});

test('the interval is given in hours', () => {
  const hours = (input: ScheduleInput) => intervalHours(readSchedule(input));
  expect(hours({ cadence: 'hourly', frequency: 6 })).toBe(6);
  expect(hours({ cadence: 'daily' })).toBe(24);
  expect(hours({ cadence: 'weekly' })).toBe(168);
  expect(hours({ cadence: 'monthly' })).toBe(730);
});

describe('the jitter', () => {
  const ids = Array.from({ length: 2000 }, (_, i) => `00000000-0000-4000-8000-${i}`);

  test('of a monitor is always the same, and under its limit', () => {
    for (const id of ids) {
      expect(jitterMs(id)).toBe(jitterMs(id));
      expect(jitterMs(id, 800)).toBeGreaterThanOrEqual(0);
      expect(jitterMs(id, 800)).toBeLessThan(800);
    }
  });

  test('spreads monitors evenly', () => {
    const tenths = new Array<number>(10).fill(0);
    for (const id of ids) {
      const tenth = Math.floor(jitterMs(id, 1000) / 100);
      tenths[tenth] = (tenths[tenth] ?? 0) + 1;
    }
    for (const count of tenths) expect(count).toBeGreaterThan(120);
  });
});

describe('a schedule that is sent', () => {
  const errorsOf = (input: ScheduleInput): [string, string][] => {
    try {
      readSchedule(input);
    } catch (error) {
      if (error instanceof CatalogError && error.code === 'BAD_REQUEST') {
        return error.fields.map(({ field, message }) => [field, message]);
      }
      throw error;
    }
    throw new Error('The schedule was taken.');
  };

  test('is daily at midnight where nothing is said', () => {
    const daily = { cadence: 'daily', frequency: 1, hour: 0, day: 0 };
    expect(readSchedule(undefined)).toEqual(daily);
    expect(readSchedule(null)).toEqual(daily);
    expect(readSchedule({ cadence: null, hour: null })).toEqual(daily);
    expect(readSchedule({ cadence: 'monthly' }).day).toBe(1);
  });

  test('may carry fields that its cadence does not use', () => {
    const sent = { cadence: 'daily', hour: 7, day: 30, frequency: 999 };
    expect(readSchedule(sent)).toEqual({ cadence: 'daily', frequency: 1, hour: 7, day: 0 });
  });

  test('has its unknown cadence named, with those that are allowed', () => {
    const [[field, message] = ['', '']] = errorsOf({ cadence: 'yearly' });
    expect(field).toBe('schedule.cadence');
    expect(message).toContain('"yearly"');
    for (const cadence of CADENCES) expect(message).toContain(cadence);
  });

  test.each<[ScheduleInput, string, string]>([
    [{ cadence: 'hourly', frequency: 0 }, 'schedule.frequency', '1 to 168'],
    [{ cadence: 'hourly', frequency: 169 }, 'schedule.frequency', '1 to 168'],
    [{ cadence: 'hourly', frequency: 1.5 }, 'schedule.frequency', 'whole number'],
    [{ cadence: 'daily', hour: 24 }, 'schedule.hour', '0 to 23'],
    [{ cadence: 'daily', hour: -1 }, 'schedule.hour', '0 to 23'],
    [{ cadence: 'weekly', day: 7 }, 'schedule.day', '0 to 6'],
    [{ cadence: 'monthly', day: 0 }, 'schedule.day', '1 to 28'],
    [{ cadence: 'monthly', day: 31 }, 'schedule.day', '1 to 28'],
    [{ cadence: 'daily', hour: Number.NaN }, 'schedule.hour', 'whole number'],
  ])('%o names the field and what it allows', (input, field, allowed) => {
    const errors = errorsOf(input);
    expect(errors).toHaveLength(1);
    expect(errors[0]?.[0]).toBe(field);
    expect(errors[0]?.[1]).toContain(allowed);
  });

  test('names all its wrong fields at once', () => {
    const fields = errorsOf({ cadence: 'weekly', day: 9, hour: 99 }).map(([field]) => field);
    expect(fields.sort()).toEqual(['schedule.day', 'schedule.hour']);
  });
});
