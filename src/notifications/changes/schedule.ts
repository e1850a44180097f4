// Debounce of change notifications: one message for many changes.

import { announce } from '../../database/announce.ts';
import { type Connection, rows } from '../../database/rows.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { JobKind } from '../../jobs/job-kind.ts';
import type { JobSchedule } from '../../jobs/worker.ts';

/** The kind of job that sends what was gathered. */
export const gatherJob = 'notifications.gather' satisfies JobKind;

/** How long changes of a workspace are gathered from the first of them on. */
const gatherSeconds = 120;

/** Every worker calls it: there is one job at a time for a workspace. */
export const gatherSchedule: JobSchedule = { tick: startGathering };

/**
 * Make the jobs of workspaces whose changes have waited long enough. The changes themselves are the
 * queue: a job takes away what it sends, in one transaction, so that nothing is lost or sent twice.
 * Answers when the next ones will have.
 */
export async function startGathering(db: Connection): Promise<Date | null> {
  const wait = Prisma.sql`make_interval(secs => ${gatherSeconds})`;
  const [first] = await rows<{ at: Date | null; isDue: boolean }>(
    db,
    Prisma.sql`select min(noted_at) + ${wait} as at, min(noted_at) + ${wait} <= now() as "isDue"
      from resource_change`,
  );
  if (!first?.at) return null;
  if (!first.isDue) return first.at;
  const made = await rows<{ id: string }>(
    db,
    Prisma.sql`insert into job (workspace_id, kind, title, priority, dedupe_key)
      select distinct c.workspace_id, ${gatherJob}, 'Notify of changes', 110, ${gatherJob}
      from resource_change c where c.noted_at <= now() - ${wait}
      on conflict (workspace_id, dedupe_key)
        where dedupe_key is not null and state in ('queued', 'running') do nothing
      returning id`,
  );
  if (made.length > 0) await announce(db, 'queue');
  return null;
}
