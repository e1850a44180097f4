// What a measurement means as a whole: that of the value that is farthest out of its range.

import type { Monitor } from '../../generated/prisma/client.ts';
import type { Judgement } from '../learning/judgement.ts';
import type { Judged } from '../learning/range.ts';
import type { Segment } from '../learning/segments.ts';
import { readStoredConfig } from '../metric-config.ts';
import { breachInWords } from '../words.ts';

/** A measurement's verdict, with the value and the words it is due to. */
export interface Overall {
  readonly value: number;
  readonly known: Judgement;
  /** Why it is out of range, in a sentence or two; null where it isn't. */
  readonly breach: string | null;
  /** What is measured of the dimension where it is due to one value of it, such as `country = DE`; null for the whole. */
  readonly place: string | null;
}

/** Other values of a dimension that are named. */
const mostNamed = 5;

/** One verdict of many: of those out of range the one farthest out, else one at a new level, else any. */
export function overallOf(
  { metricType, metricConfig }: Pick<Monitor, 'metricType' | 'metricConfig'>,
  value: number,
  { whole, segments }: Judged,
): Overall {
  // Without a dimension the series are those of tables.
  const { dimension } = readStoredConfig(metricConfig);
  const isOfTables = dimension === undefined && segments.length > 0;
  const all = [...(isOfTables ? [] : [{ segment: null, value, known: whole }]), ...segments];
  const worst = all.reduce((one, other) => (weightOf(other) > weightOf(one) ? other : one));
  const named = dimension === undefined ? '' : `${dimension} = `;
  const place = worst.segment === null ? null : `${named}${worst.segment}`;
  const words = breachInWords(metricType, worst.value, worst.known);
  const others = segments
    .filter((one) => one !== worst && isOut(one.known))
    .map(({ segment }) => segment);
  const breach =
    words && `${place === null ? '' : `${place}: `}${words}${alsoOf(dimension, others)}`;
  return {
    value: worst.value,
    known: { ...worst.known, level: levelOf(all, worst) },
    breach,
    place,
  };
}

/** The values of a dimension as a measurement keeps them. */
export function keptSegments({ segments }: Judged): Segment[] | null {
  if (segments.length === 0) return null;
  return segments.map(({ known: { lower, upper, verdict }, ...one }) => ({
    ...{ ...one, lower, upper, verdict },
  }));
}

interface One {
  readonly value: number;
  readonly known: Judgement;
}

const isOut = ({ verdict }: Judgement): boolean => verdict === 'above' || verdict === 'below';

function weightOf({ value, known }: One): number {
  if (isOut(known)) return 3 + farOut(value, known);
  return known.verdict === 'new_level' ? 2 : known.verdict === 'within' ? 1 : 0;
}

/** How far a value lies out of its range, in widths of that. */
function farOut(value: number, { lower, upper, explanation: { forecast } }: Judgement): number {
  const bound = upper !== null && value > upper ? upper : (lower ?? 0);
  const width = Math.abs(bound - (typeof forecast === 'number' ? forecast : (lower ?? 0)));
  return Math.abs(value - bound) / Math.max(width, Number.EPSILON);
}

/** The old level is forgotten once each value at a new one has forgotten it. */
function levelOf(all: readonly One[], { known: { verdict, level } }: One): Judgement['level'] {
  if (verdict !== 'new_level' || level === null) return level;
  const isForgotten = all.every(({ known }) => known.level?.isForgotten !== false);
  return { ...level, isForgotten };
}

function alsoOf(dimension: string | undefined, others: readonly string[]): string {
  if (others.length === 0) return '';
  const named = others.slice(0, mostNamed).join(', ');
  const rest = others.length > mostNamed ? `, and ${others.length - mostNamed} more` : '';
  return ` Also out of range${dimension === undefined ? '' : ` of ${dimension}`}: ${named}${rest}.`;
}
