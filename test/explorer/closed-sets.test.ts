// The lists of words that the explorer keeps, against the tables they repeat.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DIALECTS } from '../../src/lineage/sql/dialect.ts';
import { METRICS } from '../../src/monitors/metric.ts';
import { formedEvents } from '../../src/notifications/webhooks/format.ts';
import { kindNames } from '../../src/resources/kind.ts';
import { root } from '../house/sources.ts';

/** The words of a list of the explorer: its texts, or the keys of its table. */
function wordsOf(file: string, list: string, word: RegExp): string[] {
  const text = readFileSync(join(root, 'src/explorer', file), 'utf8');
  const [, body = ''] =
    new RegExp(`^(?:export )?const ${list}\\b.*? = [\\[{]\\n(.*?)^[\\]}];`, 'ms').exec(text) ?? [];
  return [...body.matchAll(word)].map(([, name = '']) => name);
}

const texts = /'(\w+)'/g;
const keys = /^ {2}(\w+): /gm;

test.each([
  ['words/names/dialects.ts', 'dialects', keys, DIALECTS],
  ['search/kinds.ts', 'kinds', texts, kindNames],
  ['parts/icon.tsx', 'paths', keys, kindNames],
  ['admin/events.ts', 'formed', texts, formedEvents],
  ['words/names/metrics.ts', 'metrics', keys, Object.keys(METRICS)],
] as const)('src/explorer/%s has each of its %s', (file, list, word, table) => {
  const words = wordsOf(file, list, word);
  expect({
    missing: table.filter((one) => !words.includes(one)),
    tooMuch: words.filter((one) => !table.some((other) => other === one)),
  }).toEqual({ missing: [], tooMuch: [] });
});
