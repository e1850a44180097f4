// The dialect of ClickHouse.
import { trailingCommas } from '../repair/phrases/column-list.ts';
import { describe } from './describe.ts';

export const clickhouse = describe({
  name: 'clickhouse',
  parser: 'clickhouse',
  fold: 'keep',
  aliases: ['ch'],
  traits: ['backslash', 'hashComment', 'nestedComments', 'lateralAlias', 'fieldPaths'],
  unnamed: 'text',
  use: 'schema',
  phrases: [trailingCommas],
});
