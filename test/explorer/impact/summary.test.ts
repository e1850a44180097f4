// The summary of what a query would break: what it says, and that names in it are names and no markup.

import { expect, test } from 'vitest';
import { type SqlSummary, summaryOf } from '../../../src/explorer/impact/summary.ts';

const node = (titleFull: string, ...reasons: string[]) => ({
  ways: (reasons.length > 0 ? reasons : ['It reads it.']).map((reason) => ({ reason })),
  resource: { titleFull },
});
const lists = { columns: [], tables: [], others: [], possible: [] };
const nothing = { ...lists, counts: [], possibleCount: 0 };
const tablesIn = (count: number) => [{ kind: 'table', count }];
const said: SqlSummary = {
  ...{ table: 'shop.orders', gone: [], added: [], owners: [], unsure: [] },
  reach: nothing,
};

test('it says what goes, what comes, what is reached and why, and whom to notify', () => {
  const text = summaryOf({
    ...said,
    ...{ gone: ['total'], added: ['sum'], owners: ['Marta Kowalska'], unsure: ['Line 2 has a *.'] },
    reach: {
      ...nothing,
      counts: tablesIn(1),
      tables: [node('shop.daily', 'Affects a.', 'Filters its rows by t.a.')],
    },
  });
  expect(text).toBe(
    [
      '### Impact of this query',
      'Writes to `shop.orders`. Removes 1 column. Affects 1 downstream resource.',
      '**Removed columns** (1)',
      '- `total`',
      '**Added columns** (1)',
      '- `sum`',
      '**Affected tables** (1)',
      '- `shop.daily`: Affects a. Filters its rows by t.a.',
      '**Owners to notify** (1)',
      '- Marta Kowalska',
      '**Not analyzed** (1)',
      '- Line 2 has a \\*.',
    ].join('\n\n'),
  );
});

test('nothing is said to be safe while something may use what changes', () => {
  expect(summaryOf(said)).toContain('No downstream resources');
  const possible = [node('shop.maybe')];
  const text = summaryOf({
    ...said,
    reach: { ...nothing, possible, possibleCount: 1 },
  });
  expect(text).toContain('Affects 0 downstream resources; 1 more may be affected.');
  expect(text).not.toContain('Nothing');
});

test('names and reasons of any characters are no markup, and long lists are cut', () => {
  const tables = Array.from({ length: 30 }, (_, at) =>
    node(`\`x\`\n# ${at}`, '[link](javascript:x) <b>'),
  );
  const text = summaryOf({
    ...said,
    reach: { ...nothing, tables, counts: tablesIn(80) },
  });
  expect(text).toContain('- `` `x` # 0 ``: \\[link\\]\\(javascript:x\\) \\<b\\>');
  expect(text).toContain('- and 55 more');
  expect(text.match(/^#/gm)).toHaveLength(1);
});
