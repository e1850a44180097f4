// Takes profiles of tables: jobs that people ask for, and those of the schedule.

import type { ServerContext } from '../../context.ts';
import { announce } from '../../database/announce.ts';
import { type Connection, rows } from '../../database/rows.ts';
import { transaction } from '../../database/transaction.ts';
import { invalid } from '../../errors.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { payloadOf } from '../../jobs/job.ts';
import type { JobHandler } from '../../jobs/run.ts';
import type { JobSchedule } from '../../jobs/worker.ts';
import type { OpenSource } from '../runs/asking.ts';
import { placeOf } from '../runs/subject.ts';
import { databaseOf, within } from '../scans/one-database.ts';
import type { MeasuredSource } from '../scans/run-scans.ts';
import { sourceDialect } from '../scans/source-dialect.ts';
import { columnsToProfile, findTable, keepProfile, profileJob, sourceOf } from './profile.ts';
import { profileTableOf } from './profile-scan.ts';

/** The handler of jobs that profile a table. */
export function profileHandler(open: OpenSource): JobHandler {
  return async ({ job, ctx, log, fence }) => {
    const { tableId = '' } = payloadOf(job);
    const table = await findTable(ctx, String(tableId));
    const columns = await columnsToProfile(ctx, table.id);
    const { path, source } = await openTable(ctx, table, open);
    try {
      const dialect = sourceDialect(source.dialect ?? '');
      const facts = await profileTableOf(ctx, source, dialect, path, columns);
      if (facts.rowCount === null) {
        throw invalid(
          'The table could not be read: check that it is there, and what the login may read.',
        );
      }
      await transaction(ctx, async (tx) => {
        await fence(tx);
        await keepProfile(tx, table.id, facts);
      });
      const problems = facts.columns.flatMap(({ problem }) => problem ?? []);
      for (const problem of new Set(problems)) log(problem);
      log(`${facts.rowCount} rows, ${columns.length} columns.`);
      return { rows: facts.rowCount, columns: columns.length, problems: problems.length };
    } finally {
      await source.close();
    }
  };
}

/** The source of a table, open, and the names that lead to the table there. */
export async function openTable(
  ctx: ServerContext,
  table: Awaited<ReturnType<typeof findTable>>,
  open: OpenSource,
): Promise<{ path: readonly string[]; source: MeasuredSource }> {
  const { id, type } = await sourceOf(ctx, table);
  const place = await placeOf(ctx, table);
  if (!place) throw invalid('The table is no longer in the catalog.');
  const source = await open(ctx, { id, type });
  return { path: place.table, source: within(source, databaseOf(place.table)) };
}

/** Makes the jobs of profiles that are due. */
export const profileSchedule: JobSchedule = { tick: startDueProfiles };

/** Tables that one statement takes. */
const batch = 100;

/** Start what is due; answers when the next profile is due, or null when none is. */
export async function startDueProfiles(db: Connection): Promise<Date | null> {
  for (;;) {
    const [made] = await rows<{ due: number }>(db, startBatch);
    const due = made?.due ?? 0;
    if (due > 0) await announce(db, 'queue');
    if (due < batch) break;
  }
  const [next] = await rows<{ at: Date | null }>(
    db,
    Prisma.sql`select min(next_run_at) as at from table_profile`,
  );
  return next?.at ?? null;
}

/** Missed instants collapse into one, and a profile that is being taken stands for the one that is due. */
const startBatch = Prisma.sql`with due as (
    select p.workspace_id, p.table_id from table_profile p where p.next_run_at <= now()
    order by p.next_run_at limit ${batch} for update skip locked),
  advanced as (
    update table_profile p set next_run_at = now() + make_interval(hours => p.every_hours)
    from due where p.workspace_id = due.workspace_id and p.table_id = due.table_id),
  jobs as (
    insert into job (workspace_id, kind, title, payload, dedupe_key, max_attempts)
    select d.workspace_id, ${profileJob}, 'Profile of ' || r.title,
      jsonb_build_object('tableId', d.table_id), ${`${profileJob}:`} || d.table_id, 2
    from due d join resource r on r.workspace_id = d.workspace_id and r.id = d.table_id
    where not r.archived and not r.stale
    on conflict (workspace_id, dedupe_key)
      where dedupe_key is not null and state in ('queued', 'running') do nothing)
  select count(*)::int as due from due`;
