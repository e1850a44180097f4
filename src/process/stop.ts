// The stop of the server: what a signal ends, in which order, and how long requests in progress may take.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import type { HttpServer } from '../http/server.ts';
import type { Worker } from '../jobs/worker.ts';
import type { Tracer } from '../tracing/tracer.ts';

/** What is stopped, once it runs. */
export interface Running {
  readonly http: HttpServer;
  readonly worker: Worker | null;
  /** Writes notes that were left for later. */
  readonly settle: () => Promise<void>;
  readonly database: Database;
  /** Null where nothing is traced. */
  readonly tracer: Tracer | null;
  /** How long a balancer has to learn from `/readyz` that this process is to be left out. */
  readonly drainSeconds: number;
}

/** Listens for signals. */
export interface Stop {
  /** Aborted with the first signal. */
  readonly signal: AbortSignal;
  /** From now on there is something to be stopped: before, a signal just ends the process. */
  guard(running: Running): void;
}

/** After this time a stop no longer waits for requests that are under way. */
const requestsMs = 30_000;
/** So long imports may go on after a stop was asked for, in the background or not. */
const importGraceMs = 15_000;
/** After this time what is left to be closed is left as it is. */
const closeMs = 20_000;
/** How long a stop takes at most once it is drained, in milliseconds. */
export const longestStopMs = requestsMs + closeMs;
const stepMs = 50;
/**
 * Signals that come closer together are one: of a Ctrl+C, a process that npm started receives from the
 * terminal, and again from npm.
 */
const oneSignalMs = 500;

/**
 * Stop on SIGTERM and SIGINT. SIGTERM, which a service manager sends, drains first; SIGINT, which is
 * a person at a terminal, does not. Each further signal ends what is being waited for at that time.
 * The exit code is 0, and 1 where requests under way were cut.
 */
export function stopOnSignals(): Stop {
  const began = new AbortController();
  let running: Running | null = null;
  let lastSignalAt = Number.NEGATIVE_INFINITY;
  let skip = () => {};
  const onSignal = (name: NodeJS.Signals) => {
    const isEcho = performance.now() - lastSignalAt < oneSignalMs;
    lastSignalAt = performance.now();
    if (isEcho) return;
    if (began.signal.aborted) return skip();
    began.abort();
    // Whatever had begun so far is safe to be left: what is half done in the database is undone.
    if (!running) process.exit(0);
    const drainMs = name === 'SIGINT' ? 0 : running.drainSeconds * 1_000;
    void stop(running, drainMs, skipped).then((code) => process.exit(code), end);
  };
  const skipped = () =>
    new Promise<void>((resolve) => {
      skip = resolve;
    });
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  return {
    signal: began.signal,
    guard(parts) {
      running = parts;
    },
  };
}

function end(error: unknown): void {
  console.error(error);
  process.exit(1);
}

/** Stop the parts in order; `skipped` settles when a further signal says to wait no longer. */
async function stop(
  { http, worker, settle, database, tracer }: Running,
  drainMs: number,
  skipped: () => Promise<void>,
): Promise<number> {
  http.drain();
  // Another process may take up the jobs, while this one goes on to serve.
  const workerStopped = worker?.stop();
  const [{ endWatches }, { closeSqlEngine }, { settleHere }] = await Promise.all([
    import('../graphql/watch.ts'),
    import('../lineage/queries/trace-sql.ts'),
    import('../jobs/here-ending.ts'),
    within(drainMs, skipped),
  ]);
  const closed = http.close();
  // Subscriptions would hold the server open for good; their clients subscribe again elsewhere.
  endWatches(database);
  // Imports that take longer are told to stop in time for their clients to learn of it.
  const settled = Promise.all([closed, settleHere(database, importGraceMs)]);
  const isDone = await Promise.race([settled.then(() => true), within(requestsMs, skipped)]);
  setTimeout(() => process.exit(1), closeMs).unref();
  if (isDone !== true) http.server.closeAllConnections();
  await closed;
  // Imports whose clients are gone, or that began on a connection that was still open.
  await settleHere(database, 0);
  await workerStopped;
  await settle();
  // A thread that is just being loaded would take the process down with it.
  await closeSqlEngine();
  await tracer?.close();
  await database.close();
  return isDone === true ? 0 : 1;
}

async function within(ms: number, skipped: () => Promise<void>): Promise<void> {
  let isSkipped = false;
  const skipping = skipped().then(() => {
    isSkipped = true;
  });
  // In steps, and counting the steps: a process that was too busy to take a request takes it
  // between two of them, before it stops to listen.
  for (let leftMs = ms; leftMs > 0 && !isSkipped; leftMs -= stepMs) {
    await Promise.race([sleep(Math.min(leftMs, stepMs)), skipping]);
  }
}
