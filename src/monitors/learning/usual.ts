// What the same phase of earlier seasons was, to tell wild values from ordinary ones.

import { z } from 'zod';
import { median } from './expert.ts';

/** The values of the latest seasons, each at the place of its slot; null where there was none. */
export const UsualState = z.object({ values: z.array(z.number().nullable()) });
export type UsualState = z.infer<typeof UsualState>;

/** So many seasons are looked back. */
const SEASONS = 6;
/** Of few events there are half or twice as many by chance: what is wild is so many deviations off. */
const CHANCE_DEVIATIONS = 2.5;

export function newUsual(): UsualState {
  return { values: [] };
}

/**
 * Whether a value is less than half or more than twice what its phase was of late, or than what was
 * forecast, and further off than events that are counted by the unit's grain are by chance. Around
 * zero nothing is.
 */
export function isWild(
  { values }: UsualState,
  season: number,
  at: { slot: number; value: number; forecast: number | null; grain: number },
): boolean {
  const around: number[] = at.forecast === null ? [] : [at.forecast];
  for (let back = 1; back <= SEASONS; back++) {
    const earlier = values[placeOf(at.slot - back * season, season)] ?? null;
    if (earlier !== null) around.push(earlier);
  }
  if (around.length === 0) return false;
  const usual = median(around);
  if (!(usual > 0)) return false;
  const chance = CHANCE_DEVIATIONS * Math.sqrt(usual * at.grain);
  return (
    at.value < usual - Math.max(usual / 2, chance) || at.value > usual + Math.max(usual, chance)
  );
}

/** Remember a value; the slots between it and the one before had none. */
export function noteValue(
  { values }: UsualState,
  season: number,
  { slot, value, lastSlot }: { slot: number; value: number; lastSlot: number | null },
): void {
  const places = SEASONS * season;
  while (values.length < places) values.push(null);
  const first = Math.max(lastSlot === null ? slot : lastSlot + 1, slot - places);
  for (let between = first; between < slot; between++) values[placeOf(between, season)] = null;
  values[placeOf(slot, season)] = Number(value.toPrecision(5));
}

/** The value of a slot of the latest seasons up to the newest value; null where there was none. */
export function valueAt({ values }: UsualState, season: number, slot: number): number | null {
  return values[placeOf(slot, season)] ?? null;
}

const placeOf = (slot: number, season: number): number => {
  const places = SEASONS * season;
  return ((slot % places) + places) % places;
};
