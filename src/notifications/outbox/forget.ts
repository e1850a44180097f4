// How long what was sent is kept: inboxes and delivery logs would grow for good otherwise.

import type { Database } from '../../database/database.ts';
import { type Connection, execute } from '../../database/rows.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { JobSchedule } from '../../jobs/worker.ts';

const keptDays = 90;
const hourMs = 3_600_000;
/** Rows that one statement deletes, and statements in an hour. */
const batch = 1_000;
const maxBatches = 100;

const nextLook = new WeakMap<Database, number>();

/** Every worker calls it; what one has locked the others skip. */
export const forgetSchedule: JobSchedule = {
  async tick(db) {
    const now = performance.now();
    if (now < (nextLook.get(db.database) ?? now)) return null;
    nextLook.set(db.database, now + hourMs);
    for (let round = 0; round < maxBatches; round += 1) {
      if ((await forgetOld(db)) < batch) break;
    }
    return null;
  },
};

/**
 * Delete what was delivered long ago; answers how much. What waits stays, and so does what notified somebody of an
 * incident that is still open: they are to be notified of its end.
 */
export async function forgetOld(db: Connection): Promise<number> {
  return execute(
    db,
    Prisma.sql`delete from notification n using (
        select o.workspace_id, o.id from notification o
        where o.created_at < now() - make_interval(days => ${keptDays}) and o.state <> 'pending'
          and not exists (select from incident i where i.workspace_id = o.workspace_id
            and i.id = o.incident_id and i.status <> 'resolved')
        limit ${batch} for update of o skip locked) old
      where n.workspace_id = old.workspace_id and n.id = old.id`,
  );
}
