// The range that a learner knows for a slot, from all that it remembers.

import { clampToUnit, floorAround } from '../metric.ts';
import { otherDays } from './calendar/calendar.ts';
import { lookAhead, type Outlook } from './experts.ts';
import type { Alternative, Interval } from './interval.ts';
import { type Learner, localDate, phaseAt } from './learner.ts';
import { oldRange } from './old-level.ts';
import { aboveZero, isNeverZero } from './positive.ts';
import { reachNow, type Scale, usualError } from './scale.ts';
import { sporadicRanges } from './sporadic.ts';
import type { TailReach } from './tail.ts';

/** What set the width: errors of late, the unit's floor, the rhythm of loads, sizes of batches, a drift, or that there never was a zero. */
export type WidthFrom = 'errors' | 'floor' | 'arrivals' | 'sizes' | 'drift' | 'zero';

/** What is known of a slot's value before it is measured. */
export interface Known {
  readonly outlook: Outlook;
  /** Where it lies as a rule; null while learning. */
  readonly main: Interval | null;
  readonly model: string | null;
  readonly usualError: number | null;
  readonly widthFrom: WidthFrom | null;
  /** How errors grow with the forecast. */
  readonly scale: Scale;
  /** Where else it may lie. */
  readonly also: readonly Alternative[];
  /** The one value that is out of range wherever that lies: zero where there never was one; null for none. */
  readonly fault: number | null;
  /** It often is zero, and such values teach the experts nothing. */
  readonly sporadic: boolean;
  /** Where it lies if the level before the last shift has come back. */
  readonly old: Alternative | null;
  /** Where it lies if what was out of range just now was a fault; null after a value in order. */
  readonly before: Alternative | null;
}

/** The errors of so many forecasts must be known. */
const LEAST_ERRORS = 4;
/** A range is wider by 3/n as long as few errors are known. */
const YOUTH = 3;
/** What a range widens with each doubling of a gap. */
const GAP_WIDENING = 0.12;

/**
 * What the learner knows of the value measured at an instant, by earlier values and not by their growth.
 * Changes nothing.
 */
export function knownAt(learner: Learner, at: number, slot: number): Known {
  const { state, rules, metric, needed } = learner;
  const outlook = lookAhead(rules, state.pool, slot);
  const nothing = { outlook, scale: state.errors.best, ...NOTHING };
  if (state.accepted < needed) return nothing;
  const due = learner.metric.upperOnly && learner.hours < 24 ? state.arrivals.due : null;
  if (due !== null) return { ...nothing, ...untilDue(learner, at, due) };
  if (outlook.forecast === null || state.errors.scored < LEAST_ERRORS) return nothing;
  const { forecast, model } = outlook;
  const rare = metric.unit.min === 0 && !metric.upperOnly;
  const sporadic = rare ? sporadicRanges(state.sporadic, metric.unit, rules.rate) : null;
  const fault = sporadic === null && zeroIsFault(learner) ? 0 : null;
  const bounded = <Where extends Interval>(interval: Where): Where =>
    fault === null ? interval : aboveZero(interval, metric.unit, state.positive);
  const main = bounded(around(learner, outlook, forecast));
  const error = usualError(state.errors, forecast, phaseAt(learner, slot), yardOf(learner));
  const floor = floorAround(forecast, metric.unit);
  const widthFrom = Math.max(main.below, main.above) > floor ? 'errors' : 'floor';
  const { scale } = nothing;
  const width = { usualError: error, widthFrom, scale } as const;
  const known = { outlook, main, model, ...width, fault, before: null, sporadic: false } as const;
  const old = state.old === null ? null : oldRange(rules, state.old, slot, metric.unit);
  const last = state.breaches.length === 0 ? null : state.before;
  const before = last === null ? null : oldRange(rules, last, slot, metric.unit);
  const also = learner.hours === 24 ? daysLike(learner, at, outlook, forecast) : [];
  if (sporadic === null) {
    return { ...known, also: also.map(bounded), old: old && bounded(old), before };
  }
  const { nothing: zero, something } = sporadic;
  if (zero !== null) return { ...known, also: [...also, zero, something], old, sporadic: true };
  // Something is overdue: that nothing came is not in order, even if it is what mostly happens.
  const overdue = { main: something, widthFrom: 'sizes', also, old, sporadic: true } as const;
  return { ...known, ...overdue, model: 'what comes when something comes' };
}

/** Whether a zero is out of range, however much the values vary. */
export const zeroIsFault = ({ metric, state }: Learner): boolean =>
  !metric.upperOnly && isNeverZero(state.positive);

const NOTHING = {
  main: null,
  model: null,
  usualError: null,
  widthFrom: null,
  also: [],
  fault: null,
  sporadic: false,
  old: null,
  before: null,
} as const;

/** Data may be as old as it is when the next load is late, and as fresh as it likes. */
function untilDue(learner: Learner, at: number, due: { at: number; late: number }): Partial<Known> {
  const last = learner.state.arrivals.loads.at(-1) ?? at;
  const forecast = Math.max(0, (due.at - last) / 1000);
  const above = Math.max(0, (due.late - last) / 1000) - forecast;
  const main = { forecast, below: Number.POSITIVE_INFINITY, above };
  const usual = above / 2;
  return { main, model: 'rhythm of loads', usualError: usual, widthFrom: 'arrivals' };
}

/** How far a value may lie from a forecast at the outlook's slot. */
function around(learner: Learner, { slot, widening }: Outlook, forecast: number): Interval {
  const { state, metric } = learner;
  const error = usualError(state.errors, forecast, phaseAt(learner, slot), yardOf(learner));
  const gap = state.lastSlot === null ? 1 : slot - state.lastSlot;
  const longer = gap > 1 ? 1 + GAP_WIDENING * Math.log2(gap) : 1;
  const { below, above } = grownReach(learner);
  const floor = floorAround(forecast, metric.unit);
  const reach = (side: number): number => Math.max(floor, side * error * longer * widening);
  return { forecast, below: reach(below), above: reach(above) };
}

/** How far a range reaches, in usual errors: further while few of them are known. */
export function grownReach({ state }: Learner): TailReach {
  const { below, above } = reachNow(state.errors);
  const growth = 1 + YOUTH / Math.max(3, Math.min(state.errors.scored, state.settled));
  return { below: growth * below, above: growth * above };
}

/** What a daily value may be because of its date. */
function daysLike(
  learner: Learner,
  at: number,
  outlook: Outlook,
  forecast: number,
): readonly Alternative[] {
  const { rules, state, metric, setup } = learner;
  return otherDays(state.calendar, localDate(learner, at), setup.country, {
    unit: metric.unit,
    forecast,
    later: (days) => {
      const there = lookAhead(rules, state.pool, outlook.slot + days).forecast;
      return there === null ? null : clampToUnit(there, metric.unit);
    },
    around: (other) => around(learner, outlook, other),
  });
}

/** What errors are measured against now. */
export const yardOf = ({ metric, state, rules }: Learner) => ({
  unit: metric.unit,
  level: state.level,
  steadiness: rules.steadiness,
  amounts: rules.amounts,
});
