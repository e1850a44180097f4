// How far a value lies from what is in order says the same as the verdict on it, for every kind of series.

import { expect, test } from 'vitest';
import {
  createLearner,
  type Learner,
  type LearnerSetup,
  openLearner,
  type Point,
  saveLearner,
} from '../../../src/monitors/learning/learner.ts';
import { distanceAt, learn, type Verdict } from '../../../src/monitors/learning/threshold.ts';
import { randomFrom } from '../../trials/random.ts';
import { DAILY, HOUR, HOURLY } from './series.ts';

const DAY = 24 * HOUR;
const MONDAY = Date.UTC(2024, 0, 1);

type Series = readonly [name: string, setup: LearnerSetup, points: readonly Point[]];

function seriesOf(
  step: number,
  count: number,
  valueAt: (i: number, normal: () => number, at: Date) => number,
): Point[] {
  const random = randomFrom(11);
  return Array.from({ length: count }, (_, i) => {
    const at = MONDAY + i * step;
    return { at, value: valueAt(i, () => random.normal(), new Date(at)) };
  });
}

const daily: LearnerSetup = { metricType: 'row_count', schedule: DAILY, sensitivity: 5 };
const hourly: LearnerSetup = { metricType: 'mean', schedule: HOURLY, sensitivity: 5 };

const all: readonly Series[] = [
  [
    'of weeks, with wild days',
    daily,
    seriesOf(DAY, 200, (i, normal) =>
      Math.round((i % 7 >= 5 ? 400 : 1000) * (1 + 0.03 * normal()) * (i % 41 === 40 ? 3 : 1)),
    ),
  ],
  [
    'of firsts of the month',
    daily,
    seriesOf(DAY, 400, (_, normal, date) =>
      Math.round((date.getUTCDate() === 1 ? 3000 : 1000) * (1 + 0.03 * normal())),
    ),
  ],
  [
    'of an outage, after which all is as before',
    daily,
    seriesOf(DAY, 160, (i, normal) =>
      i >= 90 && i < 100 ? 0 : Math.round(1000 * (1 + 0.03 * normal())),
    ),
  ],
  [
    'of something seldom',
    { ...daily, metricType: 'null_percentage' },
    seriesOf(DAY, 300, (i, normal) => (i % 10 === 3 ? 50 + 5 * normal() : 0)),
  ],
  [
    'of a table that only grows',
    daily,
    seriesOf(
      DAY,
      150,
      (i, normal) => 10_000 + 1000 * (i - (i === 120 ? 1 : 0)) + Math.round(20 * normal()),
    ),
  ],
  [
    'that drifts',
    hourly,
    seriesOf(
      HOUR,
      4 * 168 + 160,
      (i, normal) =>
        1.01 ** Math.min(40, Math.max(0, i - 4 * 168)) *
        (100 + 40 * Math.sin(i / 3.82)) *
        (1 + 0.08 * normal()),
    ),
  ],
  [
    'of ages of data that is loaded each day, once late',
    { metricType: 'freshness', schedule: HOURLY, sensitivity: 5 },
    seriesOf(HOUR, 40 * 24, (i) => {
      const hour = i % 24;
      const isLate = Math.floor(i / 24) === 35 && hour >= 6 && hour < 12;
      return 3600 * (isLate ? 18 + hour : hour >= 6 ? hour - 6 : hour + 18);
    }),
  ],
];

/** What the learner would make of a value, which it does not learn. */
function verdictOn(learner: Learner, setup: LearnerSetup, point: Point): Verdict {
  const copy = openLearner(setup, saveLearner(learner));
  if (copy === null) throw new Error('What was saved is not read.');
  return learn(copy, point).verdict;
}

test.each(all)('a series %s', (name, setup, points) => {
  const learner = createLearner(setup);
  const verdicts = new Set<Verdict>();
  for (const [i, { at, value }] of points.entries()) {
    // What is measured, and now and then what might have been.
    const others = i % 9 === 0 ? [0, value * 0.5, value * 0.9, value * 1.1, value * 2] : [];
    const most = setup.metricType === 'null_percentage' ? 100 : Number.POSITIVE_INFINITY;
    for (const one of [value, ...others].filter((other) => other <= most)) {
      const distance = distanceAt(learner, at, one);
      const judged = verdictOn(learner, setup, { at, value: one });
      // A new level is in range, whatever was there before.
      const verdict = judged === 'new_level' ? 'within' : judged;
      verdicts.add(verdict);
      // Between two intervals the nearer one has the say, which may lie on the other side.
      const said = saidBy(distance);
      const isOut = verdict === 'above' || verdict === 'below';
      const expected: readonly Verdict[] =
        isOut && hasSeveral(name) ? [verdict, 'above', 'below'] : [verdict];
      expect({ i, one, said, expected }).toEqual({ i, one, said: oneOf(expected, said), expected });
    }
    learn(learner, { at, value });
  }
  const sides = /seldom|ages/.test(name) ? ['above'] : ['above', 'below'];
  expect([...verdicts].sort()).toEqual([...sides, 'learning', 'within']);
});

/** Days of the week that stray, and zeros next to what is not, have intervals of their own. */
const hasSeveral = (name: string) => /weeks|seldom|outage/.test(name);

const oneOf = (expected: readonly Verdict[], said: Verdict) =>
  expected.includes(said) ? said : expected[0];

function saidBy(distance: number | null): Verdict {
  if (distance === null) return 'learning';
  if (distance > 1) return 'above';
  return distance < -1 ? 'below' : 'within';
}
