// One forecaster: exponential smoothing with or without trend and season.

import { z } from 'zod';
import type { Unit } from '../metric.ts';

/** What kind of smoothing an expert does; the rates are those of the usual smoothing equations. */
export interface ExpertPlan {
  /** Shown to people as the model of a range. */
  readonly name: string;
  readonly season: 'none' | 'additive' | 'multiplicative';
  /** Slots in one season; 0 without one. */
  readonly period: number;
  /** Rate at which the level follows; it starts at 1/n. */
  readonly alpha: number;
  /** Rate at which the trend follows; 0 without a trend. */
  readonly beta: number;
  /** Rate at which a phase of the season follows; it starts at 1/(visits + 1). */
  readonly gamma: number;
  /** How much of the trend is left one slot on. */
  readonly damping: number;
  /** The equations run on the growth per slot instead of the value: tables that only grow. */
  readonly differenced: boolean;
}

/** All that an expert remembers. It is plain data, so that it can be stored as JSON. */
export const ExpertState = z.object({
  points: z.number(),
  level: z.number().nullable(),
  trend: z.number(),
  season: z.array(z.number()),
  visits: z.array(z.number()),
  /** The first season's points, until there is a whole one to start from. */
  opening: z.array(z.object({ slot: z.number(), value: z.number() })),
  lastSlot: z.number().nullable(),
  lastValue: z.number(),
});
export type ExpertState = z.infer<typeof ExpertState>;

/** A trend is not believed further than this many slots, nor growth further than as many seasons. */
const LONGEST_GAP = 10;

/** An expert before its first point. */
export function newExpert(): ExpertState {
  return {
    points: 0,
    level: null,
    trend: 0,
    season: [],
    visits: [],
    opening: [],
    lastSlot: null,
    lastValue: 0,
  };
}

/** What the expert expects at a slot, from what it has absorbed so far; null when it can't tell. */
export function forecast(plan: ExpertPlan, state: ExpertState, slot: number): number | null {
  if (!plan.differenced) return expect(plan, state, slot);
  if (state.lastSlot === null) return null;
  if (plan.season === 'none') {
    const growth = expect(plan, state, slot);
    return growth === null ? null : state.lastValue + gapBefore(state, slot) * growth;
  }
  // Whole seasons add up to the same, however many there are.
  const gap = Math.max(1, slot - state.lastSlot);
  const seasons = Math.floor((gap - 1) / plan.period);
  const rest = growthOver(plan, state, gap - seasons * plan.period);
  if (rest === null || seasons === 0) return rest === null ? null : state.lastValue + rest;
  const season = growthOver(plan, state, plan.period);
  if (season === null) return null;
  return state.lastValue + rest + Math.min(seasons, LONGEST_GAP) * season;
}

/** What the season's growths of so many slots after the last one add up to. */
function growthOver(plan: ExpertPlan, state: ExpertState, slots: number): number | null {
  let total = 0;
  for (let step = 1; step <= slots; step++) {
    const growth = expect(plan, state, (state.lastSlot ?? 0) + step);
    if (growth === null) return null;
    total += growth;
  }
  return total;
}

/** Take a point in. Slots must grow from call to call. */
export function absorb(plan: ExpertPlan, state: ExpertState, slot: number, value: number): void {
  if (plan.differenced) {
    if (state.lastSlot !== null) smooth(plan, state, slot, growthTo(plan, state, slot, value));
    state.lastValue = value;
  } else {
    smooth(plan, state, slot, value);
  }
  state.lastSlot = slot;
}

/** The growth in one slot; over a gap every slot's is off by the same. */
function growthTo(plan: ExpertPlan, state: ExpertState, slot: number, value: number): number {
  const gap = slotsSince(state, slot);
  const mean = (value - state.lastValue) / gap;
  if (gap === 1 || plan.season === 'none') return mean;
  const [there, usual] = [forecast(plan, state, slot), expect(plan, state, slot)];
  return there === null || usual === null ? mean : usual + (value - there) / gap;
}

/**
 * Move the level to where the given points are, the newest last: the series has shifted for good.
 * Growth stays what it was, and so does the season, or it grows with the level if the unit scales.
 */
export function reanchor(
  plan: ExpertPlan,
  state: ExpertState,
  points: readonly { slot: number; value: number }[],
  unit: Unit,
): void {
  const newest = points.at(-1);
  if (newest === undefined) return;
  if (plan.differenced) {
    state.lastValue = newest.value;
    state.lastSlot = newest.slot;
    return;
  }
  if (state.level === null) return;
  if (plan.season === 'none') {
    state.level = plan.alpha === 1 ? newest.value : median(points.map((point) => point.value));
    state.trend = 0;
    return;
  }
  const known = points.flatMap((point) => {
    const expected = expect({ ...plan, beta: 0 }, state, point.slot);
    return expected === null ? [] : [{ value: point.value, expected }];
  });
  if (known.length === 0) return;
  const comparable = known.every((point) => point.expected > unit.grain && point.value > 0);
  if (comparable && (unit.scales || plan.season === 'multiplicative')) {
    const ratio = median(known.map((point) => point.value / point.expected));
    state.level *= ratio;
    if (plan.season === 'additive') state.season = state.season.map((excess) => excess * ratio);
  } else {
    state.level += median(known.map((point) => point.value - point.expected));
  }
}

