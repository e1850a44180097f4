// When a maintenance window is in force, once or every week by the clocks of a zone.

import { offsetAt } from '../../calendar/time-zone.ts';

/** When a window is in force. */
interface WindowTimes {
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
  readonly days: readonly number[];
  readonly fromTime: string | null;
  readonly untilTime: string | null;
  readonly timeZone: string;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** 1 January 1970 was a Thursday. */
const firstDay = 3;

/** Whether a moment lies in a window; the end of it does not. */
export function covers(window: WindowTimes, at: Date): boolean {
  const { startsAt, endsAt, fromTime, untilTime, timeZone } = window;
  if (fromTime === null || untilTime === null) {
    return startsAt !== null && endsAt !== null && startsAt <= at && at < endsAt;
  }
  const local = at.getTime() + offsetAt(timeZone, at.getTime());
  const today = Math.floor(local / DAY);
  const minute = Math.floor((local - today * DAY) / MINUTE);
  const isOn = (day: number) => window.days.length === 0 || window.days.includes(weekday(day));
  const [from, until] = [minuteOf(fromTime), minuteOf(untilTime)];
  if (from < until) return isOn(today) && minute >= from && minute < until;
  // It ends on the day after it began, a whole day later where both times are the same.
  return (isOn(today) && minute >= from) || (isOn(today - 1) && minute < until);
}

const weekday = (day: number): number => (day + firstDay) % 7;

function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
