// The slow look: whether the last day as a whole has drifted from the same hours of the weeks before.

import { z } from 'zod';
import type { Unit } from '../metric.ts';
import { median } from './expert.ts';
import { type UsualState, valueAt } from './usual.ts';

/** What is remembered of how days stood to the same hours of the weeks before. */
export const DriftState = z.object({
  /** Logarithms of how many times as much a day was, a few looks each day, oldest first. */
  looks: z.array(z.number()),
  /** The usual one, and how far from it another is in order; null where days vary too much, or few are known. */
  usual: z.object({ centre: z.number(), allowed: z.number() }).nullable(),
  /** Nothing is said before this slot: a drift was said, the level shifted, or a value strayed. */
  quietUntil: z.number().nullable(),
  /** The last value that strayed: what it said need not be said of its day again. */
  stray: z.object({ slot: z.number(), above: z.boolean() }).nullable(),
});
export type DriftState = z.infer<typeof DriftState>;

/** A day besides the same hours of an earlier week. */
export interface Look {
  /** How many times as much it was, as a logarithm, and what that is as a rule. */
  readonly ratio: number;
  readonly centre: number;
  /** How far a ratio may lie from what it is as a rule. */
  readonly allowed: number;
  /** The day's mean, and in which range it was to be expected. */
  readonly mean: number;
  readonly expected: number;
  readonly lowest: number;
  readonly highest: number;
  /** Where the newest value would have had to lie for that, by the others of the day. */
  readonly lower: number;
  readonly upper: number;
}

/** Where a slot lies in its seasons: how many slots make a day, and a week. */
export interface Rhythm {
  readonly day: number;
  readonly week: number;
}

/** A newest value, with the slot of the one before. */
interface Newest {
  readonly slot: number;
  readonly value: number;
  readonly lastSlot: number | null;
}

/** A day is held against those one and two weeks ago, and the nearer one counts. */
const WEEKS = [1, 2] as const;
/** Of a day's slots so many must have values, then and now. */
const LEAST_PAIRS = 0.75;
/** Looks that are taken a day, remembered, and needed. */
const LOOKS_A_DAY = 4;
const REMEMBERED = 60;
const NEEDED = 28;
/** No one wants to be asked about a day that is 8% more or less. */
const LEAST_ALLOWED = 0.08;
/** Days that are a third more or less by themselves say nothing of a drift. */
const MOST_ALLOWED = 0.3;
/** What else is in order, in deviations, at sensitivity 5; and how that goes with the rate. */
const DEVIATIONS = 4;
const USUAL_RATE = 0.005;
const BY_RATE = 0.15;
/** A median absolute deviation is as much of a standard deviation, if errors are normal. */
const PER_MAD = 1.4826;
/** What days vary by as long as few are known, and for how many days that counts. */
const USUAL_DEVIATION = 0.06;
const USUAL_DAYS = 3;
/** So many days after a drift or a shift a week ago is as it is now. */
const QUIET_DAYS = 8;
/** For so many days a value that strayed has said that its day moved. */
const SAID_DAYS = 2;

export function newDrift(): DriftState {
  return { looks: [], usual: null, quietUntil: null, stray: null };
}

/** The last day, the newest value included, besides earlier weeks; null where that can't be determined. */
export function lookBack(
  { usual, quietUntil }: DriftState,
  values: UsualState,
  rhythm: Rhythm,
  newest: Newest,
): Look | null {
  if (usual === null || (quietUntil !== null && newest.slot < quietUntil)) return null;
  const nearest = nearestDay(values, rhythm, newest);
  if (nearest === null) return null;
  const { now, then, pairs } = nearest;
  const { centre, allowed } = usual;
  const [low, high] = [then * Math.exp(centre - allowed), then * Math.exp(centre + allowed)];
  const rest = now - newest.value;
  const range = { lower: low - rest, upper: high - rest };
  const day = { mean: now / pairs, expected: (then * Math.exp(centre)) / pairs };
  const bounds = { lowest: low / pairs, highest: high / pairs };
  return { ratio: Math.log(now / then), centre, allowed, ...day, ...bounds, ...range };
}

