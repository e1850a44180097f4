// What the engine and its threads say to each other.
import type { KnownTable, SqlLineage, SqlQuestion, StatementLineage } from './answer.ts';

/** To a thread: a text to trace, the tables it asked for, then that the next of its answer can be read. */
export type ToThread =
  | { kind: 'question'; question: SqlQuestion }
  | { kind: 'tables'; tables: readonly KnownTable[] }
  | { kind: 'more' };

/**
 * From a thread: that it runs, the names it needs, and the answer or why there is none. The
 * statements of an answer come before it, some at a time: reading one long message would hold up
 * the engine's own thread.
 */
export type FromTracer =
  | { kind: 'ready' }
  | { kind: 'names'; names: string[][] }
  | { kind: 'statements'; statements: StatementLineage[] }
  | { kind: 'answer'; lineage: SqlLineage; broken: boolean }
  | { kind: 'failed'; message: string; broken: boolean };
