// Reads real series from files: those of others, which the project doesn't keep.

import { readFileSync } from 'node:fs';
import { METRICS, type MetricType } from '../../src/monitors/metric.ts';
import { CADENCES, type Cadence, type Schedule } from '../../src/monitors/schedule.ts';
import { readNn5 } from '../nn5.ts';
import { HOUR } from '../series.ts';

/** A series that was measured somewhere. */
export interface RealSeries {
  readonly id: string;
  /** Where it comes from; series of a family are alike. */
  readonly family: string;
  readonly metricType: MetricType;
  readonly schedule: Schedule;
  readonly points: readonly RealPoint[];
  /** The country whose holidays it keeps, as ISO 3166 has it; none where nobody knows. */
  readonly country?: string | undefined;
  /** The time zone that its days and hours follow; UTC unless given. */
  readonly timeZone?: string | undefined;
}

export interface RealPoint {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly value: number;
}

/** Milliseconds between two points of a cadence. */
export function stepOf({ cadence }: Schedule): number {
  return cadence === 'hourly' ? HOUR : cadence === 'daily' ? 24 * HOUR : 168 * HOUR;
}

/** Points in one season: a week, or none for what is weekly itself. */
export function seasonOf({ cadence }: Schedule): number {
  return cadence === 'hourly' ? 168 : cadence === 'daily' ? 7 : 1;
}

/** A schedule at the start of an hour, a day or a week that begins on the day of an instant. */
export function scheduleFor(cadence: Cadence, first = 0): Schedule {
  const day = (new Date(first).getUTCDay() + 6) % 7;
  const hour = cadence === 'hourly' ? 0 : new Date(first).getUTCHours();
  return { cadence, frequency: 1, hour, day: cadence === 'weekly' ? day : 0 };
}

/**
 * Read a file with the columns series, family, cadence, metric, at and value, in the order of time.
 * Throws for a line that isn't one.
 */
export function readSeries(path: string): RealSeries[] {
  const [header = '', ...lines] = readFileSync(path, 'utf8').trim().split(/\r?\n/);
  if (header !== 'series,family,cadence,metric,at,value') {
    throw new Error(`${path} has no header "series,family,cadence,metric,at,value".`);
  }
  const read = new Map<string, RealSeries & { points: RealPoint[] }>();
  for (const line of lines) {
    const [id = '', family = '', cadence, metric, at = '', value = ''] = line.split(',');
    const point = { at: Date.parse(at), value: Number(value) };
    const schedule = CADENCES.find((name) => name === cadence);
    const metricType = metricNamed(metric);
    if (!schedule || !metricType || !Number.isFinite(point.at) || !Number.isFinite(point.value)) {
      throw new Error(`${path} has a line that is no point: ${line}`);
    }
    const known = read.get(id);
    if (known) known.points.push(point);
    else {
      const country = family === 'births' ? 'US' : undefined;
      const made = { id, family, metricType, schedule: scheduleFor(schedule, point.at), country };
      read.set(id, { ...made, points: [point] });
    }
  }
  return [...read.values()];
}

/** The cash machines of NN5 as series of a family of their own. */
export function readNn5Series(path: string): RealSeries[] {
  return readNn5(path).map((points, machine) => ({
    id: `nn5/${machine}`,
    family: 'NN5',
    metricType: 'sum',
    schedule: scheduleFor('daily'),
    points,
  }));
}

/** The births of twelve years as the one series that they are. */
export function joined(series: readonly RealSeries[], family: string): RealSeries | null {
  const parts = series.filter((one) => one.family === family);
  const [first] = parts;
  if (!first) return null;
  const points = parts.flatMap((part) => part.points).sort((a, b) => a.at - b.at);
  return { ...first, id: `${family}, joined`, points };
}

function metricNamed(name: string | undefined): MetricType | null {
  const names = Object.keys(METRICS).filter((one): one is MetricType => one in METRICS);
  return names.find((one) => one === name) ?? null;
}
