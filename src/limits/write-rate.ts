// Limits of writes by key: so many in a minute, so many bytes in a day, counted in the database for all processes.

import { Semaphore } from '../async/semaphore.ts';
import type { Viewer } from '../auth/viewer.ts';
import type { Database } from '../database/database.ts';
import { inWorkspace } from '../database/outside.ts';
import { rows } from '../database/rows.ts';
import { TooManyRequests } from '../errors.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { whoRaises } from './workspace-limits.ts';

/** What counting writes came to. */
export interface CountedWrites {
  /** Headers for the answer, as the IETF draft `RateLimit header fields for HTTP` has them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Why the writes may not be made; null where they may. */
  readonly refusal: TooManyRequests | null;
}

/** The most that one key, or person, may write; 0 for any number. */
export interface WriteLimits {
  readonly writesPerMinute: number;
  readonly bytesPerDay: number;
}

/** What holds for viewers and guests, and for all. Where both say something the lower holds. A workspace may have a limit besides. */
export interface WriteBounds extends WriteLimits {
  readonly ofMembers: WriteLimits;
}

/** Counts writes before they are made. */
export interface WriteRate {
  /** Count so many writes for the key of a viewer, or the person; null where nothing is limited. */
  count(viewer: Viewer, writes: number): Promise<CountedWrites> | null;
  /**
   * Count so many bytes that are to be written, in the same way; null where nothing is limited. Throws
   * TOO_MANY_REQUESTS where there may be no more of them on this day.
   */
  weigh(viewer: Viewer, bytes: number): Promise<void> | null;
}

interface Minute {
  /** Writes of the minute, these included; null where they are more than there may be. */
  readonly count: number | null;
  /** Seconds until the minute is over. */
  readonly rest: number;
}

/**
 * Limit the writes of each key to so many in a minute of the database's clock, and their bytes to so many in a day of
 * UTC; 0 sets no limit, and costs nothing. A count costs a statement, which waits for no disk.
 */
export function createWriteRate(database: Database, bounds: WriteBounds): WriteRate {
  const queues = new Map<string, Semaphore>();
  /** Keys that may write no more, until when in milliseconds of this process. */
  const spent = new Map<string, number>();

  async function inLine<T>(keyId: string, work: () => Promise<T>): Promise<T> {
    // Counts of one key wait for each other in any case; here they do so without connections.
    const queue = queues.get(keyId) ?? new Semaphore(1);
    queues.set(keyId, queue);
    const leave = await queue.acquire(neverAborted);
    try {
      return await work();
    } finally {
      leave();
      if (queue.isEmpty) queues.delete(keyId);
    }
  }

  async function count(viewer: Viewer, writes: number, perMinute: number): Promise<CountedWrites> {
    const keyId = writerOf(viewer);
    const until = spent.get(keyId);
    const now = performance.now();
    if (until !== undefined && now < until) return counted(null, (until - now) / 1000, perMinute);
    spent.delete(keyId);
    const minute = await add(database, viewer.workspaceId, keyId, writes, perMinute);
    if (minute.count === perMinute || (minute.count === null && writes === 1)) {
      spent.set(keyId, performance.now() + minute.rest * 1000);
    }
    return counted(minute.count, minute.rest, perMinute);
  }

  /** Count for the whole workspace, whose row has the workspace's id for that of a key. */
  async function countOfAll(
    { workspaceId }: Viewer,
    writes: number,
    most: number,
  ): Promise<CountedWrites> {
    const minute = await add(database, workspaceId, workspaceId, writes, most);
    const seconds = Math.max(1, Math.ceil(minute.rest));
    return { headers: {}, refusal: minute.count === null ? tooManyOfAll(most, seconds) : null };
  }

  function counted(used: number | null, rest: number, perMinute: number): CountedWrites {
    const seconds = Math.max(1, Math.ceil(rest));
    const left = used === null ? 0 : perMinute - used;
    const headers = {
      'ratelimit-policy': `"writes";q=${perMinute};w=60`,
      ratelimit: `"writes";r=${left};t=${seconds}`,
    };
    return { headers, refusal: used === null ? tooMany(perMinute, seconds, headers) : null };
  }

  return {
    count(viewer, writes) {
      const most = limitFor(viewer, bounds, 'writesPerMinute');
      const mostOfAll = viewer.performer === 'SYSTEM' ? null : (viewer.limits?.writeLimit ?? null);
      if (writes === 0 || (most === 0 && mostOfAll === null)) return null;
      const own = () => inLine(writerOf(viewer), () => count(viewer, writes, most));
      if (mostOfAll === null) return own();
      return inLine(viewer.workspaceId, async () => {
        const counted = await countOfAll(viewer, writes, mostOfAll);
        return counted.refusal || most === 0 ? counted : own();
      });
    },
    weigh(viewer, bytes) {
      const most = limitFor(viewer, bounds, 'bytesPerDay');
      if (most === 0 || bytes === 0) return null;
      return inLine(writerOf(viewer), async () => {
        const rest = await addBytes(database, viewer, bytes, most);
        if (rest !== null) throw tooManyBytes(most, Math.max(1, Math.ceil(rest)));
      });
    },
  };
}

