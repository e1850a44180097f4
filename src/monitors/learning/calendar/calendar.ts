// Days that the calendar makes different: the first of a month, its end, holidays.

import { z } from 'zod';
import { holidayOn } from '../../../calendar/holidays.ts';
import type { Unit } from '../../metric.ts';
import type { Alternative, Interval } from '../interval.ts';

/**
 * What a kind of day was when it was last out of range: how many times the forecast, and how much
 * more; and how often since it was an ordinary day.
 */
const OtherDay = z.object({
  kind: z.string(),
  ratio: z.number(),
  more: z.number(),
  ordinary: z.number(),
});
type OtherDay = z.infer<typeof OtherDay>;

/** What is remembered of the days of a month and of holidays. */
export const CalendarState = z.object({ days: z.array(OtherDay) });
export type CalendarState = z.infer<typeof CalendarState>;

/** How a daily series is forecast, for days other than the one that it is. */
export interface Forecaster {
  readonly unit: Unit;
  readonly forecast: number;
  /** What is forecast if the day were so many days later. */
  readonly later: (days: number) => number | null;
  /** How far a value may lie from a forecast. */
  readonly around: (forecast: number) => Interval;
}

const DAY = 86_400_000;
/** A kind of day is forgotten when it was ordinary so often. */
const FORGOTTEN_AFTER = 2;
/** Of the distance between an ordinary day and such a one, this share is allowed at least. */
const LEAST_SHARE = 0.1;
/**
 * A day that is so many times as large errs so many times as much, and by what the few such days that are
 * known erred themselves.
 */
const LOOSER = 1.3;
/** Business days of a month that are told apart, from its start. */
const BUSINESS_DAYS = 3;
const SATURDAY = 6;

export function newCalendar(): CalendarState {
  return { days: [] };
}

/**
 * The names of what a day is besides its weekday, by its date. `local` is an instant whose UTC date
 * is the date there; holidays are those of a country, or none.
 */
export function kindsOfDay(local: number, country: string | undefined): string[] {
  const date = new Date(local);
  const day = date.getUTCDate();
  const kinds = [`day ${day} of the month`];
  if (new Date(local + DAY).getUTCDate() === 1) kinds.push('the last day of the month');
  const business = businessDay(date, country);
  if (business !== null) kinds.push(`business day ${business} of the month`);
  if (isLastBusinessDay(local, country)) kinds.push('the last business day of the month');
  const holiday = holidayOf(local, country);
  if (holiday !== null) kinds.push('a holiday', holiday);
  else if (holidayOf(local - DAY, country) !== null) kinds.push('the day after a holiday');
  else if (holidayOf(local + DAY, country) !== null) kinds.push('the day before a holiday');
  return kinds;
}

/** Where values lie on such a day, besides where they lie on an ordinary one. */
export function otherDays(
  { days }: CalendarState,
  local: number,
  country: string | undefined,
  by: Forecaster,
): Alternative[] {
  const found: Alternative[] = [];
  for (const kind of kindsOfDay(local, country)) {
    const other = days.find((day) => day.kind === kind);
    if (other === undefined) continue;
    found.push(likeBefore(other, by));
  }
  return isFestive(local, country) ? [...found, ...likeWeekends(local, by)] : found;
}

/** As many times the forecast as before; where the unit doesn't scale, or as much more. */
function likeBefore({ kind, ratio, more }: OtherDay, by: Forecaster): Alternative {
  const scales = by.forecast > by.unit.grain && ratio > 0;
  const [times, added] = [by.forecast * ratio, by.forecast + more];
  const ends = !scales ? [added, added] : by.unit.scales ? [times, times] : [times, added];
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const forecast = (low + high) / 2;
  const least = LEAST_SHARE * Math.abs(forecast - by.forecast);
  const { below, above } = by.around(forecast);
  const looser = scales && ratio > 1 ? LOOSER * ratio : 1;
  const usual = by.around(by.forecast);
  return {
    forecast,
    // It reaches down to an ordinary day at most: what lies below is for that one to judge.
    below:
      forecast - low + Math.max(below, least, Math.min(looser * usual.below, low - by.forecast)),
    above: high - forecast + Math.max(above, least, looser * usual.above),
    because: `${kind} was like this before`,
  };
}

/** Remember a day that was out of range, or that one was ordinary which used not to be. */
export function noteDay(
  state: CalendarState,
  local: number,
  country: string | undefined,
  seen: { value: number; by: Pick<Forecaster, 'forecast' | 'unit'>; ordinary: boolean },
): void {
  const { value, by, ordinary } = seen;
  if (ordinary && state.days.length === 0) return;
  for (const kind of kindsOfDay(local, country)) {
    const known = state.days.find((day) => day.kind === kind);
    if (ordinary) {
      if (known) known.ordinary++;
      continue;
    }
    const ratio = value / Math.max(by.forecast, by.unit.grain);
    const more = value - by.forecast;
    if (known === undefined) state.days.push({ kind, ratio, more, ordinary: 0 });
    else {
      known.ratio = (known.ratio + ratio) / 2;
      known.more = (known.more + more) / 2;
      known.ordinary = 0;
    }
  }
  state.days = state.days.filter((day) => day.ordinary < FORGOTTEN_AFTER);
}

/** A holiday is anything between an ordinary day and the weekend around it. */
function likeWeekends(local: number, by: Forecaster): Alternative[] {
  const weekday = new Date(local).getUTCDay();
  return [0, SATURDAY].flatMap((day) => {
    const there = by.later((day - weekday + 7) % 7);
    if (there === null) return [];
    const { below, above } = by.around(there);
    const forecast = (there + by.forecast) / 2;
    const half = Math.abs(there - by.forecast) / 2;
    const because = 'around a holiday a day may be like one at the weekend';
    return [{ forecast, below: half + below, above: half + above, because }];
  });
}

/** A holiday, the days around it, and those between Christmas and New Year. */
function isFestive(local: number, country: string | undefined): boolean {
  if (country === undefined) return false;
  const date = new Date(local);
  const [month, day] = [date.getUTCMonth(), date.getUTCDate()];
  if ((month === 11 && day >= 23) || (month === 0 && day <= 2)) return true;
  return [local - DAY, local, local + DAY].some((near) => holidayOf(near, country) !== null);
}

const holidayOf = (local: number, country: string | undefined): string | null =>
  country === undefined ? null : holidayOn(local, country);

const isBusiness = (local: number, country: string | undefined): boolean =>
  new Date(local).getUTCDay() % SATURDAY !== 0 && holidayOf(local, country) === null;

/** Which business day of its month a day is, from 1 on; null where it is none, or later. */
function businessDay(date: Date, country: string | undefined): number | null {
  // Weekends and holidays put off the third business day by a week at most.
  if (date.getUTCDate() > 10 || !isBusiness(date.getTime(), country)) return null;
  let count = 0;
  for (let back = date.getUTCDate() - 1; back >= 0; back--) {
    if (isBusiness(date.getTime() - back * DAY, country)) count++;
  }
  return count <= BUSINESS_DAYS ? count : null;
}

function isLastBusinessDay(local: number, country: string | undefined): boolean {
  const month = new Date(local).getUTCMonth();
  if (new Date(local + 5 * DAY).getUTCMonth() === month && new Date(local).getUTCDate() < 20) {
    return false;
  }
  if (!isBusiness(local, country)) return false;
  for (let next = local + DAY; new Date(next).getUTCMonth() === month; next += DAY) {
    if (isBusiness(next, country)) return false;
  }
  return true;
}
