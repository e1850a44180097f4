// The dialect of Oracle.
import { hierarchies, priorRows, skipToNextRow } from '../repair/phrases/expression.ts';
import { groupedUnpivots } from '../repair/phrases/table.ts';
import { describe } from './describe.ts';

export const oracle = describe({
  name: 'oracle',
  parser: 'oracle',
  fold: 'upper',
  aliases: ['oracledb', 'plsql'],
  traits: ['implicitRecursion', 'intoVariable', 'fieldPaths'],
  unnamed: 'upper text',
  values:
    'sysdate systimestamp user uid rownum rowid level ora_rowscn sessiontimezone sqlerrm sqlcode',
  phrases: [hierarchies, priorRows, groupedUnpivots, skipToNextRow],
});
