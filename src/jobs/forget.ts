// Jobs that ended long ago: each run of a monitor and each delivery is one.

import { Prisma } from '../generated/prisma/client.ts';
import { daysAgo, keptRows } from './kept-rows.ts';

/** Jobs that ended, with their logs. */
export const keptJobs = keptRows(
  'jobs that ended',
  'job',
  (days) => Prisma.sql`job o where o.completed_at < ${daysAgo(days)}
    and o.state not in ('queued', 'running')`,
);
