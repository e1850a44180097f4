// Equal entries of the audit log that follow each other, as one row.

import { expect, test } from 'vitest';
import { runsOf } from '../../../src/explorer/audit/folding.ts';

const entry = (name: string, activityType: string, performerType = 'USER') => ({
  ...{ activityType, performerType, performerMetadata: { name } },
});

test('three and more equal entries in a row are one run, fewer and others stay apart', () => {
  const entries = [
    ...[entry('Ana', 'column_updated'), entry('Ana', 'column_updated')],
    ...[entry('Ana', 'column_updated'), entry('Bo', 'column_updated')],
    ...[entry('Bo', 'column_updated'), entry('Ana', 'column_updated')],
  ];
  expect(runsOf(entries).map((run) => run.length)).toEqual([3, 1, 1, 1]);
  expect(runsOf(entries).flat()).toEqual(entries);
});

test('a person of the name of the program is someone else', () => {
  const entries = [
    ...[entry('Headwater', 'table_updated'), entry('Headwater', 'table_updated', 'SYSTEM')],
    entry('Headwater', 'table_updated'),
  ];
  expect(runsOf(entries).map((run) => run.length)).toEqual([1, 1, 1]);
  expect(runsOf([])).toEqual([]);
});
