// Tables that are often empty: when nothing comes, how much comes when something does.

import { z } from 'zod';
import type { Unit } from '../metric.ts';
import { median } from './expert.ts';
import type { Alternative, Interval } from './interval.ts';

/** What is remembered of the zeros, and of the values between them. */
export const SporadicState = z.object({
  /** 1 for each of the latest values that was zero, and the phase in which it was measured. */
  zeros: z.array(z.number()),
  phases: z.array(z.number()),
  /** The latest values that were not zero. */
  sizes: z.array(z.number()),
  /** Zeros in a row up to now, and how many there were before each of the latest others. */
  quiet: z.number(),
  quiets: z.array(z.number()),
});
export type SporadicState = z.infer<typeof SporadicState>;

const REMEMBERED = { values: 120, sizes: 60, quiets: 20 } as const;
/** A series is sporadic from this share of zeros on, of so many values. */
const LEAST_ZEROS = 0.15;
const LEAST_VALUES = 20;
/** Unless the phase says when the zeros come: of a weekend without rows nothing is sporadic. */
const MOST_EXPLAINED = 0.6;
/** Small counts are zero by chance, and their experts know by how much; larger ones are not. */
const LEAST_SIZE = 8;
/** What lies further from the rest, in mean deviations of the logarithm, is out of range. */
const SIZE_DEVIATIONS = 5;
/** A silence is overdue beyond so many mean deviations, and at least so many points. */
const QUIET_DEVIATIONS = 6;
const QUIET_POINTS = 2;
/** From this mean deviation on, in multiples of the median, silences have no rhythm. */
const CHANCE = 0.4;

/** In which ranges the values of a sporadic series lie. */
export interface Sporadic {
  /** Nothing; null when something is overdue. */
  readonly nothing: Alternative | null;
  readonly something: Alternative;
}

export function newSporadic(): SporadicState {
  return { zeros: [], phases: [], sizes: [], quiet: 0, quiets: [] };
}

/** What is in order for a sporadic series; null where this is none. */
export function sporadicRanges(state: SporadicState, unit: Unit, rate: number): Sporadic | null {
  const { zeros, sizes, quiet } = state;
  if (zeros.length < LEAST_VALUES || sizes.length === 0) return null;
  const share = zeros.reduce((sum, zero) => sum + zero, 0) / zeros.length;
  if (share < LEAST_ZEROS || share === 1 || explained(state, share) >= MOST_EXPLAINED) return null;
  if (median(sizes) < LEAST_SIZE * unit.grain) return null;
  const something = { ...sizesAround(sizes), because: 'what comes when something comes' };
  if (quiet + 1 > longestQuiet(state, share, rate)) return { nothing: null, something };
  const because = 'often nothing comes';
  return { nothing: { forecast: 0, below: unit.floor, above: unit.floor, because }, something };
}

/** Remember a value, zero or not. */
export function noteSporadic(state: SporadicState, value: number, phase: number): void {
  push(state.zeros, value === 0 ? 1 : 0, REMEMBERED.values);
  push(state.phases, phase, REMEMBERED.values);
  if (value === 0) {
    state.quiet++;
    return;
  }
  push(state.sizes, Math.abs(value), REMEMBERED.sizes);
  if (state.zeros.length > state.quiet + 1) push(state.quiets, state.quiet, REMEMBERED.quiets);
  state.quiet = 0;
}

/** A silence that went on for too long is what silences may be like from now on. */
export function allowQuiet(state: SporadicState): void {
  push(state.quiets, state.quiet, REMEMBERED.quiets);
}

function sizesAround(sizes: readonly number[]): Interval {
  const logs = sizes.map(Math.log);
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const off = logs.reduce((sum, log) => sum + Math.abs(log - mean), 0);
  const deviation = (off + 4 * 0.5) / (logs.length + 4);
  const allowed = SIZE_DEVIATIONS * (1 + 2 / logs.length) * deviation;
  const forecast = Math.exp(mean);
  const [low, high] = [Math.exp(mean - allowed), Math.exp(Math.min(700, mean + allowed))];
  return { forecast, below: forecast - low, above: high - forecast };
}

/** The longest silence in order: by how much silences vary, and where they come by chance, by the rate. */
function longestQuiet({ quiets }: SporadicState, share: number, rate: number): number {
  if (quiets.length < 3) return Number.POSITIVE_INFINITY;
  const usual = median(quiets);
  const off = quiets.reduce((sum, quiet) => sum + Math.abs(quiet - usual), 0) / quiets.length;
  const allowed = QUIET_DEVIATIONS * off * (1 + 2 / quiets.length);
  const byRhythm = usual + Math.max(QUIET_POINTS, allowed);
  if (off < CHANCE * usual) return byRhythm;
  return Math.max(byRhythm, Math.log(rate / 2) / Math.log(share));
}

/** How much of whether a value is zero its phase explains: 1 is all of it. */
function explained({ zeros, phases }: SporadicState, share: number): number {
  const counts = new Map<number, { zeros: number; all: number }>();
  for (const [i, phase] of phases.entries()) {
    const count = counts.get(phase) ?? { zeros: 0, all: 0 };
    count.zeros += zeros[i] ?? 0;
    count.all++;
    counts.set(phase, count);
  }
  if (counts.size === 1) return 0;
  let mixed = 0;
  for (const count of counts.values()) mixed += Math.min(count.zeros, count.all - count.zeros);
  return 1 - mixed / zeros.length / Math.min(share, 1 - share);
}

function push(list: number[], item: number, most: number): void {
  list.push(item);
  if (list.length > most) list.shift();
}
