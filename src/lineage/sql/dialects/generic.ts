// The dialect of SQL that says no dialect: what most understand.

import { trailingCommas } from '../repair/phrases/column-list.ts';
import { namedTables, queryArguments, skipToNextRow } from '../repair/phrases/expression.ts';
import { describe } from './describe.ts';

export const generic = describe({
  name: 'generic',
  parser: 'generic',
  fold: 'keep',
  aliases: ['ansi', 'sql', 'other'],
  traits: ['lateralAlias', 'implicitRecursion', 'pathInFrom', 'wholeRow', 'fieldPaths'],
  phrases: [skipToNextRow, namedTables, queryArguments, trailingCommas],
});
