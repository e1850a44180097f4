// How large the errors of the issued forecasts are, and how they grow with the forecast.

import { z } from 'zod';
import type { Unit } from '../metric.ts';
import { floorAround } from '../metric.ts';
import { FIRST_REACH, reachOf, TailReach, type TailRules } from './tail.ts';

/** How errors grow with the forecast. Row counts of a growing table err in proportion to it. */
export const SCALES = ['constant', 'proportional', 'root'] as const;
export type Scale = (typeof SCALES)[number];

/** How large errors are under one scale model, in multiples of the yardstick. */
export const ErrorSize = z.object({
  /** Exponentially weighted mean of the absolute error. */
  mean: z.number(),
  /** The same with a longer memory. */
  slow: z.number(),
});
export type ErrorSize = z.infer<typeof ErrorSize>;

/** What is remembered of the errors under one scale model. */
const ScaleState = ErrorSize.extend({
  /** Discounted sum of the log-scores, lower is better. */
  score: z.number(),
  /** The latest errors, in multiples of what was expected of them. */
  errors: z.array(z.number()),
});

/** All that is remembered of the errors; plain data, so that it can be stored as JSON. */
export const ErrorRecord = z.object({
  /** How many forecasts have met their value. */
  scored: z.number(),
  best: z.enum(SCALES),
  /** How far a range reaches, in multiples of the best scale's mean. */
  reach: TailReach,
  scales: z.object({ constant: ScaleState, proportional: ScaleState, root: ScaleState }),
  /** For each of the latest errors, 1 where the value was far from what its phase is as a rule. */
  wild: z.array(z.number()),
  /** So many errors from now on the reaches are worked out again. */
  due: z.number(),
  /** How much more than others a phase of the season errs. */
  phases: z.array(z.object({ weight: z.number(), sum: z.number() })),
  /** The largest error that a person said was in order, and for how many points that holds. */
  excused: z.object({ size: z.number(), left: z.number() }),
});
export type ErrorRecord = z.infer<typeof ErrorRecord>;

/** What an error is measured against. */
export interface Yardstick {
  readonly unit: Unit;
  /** Running level of the series, so that a forecast near zero doesn't make an error infinite. */
  readonly level: number;
}

/** One issued forecast that has met its value. */
export interface ForecastOutcome {
  readonly forecast: number;
  readonly value: number;
  /** The phase of the season; null without one. */
  readonly phase: number | null;
  /** The value is far from what its phase is as a rule. */
  readonly wild: boolean;
  /** The value was out of range. */
  readonly outside: boolean;
  /** A person said that the value is in order. */
  readonly excused: boolean;
}

/** What stays the same through the life of a record. */
export interface ErrorRules extends TailRules {
  /** What is left of a score one point later. */
  readonly discount: number;
  /** Of the errors of long, this share is expected in the calmest times too. */
  readonly steadiness: number;
  /** The values are amounts by the day, which err in proportion and much as they did for long. */
  readonly amounts: boolean;
}

/** What says how large an error is expected to be. */
type SizeRules = Pick<ErrorRules, 'steadiness' | 'amounts'>;

/** Mean absolute error to standard deviation, for errors that are normal: sqrt(pi / 2). */
export const SIGMA_PER_MEAN_ERROR = 1.2533;

/** The errors' mean follows at 1/n, then at this rate. */
const SLOWEST_RATE = 0.1;
const SLOW_RATE = SLOWEST_RATE / 6;
/** So many errors are remembered. */
const REMEMBERED = 400;
/** A score beyond this many scales says no more: one wild value must not decide the choice. */
const WORST_SCORE = 8;
/** An error counts as this many times the mean at most when the mean learns. */
const OUTLIER_SCALES = 6;
const OUTSIDE_SCALES = 3;
/** An error is never remembered as more than this many times the mean. */
const LARGEST_ERROR = 30;
/** What a scale model is held to be worse by at each point, as a log-score; negative is better. */
const HANDICAP: Readonly<Record<Scale, number>> = { constant: 0, proportional: 0.02, root: 0.02 };
const HANDICAP_OF_AMOUNTS: typeof HANDICAP = { constant: 0, proportional: -0.3, root: -0.15 };
/** The size of an amount's errors lies this far on the way, by ratios, from that of late to that of long. */
const WAY_TO_SLOW = 0.3;
/** The first errors of amounts, before a season is known, are forgotten so many times as soon. */
const OPENING = 3;
/** What a phase errs more than others is believed as after so many points of it. */
const PHASE_POINTS = 20;
const PHASE_DISCOUNT = 0.97;
/** What a person said is in order widens the range for so many points. */
const EXCUSED_POINTS = 45;

