// Texts of monitors and incidents.

import { forecastInWords } from './learning/forecast-words.ts';
import type { Judgement } from './learning/judgement.ts';
import type { Bounds } from './learning/threshold.ts';
import { metricOf, UNITS } from './metric.ts';
import { isMetricType } from './metric-config.ts';
import type { ChangedColumn } from './scans/reading.ts';

/** How a metric's values are written. */
type Written = 'whole numbers' | 'numbers' | 'percentages' | 'durations';

function writtenAs(metricType: string): Written {
  const unit = isMetricType(metricType) ? metricOf(metricType).unit : UNITS.number;
  if (unit === UNITS.lateness || unit === UNITS.age || metricType === 'job_duration')
    return 'durations';
  if (unit === UNITS.count) return 'whole numbers';
  return unit === UNITS.percentage ? 'percentages' : 'numbers';
}

/** A value with its unit: `12,034`, `3.5%`, `2 h 5 min`; with so many decimals at most. */
function inWords(as: Written, value: number, decimals?: number): string {
  if (as === 'durations') return duration(value, decimals);
  return as === 'percentages' ? `${number(value, decimals)}%` : number(value, decimals);
}

/**
 * Why a value is out of range, in a sentence; null where it is not. Of a learned range it says what was
 * expected first, as exactly as the range is narrow: `Expected about 44 (42 to 46); measured 2,176.`
 */
export function breachInWords(
  metricType: string,
  value: number,
  known: Omit<Judgement, 'level'>,
): string | null {
  const bound = known.verdict === 'above' ? known.upper : known.lower;
  if (bound === null || (known.verdict !== 'above' && known.verdict !== 'below')) return null;
  const as = writtenAs(metricType);
  const { forecast } = known.explanation;
  if (typeof forecast !== 'number') {
    const end = known.verdict === 'above' ? 'highest' : 'lowest';
    const [measured, limit] = toldApart(as, value, bound);
    return `${measured} is ${known.verdict} ${limit}, the ${end} value allowed.`;
  }
  return driftInWords(as, known) ?? learnedInWords(as, { value, forecast, bound }, known);
}

/** How a value stands at a new level: `Still at 2,267. Was 44 until Nov 23.` */
export function levelInWords(
  metricType: string,
  { value, before }: { readonly value: number; readonly before: number | null },
  since: Date,
  timeZone = 'UTC',
): string {
  const as = writtenAs(metricType);
  const apart = before === null ? 1 : stepIn(as, Math.abs(value - before));
  const said = (one: number) => inWords(as, roundedTo(Math.min(apart, stepOf(as, one)), one));
  const still = `Still at ${said(value)}.`;
  if (before === null) return still;
  const day = since.toLocaleDateString('en-US', { month: 'short', day: 'numeric', timeZone });
  return `${still} Was ${said(before)} until ${day}.`;
}

/** A value of a metric with its unit. */
export function valueInWords(metricType: string, value: number): string {
  return inWords(writtenAs(metricType), value);
}

/** Of a day that has drifted it is its mean that is out of range, and not the value itself. */
function driftInWords(as: Written, { explanation }: Pick<Judgement, 'explanation'>): string | null {
  const { dayMean, dayExpected, dayLowest, dayHighest } = explanation;
  if (typeof dayMean !== 'number' || typeof dayExpected !== 'number') return null;
  if (typeof dayLowest !== 'number' || typeof dayHighest !== 'number') return null;
  const bound = dayMean > dayExpected ? dayHighest : dayLowest;
  const range = { lower: dayLowest, upper: dayHighest };
  const day = { value: dayMean, forecast: dayExpected, bound };
  const said = learnedInWords(as, day, range);
  return `On average over 24 hours: ${said.charAt(0).toLowerCase()}${said.slice(1)}`;
}

/** Two values, exactly enough that they don't look the same. */
function toldApart(as: Written, value: number, other: number): [string, string] {
  const short: [string, string] = [inWords(as, value), inWords(as, other)];
  return short[0] === short[1] ? [`${value}`, `${other}`] : short;
}

/** A step of this share of the range's width is as exact as a range is. */
const STEPS = 3;
/** Steps for durations, in seconds; below a minute they are powers of ten. */
const DURATIONS = [86_400, 3_600, 600, 60] as const;
/** Of a measured value that is no whole number, so many digits are shown at least. */
const DIGITS = 3;
const MOST_DECIMALS = 15;
/** A range is shown more exactly so often at most. */
const FINER = 6;

function learnedInWords(
  as: Written,
  { value, forecast, bound }: { value: number; forecast: number; bound: number },
  { lower, upper }: Bounds,
): string {
  const width = lower === null || upper === null ? 2 * Math.abs(bound - forecast) : upper - lower;
  // As long as the value would look as if it were in range, the range is shown more exactly.
  let step = stepIn(as, width);
  for (let tries = 0; tries < FINER && !looksBeyond({ value, forecast, bound }, step); tries++) {
    step = finerThan(as, step);
  }
  const wholes = as === 'whole numbers' && step < 1;
  const shown = (at: number, whole: number) =>
    wholes ? inWords(as, whole) : inWords(as, roundedTo(step, at), decimalsOf(step));
  const low = lower === null ? null : shown(lower, Math.ceil(lower));
  const high = upper === null ? null : shown(upper, Math.floor(upper));
  const expected = shown(forecast, Math.round(forecast));
  const measured = inWords(as, value, decimalsFor(value, step));
  if (low === high) return `Expected ${expected}; measured ${measured}.`;
  const range =
    high === null ? `at least ${low}` : low === null ? `at most ${high}` : `${low} to ${high}`;
  return `Expected about ${expected} (${range}); measured ${measured}.`;
}

