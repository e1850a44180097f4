// The faults that are put into generated series, one point each.

import { metricOf } from '../../../src/monitors/metric.ts';
import type { Random } from '../../trials/random.ts';
import type { Series } from './series.ts';

export const SIZES = ['S', 'M', 'L'] as const;
/** Small, medium or large: 5, 8 or 15 sigma, or what the family says. */
export type Size = (typeof SIZES)[number];

/** A value that takes the place of a measured one. */
export interface Fault {
  readonly index: number;
  readonly value: number;
  readonly size: Size;
}

const SIGMAS = { S: 5, M: 8, L: 15 } as const;

/** The first point that a series is judged by: after three weeks, or eight days of hours. */
export function judgedFrom(series: Series): number {
  return series.schedule.cadence === 'hourly' ? 8 * 24 : 21;
}

/** Faults spread evenly over the judged part, small, medium and large in turn. */
export function faultsIn(series: Series, random: Random): Fault[] {
  const count = series.schedule.cadence === 'hourly' ? 12 : 6;
  const start = judgedFrom(series);
  const stride = Math.floor((series.values.length - start) / count);
  const faults: Fault[] = [];
  for (let turn = 0; turn < count; turn++) {
    const index = start + turn * stride + random.whole(0, stride - 2);
    const size = SIZES[turn % 3] ?? 'S';
    const up = random.even() < 0.5;
    const nearShift = series.shiftAt !== null && Math.abs(index - series.shiftAt) < 14;
    if (nearShift || series.ambiguous.has(index)) continue;
    const original = series.values[index] ?? 0;
    const value = faulty(series, index, size, up);
    if (value !== original) faults.push({ index, value, size });
  }
  return faults;
}

function faulty(series: Series, index: number, size: Size, up: boolean): number {
  const original = series.values[index] ?? 0;
  const place = SIZES.indexOf(size);
  const amount = series.faultSizes?.[place] ?? SIGMAS[size] * (series.sigmas[index] ?? 0);
  const { unit } = metricOf(series.metricType);
  const upward = series.faultSide === 'up' || (series.faultSide === 'both' && up);
  let value = upward ? original + amount : original - amount;
  if (unit.min !== null && value < unit.min) {
    // A fault that the domain would cut short goes the other way, unless little is cut.
    value = original >= 0.8 * amount ? unit.min : original + amount;
  }
  return unit.grain === 1 ? Math.round(value) : value;
}
