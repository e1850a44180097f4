// What a value that fills its slot teaches a learner: of levels, errors, days, shifts.

import { noteDay } from './calendar/calendar.ts';
import { noteLook, quietForDay, quietForWeek } from './drift.ts';
import { lookAhead, moveLevels, showValue, type Teaching, teach } from './experts.ts';
import { type Alternative, awayFrom, type Interval, isIn } from './interval.ts';
import { grownReach, type Known, yardOf } from './known.ts';
import { type Learner, localDate, phaseAt } from './learner.ts';
import { keepLevel, restoreSizes } from './old-level.ts';
import { newPositive, noteZero } from './positive.ts';
import { forgetLatest, recordOutcome, resize } from './scale.ts';
import { allowQuiet, noteSporadic } from './sporadic.ts';
import { isWild, noteValue } from './usual.ts';

/** A value with the slot that it fills. */
export interface Fresh {
  readonly slot: number;
  readonly value: number;
  readonly at: number;
  readonly normal: boolean;
  /** A person has said that the level here is the new normal. */
  readonly newLevel: boolean;
}

/** This many values in a row out of range on one side are the new normal. */
const SHIFT_RUNS = 3;
/** Levels that shifted so often for good shift again: what such a shift errs is no fault. */
const RARE_SHIFTS = 2;
/** Ages by which data came within so much of each other are those of one load. */
const SAME_LOAD = 600_000;
/** So many values in a row that fit the level before a shift are a return to it. */
const RETURN_RUNS = 2;
/** A value out of range counts as so many times what was allowed at most. */
const MOST_BEYOND = 1.5;
/** Points after a return for which a range is wider. */
const SETTLED_ON_RETURN = 20;
/** How long a series may return to the level before a shift: a week of hours, four of days. */
const RETURN_WITHIN = { hours: 168, days: 28, weeks: 12 } as const;

/** By the rhythm of loads nothing but the loads is learned; the experts look on. */
export function learnArrival(learner: Learner, { slot, value }: Fresh): void {
  const { state, rules } = learner;
  showValue(rules, state.pool, slot, value);
  state.accepted++;
  state.learned++;
  forgetShift(learner);
}

/** Learn from a value: whole where it is in range, as far as allowed or not at all where it isn't. */
export function learnValue(
  learner: Learner,
  known: Known,
  other: Alternative | null,
  fresh: Fresh,
): void {
  const { state, rules, metric } = learner;
  const { main } = known;
  const { slot, value, normal } = fresh;
  const isOut = main !== null && (value === known.fault || !isIn(main, value));
  const outside = isOut && !normal;
  const isBreach = outside && other === null && !fresh.newLevel;
  if (other !== null && other === known.old && !normal) {
    if (returnTo(learner, fresh)) return;
  } else if (state.old !== null) {
    if (slot > state.old.until) state.shifts++;
    state.old = slot > state.old.until ? null : { ...state.old, fits: 0 };
  }
  const isHeld = isBreach && isOneFault(learner, known, fresh);
  noteZero(state.positive, value, isHeld);
  if (isHeld) return;
  if (!isBreach) state.late = null;
  noteSporadic(state.sporadic, value, phaseAt(learner, slot) ?? 0);
  if (fresh.newLevel) takeLevel(learner, fresh, outside);
  if (main !== null && learner.hours === 24) rememberDay(learner, main, fresh, outside, other);
  const earlier = state.level;
  followLevel(learner, value, earlier);
  if (isBreach && state.breaches.length === 0) keepBefore(learner, slot, earlier);
  if ((other === null && !fresh.newLevel) || normal) recordError(learner, known, fresh);
  noteDrift(learner, fresh, isBreach ? awayFrom(main, value) : 0);
  noteValue(state.usual, learner.season, { slot, value, lastSlot: state.lastSlot });
  const as: Teaching = !isBreach
    ? outside
      ? 'nothing'
      : 'whole'
    : known.sporadic
      ? 'nothing'
      : 'limited';
  if (!fresh.newLevel) teach(rules, state.pool, known.outlook, { value, as }, state.level);
  state.learned++;
  state.settled++;
  const astray = isBreach ? main : strayedFrom(known, fresh);
  if (astray !== null) {
    noteBreach(learner, { slot, value, above: awayFrom(astray, value) > 0 });
    if (isBreach && metric.unit.min === 0 && value === 0 && state.breaches.length === 0) {
      allowQuiet(state.sporadic);
    }
  } else {
    state.accepted++;
    if (!outside) settle(learner, fresh);
  }
}

