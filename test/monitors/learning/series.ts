// Measurement series that look like those of real tables, by family.

import type { MetricType } from '../../../src/monitors/metric.ts';
import type { Schedule } from '../../../src/monitors/schedule.ts';
import { type Random, randomFrom } from '../../trials/random.ts';

/** One generated series. */
export interface Series {
  readonly family: string;
  readonly metricType: MetricType;
  readonly schedule: Schedule;
  readonly values: readonly number[];
  /** The true standard deviation of each value, given all before it. */
  readonly sigmas: readonly number[];
  /** Sizes of small, medium and large faults, where a multiple of sigma would make no sense. */
  readonly faultSizes: readonly [number, number, number] | null;
  /** To which side a fault goes. */
  readonly faultSide: 'up' | 'down' | 'both';
  /** Points at which an alarm is neither right nor wrong. */
  readonly ambiguous: ReadonlySet<number>;
  /** Where the level shifts for good; null where it doesn't. */
  readonly shiftAt: number | null;
}

/** Midnight of the Monday on which every series begins. */
const START = Date.UTC(2024, 0, 1);
export const HOUR = 3_600_000;
export const DAILY: Schedule = { cadence: 'daily', frequency: 1, hour: 0, day: 0 };
export const HOURLY: Schedule = { cadence: 'hourly', frequency: 1, hour: 0, day: 0 };

/** When the point of an index was measured. */
export function instantOf(series: Series, index: number): number {
  return START + index * (series.schedule.cadence === 'hourly' ? HOUR : 24 * HOUR);
}

/** The series of a family for a seed: `days` long, hourly ones at least five weeks. */
export function seriesOf(family: Family, seed: number, days = 120): Series {
  const name = [...family].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, 7);
  const random = randomFrom(name ^ Math.imul(seed + 1, 0x9e3779b1));
  const draft = families[family](random, days);
  return { ...DEFAULTS, ...draft, family };
}

type Draft = Pick<Series, 'metricType' | 'values' | 'sigmas'> & Partial<Series>;
type Maker = (random: Random, days: number) => Draft;

const DEFAULTS = {
  schedule: DAILY,
  faultSizes: null,
  faultSide: 'both',
  ambiguous: new Set<number>(),
  shiftAt: null,
} as const;

/** How much of a usual day each weekday brings, Monday first. */
const WEEK = [1, 1.05, 1.03, 1.02, 0.98, 0.6, 0.55];
const weekday = (day: number): number => WEEK[day % 7] ?? 1;
const isWeekend = (day: number): boolean => day % 7 >= 5;
const size = (random: Random): number => 10 ** (3 + 2 * random.even());

/** Values and sigmas, made one after the other. */
function trace(length: number, next: (index: number) => readonly [number, number]) {
  const pairs = Array.from({ length }, (_, index) => next(index));
  return { values: pairs.map(([value]) => value), sigmas: pairs.map(([, sigma]) => sigma) };
}

/** Whole rows around an expected number that may change from day to day. */
function rows(random: Random, length: number, spread: number, expected: (day: number) => number) {
  const made = trace(length, (day) => {
    const mean = expected(day);
    const value = Math.max(0, Math.round(mean * (1 + spread * random.normal())));
    return [value, mean * spread];
  });
  return { metricType: 'row_count' as const, ...made };
}

const middle = (random: Random, days: number): number =>
  random.whole(Math.floor(days * 0.45), Math.floor(days * 0.6));

const fixed = (value: number, sigma: number) => () => [value, sigma] as const;

