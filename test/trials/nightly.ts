// Strength of long tests: NIGHTLY=1 runs them whole, any other run a tenth of each with the same seeds every time.

const isNightly = process.env.NIGHTLY === '1';

/** All of a list at night; otherwise each tenth of it, or one of as many as is said, and its last. */
export function share<T>(list: readonly T[], each = 10): readonly T[] {
  return list.filter((_, n) => isNightly || n % each === 0 || n === list.length - 1);
}

/** How often something is tried: as often as is said at night, a tenth of that otherwise. */
export function runs(atNight: number): number {
  return isNightly ? atNight : Math.ceil(atNight / 10);
}
