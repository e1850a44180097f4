// What a running job says of itself stays within bounds and can be stored.

import { expect, test } from 'vitest';
import { openJournal } from '../../src/jobs/journal.ts';

const blank = { logs: '', progressStep: null, progressDone: 0, progressTotal: null };

test('lines follow those of earlier attempts', () => {
  const journal = openJournal({ ...blank, logs: 'first\n' });
  journal.log('second\nthird');
  expect(journal.said().logs).toBe('first\nsecond\nthird\n');
});

test('a long log keeps its first and last lines and says how many it left out', () => {
  const journal = openJournal(blank);
  for (let i = 0; i < 20_000; i += 1) journal.log(`line ${i}`);
  const { logs } = journal.said();
  expect(logs.length).toBeLessThan(70_000);
  expect(logs).toMatch(/^line 0\nline 1\n/);
  expect(logs).toMatch(/\nline 19998\nline 19999\n$/);
  const left = Number(/\.\.\. (\d+) lines were left out/.exec(logs)?.[1]);
  expect(logs.trim().split('\n').length - 1 + left).toBe(20_000);
});

test('one endless line is cut', () => {
  const journal = openJournal(blank);
  journal.log('x'.repeat(10_000_000));
  expect(journal.said().logs.length).toBeLessThanOrEqual(2_001);
});

test('what PostgreSQL cannot hold is left out', () => {
  const journal = openJournal(blank);
  journal.log('a\0b\ud800');
  journal.progress('step\0', -1, 1e12);
  expect(journal.said()).toEqual({
    logs: 'ab\ufffd\n',
    progressStep: 'step',
    progressDone: 0,
    progressTotal: 2_147_483_647,
  });
});
