// In charge of what monitors and their incidents say to people.

import type { Judgement } from './learning/range.ts';
import { metricOf, UNITS } from './metric.ts';
import { isMetricType } from './metric-config.ts';

/** A value of a metric with its unit, short enough to be read: `12,034`, `3.5%`, `2 h 5 min`. */
function valueInWords(metricType: string, value: number): string {
  const unit = isMetricType(metricType) ? metricOf(metricType).unit : UNITS.number;
  if (unit === UNITS.lateness) return duration(value);
  if (metricType === 'job_duration') return duration(value);
  return unit === UNITS.percentage ? `${number(value)}%` : number(value);
}

/** Why a value is out of range, in a sentence; null where it is not. */
export function breachInWords(metricType: string, value: number, known: Judgement): string | null {
  const bound = known.verdict === 'above' ? known.upper : known.lower;
  if (bound === null || (known.verdict !== 'above' && known.verdict !== 'below')) return null;
  const said = `${valueInWords(metricType, value)} is ${known.verdict}`;
  const end = known.verdict === 'above' ? 'highest' : 'lowest';
  const { forecast } = known.explanation;
  const limit = valueInWords(metricType, bound);
  if (typeof forecast !== 'number') return `${said} ${limit}, the ${end} value allowed.`;
  return `${said} ${limit}, the ${end} value expected; about ${valueInWords(metricType, forecast)} was.`;
}

/** How the range of a measurement came about, in sentences, from its stored explanation. */
export function explanationInWords(metricType: string, explanation: unknown): string[] {
  if (!isRecord(explanation)) return [];
  const { by, model, forecast, learned, needed, sigma, k, halfWidth, widthFrom } = explanation;
  if (by === 'hand') return ['The range was given by a person.'];
  if (typeof forecast !== 'number' || typeof sigma !== 'number') {
    return [`The range is being learned: ${learned} of ${needed} points so far.`];
  }
  const sentences = [
    `About ${valueInWords(metricType, forecast)} was expected, by the model "${String(model)}".`,
  ];
  if (typeof k === 'number' && typeof halfWidth === 'number') {
    const from = isWidth(widthFrom) ? widths[widthFrom] : 'what was learned';
    sentences.push(
      `The range is that give or take ${valueInWords(metricType, halfWidth)}, from ${from}; ` +
        `sigma is ${valueInWords(metricType, sigma)}, of which ${number(k)} are allowed.`,
    );
  }
  return sentences;
}

const widths = {
  sigma: 'how far values lie from the forecast as a rule',
  largest_error: 'the largest error of late',
  floor: 'the smallest change worth a word',
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
