// Freshness that is measured more often than data comes: when the next load is due.

import { z } from 'zod';
import { median } from './expert.ts';

/** When data came, as its age at each measurement shows to the second, and when more is due. */
export const ArrivalState = z.object({
  /** Milliseconds since 1970 at which data came, oldest first. */
  loads: z.array(z.number()),
  /** When the next load is expected, and until when it is not late; null without a rhythm. */
  due: z.object({ at: z.number(), late: z.number() }).nullable(),
});
export type ArrivalState = z.infer<typeof ArrivalState>;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Data is new when its age says that it came so much later than the last. */
const NEW_AFTER = HOUR / 6;
/** So many loads are remembered, and so many needed. */
const REMEMBERED = 60;
const NEEDED = 6;
/** Loads have a rhythm when they are this many measurements apart. */
const LEAST_STEPS = 3;
/** No one wants to be woken for half an hour. */
const LEAST_LATE = HOUR / 2;
/** How late is too late, in mean deviations of the arrivals. */
const LATE_DEVIATIONS = 2.3;

export function newArrivals(): ArrivalState {
  return { loads: [], due: null };
}

/** Take in the age of the data, in seconds, at an instant; `step` is the time between two. */
export function noteAge(state: ArrivalState, at: number, age: number, step: number): void {
  const load = Math.round(at - 1000 * age);
  const last = state.loads.at(-1);
  if (last !== undefined && load - last <= NEW_AFTER) return;
  state.loads.push(load);
  if (state.loads.length > REMEMBERED) state.loads.shift();
  state.due = nextDue(state.loads, step);
}

/** When the next load is expected, from the rhythm of those before; null where they have none. */
function nextDue(loads: readonly number[], step: number): ArrivalState['due'] {
  const [first = 0] = loads;
  const last = loads.at(-1) ?? 0;
  if (loads.length < NEEDED) return null;
  const gap = median(loads.slice(1).map((load, i) => load - (loads[i] ?? load)));
  if (gap < LEAST_STEPS * step) return null;
  const period = Math.abs(gap - DAY) < DAY / 10 ? DAY : gap;
  let lag = 0;
  const offs: number[] = [];
  for (const [i, load] of loads.entries()) {
    const off = load - first - Math.round((load - first) / period) * period - lag;
    if (i > 0) offs.push(Math.abs(off));
    lag += Math.max(0.1, 1 / (i + 1)) * Math.max(-2 * HOUR, Math.min(2 * HOUR, off));
  }
  const most = 4 * Math.max(median(offs), HOUR / 60);
  const mean = offs.reduce((sum, off) => sum + Math.min(off, most), 0) / offs.length;
  const turns = Math.round((last - first - lag) / period) + idleTurns(loads, period);
  const at = first + lag + turns * period;
  return { at, late: at + Math.max(LEAST_LATE, LATE_DEVIATIONS * mean * (1 + 2 / offs.length)) };
}

/** Periods until the next load: more than one where none came after the same day of the week. */
function idleTurns(loads: readonly number[], period: number): number {
  if (period !== DAY) return 1;
  const last = loads.at(-1) ?? 0;
  const waits = loads.slice(0, -1).flatMap((load, i) => {
    const weeks = (last - load) / (7 * DAY);
    const isSameDay = Math.abs(weeks - Math.round(weeks)) < 1 / 14;
    return isSameDay ? [Math.round(((loads[i + 1] ?? load) - load) / period)] : [];
  });
  const [earlier = 1, latest = 1] = waits.slice(-2);
  return waits.length < 2 ? 1 : Math.max(1, Math.min(earlier, latest));
}
