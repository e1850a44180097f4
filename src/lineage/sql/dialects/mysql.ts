// The dialect of MySQL, and what MariaDB shares with it.
import { exclamations, rowsOfValues } from '../repair/phrases/expression.ts';
import { joinsOfUpdate, usingOfUpdate } from '../repair/phrases/join.ts';
import { hashComments, jsonDefaults, outfiles } from '../repair/phrases/table.ts';
import { describe } from './describe.ts';

/** MariaDB began as MySQL: a description of either adds its names to this. */
export const asMysql = {
  parser: 'mysql',
  fold: 'keep',
  traits: ['doubleQuotedStrings', 'backslash', 'hashComment', 'intoVariable', 'arrowPaths'],
  unnamed: 'text',
  use: 'schema',
  phrases: [
    rowsOfValues,
    joinsOfUpdate,
    usingOfUpdate,
    exclamations,
    outfiles,
    jsonDefaults,
    hashComments,
  ],
} as const;

export const mysql = describe({
  ...asMysql,
  name: 'mysql',
  aliases: ['mysql8', 'tidb', 'singlestore'],
});
