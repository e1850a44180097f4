// Tells what a point would be from the points before and after it: a forecast that nobody can make.

import { type RealSeries, seasonOf, stepOf } from './series.ts';

/** Steps to either side that are looked at. */
const STEPS = [1, 2, 3] as const;
/** Of each season so many to either side. */
const SEASONS = [1, 2] as const;
/** How values are taken: as they are, by their roots, and by their logarithms. */
const VIEWS = [
  { to: (value: number) => value, from: (seen: number) => seen },
  {
    to: (value: number) => Math.sqrt(Math.max(0, value)),
    from: (seen: number) => Math.max(0, seen) ** 2,
  },
  {
    to: (value: number) => Math.log1p(Math.max(0, value)),
    from: (seen: number) => Math.expm1(Math.max(0, seen)),
  },
] as const;
/** Inputs that are always alike have one answer by this share more of themselves. */
const RIDGE = 1e-6;

/**
 * For each point what regressions on its neighbours make of it, in the metric's unit: on those one to
 * three steps and one and two seasons before and after, and on its phase. Each is fitted by least
 * squares to the same points, so it knows more than anybody who has to tell before.
 */
export function fromBothSides(series: RealSeries): number[][] {
  return VIEWS.map(({ to, from }) => {
    const points = series.points.map(({ at, value }) => ({ at, value: to(value) }));
    const inputs = inputsOf({ ...series, points });
    const values = points.map(({ value }) => value);
    const factors = solve(...normalEquations(inputs, values));
    return inputs.map((input) => from(product(input, factors)));
  });
}

/** Points in the shortest season: a day of hours, a week of days, or none. */
export function phasesOf({ schedule }: Pick<RealSeries, 'schedule'>): number {
  return schedule.cadence === 'hourly' ? 24 : seasonOf(schedule);
}

/** The phase of each point in the shortest season. */
export function phaseOfEach({ points, schedule }: RealSeries): number[] {
  const step = stepOf(schedule);
  return points.map(({ at }) => Math.round(at / step) % phasesOf({ schedule }));
}

/** The mean of the values of each key. */
export function meansBy(keys: readonly number[], values: readonly number[]): Map<number, number> {
  const sums = new Map<number, { sum: number; count: number }>();
  for (const [i, key] of keys.entries()) {
    const { sum, count } = sums.get(key) ?? { sum: 0, count: 0 };
    sums.set(key, { sum: sum + (values[i] ?? 0), count: count + 1 });
  }
  return new Map([...sums].map(([key, { sum, count }]) => [key, sum / count]));
}

/** The neighbours of each point, and a 1 at the place of its phase. */
function inputsOf(series: RealSeries): number[][] {
  const { points, schedule } = series;
  const step = stepOf(schedule);
  const periods = [...new Set([phasesOf(series), seasonOf(schedule)])].filter((one) => one > 1);
  const offsets = [...STEPS, ...periods.flatMap((period) => SEASONS.map((n) => n * period))];
  const phases = phaseOfEach(series);
  const known = new Map(points.map(({ at, value }) => [at, value]));
  const values = points.map(({ value }) => value);
  const usual = meansBy(phases, values);
  return points.map(({ at }, i) => {
    const phase = phases[i] ?? 0;
    const neighbours = offsets.flatMap((offset) => {
      const [before, after] = [known.get(at - offset * step), known.get(at + offset * step)];
      // Where one is missing the other stands in.
      const other = before ?? after ?? usual.get(phase) ?? 0;
      return [before ?? other, after ?? other];
    });
    const places = Array.from({ length: phasesOf(series) }, (_, p) => (p === phase ? 1 : 0));
    return [...neighbours, ...places];
  });
}

function normalEquations(
  inputs: readonly (readonly number[])[],
  values: readonly number[],
): [number[][], number[]] {
  const size = inputs[0]?.length ?? 0;
  const matrix = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  const right = new Array<number>(size).fill(0);
  for (const [i, input] of inputs.entries()) {
    for (const [row, a] of input.entries()) {
      if (a === 0) continue;
      right[row] = (right[row] ?? 0) + a * (values[i] ?? 0);
      const cells = matrix[row] ?? [];
      for (const [column, b] of input.entries()) cells[column] = (cells[column] ?? 0) + a * b;
    }
  }
  for (const [row, cells] of matrix.entries()) {
    cells[row] = (cells[row] ?? 0) * (1 + RIDGE) + RIDGE;
  }
  return [matrix, right];
}

/** Gauss's elimination; the matrix is symmetric, and positive by its ridge. */
function solve(matrix: number[][], right: number[]): number[] {
  for (const [pivot, top] of matrix.entries()) {
    for (let row = pivot + 1; row < matrix.length; row++) {
      const cells = matrix[row] ?? [];
      const share = (cells[pivot] ?? 0) / (top[pivot] ?? 1);
      if (share === 0) continue;
      for (let column = pivot; column < cells.length; column++) {
        cells[column] = (cells[column] ?? 0) - share * (top[column] ?? 0);
      }
      right[row] = (right[row] ?? 0) - share * (right[pivot] ?? 0);
    }
  }
  const factors = new Array<number>(right.length).fill(0);
  for (let row = right.length - 1; row >= 0; row--) {
    const cells = matrix[row] ?? [];
    factors[row] = ((right[row] ?? 0) - product(cells, factors)) / (cells[row] ?? 1);
  }
  return factors;
}

function product(left: readonly number[], right: readonly number[]): number {
  return left.reduce((sum, value, i) => sum + value * (right[i] ?? 0), 0);
}
