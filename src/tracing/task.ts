// The request or job that the running code works for.

import { AsyncStore } from './async-store.ts';
import type { Span } from './tracer.ts';

/** A request that is being answered, or a job that is being run. */
export interface Task {
  /** The request's id, or the job's: what its lines in the log have in common. */
  readonly id: string;
  readonly kind: 'request' | 'job';
  /** The trace that it is part of: 32 hexadecimal digits; null for none. */
  readonly traceId: string | null;
  /** Its part of that trace; null where nothing is traced. */
  readonly span: Span | null;
  /** Statements that it has sent to the database. */
  statements: number;
  /** Rows that they answered, and those that they wrote. */
  rows: number;
  /** How long it waited for their answers together, in milliseconds. */
  databaseMs: number;
}

/** Whose work the running code does; code that works for the server itself has none. */
export const tasks = new AsyncStore<Task>();
