// Jobs as people see them: starting, reading and cancelling work in the background.

import { record } from '../audit/audit.ts';
import { changeOf } from '../audit/changes.ts';
import { hasScope } from '../auth/key-scope.ts';
import { isAllowed, mustBeAllowed } from '../auth/permission.ts';
import { serverId, type Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { announce } from '../database/announce.ts';
import { insertMany } from '../database/bulk.ts';
import { columnsOf } from '../database/columns.ts';
import { rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { conflict, invalidField, notFound } from '../errors.ts';
import { type Job, Prisma } from '../generated/prisma/client.ts';
import type { FilterFields } from '../lists/field.ts';
import { listPage, newestFirst, type Page, type PageArgs } from '../lists/page.ts';
import {
  column,
  compileWhere,
  fieldsOf,
  inOrder,
  type Members,
  type OrderTerm,
  required,
} from '../lists/where.ts';
import { isUuid } from '../text/uuid.ts';
import { runningHere } from './running.ts';

/** What a job can be at. The last three are ends. */
export const jobStates = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;

/** Work to be done. */
export interface NewJob {
  /** Names the handler that does it. */
  readonly kind: string;
  /** What the job does, in words. */
  readonly title: string;
  /** What its handler is given; JSON. */
  readonly payload?: Prisma.InputJsonObject;
  /** Of the jobs that wait or run, only one has this key. */
  readonly dedupeKey?: string;
  /** Lower numbers come first; 100 where absent. */
  readonly priority?: number;
  readonly maxAttempts?: number;
  /** Not before so many seconds from now. */
  readonly delaySeconds?: number;
}

/** A job that was asked for: made now, or the equal one that there was. */
export interface Enqueued {
  readonly job: Job;
  readonly created: boolean;
}

export const jobColumns = columnsOf(Prisma.JobScalarFieldEnum, 'j');

/**
 * Put work in the queue, for the viewer. Where a job with its dedupe key waits or runs, that one
 * is answered and nothing is made. In a transaction the job is part of it: no worker sees it
 * before the commit. The caller has checked that the viewer may ask for it.
 */
export async function enqueueJob(ctx: Context, input: NewJob): Promise<Enqueued> {
  return transaction(ctx, async (tx) => {
    // The equal job may end between the two statements, and another one be made: once is rare.
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const made = await insertJob(tx, input);
      if (made) {
        await announce(tx, 'queue');
        await announce(tx, 'job', [made.id]);
        return { job: made, created: true };
      }
      const [job] = await rows<Job>(
        tx,
        Prisma.sql`select ${jobColumns} from job j
          where j.workspace_id = ${ctx.workspaceId}::uuid and j.dedupe_key = ${input.dedupeKey}
            and j.state in ('queued', 'running')`,
      );
      if (job) return { job, created: false };
    }
    throw conflict(`Someone else is starting the job "${input.title}". Try again.`);
  });
}

async function insertJob(ctx: Context, input: NewJob): Promise<Job | undefined> {
  const userId = ctx.viewer.id === serverId ? null : ctx.viewer.id;
  const [job] = await rows<Job>(
    ctx,
    Prisma.sql`insert into job as j (workspace_id, kind, title, user_id, priority, dedupe_key,
        payload, max_attempts, run_at)
      values (${ctx.workspaceId}::uuid, ${input.kind}, ${input.title}, ${userId}::uuid,
        ${input.priority ?? 100}, ${input.dedupeKey ?? null},
        ${JSON.stringify(input.payload ?? {})}::jsonb, ${input.maxAttempts ?? 5},
        now() + make_interval(secs => ${input.delaySeconds ?? 0}))
      on conflict (workspace_id, dedupe_key)
        where dedupe_key is not null and state in ('queued', 'running') do nothing
      returning ${jobColumns}`,
  );
  return job;
}

const ownWork = {
  table: 'job',
  columns: { workspace_id: 'uuid', kind: 'text', title: 'text', priority: 'int', payload: 'jsonb' },
} as const;

/** Put work of the server's own in the queue, much of it at once, each piece for its own sake. */
export async function enqueueOwnWork(
  ctx: Context,
  work: readonly Pick<NewJob, 'kind' | 'title' | 'priority' | 'payload'>[],
): Promise<void> {
  if (work.length === 0) return;
  const { workspaceId } = ctx;
  await insertMany(
    ctx,
    ownWork,
    work.map((job) => ({ workspace_id: workspaceId, priority: 100, payload: {}, ...job })),
  );
  await announce(ctx, 'queue');
}

/**
 * One job. Everyone may read those they started, editors and admins all. A job that runs in this
 * process is read from memory: its progress is newer than the database's.
 */
export async function getJob(ctx: Context, id: string): Promise<Job> {
  const job = isUuid(id) ? (runningHere(ctx.database, id) ?? (await readJob(ctx, id))) : undefined;
  if (job?.workspaceId !== ctx.workspaceId || !mayRead(ctx, job)) throw notFound('Job');
  return job;
}

async function readJob(ctx: Context, id: string): Promise<Job | undefined> {
  const [job] = await rows<Job>(
    ctx,
    Prisma.sql`select ${jobColumns} from job j
      where j.workspace_id = ${ctx.workspaceId}::uuid and j.id = ${id}::uuid`,
  );
  return job;
}

/** Which jobs to list. */
export interface JobQuery {
  readonly kind?: string | null | undefined;
  readonly states?: readonly string[] | null | undefined;
  /** A typed filter. */
  readonly where?: unknown;
  /** A typed order; newest first where absent. */
  readonly orderBy?: readonly OrderTerm[] | null | undefined;
}

/** Jobs that the viewer may read, newest first. */
export async function listJobs(ctx: Context, query: JobQuery, args: PageArgs): Promise<Page<Job>> {
  const states = query.states ?? jobStates;
  const unknown = states.find((state) => !jobStates.some((known) => known === state));
  if (unknown !== undefined) {
    throw invalidField('state', `"${unknown.slice(0, 30)}" is not one of ${jobStates.join(', ')}.`);
  }
  const kind = query.kind ? Prisma.sql`j.kind = ${query.kind}` : Prisma.sql`true`;
  const listing = {
    from: Prisma.sql`job j`,
    columns: jobColumns,
    where: Prisma.sql`${jobsSeen(ctx)} and ${kind} and j.state = any(${[...states]}::text[])
      and ${compileWhere(query.where, jobMembers).where}`,
    order: newestFirst(Prisma.sql`j`),
  };
  return listPage<Job>(ctx, inOrder(listing, query.orderBy, jobOrder, ['createdAt']), args);
}

/** Which jobs are asked for by what changed: those of these ids, or since a time. */
interface ChangedJobs {
  readonly ids: readonly string[] | null;
  readonly since: Date;
  /** A typed filter. */
  readonly where?: unknown;
}

/** What one answer to a subscriber holds at most; the list shows all. */
const maxChanged = 500;

/** Jobs that changed, those of the viewer or all that they may read; those that run here as they are now. */
export async function changedJobs(
  ctx: Context,
  { ids, since, where }: ChangedJobs,
): Promise<Job[]> {
  const changed = ids
    ? Prisma.sql`j.id = any(${[...ids]}::uuid[])`
    : Prisma.sql`(j.state = 'running' or greatest(j.created_at, j.started_at, j.completed_at) >= ${since})`;
  const found = await rows<Job>(
    ctx,
    Prisma.sql`select ${jobColumns} from job j where ${jobsSeen(ctx)} and ${changed}
        and ${compileWhere(where, jobMembers).where}
      order by j.created_at, j.id limit ${maxChanged}`,
  );
  return found.map((job) => runningHere(ctx.database, job.id) ?? job);
}

/** Which jobs `j` the viewer may read: those that they started, or all. */
export function jobsSeen(ctx: Context): Prisma.Sql {
  const own = Prisma.sql`j.user_id = ${ctx.viewer.id}::uuid`;
  const seen = isAllowed(ctx, 'read jobs')
    ? Prisma.sql`true`
    : hasScope(ctx.viewer, 'READ')
      ? own
      : Prisma.sql`${own} and ${isFed(ctx.viewer)}`;
  return Prisma.sql`j.workspace_id = ${ctx.workspaceId}::uuid and ${seen}`;
}

/** The integration that a job feeds or reads: only one import or sync of each is there at a time, by this key. */
export const fedIntegration = `(case when j.dedupe_key like 'import:%' then substr(j.dedupe_key, 8)
  else j.payload->>'integrationId' end)::uuid`;

/** Whether a job `j` feeds an integration that a key may import into: all that one sees which reads nothing else. */
function isFed({ importsInto }: Viewer): Prisma.Sql {
  const integrationId = Prisma.raw(fedIntegration);
  return Prisma.sql`${integrationId} = coalesce(${importsInto ?? null}::uuid, ${integrationId})`;
}

const ofJob = {
  kind: required('j.kind'),
  state: required('j.state'),
  title: required('j.title'),
  createdAt: required('j.created_at', 'time'),
  startedAt: column('j.started_at', 'time'),
  completedAt: column('j.completed_at', 'time'),
};

/** What jobs are ordered by. */
export const jobOrder: FilterFields = fieldsOf(ofJob);

/** What a typed filter of jobs `j` speaks of. */
export const jobMembers: Members = {
  ...ofJob,
  id: required('j.id', 'id'),
  userId: column('j.user_id', 'id'),
  integrationId: column(fedIntegration, 'id'),
};

/** What a job was given to work with, by name; what the values are is for its handler to check. */
export function payloadOf({ payload }: Pick<Job, 'payload'>): Readonly<Record<string, unknown>> {
  return typeof payload === 'object' && payload !== null && !Array.isArray(payload) ? payload : {};
}

/**
 * Cancel a job: one that waits is cancelled at once, one that runs is asked to stop and is
 * cancelled when it does. Who started it may, and admins. A job that has ended is a CONFLICT.
 */
export async function cancelJob(ctx: Context, id: string): Promise<Job> {
  return transaction(ctx, async (tx) => {
    const [before] = isUuid(id)
      ? await rows<Job>(
          tx,
          Prisma.sql`select ${jobColumns} from job j
            where j.workspace_id = ${ctx.workspaceId}::uuid and j.id = ${id}::uuid for update`,
        )
      : [];
    if (!before || !mayRead(ctx, before)) throw notFound('Job');
    mustMayCancel(ctx, before);
    if (before.state !== 'queued' && before.state !== 'running') {
      throw conflict(
        `The job has ${before.state === 'cancelled' ? 'been ' : ''}${before.state} already.`,
      );
    }
    const [job] = await rows<Job>(
      tx,
      Prisma.sql`update job j set cancel_requested = true,
          state = case when j.state = 'queued' then 'cancelled' else j.state end,
          completed_at = case when j.state = 'queued' then now() end
        where j.workspace_id = ${ctx.workspaceId}::uuid and j.id = ${before.id}::uuid
        returning ${jobColumns}`,
    );
    await announce(tx, 'job', [before.id]);
    await announce(tx, 'queue', [before.id]);
    const changes = [changeOf('state', before.state, job?.state ?? before.state)];
    await record(tx, { activity: 'job_cancelled', subject: { ...before, kind: 'job' }, changes });
    return job ?? before;
  });
}

function mayRead({ viewer }: Context, job: Job): boolean {
  if (isAllowed({ viewer }, 'read jobs')) return true;
  if (job.userId !== viewer.id) return false;
  return hasScope(viewer, 'READ') || mayImportInto(viewer, fedBy(job));
}

/** The integration that a job feeds or reads, as `fedIntegration` finds it; null for none. */
function fedBy({ dedupeKey, payload }: Job): string | null {
  if (dedupeKey?.startsWith('import:')) return dedupeKey.slice('import:'.length);
  const { integrationId } = payloadOf({ payload });
  return typeof integrationId === 'string' ? integrationId : null;
}

function mayImportInto({ importsInto }: Viewer, integrationId: string | null): boolean {
  return integrationId !== null && (importsInto ?? integrationId) === integrationId;
}

function mustMayCancel(ctx: Context, { userId }: Job): void {
  if (userId !== ctx.viewer.id) mustBeAllowed(ctx, "cancel others' jobs");
}
