// In charge of what a worker can do: the handlers and schedules of every feature.

import type { Database } from './database/open.ts';
import { type JobHandlers, type Schedule, startWorker, type Worker } from './jobs/worker.ts';
import { runTrace, traceJob } from './lineage/trace.ts';

/** Handlers by kind of job. */
export const handlers: JobHandlers = { [traceJob]: runTrace };

/** What makes jobs when their time has come. */
export const schedules: readonly Schedule[] = [];

/** Let this process work on the jobs of a database, until the worker is stopped. */
export function startWork(database: Database, onError: (error: unknown) => void): Worker {
  return startWorker({ database, handlers, schedules, onError });
}
