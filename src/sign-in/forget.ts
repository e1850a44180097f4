// Old sessions of people.

import { Prisma } from '../generated/prisma/client.ts';
import { daysAgo, keptRows } from '../jobs/kept-rows.ts';

/** Sessions that ended, or that were not used since. */
export const keptSessions = keptRows(
  'sessions',
  'web_session',
  (days) => Prisma.sql`web_session o
    where coalesce(o.ended_at, o.last_used_at) < ${daysAgo(days)}`,
);
