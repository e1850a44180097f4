// The summary of a review in Markdown: what it counts, where it is cut, and that no name is markup.

import { expect, test } from 'vitest';
import { type ReviewSummary, summaryOf } from '../../src/reviews/markdown.ts';

const empty: ReviewSummary = {
  ...{ added: [], removed: [], changed: [], columns: [], tables: [], others: [], possible: [] },
  ...{ owners: [], monitors: [], incidents: [], unknown: [] },
};
const linesOf = (given: Partial<ReviewSummary>) => summaryOf({ ...empty, ...given }).split('\n');
const many = (count: number) => Array.from({ length: count }, (_, at) => `n${at}`);
const reached = (count: number) => many(count).map((name) => ({ name, reason: 'read' }));
const model = { name: 'a', reasons: [], added: [], removed: [], changed: [] };

test('a list has 25 lines, and says how many more there are', () => {
  const whole = linesOf({ monitors: many(25) });
  expect(whole.filter((line) => line.startsWith('- '))).toHaveLength(25);
  expect(whole.at(-1)).toBe('- n24');
  const cut = linesOf({ monitors: many(27) });
  expect(cut).toContain('**Affected monitors** (27)');
  expect(cut.slice(-2)).toEqual(['- n24', '- and 2 more']);
});

test('the columns of a model are named once each, 25 of them', () => {
  const changed = [...many(26), 'n0'].map((name) => ({ name, before: 'integer', after: 'text' }));
  const line = linesOf({ changed: [{ ...model, changed }] }).at(-1) ?? '';
  expect(line).toMatch(/^- `a`: changes `n0`, `n1`/);
  expect(line.match(/`n\d+`/g)).toEqual(many(25).map((name) => `\`${name}\``));
  expect(linesOf({ changed: [{ ...model, reasons: ['its SQL changed'] }] }).at(-1)).toBe(
    '- `a`: its SQL changed',
  );
  expect(linesOf({ changed: [model] }).at(-1)).toBe('- `a`');
});

test.each([
  [0, 0, '0 models changed, 0 added, 0 removed; affects 0 downstream resources.'],
  [1, 0, 'affects 1 downstream resource.'],
  [2, 0, 'affects 2 downstream resources.'],
  [2, 1, 'affects 2 downstream resources; 1 more may be affected.'],
  [0, 1, '; 1 downstream resource may be affected.'],
])('%i reached and %i perhaps are counted', (sure, possible, words) => {
  const [, , counts] = linesOf({ tables: reached(sure), possible: reached(possible) });
  expect(counts).toContain(words);
});

test('a name is code whatever it holds, and a sentence holds no markup', () => {
  const name = (text: string) => linesOf({ added: [{ ...model, name: text }] }).at(-1);
  expect(name('plain')).toBe('- `plain`');
  expect(name('a`b')).toBe('- ``a`b``');
  expect(name('`a``b')).toBe('- ``` `a``b ```');
  expect(name('a\n# b')).toBe('- `a # b`');
  const said = linesOf({ unknown: ['a_b: *c* [d](e)\n# <f> | g!'] }).at(-1);
  expect(said).toBe('- a\\_b: \\*c\\* \\[d\\]\\(e\\) \\# \\<f\\> \\| g\\!');
});
