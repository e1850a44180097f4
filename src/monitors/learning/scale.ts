// How large one expert's errors are, and how well it foretold that.

import { z } from 'zod';
import type { Unit } from '../metric.ts';
import { floorAround } from '../metric.ts';

/** How errors grow with the forecast. Row counts of a growing table err in proportion to it. */
export const SCALES = ['constant', 'proportional', 'root'] as const;
export type Scale = (typeof SCALES)[number];

const Peak = z.object({ at: z.number(), size: z.number() });

/** What is remembered of the errors under one scale model. */
const ScaleState = z.object({
  /** Exponentially weighted mean of the absolute error, in multiples of the yardstick. */
  mean: z.number(),
  /** Discounted sum of the log-scores, lower is better. */
  score: z.number(),
  /** The largest accepted errors of late, falling: the first is the largest. */
  peaks: z.array(Peak),
});

/** All that is remembered of one expert's errors; plain data, so that it can be stored as JSON. */
export const ErrorRecord = z.object({
  /** How many forecasts have met their value. */
  scored: z.number(),
  /** How many of those were accepted as in order. */
  accepted: z.number(),
  /** Discounted number of the log-scores in `score`. */
  weight: z.number(),
  scales: z.object({ constant: ScaleState, proportional: ScaleState, root: ScaleState }),
});
export type ErrorRecord = z.infer<typeof ErrorRecord>;

/** What an error is measured against. */
export interface Yardstick {
  readonly unit: Unit;
  /** Running level of the series, so that a forecast near zero doesn't make an error infinite. */
  readonly level: number;
}

/** One forecast that has met its value. */
export interface Outcome {
  readonly forecast: number;
  readonly value: number;
  /** False for a value out of range: it must not widen what counts as in range. */
  readonly accepted: boolean;
  /** Whether the error is on a side that is watched, and so may widen the range there. */
  readonly watched: boolean;
}

/** Mean absolute error to standard deviation, for errors that are normal: sqrt(pi / 2). */
export const SIGMA_PER_MEAN_ERROR = 1.2533;

/** The error's scale follows at 1/n, then at this rate. */
const SLOWEST_RATE = 0.05;
/** The guard remembers the largest accepted error of this many points. */
const GUARD_SPAN = 45;
/** A score beyond this many scales says no more: one wild value must not decide the choice. */
const WORST_SCORE = 8;
/** A value out of range counts as this many scales at most when the scale learns. */
const OUTLIER_SCALES = 6;

/** A record before the first forecast. */
export function newRecord(): ErrorRecord {
  const scale = () => ({ mean: 0, score: 0, peaks: [] });
  return {
    scored: 0,
    accepted: 0,
    weight: 0,
    scales: { constant: scale(), proportional: scale(), root: scale() },
  };
}

/** The size of an error of one under a scale model, around a forecast. */
export function yardstick(scale: Scale, forecast: number, against: Yardstick): number {
  if (scale === 'constant') return 1;
  const size = Math.max(Math.abs(forecast), against.unit.grain, 0.005 * against.level);
  return scale === 'proportional' ? size : Math.sqrt(size);
}

/** Standard deviation of the error around a forecast, in the metric's own unit. */
export function sigmaOf(
  record: ErrorRecord,
  scale: Scale,
  forecast: number,
  against: Yardstick,
): number {
  const mean = record.scales[scale].mean;
  return SIGMA_PER_MEAN_ERROR * mean * yardstick(scale, forecast, against);
}

/** The largest accepted error of late around a forecast, in the metric's own unit. */
export function largestError(
  record: ErrorRecord,
  scale: Scale,
  forecast: number,
  against: Yardstick,
): number {
  return (record.scales[scale].peaks[0]?.size ?? 0) * yardstick(scale, forecast, against);
}

/**
 * How badly the expert has foretold its values of late: the negative log-likelihood of a Laplace
 * distribution, discounted. A scale that varies has to earn its freedom, and so does youth.
 */
export function scoreOf(record: ErrorRecord, scale: Scale): number {
  const freedom = scale === 'constant' ? 0 : 0.02;
  return record.scales[scale].score / record.weight + freedom + 1.5 / record.scored;
}

/** Take in how a forecast met its value. */
export function recordOutcome(
  record: ErrorRecord,
  outcome: Outcome,
  against: Yardstick,
  discount: number,
): void {
  const floor = floorAround(outcome.forecast, against.unit);
  const error = Math.abs(outcome.value - outcome.forecast);
  const rate = Math.max(1 / (record.scored + 1), SLOWEST_RATE);
  // The first two errors have no scale to be held against. A value out of range tells nothing
  // about who foretells the others best: scored, it would reshuffle the pool after each fault.
  const scorable = outcome.accepted && record.scored >= 2;
  for (const scale of SCALES) {
    const state = record.scales[scale];
    const size = yardstick(scale, outcome.forecast, against);
    const relative = error / size;
    const expected = Math.max(state.mean, floor / size / 6, 1e-12);
    if (scorable) {
      const surprise = Math.log(expected * size) + Math.min(relative / expected, WORST_SCORE);
      state.score = discount * state.score + surprise;
    }
    const most = Math.max(OUTLIER_SCALES * expected, floor / size / 3);
    const learned = outcome.accepted ? relative : Math.min(relative, most);
    state.mean += rate * (learned - state.mean);
    if (outcome.accepted) {
      pushPeak(state.peaks, record.accepted, outcome.watched ? relative : 0);
    }
  }
  if (scorable) record.weight = discount * record.weight + 1;
  if (outcome.accepted) record.accepted++;
  record.scored++;
}

/** A sliding maximum: what is smaller and older than a new peak can never be the largest again. */
function pushPeak(peaks: { at: number; size: number }[], at: number, size: number): void {
  while (peaks.length > 0 && (peaks.at(-1)?.size ?? 0) <= size) peaks.pop();
  peaks.push({ at, size });
  while ((peaks[0]?.at ?? at) <= at - GUARD_SPAN) peaks.shift();
}
