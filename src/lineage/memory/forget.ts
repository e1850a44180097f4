// In charge of forgetting what the log of the lineage graph says of yesterday.

import { forgetSql } from '../../database/change-log.ts';
import type { Database } from '../../database/database.ts';
import type { Connection } from '../../database/rows.ts';
import { execute } from '../../database/rows.ts';
import type { JobSchedule } from '../../jobs/worker.ts';

/** Every worker forgets when it starts, and then once an hour. */
export const forgetLogSchedule: JobSchedule = { tick: forgetNowAndThen };

const everyMs = 3_600_000;
const nextTime = new WeakMap<Database, number>();

async function forgetNowAndThen(db: Connection): Promise<Date> {
  const next = nextTime.get(db.database) ?? 0;
  if (Date.now() < next) return new Date(next);
  const after = Date.now() + everyMs;
  nextTime.set(db.database, after);
  await execute(db, forgetSql);
  return new Date(after);
}
