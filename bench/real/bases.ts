// The series that scenarios are played on: real ones, and generated hourly ones.

import type { Cadence } from '../../src/monitors/schedule.ts';
import { HOUR, instantOf, seriesOf } from '../series.ts';
import { type RealPoint, type RealSeries, scheduleFor, stepOf } from './series.ts';

export type Paced = 'hourly' | 'daily' | 'weekly';
export const PACES: readonly Paced[] = ['hourly', 'daily', 'weekly'];

/** Where in a base something happens, and how long a base is. */
export const AT: Record<Paced, number> = { hourly: 500, daily: 110, weekly: 70 };
const LENGTH: Record<Paced, number> = { hourly: 680, daily: 180, weekly: 104 };
const GENERATED = 15;

/** The bases of each pace; where the files have no weekly series, sums over weeks of daily ones. */
export function basesOf(series: readonly RealSeries[]): Record<Paced, RealSeries[]> {
  const real = (cadence: Cadence) => series.filter(({ schedule }) => schedule.cadence === cadence);
  const generated = (['hourly_rows', 'hourly_mean'] as const).flatMap((family) =>
    Array.from({ length: GENERATED }, (_, seed) => generatedBase(family, 3000 + seed)),
  );
  const weekly = [...real('weekly'), ...real('daily').map(inWeeks)];
  return {
    hourly: whole('hourly', [...real('hourly'), ...generated]),
    daily: whole('daily', real('daily')),
    weekly: whole('weekly', weekly),
  };
}

/** The same series with other values; null leaves a point out. */
export function changed(
  base: RealSeries,
  valueAt: (value: number, index: number) => number | null,
): RealSeries {
  const points = base.points.flatMap(({ at, value }, index) => {
    const now = valueAt(value, index);
    return now === null ? [] : [{ at, value: now }];
  });
  return { ...base, points };
}

/** A series of its own, one point at each step. */
export function made(
  id: string,
  of: Pick<RealSeries, 'metricType'> & { pace: Paced; length: number },
  valueAt: (index: number) => number,
): RealSeries {
  const schedule = scheduleFor(of.pace, START);
  const points = Array.from({ length: of.length }, (_, index) => ({
    at: START + index * stepOf(schedule),
    value: valueAt(index),
  }));
  return { id, family: 'made', metricType: of.metricType, schedule, points };
}

/** A Monday. */
export const START = Date.UTC(2024, 0, 1);

function whole(pace: Paced, bases: readonly RealSeries[]): RealSeries[] {
  return bases.flatMap((base) =>
    base.points.length < LENGTH[pace]
      ? []
      : [{ ...base, points: base.points.slice(0, LENGTH[pace]) }],
  );
}

function generatedBase(family: 'hourly_rows' | 'hourly_mean', seed: number): RealSeries {
  const series = seriesOf(family, seed);
  const points = series.values.map((value, i) => ({ at: instantOf(series, i), value }));
  const { metricType, schedule } = series;
  return { id: `${family}/${seed}`, family, metricType, schedule, points };
}

function inWeeks(daily: RealSeries): RealSeries {
  const sums = new Map<number, RealPoint>();
  const first = daily.points[0]?.at ?? 0;
  for (const { at, value } of daily.points) {
    const week = Math.floor((at - first) / (168 * HOUR));
    const sum = sums.get(week)?.value ?? 0;
    sums.set(week, { at: first + week * 168 * HOUR, value: sum + value });
  }
  return { ...daily, schedule: scheduleFor('weekly', first), points: [...sums.values()] };
}
