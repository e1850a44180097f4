// The leases of jobs: every statement that moves a job, in database time.

import { channel } from '../database/announce.ts';
import { type Connection, execute, rows } from '../database/rows.ts';
import { type Job, Prisma } from '../generated/prisma/client.ts';
import { noteEnds } from './happening.ts';
import { jobColumns } from './job.ts';
import { awaitedKinds } from './job-kind.ts';
import type { JobOutput } from './journal.ts';

/**
 * A job held on a lease: the token grows with each claim, so an old holder's writes meet nothing.
 */
export type LeasedJob = Pick<Job, 'workspaceId' | 'id' | 'leaseToken'>;

/** A worker's claim. */
export interface Claim {
  readonly owner: string;
  readonly leaseSeconds: number;
  /** Kinds that the worker has handlers for. */
  readonly kinds: readonly string[];
}

/** How many jobs to take. */
export interface FreePlaces {
  readonly free: number;
  /** How many of the free places are only for what has no other job that runs. */
  readonly spare: number;
}

/** What is offered of one workspace and kind at once: some of it may be just taken by others. */
const offeredMore = 16;

/**
 * Take jobs that are due, in turns: of each workspace and kind first what would be its only job, then its second, and
 * so on, whichever worker has the others. So much work of one keeps nothing of another waiting. Of one workspace and
 * kind, or in the same turn, the more urgent and then the older job comes first. No two workers get the same one;
 * `except` names those whose run goes on in this process although its lease was lost.
 */
export async function claimJobs(
  db: Connection,
  claim: Claim,
  { free, spare }: FreePlaces,
  except: readonly string[] = [],
): Promise<Job[]> {
  const kinds = Prisma.sql`${claim.kinds}::text[]`;
  // The index is walked from one workspace and kind to the next: it has many jobs of each.
  return rows<Job>(
    db,
    Prisma.sql`with recursive waiting(workspace_id, kind) as (
        (select q.workspace_id, q.kind from job q where q.state = 'queued'
          order by q.workspace_id, q.kind limit 1)
        union all
        select n.* from waiting w cross join lateral (select q.workspace_id, q.kind from job q
          where q.state = 'queued' and (q.workspace_id, q.kind) > (w.workspace_id, w.kind)
          order by q.workspace_id, q.kind limit 1) n),
      held as (select r.workspace_id, r.kind, count(*) as jobs from job r
        where r.state = 'running' group by r.workspace_id, r.kind),
      offered as (select q.*, coalesce(h.jobs, 0)
          + row_number() over (partition by q.workspace_id, q.kind order by q.priority, q.run_at, q.id) as turn
        from waiting w
          left join held h on h.workspace_id = w.workspace_id and h.kind = w.kind
          cross join lateral (select q.workspace_id, q.id, q.kind, q.priority, q.run_at from job q
            where q.state = 'queued' and q.workspace_id = w.workspace_id and q.kind = w.kind
              and q.run_at <= now() and not (q.id = any(${except}::uuid[]))
            order by q.priority, q.run_at, q.id limit ${free + offeredMore}) q
        where w.kind = any(${kinds})),
      queue as (select o.*, row_number() over (order by o.turn, o.priority, o.run_at, o.id) as place
        from offered o),
      due as (select q.workspace_id, q.id from queue o
          join job q on q.workspace_id = o.workspace_id and q.id = o.id and q.state = 'queued'
          where o.turn = 1 or o.place <= ${free - spare}
          order by o.place limit ${free} for update of q skip locked)
      update job j set state = 'running', attempts = j.attempts + 1, lease_owner = ${claim.owner},
        lease_token = j.lease_token + 1,
        lease_until = now() + make_interval(secs => ${claim.leaseSeconds}),
        started_at = coalesce(j.started_at, now()), last_error = null
      from due where j.workspace_id = due.workspace_id and j.id = due.id returning ${jobColumns}`,
  );
}