const families = {
  weekly_rows(random, days) {
    const base = size(random);
    return rows(random, days, 0.05 + 0.05 * random.even(), (day) => base * weekday(day));
  },
  weekday_rows(random, days) {
    const base = size(random);
    const made = trace(days, (day) => {
      if (isWeekend(day)) return [random.even() < 0.1 ? random.whole(1, 3) : 0, 1];
      return [Math.round(base * (1 + 0.08 * random.normal())), base * 0.08];
    });
    return { metricType: 'row_count', ...made };
  },
  growing_weekly_rows(random, days) {
    const base = 10 ** (3 + random.even());
    const growth = 0.005 + 0.007 * random.even();
    return rows(random, days, 0.06, (day) => base * Math.exp(growth * day) * weekday(day));
  },
  table_size(random, days) {
    let total = 10 ** (5 + 2 * random.even());
    const daily = total * (0.002 + 0.01 * random.even());
    const made = trace(days, (day) => {
      const mean = daily * weekday(day);
      total += Math.max(0, mean * (1 + 0.1 * random.normal()));
      return [Math.round(total), mean * 0.1];
    });
    return { metricType: 'row_count', ...made };
  },
  shifted_rows(random, days) {
    const base = size(random);
    const shiftAt = middle(random, days);
    const factor = random.pick([0.5, 0.6, 1.5, 1.8, 2.5]);
    const made = rows(random, days, 0.05, (day) => base * (day >= shiftAt ? factor : 1));
    return { ...made, shiftAt };
  },
  shifted_weekly_rows(random, days) {
    const base = size(random);
    const shiftAt = middle(random, days);
    const factor = random.pick([0.5, 0.6, 1.6, 2, 2.5]);
    const level = (day: number) => base * weekday(day) * (day >= shiftAt ? factor : 1);
    return { ...rows(random, days, 0.05, level), shiftAt };
  },
  backfilled_table(random, days) {
    let total = 10 ** (5 + random.even());
    const daily = total * 0.01;
    const backfill = total * (0.5 + random.even());
    const shiftAt = middle(random, days);
    const made = trace(days, (day) => {
      if (day === shiftAt) total += backfill;
      total += Math.max(0, daily * (1 + 0.15 * random.normal()));
      return [Math.round(total), daily * 0.15];
    });
    return { metricType: 'row_count', ...made, shiftAt };
  },
  rarely_null(random, days) {
    const made = trace(days, () => [random.even() < 0.08 ? random.waiting(0.02) : 0, 0.02]);
    return { metricType: 'null_percentage', ...made, faultSizes: [0.5, 2, 10] };
  },
  few_nulls(random, days) {
    const share = 0.2 + 2 * random.even();
    const sample = random.pick([2_000, 10_000, 100_000]);
    const sigma = Math.sqrt((share * (100 - share)) / sample) + 0.05 * share;
    const made = trace(days, () => [Math.max(0, share + sigma * random.normal()), sigma]);
    return { metricType: 'null_percentage', ...made };
  },
  wandering_nulls(random, days) {
    const share = 8 + 20 * random.even();
    let drift = 0;
    const made = trace(days, () => {
      drift = 0.7 * drift + 0.8 * random.normal();
      return [share + drift, 0.8];
    });
    return { metricType: 'null_percentage', ...made };
  },
  constant_percentage(random, days) {
    const value = random.pick([100, 99.99, 0]);
    const made = trace(days, fixed(value, 0.02));
    const faultSide = value > 0 ? 'down' : 'up';
    return { metricType: 'unique_percentage', ...made, faultSizes: [0.5, 1, 5], faultSide };
  },
  constant_cardinality(random, days) {
    const made = trace(days, fixed(random.whole(3, 60), 0.5));
    return { metricType: 'cardinality', ...made, faultSizes: [1, 2, 4] };
  },
  growing_cardinality(random, days) {
    let count = random.whole(500, 5000);
    const made = trace(days, () => {
      count += random.events(1.5);
      return [count, 1.3];
    });
    return { metricType: 'cardinality', ...made };
  },
  daily_load(random, days) {
    const usual = 2 + 6 * random.even();
    const made = trace(days, () => [3600 * (usual + random.waiting(0.8)), 2880]);
    return { metricType: 'freshness', ...made, faultSizes: LATE, faultSide: 'up' };
  },
  weekday_load(random, days) {
    const usual = 3 + 3 * random.even();
    const made = trace(days, (day) => {
      const idle = day % 7 === 6 ? 24 : day % 7 === 0 ? 48 : 0;
      return [3600 * (usual + idle + 0.7 * Math.abs(random.normal())), 2520];
    });
    const faultSizes = [12 * 3600, 24 * 3600, 24 * 3600] as const;
    return { metricType: 'freshness', ...made, faultSizes, faultSide: 'up' };
  },
  noisy_mean(random, days) {
    const mean = 50 + 200 * random.even();
    const sigma = mean * (0.01 + 0.03 * random.even());
    return { metricType: 'mean', ...trace(days, () => [mean + sigma * random.normal(), sigma]) };
  },
  walking_mean(random, days) {
    let value = 100;
    const sigma = 0.5 + random.even();
    const made = trace(days, () => {
      value += sigma * random.normal();
      return [value, sigma];
    });
    return { metricType: 'mean', ...made };
  },
  heavy_maximum(random, days) {
    const made = trace(days, () => [500 * Math.exp(0.25 * random.student(4)), 180]);
    return { metricType: 'maximum', ...made };
  },
  heavy_noise(random, days) {
    const made = trace(days, () => [1000 + 40 * random.student(4), 56.4]);
    return { metricType: 'mean', ...made };
  },
  rows_with_holidays(random, days) {
    const base = size(random);
    const ambiguous = new Set<number>();
    const made = trace(days, (day) => {
      const usual = base * weekday(day);
      const holiday = day > 20 && random.even() < 0.025;
      if (holiday) ambiguous.add(day);
      const mean = holiday ? 0.4 * usual : usual;
      return [Math.max(0, Math.round(mean * (1 + 0.06 * random.normal()))), usual * 0.06];
    });
    return { metricType: 'row_count', ...made, ambiguous };
  },
  rows_with_month_start(random, days) {
    const base = 10 ** (3 + random.even());
    const isFirst = (day: number) => new Date(START + day * 24 * HOUR).getUTCDate() === 1;
    const made = rows(random, days, 0.06, (day) => base * (isFirst(day) ? 1.6 : 1));
    const firsts = made.values.flatMap((_, day) => (isFirst(day) ? [day] : []));
    return { ...made, ambiguous: new Set(firsts) };
  },
  hourly_rows(random, days) {
    const base = 200 * 10 ** (1.5 * random.even());
    const made = trace(hoursOf(days), (hour) => {
      const sun = (Math.sin(((hour - 8) / 12) * Math.PI) + 1) / 2;
      const mean = base * (0.25 + 0.75 * sun) * weekday(Math.floor(hour / 24));
      const sigma = Math.sqrt(mean + (0.08 * mean) ** 2);
      return [Math.max(0, Math.round(mean + sigma * random.normal())), sigma];
    });
    return { metricType: 'row_count', ...made, schedule: HOURLY };
  },
  hourly_trickle(random, days) {
    const base = 1 + 8 * random.even();
    const made = trace(hoursOf(days), (hour) => {
      const mean = hour % 24 >= 7 && hour % 24 <= 20 ? base : base * 0.15;
      return [random.events(mean), Math.max(1, Math.sqrt(mean))];
    });
    return { metricType: 'row_count', ...made, schedule: HOURLY, faultSide: 'up' };
  },
  hourly_sawtooth(random, days) {
    let late = random.even() / 2;
    const made = trace(hoursOf(days), (hour) => {
      if (hour % 24 === 5) late = random.waiting(0.3);
      return [3600 * (((hour + 19) % 24) + 0.5 + late / 2), 1080];
    });
    const rest = { schedule: HOURLY, faultSizes: LATE, faultSide: 'up' } as const;
    return { metricType: 'freshness', ...made, ...rest };
  },
  hourly_mean(random, days) {
    let drift = 0;
    const made = trace(hoursOf(days), (hour) => {
      drift = 0.5 * drift + 1.2 * random.normal();
      return [80 + 10 * Math.sin((hour / 12) * Math.PI) + drift, 1.2];
    });
    return { metricType: 'mean', ...made, schedule: HOURLY };
  },
} as const satisfies Record<string, Maker>;

const LATE = [8 * 3600, 16 * 3600, 24 * 3600] as const;
const hoursOf = (days: number): number => Math.max(days, 24 * 35);

/** The names of the families. */
export type Family = keyof typeof families;
export const FAMILIES = Object.keys(families).filter((name): name is Family => name in families);
