// The ranges of a dimension's values: each is a series of its own.

import { z } from 'zod';
import { invalidField } from '../../errors.ts';
import type { SegmentValue } from '../scans/reading.ts';
import { type Judgement, judgementOf } from './judgement.ts';
import {
  createLearner,
  type Learner,
  type LearnerSetup,
  openLearner,
  type Point,
  saveLearner,
} from './learner.ts';
import { learn, learnAll, VERDICTS } from './threshold.ts';

/** A value of a dimension as a measurement keeps it, with the range that was known before it. */
const Segment = z.object({
  segment: z.string(),
  value: z.number(),
  lower: z.number().nullable(),
  upper: z.number().nullable(),
  verdict: z.enum(VERDICTS),
  since: z.number().optional(),
  mark: z.number().optional(),
});
export type Segment = z.infer<typeof Segment>;

/** The values of a dimension that a measurement holds; none where it was not divided. */
export function readSegments(stored: unknown): Segment[] {
  const read = z.array(Segment).safeParse(stored);
  return read.success ? read.data : [];
}

/** So many of the values, those out of range first. Throws BAD_REQUEST for another number than 1 to 10,000. */
export function worstSegments(stored: unknown, first: number): Segment[] {
  if (!Number.isInteger(first) || first < 1 || first > mostShown) {
    throw invalidField('first', `Use an integer from 1 to ${mostShown}, not ${first}.`);
  }
  const all = readSegments(stored);
  const isOut = ({ verdict }: Segment) => verdict === 'above' || verdict === 'below';
  const [out, others] = [all.filter(isOut), all.filter((one) => !isOut(one))];
  return [...out, ...others].slice(0, first);
}

const mostShown = 10_000;

/** Of what was measured before, what is measured again though it is gone: until a zero is in order for it. */
export function lastingSegments(before: readonly Segment[]): string[] {
  return before
    .filter(({ value, verdict }) => value !== 0 || verdict !== 'within')
    .map(({ segment }) => segment);
}

/** A point of a monitor with what was measured of the values of its dimension. */
export interface DividedPoint extends Point {
  readonly segments?: readonly SegmentValue[];
}

/** What is made of one value of a dimension. */
export interface JudgedSegment extends SegmentValue {
  readonly known: Judgement;
}

/** Series among which the rate of a sensitivity is shared: with many values one is soon out of range by chance. */
export const among = 10;

/** The learners of a dimension's values. */
export class SegmentLearners {
  readonly #learners = new Map<string, Learner>();
  readonly #setup: LearnerSetup;

  constructor(setup: LearnerSetup) {
    this.#setup = { ...setup, among };
  }

  /** Take up what was remembered; false where this version can't read it. */
  open(saved: string): boolean {
    const states = z.record(z.string(), z.string()).safeParse(parsed(saved));
    if (!states.success) return false;
    for (const [segment, state] of Object.entries(states.data)) {
      const learner = openLearner(this.#setup, state);
      if (learner === null) return false;
      this.#learners.set(segment, learner);
    }
    return true;
  }

  /** Learn what was measured since, oldest first. */
  learnAll(points: readonly DividedPoint[]): void {
    const series = new Map<string, Point[]>();
    for (const { segments = [], at, normal = false, newLevel = false } of points) {
      for (const { segment, value } of segments) {
        const own = series.get(segment) ?? [];
        own.push({ at, value, normal, newLevel });
        series.set(segment, own);
      }
    }
    for (const [segment, own] of series) learnAll(this.#of(segment), own);
  }

  /** Judge the values of a measurement by what was learned before it. */
  judge({ segments = [], at }: DividedPoint): JudgedSegment[] {
    return segments.map((one) => ({
      ...one,
      known: judgementOf(learn(this.#of(one.segment), { at, value: one.value })),
    }));
  }

  /** What is remembered of those that were measured of late. */
  save(points: readonly DividedPoint[]): string | null {
    const lately = new Set(
      points.flatMap(({ segments = [] }) => segments.map(({ segment }) => segment)),
    );
    const states = [...this.#learners].filter(([segment]) => lately.has(segment));
    if (states.length === 0) return null;
    return JSON.stringify(
      Object.fromEntries(states.map(([segment, learner]) => [segment, saveLearner(learner)])),
    );
  }

  #of(segment: string): Learner {
    const learner = this.#learners.get(segment) ?? createLearner(this.#setup);
    this.#learners.set(segment, learner);
    return learner;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
