// The dialect of Snowflake.

import { starPatterns, trailingCommas } from '../repair/phrases/column-list.ts';
import {
  castsBeforeFields,
  hierarchies,
  intoVariables,
  priorRows,
  skipToNextRow,
  typedLambdas,
} from '../repair/phrases/expression.ts';
import { directedJoins } from '../repair/phrases/join.ts';
import { namesInQuotes, pivotAliases, wordsAsNames } from '../repair/phrases/table.ts';
import { describe } from './describe.ts';

export const snowflake = describe({
  name: 'snowflake',
  parser: 'snowflake',
  fold: 'upper',
  traits: [
    'backslash',
    'slashComment',
    'dollarQuote',
    'lateralAlias',
    'implicitRecursion',
    'fieldPaths',
  ],
  unnamed: 'upper text',
  values:
    'sysdate metadata$filename metadata$file_row_number metadata$action metadata$isupdate metadata$row_id metadata$file_last_modified metadata$start_scan_time',
  phrases: [
    trailingCommas,
    starPatterns,
    castsBeforeFields,
    hierarchies,
    priorRows,
    wordsAsNames,
    pivotAliases,
    namesInQuotes,
    directedJoins,
    intoVariables,
    typedLambdas,
    skipToNextRow,
  ],
});
