// The dialect of Presto.
import { skipToNextRow } from '../repair/phrases/expression.ts';
import { describe } from './describe.ts';

export const presto = describe({
  name: 'presto',
  parser: 'presto',
  fold: 'lower',
  aliases: ['prestodb', 'prestosql'],
  traits: ['fieldPaths'],
  unnamed: '_col0',
  use: 'schema',
  phrases: [skipToNextRow],
});
