// Real series of measurements, read from CSV files.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { METRICS, type MetricType } from '../../src/monitors/metric.ts';
import { CADENCES, type Cadence, type Schedule } from '../../src/monitors/schedule.ts';
import { HOUR } from '../../test/monitors/learning/series.ts';

export interface RealSeries {
  /** Where it comes from; series of a family are alike. */
  readonly family: string;
  readonly id: string;
  readonly metricType: MetricType;
  readonly schedule: Schedule;
  readonly points: readonly RealPoint[];
}

interface RealPoint {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly value: number;
}

const header = 'series,family,cadence,metric,at,value';

/** Milliseconds between two points of a cadence. */
export function stepOf({ cadence }: Schedule): number {
  return cadence === 'hourly' ? HOUR : cadence === 'daily' ? 24 * HOUR : 168 * HOUR;
}

/** Points in one season: a week, or one for what is weekly itself. */
export function seasonOf({ cadence }: Pick<Schedule, 'cadence'>): number {
  return cadence === 'hourly' ? 168 : cadence === 'daily' ? 7 : 1;
}

/** The series of every CSV file of a folder, each in the order of time. Throws for a line that isn't a point. */
export function readFolder(folder: string): RealSeries[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.csv'));
  return files.toSorted().flatMap((name) => readSeries(join(folder, name)));
}

function readSeries(path: string): RealSeries[] {
  const [first, ...lines] = readFileSync(path, 'utf8').trim().split(/\r?\n/);
  if (first !== header) throw new Error(`${path} has no header "${header}".`);
  const read = new Map<string, RealSeries & { points: RealPoint[] }>();
  for (const line of lines) {
    const [id = '', family = '', named, metric, instant = '', number = ''] = line.split(',');
    const [at, value] = [Date.parse(instant), Number(number)];
    const cadence = CADENCES.find((name) => name === named);
    const metricType = metricNamed(metric);
    if (!cadence || !metricType || !Number.isFinite(at) || !Number.isFinite(value)) {
      throw new Error(`${path} has a line that isn't a point: ${line}`);
    }
    const known = read.get(id);
    if (known) known.points.push({ at, value });
    else {
      const schedule = scheduleFor(cadence, at);
      read.set(id, { id, family, metricType, schedule, points: [{ at, value }] });
    }
  }
  return [...read.values()];
}

/** A schedule at the hour and the weekday of an instant. */
function scheduleFor(cadence: Cadence, first: number): Schedule {
  const date = new Date(first);
  const hour = cadence === 'hourly' ? 0 : date.getUTCHours();
  return {
    cadence,
    frequency: 1,
    hour,
    day: cadence === 'weekly' ? (date.getUTCDay() + 6) % 7 : 0,
  };
}

function metricNamed(name: string | undefined): MetricType | null {
  const names = Object.keys(METRICS).filter((one): one is MetricType => one in METRICS);
  return names.find((one) => one === name) ?? null;
}
