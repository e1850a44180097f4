// Ranges and forecasts that were given once are given again: to the digit, from release to release.
//
// A monitor's past ranges are replayed from its measurements, and what it has learned is kept as it is:
// a change of the arithmetic, however small, would move them all. One that is meant is written again by
// `UPDATE_KNOWN=1 npx vitest run --project tests test/monitors/learning/known.test.ts`, and read as a difference.

import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  absorb,
  type ExpertPlan,
  type ExpertState,
  forecast,
  newExpert,
  reanchor,
} from '../../../src/monitors/learning/expert.ts';
import {
  createLearner,
  type LearnerSetup,
  type Point,
} from '../../../src/monitors/learning/learner.ts';
import { plansFor } from '../../../src/monitors/learning/plans.ts';
import { SCALES } from '../../../src/monitors/learning/scale.ts';
import { learn } from '../../../src/monitors/learning/threshold.ts';
import { UNITS } from '../../../src/monitors/metric.ts';
import { randomFrom } from '../../trials/random.ts';
import { DAILY, HOUR, HOURLY } from './series.ts';

const DAY = 24 * HOUR;
const MONDAY = Date.UTC(2024, 0, 1);
const MONTHLY = { cadence: 'monthly', frequency: 1, hour: 0, day: 1 } as const;

interface Case {
  readonly setup: LearnerSetup;
  readonly points: readonly Point[];
}

const steps = (count: number, step: number, valueAt: (i: number) => number): Point[] =>
  Array.from({ length: count }, (_, i) => ({ at: MONDAY + i * step, value: valueAt(i) }));

const noise = randomFrom(11);
const around = (value: number, share: number): number =>
  Math.round(value * (1 + share * noise.normal()));

/** Weekdays and weekends, two strays, a shift for good, a week without a value, a stray that is normal. */
const shop: Point[] = steps(100, DAY, (day) => {
  if (day === 40 || day === 52) return day === 40 ? 9000 : 3;
  return around((day % 7 >= 5 ? 400 : 1000) * (day >= 70 ? 1.8 : 1), 0.02);
})
  .filter((_, day) => day < 57 || day > 63)
  .map((point, i) => (i === 48 ? { ...point, value: 1700, normal: true } : point));

const cases: Record<string, Case> = {
  'rows of a shop': {
    setup: { metricType: 'row_count', schedule: DAILY, sensitivity: 5 },
    points: shop,
  },
  'a log that grows': {
    setup: { metricType: 'row_count', schedule: DAILY, sensitivity: 8 },
    points: steps(45, DAY, (day) => 50_000 + 730 * day + (day === 30 ? 40_000 : around(100, 0.3))),
  },
  'freshness in hours': {
    setup: { metricType: 'freshness', schedule: HOURLY, sensitivity: 2, lag: 90_000 },
    points: steps(
      170,
      HOUR,
      (hour) => (hour % 24) * 3600 + (hour === 150 ? 90_000 : 0) + 20 * (hour % 5),
    ),
  },
  'a share of nulls': {
    setup: { metricType: 'null_percentage', schedule: DAILY, sensitivity: 10 },
    points: steps(40, DAY, (day) => (day === 25 ? 60 : 2 + ((day * 7) % 5) / 10)),
  },
  'a sum around zero': {
    setup: { metricType: 'sum', schedule: DAILY, sensitivity: 5 },
    points: steps(
      40,
      DAY,
      (day) => 12 * Math.cos(day) - 3 + (day > 28 ? 1e120 * Number(day === 33) : 0),
    ),
  },
  'a constant that falls silent': {
    setup: { metricType: 'row_count', schedule: DAILY, sensitivity: 5 },
    points: steps(40, DAY, (day) => (day < 25 ? 700 : day < 32 ? 0 : 690)),
  },
  'a batch on each first': {
    setup: { metricType: 'row_count', schedule: DAILY, sensitivity: 5, country: 'DE' },
    points: steps(130, DAY, (day) =>
      around(new Date(MONDAY + day * DAY).getUTCDate() === 1 ? 4000 : 1000, 0.03),
    ),
  },
  'rows now and then': {
    setup: { metricType: 'row_count', schedule: DAILY, sensitivity: 5 },
    points: steps(60, DAY, (day) => (day % 5 === 2 && day < 50 ? around(500, 0.2) : 0)),
  },
  'events of each hour': {
    setup: { metricType: 'row_count', schedule: HOURLY, sensitivity: 5, timeZone: 'Europe/Berlin' },
    points: steps(260, HOUR, (hour) =>
      noise.events(hour % 24 < 6 ? 4 : 20 + 30 * Math.abs(12 - (hour % 24))),
    ),
  },
  'a bill of each month': {
    setup: { metricType: 'mean', schedule: MONTHLY, sensitivity: 1 },
    points: Array.from({ length: 24 }, (_, month) => ({
      at: Date.UTC(2023, month, 1),
      value: 90 + 3 * month + (month % 3),
    })),
  },
};

