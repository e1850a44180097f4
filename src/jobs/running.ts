// What this process knows of the jobs it runs, newer than what the database knows.

import { type Database, ofDatabase } from '../database/database.ts';
import { notifyHere } from '../database/listen.ts';
import type { Job } from '../generated/prisma/client.ts';

const running = ofDatabase(() => new Map<string, Job>());

/** The job as it is at this moment, if this process runs it. */
export function runningHere(database: Database, id: string): Job | undefined {
  return running(database).get(id.toLowerCase());
}

/** Remember what a running job is at, and notify those who watch it. */
export function noteRunning(database: Database, job: Job): void {
  running(database).set(job.id, job);
  notifyHere(database, 'job', [job.id]);
}

/** Forget a job that this process no longer runs: from now on the database knows best. */
export function forgetRunning(database: Database, id: string): void {
  running(database).delete(id);
  notifyHere(database, 'job', [id]);
}
