// The dialect of MariaDB.
import { exclamations } from '../repair/phrases/expression.ts';
import { joinsOfUpdate, usingOfUpdate } from '../repair/phrases/join.ts';
import { hashComments, jsonDefaults, outfiles, systemAliases } from '../repair/phrases/table.ts';
import { describe } from './describe.ts';

export const mariadb = describe({
  name: 'mariadb',
  parser: 'mysql',
  fold: 'keep',
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
