// How jobs of this process end, also where the database is away or the process stops.

import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, ofDatabase } from '../database/database.ts';
import { inWorkspace } from '../database/outside.ts';
import type { Job } from '../generated/prisma/client.ts';
import type { JobOutput } from './journal.ts';
import { type Ending, endRun } from './lease.ts';

/** How a job that is tried once ends. */
export type Ended = Extract<Ending, { state: 'succeeded' | 'failed' | 'cancelled' }>;

/** Ends that could not be stored yet, by job. */
const owed = ofDatabase(() => new Map<string, () => Promise<void>>());

const retryMs = 1_000;
/** Later the lease has run out, and others say what became of the job. */
const maxRetries = 60;

/** Store how a job ended. Where the database is away that follows as soon as it is back. */
export async function storeEnding(
  database: Database,
  job: Job,
  said: JobOutput,
  ending: Ended,
): Promise<void> {
  const ends = owed(database);
  const store = async () => {
    await endRun(inWorkspace(database, job.workspaceId), job, said, ending);
    ends.delete(job.id);
  };
  ends.set(job.id, store);
  try {
    await store();
  } catch {
    void storeLater(database, job.id);
  }
}

async function storeLater(database: Database, id: string): Promise<void> {
  for (let attempt = 0; attempt < maxRetries && !database.pool.ending; attempt++) {
    await sleep(retryMs, undefined, { ref: false });
    if (await storeOwed(database, id).catch(() => false)) return;
  }
  owed(database).delete(id);
}

/** Store how a job ended where that is still to be done; false where it isn't. */
export async function storeOwed(database: Database, id: string): Promise<boolean> {
  const store = owed(database).get(id);
  await store?.();
  return store !== undefined;
}

/** A job that runs in this process. */
export interface HeldRun {
  /** Ask it to stop. */
  stop(): void;
  /** Settles when it has ended. */
  readonly over: Promise<unknown>;
}

const runs = ofDatabase(() => new Set<HeldRun>());

/** Remember that a job runs here; returns the function that forgets it. */
export function noteRun(database: Database, run: HeldRun): () => void {
  const held = runs(database).add(run);
  return () => held.delete(run);
}

/** How long a job has to heed that it is to stop: a statement that is under way ends first. */
const heedMs = 10_000;

/**
 * For a process that stops: let the jobs that run here come to their end for so long, then ask them to
 * stop. They say of themselves that the server stopped.
 */
export async function settleHere(database: Database, graceMs: number): Promise<void> {
  const held = [...runs(database)];
  if (held.length === 0) return;
  const all = Promise.all(held.map(({ over }) => over));
  await Promise.race([all, sleep(graceMs, undefined, { ref: false })]);
  for (const run of runs(database)) run.stop();
  await Promise.race([all, sleep(heedMs, undefined, { ref: false })]);
}