/** How far a day lies from what it is as a rule, in multiples of what is allowed; negative below. */
export const driftOf = ({ ratio, centre, allowed }: Look): number => (ratio - centre) / allowed;

/** True where the mean of the day has moved by more than is worth a word. */
export const isWorthIt = ({ mean, expected }: Look, unit: Unit): boolean =>
  Math.abs(mean - expected) > unit.floor;

/** Take a newest value in. Call it before the value is noted among the usual ones. */
export function noteLook(
  state: DriftState,
  values: UsualState,
  rhythm: Rhythm,
  newest: Newest,
  rate: number,
): void {
  const each = Math.max(1, Math.round(rhythm.day / LOOKS_A_DAY));
  if (newest.slot % each !== 0) return;
  if (state.quietUntil !== null && newest.slot < state.quietUntil) return;
  const nearest = nearestDay(values, rhythm, newest);
  if (nearest === null) return;
  const ratio = Math.log(nearest.now / nearest.then);
  state.looks.push(Math.round(1e5 * ratio) / 1e5);
  if (state.looks.length > REMEMBERED) state.looks.shift();
  state.usual = usualOf(state.looks, rate);
}

/** Whether a value that strayed to the same side has said of late what a look says. */
export function isSaid({ stray }: DriftState, { day }: Rhythm, slot: number, look: Look): boolean {
  if (stray === null || slot - stray.slot > SAID_DAYS * day) return false;
  return stray.above === driftOf(look) > 0;
}

/** Say nothing for a day: a value strayed, and is part of it. */
export function quietForDay(
  state: DriftState,
  { day }: Rhythm,
  slot: number,
  above: boolean,
): void {
  state.stray = { slot, above };
  state.quietUntil = Math.max(state.quietUntil ?? slot, slot + day);
}

/** Say nothing until a week ago is as it is now. */
export function quietForWeek(state: DriftState, { day }: Rhythm, slot: number): void {
  state.quietUntil = slot + QUIET_DAYS * day;
}

function usualOf(looks: readonly number[], rate: number): DriftState['usual'] {
  if (looks.length < NEEDED) return null;
  const days = looks.length / LOOKS_A_DAY;
  const centre = (median(looks) * days) / (days + 2);
  const off = PER_MAD * median(looks.map((look) => Math.abs(look - centre)));
  const prior = USUAL_DAYS * USUAL_DEVIATION ** 2;
  const deviation = Math.sqrt((days * off ** 2 + prior) / (days + USUAL_DAYS));
  const deviations = DEVIATIONS * (USUAL_RATE / rate) ** BY_RATE;
  const allowed = Math.max(LEAST_ALLOWED, deviations * deviation);
  return allowed > MOST_ALLOWED ? null : { centre, allowed };
}

/** The sums of a day and of the same slots a week or two ago, of the week in which they differ less. */
function nearestDay(
  values: UsualState,
  { day, week }: Rhythm,
  { slot, value, lastSlot }: Newest,
): { now: number; then: number; pairs: number } | null {
  let nearest: { now: number; then: number; pairs: number } | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const weeks of WEEKS) {
    let [now, then, pairs] = [0, 0, 0];
    for (let back = 0; back < day; back++) {
      const at = slot - back;
      const isKnown = lastSlot !== null && at <= lastSlot;
      const here = back === 0 ? value : isKnown ? valueAt(values, week, at) : null;
      const there = valueAt(values, week, at - weeks * week);
      if (here === null || there === null) continue;
      now += here;
      then += there;
      pairs++;
    }
    if (pairs < LEAST_PAIRS * day || now <= 0 || then <= 0) continue;
    const off = Math.abs(Math.log(now / then));
    if (off >= least) continue;
    least = off;
    nearest = { now, then, pairs };
  }
  return nearest;
}
