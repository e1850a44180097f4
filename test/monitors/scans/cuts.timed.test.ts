// Queries that would run for ever are ended half a second after their timeout at most, on real sources.

import { expect, test } from 'vitest';
import { sayCounted } from '../../gates/counted.ts';
import { cutsBySource } from './cuts.ts';

test.for(cutsBySource)('%s: what never ends is cut in time', async ([source, cut], { skip }) => {
  const made = await cut({ timeoutMs: 500, rounds: 3 });
  if (!made) return skip('It is not installed here.');
  const { queries, answered, late } = made;
  sayCounted(
    `${source}: ${queries} queries that never end, ${answered} answered, ${late.length} late`,
  );
  expect(late).toEqual([]);
  // A text of a gigabyte may be made in time.
  expect(queries - answered).toBeGreaterThan(10);
});
