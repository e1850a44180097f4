// The experts that compete for a series: who they are, who is believed.

import { z } from 'zod';
import { clampToUnit, type Unit } from '../metric.ts';
import { absorb, ExpertState, forecast, newExpert, type Plan, reanchor } from './expert.ts';
import {
  ErrorRecord,
  newRecord,
  recordOutcome,
  SCALES,
  type Scale,
  SIGMA_PER_MEAN_ERROR,
  scoreOf,
  type Yardstick,
} from './scale.ts';

/** The pool's memory: one expert and one error record for each plan, and the mixture's record. */
export const PoolState = z.object({
  experts: z.array(z.object({ state: ExpertState, record: ErrorRecord })),
  mixture: ErrorRecord,
});
export type PoolState = z.infer<typeof PoolState>;

/** What stays the same through the life of a pool. */
export interface PoolRules {
  readonly unit: Unit;
  readonly plans: readonly Plan[];
  /** Forecasts that an expert must have made before it may be chosen. */
  readonly trial: number;
  /** What is left of a score one point later. */
  readonly discount: number;
}

/** The expert that is believed for one slot. */
export interface Choice {
  readonly model: string;
  readonly scale: Scale;
  readonly forecast: number;
  readonly record: ErrorRecord;
}

/** What each expert expects at a slot, and the one that is believed; null while none is proven. */
export interface Outlook {
  readonly slot: number;
  readonly forecasts: readonly (number | null)[];
  readonly mixture: number | null;
  readonly choice: Choice | null;
}

/** How sharply the mixture prefers the better experts. */
const MIXTURE_SHARPNESS = 10;
/** The mixture is preferred to a single expert that is better by less than this. */
const MIXTURE_BONUS = 0.03;
/** A value out of range is learned as if it lay this many sigma from the forecast. */
const WINSOR_SIGMAS = 3;
/** Before this many forecasts an expert's own sigma is no measure to cut a value by. */
const WINSOR_FROM = 4;

const PLAIN: Plan = {
  name: '',
  season: 'none',
  period: 0,
  alpha: 0,
  beta: 0,
  gamma: 0,
  damping: 1,
  differenced: false,
};

/** The plans that fit a cadence, in hours; null stands for calendar months. */
export function plansFor(cadenceHours: number | null): Plan[] {
  return [
    { ...PLAIN, name: 'last value', alpha: 1 },
    { ...PLAIN, name: 'fast level', alpha: 0.3 },
    { ...PLAIN, name: 'level', alpha: 0.1 },
    { ...PLAIN, name: 'slow level', alpha: 0.03 },
    { ...PLAIN, name: 'trend', alpha: 0.3, beta: 0.1, damping: 0.95 },
    { ...PLAIN, name: 'growth', alpha: 0.1, differenced: true },
    ...periodsFor(cadenceHours).flatMap((period) => seasonalPlans(period, cadenceHours ?? 0)),
  ];
}

/** A pool without memory. */
export function newPool(rules: PoolRules): PoolState {
  return {
    experts: rules.plans.map(() => ({ state: newExpert(), record: newRecord() })),
    mixture: newRecord(),
  };
}

/**
 * What the pool expects at a slot. The best expert and scale by discounted log-score is believed,
 * or the mixture of all, weighted by their scores, where that does about as well.
 */
export function lookAhead(rules: PoolRules, pool: PoolState, slot: number): Outlook {
  const forecasts = rules.plans.map((plan, index) => {
    const expected = forecast(plan, memberOf(pool, index).state, slot);
    return expected === null ? null : clampToUnit(expected, rules.unit);
  });
  let best: (Choice & { score: number }) | null = null;
  const proven: { forecast: number; score: number }[] = [];
  for (const [index, plan] of rules.plans.entries()) {
    const expected = forecasts[index] ?? null;
    const { record } = memberOf(pool, index);
    if (expected === null || !isProven(record, rules)) continue;
    const { scale, score } = bestScale(record);
    proven.push({ forecast: expected, score });
    if (best === null || score < best.score) {
      best = { model: plan.name, scale, forecast: expected, record, score };
    }
  }
  if (best === null) return { slot, forecasts, mixture: null, choice: null };
  const mixture = mix(proven, best.score);
  const { scale, score } = bestScale(pool.mixture);
  if (isProven(pool.mixture, rules) && score < best.score + MIXTURE_BONUS) {
    const record = pool.mixture;
    best = { model: 'mixture', scale, forecast: mixture, record, score };
  }
  return { slot, forecasts, mixture, choice: best };
}

