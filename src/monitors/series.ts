// A monitor's measurements as a chart shows them: over a range of time, thinned to so many points.

import type { Context } from '../context.ts';
import { loaderInFamily } from '../database/loader.ts';
import { rows } from '../database/rows.ts';
import { invalidField } from '../errors.ts';
import { type Measurement, Prisma } from '../generated/prisma/client.ts';
import { measurementColumns } from './measurement.ts';

/** Which part of a monitor's past to show, and how finely. */
export interface SeriesQuery {
  /** From this time on. */
  readonly from: Date;
  /** Before this time; until now where null. */
  readonly to: Date | null;
  /** Measurements at most: 10 to 2,000. */
  readonly points: number;
}

/** What is shown of it. */
export interface Series {
  /** In the order of their times. */
  readonly points: readonly Measurement[];
  /** How many measurements there are in that time, shown or not. */
  readonly total: number;
}

const leastPoints = 10;
const mostPoints = 2_000;

/** What is kept of each bucket: its first, last, lowest, highest and farthest out of range. */
const keptOfBucket = 5;

/**
 * The measurements of a monitor from a time on and before another. Where there are more than `points`, the
 * time is cut into buckets of equal length, and of each are kept the first and the last, the lowest and the
 * highest (which is what a line chart of that many pixels can show: M4 of Jugel and others, "M4: A
 * Visualization-Oriented Time Series Data Aggregation", VLDB 2014), and, where any was out of range, the one
 * farthest out. None is made up or averaged. Those of many monitors are read in one statement.
 *
 * The monitor is one that the viewer may see. Throws BAD_REQUEST for a time that ends before it begins, or
 * another number of points than 10 to 2,000.
 */
export async function loadSeries(
  ctx: Context,
  monitorId: string,
  query: SeriesQuery,
): Promise<Series> {
  const { from, to, points } = query;
  if (!(from < (to ?? ctx.now()))) throw invalidField('from', '`from` is a time before `to`.');
  if (!Number.isInteger(points) || points < leastPoints || points > mostPoints) {
    throw invalidField(
      'points',
      `Use an integer from ${leastPoints} to ${mostPoints}, not ${points}.`,
    );
  }
  const loader = loaderInFamily<string, Series>(
    ctx,
    loadSeries,
    JSON.stringify(query),
    () => (within, ids) => readSeries(within, ids, query),
  );
  return (await loader.load(monitorId)) ?? { points: [], total: 0 };
}

async function readSeries(
  ctx: Context,
  monitorIds: readonly string[],
  { from, to: end, points }: SeriesQuery,
): Promise<Map<string, Series>> {
  const to = end ?? ctx.now();
  const buckets = Math.floor(points / keptOfBucket);
  const seconds = (to.getTime() - from.getTime()) / 1_000 / buckets;
  const found = await rows<Measurement & { total: number }>(
    ctx,
    Prisma.sql`with measured as (
        select x.id, x.monitor_id, x.created_at, x.value,
          floor(extract(epoch from x.created_at - ${from}::timestamptz)::float8 / ${seconds}::float8) as bucket,
          greatest(x.value - x.upper_threshold, x.lower_threshold - x.value) as beyond,
          x.incident_id is not null as out
        from measurement x where x.workspace_id = ${ctx.workspaceId}::uuid
          and x.monitor_id = any(${[...monitorIds]}::uuid[])
          and x.created_at >= ${from} and x.created_at < ${to}),
      placed as (
        select id, count(*) over (partition by monitor_id) as total, beyond > 0 or out as out,
          row_number() over (b order by created_at, id) as first,
          row_number() over (b order by created_at desc, id desc) as last,
          row_number() over (b order by value, created_at, id) as lowest,
          row_number() over (b order by value desc, created_at, id) as highest,
          row_number() over (b order by coalesce(beyond > 0 or out, false) desc,
            beyond desc nulls last, created_at, id) as farthest
        from measured window b as (partition by monitor_id, bucket))
      select x.*, p.total from placed p cross join lateral (
          select ${measurementColumns} from measurement x
            where x.workspace_id = ${ctx.workspaceId}::uuid and x.id = p.id offset 0) x
        where p.total <= ${points} or 1 in (p.first, p.last, p.lowest, p.highest)
          or (p.farthest = 1 and p.out)
        order by x."createdAt", x.id`,
  );
  const series = new Map<string, { points: Measurement[]; total: number }>();
  for (const { total, ...measurement } of found) {
    const one = series.get(measurement.monitorId) ?? { points: [], total };
    one.points.push(measurement);
    series.set(measurement.monitorId, one);
  }
  return series;
}
