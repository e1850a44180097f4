// Rate limit of writes by key: a fixed window of one minute, counted in the database for all processes.

import { Semaphore } from '../async/semaphore.ts';
import type { Viewer } from '../auth/viewer.ts';
import type { Database } from '../database/database.ts';
import { inWorkspace } from '../database/outside.ts';
import { rows } from '../database/rows.ts';
import { TooManyRequests } from '../errors.ts';
import { Prisma } from '../generated/prisma/client.ts';

/** What counting writes came to. */
export interface CountedWrites {
  /** Headers for the answer, as the IETF draft `RateLimit header fields for HTTP` has them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Why the writes may not be made; null where they may. */
  readonly refusal: TooManyRequests | null;
}

/** Counts writes before they are made. */
export interface WriteRate {
  /** Count so many writes for the key of a viewer, or the person; null where nothing is limited. */
  count(viewer: Viewer, writes: number): Promise<CountedWrites> | null;
}

interface Minute {
  /** Writes of the minute, these included; null where they are more than there may be. */
  readonly count: number | null;
  /** Seconds until the minute is over. */
  readonly rest: number;
}

/**
 * Limit the writes of each key to so many in a minute of the database's clock; 0 sets no limit, and
 * costs nothing. A count costs a statement, which waits for no disk.
 */
export function createWriteRate(database: Database, perMinute: number): WriteRate {
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

  async function count(viewer: Viewer, keyId: string, writes: number): Promise<CountedWrites> {
    const until = spent.get(keyId);
    const now = performance.now();
    if (until !== undefined && now < until) return counted(null, (until - now) / 1000);
    spent.delete(keyId);
    const minute = await add(database, viewer.workspaceId, keyId, writes, perMinute);
    if (minute.count === perMinute || (minute.count === null && writes === 1)) {
      spent.set(keyId, performance.now() + minute.rest * 1000);
    }
    return counted(minute.count, minute.rest);
  }

  function counted(used: number | null, rest: number): CountedWrites {
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
      if (perMinute === 0 || writes === 0 || viewer.performer === 'SYSTEM') return null;
      const writer = viewer.keyId ?? viewer.id;
      return inLine(writer, () => count(viewer, writer, writes));
    },
  };
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