const exact = (value: number | null): string =>
  value === null ? '' : String(Number(value.toPrecision(10)));

function rangesOf({ setup, points }: Case): string[] {
  const learner = createLearner(setup);
  return points.map((point, i) => {
    const { range, verdict, learned } = learn(learner, point);
    const { lower, upper, forecast: expected, usualError, rate, model, scale } = range;
    const { level } = learner.state;
    const numbers = [point.value, lower, upper, expected, usualError, rate, level].map(exact);
    const words = [model, scale, range.widthFrom, range.because].map((word) => word ?? '');
    return [
      i,
      ...numbers,
      ...words.map((word) => word.replaceAll(',', ';')),
      verdict,
      learned,
    ].join(',');
  });
}

/** What one plan forecasts of a series with gaps, before and after its level is moved. */
function forecastsOf(plan: ExpertPlan, valueAt: (slot: number) => number): string[] {
  const state: ExpertState = newExpert();
  const slots = Array.from(
    { length: 3 * Math.max(plan.period, 12) },
    (_, i) => 5 + i + (i > 20 ? 3 : 0) + (i > 30 ? 14 : 0),
  );
  const seen = slots.map((slot) => {
    const ahead = [slot, slot + 2, slot + 30].map((later) => exact(forecast(plan, state, later)));
    absorb(plan, state, slot, valueAt(slot));
    return [slot, ...ahead].join(',');
  });
  const last = slots.at(-1) ?? 0;
  const moved = Object.entries(UNITS).map(([name, unit]) => {
    const copy = structuredClone(state);
    const points = [1, 2, 4].map((step) => ({
      slot: last + step,
      value: 3 * valueAt(last + step) + step,
    }));
    reanchor(plan, copy, points, unit);
    return [name, ...[5, 6, 7, 40].map((step) => exact(forecast(plan, copy, last + step)))].join(
      ',',
    );
  });
  return [...seen.filter((_, i) => i < 40 || i % 7 === 0), ...moved];
}

const rhythms: Record<string, (slot: number) => number> = {
  'a rhythm': (slot) => 100 + 9 * (slot % 7) + 2 * (slot % 24) + (slot % 3),
  'through zero': (slot) => 5 * (slot % 7) - 4 + (slot % 2),
  'mostly nothing': (slot) => (slot % 7 === 0 ? 900 : 0) + (slot === 40 ? 5000 : 0),
  'that falls': (slot) => 4000 - 31 * slot + 60 * (slot % 7),
};

function compare(name: string, found: readonly string[]): void {
  const file = new URL(`known/${name}`, import.meta.url);
  if (process.env.UPDATE_KNOWN === '1') writeFileSync(file, `${found.join('\n')}\n`);
  const known = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect(found.length).toBe(known.length);
  for (const [i, line] of found.entries()) expectSame(line, known[i] ?? '');
}

/** Equal but for what two processors may make of one logarithm. */
function expectSame(line: string, known: string): void {
  const cells = line.split(',');
  const others = known.split(',');
  const differ = cells.filter((cell, i) => {
    const other = others[i] ?? '';
    if (cell === other) return false;
    const [a, b] = [Number(cell), Number(other)];
    const isNumber = cell !== '' && other !== '' && Number.isFinite(a) && Number.isFinite(b);
    return !isNumber || Math.abs(a - b) > 1e-8 * Math.max(Math.abs(a), Math.abs(b), 1e-9);
  });
  if (differ.length > 0 || cells.length !== others.length) expect(line).toBe(known);
}

test('the ranges of monitors of every kind', () => {
  const found = Object.entries(cases).flatMap(([name, one]) => [`# ${name}`, ...rangesOf(one)]);
  compare('ranges.csv', found);
  // Or else the list says nothing of half of what a range is.
  const text = found.join('\n');
  for (const word of [
    ...SCALES,
    'mixture',
    'errors',
    'floor',
    'arrivals',
    'sizes',
    'like this before',
    'before the last shift',
    'above',
    'below',
    'within',
    'learning',
  ]) {
    expect(text, word).toContain(word);
  }
});

test('the forecasts of every expert', () => {
  const found = plansFor(24).flatMap((plan) =>
    Object.entries(rhythms).flatMap(([name, valueAt]) => [
      `# ${plan.name}: ${name}`,
      ...forecastsOf(plan, valueAt),
    ]),
  );
  compare('forecasts.csv', found);
});
