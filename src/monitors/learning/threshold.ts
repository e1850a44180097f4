// Learns, point by point, the range in which a metric's next value lies.
//
// The learner is a function of its points alone: replaying the stored measurements of a monitor
// gives the same ranges that were given when they were measured, bit for bit. The decision record
// docs/decisions/learned-thresholds.md explains the idea and what was measured.

import { clampToUnit } from '../metric.ts';
import { noteAge } from './arrivals.ts';
import { driftOf, isSaid, isWorthIt, type Look, lookBack, quietForWeek } from './drift.ts';
import { BACK, type Grown, grownAt, learnGrowth } from './growth.ts';
import { type Alternative, awayFrom, isIn } from './interval.ts';
import { type Known, knownAt, type WidthFrom } from './known.ts';
import { learnArrival, learnValue } from './learn-value.ts';
import { createLearner, type Learner, type LearnerSetup, type Point, slotAt } from './learner.ts';
import type { Scale } from './scale.ts';

/** Where a value may lie; null is no bound on that side, both null is no range yet. */
export interface Bounds {
  readonly lower: number | null;
  readonly upper: number | null;
}

/** A learned range with what led to it. */
export interface Range extends Bounds {
  /** The value that is expected; null while learning. */
  readonly forecast: number | null;
  /** The expert that was chosen, or the mixture, in words; null while learning. */
  readonly model: string | null;
  /** How errors grow with the forecast; null while learning. */
  readonly scale: Scale | null;
  /** How far values lie from such a forecast on average; null while learning. */
  readonly usualError: number | null;
  /** What set the width; null while learning. */
  readonly widthFrom: WidthFrom | null;
  /** Of a day that drifted: its mean, and what that would be in order; null where none did. */
  readonly day: DayRange | null;
  /** Why the value may lie here and not where it does as a rule; null where it does. */
  readonly because: string | null;
  /** The share of ordinary values that the sensitivity lets be out of range. */
  readonly rate: number;
  /** Points accepted so far, of those needed before there is a range. */
  readonly learned: number;
  readonly needed: number;
}

/** The mean of a day, what it was expected to be, and from where to where it would have been in order. */
export type DayRange = Pick<Look, 'mean' | 'expected' | 'lowest' | 'highest'>;

/** A level that the range has followed, while the one before is remembered: neither good nor bad. */
export interface NewLevel {
  /** What the value would be at the level before; null where that can't be determined. */
  readonly before: number | null;
  /** The level before is forgotten from now on. */
  readonly isForgotten: boolean;
}

