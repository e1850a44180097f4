// Old measurements and incidents.

import { type Connection, execute, rows } from '../../database/rows.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { inBatches } from '../../jobs/hourly.ts';
import { countOf, daysAgo, type Kept } from '../../jobs/kept-rows.ts';

/** Measurements that are kept of each monitor however old they are, the newest: a monthly one learns for years. */
const keptOfMonitor = 500;
/** After so many times the days nothing is kept of a day but what belongs to an incident. */
const thinnedFor = 4;
/** Monitors whose measurements one statement goes through. */
const monitorsAtOnce = 100;

/**
 * Measurements: after some days the last one of each day of UTC, after four times as many none. The newest 500 of a
 * monitor are kept, and those of its incidents as long as these are.
 */
export const keptMeasurements: Kept = {
  what: 'measurements',
  count: (db, days) => countOf(db, old(days, Prisma.sql`true`)),
  async forget(db, days) {
    let deleted = 0;
    let after: Place | null = null;
    for (;;) {
      const page = await monitorsAfter(db, after);
      const last = page.at(-1);
      if (!last) return deleted;
      after = last;
      const ids = page.map(({ id }) => id);
      const these = Prisma.sql`m.id = any(${ids}::uuid[])`;
      deleted += await inBatches((most) =>
        execute(
          db,
          Prisma.sql`delete from measurement where ctid = any(array(
            select o.ctid from ${old(days, these)} limit ${most} for update of o skip locked))`,
        ),
      );
    }
  },
};

interface Place {
  readonly workspaceId: string;
  readonly id: string;
}

function monitorsAfter(db: Connection, after: Place | null): Promise<Place[]> {
  const from = after
    ? Prisma.sql`(m.workspace_id, m.id) > (${after.workspaceId}::uuid, ${after.id}::uuid)`
    : Prisma.sql`true`;
  return rows<Place>(
    db,
    Prisma.sql`select m.workspace_id as "workspaceId", m.id from monitor m where ${from}
      order by m.workspace_id, m.id limit ${monitorsAtOnce}`,
  );
}

/** The old measurements `o` of monitors `m`, as what follows `from`. */
function old(days: number, monitors: Prisma.Sql): Prisma.Sql {
  const day = (at: string) => Prisma.raw(`date_trunc('day', ${at}, 'UTC')`);
  return Prisma.sql`monitor m
    cross join lateral (select n.created_at from measurement n
      where n.workspace_id = m.workspace_id and n.monitor_id = m.id
      order by n.created_at desc offset ${keptOfMonitor - 1} limit 1) kept
    join measurement o on o.workspace_id = m.workspace_id and o.monitor_id = m.id
      and o.created_at < least(kept.created_at, ${daysAgo(days)})
    where ${monitors} and o.incident_id is null
      and (o.created_at < ${daysAgo(days * thinnedFor)}
        or exists (select from measurement later where later.workspace_id = o.workspace_id
          and later.monitor_id = o.monitor_id and later.created_at > o.created_at
          and later.created_at < ${day('o.created_at')} + interval '1 day'))`;
}

/** Incidents that were resolved, with what was done about them; the last one of each monitor is kept. */
export const keptIncidents: Kept = {
  what: 'incidents that were resolved',
  count: (db, days) => countOf(db, resolved(days)),
  forget: (db, days) =>
    inBatches((most) =>
      execute(
        db,
        Prisma.sql`with gone as (
            select o.workspace_id, o.id from ${resolved(days)} limit ${most} for update of o skip locked),
          freed as (update measurement x set incident_id = null from gone
            where x.workspace_id = gone.workspace_id and x.incident_id = gone.id)
          delete from incident i using gone
            where i.workspace_id = gone.workspace_id and i.id = gone.id`,
      ),
    ),
};

const resolved = (days: number) => Prisma.sql`incident o
  where o.status = 'resolved' and o.resolved_at < ${daysAgo(days)}
    and not exists (select from monitor m where m.workspace_id = o.workspace_id
      and m.id = o.monitor_id and m.last_incident_id = o.id)`;
