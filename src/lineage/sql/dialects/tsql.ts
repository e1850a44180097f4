// The dialect of SQL Server and what descends from it.
import {
  clusteredKeys,
  leadingDots,
  nodesOfPaths,
  nodesOfVariables,
} from '../repair/phrases/table.ts';
import { describe } from './describe.ts';

export const tsql = describe({
  name: 'tsql',
  parser: 'tsql',
  fold: 'keep',
  aliases: ['mssql', 'sqlserver', 'sql_server', 'transactsql', 'azuresql', 'synapse', 'fabric'],
  traits: ['brackets', 'nestedComments', 'implicitRecursion', 'intoTable'],
  methods: 'value query exist nodes modify',
  values: 'user system_user',
  phrases: [leadingDots, nodesOfVariables, nodesOfPaths, clusteredKeys],
});
