// The sentence that an incident begins with.

import { expect, test } from 'vitest';
import { type SentenceFacts, sentenceOf } from '../../../src/explorer/incident/lead-sentence.ts';

const dayMs = 86_400_000;
const first = Date.UTC(2026, 10, 23, 12);

/** Values of a day each; the last `bad` of them belong to the incident. */
const pointsOf = (values: readonly number[], bad: number) =>
  values.map((value, at) => ({
    ...{ id: `${at}`, value, lowerThreshold: 42, upperThreshold: 46, markedNormal: false },
    createdAt: new Date(first + (at - values.length + bad) * dayMs).toISOString(),
    incidentId: at >= values.length - bad ? 'one' : null,
  }));

const facts = (more: Partial<SentenceFacts>): SentenceFacts => ({
  ...{ status: 'active', metric: 'mean', goodRuns: 0, value: 2_267, failedSince: null },
  standing: null,
  firstSeenAt: new Date(first).toISOString(),
  points: pointsOf([43, 44, 44, 45, 2_176, 2_240, 2_267], 3),
  ...more,
});

test('an open incident says what is so now, and what was so until when', () => {
  expect(sentenceOf(facts({}))).toEqual({
    lead: 'Still at 2,267. Was 44 until Nov 23.',
    more: '52 times the usual value, 3 runs out of range.',
  });
  // The server says it in the zone of the workspace.
  const standing = 'Still at 2,267. Was 44 until Nov 22.';
  expect(sentenceOf(facts({ standing })).lead).toBe(standing);
  // Before it there was nothing.
  const points = pointsOf([5], 1);
  expect(sentenceOf(facts({ points, value: 5 })).lead).toBe('Still at 5.');
});

test('one that is back in range says for how many runs', () => {
  const points = [...pointsOf([44, 2_267], 1), ...pointsOf([44.5], 0)];
  const { lead } = sentenceOf(facts({ goodRuns: 2, points }));
  expect(lead).toBe('Back at 44.5 for 2 of 3 runs.');
});

test('one whose runs fail says since when there is no value', () => {
  const failedSince = new Date(first).toISOString();
  expect(sentenceOf(facts({ failedSince })).lead).toMatch(/^No value since Nov 23, 2026, .*\.$/);
  expect(sentenceOf(facts({ status: 'resolved', failedSince })).lead).toBe('Was at 2,267.');
});

test('a hundred times the usual value may be cents; less than twice is no factor', () => {
  const times = (factor: number) =>
    sentenceOf(facts({ value: 44 * factor, points: pointsOf([44, 44, 44 * factor], 1) })).more;
  expect(times(100)).toBe('100 times the usual value, 1 run out of range. Values may be in cents.');
  expect(times(110)).toContain('cents');
  expect(times(111)).not.toContain('cents');
  expect(times(89)).not.toContain('cents');
  expect(times(2)).toContain('2 times');
  expect(times(1.9)).toBe('1 run out of range.');
});

test('times are said as people count them', () => {
  const { lead } = sentenceOf(
    facts({ metric: 'freshness', points: pointsOf([43_200, 43_200, 108_000], 1) }),
  );
  expect(lead).toBe('Still at 30 h. Was 12 h until Nov 23.');
});
