// The queue of events: many are written at once, each one once, until they are drained.

import type { Context } from '../../context.ts';
import { announce } from '../../database/announce.ts';
import { ofDatabase } from '../../database/database.ts';
import { inWorkspace } from '../../database/outside.ts';
import { type Connection, execute, rows } from '../../database/rows.ts';
import { overloaded } from '../../errors.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { inBatches } from '../../jobs/hourly.ts';
import type { JobKind } from '../../jobs/job-kind.ts';
import type { JobSchedule } from '../../jobs/worker.ts';
import { hashOf, type LineageEvent } from './lineage-event.ts';

/** The kind of job that drains the queue of a workspace. */
export const drainJob = 'openlineage.drain' satisfies JobKind;
const title = 'Read events of OpenLineage';

/** Events of a workspace that wait at most, and when a client may send more, in seconds. */
const defaultQueueLimit = 100_000;
const retryAfter = 5;

/** What comes within so many milliseconds is written at once, up to so many events. */
const gatherMs = 5;
const mostAtOnce = 2_000;

/** How often the length of the queue is counted again, in milliseconds. */
const countEveryMs = 1_000;

interface Waiting {
  readonly hash: string;
  readonly event: LineageEvent;
}

/** The events of one workspace that are about to be written. */
class Gathering {
  readonly #ctx: Connection;
  #waiting: Waiting[] = [];
  #written: Promise<void> | null = null;
  /** Events in the queue, as counted last and with those that were added since. */
  #length = 0;
  #countedAt = Number.NEGATIVE_INFINITY;

  constructor(ctx: Connection) {
    this.#ctx = ctx;
  }

  /** Write events with those that come at the same time. Throws UNAVAILABLE where the queue is full. */
  async add(events: readonly LineageEvent[], limit: number): Promise<void> {
    await this.#count();
    if (this.#length + this.#waiting.length + events.length > limit) {
      throw overloaded(
        'Too many events wait to be read. Send these again in a few seconds.',
        retryAfter,
      );
    }
    for (const event of events) this.#waiting.push({ hash: hashOf(event), event });
    this.#written ??= this.#writeSoon();
    await this.#written;
  }

  async #count(): Promise<void> {
    const now = performance.now();
    if (now - this.#countedAt < countEveryMs) return;
    this.#countedAt = now;
    const [counted] = await rows<{ waiting: number }>(
      this.#ctx,
      Prisma.sql`select count(*)::integer as waiting from openlineage_event e
        where e.workspace_id = ${this.#ctx.workspaceId}::uuid`,
    );
    this.#length = counted?.waiting ?? 0;
  }

  async #writeSoon(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, gatherMs));
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#written = null;
    for (let from = 0; from < waiting.length; from += mostAtOnce) {
      const some = waiting.slice(from, from + mostAtOnce);
      await write(this.#ctx, some);
      this.#length += some.length;
    }
  }
}

const gatherings = ofDatabase(() => new Map<string, Gathering>());

/**
 * Put events into the queue of the workspace: when this returns they are stored, those that wait there already once. Throws
 * UNAVAILABLE with the time of a next try where more than `limit` would wait.
 */
export async function enqueueEvents(
  { database, workspaceId }: Context,
  events: readonly LineageEvent[],
  limit = defaultQueueLimit,
): Promise<void> {
  if (events.length === 0) return;
  const all = gatherings(database);
  const gathering = all.get(workspaceId) ?? new Gathering(inWorkspace(database, workspaceId));
  all.set(workspaceId, gathering);
  await gathering.add(events, limit);
}

/** Write events, and ask for them to be drained, in one statement. */
async function write(ctx: Connection, waiting: readonly Waiting[]): Promise<void> {
  await execute(
    ctx,
    Prisma.sql`with made as (
        insert into openlineage_event (workspace_id, hash, event_time, body)
        select ${ctx.workspaceId}::uuid, n.hash, n.at, n.body::jsonb
        from unnest(${waiting.map(({ hash }) => hash)}::uuid[],
          ${waiting.map(({ event }) => event.at)}::timestamptz[],
          ${waiting.map(({ event }) => JSON.stringify(event))}::text[]) n(hash, at, body)
        on conflict (workspace_id, hash) do nothing returning 1),
      asked as (
        insert into job (workspace_id, kind, title, priority, dedupe_key)
        select ${ctx.workspaceId}::uuid, ${drainJob}, ${title}, 105, ${drainJob}
        where exists (select from made)
        on conflict (workspace_id, dedupe_key)
          where dedupe_key is not null and state in ('queued', 'running') do nothing
        returning 1)
      select pg_notify('headwater', 'queue') from asked`,
  );
}

/**
 * Ask for the queue of each workspace to be drained in which events wait: what came while the last drain was about to end is
 * read by another one.
 */
export const drainSchedule: JobSchedule = {
  async tick(db) {
    const made = await rows<{ id: string }>(
      db,
      Prisma.sql`insert into job (workspace_id, kind, title, priority, dedupe_key)
        select distinct e.workspace_id, ${drainJob}, ${title}, 105, ${drainJob} from openlineage_event e
        on conflict (workspace_id, dedupe_key)
          where dedupe_key is not null and state in ('queued', 'running') do nothing
        returning id`,
    );
    if (made.length > 0) await announce(db, 'queue');
    return null;
  },
};

/** Refusals of one request that are remembered. */
const mostRefusals = 20;
const keptDays = 7;

/** Remember what was refused, for those who look why nothing comes. */
export async function noteRefusals(ctx: Context, messages: readonly string[]): Promise<void> {
  if (messages.length === 0) return;
  await execute(
    inWorkspace(ctx.database, ctx.workspaceId),
    Prisma.sql`insert into openlineage_refusal (workspace_id, message)
      select ${ctx.workspaceId}::uuid, m from unnest(${messages.slice(0, mostRefusals)}::text[]) m`,
  );
}

/** Delete what was refused long ago; answers how much. */
export function forgetRefusals(db: Connection): Promise<number> {
  return inBatches((most) =>
    execute(
      db,
      Prisma.sql`delete from openlineage_refusal f using (
          select o.workspace_id, o.id from openlineage_refusal o
          where o.received_at < now() - make_interval(days => ${keptDays})
          limit ${most} for update of o skip locked) old
        where f.workspace_id = old.workspace_id and f.id = old.id`,
    ),
  );
}
