// What a value that fills its slot teaches a learner: of levels, errors, days, shifts.

import { noteDay } from './calendar.ts';
import { noteLook, quietForDay, quietForWeek } from './drift.ts';
import { moveLevels, showValue, type Teaching, teach } from './experts.ts';
import { type Alternative, awayFrom, type Interval, isIn } from './interval.ts';
import { grownReach, type Known, yardOf } from './known.ts';
import { type Learner, localDate, phaseAt } from './learner.ts';
import { keepLevel, restoreSizes } from './old-level.ts';
import { forgetLatest, recordOutcome } from './scale.ts';
import { allowQuiet, noteSporadic } from './sporadic.ts';
import { isWild, noteValue } from './usual.ts';

/** A value with the slot that it fills. */
export interface Fresh {
  readonly slot: number;
  readonly value: number;
  readonly at: number;
  readonly normal: boolean;
}

/** This many values in a row out of range on one side are the new normal. */
const SHIFT_RUNS = 3;
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
  const breach = outside && other === null && main !== null ? awayFrom(main, value) : 0;
  noteDrift(learner, fresh, breach);
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
  const { state, rules, rhythm } = learner;
  const sameSide = state.breaches.filter((earlier) => earlier.above === breach.above);
  state.breaches = [...sameSide, breach];
  if (state.breaches.length < SHIFT_RUNS) return;
  forgetLatest(state.errors, SHIFT_RUNS);
  moveLevels(rules, state.pool, state.breaches);
  if (rhythm !== null) quietForWeek(state.drift, rhythm, breach.slot);
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
