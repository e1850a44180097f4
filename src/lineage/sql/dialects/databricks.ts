// The dialect of Databricks.

import {
  aliasTexts,
  bareValues,
  namesWithoutAlias,
  trailingCommas,
} from '../repair/phrases/column-list.ts';
import { exclamations, limitParameters } from '../repair/phrases/expression.ts';
import { naturalKinds } from '../repair/phrases/join.ts';
import { furtherSorts, replacedRows, streams } from '../repair/phrases/table.ts';
import { describe } from './describe.ts';

export const databricks = describe({
  name: 'databricks',
  parser: 'databricks',
  fold: 'keep',
  aliases: ['databricks_sql', 'unity_catalog', 'delta'],
  traits: ['doubleQuotedStrings', 'backslash', 'dollarQuote', 'lateralAlias', 'fieldPaths'],
  unnamed: 'text',
  use: 'schema',
  values: '_metadata input__file__name grouping__id _change_type _commit_version _commit_timestamp',
  phrases: [
    trailingCommas,
    limitParameters,
    namesWithoutAlias,
    bareValues,
    exclamations,
    replacedRows,
    streams,
    naturalKinds,
    furtherSorts,
    aliasTexts,
  ],
});
