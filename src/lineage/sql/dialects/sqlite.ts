// The dialect of SQLite.
import { describe } from './describe.ts';

export const sqlite = describe({
  name: 'sqlite',
  parser: 'sqlite',
  fold: 'keep',
  aliases: ['sqlite3'],
  traits: ['brackets', 'implicitRecursion', 'arrowPaths'],
  unnamed: 'text',
  values: 'rowid oid _rowid_',
});