/** How a value stands to a range; at a new level it is in a range that has followed the level there. */
export const VERDICTS = ['learning', 'within', 'above', 'below', 'new_level'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** What a learner made of a point. */
export interface Learned {
  /** The range that was known before the point; of several that in which it lies. */
  readonly range: Range;
  readonly verdict: Verdict;
  /** Where the verdict is that of a new level; null where it isn't. */
  readonly level: NewLevel | null;
  /** False when its slot already had a value, as after a run by hand. */
  readonly learned: boolean;
}

/** Beyond this, products of two values would leave what a double can hold. */
const LARGEST_VALUE = 1e100;

/** How far on the way to the forecast a range begins that leaves out a fault. */
const NEAREST = 0.001;

/** The range that the learner knows for a value measured at an instant. Changes nothing. */
export function range(learner: Learner, at: number): Range {
  const slot = slotAt(learner, at);
  const known = grownAt(learner, at, slot)?.known ?? knownAt(learner, at, slot);
  return rangeFrom(learner, known, null);
}

/**
 * How far a value at an instant would lie from what is in order, in multiples of what is allowed; more
 * than one is out of range, negative is below. Null while learning.
 */
export function distanceAt(learner: Learner, at: number, value: number): number | null {
  const slot = slotAt(learner, at);
  const grown = grownAt(learner, at, slot);
  const { main, also, old, fault } = grown?.known ?? knownAt(learner, at, slot);
  if (main === null) return null;
  if (value === fault) return Number.NEGATIVE_INFINITY;
  const intervals = [main, ...also, ...(old === null ? [] : [old])];
  const away = intervals.map((interval) => awayFrom(interval, value));
  // Of data that can't be too fresh a value below any forecast is in order.
  if (learner.metric.upperOnly && away.some((one) => one < 0)) return 0;
  const nearest = away.reduce((near, next) => (Math.abs(next) < Math.abs(near) ? next : near));
  const look = grown === null ? lookAt(learner, slot, value) : null;
  if (look === null || isSaidOf(learner, slot, look)) return nearest;
  const drift = driftOf(look);
  return Math.abs(drift) > Math.abs(nearest) ? drift : nearest;
}

/** How a value stands to a range, learned or given by a person. */
export function judge(value: number, { lower, upper }: Bounds): Verdict {
  if (upper !== null && value > upper) return 'above';
  if (lower !== null && value < lower) return 'below';
  return lower === null && upper === null ? 'learning' : 'within';
}

/**
 * Judge a point by the range known before it, then learn from it. A point that does not fill its slot,
 * because that already has a value, or lies before the newest, or by what is said of it, is judged only.
 */
export function learn(learner: Learner, point: Point, fills = true): Learned {
  const { state } = learner;
  const slot = slotAt(learner, point.at);
  const direct = knownAt(learner, point.at, slot);
  const grown = grownAt(learner, point.at, slot);
  const known = grown?.known ?? direct;
  const value = Math.max(-LARGEST_VALUE, Math.min(LARGEST_VALUE, point.value));
  const other = fitElsewhere(known, value);
  const own = rangeFrom(learner, known, other);
  if (!fills || (state.lastSlot !== null && slot <= state.lastSlot)) {
    return { range: own, ...standing(learner, { known, grown, slot }, own, point), learned: false };
  }
  const isOrdinary =
    grown === null &&
    judge(point.value, own) === 'within' &&
    other === null &&
    point.normal !== true;
  const look = isOrdinary ? lookAt(learner, slot, value) : null;
  const moved = look !== null && Math.abs(driftOf(look)) > 1;
  const drifted = moved && !isSaidOf(learner, slot, look) ? driftedRange(own, look, value) : null;
  const seen = drifted ?? (value === known.fault ? withoutFault(own, value) : own);
  const { verdict, level } = standing(learner, { known, grown, slot }, seen, point);
  const { at, normal = false, newLevel = false } = point;
  const fresh = { slot, value, at, normal, newLevel };
  if (direct.widthFrom === 'arrivals') learnArrival(learner, fresh);
  else learnValue(learner, direct, grown === null ? other : fitElsewhere(direct, value), fresh);
  learnGrowth(learner, grown, other, fresh);
  const { upperOnly } = learner.metric;
  if (upperOnly && learner.hours < 24) noteAge(state.arrivals, point.at, value, stepOf(learner));
  if (moved && learner.rhythm !== null) {
    quietForWeek(state.drift, learner.rhythm, slot);
  }
  state.lastSlot = slot;
  return { range: seen, verdict, level, learned: true };
}

/** What is known of a slot, and in which way. */
interface Basis {
  readonly known: Known;
  readonly grown: Grown | null;
  readonly slot: number;
}

function standing(learner: Learner, basis: Basis, seen: Range, point: Point) {
  const verdict = judge(point.value, seen);
  const level = verdict === 'within' ? newLevelAt(learner, basis, point) : null;
  return { verdict: level === null ? verdict : ('new_level' as const), level };
}

/** A value in range at a level that isn't the one of before the last shift; null for any other. */
function newLevelAt(learner: Learner, basis: Basis, point: Point): NewLevel | null {
  const { known, grown, slot } = basis;
  const { old, before, breaches } = (grown?.growth ?? learner).state;
  const remembered = old ?? (breaches.length > 0 ? before : null);
  if (remembered === null || known.main === null || known.widthFrom === 'arrivals') return null;
  if (point.newLevel || point.normal || fitsBetter(known, point.value)) return null;
  const isAgile = learner.setup.adaptation === 'agile' && old !== null;
  const level = known.old ?? known.before;
  return { before: level?.forecast ?? null, isForgotten: isAgile || slot > remembered.until };
}

/** Whether a value lies where it would have lain before the last shift, and no nearer to where it lies now. */
function fitsBetter({ main, also, old, before }: Known, value: number): boolean {
  if (also.some((other) => other.because === BACK && isIn(other, value))) return true;
  if (old === null) return before !== null && isIn(before, value);
  if (!isIn(old, value)) return false;
  return main === null || Math.abs(value - old.forecast) <= Math.abs(value - main.forecast);
}

/** Show a learner all points, oldest first, as when they were measured. */
export function learnAll(learner: Learner, points: readonly Point[]): Learner {
  for (const point of fillingSlots(learner, points)) learn(learner, point);
  return learner;
}

/** The points that fill their slots: the first of each, or the last that a person has called normal. */
export function fillingSlots(learner: Learner, points: readonly Point[]): Set<Point> {
  const bySlot = new Map<number, Point>();
  for (const point of points) {
    const slot = slotAt(learner, point.at);
    if (point.normal === true || !bySlot.has(slot)) bySlot.set(slot, point);
  }
  return new Set(bySlot.values());
}

/** Show a new learner all points, oldest first. */
export function replay(setup: LearnerSetup, points: readonly Point[]): Learner {
  return learnAll(createLearner(setup), points);
}

const stepOf = ({ hours }: Learner): number => hours * 3_600_000;

/** The slow look at the day that ends with a value; null where nothing is to be said of it. */
function lookAt({ state, rhythm, metric }: Learner, slot: number, value: number): Look | null {
  if (rhythm === null) return null;
  const newest = { slot, value, lastSlot: state.lastSlot };
  const look = lookBack(state.drift, state.usual, rhythm, newest);
  return look !== null && isWorthIt(look, metric.unit) ? look : null;
}

function isSaidOf({ state, rhythm }: Learner, slot: number, look: Look): boolean {
  return rhythm !== null && isSaid(state.drift, rhythm, slot, look);
}

/** The range in which a value would have to lie for its day to be as days are; null where it does. */
function driftedRange(own: Range, look: Look, value: number): Range | null {
  const { lower, upper, mean, expected, lowest, highest } = look;
  const bounds = driftOf(look) > 0 ? { lower: null, upper } : { lower, upper: null };
  if (judge(value, bounds) === 'within') return null;
  return { ...own, ...bounds, widthFrom: 'drift', day: { mean, expected, lowest, highest } };
}

/** The part of a range on the side of the forecast: what never was there is not in order. */
function withoutFault(own: Range, value: number): Range {
  const { forecast, lower, upper } = own;
  if (forecast === null || judge(value, own) !== 'within') return own;
  const nearest = value + NEAREST * (forecast - value);
  const bounds = forecast > value ? { lower: nearest, upper } : { lower, upper: nearest };
  return { ...own, ...bounds, widthFrom: 'zero' };
}

/** The other interval in which a value is that strayed from the usual one; null for none. */
function fitElsewhere({ main, also, old, fault }: Known, value: number): Alternative | null {
  if (main === null || value === fault || isIn(main, value)) return null;
  const found = also.find((interval) => isIn(interval, value));
  if (found) return found;
  return old !== null && isIn(old, value) ? old : null;
}

function rangeFrom(learner: Learner, known: Known, other: Alternative | null): Range {
  const { metric, state, needed, rules } = learner;
  const progress = { rate: rules.rate, learned: Math.min(state.accepted, needed), needed };
  const { main, model, usualError, widthFrom, scale } = known;
  if (main === null) return { ...NO_RANGE, ...progress };
  const { forecast, below, above } = other ?? main;
  const lower = metric.upperOnly ? null : clampToUnit(forecast - below, metric.unit);
  const upper = clampToUnit(forecast + above, metric.unit);
  const because = other?.because ?? null;
  const reasons = { forecast, model, scale, usualError, widthFrom, because, day: null };
  return { lower, upper, ...reasons, ...progress };
}

const NO_RANGE = {
  lower: null,
  upper: null,
  forecast: null,
  model: null,
  scale: null,
  usualError: null,
  widthFrom: null,
  because: null,
  day: null,
} as const;
