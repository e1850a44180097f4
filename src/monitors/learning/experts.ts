// The experts that compete for a series: who they are, and how their forecasts are mixed.

import { z } from 'zod';
import { clampToUnit, floorAround, type Unit } from '../metric.ts';
import { absorb, type ExpertPlan, ExpertState, forecast, newExpert, reanchor } from './expert.ts';
import { SIGMA_PER_MEAN_ERROR, yardstick } from './scale.ts';

/** How well an expert has forecast its values of late. */
const LossRecord = z.object({
  /** How many forecasts have met their value. */
  forecasts: z.number(),
  /** Discounted sum of the errors, held against the root of the forecast, and their number. */
  loss: z.number(),
  weight: z.number(),
  /** Exponentially weighted mean of the absolute error. */
  error: z.number(),
});
type LossRecord = z.infer<typeof LossRecord>;

/** The pool's memory: one expert with its record for each plan. */
export const PoolState = z.object({
  experts: z.array(z.object({ state: ExpertState, record: LossRecord })),
});
export type PoolState = z.infer<typeof PoolState>;

/** What stays the same through the life of a pool. */
export interface PoolRules {
  readonly unit: Unit;
  readonly plans: readonly ExpertPlan[];
  /** Forecasts that an expert must have made before it may be believed. */
  readonly trial: number;
  /** What is left of a loss one point later. */
  readonly discount: number;
  /** The power with which better experts weigh more. */
  readonly sharpness: number;
}

/** What each expert expects at a slot, and what is made of it. */
export interface Outlook {
  readonly slot: number;
  readonly forecasts: readonly (number | null)[];
  /** The experts' mean, weighted by how well they did; null while none is proven. */
  readonly forecast: number | null;
  /** The expert that weighs most, in words. */
  readonly model: string | null;
  /** How much worse the experts that are believed after a gap do than the best. */
  readonly widening: number;
}

/** What a value teaches: as it is, only as far as allowed, or nothing of what came of it. */
export type Teaching = 'whole' | 'limited' | 'nothing';

/** After fewer forecasts nothing is known of an expert at all. */
const SHORTEST_TRIAL = 3;
/** An expert with few forecasts counts as worse than it did. */
const YOUTH = 1.5;
/** One error counts as this many mean ones at most. */
const WORST_LOSS = 8;
/** A value out of range is learned as if it lay this many sigma from the forecast. */
const WINSOR_SIGMAS = 3;
/** Before this many forecasts an expert's own sigma is no measure to cut a value by. */
const WINSOR_FROM = 4;
/** After a gap of so many slots only levels are believed, if they did well enough. */
const LONG_GAP = 3;
const CALM_ENOUGH = 4;
const WIDEST = 3;
/** An expert that weighs more than this is named alone. */
const MOST = 0.7;

/** What a model begins with that is a mean of several, the one that weighs most named behind. */
export const mixture = 'mixture, most of it ';

/** A pool without memory. */
export function newPool(rules: PoolRules): PoolState {
  const record = () => ({ forecasts: 0, loss: 0, weight: 0, error: 0 });
  return { experts: rules.plans.map(() => ({ state: newExpert(), record: record() })) };
}

/** What the pool expects at a slot: the mean of the proven experts, weighted by their losses. */
export function lookAhead(rules: PoolRules, pool: PoolState, slot: number): Outlook {
  const forecasts = rules.plans.map((plan, index) => {
    const expected = forecast(plan, memberOf(pool, index).state, slot);
    return expected === null ? null : clampToUnit(expected, rules.unit);
  });
  const trial = trialOf(rules, pool);
  const proven = pool.experts.map(
    ({ record }, index) =>
      (forecasts[index] ?? null) !== null && record.forecasts >= trial && record.weight > 0,
  );
  const least = leastLoss(pool, proven);
  if (least === Number.POSITIVE_INFINITY) {
    return { slot, forecasts, forecast: null, model: null, widening: 1 };
  }
  const last = pool.experts[0]?.state.lastSlot ?? slot;
  const calm =
    slot - last >= LONG_GAP ? proven.map((is, index) => is && isCalm(rules.plans, index)) : proven;
  const leastCalm = leastLoss(pool, calm);
  const isCalmEnough = leastCalm < CALM_ENOUGH * least;
  const [believed, best] = isCalmEnough ? [calm, leastCalm] : [proven, least];
  const widening = Math.min(WIDEST, best / least);
  return { slot, forecasts, ...mix(rules, pool, forecasts, { believed, best }), widening };
}