/** A record before the first forecast. */
export function newRecord(phases: number): ErrorRecord {
  const scale = () => ({ mean: 0, slow: 0, score: 0, errors: [] });
  return {
    scored: 0,
    best: 'constant',
    reach: FIRST_REACH,
    scales: { constant: scale(), proportional: scale(), root: scale() },
    wild: [],
    due: 0,
    phases: Array.from({ length: phases }, () => ({ weight: 0, sum: 0 })),
    excused: { size: 0, left: 0 },
  };
}

/** The size of an error of one under a scale model, around a forecast. */
export function yardstick(scale: Scale, forecast: number, against: Yardstick): number {
  if (scale === 'constant') return 1;
  const size = Math.max(Math.abs(forecast), against.unit.grain, 0.02 * against.level);
  return scale === 'proportional' ? size : Math.sqrt(size);
}

/** The mean absolute error around a forecast at a phase, in the metric's own unit. */
export function usualError(
  record: ErrorRecord,
  forecast: number,
  phase: number | null,
  against: Yardstick & SizeRules,
): number {
  const { best, scales } = record;
  return (
    sizeOf(scales[best], against) * yardstick(best, forecast, against) * phaseFactor(record, phase)
  );
}

/** How far the range reaches, in multiples of the usual error. */
export function reachNow(record: ErrorRecord): TailReach {
  const { below, above } = record.reach;
  const { size, left } = record.excused;
  return left === 0
    ? { below, above }
    : { below: Math.max(below, size), above: Math.max(above, size) };
}

/** Take in how an issued forecast met its value. */
export function recordOutcome(
  record: ErrorRecord,
  outcome: ForecastOutcome,
  against: Yardstick,
  rules: ErrorRules,
): void {
  const { forecast, value, phase } = outcome;
  const error = value - forecast;
  const factor = phaseFactor(record, phase);
  const floor = floorAround(forecast, against.unit);
  const rate = Math.max(1 / (record.scored + 1), SLOWEST_RATE);
  const opening = rules.amounts ? OPENING : 1;
  const slowRate = Math.max(opening / (record.scored + opening), SLOW_RATE);
  // The first errors have no scale to be held against.
  const scorable = record.scored >= 3;
  if (record.excused.left > 0) record.excused.left--;
  for (const scale of SCALES) {
    const state = record.scales[scale];
    const size = yardstick(scale, forecast, against);
    const expected = Math.max(sizeOf(state, rules), floor / size / 6, 1e-12);
    const relative = Math.abs(error) / size;
    if (scorable) {
      const standardised = error / size / expected / factor;
      keep(state.errors, rounded(standardised));
      const surprise = Math.min(Math.abs(standardised), WORST_SCORE);
      const handicap = rules.amounts ? HANDICAP_OF_AMOUNTS : HANDICAP;
      state.score *= rules.discount;
      state.score += Math.log(expected * size * factor) + surprise + handicap[scale];
      if (outcome.excused && scale === record.best) excuse(record, Math.abs(standardised));
    }
    const scales = outcome.outside ? OUTSIDE_SCALES : OUTLIER_SCALES;
    const most = record.scored > 5 ? scales * expected : Number.POSITIVE_INFINITY;
    state.mean += rate * (Math.min(relative, most) - state.mean);
    state.slow += slowRate * (Math.min(relative, most) - state.slow);
  }
  if (scorable) keep(record.wild, outcome.wild ? 1 : 0);
  if (record.scored >= 10) learnPhase(record, outcome, against);
  record.scored++;
  const best = bestScale(record);
  if (best !== record.best) record.due = 0;
  record.best = best;
  workOutReach(record, rules);
}

