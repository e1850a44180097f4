// How long what was sent is kept: inboxes and delivery logs would grow for good otherwise.

import { type Connection, execute } from '../../database/rows.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { inBatches } from '../../jobs/hourly.ts';

const keptDays = 90;

/**
 * Delete what was delivered long ago; answers how much. What waits stays, and so does what notified somebody of an
 * incident that is still open: they are to be notified of its end.
 */
export function forgetNotifications(db: Connection): Promise<number> {
  return inBatches((most) =>
    execute(
      db,
      Prisma.sql`delete from notification n using (
          select o.workspace_id, o.id from notification o
          where o.created_at < now() - make_interval(days => ${keptDays}) and o.state <> 'pending'
            and not exists (select from incident i where i.workspace_id = o.workspace_id
              and i.id = o.incident_id and i.status <> 'resolved')
          limit ${most} for update of o skip locked) old
        where n.workspace_id = old.workspace_id and n.id = old.id`,
    ),
  );
}
