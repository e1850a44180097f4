// The dialect of MySQL.
import { exclamations } from '../repair/phrases/expression.ts';
import { joinsOfUpdate, usingOfUpdate } from '../repair/phrases/join.ts';
import { hashComments, jsonDefaults, outfiles, systemAliases } from '../repair/phrases/table.ts';
import { describe } from './describe.ts';

export const mysql = describe({
  name: 'mysql',
  parser: 'mysql',
  fold: 'keep',
  aliases: ['mysql8', 'tidb', 'singlestore'],
  traits: ['doubleQuotedStrings', 'backslash', 'hashComment', 'intoVariable', 'arrowPaths'],
  unnamed: 'text',
  use: 'schema',
  phrases: [
    joinsOfUpdate,
    usingOfUpdate,
    systemAliases,
    exclamations,
    outfiles,
    jsonDefaults,
    hashComments,
  ],
});
