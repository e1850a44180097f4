// The dialect of Spark SQL.

import { bareValues, namesWithoutAlias } from '../repair/phrases/column-list.ts';
import { exclamations } from '../repair/phrases/expression.ts';
import { naturalKinds } from '../repair/phrases/join.ts';
import { furtherSorts } from '../repair/phrases/table.ts';
import { describe } from './describe.ts';

export const spark = describe({
  name: 'spark',
  parser: 'spark',
  fold: 'keep',
  aliases: ['sparksql', 'spark_sql', 'spark2', 'spark3', 'pyspark'],
  traits: ['doubleQuotedStrings', 'backslash', 'lateralAlias', 'fieldPaths'],
  unnamed: 'text',
  use: 'schema',
  values: '_metadata input__file__name grouping__id',
  phrases: [exclamations, naturalKinds, bareValues, namesWithoutAlias, furtherSorts],
});
