// The dialect of DuckDB.

import { starPatterns, trailingCommas } from '../repair/phrases/column-list.ts';
import { integerDivisions, listAggregates, quotedUnits } from '../repair/phrases/expression.ts';
import { asOfJoins } from '../repair/phrases/join.ts';
import { bareSamples } from '../repair/phrases/table.ts';
import { describe } from './describe.ts';

export const duckdb = describe({
  name: 'duckdb',
  parser: 'duckdb',
  fold: 'keep',
  aliases: ['motherduck'],
  traits: ['dollarQuote', 'nestedComments', 'lateralAlias', 'wholeRow', 'fieldPaths'],
  unnamed: 'text',
  methods: '*',
  use: 'schema',
  phrases: [
    trailingCommas,
    starPatterns,
    asOfJoins,
    quotedUnits,
    listAggregates,
    bareSamples,
    integerDivisions,
  ],
});