/** Seconds until the next job of these kinds is due; null when none waits. */
export async function secondsToNext(db: Connection, kinds: readonly string[]) {
  const [row] = await rows<{ seconds: number | null }>(
    db,
    Prisma.sql`select extract(epoch from min(run_at) - clock_timestamp())::float8 as seconds
      from job where state = 'queued' and kind = any(${kinds}::text[])`,
  );
  return row?.seconds ?? null;
}

/** What became of a lease that was to be renewed. */
export type Renewal = 'held' | 'cancel requested' | 'lost';

/** Renew leases. A job that its own run is just completing is locked, and held all the same. */
export async function renewLeases(
  db: Connection,
  held: readonly LeasedJob[],
  leaseSeconds: number,
): Promise<Map<string, Renewal>> {
  const renewed = await rows<{ id: string; cancelRequested: boolean }>(
    db,
    Prisma.sql`with mine as (
        select j.workspace_id, j.id from job j ${mine(held)} for update of j skip locked)
      update job j set lease_until = now() + make_interval(secs => ${leaseSeconds})
      from mine where j.workspace_id = mine.workspace_id and j.id = mine.id
      returning j.id, j.cancel_requested as "cancelRequested"`,
  );
  const found = new Map<string, Renewal>();
  for (const { id, cancelRequested } of renewed) {
    found.set(id, cancelRequested ? 'cancel requested' : 'held');
  }
  const missing = held.filter(({ id }) => !found.has(id));
  if (missing.length === 0) return found;
  const locked = await rows<{ id: string }>(
    db,
    Prisma.sql`select j.id from job j ${mine(missing)}`,
  );
  for (const { id } of missing) found.set(id, 'lost');
  for (const { id } of locked) found.set(id, 'held');
  return found;
}

function mine(held: readonly LeasedJob[]): Prisma.Sql {
  return Prisma.sql`join unnest(${held.map(({ workspaceId }) => workspaceId)}::uuid[],
      ${held.map(({ id }) => id)}::uuid[], ${held.map(({ leaseToken }) => leaseToken)}::int[])
      h(workspace_id, id, token)
    on j.workspace_id = h.workspace_id and j.id = h.id and j.lease_token = h.token
    where j.state = 'running'`;
}

/**
 * Store what a job said so far and notify anyone who watches it. Skips a job that is just being completed.
 */
export async function saveSaid(db: Connection, held: LeasedJob, said: JobOutput): Promise<void> {
  await execute(
    db,
    Prisma.sql`with mine as (
        select j.workspace_id, j.id from job j ${mine([held])} for update of j skip locked),
      saved as (update job j set ${sets(said)} from mine
        where j.workspace_id = mine.workspace_id and j.id = mine.id returning j.id)
      select pg_notify(${channel}, 'job:' || id) from saved`,
  );
}

/** Store what a job has found so far, which a later attempt begins with. Nothing, where another worker has it by now. */
export async function saveResult(db: Connection, held: LeasedJob, soFar: unknown): Promise<void> {
  await execute(
    db,
    Prisma.sql`with mine as (select j.workspace_id, j.id from job j ${mine([held])} for update of j)
      update job j set result = ${JSON.stringify(soFar)}::jsonb from mine
      where j.workspace_id = mine.workspace_id and j.id = mine.id`,
  );
}

/** How a run ends. */
export type Ending =
  | { readonly state: 'succeeded'; readonly result: unknown }
  | { readonly state: 'failed' | 'cancelled'; readonly error: string | null }
  | { readonly state: 'queued'; readonly error: string | null; readonly delaySeconds: number }
  /** Given back by a worker that stops: the attempt does not count. */
  | { readonly state: 'released' };

/**
 * End a run, in the transaction of its effect where there is one. False when the lease was lost:
 * then nothing was written, and whatever else the transaction did must not be committed.
 */
