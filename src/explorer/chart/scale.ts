// The scales of a chart: which values and moments lie where. Pure, without a page.

/** A measurement as the chart needs it. */
export interface ChartPoint {
  readonly id: string;
  readonly createdAt: string;
  readonly value: number;
  readonly lowerThreshold: number | null;
  readonly upperThreshold: number | null;
  readonly incidentId: string | null;
  readonly markedNormal: boolean;
}

/** What was, or would have been, expected at a moment. */
export interface Band {
  readonly at: number;
  readonly lower: number | null;
  readonly upper: number | null;
}

/** The room that a chart has, in pixels; lines of text are outside of the paper. */
export const paper = { height: 270, left: 62, right: 14, top: 14, bottom: 28 };

const roomBelow = 0.15;
const roomAbove = 0.25;

/** A chart's scales. */
export interface Scale {
  readonly x: (time: number) => number;
  /** Where a value lies; what is beyond the scale lies at its edge. */
  readonly y: (value: number) => number;
  readonly isBeyond: (value: number) => boolean;
  readonly first: number;
  readonly last: number;
  readonly least: number;
  readonly most: number;
}

/** Besides the middle nine tenths, values are within the scale that lie so many times their height away. */
const reach = 3;
const ends = 0.05;

/** The lowest and highest value of the bulk: a few wild ones count for nothing. */
function bulkOf(values: readonly number[]): readonly [number, number] {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  const [low, high] = [at(ends), at(1 - ends)];
  const room = (high - low || Math.abs(high) || 1) * reach;
  const bulk = sorted.filter((value) => value >= low - room && value <= high + room);
  return [bulk[0] ?? low, bulk.at(-1) ?? high];
}

/**
 * The scales for measurements, oldest first: they follow what was expected and what was in order, so that one
 * wild value does not flatten the rest.
 */
export function scaleOf(
  points: readonly ChartPoint[],
  bands: readonly Band[],
  width: number,
): Scale {
  const usual = [
    ...bands.flatMap(({ lower, upper }) => [lower, upper]),
    ...points.map(({ value, incidentId }) => (incidentId === null ? value : null)),
  ].filter((value) => value !== null);
  const values = usual.length > 0 ? usual : points.map(({ value }) => value);
  const [low, high] = bulkOf(values);
  // A course that never changes lies in the middle.
  const height = high - low || Math.abs(high) || 1;
  const least = low - height * roomBelow;
  const most = high + height * roomAbove;
  const times = points.map(({ createdAt }) => Date.parse(createdAt));
  const first = times[0] ?? 0;
  const last = times.at(-1) ?? 1;
  const wide = width - paper.left - paper.right;
  const tall = paper.height - paper.top - paper.bottom;
  const within = (value: number) => Math.min(most, Math.max(least, value));
  return {
    ...{ first, last, least, most },
    x: (time) => paper.left + ((time - first) / (last - first || 1)) * wide,
    y: (value) => paper.top + (1 - (within(value) - least) / (most - least)) * tall,
    isBeyond: (value) => value < least || value > most,
  };
}

/** Round values between two, about so many: 1, 2 or 5 times a power of ten apart. */
export function ticks(least: number, most: number, count: number): number[] {
  const rough = (most - least) / count || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough) ?? power;
  const begin = Math.ceil(least / step);
  const all = Array.from({ length: count * 2 + 2 }, (_, at) => (begin + at) * step);
  return all.filter((value) => value <= most);
}

/** Stretches of bands that know a range, each as the corners of an area. */
export function areasOf(bands: readonly Band[], { x, y, least, most }: Scale): string[] {
  const areas: Band[][] = [[]];
  for (const band of bands) {
    if (band.lower === null && band.upper === null) areas.push([]);
    else areas.at(-1)?.push(band);
  }
  return areas
    .filter((area) => area.length > 1)
    .map((area) => {
      const upper = area.map(({ at, upper: value }) => `${x(at)},${y(value ?? most)}`);
      const lower = area.map(({ at, lower: value }) => `${x(at)},${y(value ?? least)}`);
      return [...upper, ...lower.reverse()].join(' ');
    });
}

/** The place of the measurement that is nearest to a point of the paper, from the left in pixels. */
export function nearest(points: readonly ChartPoint[], { x }: Scale, left: number): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [at, { createdAt }] of points.entries()) {
    const away = Math.abs(x(Date.parse(createdAt)) - left);
    if (away <= least) [best, least] = [at, away];
  }
  return best;
}
