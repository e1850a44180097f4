// What was known before a fault or a shift, to which a series may return.

import { z } from 'zod';
import { floorAround, type Unit } from '../metric.ts';
import { lookAhead, type PoolRules, PoolState } from './experts.ts';
import type { Alternative } from './interval.ts';
import {
  type ErrorRecord,
  type ErrorRules,
  ErrorSize,
  SCALES,
  sizeOf,
  yardstick,
} from './scale.ts';
import { TailReach } from './tail.ts';

/** The experts and the errors' size as they were before a value that was out of range. */
export const OldLevel = z.object({
  pool: PoolState,
  level: z.number(),
  best: z.enum(SCALES),
  sizes: z.object({ constant: ErrorSize, proportional: ErrorSize, root: ErrorSize }),
  reach: TailReach,
  /** The last slot at which a return to it is believed. */
  until: z.number(),
  /** Values in a row that were out of range now, and in range then. */
  fits: z.number(),
});
export type OldLevel = z.infer<typeof OldLevel>;

/** A return is recognized by values that would have been in range then, by a tenth more. */
const WIDENING = 1.1;

/** Keep what is known now; nothing that is learned later changes it. */
export function keepLevel(
  pool: PoolState,
  errors: ErrorRecord,
  { level, reach, until }: { level: number; reach: TailReach; until: number },
): OldLevel {
  const { constant, proportional, root } = errors.scales;
  const sizes = {
    constant: kept(constant),
    proportional: kept(proportional),
    root: kept(root),
  };
  return { pool: structuredClone(pool), level, best: errors.best, sizes, reach, until, fits: 0 };
}

/** Make the errors as large as they were then. */
export function restoreSizes(errors: ErrorRecord, { sizes, best }: OldLevel): void {
  if (errors.best !== best) errors.due = 0;
  errors.best = best;
  for (const scale of SCALES) Object.assign(errors.scales[scale], kept(sizes[scale]));
}

const kept = ({ mean, slow }: ErrorSize): ErrorSize => ({ mean, slow });

/** Where a value lies if the series has returned; null where that can't be determined. */
export function oldRange(
  rules: PoolRules & ErrorRules,
  old: OldLevel,
  slot: number,
  unit: Unit,
): Alternative | null {
  if (slot > old.until) return null;
  const { forecast, widening } = lookAhead(rules, old.pool, slot);
  if (forecast === null) return null;
  const size = yardstick(old.best, forecast, { unit, level: old.level });
  const error = WIDENING * widening * sizeOf(old.sizes[old.best], rules) * size;
  const floor = floorAround(forecast, unit);
  return {
    forecast,
    below: Math.max(floor, old.reach.below * error),
    above: Math.max(floor, old.reach.above * error),
    because: 'the level is again what it was before the last shift',
  };
}
