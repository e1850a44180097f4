// The dialect of Hive and Impala.
import { exclamations } from '../repair/phrases/expression.ts';
import {
  furtherSorts,
  insertHints,
  keyNames,
  partitionConditions,
} from '../repair/phrases/table.ts';
import { describe } from './describe.ts';

export const hive = describe({
  name: 'hive',
  parser: 'hive',
  fold: 'keep',
  aliases: ['hiveql', 'impala'],
  traits: ['doubleQuotedStrings', 'backslash', 'fieldPaths'],
  unnamed: '_c0',
  use: 'schema',
  values: 'input__file__name block__offset__inside__file grouping__id',
  phrases: [furtherSorts, keyNames, insertHints, partitionConditions, exclamations],
});
