// Statement timings, for requests, metrics and the log.

import { type Task, tasks } from '../tracing/task.ts';

/** A statement that took long. */
export interface SlowStatement {
  /** Its text with `$1` for values, which are never logged. */
  readonly text: string;
  readonly ms: number;
}

/** What a process has asked of its database so far. */
export interface StatementFigures {
  statements: number;
  /** Milliseconds that were waited for answers, those of all connections together. */
  ms: number;
  slow: number;
}

/** Called with statements. */
export interface StatementWatch {
  readonly figures: StatementFigures;
  /** One that takes longer is slow, in milliseconds; 0 for none. */
  readonly slowMs: number;
  readonly onSlow: (statement: SlowStatement) => void;
}

/** A longer text is cut. */
const maxText = 2_000;

/** Count a statement that is sent now; call the answered function with its result when that is there. */
export function beginStatement(
  text: string,
  watch: StatementWatch,
  counts: boolean,
): (result: unknown) => void {
  const task = tasks.getStore();
  const began = performance.now();
  if (counts) {
    watch.figures.statements += 1;
    if (task) task.statements += 1;
  }
  return (result) => {
    const ended = performance.now();
    if (task && counts) task.rows += rowsOf(result);
    task?.span?.statement(text, began, ended);
    endStatement(text, watch, task, ended - began);
  };
}

/** The rows that a statement answered or wrote, as node-postgres counts them; of one that failed none. */
function rowsOf(result: unknown): number {
  if (typeof result !== 'object' || result === null || !('rowCount' in result)) return 0;
  return typeof result.rowCount === 'number' ? result.rowCount : 0;
}

function endStatement(
  text: string,
  { figures, slowMs, onSlow }: StatementWatch,
  task: Task | undefined,
  ms: number,
): void {
  figures.ms += ms;
  if (task) task.databaseMs += ms;
  if (slowMs === 0 || ms < slowMs) return;
  figures.slow += 1;
  const slow = { text: text.replaceAll(/\s+/g, ' ').trim().slice(0, maxText), ms };
  // The answer may arrive where the code that waits for it doesn't run.
  if (task) tasks.run(task, onSlow, slow);
  else onSlow(slow);
}
