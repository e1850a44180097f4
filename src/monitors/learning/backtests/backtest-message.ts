// How series and backtests travel between threads: as numbers, which are not copied.

import type { Point } from '../learner.ts';
import { VERDICTS } from '../threshold.ts';
import type { Backtest, BacktestIncident, BacktestPoint, BacktestSetup } from './backtest.ts';

/** A series; point by point the same place in each. */
export interface PackedSeries {
  readonly at: Float64Array<ArrayBuffer>;
  readonly value: Float64Array<ArrayBuffer>;
  /** 1 where a person said that the value is in order, 2 where its level is the new normal. */
  readonly said: Uint8Array<ArrayBuffer>;
}

/** What the thread is asked. */
export interface SeriesMessage {
  readonly series: PackedSeries;
  readonly setup: BacktestSetup;
}

/** The results, in the order of time; NaN stands for no bound. */
export interface PackedBacktest {
  readonly at: Float64Array<ArrayBuffer>;
  readonly value: Float64Array<ArrayBuffer>;
  readonly lower: Float64Array<ArrayBuffer>;
  readonly upper: Float64Array<ArrayBuffer>;
  readonly verdict: Uint8Array<ArrayBuffer>;
  readonly opened: readonly BacktestIncident[];
}

/** What the thread says: that it can be asked, or an answer. */
export type FromBacktest = { readonly kind: 'ready' } | AnswerMessage;

interface AnswerMessage {
  readonly kind: 'answer';
  readonly answer: PackedBacktest;
}

export function packSeries(points: readonly Point[]): PackedSeries {
  return {
    at: Float64Array.from(points, ({ at }) => at),
    value: Float64Array.from(points, ({ value }) => value),
    said: Uint8Array.from(points, ({ normal, newLevel }) => (normal ? 1 : 0) + (newLevel ? 2 : 0)),
  };
}

export function unpackSeries({ at, value, said }: PackedSeries): Point[] {
  return Array.from(at, (time, i) => ({
    at: time,
    value: value[i] ?? Number.NaN,
    normal: ((said[i] ?? 0) & 1) === 1,
    newLevel: ((said[i] ?? 0) & 2) === 2,
  }));
}

export function packBacktest({ points, opened }: Backtest): PackedBacktest {
  return {
    at: Float64Array.from(points, ({ at }) => at),
    value: Float64Array.from(points, ({ value }) => value),
    lower: Float64Array.from(points, ({ lower }) => lower ?? Number.NaN),
    upper: Float64Array.from(points, ({ upper }) => upper ?? Number.NaN),
    verdict: Uint8Array.from(points, ({ verdict }) => VERDICTS.indexOf(verdict)),
    opened,
  };
}

export function unpackBacktest(packed: PackedBacktest): Backtest {
  const { at, value, lower, upper, verdict, opened } = packed;
  const points = Array.from(
    at,
    (time, i): BacktestPoint => ({
      at: time,
      value: value[i] ?? Number.NaN,
      lower: numberOrNull(lower[i]),
      upper: numberOrNull(upper[i]),
      verdict: VERDICTS[verdict[i] ?? 0] ?? 'learning',
    }),
  );
  return { points, opened };
}

/** What may be handed over instead of being copied. */
export function buffersOf(packed: PackedSeries | PackedBacktest): ArrayBuffer[] {
  return Object.values(packed).flatMap((part: unknown) =>
    part instanceof Float64Array || part instanceof Uint8Array ? bufferOf(part) : [],
  );
}

function bufferOf({ buffer }: Float64Array | Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer ? [buffer] : [];
}

function numberOrNull(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