function workOutReach(record: ErrorRecord, rules: TailRules): void {
  const count = record.wild.length;
  record.due--;
  if (record.due > 0 || count === 0) return;
  record.due = count < 60 ? 1 : count < 200 ? 3 : 8;
  const { errors } = record.scales[record.best];
  record.reach = reachOf({ errors, wild: record.wild }, rules);
}

/** How large an error is expected to be, in multiples of the yardstick. */
export function sizeOf({ mean, slow }: ErrorSize, { steadiness, amounts }: SizeRules): number {
  const now = amounts ? mean ** (1 - WAY_TO_SLOW) * slow ** WAY_TO_SLOW : mean;
  return Math.max(now, steadiness * slow);
}

/** Leave the latest errors out: they were those of a shift, and say nothing of how wide a range is. */
export function forgetLatest(record: ErrorRecord, count: number): void {
  for (const scale of SCALES) record.scales[scale].errors.splice(-count);
  record.wild.splice(-count);
  record.due = 0;
}

/** A level that is so many times another errs in proportion to it. */
const OTHER_SIZE = 2;

/**
 * Make the errors as large as they are to be expected around another level: as many times as large as it
 * is where values scale, or where it is of another size. All scales agree there.
 */
export function resize(
  record: ErrorRecord,
  { from, to }: { readonly from: number; readonly to: number },
  against: Yardstick & SizeRules,
): void {
  const { grain, scales: inProportion } = against.unit;
  if (!(from > grain && to > grain)) return;
  const ratio = to / from;
  const isOther = ratio >= OTHER_SIZE || ratio <= 1 / OTHER_SIZE;
  const times = inProportion || isOther ? ratio : 1;
  const { best } = record;
  const at = { ...against, level: 0 };
  const was = { ...record.scales[best] };
  const before = yardstick(best, from, at);
  for (const scale of SCALES) {
    const grown = (times * before) / yardstick(scale, to, at);
    record.scales[scale].mean = was.mean * grown;
    record.scales[scale].slow = was.slow * grown;
  }
}

function excuse({ excused }: ErrorRecord, size: number): void {
  excused.size = Math.max(excused.left > 0 ? excused.size : 0, 1.1 * size);
  excused.left = EXCUSED_POINTS;
}

function learnPhase(record: ErrorRecord, outcome: ForecastOutcome, against: Yardstick): void {
  const phase = outcome.phase === null ? undefined : record.phases[outcome.phase];
  if (phase === undefined) return;
  const { best, scales } = record;
  const size = yardstick(best, outcome.forecast, against) * Math.max(scales[best].mean, 1e-12);
  const relative = Math.min(5, Math.abs(outcome.value - outcome.forecast) / size);
  phase.weight = PHASE_DISCOUNT * phase.weight + 1;
  phase.sum = PHASE_DISCOUNT * phase.sum + relative;
}

/** How much more a phase errs than others: one until it has been seen often. */
function phaseFactor(record: ErrorRecord, index: number | null): number {
  const phase = index === null ? undefined : record.phases[index];
  if (phase === undefined) return 1;
  const factor = (PHASE_POINTS + phase.sum) / (PHASE_POINTS + phase.weight);
  return Math.max(1 / 3, Math.min(3, factor));
}

function bestScale({ scales }: ErrorRecord): Scale {
  return SCALES.reduce((best, scale) => (scales[scale].score < scales[best].score ? scale : best));
}

function keep(list: number[], item: number): void {
  list.push(item);
  if (list.length > REMEMBERED) list.shift();
}

/** Three digits are enough for a quantile, and a third of the text that keeps them. */
function rounded(error: number): number {
  return Math.round(1000 * Math.max(-LARGEST_ERROR, Math.min(LARGEST_ERROR, error))) / 1000;
}