/** Whose writes are counted together: those of a key, or of a person in all of their sessions. */
function writerOf({ keyId, id }: Viewer): string {
  return keyId ?? id;
}

/** The most that somebody may write; 0 for any number. */
function limitFor(
  { role, performer }: Viewer,
  bounds: WriteBounds,
  name: keyof WriteLimits,
): number {
  if (performer === 'SYSTEM') return 0;
  const isMember = role === 'viewer' || role === 'guest';
  const limits = [bounds[name], isMember ? bounds.ofMembers[name] : 0].filter((most) => most > 0);
  return limits.length === 0 ? 0 : Math.min(...limits);
}

const neverAborted = new AbortController().signal;

/** Add writes to the minute of a key, unless that would be more than there may be. */
async function add(
  database: Database,
  workspaceId: string,
  keyId: string,
  writes: number,
  most: number,
): Promise<Minute> {
  const [minute] = await rows<Minute>(
    inWorkspace(database, workspaceId),
    Prisma.sql`with added as (
        insert into write_count as w (workspace_id, key_id, minute, count)
          select ${workspaceId}::uuid, ${keyId}::uuid, date_trunc('minute', now()), ${writes}::int
            where ${writes}::int <= ${most}::int
          on conflict (workspace_id, key_id) do update set minute = excluded.minute,
            count = excluded.count + case when w.minute = excluded.minute then w.count else 0 end
            where w.minute <> excluded.minute or w.count + excluded.count <= ${most}::int
          returning count)
      select (select count from added),
        extract(epoch from date_trunc('minute', now()) + interval '1 minute' - now())::float8 as rest`,
  );
  if (!minute) throw new Error('The writes of a key could not be counted.');
  return minute;
}

/** Add bytes to the day of a key; the seconds until it is over where that would be more than there may be. */
async function addBytes(
  database: Database,
  viewer: Viewer,
  bytes: number,
  most: number,
): Promise<number | null> {
  const { workspaceId } = viewer;
  const today = Prisma.sql`date_trunc('day', now(), 'UTC')`;
  const [day] = await rows<{ isAdded: boolean; rest: number }>(
    inWorkspace(database, workspaceId),
    Prisma.sql`with added as (
        insert into write_count as w (workspace_id, key_id, minute, count, day, bytes)
          select ${workspaceId}::uuid, ${writerOf(viewer)}::uuid, date_trunc('minute', now()), 0, ${today}, ${bytes}::bigint
            where ${bytes}::bigint <= ${most}::bigint
          on conflict (workspace_id, key_id) do update set day = excluded.day,
            bytes = excluded.bytes + case when w.day = excluded.day then w.bytes else 0 end
            where w.day is distinct from excluded.day or w.bytes + excluded.bytes <= ${most}::bigint
          returning bytes)
      select exists (select from added) as "isAdded",
        extract(epoch from ${today} + interval '1 day' - now())::float8 as rest`,
  );
  if (!day) throw new Error('The bytes of a key could not be counted.');
  return day.isAdded ? null : day.rest;
}

function tooManyOfAll(most: number, seconds: number): TooManyRequests {
  return new TooManyRequests(
    `All of this workspace together may write ${most} times a minute, and has; try again in ${seconds} s. ${whoRaises}`,
    seconds,
  );
}

function tooManyBytes(most: number, seconds: number): TooManyRequests {
  return new TooManyRequests(
    `You may write ${most} bytes a day with this key or session; try again in ${seconds} s, when the day of UTC is over.`,
    seconds,
  );
}

function tooMany(
  perMinute: number,
  seconds: number,
  headers: CountedWrites['headers'],
): TooManyRequests {
  return new TooManyRequests(
    `You may write ${perMinute} times a minute with this key or session; try again in ${seconds} s.`,
    seconds,
    headers,
  );
}
