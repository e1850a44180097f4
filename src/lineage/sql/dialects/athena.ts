// The dialect of Amazon Athena.
import { skipToNextRow } from '../repair/phrases/expression.ts';
import { describe } from './describe.ts';

export const athena = describe({
  name: 'athena',
  parser: 'athena',
  fold: 'lower',
  aliases: ['aws_athena', 'amazon_athena'],
  traits: ['fieldPaths'],
  unnamed: '_col0',
  use: 'schema',
  phrases: [skipToNextRow],
});
