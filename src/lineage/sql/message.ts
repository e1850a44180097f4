// What the engine and its threads say to each other.
import type { MessagePort } from 'node:worker_threads';
import type { KnownTable, SqlLineage, SqlQuestion } from './answer.ts';

/** To a thread: a text to trace, then the tables it asked for. */
export type ToThread =
  | { kind: 'question'; question: SqlQuestion }
  | { kind: 'tables'; tables: readonly KnownTable[] };

/**
 * From a thread: that it runs and what the system calls it, the names it needs, and the answer or why there is none. Where the answer is long,
 * its statements lie in `rest`: reading one long message would hold up the engine's own thread.
 */
export type FromTracer =
  | { kind: 'ready'; threadId: number | null }
  | { kind: 'names'; names: string[][] }
  | { kind: 'answer'; lineage: SqlLineage; rest: MessagePort | null; broken: boolean }
  | { kind: 'failed'; message: string; broken: boolean };
