// The closed periods of time whose rows a monitor measures, by its schedule.

import { offsetAt } from '../../calendar/time-zone.ts';
import { instantOf, intervalHours, type Schedule } from '../schedule.ts';

/** A closed period: from the first moment of it to the first behind it, in milliseconds since 1970. */
export interface Period {
  readonly from: number;
  readonly to: number;
  /** The instant of the schedule at which it is measured. */
  readonly at: number;
}

/** Periods that are measured in retrospect, so that there is a range at once. */
const mostPeriods = 90;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * The periods that are to be measured, oldest first: those that closed since the newest measurement, and the last
 * one at any rate; 90 at most. They lie between the instants of the schedule, and are whole days of the time zone
 * where that is not hourly.
 */
export function closedPeriods(
  schedule: Schedule,
  timeZone: string | null,
  now: Date,
  newest: Date | null,
): Period[] {
  const zone = timeZone ?? 'UTC';
  const end = (instant: number) =>
    schedule.cadence === 'hourly' ? instant : beginOfDay(zone, instant);
  const half = (intervalHours(schedule) * HOUR) / 2;
  const before = (instant: number) => instantOf(schedule, instant - half);
  const found: Period[] = [];
  let instant = instantOf(schedule, now.getTime());
  // A run may be a little early for an instant, but a period is over or it isn't.
  if (instant > now.getTime()) instant = before(instant);
  while (found.length < mostPeriods) {
    const earlier = before(instant);
    const isMeasured = newest !== null && newest.getTime() >= instant;
    if (isMeasured && found.length > 0) break;
    const at = isMeasured ? newest.getTime() + 1 : instant;
    found.push({ from: end(earlier), to: end(instant), at });
    instant = earlier;
  }
  return found.reverse();
}

/** Midnight before a moment, by the clocks of a zone. */
function beginOfDay(zone: string, at: number): number {
  const local = at + offsetAt(zone, at);
  const midnight = Math.floor(local / DAY) * DAY;
  // The offset at about that time, and then at that very time.
  const about = midnight - offsetAt(zone, at);
  return midnight - offsetAt(zone, about);
}
