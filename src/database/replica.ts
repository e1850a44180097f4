// In charge of a read replica: what it shows by now, and whose reads may go there.

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** A standby that reads may go to. */
export interface Replica {
  readonly pool: pg.Pool;
  /** Whether it shows everything that this user has written, and all that is older than a second. */
  mayServe(userId: string): boolean;
  /** Note that a user has written something just now; null for "anybody may have". */
  noteWrite(userId: string | null): void;
  /** Note that it failed to answer: nobody is sent there until it has said again how far it is. */
  noteFailure(): void;
  /** How old is what it shows, in milliseconds at most; Infinity where that is not known. */
  ageMs(): number;
  readonly figures: { served: number; failed: number };
  close(): Promise<void>;
}

export interface ReplicaOptions {
  readonly pool: pg.Pool;
  /** Address of the replica, and of the server itself that it follows. */
  readonly url: string;
  readonly primaryUrl: string;
  /** Told in one sentence when it begins to be passed by, or is used again. */
  readonly onNotice: (message: string) => void;
}

/** What a read shows may be so old, in milliseconds. */
export const maxAgeMs = 1_000;
/** How often both servers are asked how far they are. */
const pollMs = 200;
const answerMs = 1_000;
const maxBackoffMs = 5_000;
/** Older moments tell nothing that is recent enough. */
const maxMoments = 50;
/** It is told of only when it has been passed by for so long: a busy moment is none of anybody's business. */
const noticeMs = 10_000;

/** A moment of this process, and a place in the log that everything committed before it lies below. */
interface Moment {
  readonly at: number;
  readonly place: bigint;
}

/**
 * Watch a replica. Where the primary is in its log is asked again and again, with the time just before; once
 * the replica has replayed the log up to there, it shows whatever was acknowledged before that time.
 */
export function watchReplica({ pool, url, primaryUrl, onNotice }: ReplicaOptions): Replica {
  const closing = new AbortController();
  const figures = { served: 0, failed: 0 };
  const writes = new Map<string, number>();
  let moments: Moment[] = [];
  let timeline = '';
  /** What was acknowledged before this moment is there. */
  let shownTo = Number.NEGATIVE_INFINITY;
  let anybodyWroteAt = Number.NEGATIVE_INFINITY;

  function show(replica: Standing): void {
    // One that was promoted, or follows another primary, has a log of its own with the same places.
    if (!replica.isStandby || replica.timeline !== timeline) return forget();
    const reached = moments.findLast(({ place }) => place <= replica.place);
    if (!reached) return;
    moments = moments.filter(({ at }) => at >= reached.at);
    shownTo = Math.max(shownTo, reached.at);
    for (const [user, at] of writes) if (at < shownTo) writes.delete(user);
  }

  function forget(): void {
    shownTo = Number.NEGATIVE_INFINITY;
  }

  const askPrimary = async (client: pg.Client) => {
    const at = performance.now();
    const standing = await standingOf(client, atPrimary);
    if (standing.timeline !== timeline) moments = [];
    timeline = standing.timeline;
    moments = [...moments.slice(1 - maxMoments), { at, place: standing.place }];
  };
  const watching = [
    keepAsking(primaryUrl, closing.signal, askPrimary),
    keepAsking(url, closing.signal, async (client) => show(await standingOf(client, atReplica))),
    keepTelling(() => performance.now() - shownTo, closing.signal, onNotice),
  ];
  const ageMs = () => performance.now() - shownTo;
  return {
    pool,
    figures,
    ageMs,
    mayServe(userId) {
      if (ageMs() > maxAgeMs) return false;
      return (writes.get(userId) ?? Number.NEGATIVE_INFINITY) < shownTo && anybodyWroteAt < shownTo;
    },
    noteWrite(userId) {
      if (userId === null) anybodyWroteAt = performance.now();
      else writes.set(userId, performance.now());
    },
    noteFailure() {
      figures.failed += 1;
      forget();
    },
    async close() {
      closing.abort();
      await Promise.all(watching);
      await pool.end();
    },
  };
}

/** Where a server is in its log. */
interface Standing {
  readonly place: bigint;
  /** Which history of the log it follows: a promotion begins another one. */
  readonly timeline: string;
  readonly isStandby: boolean;
}

const atPrimary = `select l::text as place, pg_is_in_recovery() as "isStandby",
  substr(pg_walfile_name(l), 1, 8) as timeline from pg_current_wal_lsn() l`;
const atReplica = `select pg_last_wal_replay_lsn()::text as place, pg_is_in_recovery() as "isStandby",
  lpad(upper(to_hex(timeline_id)), 8, '0') as timeline from pg_control_checkpoint()`;

async function standingOf(client: pg.Client, statement: string): Promise<Standing> {
  const { rows } = await client.query<{
    place: string | null;
    timeline: string;
    isStandby: boolean;
  }>(statement);
  const [row] = rows;
  if (!row?.place) throw new Error('The server did not say where it is in its log.');
  return { ...row, place: placeOf(row.place) };
}

/** A place in the log, which PostgreSQL writes as two hexadecimal numbers: `16/B374D848`. */
export function placeOf(text: string): bigint {
  const [high = '', low = ''] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/** Ask a server again and again, on a connection of its own: it has one also where the pool has none left. */
async function keepAsking(
  connectionString: string,
  signal: AbortSignal,
  ask: (client: pg.Client) => Promise<void>,
): Promise<void> {
  let backoffMs = pollMs;
  while (!signal.aborted) {
    const client = new pg.Client({
      connectionString,
      application_name: 'headwater replica',
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      while (!signal.aborted) {
        await ask(client);
        backoffMs = pollMs;
        await pause(pollMs, signal);
      }
    } catch {
      // As long as it says nothing, what is known of it grows old.
    }
    // Not waited for: on a dead network it would wait as well.
    void client.end().catch(() => {});
    await pause(backoffMs, signal);
    backoffMs = Math.min(backoffMs * 2, maxBackoffMs);
  }
}

async function keepTelling(
  ageMs: () => number,
  signal: AbortSignal,
  onNotice: (message: string) => void,
): Promise<void> {
  let isTold = false;
  const began = performance.now();
  while (!signal.aborted) {
    await pause(pollMs, signal);
    const passedByMs = Math.min(ageMs(), performance.now() - began);
    if (!isTold && passedByMs > noticeMs) {
      isTold = true;
      onNotice('The replica of DATABASE_READ_URL is behind or does not answer: reads pass it by.');
    } else if (isTold && passedByMs < maxAgeMs) {
      isTold = false;
      onNotice('The replica of DATABASE_READ_URL has caught up: reads go there again.');
    }
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => {});
}
