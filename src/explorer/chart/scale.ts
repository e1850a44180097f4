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

/** A part of the paper from top to bottom, in pixels, and the values that lie there. */
interface Stretch {
  readonly least: number;
  readonly most: number;
  readonly top: number;
  readonly bottom: number;
}

/** A chart's scales. */
export interface Scale {
  readonly x: (time: number) => number;
  /** Where a value lies; what is beyond the scale lies at its edge. */
  readonly y: (value: number) => number;
  readonly isBeyond: (value: number) => boolean;
  /** Whether a value lies past the break of the scale. */
  readonly isFar: (value: number) => boolean;
  readonly first: number;
  readonly last: number;
  readonly least: number;
  readonly most: number;
  /** The usual values, and those past the break where there is one. */
  readonly stretches: readonly Stretch[];
  /** How far from the top the scale is broken; null where it is whole. */
  readonly breakAt: number | null;
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

/** Beyond the range by more of its widths than this, a value breaks the scale. */
const farFrom = 4;
/** Of the height, what the usual values have of a broken scale, and what those past the break have. */
const shares = { usual: 0.52, far: 0.3 };

/**
 * The scales for measurements, oldest first: they follow what was expected and what was in order. A value that is farther
 * away than four times the height of that lies past a break, so that it is seen where it is and flattens nothing. `from` is
 * the beginning of the time that is shown.
 */
export function scaleOf(
  points: readonly ChartPoint[],
  bands: readonly Band[],
  width: number,
  from = Number.POSITIVE_INFINITY,
): Scale {
  const usual = [
    ...bands.flatMap(({ lower, upper }) => [lower, upper]),
    ...points.map(({ value, incidentId }) => (incidentId === null ? value : null)),
  ].filter((value) => value !== null);
  const values = points.map(({ value }) => value);
  const [low, high] = bulkOf(usual.length > 0 ? usual : values);
  const room = (high - low || Math.abs(high) || 1) * farFrom;
  const near = values.filter((value) => value >= low - room && value <= high + room);
  const [above, below] = [
    values.filter((value) => value > high + room),
    values.filter((value) => value < low - room),
  ];
  const isUp = above.length >= below.length;
  const stretches = stretchesOf([low, high, ...near], isUp ? above : below, isUp);
  const [own, far] = stretches;
  const times = points.map(({ createdAt }) => Date.parse(createdAt));
  const first = Math.min(from, times[0] ?? 0);
  const last = times.at(-1) ?? 1;
  const wide = width - paper.left - paper.right;
  const isIn = (value: number, { least, most }: Stretch) => value >= least && value <= most;
  const isFar = (value: number) => far !== undefined && isIn(value, far);
  const breakAt =
    far === undefined ? null : (isUp ? far.bottom + own.top : own.bottom + far.top) / 2;
  return {
    ...{ first, last, least: own.least, most: own.most, stretches, breakAt, isFar },
    x: (time) => paper.left + ((time - first) / (last - first || 1)) * wide,
    y: (value) => placeOf(value, isFar(value) && far ? far : own),
    isBeyond: (value) => !isIn(value, own) && !isFar(value),
  };
}

function placeOf(value: number, { least, most, top, bottom }: Stretch): number {
  const within = Math.min(most, Math.max(least, value));
  return top + (1 - (within - least) / (most - least)) * (bottom - top);
}

function stretchesOf(
  usual: readonly number[],
  far: readonly number[],
  isUp: boolean,
): readonly [Stretch, ...Stretch[]] {
  const tall = paper.height - paper.top - paper.bottom;
  const bottom = paper.top + tall;
  if (far.length === 0) return [{ ...roomFor(usual), top: paper.top, bottom }];
  const [own, other] = [tall * shares.usual, tall * shares.far];
  return isUp
    ? [
        { ...roomFor(usual), top: bottom - own, bottom },
        { ...roomFor(far), top: paper.top, bottom: paper.top + other },
      ]
    : [
        { ...roomFor(usual), top: paper.top, bottom: paper.top + own },
        { ...roomFor(far), top: bottom - other, bottom },
      ];
}

/** The values that a stretch begins and ends with: a course that never changes lies in its middle. */
function roomFor(values: readonly number[]): { least: number; most: number } {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const height = high - low || Math.abs(high) || 1;
  return { least: low - height * roomBelow, most: high + height * roomAbove };
}

/** Steps of times in seconds, as people count them. */
const timeSteps = [
  ...[1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800],
  ...[3_600, 7_200, 10_800, 21_600, 43_200, 86_400, 172_800, 432_000, 864_000],
];

/**
 * Round values between two, about so many: 1, 2 or 5 times a power of ten apart. Times are as far apart as people count
 * them, such as 6 hours.
 */
export function ticks(least: number, most: number, count: number, isTime = false): number[] {
  const rough = (most - least) / count || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const steps = isTime && rough >= 1 ? timeSteps : [];
  const step =
    steps.find((one) => one >= rough) ??
    [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough) ??
    power;
  const begin = Math.ceil(least / step);
  const all = Array.from({ length: count * 2 + 2 }, (_, at) => (begin + at) * step);
  return all.filter((value) => value <= most);
}

/** Two labels are at least so many pixels apart. */
const labelWidth = 48;
/** Of so few measurements each has a label. */
const fewPoints = 5;

/** Places of the measurements that have a label: all of a few, else the last and, of a broken scale, the last before it. */
export function labelled(points: readonly ChartPoint[], { x, isFar, breakAt }: Scale): number[] {
  const firstFar = points.findIndex(({ value }) => isFar(value));
  const wanted =
    points.length <= fewPoints
      ? points.map((_, at) => at).reverse()
      : [points.length - 1, ...(breakAt !== null && firstFar > 0 ? [firstFar - 1] : [])];
  const left = (at: number) => x(Date.parse(points[at]?.createdAt ?? ''));
  const isBeyond = (at: number) => isFar(points[at]?.value ?? 0);
  const shown: number[] = [];
  for (const at of wanted) {
    // On the other side of a break no label is in the way.
    const isFree = shown.every(
      (other) => Math.abs(left(other) - left(at)) >= labelWidth || isBeyond(other) !== isBeyond(at),
    );
    if (isFree) shown.push(at);
  }
  return shown;
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