/** Let every expert learn a value; one out of range is cut to what it would have allowed. */
export function teach(
  rules: PoolRules,
  pool: PoolState,
  outlook: Outlook,
  point: { value: number; accepted: boolean; upperOnly: boolean },
  against: Yardstick,
): void {
  const { value, accepted } = point;
  const meet = (record: ErrorRecord, expected: number) => {
    const watched = !point.upperOnly || value > expected;
    recordOutcome(
      record,
      { forecast: expected, value, accepted, watched },
      against,
      rules.discount,
    );
  };
  for (const [index, plan] of rules.plans.entries()) {
    const expected = outlook.forecasts[index] ?? null;
    const { state, record } = memberOf(pool, index);
    const learned = accepted || expected === null ? value : winsorised(record, expected, value);
    if (expected !== null) meet(record, expected);
    absorb(plan, state, outlook.slot, learned);
  }
  if (outlook.mixture !== null) meet(pool.mixture, outlook.mixture);
}

/** The series has moved for good: every level moves to where the last points are. */
export function moveLevels(
  rules: PoolRules,
  pool: PoolState,
  points: readonly { slot: number; value: number }[],
): void {
  for (const [index, plan] of rules.plans.entries()) {
    reanchor(plan, memberOf(pool, index).state, points, rules.unit);
  }
}

/** A day and a week, counted in slots: the fewest slots after which either comes round again. */
function periodsFor(cadenceHours: number | null): number[] {
  if (cadenceHours === null) return [];
  const periods = [24, 168].map((hours) => hours / commonDivisor(hours, cadenceHours));
  return [...new Set(periods)].filter((period) => period >= 2);
}

function seasonalPlans(period: number, cadenceHours: number): Plan[] {
  const season = `${Math.round((period * cadenceHours) / 24)}-day`.replace('1-day', 'daily');
  const named = season.replace('7-day', 'weekly');
  const seasonal = { ...PLAIN, period };
  const quick = { ...seasonal, alpha: 0.2, gamma: 0.2 };
  const steady = { ...seasonal, alpha: 0.05, gamma: 0.15 };
  const trending = { ...seasonal, alpha: 0.15, gamma: 0.15, beta: 0.1, damping: 0.98 };
  const plans: Plan[] = [
    { ...quick, season: 'additive', name: `quick ${named} season` },
    { ...steady, season: 'additive', name: `${named} season` },
    { ...quick, season: 'multiplicative', name: `quick ${named} factors` },
    { ...steady, season: 'multiplicative', name: `${named} factors` },
    { ...steady, season: 'additive', differenced: true, name: `${named} growth` },
  ];
  if (cadenceHours < 24) return plans;
  return [...plans, { ...trending, season: 'multiplicative', name: `${named} factors with trend` }];
}

const isProven = (record: ErrorRecord, rules: PoolRules): boolean =>
  record.scored >= rules.trial && record.weight > 0;

function bestScale(record: ErrorRecord): { scale: Scale; score: number } {
  let scale: Scale = 'constant';
  let score = Number.POSITIVE_INFINITY;
  for (const candidate of SCALES) {
    const candidateScore = scoreOf(record, candidate);
    if (candidateScore < score) {
      scale = candidate;
      score = candidateScore;
    }
  }
  return { scale, score };
}

function mix(proven: readonly { forecast: number; score: number }[], best: number): number {
  let weights = 0;
  let total = 0;
  for (const expert of proven) {
    const weight = Math.exp(-MIXTURE_SHARPNESS * (expert.score - best));
    weights += weight;
    total += weight * expert.forecast;
  }
  return total / weights;
}

function winsorised(record: ErrorRecord, expected: number, value: number): number {
  if (record.scored < WINSOR_FROM) return value;
  const sigma = SIGMA_PER_MEAN_ERROR * record.scales.constant.mean;
  const limit = WINSOR_SIGMAS * sigma;
  return Math.max(expected - limit, Math.min(expected + limit, value));
}

function memberOf(pool: PoolState, index: number): PoolState['experts'][number] {
  const member = pool.experts[index];
  if (member === undefined) throw new RangeError(`The pool has no expert ${index}.`);
  return member;
}

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b));
