// In charge of learning, point by point, the range in which a metric's next value lies.
//
// The learner is a function of its points alone: replaying the stored measurements of a monitor
// gives the same ranges that were given when they were measured, bit for bit. The decision record
// docs/decisions/learned-thresholds.md tells the idea and what was measured.

import { clampToUnit } from '../metric.ts';
import { noteAge } from './arrivals.ts';
import { noteDay } from './calendar.ts';
import { moveLevels, showValue, type Teaching, teach } from './experts.ts';
import { type Alternative, awayFrom, type Interval, isIn } from './interval.ts';
import { grownReach, type Known, knownAt, type WidthFrom, yardOf } from './known.ts';
import {
  createLearner,
  type Learner,
  type LearnerSetup,
  localDate,
  type Point,
  phaseAt,
  slotAt,
} from './learner.ts';
import { keepLevel, restoreSizes } from './old-level.ts';
import { recordOutcome, type Scale } from './scale.ts';
import { allowQuiet, noteSporadic } from './sporadic.ts';
import { isWild, noteValue } from './usual.ts';

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
  /** Why the value may lie here and not where it does as a rule; null where it does. */
  readonly because: string | null;
  /** The share of ordinary values that the sensitivity lets be out of range. */
  readonly rate: number;
  /** Points accepted so far, of those needed before there is a range. */
  readonly learned: number;
  readonly needed: number;
}

/** How a value stands to a range. */
export type Verdict = 'learning' | 'within' | 'above' | 'below';

/** What came of a point that was shown to a learner. */
export interface Lesson {
  /** The range that was known before the point; of several that in which it lies. */
  readonly range: Range;
  readonly verdict: Verdict;
  /** False when its slot already had a value, as after a run by hand. */
  readonly learned: boolean;
}

/** This many values in a row out of range on one side are the new normal. */
const SHIFT_RUNS = 3;
/** So many values in a row that fit the level before a shift are a return to it. */
const RETURN_RUNS = 2;
/** Beyond this, products of two values would leave what a double can hold. */
const LARGEST_VALUE = 1e100;
/** A value out of range counts as so many times what was allowed at most. */
const MOST_BEYOND = 1.5;
/** Points after a return for which a range is wider. */
const SETTLED_ON_RETURN = 20;
/** How long a series may return to the level before a shift: a week of hours, four of days. */
const RETURN_WITHIN = { hours: 168, days: 28, weeks: 12 } as const;

/** The range that the learner knows for a value measured at an instant. Changes nothing. */
export function range(learner: Learner, at: number): Range {
  const known = knownAt(learner, at, slotAt(learner, at));
  return rangeFrom(learner, known, null);
}

/** The intervals in which a value at an instant is in order, the usual one first. */
export function intervalsAt(learner: Learner, at: number): Interval[] {
  const { main, also, old } = knownAt(learner, at, slotAt(learner, at));
  return main === null ? [] : [main, ...also, ...(old === null ? [] : [old])];
}

/** How a value stands to a range, learned or given by a person. */
export function judge(value: number, { lower, upper }: Bounds): Verdict {
  if (upper !== null && value > upper) return 'above';
  if (lower !== null && value < lower) return 'below';
  return lower === null && upper === null ? 'learning' : 'within';
}

/**
 * Judge a point by the range known before it, then learn from it. A point whose slot already has
 * a value, or lies before the newest, is judged only.
 */
export function learn(learner: Learner, point: Point): Lesson {
  const { state } = learner;
  const slot = slotAt(learner, point.at);
  const known = knownAt(learner, point.at, slot);
  const value = Math.max(-LARGEST_VALUE, Math.min(LARGEST_VALUE, point.value));
  const other = fitElsewhere(known, value);
  const seen = rangeFrom(learner, known, other);
  const verdict = judge(point.value, seen);
  if (state.lastSlot !== null && slot <= state.lastSlot) {
    return { range: seen, verdict, learned: false };
  }
  const fresh = { slot, value, at: point.at, normal: point.normal === true };
  if (known.widthFrom === 'arrivals') learnArrival(learner, fresh);
  else learnValue(learner, known, other, fresh);
  const { upperOnly } = learner.metric;
  if (upperOnly && learner.hours < 24) noteAge(state.arrivals, point.at, value, stepOf(learner));
  state.lastSlot = slot;
  return { range: seen, verdict, learned: true };
}

/** Show a new learner all points, oldest first, as when they were measured. */
export function replay(setup: LearnerSetup, points: Iterable<Point>): Learner {
  const learner = createLearner(setup);
  for (const point of points) learn(learner, point);
  return learner;
}

/** A value with the slot that it fills. */
interface Fresh {
  readonly slot: number;
  readonly value: number;
  readonly at: number;
  readonly normal: boolean;
}

const stepOf = ({ hours }: Learner): number => hours * 3_600_000;

/** The other interval in which a value is that strayed from the usual one; null for none. */
function fitElsewhere({ main, also, old }: Known, value: number): Alternative | null {
  if (main === null || isIn(main, value)) return null;
  const found = also.find((interval) => isIn(interval, value));
  if (found) return found;
  return old !== null && isIn(old, value) ? old : null;
}

function rangeFrom(learner: Learner, known: Known, other: Alternative | null): Range {
  const { metric, state, needed, rules } = learner;
  const progress = { rate: rules.rate, learned: Math.min(state.accepted, needed), needed };
  const { main, model, usualError, widthFrom } = known;
  if (main === null) return { ...NO_RANGE, ...progress };
  const { forecast, below, above } = other ?? main;
  const lower = metric.upperOnly ? null : clampToUnit(forecast - below, metric.unit);
  const upper = clampToUnit(forecast + above, metric.unit);
  const scale = state.errors.best;
  const because = other?.because ?? null;
  const told = { forecast, model, scale, usualError, widthFrom, because };
  return { lower, upper, ...told, ...progress };
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
} as const;

