// What monitors say to people: figures as exact as the range is narrow, and no more.

import { expect, test } from 'vitest';
import { mixture } from '../../src/monitors/learning/experts.ts';
import { forecastInWords } from '../../src/monitors/learning/forecast-words.ts';
import type { Judgement } from '../../src/monitors/learning/judgement.ts';
import { plansFor } from '../../src/monitors/learning/plans.ts';
import { breachInWords, explanationInWords, levelInWords } from '../../src/monitors/words.ts';

type Given = Partial<Pick<Judgement, 'lower' | 'upper'>> & { forecast?: number };

function said(metricType: string, value: number, { lower, upper, forecast }: Given): string | null {
  const verdict = upper != null && value > upper ? 'above' : 'below';
  const explanation = forecast === undefined ? {} : { forecast };
  const known = { lower: lower ?? null, upper: upper ?? null, verdict, explanation } as const;
  return breachInWords(metricType, value, known);
}

test('what was expected is rounded to what the width of the range carries', () => {
  const wide = { forecast: 43.9703, lower: 42.2483, upper: 45.6779 };
  const sentence = 'Expected about 44 (42 to 46); measured 2,176.';
  expect(said('row_count', 2176, wide)).toBe(sentence);
  expect(said('mean', 2176.3822, wide)).toBe(sentence);
  expect(said('mean', 0.123456, wide)).toBe('Expected about 44 (42 to 46); measured 0.123.');
  expect(said('sum', 9, { forecast: 12_345.6, lower: 11_111.1, upper: 13_602.9 })).toBe(
    'Expected about 12,300 (11,100 to 13,600); measured 9.',
  );
  expect(said('null_percentage', 3, { forecast: 0.2134, lower: 0.0911, upper: 0.3377 })).toBe(
    'Expected about 0.21% (0.09% to 0.34%); measured 3%.',
  );
});

test('a value just out of range never looks as if it were in range', () => {
  const range = { forecast: 43.9703, lower: 42.2483, upper: 45.6779 };
  expect(said('mean', 45.71, range)).toBe('Expected about 43.97 (42.25 to 45.68); measured 45.71.');
  expect(said('mean', 46, range)).toBe('Expected about 44 (42.2 to 45.7); measured 46.');
  expect(said('row_count', 46, range)).toBe('Expected about 44 (43 to 45); measured 46.');
  expect(said('row_count', 42, range)).toBe('Expected about 44 (43 to 45); measured 42.');
  expect(said('mean', 1.000000002, { upper: 1 })).toBe(
    '1.000000002 is above 1, the highest value allowed.',
  );
});

test('a constant is expected as it is, and rows are whole', () => {
  const constant = { forecast: 44, lower: 43.1, upper: 44.9 };
  expect(said('row_count', 45, constant)).toBe('Expected 44; measured 45.');
  expect(said('cardinality', 0, { forecast: 6.6, lower: 5.2, upper: 8.1 })).toBe(
    'Expected about 7 (6 to 8); measured 0.',
  );
});

test('how late data is goes by minutes, hours or days', () => {
  const late = { forecast: 86_411, upper: 93_723 };
  expect(said('freshness', 100_000, late)).toBe(
    'Expected about 1 d (at most 1 d 2 h); measured 1 d 3 h 46 min.',
  );
  expect(said('job_duration', 700, { forecast: 61.2, lower: 41.9, upper: 83.1 })).toBe(
    'Expected about 1 min (40 s to 1 min 20 s); measured 11 min.',
  );
  expect(said('job_duration', 9.25, { forecast: 2.1234, lower: 1.0391, upper: 3.2177 })).toBe(
    'Expected about 2.1 s (1 s to 3.2 s); measured 9.25 s.',
  );
});

test('a range given by hand says its limit as it was given', () => {
  expect(said('row_count', 12, { upper: 10 })).toBe('12 is above 10, the highest value allowed.');
});

test('how a range came about is said with two digits', () => {
  const learned = { by: 'learning', forecast: 43.9703, usualError: 0.561234, rate: 0.00334 };
  const explanation = { ...learned, model: 'weekly season', widthFrom: 'errors' };
  expect(explanationInWords('mean', explanation)).toEqual([
    'Forecast: usual values at this time of the week.',
    'Typical error ±0.56; about 1 in 300 normal values falls outside.',
  ]);
  expect(
    explanationInWords('mean', { ...explanation, model: 'mixture, most of it level' }),
  ).toEqual([
    'Forecast: average of the last 20 values, blended with other models.',
    expect.stringContaining('Typical error'),
  ]);
  expect(explanationInWords('mean', { by: 'learning', learned: 3, needed: 8 })).toEqual([
    'Learning: 3 of 8 measurements.',
  ]);
});

test('of a day that drifted its mean is said, and not the value', () => {
  const day = { dayMean: 151.2, dayExpected: 120.4, dayLowest: 109.8, dayHighest: 131.7 };
  const explanation = { by: 'learning', forecast: 140, usualError: 3, rate: 0.005, ...day };
  const known = { lower: null, upper: 70, verdict: 'above', explanation } as const;
  expect(breachInWords('mean', 143, known)).toBe(
    'On average over 24 hours: expected about 120 (110 to 132); measured 151.',
  );
  const said = explanationInWords('mean', { ...explanation, model: 'level', widthFrom: 'drift' });
  expect(said[1]).toContain('the day differs from the same hours of earlier weeks');
});

test.each([
  ['mean', 2_267.33, 44.04, 'Still at 2,267. Was 44 until Nov 23.'],
  ['mean', 44.6, 44.1, 'Still at 44.6. Was 44.1 until Nov 23.'],
  ['mean', 3.3, 1_200_000, 'Still at 3.3. Was 1,200,000 until Nov 23.'],
  ['row_count', 0, 600_000, 'Still at 0. Was 600,000 until Nov 23.'],
  ['null_percentage', 12.5, 0, 'Still at 12.5%. Was 0% until Nov 23.'],
  ['freshness', 108_000, 43_200, 'Still at 1 d 6 h. Was 12 h until Nov 23.'],
])('a level of %s, %s after %s', (metric, value, before, says) => {
  const since = new Date('2026-11-23T12:00:00Z');
  expect(levelInWords(metric, { value, before }, since)).toBe(says);
});

test('a level before which nothing was is said alone', () => {
  expect(levelInWords('mean', { value: 2_267.33, before: null }, new Date())).toBe(
    'Still at 2,267.',
  );
});

test('every model that may compete is said in words, not by its name', () => {
  const names = [null, 1, 6, 24, 72, 168].flatMap((cadence) =>
    plansFor(cadence).map(({ name }) => name),
  );
  expect(new Set(names).size).toBeGreaterThan(20);
  for (const name of names) {
    for (const model of [
      name,
      `growth by ${name}`,
      `${mixture}${name}`,
      `${mixture}growth by ${name}`,
    ]) {
      expect(forecastInWords(model), model).toMatch(/^Forecast: [a-z0-9,: ]+\.$/);
    }
  }
  expect(forecastInWords('quick 3-day factors with trend')).toBe(
    'Forecast: recent values at this point of 3 days, in proportion to the level and its trend.',
  );
  expect(forecastInWords('growth by last value')).toBe(
    'Forecast: the previous value and its growth: the previous growth.',
  );
  expect(forecastInWords('of another version')).toBe('Forecast: model "of another version".');
});
