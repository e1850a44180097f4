// How long what was sent is kept: inboxes and delivery logs would grow for good otherwise.

import { Prisma } from '../../generated/prisma/client.ts';
import { daysAgo, keptRows } from '../../jobs/kept-rows.ts';

/**
 * What was delivered. What waits stays, and so does what notified somebody of an incident that is still open: they are
 * to be notified of its end.
 */
export const keptNotifications = keptRows(
  'notifications',
  'notification',
  (days) => Prisma.sql`notification o where o.created_at < ${daysAgo(days)} and o.state <> 'pending'
    and not exists (select from incident i where i.workspace_id = o.workspace_id
      and i.id = o.incident_id and i.status <> 'resolved')`,
);
