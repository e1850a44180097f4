// The dialect of BigQuery.
import { aliasTexts, trailingCommas } from '../repair/phrases/column-list.ts';
import { renamedWindows, starsOfItems } from '../repair/phrases/table.ts';
import { describe } from './describe.ts';

export const bigquery = describe({
  name: 'bigquery',
  parser: 'bigquery',
  fold: 'keep',
  aliases: ['bq', 'googlesql', 'standardsql', 'google_bigquery'],
  traits: [
    'doubleQuotedStrings',
    'backslash',
    'hashComment',
    'tripleQuote',
    'pathInFrom',
    'wholeRow',
    'fieldPaths',
    'quotedPaths',
  ],
  unnamed: 'f0_',
  values: '_partitiontime _partitiondate _table_suffix _file_name',
  phrases: [trailingCommas, starsOfItems, aliasTexts, renamedWindows],
});
