// The schedule of monitors: what is due becomes jobs, each instant once.

import type { Context } from '../../context.ts';
import { announce } from '../../database/announce.ts';
import { type Connection, rows } from '../../database/rows.ts';
import { type Job, Prisma } from '../../generated/prisma/client.ts';
import { enqueueJob } from '../../jobs/job.ts';
import type { JobKind } from '../../jobs/job-kind.ts';
import type { JobSchedule } from '../../jobs/worker.ts';

/** The kind of job that runs monitors. */
export const runJob = 'monitors.run' satisfies JobKind;

/** Run monitors once, as soon as the transaction is over, whatever their schedule; answers the job. */
export async function runSoon(tx: Context, ids: readonly string[]): Promise<Job> {
  const { job } = await enqueueJob(tx, {
    kind: runJob,
    title: ids.length === 1 ? 'Run a monitor' : `Run ${ids.length} monitors`,
    payload: { monitors: ids, scheduled: false },
  });
  return job;
}

/** Due monitors whose tables one statement takes; the next one follows at once. */
const batch = 250;
/** Tables whose monitors one job measures: enough to share connections, few enough to share work. */
const tablesPerJob = 10;
/** Within this time after the instant a job starts, so that not all knock at once at midnight. */
export const spreadMs = 500;
/** Before those that people did not ask for, and behind nothing else. */
const priority = 90;

/**
 * Makes the jobs of monitors that are due. Every worker calls it: the rows that one has locked are
 * skipped by the others, and the instant advances in the statement that makes the job.
 */
export const monitorSchedule: JobSchedule = { tick: startDueMonitors };

/** Start what is due; answers when the next monitor is due, or null when none is. */
export async function startDueMonitors(db: Connection): Promise<Date | null> {
  for (;;) {
    const started = await startBatch(db);
    if (started.jobs > 0) await announce(db, 'queue');
    if (started.picked < batch) break;
  }
  const [next] = await rows<{ at: Date | null }>(
    db,
    Prisma.sql`select min(next_run_at) as at from monitor where is_enabled`,
  );
  return next?.at ?? null;
}

/** Names the lock of those who make jobs; a number of no meaning. */
const turnLock = 727_100_001;

/**
 * One statement: the database's clock decides what is due, missed instants collapse into one, and a
 * monitor whose instant has advanced has its job. A source's monitors share jobs, a table's always:
 * with a due monitor go all that are due of its table, and one process at a time has its turn, since
 * two would each take a part of them. Rows that a run holds are left for the next look.
 */
async function startBatch(db: Connection): Promise<{ picked: number; jobs: number }> {
  const [made] = await rows<{ picked: number; jobs: number }>(
    db,
    Prisma.sql`with turn as materialized (select pg_try_advisory_xact_lock(${turnLock}) as mine),
      picked as materialized (
        select m.workspace_id, m.target_id from monitor m
        where m.is_enabled and m.next_run_at <= now() and (select mine from turn)
        order by m.next_run_at limit ${batch} for update skip locked),
      tables as (
        select distinct p.workspace_id,
          case when r.kind = 'column' then coalesce(r.parent_id, r.id) else r.id end as id
        from picked p join resource r on r.workspace_id = p.workspace_id and r.id = p.target_id),
      targets as (
        select t.workspace_id, t.id as table_id, t.id from tables t
        union all
        select t.workspace_id, t.id, r.id from tables t
        join resource r on r.workspace_id = t.workspace_id and r.parent_id = t.id
          and r.kind = 'column'),
      due as (
        select m.workspace_id, m.id, m.next_run_at, t.table_id from targets t
        join monitor m on m.workspace_id = t.workspace_id and m.target_id = t.id
        where m.is_enabled and m.next_run_at <= now() for update of m skip locked),
      advanced as (
        update monitor m set next_run_at = ${nextInstant}
        from due where m.workspace_id = due.workspace_id and m.id = due.id
        returning m.workspace_id, m.id, m.integration_id, due.table_id, due.next_run_at as due_at),
      placed as (
        select a.*, dense_rank() over (
            partition by a.workspace_id, a.integration_id order by a.table_id) as place
        from advanced a),
      jobs as (
        insert into job (workspace_id, kind, title, priority, payload, run_at)
        select p.workspace_id, ${runJob},
          case when count(*) = 1 then 'Run a monitor' else 'Run ' || count(*) || ' monitors' end,
          ${priority},
          jsonb_build_object('monitors', jsonb_agg(p.id order by p.id), 'scheduled', true),
          min(p.due_at) + make_interval(secs => ${jitter})
        from placed p
        group by p.workspace_id, p.integration_id, (p.place - 1) / ${tablesPerJob}
        returning id)
      select (select count(*)::int from picked) as picked, (select count(*)::int from jobs) as jobs`,
  );
  return made ?? { picked: 0, jobs: 0 };
}

/** `jitterMs` of the job's first monitor, in seconds: the first four bytes of its id's SHA-256. */
const jitter = Prisma.sql`floor(('x' || substr(encode(sha256(
    convert_to(min(p.id::text), 'UTF8')), 'hex'), 1, 8))::bit(32)::bigint
  / 4294967296.0 * ${spreadMs}::float8) / 1000`;

const hour = 3_600;
const day = 24 * hour;
/** 1970 began on a Thursday; this was the first Monday. */
const firstMonday = 4 * day;

/** What `nextRunAt` answers for now, in SQL. A test holds the two together. */
const nextInstant = nextInstantAfter(Prisma.sql`now()`);

/** The first aligned instant of monitor `m` after a moment, as an expression. */
export function nextInstantAfter(moment: Prisma.Sql): Prisma.Sql {
  const interval = Prisma.sql`(case m.schedule_cadence when 'hourly' then m.schedule_frequency * ${hour}
    when 'weekly' then ${7 * day} else ${day} end)::int`;
  const offset = Prisma.sql`(case m.schedule_cadence when 'hourly' then 0
    when 'weekly' then ${firstMonday} + m.schedule_day * ${day} + m.schedule_hour * ${hour}
    else m.schedule_hour * ${hour} end)::int`;
  const month = Prisma.sql`date_trunc('month', ${moment} at time zone 'UTC')`;
  const within = Prisma.sql`make_interval(days => m.schedule_day - 1, hours => m.schedule_hour)`;
  const monthly = Prisma.sql`(${month} + ${within}) at time zone 'UTC'`;
  return Prisma.sql`case when m.schedule_cadence <> 'monthly' then
      to_timestamp(${offset} + (floor((extract(epoch from ${moment}) - ${offset}) / ${interval}) + 1)
        * ${interval})
    when ${monthly} > ${moment} then ${monthly}
    else (${month} + interval '1 month' + ${within}) at time zone 'UTC' end`;
}
