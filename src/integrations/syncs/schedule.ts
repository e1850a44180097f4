// When integrations are synced by themselves: what is due becomes jobs, each instant once.

import { announce } from '../../database/announce.ts';
import { type Connection, rows } from '../../database/rows.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { JobSchedule } from '../../jobs/worker.ts';
import { liveTypes } from '../connectors/open.ts';
import { pulledTypes } from '../integration-type.ts';
import { importJob } from '../sync-key.ts';
import { syncAttempts, syncJob } from './live-sync.ts';

/** Every worker calls it: what one has locked the others skip. */
export const extractionSchedule: JobSchedule = { tick: startDueSyncs };

/** Integrations that one statement takes. */
const batch = 100;

/** Start what is due; answers when the next sync is due, or null when none is. */
export async function startDueSyncs(db: Connection): Promise<Date | null> {
  for (;;) {
    const due = await startBatch(db);
    if (due > 0) await announce(db, 'queue');
    if (due < batch) break;
  }
  const [next] = await rows<{ at: Date | null }>(
    db,
    Prisma.sql`select min(scheduled_extractions_next_run) as at from integration`,
  );
  return next?.at ?? null;
}

/**
 * One statement: the database's clock decides what is due, missed instants collapse into one, and a
 * sync that is in progress stands for the one that is due.
 */
async function startBatch(db: Connection): Promise<number> {
  const [made] = await rows<{ due: number }>(
    db,
    Prisma.sql`with due as (
        select i.workspace_id, i.id, i.name, i.type, i.credentials from integration i
        where i.scheduled_extractions_next_run <= now()
        order by i.scheduled_extractions_next_run limit ${batch} for update skip locked),
      advanced as (
        update integration i set scheduled_extractions_next_run = ${nextInstant}
        from due where i.workspace_id = due.workspace_id and i.id = due.id),
      jobs as (
        insert into job (workspace_id, kind, title, payload, dedupe_key, max_attempts)
        select d.workspace_id, ${syncJob}, 'Sync of ' || d.name,
          jsonb_build_object('integrationId', d.id), ${`${importJob}:`} || d.id, ${syncAttempts}
        from due d where d.type = any(${[...liveTypes]}::text[])
          or d.credentials is not null and d.type = any(${[...pulledTypes]}::text[])
        on conflict (workspace_id, dedupe_key)
          where dedupe_key is not null and state in ('queued', 'running') do nothing)
      select count(*)::int as due from due`,
  );
  return made?.due ?? 0;
}

/** What `nextExtraction` answers for now, in SQL. A test holds the two together. */
const offset = Prisma.sql`coalesce(i.scheduled_extractions_hour, 0) * 3600`;
const interval = Prisma.sql`i.scheduled_extractions_frequency * 3600`;
const nextInstant = Prisma.sql`to_timestamp(${offset}
  + (floor((extract(epoch from now()) - ${offset}) / (${interval})) + 1) * ${interval})`;
