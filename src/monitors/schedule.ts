// When a monitor is due: aligned instants in UTC, by its schedule.

import { createHash } from 'node:crypto';
import { type FieldError, invalid, invalidFields } from '../errors.ts';

/** How often a monitor can run. */
export const CADENCES = ['hourly', 'daily', 'weekly', 'monthly'] as const;
export type Cadence = (typeof CADENCES)[number];

/** A valid schedule. All fields are there; those that the cadence doesn't use say nothing. */
export interface Schedule {
  readonly cadence: Cadence;
  /** Every how many hours an hourly schedule runs, counted from midnight: 1 to 168. */
  readonly frequency: number;
  /** Hour of the day in UTC at which the slower ones run: 0 to 23. */
  readonly hour: number;
  /** Day of a weekly schedule, 0 = Monday to 6, or of a monthly one, 1 to 28. */
  readonly day: number;
}

/** A schedule as a client sends it: everything may be missing, nothing is checked. */
export interface ScheduleInput {
  readonly cadence?: string | null | undefined;
  readonly frequency?: number | null | undefined;
  readonly hour?: number | null | undefined;
  readonly day?: number | null | undefined;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
/** 1970 began on a Thursday; this was the first Monday. */
const FIRST_MONDAY = 4 * DAY;
/** A mean month of the Gregorian calendar, rounded to hours. */
const MONTH_HOURS = 730;

/** The first aligned instant after a moment. Missed ones are not made up for. */
export function nextRunAt(schedule: Schedule, after: Date): Date {
  if (schedule.cadence === 'monthly') {
    const month = monthOf(after.getTime());
    const sameMonth = inMonth(schedule, month);
    return new Date(sameMonth > after.getTime() ? sameMonth : inMonth(schedule, month + 1));
  }
  const { interval, offset } = rhythm(schedule);
  const passed = Math.floor((after.getTime() - offset) / interval);
  return new Date(offset + (passed + 1) * interval);
}

/** Hours between two runs; a month counts 730. This is the `frequency` of a monitor's record. */
export function intervalHours(schedule: Schedule): number {
  if (schedule.cadence === 'monthly') return MONTH_HOURS;
  return rhythm(schedule).interval / HOUR;
}

/** A run is never early, but clocks differ: it may seem so by a twelfth of the interval, or half an hour. */
const earliest = (schedule: Schedule): number =>
  Math.min(HOUR / 2, (intervalHours(schedule) * HOUR) / 12);

/** The aligned instant that a run at a moment belongs to: the last one, however late it is. */
export function instantOf(schedule: Schedule, at: number): number {
  const until = at + earliest(schedule);
  if (schedule.cadence === 'monthly') {
    const month = monthOf(until);
    const sameMonth = inMonth(schedule, month);
    return sameMonth <= until ? sameMonth : inMonth(schedule, month - 1);
  }
  const { interval, offset } = rhythm(schedule);
  return offset + Math.floor((until - offset) / interval) * interval;
}

/** The number of the aligned instant that is nearest to a moment in milliseconds since 1970. */
export function slotOf(schedule: Schedule, at: number): number {
  if (schedule.cadence !== 'monthly') {
    const { interval, offset } = rhythm(schedule);
    return Math.round((at - offset) / interval);
  }
  const month = monthOf(at);
  const instants = [month - 1, month, month + 1].map((m) => ({ m, at: inMonth(schedule, m) }));
  const distance = (instant: { at: number }) => Math.abs(instant.at - at);
  return instants.reduce((near, next) => (distance(next) < distance(near) ? next : near)).m;
}

/**
 * How many milliseconds after its instant a monitor starts, always the same for the same monitor:
 * a thousand monitors at midnight must not all knock at once.
 */
export function jitterMs(monitorId: string, limit = 5000): number {
  const digest = createHash('sha256').update(monitorId).digest();
  return Math.floor((digest.readUInt32BE(0) / 2 ** 32) * limit);
}

/**
 * Check a schedule and fill it in: daily at midnight where nothing is said.
 * @throws BAD_REQUEST that names every wrong field and what it allows.
 */
export function readSchedule(input: ScheduleInput | null | undefined): Schedule {
  const given = input ?? {};
  const cadence = CADENCES.find((name) => name === (given.cadence ?? 'daily'));
  if (cadence === undefined) {
    const message = `"${given.cadence}" is not a cadence; use ${CADENCES.join(', ')}.`;
    throw invalid(message, [{ field: 'schedule.cadence', message }]);
  }
  const errors: FieldError[] = [];
  const read = (field: 'frequency' | 'hour' | 'day', limits: Limits): number => {
    const value = given[field] ?? limits.fallback;
    if (!Number.isInteger(value)) {
      errors.push({ field: `schedule.${field}`, message: `${value} is not a whole number.` });
    } else if (limits.used && (value < limits.min || value > limits.max)) {
      const message = `${value} is out of range; ${limits.what} is ${limits.min} to ${limits.max}.`;
      errors.push({ field: `schedule.${field}`, message });
    }
    return limits.used ? value : limits.fallback;
  };
  const schedule = {
    cadence,
    frequency: read('frequency', { ...HOURLY, used: cadence === 'hourly' }),
    hour: read('hour', { ...HOURS, used: cadence !== 'hourly' }),
    day: read('day', cadence === 'monthly' ? MONTHLY : { ...WEEKLY, used: cadence === 'weekly' }),
  };
  if (errors.length > 0) {
    throw invalidFields(errors);
  }
  return schedule;
}

/** Clients send all fields whatever the cadence, so only the used ones have limits. */
interface Limits {
  readonly what: string;
  readonly min: number;
  readonly max: number;
  readonly fallback: number;
  readonly used: boolean;
}

const HOURLY = { what: 'the interval in hours', min: 1, max: 168, fallback: 1 };
const HOURS = { what: 'the hour of the day, in UTC,', min: 0, max: 23, fallback: 0 };
const WEEKLY = { what: 'the day of the week (0 = Monday)', min: 0, max: 6, fallback: 0 };
const MONTHLY = { what: 'the day of the month', min: 1, max: 28, fallback: 1, used: true };

function rhythm(schedule: Schedule): { interval: number; offset: number } {
  switch (schedule.cadence) {
    case 'hourly':
      return { interval: schedule.frequency * HOUR, offset: 0 };
    case 'weekly':
      return {
        interval: WEEK,
        offset: FIRST_MONDAY + schedule.day * DAY + schedule.hour * HOUR,
      };
    default:
      return { interval: DAY, offset: schedule.hour * HOUR };
  }
}

function monthOf(at: number): number {
  const date = new Date(at);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

const inMonth = (schedule: Schedule, month: number): number =>
  Date.UTC(Math.floor(month / 12), month % 12, schedule.day, schedule.hour);
