// Hourly maintenance of each worker, such as deleting old rows.

import { ofDatabase } from '../database/database.ts';
import type { Connection } from '../database/rows.ts';
import type { JobSchedule } from './worker.ts';

const everyMs = 3_600_000;

/** A schedule of such work. What fails is tried again in an hour. */
export function hourly(work: (db: Connection) => Promise<unknown>): JobSchedule {
  const due = ofDatabase(() => ({ at: 0 }));
  return {
    async tick(db) {
      const next = due(db.database);
      if (Date.now() < next.at) return new Date(next.at);
      const after = Date.now() + everyMs;
      next.at = after;
      await work(db);
      return new Date(after);
    },
  };
}

/** Rows that one statement deletes, so that it holds few locks, and statements in an hour. */
const batch = 1_000;
const maxBatches = 1_000;

/** Delete rows by a statement that deletes so many at most, and answers how many; in all, how many. */
export async function inBatches(deleteSome: (most: number) => Promise<number>): Promise<number> {
  let deleted = 0;
  for (let round = 0; round < maxBatches; round += 1) {
    const some = await deleteSome(batch);
    deleted += some;
    if (some < batch) break;
  }
  return deleted;
}
