// The dialect of Trino.
import { namedTables, queryArguments, skipToNextRow } from '../repair/phrases/expression.ts';
import { describe } from './describe.ts';

export const trino = describe({
  name: 'trino',
  parser: 'trino',
  fold: 'lower',
  aliases: ['trinodb', 'starburst'],
  traits: ['fieldPaths'],
  unnamed: '_col0',
  use: 'schema',
  phrases: [skipToNextRow, namedTables, queryArguments],
});
