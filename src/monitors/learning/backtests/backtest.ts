// Answers what a monitor would have said about a series.

import { type FieldError, invalidFields } from '../../../errors.ts';
import { decide, type ResolveReason, UNTROUBLED } from '../../incidents/rules.ts';
import type { MetricType } from '../../metric.ts';
import { intervalHours, nextRunAt, type Schedule } from '../../schedule.ts';
import { createLearner, type LearnerSetup, type Point } from '../learner.ts';
import {
  type Bounds,
  fillingSlots,
  judge,
  learn,
  type NewLevel,
  type Verdict,
} from '../threshold.ts';

/** What the monitor would have been. */
export interface BacktestSetup {
  readonly metricType: MetricType;
  readonly schedule: Schedule;
  /** 1 to 10; 5 unless given. Says nothing with `bounds`. */
  readonly sensitivity?: number | null;
  /** The time zone that days and hours follow, and the country whose holidays count. */
  readonly timeZone?: string | undefined;
  readonly country?: string | undefined;
  /** How a learned range follows a level that shifts; as is normal unless given. */
  readonly adaptation?: LearnerSetup['adaptation'];
  /** Series of one monitor that share the rate of its sensitivity; one unless given. */
  readonly among?: number | undefined;
  /** The points are what a monitor measured by the schedule, rather than any series. */
  readonly isMeasured?: boolean;
  /** Thresholds given by a person, instead of learned ones. At least one of the two. */
  readonly bounds?: Bounds | null;
}

/** A point with the range that was known before it, and the verdict. */
export interface BacktestPoint extends Bounds {
  readonly at: number;
  readonly value: number;
  readonly verdict: Verdict;
}

/** An incident that would have been opened; its ends are null while it would be open. */
export interface BacktestIncident {
  readonly openedAt: number;
  readonly resolvedAt: number | null;
  readonly reason: ResolveReason | null;
}

/** What a monitor would have said. */
export interface Backtest {
  readonly points: readonly BacktestPoint[];
  readonly opened: readonly BacktestIncident[];
  /** The table, or the value of the dimension, whose series it is; absent for the whole. */
  readonly segment?: string | null;
}

/** A month's cadence is no fixed number of hours, so its points are matched to their months. */
const HOUR = 3_600_000;
/** Enough for two years of hourly points, and twice what a monitor learns from. */
export const LONGEST_SERIES = 20_000;

/**
 * Replay a series as if a monitor had measured it: each point is judged by the range known before
 * it, then learned, and incidents open and resolve by their rules. Points are taken in the order
 * of their time. The schedule says how often the points come; at which minute, they say themselves.
 * @throws BAD_REQUEST for a sensitivity or bounds that no monitor can have, or a broken point.
 */
export function backtest(series: readonly Point[], setup: BacktestSetup): Backtest {
  checkSetup(series, setup);
  const points = [...series].sort((a, b) => a.at - b.at);
  const judged = setup.bounds ? byBounds(points, setup.bounds) : byLearning(points, setup);
  return { points: judged.map(({ level: _, ...point }) => point), opened: incidentsOf(judged) };
}

function incidentsOf(judged: readonly Judged[]): BacktestIncident[] {
  const incidents: BacktestIncident[] = [];
  let watch = UNTROUBLED;
  for (const { at, value, verdict, level } of judged) {
    watch = decide(watch, { type: 'measured', at, value, verdict, level }).watch;
    const { incident } = watch;
    if (incident === null) continue;
    const { firstSeenAt: openedAt, resolvedAt, resolveReason: reason } = incident;
    if (incidents.at(-1)?.openedAt === openedAt) incidents.pop();
    incidents.push({ openedAt, resolvedAt, reason });
  }
  return incidents;
}

/** A point, and the new level that it is at. */
type Judged = BacktestPoint & { readonly level: NewLevel | null };

function byBounds(points: readonly Point[], { lower, upper }: Bounds): Judged[] {
  return points.map(({ at, value }) => {
    return { at, value, lower, upper, verdict: judge(value, { lower, upper }), level: null };
  });
}

function byLearning(points: readonly Point[], setup: BacktestSetup): Judged[] {
  const { metricType, schedule, timeZone, country, adaptation, among } = setup;
  const lag = setup.isMeasured ? undefined : typicalLag(points, schedule);
  const sensitivity = setup.sensitivity ?? 5;
  const learner = createLearner({
    ...{ metricType, schedule, sensitivity, lag, timeZone, country, adaptation, among },
  });
  const filling = fillingSlots(learner, points);
  return points.map((point) => {
    const { range, verdict, level } = learn(learner, point, filling.has(point));
    const { lower, upper } = range;
    return { at: point.at, value: point.value, lower, upper, verdict, level };
  });
}

/**
 * How far the points typically lie behind the schedule's instants: the mean direction on a clock
 * whose round is one interval, so that 23:50 and 00:10 meet at midnight.
 */
function typicalLag(points: readonly Point[], schedule: Schedule): number {
  if (schedule.cadence === 'monthly') return 0;
  const interval = intervalHours(schedule) * HOUR;
  const instant = nextRunAt(schedule, new Date(0)).getTime();
  let east = 0;
  let north = 0;
  for (const { at } of points) {
    const angle = (2 * Math.PI * ((at - instant) % interval)) / interval;
    east += Math.cos(angle);
    north += Math.sin(angle);
  }
  return Math.round((Math.atan2(north, east) / (2 * Math.PI)) * interval);
}

/** Throws BAD_REQUEST where a series can't be replayed with this setup. */
export function checkSetup(series: readonly Point[], setup: BacktestSetup): void {
  const errors: FieldError[] = [];
  const { sensitivity, bounds } = setup;
  if (series.length > LONGEST_SERIES) {
    const message = `${series.length} points are too many; at most ${LONGEST_SERIES} are taken.`;
    errors.push({ field: 'series', message });
  }
  const broken = series.findIndex(({ at, value }) => !isInstant(at) || !Number.isFinite(value));
  if (broken >= 0) {
    const message = 'A point needs a valid time and a finite value.';
    errors.push({ field: `series[${broken}]`, message });
  }
  if (sensitivity != null && !(Number.isInteger(sensitivity) && isStep(sensitivity))) {
    const message = `${sensitivity} is not allowed; it is a whole number from 1 to 10.`;
    errors.push({ field: 'sensitivity', message });
  }
  if (bounds) errors.push(...boundsErrors(bounds));
  if (errors.length > 0) throw invalidFields(errors);
}

function boundsErrors({ lower, upper }: Bounds): FieldError[] {
  if (lower === null && upper === null) {
    return [{ field: 'bounds', message: 'At least one of lower and upper is needed.' }];
  }
  if (lower !== null && upper !== null && lower > upper) {
    return [{ field: 'bounds', message: `lower (${lower}) is above upper (${upper}).` }];
  }
  return [];
}

const isStep = (sensitivity: number): boolean => sensitivity >= 1 && sensitivity <= 10;

const isInstant = (at: number): boolean => !Number.isNaN(new Date(at).getTime());
