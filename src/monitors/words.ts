// In charge of what monitors and their incidents say to people.

import type { Judgement } from './learning/range.ts';
import type { Bounds } from './learning/threshold.ts';
import { metricOf, UNITS } from './metric.ts';
import { isMetricType } from './metric-config.ts';

/** A value of a metric with its unit, short enough to be read: `12,034`, `3.5%`, `2 h 5 min`. */
function valueInWords(metricType: string, value: number): string {
  const unit = isMetricType(metricType) ? metricOf(metricType).unit : UNITS.number;
  if (unit === UNITS.lateness) return duration(value);
  if (metricType === 'job_duration') return duration(value);
  return unit === UNITS.percentage ? `${number(value)}%` : number(value);
}

/**
 * Why a value is out of range, in a sentence; null where it is not. Of a learned range it says what was
 * expected first: `Expected about 44 (42 to 46); measured 2,176.`
 */
export function breachInWords(metricType: string, value: number, known: Judgement): string | null {
  const bound = known.verdict === 'above' ? known.upper : known.lower;
  if (bound === null || (known.verdict !== 'above' && known.verdict !== 'below')) return null;
  const measured = valueInWords(metricType, value);
  const { forecast } = known.explanation;
  if (typeof forecast !== 'number') {
    const end = known.verdict === 'above' ? 'highest' : 'lowest';
    const limit = valueInWords(metricType, bound);
    return `${measured} is ${known.verdict} ${limit}, the ${end} value allowed.`;
  }
  const expected = valueInWords(metricType, forecast);
  return `Expected about ${expected} (${boundsInWords(metricType, known)}); measured ${measured}.`;
}

function boundsInWords(metricType: string, { lower, upper }: Bounds): string {
  const [low, high] = [lower, upper].map((bound) =>
    bound === null ? null : valueInWords(metricType, bound),
  );
  if (high == null) return `at least ${low}`;
  return low == null ? `at most ${high}` : `${low} to ${high}`;
}

/** How the range of a measurement came about, in sentences, from its stored explanation. */
export function explanationInWords(metricType: string, explanation: unknown): string[] {
  if (!isRecord(explanation)) return [];
  const { by, model, forecast, learned, needed, usualError, widthFrom, rate } = explanation;
  if (by === 'hand') return ['The range was given by a person.'];
  if (typeof forecast !== 'number') {
    return [`The range is being learned: ${learned} of ${needed} points so far.`];
  }
  const source = `The forecast is that of the model "${String(model)}".`;
  if (typeof usualError !== 'number' || typeof rate !== 'number') return [source];
  const usual = valueInWords(metricType, usualError);
  const share = number(Math.round(1 / rate));
  const off = `Values lie ${usual} from such forecasts on average; about one ordinary value in ${share} lies outside.`;
  return [source, isWidth(widthFrom) ? widths[widthFrom] : off];
}

/** Where it is not the usual errors that set the width. */
const widths = {
  floor: 'The range is as narrow as it gets: a smaller change is not worth an alarm.',
  arrivals: 'Data comes in a rhythm; by then the next load is late.',
  sizes: 'Nothing came for longer than ever before; the range is that of what comes as a rule.',
} as const;

const isWidth = (value: unknown): value is keyof typeof widths =>
  typeof value === 'string' && Object.hasOwn(widths, value);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function number(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e15 || size < 1e-6)) return value.toExponential(3);
  const digits = Number.isInteger(value) ? 15 : 6;
  return value.toLocaleString('en-US', { maximumSignificantDigits: digits });
}

function duration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${number(whole === seconds ? whole : seconds)} s`;
  const parts = [
    [Math.floor(whole / 86_400), 'd'],
    [Math.floor((whole % 86_400) / 3_600), 'h'],
    [Math.floor((whole % 3_600) / 60), 'min'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}
