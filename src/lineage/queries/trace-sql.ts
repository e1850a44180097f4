// The process's one SQL engine: its threads start with the first text that is traced.

import type { Lookup, SqlLineage, SqlQuestion } from '../sql/answer.ts';
import { openSqlEngine, type SqlEngine } from '../sql/engine.ts';

let engine: SqlEngine | null = null;

/** What a text of SQL reads and writes; see `SqlEngine.trace`. Other work goes on meanwhile. */
export function traceSql(question: SqlQuestion, lookup?: Lookup): Promise<SqlLineage> {
  engine ??= openSqlEngine();
  return engine.trace(question, lookup);
}

/** Stop the threads, at the end of the process. The next text starts new ones. */
export async function closeSqlEngine(): Promise<void> {
  const open = engine;
  engine = null;
  await open?.close();
}