/** By the rhythm of loads nothing but the loads is learned; the experts look on. */
function learnArrival(learner: Learner, { slot, value }: Fresh): void {
  const { state, rules } = learner;
  showValue(rules, state.pool, slot, value);
  state.accepted++;
  state.learned++;
}

function learnValue(learner: Learner, known: Known, other: Alternative | null, fresh: Fresh): void {
  const { state, rules, metric } = learner;
  const { main } = known;
  const { slot, value, normal } = fresh;
  noteSporadic(state.sporadic, value, phaseAt(learner, slot) ?? 0);
  const outside = main !== null && !isIn(main, value) && !normal;
  if (other !== null && other === known.old && !normal) {
    if (returnTo(learner, fresh)) return;
  } else if (state.old !== null) {
    state.old = slot > state.old.until ? null : { ...state.old, fits: 0 };
  }
  if (main !== null && learner.hours === 24) rememberDay(learner, main, fresh, outside, other);
  const earlier = state.level;
  followLevel(learner, value, earlier);
  if (outside && other === null && state.breaches.length === 0) keepBefore(learner, slot, earlier);
  if (other === null || normal) recordError(learner, known, fresh);
  noteValue(state.usual, learner.season, { slot, value, lastSlot: state.lastSlot });
  const as: Teaching = !outside
    ? 'whole'
    : other !== null || known.sporadic
      ? 'nothing'
      : 'limited';
  teach(rules, state.pool, known.outlook, { value, as }, state.level);
  state.learned++;
  state.settled++;
  if (!outside || other !== null) {
    state.accepted++;
    if (!outside) settle(learner, fresh);
  } else {
    noteBreach(learner, { slot, value, above: awayFrom(main, value) > 0 });
    if (metric.unit.min === 0 && value === 0 && state.breaches.length === 0) {
      allowQuiet(state.sporadic);
    }
  }
}

/** A value that would have been in range before the last shift; true when that level is back. */
function returnTo({ state, rules }: Learner, { slot, value }: Fresh): boolean {
  const { old } = state;
  if (old === null) return false;
  state.old = { ...old, fits: old.fits + 1 };
  if (state.old.fits < RETURN_RUNS) return false;
  state.pool = old.pool;
  state.level = old.level;
  restoreSizes(state.errors, old);
  showValue(rules, state.pool, slot, value);
  state.accepted++;
  state.learned++;
  state.settled = Math.max(state.settled, SETTLED_ON_RETURN);
  state.old = null;
  state.before = null;
  state.breaches = [];
  return true;
}

function rememberDay(
  learner: Learner,
  main: Interval,
  { at, value }: Fresh,
  outside: boolean,
  other: Alternative | null,
): void {
  const { state, metric, setup } = learner;
  const by = { forecast: main.forecast, unit: metric.unit };
  const ordinary = !outside && other === null;
  noteDay(state.calendar, localDate(learner, at), setup.country, { value, by, ordinary });
}

/** Before the first value out of range is learned, keep what was known. */
function keepBefore(learner: Learner, slot: number, level: number): void {
  const { state, hours } = learner;
  const { hours: inHours, days, weeks } = RETURN_WITHIN;
  const span = hours < 24 ? Math.ceil(inHours / hours) : hours < 168 ? days : weeks;
  const kept = { level, reach: grownReach(learner), until: slot + span };
  state.before = keepLevel(state.pool, state.errors, kept);
}

function recordError(learner: Learner, known: Known, fresh: Fresh): void {
  const { state, metric, rules } = learner;
  const { outlook, main } = known;
  const { slot, normal } = fresh;
  const { forecast } = outlook;
  if (forecast === null) return;
  const wild = !normal && isWild(state.usual, learner.season, { ...fresh, forecast });
  const outcome = { forecast, phase: phaseAt(learner, slot), wild };
  const far = main === null ? 0 : Math.abs(awayFrom(main, fresh.value));
  const share = normal || far <= MOST_BEYOND ? 1 : MOST_BEYOND / far;
  const value = forecast + share * (fresh.value - forecast);
  const excused = normal && far > 1;
  const outside = !normal && far > 1;
  recordOutcome(state.errors, { ...outcome, value, outside, excused }, yardOf(learner), rules);
}

/** A value in range again before a shift: what was out of range was a fault, and is not learned. */
function settle({ state, rules }: Learner, { slot, value }: Fresh): void {
  const { before } = state;
  if (before !== null && state.breaches.length > 0) {
    state.pool = before.pool;
    restoreSizes(state.errors, before);
    showValue(rules, state.pool, slot, value);
  }
  state.breaches = [];
  state.before = null;
}

function noteBreach(
  learner: Learner,
  breach: { slot: number; value: number; above: boolean },
): void {
  const { state, rules } = learner;
  const sameSide = state.breaches.filter((earlier) => earlier.above === breach.above);
  state.breaches = [...sameSide, breach];
  if (state.breaches.length < SHIFT_RUNS) return;
  moveLevels(rules, state.pool, state.breaches);
  state.breaches = [];
  state.settled = 0;
  state.old ??= state.before;
  state.before = null;
}

/** The running size of the values; one wild value moves it little. */
function followLevel({ state, metric }: Learner, value: number, level: number): void {
  const most = state.learned > 5 ? 4 * level + metric.unit.grain : Number.POSITIVE_INFINITY;
  const rate = Math.max(0.05, 1 / (state.learned + 1));
  state.level = level + rate * (Math.min(Math.abs(value), most) - level);
}