/** What a value would lie in if the fault before it were over; null where it does, or there was none. */
function strayedFrom({ before }: Known, { value, normal, newLevel }: Fresh): Interval | null {
  return before === null || normal || newLevel || isIn(before, value) ? null : before;
}

/**
 * Whether a value out of range is a fault that goes on, of which nothing is learned: a zero where there
 * never are any, the age of data that still has not come, and all of what no level is to follow.
 */
function isOneFault({ state, metric, setup }: Learner, known: Known, fresh: Fresh): boolean {
  if (setup.adaptation === 'robust' || fresh.value === known.fault) return true;
  if (!metric.upperOnly) return false;
  const load = fresh.at - 1000 * fresh.value;
  const isSame = state.late !== null && Math.abs(load - state.late) <= SAME_LOAD;
  state.late = load;
  return isSame;
}

/** The level here is the new normal, as a person said. */
function takeLevel(learner: Learner, { slot, value }: Fresh, outside: boolean): void {
  const { state, rules } = learner;
  if (outside) shiftTo(learner, [...state.breaches, { slot, value }]);
  showValue(rules, state.pool, slot, value);
  if (value <= 0) state.positive = newPositive();
  forgetShift(learner);
}

function forgetShift({ state }: Learner): void {
  state.breaches = [];
  state.before = null;
  state.old = null;
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
  const { state, rules, metric } = learner;
  const { outlook, main } = known;
  const { slot, normal } = fresh;
  const { grain } = metric.unit;
  const { forecast } = outlook;
  if (forecast === null) return;
  const wild = !normal && isWild(state.usual, learner.season, { ...fresh, forecast, grain });
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

/** The slow look takes a value in; `breach` is how far it is out of range, 0 where it isn't. */
function noteDrift({ state, rules, rhythm }: Learner, fresh: Fresh, breach: number): void {
  if (rhythm === null) return;
  const { slot, value } = fresh;
  const newest = { slot, value, lastSlot: state.lastSlot };
  if (breach !== 0) quietForDay(state.drift, rhythm, slot, breach > 0);
  else noteLook(state.drift, state.usual, rhythm, newest, rules.rate);
}

function noteBreach(
  learner: Learner,
  breach: { slot: number; value: number; above: boolean },
): void {
  const { state, rhythm } = learner;
  const sameSide = state.breaches.filter((earlier) => earlier.above === breach.above);
  state.breaches = [...sameSide, breach];
  if (state.breaches.length < SHIFT_RUNS) return;
  if (state.shifts < RARE_SHIFTS) forgetLatest(state.errors, SHIFT_RUNS);
  shiftTo(learner, state.breaches);
  if (rhythm !== null) quietForWeek(state.drift, rhythm, breach.slot);
  state.breaches = [];
  state.old ??= state.before;
  state.before = null;
}

/** Move the levels to where the newest values are, and the errors' size with them. */
function shiftTo(
  learner: Learner,
  points: readonly { readonly slot: number; readonly value: number }[],
): void {
  const { state, rules } = learner;
  const slot = (points.at(-1)?.slot ?? 0) + 1;
  const from = lookAhead(rules, state.pool, slot).forecast;
  moveLevels(rules, state.pool, points);
  const to = lookAhead(rules, state.pool, slot).forecast;
  if (from !== null && to !== null) resize(state.errors, { from, to }, yardOf(learner));
  state.settled = 0;
}

/** The running size of the values; one wild value moves it little. */
function followLevel({ state, metric }: Learner, value: number, level: number): void {
  const most = state.learned > 5 ? 4 * level + metric.unit.grain : Number.POSITIVE_INFINITY;
  const rate = Math.max(0.05, 1 / (state.learned + 1));
  state.level = level + rate * (Math.min(Math.abs(value), most) - level);
}
