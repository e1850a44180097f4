// Answers what a monitor would have said about its own history.

import type { Context } from '../../../context.ts';
import { invalidField } from '../../../errors.ts';
import type { Monitor } from '../../../generated/prisma/client.ts';
import { checkWord } from '../../../text/text.ts';
import { readMetricType, readStoredConfig } from '../../metric-config.ts';
import { getMonitor } from '../../monitor.ts';
import { scheduleOf } from '../../monitor-schedule.ts';
import { readSchedule, type ScheduleInput } from '../../schedule.ts';
import { ADAPTATIONS } from '../learner.ts';
import { adaptationOf, calendarOf, pointsOf } from '../range.ts';
import { among, type DividedPoint, worstSegments } from '../segments.ts';
import type { Bounds } from '../threshold.ts';
import type { Backtest } from './backtest.ts';
import { runBacktest } from './backtest-engine.ts';

/** A series as a client gives it, and what its monitor would have been. */
export interface SeriesInput {
  readonly series: readonly { readonly at: Date; readonly value: number }[];
  readonly metricType: string;
  readonly schedule?: ScheduleInput | null | undefined;
  readonly sensitivity?: number | null | undefined;
  readonly bounds?: Bounds | null;
  readonly adaptation?: string | null | undefined;
}

/** What a monitor would have said about any series. Throws as `runBacktest`. */
export async function backtestSeries(ctx: Context, input: SeriesInput): Promise<Backtest> {
  const { series, metricType, schedule, sensitivity = 5, bounds = null } = input;
  const { adaptation = null } = input;
  checkWord('adaptation', adaptation, ADAPTATIONS);
  // Reading the series took its time already; others come first.
  await ctx.allowance?.scheduler?.spend(series.length);
  const points = series.map(({ at, value }) => ({ at: at.getTime(), value }));
  return runBacktest(ctx, points, {
    metricType: readMetricType(metricType),
    schedule: readSchedule(schedule),
    sensitivity,
    bounds,
    ...adaptationOf({ adaptation: adaptation ?? 'normal' }),
  });
}

/** How the range would be; null for as it is. */
interface RangeTrial {
  /** The table, or the value of the dimension, to replay. */
  readonly segment: string | null;
  readonly sensitivity: number | null;
  readonly bounds: Bounds | null;
  readonly adaptation: string | null;
}

/**
 * Replay the measurements of a monitor at another sensitivity, or with a given range. What was marked
 * as normal is learned as such. Nothing is stored. Of all tables of a schema it is those of one, the one farthest out of
 * its range unless another is named. Throws NOT_FOUND, BAD_REQUEST for a segment that was never measured, and as `runBacktest`.
 */
export async function backtestMonitor(
  ctx: Context,
  id: string,
  { segment: named, sensitivity, bounds, adaptation }: RangeTrial,
): Promise<Backtest> {
  checkWord('adaptation', adaptation, ADAPTATIONS);
  const monitor = await getMonitor(ctx, id);
  const { conditionAutoSensitivity: own } = monitor;
  const metricType = readMetricType(monitor.metricType);
  const all = await pointsOf(ctx, monitor, monitor.learnsFrom);
  const segment = named ?? defaultSegment(monitor, all);
  const points = segment === null ? all : seriesOf(all, segment);
  const schedule = scheduleOf(monitor);
  const chosen = sensitivity ?? own ?? 5;
  const follows = adaptationOf({ adaptation: adaptation ?? monitor.adaptation });
  const asGiven = { metricType, schedule, ...calendarOf(monitor), ...follows, isMeasured: true };
  const shared = segment === null ? {} : { among };
  const found = await runBacktest(ctx, points, {
    ...{ ...asGiven, ...shared, sensitivity: chosen, bounds },
  });
  return { ...found, segment };
}

/** Tables of a schema have ranges, and all of them together none. */
function defaultSegment(
  { metricConfig }: Pick<Monitor, 'metricConfig'>,
  points: readonly DividedPoint[],
): string | null {
  if (readStoredConfig(metricConfig).dimension !== undefined) return null;
  return worstSegments(points.at(-1)?.segments, 1)[0]?.segment ?? null;
}

function seriesOf(points: readonly DividedPoint[], segment: string): DividedPoint[] {
  const series = points.flatMap(({ segments = [], ...point }) => {
    const one = segments.find((known) => known.segment === segment);
    return one ? [{ ...point, value: one.value }] : [];
  });
  if (series.length > 0) return series;
  const shown = segment.slice(0, 60);
  throw invalidField('segment', `"${shown}" was never measured; use a segment of a measurement.`);
}
