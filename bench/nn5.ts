// The NN5 data: daily cash withdrawals at 111 machines over two years.

import { readFileSync } from 'node:fs';
import { median } from '../src/monitors/learning/expert.ts';
import { factorFor, type RuleMaker, shareBeyond } from './evaluation.ts';
import { DAILY, HOUR, type Series } from './series.ts';

/** Recall of faults of one day. */
export interface Nn5Recall {
  /** Share found when a day's value is zero instead. */
  readonly zero: number;
  /** Share found when a day's value is doubled. */
  readonly doubled: number;
}

/**
 * The data holds real anomalies that nobody has labelled: holidays, empty machines. `ordinary`
 * leaves those days out, `every` counts an alarm on them as false, which bounds every rule alike.
 */
export interface Nn5Result {
  readonly ordinary: Nn5Recall;
  readonly every: Nn5Recall;
}

/** A series with the days on which nothing was written down left out. */
export type Nn5Series = readonly { at: number; value: number }[];

/** The data began on a Monday. */
const FIRST_DAY = Date.UTC(1996, 2, 18);
/** Judged from the fifth week on. */
const JUDGED_FROM = 28;

/** Read a file with one line for each day and one comma-separated column for each machine. */
export function readNn5(path: string): Nn5Series[] {
  const days = readFileSync(path, 'utf8')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => line.split(','));
  const machines = days[0]?.length ?? 0;
  return Array.from({ length: machines }, (_, machine) =>
    days.flatMap((cells, day) => {
      const cell = cells[machine]?.trim() ?? '';
      const value = Number(cell);
      if (cell === '' || !Number.isFinite(value)) return [];
      return [{ at: FIRST_DAY + day * 24 * HOUR, value }];
    }),
  );
}

/** Judge every value and what it would be zero or doubled, at a share of false alarms. */
export function watchNn5(maker: RuleMaker, data: readonly Nn5Series[], share: number): Nn5Result {
  const ordinary: Distances = { clean: [], zero: [], doubled: [] };
  const every: Distances = { clean: [], zero: [], doubled: [] };
  for (const points of data) {
    const rule = maker(AS_SERIES);
    const values = new Map(points.map(({ at, value }) => [at, value]));
    for (const [index, { at, value }] of points.entries()) {
      if (index >= JUDGED_FROM) {
        const away = (candidate: number) => Math.abs(rule.distance(at, candidate) ?? 0);
        for (const seen of isOrdinary(values, at) ? [ordinary, every] : [every]) {
          seen.clean.push(away(value));
          if (value > 0) {
            seen.zero.push(away(0));
            seen.doubled.push(away(2 * value));
          }
        }
      }
      rule.learn(at, value);
    }
  }
  return { ordinary: recallAt(ordinary, share), every: recallAt(every, share) };
}

interface Distances {
  readonly clean: number[];
  readonly zero: number[];
  readonly doubled: number[];
}

function recallAt({ clean, zero, doubled }: Distances, share: number): Nn5Recall {
  const factor = factorFor([clean], share);
  return { zero: shareBeyond(zero, factor), doubled: shareBeyond(doubled, factor) };
}

/** Between half and twice the median of the same weekday in the four weeks to either side. */
function isOrdinary(values: ReadonlyMap<number, number>, at: number): boolean {
  const value = values.get(at) ?? 0;
  const around = [-4, -3, -2, -1, 1, 2, 3, 4].flatMap((weeks) => {
    const neighbour = values.get(at + weeks * 7 * 24 * HOUR);
    return neighbour === undefined ? [] : [neighbour];
  });
  const usual = median(around);
  return value >= usual / 2 && value <= usual * 2;
}

const AS_SERIES: Series = {
  family: 'nn5',
  metricType: 'sum',
  schedule: DAILY,
  values: [],
  sigmas: [],
  faultSizes: null,
  faultSide: 'both',
  ambiguous: new Set(),
  shiftAt: null,
};
