// What a range makes of a value.

import { type Bounds, judge, type Learned, type NewLevel, type Verdict } from './threshold.ts';

/** What the range known before a value makes of it. */
export interface Judgement extends Bounds {
  readonly verdict: Verdict;
  /** Where the value is at a new level; null where it isn't. */
  readonly level: NewLevel | null;
  /** How the range came about, for the measurement to keep. */
  readonly explanation: Explanation;
}

/** How a range came about; JSON. */
export type Explanation = Readonly<Record<string, string | number | null>>;

/** The judgement of what was learned. */
export function judgementOf({ range, verdict, level }: Learned): Judgement {
  const { lower, upper, day, ...rest } = range;
  const { mean = null, expected = null, lowest = null, highest = null } = day ?? {};
  const drifted = { dayMean: mean, dayExpected: expected, dayLowest: lowest, dayHighest: highest };
  const explanation = { by: 'learning', verdict, ...rest, ...(day === null ? {} : drifted) };
  return { lower, upper, verdict, level, explanation };
}

/** Of a value that is not judged: nothing is expected of it. */
export const notJudged: Judgement = {
  ...{ lower: null, upper: null, verdict: 'learning', level: null },
  explanation: { by: 'maintenance', verdict: 'learning' },
};

/** The judgement by a range that a person gave. */
export function judgementByHand(bounds: Bounds, value: number): Judgement {
  const verdict = judge(value, bounds);
  return { ...bounds, verdict, level: null, explanation: { by: 'hand', verdict, ...bounds } };
}
