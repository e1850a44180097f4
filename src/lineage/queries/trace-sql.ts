// The process's one SQL engine: its threads start with the first text that is traced.

import type { Lookup, SqlLineage, SqlQuestion } from '../sql/answer.ts';
import { openSqlEngine, type SqlEngine } from '../sql/engine.ts';

let engine: SqlEngine | null = null;
let timeLimit: number | undefined;

/** Give the threads that start from now on another time for each text, in milliseconds: a busy machine takes longer. */
export function limitSqlTime(ms: number): void {
  timeLimit = ms;
}

/** What a text of SQL reads and writes; see `SqlEngine.trace`. Other work goes on in the meantime. */
export function traceSql(question: SqlQuestion, lookup?: Lookup): Promise<SqlLineage> {
  engine ??= openSqlEngine(timeLimit === undefined ? {} : { timeLimit });
  return engine.trace(question, lookup);
}

/** Stop the threads, at the end of the process. The next text starts new ones. */
export async function closeSqlEngine(): Promise<void> {
  const open = engine;
  engine = null;
  await open?.close();
}