export async function endRun(
  db: Connection,
  held: LeasedJob & Pick<Job, 'kind'>,
  said: JobOutput,
  ending: Ending,
): Promise<boolean> {
  // Webhooks are only looked for at the end of what somebody waits for.
  const noted = awaitedKinds.includes(held.kind)
    ? noteEnds('ended')
    : Prisma.sql`select id from ended where false`;
  const [ended] = await rows<{ id: string }>(
    db,
    Prisma.sql`with ended as (
        update job j set ${sets(said)}, ${endingSets(ending)},
          lease_until = null, lease_owner = null
        where j.workspace_id = ${held.workspaceId}::uuid and j.id = ${held.id}::uuid
          and j.lease_token = ${held.leaseToken} and j.state = 'running' returning j.*),
      noted as (${noted})
      select id, pg_notify(${channel}, 'job:' || id)::text as announced,
        case when state = 'queued' or exists (select from noted)
          then pg_notify(${channel}, 'queue')::text end as queued
      from ended`,
  );
  return ended !== undefined;
}

/** Make sure, in a transaction, that the lease holds until its commit; false when it was lost. */
export async function lockLease(db: Connection, held: LeasedJob): Promise<boolean> {
  const [row] = await rows<{ id: string }>(
    db,
    Prisma.sql`select j.id from job j ${mine([held])} for update of j`,
  );
  return row !== undefined;
}

function sets({ logs, progressStep, progressDone, progressTotal }: JobOutput): Prisma.Sql {
  return Prisma.sql`logs = ${logs}, progress_step = ${progressStep},
    progress_done = ${progressDone}, progress_total = ${progressTotal}`;
}

// The transaction may be an hour old: now() would be its beginning.
const ended = Prisma.sql`completed_at = clock_timestamp()`;

function endingSets(ending: Ending): Prisma.Sql {
  switch (ending.state) {
    case 'succeeded':
      return Prisma.sql`state = 'succeeded', ${ended}, last_error = null,
        result = ${JSON.stringify(ending.result ?? null)}::jsonb`;
    case 'failed':
    case 'cancelled':
      return Prisma.sql`state = ${ending.state}, ${ended}, last_error = ${ending.error}`;
    case 'queued':
      return Prisma.sql`state = 'queued', last_error = ${ending.error},
        run_at = clock_timestamp() + make_interval(secs => ${ending.delaySeconds})`;
    case 'released':
      return Prisma.sql`state = 'queued', attempts = j.attempts - 1, run_at = clock_timestamp()`;
  }
}

/** What a lost worker leaves in the log of its job, where the job says nothing better. */
export const lostLine = 'The worker that ran this was lost.';

/**
 * Take back the jobs of workers that were lost: their leases ran out. Such a job waits again, or,
 * when it has used up its attempts, it has failed, in the words that it keeps for this (`ifLost`).
 * Returns how many were taken back.
 */
export async function sweepJobs(db: Connection, except: readonly string[]): Promise<number> {
  const swept = await rows<{ id: string }>(
    db,
    Prisma.sql`with lost as (
        select q.workspace_id, q.id, coalesce(q.payload ->> 'ifLost', ${lostLine}) as line
          from job q where q.state = 'running' and q.lease_until < now()
          and not (q.id = any(${except}::uuid[]))
          order by q.lease_until limit 100 for update skip locked),
      swept as (update job j set lease_until = null, lease_owner = null, run_at = now(),
          last_error = lost.line, logs = j.logs || lost.line || E'\\n',
          state = case when j.cancel_requested then 'cancelled'
            when j.attempts >= j.max_attempts then 'failed' else 'queued' end,
          completed_at = case when j.cancel_requested or j.attempts >= j.max_attempts then now() end
        from lost where j.workspace_id = lost.workspace_id and j.id = lost.id returning j.*),
      noted as (${noteEnds('swept')})
      select id, pg_notify(${channel}, 'job:' || id)::text as announced from swept`,
  );
  return swept.length;
}
