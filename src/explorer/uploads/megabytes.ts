// Sizes of files, as people say them.

const sizes: readonly [string, number][] = [
  ['GB', 1_000_000_000],
  ['MB', 1_000_000],
  ['kB', 1_000],
];
const short = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** A number of bytes, such as 48.2 MB. */
export function megabytes(bytes: number): string {
  const [unit, size] = sizes.find(([, least]) => bytes >= least) ?? ['kB', 1_000];
  return `${short.format(bytes / size)} ${unit}`;
}
