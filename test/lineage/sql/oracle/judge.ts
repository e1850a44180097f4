// Compares what lineage says with what changes when a column of a table does.

import type { StatementLineage } from '../../../../src/lineage/sql/answer.ts';
import { type Input, ways } from './perturbation.ts';

/** What comes out: the multiset of each column's values. */
export interface Result {
  readonly rows: number;
  readonly columns: readonly string[];
}

/** What the lineage says and what was seen, of one query. */
export interface Judged {
  readonly missed: string[];
  readonly claimed: number;
  readonly seen: number;
  readonly changes: number;
}

/** Compare what the lineage of a query says with the results: first the tables as they are, then each change of each input. */
export function judge(
  sql: string,
  lineage: StatementLineage,
  results: readonly Result[],
  inputs: readonly Input[],
): Judged {
  const [before, ...after] = results;
  const missed: string[] = [];
  let [claimed, seen, changes] = [0, 0, 0];
  inputs.forEach((input, i) => {
    const name = `${input.table}.${input.column}`;
    const own = after.slice(i * ways.length, (i + 1) * ways.length);
    const isIndirect = lineage.indirect.some(
      ({ table, column }) => `${table.name}.${column}` === name,
    );
    const rowsChange = own.some(({ rows }) => rows !== before?.rows);
    const changing = lineage.outputs.map((_output, at) =>
      own.some(({ columns }) => columns[at] !== before?.columns[at]),
    );
    if (rowsChange) changes += 1;
    if (rowsChange && !isIndirect) missed.push(`${name} > rows: ${sql}`);
    if (isIndirect) {
      claimed += 1;
      if (rowsChange || changing.includes(true)) seen += 1;
    }
    lineage.outputs.forEach(({ column, sources }, at) => {
      const isSource = sources.some((each) => `${each.table.name}.${each.column}` === name);
      if (changing[at]) changes += 1;
      if (changing[at] && !isSource && !isIndirect) missed.push(`${name} > ${column}: ${sql}`);
      if (!isSource) return;
      claimed += 1;
      if (changing[at]) seen += 1;
    });
  });
  return { missed, claimed, seen, changes };
}
