// Series that never are zero: for them a zero is a fault, however wide the range is.

import { z } from 'zod';
import type { Unit } from '../metric.ts';
import type { Interval } from './interval.ts';

/** What is remembered of zeros. */
export const PositiveState = z.object({
  /** Values since the last zero. */
  since: z.number(),
  /** How often zeros came, each time some in a row. */
  episodes: z.number(),
  /** Zeros are coming now. */
  isZero: z.boolean(),
  /** The smallest value so far. */
  least: z.number().nullable(),
});
export type PositiveState = z.infer<typeof PositiveState>;

/** After so many values none of which was zero a zero is a fault. */
const LEAST_VALUES = 30;
/** Zeros that came so often are a part of the series. */
const MOST_EPISODES = 3;
/** The least value in order is this share of the forecast, or one of what is counted by ones. */
const LEAST_SHARE = 0.001;
/** Values are far from zero that were never below this share of the forecast. */
const FAR_SHARE = 0.2;

export function newPositive(): PositiveState {
  return { since: 0, episodes: 0, isZero: false, least: null };
}

/** Whether a zero is a fault, whatever was learned of how values vary. */
export function isNeverZero({ since, episodes }: PositiveState): boolean {
  return since >= LEAST_VALUES && episodes < MOST_EPISODES;
}

/** An interval without zero and what lies below it, where values have stayed away from there. */
export function aboveZero<Where extends Interval>(
  interval: Where,
  { grain, min }: Unit,
  { least }: PositiveState,
): Where {
  const { forecast, below } = interval;
  const isNear = least === null || least <= 0 || (min === null && least < FAR_SHARE * forecast);
  if (forecast <= 0 || isNear) return interval;
  const lowest = Math.min(grain, LEAST_SHARE * forecast);
  return { ...interval, below: Math.min(below, forecast - lowest) };
}

/** Take in whether a value is zero. A zero that is a fault changes nothing until it is over. */
export function noteZero(state: PositiveState, value: number, isFault: boolean): void {
  if (!isFault) state.least = Math.min(state.least ?? value, value);
  if (value === 0) {
    state.isZero = true;
    if (!isFault) state.since = 0;
    return;
  }
  if (state.isZero) {
    state.episodes++;
    state.since = 0;
  }
  state.isZero = false;
  state.since++;
}
