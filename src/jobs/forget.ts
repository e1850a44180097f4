// How long jobs are kept that have ended: each run of a monitor and each delivery is one.

import { type Connection, execute } from '../database/rows.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { inBatches } from './hourly.ts';

const keptDays = 30;

/** Delete the jobs that ended long ago, with their logs; answers how many. */
export function forgetJobs(db: Connection): Promise<number> {
  return inBatches((most) =>
    execute(
      db,
      Prisma.sql`delete from job j using (
          select o.workspace_id, o.id from job o
          where o.completed_at < now() - make_interval(days => ${keptDays})
            and o.state not in ('queued', 'running')
          limit ${most} for update of o skip locked) old
        where j.workspace_id = old.workspace_id and j.id = old.id`,
    ),
  );
}