/** Let all experts see the value that came at the outlook's slot. */
export function teach(
  rules: PoolRules,
  pool: PoolState,
  outlook: Outlook,
  { value, as }: { value: number; as: Teaching },
  level: number,
): void {
  for (const [index, plan] of rules.plans.entries()) {
    const { state, record } = memberOf(pool, index);
    const expected = outlook.forecasts[index] ?? null;
    let learned = value;
    if (expected !== null) {
      if (as === 'whole') score(rules, record, { expected, value, level });
      else followError(record, Math.min(Math.abs(value - expected), 6 * record.error), 0.05);
      if (record.forecasts >= WINSOR_FROM && as !== 'whole') {
        learned = as === 'nothing' ? expected : winsorised(record, expected, value);
      }
    }
    absorb(plan, state, outlook.slot, learned);
  }
}

/** Let all experts see a value of which nothing is scored. */
export function showValue(rules: PoolRules, pool: PoolState, slot: number, value: number): void {
  for (const [index, plan] of rules.plans.entries()) {
    absorb(plan, memberOf(pool, index).state, slot, value);
  }
}

/** Move every level to where the newest values are: the series has shifted for good. */
export function moveLevels(
  rules: PoolRules,
  pool: PoolState,
  points: readonly { slot: number; value: number }[],
): void {
  for (const [index, plan] of rules.plans.entries()) {
    reanchor(plan, memberOf(pool, index).state, points, rules.unit);
  }
}

function score(
  rules: PoolRules,
  record: LossRecord,
  { expected, value, level }: { expected: number; value: number; level: number },
): void {
  const error = Math.abs(value - expected);
  const size = yardstick('root', expected, { unit: rules.unit, level });
  const floor = floorAround(expected, rules.unit) / size;
  const isMeasured = record.forecasts > 5 && record.weight > 0;
  const most = isMeasured
    ? (WORST_LOSS * record.loss) / record.weight + floor
    : Number.POSITIVE_INFINITY;
  // The first two errors say more of the start than of the expert.
  if (record.forecasts >= 2) {
    record.loss = rules.discount * record.loss + Math.min(error / size, most);
    record.weight = rules.discount * record.weight + 1;
  }
  record.forecasts++;
  followError(record, error, Math.max(1 / record.forecasts, 0.05));
}

function followError(record: LossRecord, error: number, rate: number): void {
  record.error += rate * (error - record.error);
}

/** While no expert has done its trial, those that are the furthest are asked. */
function trialOf({ trial }: PoolRules, { experts }: PoolState): number {
  const furthest = experts.reduce((most, { record }) => Math.max(most, record.forecasts), 0);
  return Math.min(trial, Math.max(SHORTEST_TRIAL, furthest));
}

const lossOf = ({ loss, weight }: LossRecord): number => loss / weight + 1e-12;

function leastLoss({ experts }: PoolState, among: readonly boolean[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (const [index, { record }] of experts.entries()) {
    if (among[index]) least = Math.min(least, lossOf(record));
  }
  return least;
}

/** A level with its season goes on over a gap; what follows the last values may go anywhere. */
function isCalm(plans: readonly ExpertPlan[], index: number): boolean {
  const plan = plans[index];
  if (plan === undefined || plan.differenced || plan.beta !== 0) return false;
  return plan.season !== 'none' || plans.every(({ season }) => season === 'none');
}

function mix(
  rules: PoolRules,
  pool: PoolState,
  forecasts: readonly (number | null)[],
  { believed, best }: { believed: readonly boolean[]; best: number },
): { forecast: number; model: string } {
  let weights = 0;
  let total = 0;
  let most = 0;
  let model = '';
  for (const [index, { record }] of pool.experts.entries()) {
    if (!believed[index]) continue;
    const weight = (best / (lossOf(record) * (1 + YOUTH / record.forecasts))) ** rules.sharpness;
    weights += weight;
    total += weight * (forecasts[index] ?? 0);
    if (weight <= most) continue;
    most = weight;
    model = rules.plans[index]?.name ?? '';
  }
  const alone = most > MOST * weights;
  return { forecast: total / weights, model: alone ? model : `${mixture}${model}` };
}

function winsorised(record: LossRecord, expected: number, value: number): number {
  const limit = WINSOR_SIGMAS * SIGMA_PER_MEAN_ERROR * record.error;
  return Math.max(expected - limit, Math.min(expected + limit, value));
}

function memberOf(pool: PoolState, index: number): PoolState['experts'][number] {
  const member = pool.experts[index];
  if (member === undefined) throw new RangeError(`The pool has no expert ${index}.`);
  return member;
}