/** Whether a value is out of range as both are shown. */
function looksBeyond(
  { value, forecast, bound }: { value: number; forecast: number; bound: number },
  step: number,
): boolean {
  const shown = Number(value.toFixed(decimalsFor(value, step)));
  const limit = roundedTo(step, bound);
  return bound > forecast ? shown > limit : shown < limit;
}

/** A measured value is shown with three digits, and as exactly as the range. */
function decimalsFor(value: number, step: number): number {
  const size = Math.max(Math.abs(value), 1e-12);
  const digits = DIGITS - 1 - Math.floor(Math.log10(size));
  return Math.min(MOST_DECIMALS, Math.max(decimalsOf(step), digits, 0));
}

function stepIn(as: Written, width: number): number {
  const most = Math.max(width / STEPS, 1e-9);
  const known = as === 'durations' ? DURATIONS.find((step) => step <= most) : undefined;
  const power = 10 ** Math.floor(Math.log10(most));
  return known ?? (as === 'durations' ? Math.min(10, power) : power);
}

/** The step that shows two digits of a value at least, and no part of one of a hundred or more. */
function stepOf(as: Written, value: number): number {
  return value === 0 ? 1 : Math.min(1, finerThan(as, stepIn(as, Math.abs(value))));
}

function finerThan(as: Written, step: number): number {
  const finer = as === 'durations' ? DURATIONS.find((one) => one < step) : undefined;
  return finer ?? (as === 'durations' ? Math.min(10, step / 10) : step / 10);
}

const roundedTo = (step: number, value: number): number => Math.round(value / step) * step;

const decimalsOf = (step: number): number =>
  Math.min(MOST_DECIMALS, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)));

/** How the range of a measurement came about, in sentences, from its stored explanation. */
export function explanationInWords(metricType: string, explanation: unknown): string[] {
  if (!isRecord(explanation)) return [];
  const { by, model, forecast, learned, needed, usualError, widthFrom, rate } = explanation;
  if (by === 'hand') return ['Range set manually.'];
  if (typeof forecast !== 'number') {
    if (typeof learned !== 'number' || typeof needed !== 'number') return [];
    return [`Learning: ${learned} of ${needed} measurements.`];
  }
  const source = forecastInWords(String(model));
  if (typeof usualError !== 'number' || typeof rate !== 'number') return [source];
  const as = writtenAs(metricType);
  const usual = inWords(as, twoDigits(usualError));
  const share = number(twoDigits(1 / rate));
  const off = `Typical error ±${usual}; about 1 in ${share} normal values falls outside.`;
  return [source, isWidth(widthFrom) ? widths[widthFrom] : off];
}

/** Columns that a sentence names. */
const mostColumns = 10;

/** What is not as expected of a table's columns: `Gone: amount. Type changed: id from bigint to text.` */
export function changesInWords(columns: readonly ChangedColumn[]): string {
  const gone = columns.filter(({ after }) => after === null).map(({ name }) => name);
  const changed = columns.flatMap(({ name, before, after }) =>
    after === null ? [] : [`${name} from ${before} to ${after}`],
  );
  const said = (what: string, names: readonly string[]) => {
    const rest = names.length - mostColumns;
    const more = rest > 0 ? `, and ${rest} more` : '';
    return names.length === 0 ? [] : [`${what}: ${names.slice(0, mostColumns).join(', ')}${more}.`];
  };
  return [
    ...said(gone.length === 1 ? 'Column gone' : 'Columns gone', gone),
    ...said(changed.length === 1 ? 'Type changed' : 'Types changed', changed),
  ].join(' ');
}

/** Why a value is not learned that was measured in a maintenance window. */
export const maintenanceInWords = (window: string): string =>
  `Measured in the maintenance window ${window}. The range does not learn from this value.`;

const twoDigits = (value: number): number => Number(value.toPrecision(2));

/** Where it is not the usual errors that set the width. */
const widths = {
  floor: 'The range is at its narrowest: smaller changes are not worth an alert.',
  arrivals: 'Data arrives in a rhythm. Beyond this range the next load is late.',
  drift:
    'The value alone is in range, but the day differs from the same hours of earlier weeks. Reported once.',
  zero: 'A zero has never occurred here, so it is out of range.',
  sizes: 'Nothing has arrived for longer than ever before. The range is that of usual loads.',
} as const;

const isWidth = (value: unknown): value is keyof typeof widths =>
  typeof value === 'string' && Object.hasOwn(widths, value);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function number(value: number, decimals?: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e15 || size < 1e-6)) return value.toExponential(3);
  if (decimals !== undefined) {
    return value.toLocaleString('en-US', { maximumFractionDigits: decimals });
  }
  const digits = Number.isInteger(value) ? 15 : 6;
  return value.toLocaleString('en-US', { maximumSignificantDigits: digits });
}

/** Seconds are said up to ten minutes. */
function duration(seconds: number, decimals?: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${number(decimals === 0 ? whole : seconds, decimals)} s`;
  const parts = [
    [Math.floor(whole / 86_400), 'd'],
    [Math.floor((whole % 86_400) / 3_600), 'h'],
    [Math.floor((whole % 3_600) / 60), 'min'],
    [whole < 600 ? whole % 60 : 0, 's'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}
