// The dialect of Apache Flink SQL, whose grammar is Calcite's: the parser reads it as generic SQL.
import { namedTables, queryArguments, skipToNextRow } from '../repair/phrases/expression.ts';
import { describe } from './describe.ts';

export const flink = describe({
  name: 'flink',
  parser: 'generic',
  fold: 'keep',
  aliases: ['flinksql', 'flink_sql', 'apache_flink', 'calcite'],
  traits: ['fieldPaths'],
  unnamed: 'EXPR$0',
  use: 'schema',
  values: 'proctime rowtime',
  phrases: [skipToNextRow, namedTables, queryArguments],
});
