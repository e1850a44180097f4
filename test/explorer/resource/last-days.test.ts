import { expect, test } from 'vitest';
import { lastDays } from '../../../src/explorer/chart/last-days.ts';

const now = Date.parse('2026-03-01T22:00:00Z');
const on = (day: string, external: number, internal = 0) => ({ day, external, internal });

test('days without use are shown as such, the oldest first', () => {
  const used = [on('2026-03-01', 2, 1), on('2026-02-27', 5)];
  expect(lastDays(used, 4, now)).toEqual([
    { day: '2026-02-26', uses: 0 },
    { day: '2026-02-27', uses: 5 },
    { day: '2026-02-28', uses: 0 },
    { day: '2026-03-01', uses: 3 },
  ]);
});

test('what was used long ago does not count to the last days', () => {
  const shown = lastDays([on('2025-12-24', 90)], 30, now);
  expect(shown).toHaveLength(30);
  expect(shown.every(({ uses }) => uses === 0)).toBe(true);
});
