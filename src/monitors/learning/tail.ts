// How far out an error must lie to be rare: quantiles of the errors that were seen.

import { z } from 'zod';

/** How far the range reaches to either side, in multiples of the errors' own size. */
export const TailReach = z.object({ below: z.number(), above: z.number() });
export type TailReach = z.infer<typeof TailReach>;

/** One error in multiples of the size that was expected of it, with its sign. */
export interface Standardised {
  readonly errors: readonly number[];
  /** 1 where the value was far from what its phase is as a rule, whatever was forecast. */
  readonly wild: readonly number[];
}

/** How a tail is fitted. */
export interface TailRules {
  /** The share of the points that is to lie beyond. */
  readonly rate: number;
  readonly tail: {
    /** The share of the errors that the tail is fitted to. */
    readonly share: number;
    /** How many points its usual scale counts for. */
    readonly points: number;
  };
}

/** Before there are errors: what would be rare among normal ones, and more. */
export const FIRST_REACH: TailReach = { below: 5, above: 5 };

/** How heavy tails are taken to be: the shape of a generalised Pareto distribution. */
const SHAPE = 0.15;
/** Where the tail begins, and its scale, as long as few errors are known. */
const USUAL_START = 2.2;
const USUAL_SCALE = 1;
/** How many points the start counts for. */
const START_POINTS = 15;
/** The same for one side, whose prior is both sides together. */
const SIDE_START_POINTS = 20;
/** Of the wildest points at most this share says nothing of how wide a range is. */
const LEFT_OUT = 0.05;

/** The tail beyond a high threshold, and the size that a share of the points lies beyond. */
interface Tail {
  readonly start: number;
  readonly scale: number;
  readonly quantile: number;
}

/**
 * The sizes, for each side, that a share of all points is to lie beyond: peaks over a threshold, with
 * a heavy tail as prior while points are few. Both sides lend each other what they lack.
 */
export function reachOf({ errors, wild }: Standardised, rules: TailRules): TailReach {
  const count = errors.length;
  const kept = withoutWildest(errors, wild).sort();
  const middle = firstAtLeast(kept, 0);
  const below = kept
    .subarray(0, middle)
    .map((error) => -error)
    .reverse();
  const above = kept.subarray(firstAtLeast(kept, Number.MIN_VALUE));
  const pooled = tailOf(kept.map(Math.abs).sort(), count, rules, null);
  return {
    below: tailOf(below, count / 2, rules, pooled).quantile,
    above: tailOf(above, count / 2, rules, pooled).quantile,
  };
}

function withoutWildest(errors: readonly number[], wild: readonly number[]): Float64Array {
  const sizes = errors.flatMap((error, i) => (wild[i] === 1 ? [Math.abs(error)] : []));
  if (sizes.length === 0) return Float64Array.from(errors);
  const most = Math.ceil(LEFT_OUT * errors.length);
  const least = sizes.sort((a, b) => b - a)[Math.min(most, sizes.length) - 1] ?? 0;
  return Float64Array.from(errors.filter((error, i) => wild[i] !== 1 || Math.abs(error) < least));
}

/** Sizes ascend; `count` is of how many points they are the larger ones. */
function tailOf(
  sizes: Float64Array,
  count: number,
  { rate, tail }: TailRules,
  prior: Tail | null,
): Tail {
  const peaks = Math.max(1, Math.round(tail.share * count));
  const first = Math.max(0, sizes.length - peaks);
  const seen = sizes[first - 1] ?? sizes[0] ?? 1;
  let excess = 0;
  for (let i = first; i < sizes.length; i++) excess += (sizes[i] ?? seen) - seen;
  const usual = prior?.scale ?? USUAL_SCALE;
  const scale = (excess + tail.points * usual) / (sizes.length - first + tail.points);
  const weight = count / (count + (prior ? SIDE_START_POINTS : START_POINTS));
  const start = weight * seen + (1 - weight) * (prior?.start ?? USUAL_START);
  return { start, scale, quantile: start + (scale * ((tail.share / rate) ** SHAPE - 1)) / SHAPE };
}

function firstAtLeast(ascending: Float64Array, least: number): number {
  const found = ascending.findIndex((value) => value >= least);
  return found < 0 ? ascending.length : found;
}
