// Tables that only grow: their growth is learned as a series of its own, and judged from where they stand.

import { lookAhead, mixture, type PoolState } from './experts.ts';
import type { Alternative, Interval } from './interval.ts';
import { type Known, knownAt, zeroIsFault } from './known.ts';
import { type Fresh, learnValue } from './learn-value.ts';
import { createLearner, type GrowthState, type Learner, type Stand } from './learner.ts';
import { oldRange } from './old-level.ts';

/** What is known of a table that only grows: in totals, and of the growth alone. */
export interface Grown {
  readonly known: Known;
  /** The learner of the growth, and what it knows. */
  readonly growth: Learner;
  readonly ofGrowth: Known;
}

/** So many values that did not fall, or two seasons of them, are those of a table that only grows. */
const LEAST_RISES = 14;
/** A fall leaves a quarter of them, and no more than so many times as many are counted: one is forgiven. */
const FALL_LEAVES = 0.25;
const MOST_RISES = 4;
/** Of the values that did not fall, this share grew. */
const LEAST_GROWING = 0.4;
/** A learner of the growth begins after so many, or after a season of them. */
const FIRST_RISES = 4;
/** A total that fell may come back within so many slots. */
const RETURN_WITHIN = 28;
/** Beyond so many missing slots growth goes on as the mean of these. */
const LONGEST_SUM = 400;

/** What is known of the total at a slot by its growth; null where the series is none that only grows. */
export function grownAt(learner: Learner, at: number, slot: number): Grown | null {
  const { growth } = learner.state;
  if (growth === null || !isGrowing(learner, growth)) return null;
  const { newest, base, learner: state } = growth;
  if (newest === null || base === null || state === null || slot <= newest.slot) return null;
  const inner = { ...learner, state };
  const ofGrowth = knownAt(inner, at, slot);
  if (ofGrowth.main === null) return null;
  const gap = slot - newest.slot;
  const main = gap === 1 ? ofGrowth.main : over(inner, state.pool, ofGrowth.main, [newest, slot]);
  const also = gap === 1 ? ofGrowth.also.map((other) => from(newest, other)) : [];
  const known = {
    ...ofGrowth,
    main: from(newest, main),
    fault: ofGrowth.fault === null || gap > 1 ? null : newest.value,
    model: modelOf(ofGrowth.model ?? ''),
    also: base.slot < newest.slot ? [...also, backAt(inner, ofGrowth.main, [base, slot])] : also,
    old: ofGrowth.old === null || gap > 1 ? null : from(newest, ofGrowth.old),
    before: ofGrowth.before === null || gap > 1 ? null : from(newest, ofGrowth.before),
  };
  return { known, growth: inner, ofGrowth };
}

/** Why a total may lie where it does after values out of range. */
export const BACK = 'the table is where it was to be before the last value out of range';

/** Learn how much a value has grown. `grown` is what was known of it, `other` the interval it lies in. */
export function learnGrowth(
  learner: Learner,
  grown: Grown | null,
  other: Alternative | null,
  fresh: Fresh,
): void {
  const { growth } = learner.state;
  if (growth === null) return;
  const { newest, base } = growth;
  const here = { slot: fresh.slot, value: fresh.value };
  const isBack = other?.because === BACK;
  if (newest !== null && !isBack) noteRise(learner, growth, newest, fresh);
  growth.newest = here;
  if (newest === null || base === null || growth.learner === null) {
    growth.base = here;
    return;
  }
  const inner = { ...learner, state: growth.learner };
  if (!isBack && fresh.slot === newest.slot + 1) {
    const known = grown?.ofGrowth ?? knownAt(inner, fresh.at, fresh.slot);
    const value = fresh.value - newest.value;
    learnValue(inner, known, sameIn(grown, other), { ...fresh, value });
  }
  inner.state.lastSlot = fresh.slot;
  const isFault = inner.state.positive.isZero && zeroIsFault(inner);
  const isInOrder = isBack || (inner.state.breaches.length === 0 && !isFault);
  const isHigher = here.value >= base.value || here.slot - base.slot > RETURN_WITHIN;
  if (isInOrder && isHigher) growth.base = here;
}

function isGrowing(learner: Learner, { rising, grew }: GrowthState): boolean {
  return rising >= leastRises(learner) && grew >= LEAST_GROWING;
}

const leastRises = ({ phases }: Learner): number => Math.max(LEAST_RISES, 2 * phases);
const firstRises = ({ phases }: Learner): number => Math.max(FIRST_RISES, phases);

function noteRise(learner: Learner, growth: GrowthState, newest: Stand, { value }: Fresh): void {
  if (value < newest.value) {
    growth.rising = Math.floor(FALL_LEAVES * growth.rising);
    if (growth.rising < leastRises(learner)) growth.learner = null;
    return;
  }
  growth.rising = Math.min(MOST_RISES * leastRises(learner), growth.rising + 1);
  const share = Math.max(1 / growth.rising, 1 / leastRises(learner));
  growth.grew += share * ((value > newest.value ? 1 : 0) - growth.grew);
  if (growth.learner !== null || growth.rising < firstRises(learner)) return;
  growth.learner = { ...createLearner(learner.setup).state, growth: null };
}

/** Where the total would be, had it grown all the while as it did until it was last in order. */
function backAt(
  inner: Learner,
  main: Interval,
  [base, slot]: readonly [Stand, number],
): Alternative {
  const { rules, state, metric } = inner;
  const kept = state.old ?? state.before;
  const one = kept === null ? main : (oldRange(rules, kept, slot, metric.unit) ?? main);
  const interval = over(inner, kept?.pool ?? state.pool, one, [base, slot]);
  return { ...from(base, interval), because: BACK };
}

/** What the growths of all slots after one add up to, and how far from it a sum may lie. */
function over(
  { rules }: Learner,
  pool: PoolState,
  one: Interval,
  [{ slot: first }, slot]: readonly [Stand, number],
): Interval {
  const steps = slot - first;
  const summed = Math.min(steps, LONGEST_SUM);
  let sum = 0;
  for (let step = 1; step <= summed; step++) {
    sum += lookAhead(rules, pool, first + step).forecast ?? one.forecast;
  }
  const wider = Math.sqrt(steps);
  return {
    forecast: (sum / summed) * steps,
    below: wider * one.below,
    above: wider * one.above,
  };
}

const from = <Where extends Interval>({ value }: Stand, interval: Where): Where => ({
  ...interval,
  forecast: value + interval.forecast,
});

/** The interval of the growth that an interval of the total was made of; null where there is none. */
function sameIn(grown: Grown | null, other: Alternative | null): Alternative | null {
  if (grown === null || other === null) return null;
  const { known, ofGrowth } = grown;
  if (other === known.old) return ofGrowth.old;
  return ofGrowth.also[known.also.indexOf(other)] ?? null;
}

/** The model of the growth, in words. */
const modelOf = (model: string): string =>
  model.startsWith(mixture)
    ? `${mixture}growth by ${model.slice(mixture.length)}`
    : `growth by ${model}`;
