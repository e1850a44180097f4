// What the engine and its threads say to each other.
import type { KnownTable, SqlLineage, SqlQuestion } from './answer.ts';

/** To a thread: a text to trace, then the tables it asked for. */
export type ToThread =
  | { kind: 'question'; question: SqlQuestion }
  | { kind: 'tables'; tables: readonly KnownTable[] };

/** From a thread: that it runs, the names it needs, and the answer or why there is none. */
export type FromThread =
  | { kind: 'ready' }
  | { kind: 'names'; names: string[][] }
  | { kind: 'answer'; lineage: SqlLineage; broken: boolean }
  | { kind: 'failed'; message: string; broken: boolean };
