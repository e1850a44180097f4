// Bars of time, which a busy machine may not keep.

/** Whether they are held to. `npm run gates -- --no-times` only reports what misses them. */
export const isTimed = process.env.NO_TIMES !== '1';

/** Of faults that are of time those that count: all of them, or none, where they are only printed. */
export function ofTime(faults: readonly string[]): readonly string[] {
  if (isTimed) return faults;
  for (const fault of faults) console.log(`Only reported, for it is of time: ${fault}`);
  return [];
}