/** The smoothed series continued to a slot: of values, or of growths for a differenced plan. */
function expect(plan: ExpertPlan, state: ExpertState, slot: number): number | null {
  if (state.level === null) return null;
  const level = plan.beta > 0 ? state.level + state.trend * gapBefore(state, slot) : state.level;
  if (plan.season === 'none') return level;
  const phase = phaseOf(plan, slot);
  const seasonal = state.season[phase];
  if (seasonal === undefined || !state.visits[phase]) return null;
  return plan.season === 'additive' ? level + seasonal : level * seasonal;
}

function smooth(plan: ExpertPlan, state: ExpertState, slot: number, value: number): void {
  state.points++;
  if (plan.season === 'none') {
    if (state.level === null) state.level = value;
    else follow(plan, state, state.level, slot, value);
  } else if (state.level !== null) {
    followSeason(plan, state, state.level, slot, value);
  } else {
    state.opening.push({ slot, value });
    if (state.opening.length >= plan.period) openSeason(plan, state);
  }
}

function follow(
  plan: ExpertPlan,
  state: ExpertState,
  level: number,
  slot: number,
  value: number,
): void {
  const gap = gapBefore(state, slot);
  const base = level + (plan.beta > 0 ? state.trend * gap : 0);
  const error = value - base;
  const rate = Math.max(plan.alpha, 1 / state.points);
  state.level = base + rate * error;
  if (plan.beta > 0) state.trend = plan.damping * state.trend + (plan.beta * rate * error) / gap;
}

/** The first level is the mean of one season; what each point differs from it starts its phase. */
function openSeason(plan: ExpertPlan, state: ExpertState): void {
  const opening = state.opening;
  const mean = opening.reduce((sum, point) => sum + point.value, 0) / opening.length;
  if (plan.season === 'multiplicative' && !(mean > 0)) {
    opening.shift();
    return;
  }
  const neutral = plan.season === 'additive' ? 0 : 1;
  state.level = mean;
  state.season = new Array<number>(plan.period).fill(neutral);
  state.visits = new Array<number>(plan.period).fill(0);
  for (const { slot, value } of opening) {
    const phase = phaseOf(plan, slot);
    state.season[phase] =
      plan.season === 'additive' ? value - mean : factorOf(plan, value / aboveZero(mean));
    state.visits[phase] = (state.visits[phase] ?? 0) + 1;
  }
  state.opening = [];
}

/** Holt and Winters in their error-correction form. */
function followSeason(
  plan: ExpertPlan,
  state: ExpertState,
  level: number,
  slot: number,
  value: number,
): void {
  const phase = phaseOf(plan, slot);
  const visits = state.visits[phase] ?? 0;
  state.visits[phase] = visits + 1;
  if (visits === 0) {
    // A phase that was never seen says nothing about the level, only about itself.
    const factor = factorOf(plan, value / aboveZero(level));
    state.season[phase] = plan.season === 'additive' ? value - level : factor;
    return;
  }
  const gap = gapBefore(state, slot);
  const seasonal = state.season[phase] ?? 0;
  const gamma = Math.max(plan.gamma, 1 / (visits + 1)) * (1 - plan.alpha);
  const base = level + (plan.beta > 0 ? state.trend * gap : 0);
  if (plan.season === 'additive') {
    const error = value - base - seasonal;
    state.level = base + plan.alpha * error;
    state.trend = plan.damping * state.trend + plan.beta * plan.alpha * error;
    state.season[phase] = seasonal + gamma * error;
    return;
  }
  const error = value - base * seasonal;
  state.level = base;
  if (seasonal > SMALLEST_FACTOR) {
    // One point may at most halve or double the level: a small factor would throw it far.
    const push = Math.max(-0.5 * base, Math.min(base, error / seasonal));
    state.level = base + plan.alpha * push;
    state.trend = plan.damping * state.trend + plan.beta * plan.alpha * push;
  }
  state.season[phase] = factorOf(plan, seasonal + (gamma * error) / aboveZero(state.level));
}

/** Below this share of the level, a phase (a weekend of nothing) says nothing about the level. */
const SMALLEST_FACTOR = 0.05;

/** The median of a non-empty list. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/**
 * Factors average one, so that none can be greater than the period: a level that has all but
 * vanished would make one of any size otherwise.
 */
const factorOf = (plan: ExpertPlan, factor: number): number =>
  Math.max(0, Math.min(plan.period, factor));

const aboveZero = (level: number): number => Math.max(level, 1e-9);

const phaseOf = (plan: ExpertPlan, slot: number): number =>
  ((slot % plan.period) + plan.period) % plan.period;

const gapBefore = (state: ExpertState, slot: number): number =>
  Math.min(LONGEST_GAP, slotsSince(state, slot));

const slotsSince = (state: ExpertState, slot: number): number =>
  state.lastSlot === null ? 1 : Math.max(1, slot - state.lastSlot);
