// A read replica: what it shows by now, and whose reads may go there.

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { tasks } from '../tracing/task.ts';
import { NextAnswer } from './connections/next-answer.ts';
import type { Pool } from './connections/pool.ts';
import { mustBeInUtc } from './connections/utc.ts';

/** A standby that reads may go to. */
export interface Replica {
  readonly pool: Pool;
  /**
   * Whether it shows everything that this user has written, on any process, before this call, and all that is
   * older than a second.
   */
  mayServe(userId: string): Promise<boolean>;
  /** Note that a user has written something on this process. */
  noteWrite(userId: string): void;
  /** The statement that announces to every process that a user writes; in a transaction it is part of it. */
  announcement(userId: string): pg.QueryConfig;
  /** Note that it failed to answer: no one is sent there until it has said again how far it is. */
  noteFailure(): void;
  /** How old is what it shows, in milliseconds at most; Infinity where that is not known. */
  ageMs(): number;
  /** Statements that it answered, and that it failed to answer. */
  readonly figures: { served: number; failed: number };
  close(): Promise<void>;
}

export interface ReplicaOptions {
  readonly pool: Pool;
  /** Address of the replica, and of the server itself that it follows. */
  readonly url: string;
  readonly primaryUrl: string;
  /** Called with one sentence when it begins to be passed by, and when it is used again. */
  readonly onNotice: (message: string) => void;
}

/** What a read shows may be so old, in milliseconds. */
const maxAgeMs = 1_000;
/** How often both servers are asked how far they are. */
const pollMs = 200;
/** Anyone who has not had an answer from the primary for so long may have missed who writes. */
const maxDeafMs = 500;
const answerMs = 1_000;
const maxBackoffMs = 5_000;
/** Older moments say nothing that is recent enough. */
const maxMoments = 50;
/** It is reported only where it is passed by for so long: a busy moment passes by itself. */
const noticeMs = 10_000;
/** The channel of NOTIFY on which processes announce writers to each other. */
const channel = 'headwater_writer';

const never = Number.NEGATIVE_INFINITY;

/** A moment of this process, and a place in the log that everything committed before it lies below. */
interface Moment {
  readonly at: number;
  readonly place: bigint;
}

/**
 * Watch a replica. Where the primary is in its log is asked again and again, with the time just before; once
 * the replica has replayed the log up to there, it shows whatever was acknowledged before that time.
 */
export function watchReplica(options: ReplicaOptions): Replica {
  const { pool, url, primaryUrl, onNotice } = options;
  const closing = new AbortController();
  const view = new View();
  const answers = new NextAnswer();
  const figures = { served: 0, failed: 0 };
  // Outside of whatever request opened the database: this outlives it.
  const watching = tasks.exit(() => [
    keepAsking(primaryUrl, closing.signal, {
      async onOpen(client) {
        client.on('notification', ({ payload }) => view.noteWrite(payload ?? ''));
        await client.query(`listen ${channel}`);
        // Who wrote before it listened is not known.
        view.noteUnknown(performance.now());
      },
      onClose: () => view.noteUnknown(Number.POSITIVE_INFINITY),
      ask: (client) =>
        answers.ask(async () => {
          const at = performance.now();
          view.notePrimary(at, await standingOf(client, atPrimary));
        }),
      due: () => answers.due(pollMs, closing.signal),
    }),
    keepAsking(url, closing.signal, {
      // Behind a pooler that ignores it sessions would be in another zone, and times hours off.
      onOpen: () => mustBeInUtc(pool),
      onClose: () => view.forget(),
      ask: async (client) => view.noteReplica(await standingOf(client, atReplica)),
      due: () => pause(pollMs, closing.signal),
    }),
    keepReporting(view, closing.signal, onNotice),
  ]);
  return {
    pool,
    figures,
    ageMs: () => view.ageMs(),
    async mayServe(userId) {
      // Announcements come in the order of the answers: with this one all of before are here.
      return view.mayServe(userId) && (await answers.wait()) && view.mayServe(userId);
    },
    noteWrite: (userId) => view.noteWrite(userId),
    announcement: (userId) => ({ text: 'select pg_notify($1, $2)', values: [channel, userId] }),
    noteFailure() {
      figures.failed += 1;
      view.forget();
    },
    async close() {
      closing.abort();
      await Promise.all(watching);
      await pool.end();
    },
  };
}

/** What is known of both servers at a time. */
class View {
  readonly #writes = new Map<string, number>();
  #moments: Moment[] = [];
  #timeline = '';
  /** Whatever was acknowledged before this moment is shown. */
  #shownTo = never;
  /** Who wrote before this moment is not known. */
  #unknownTo = Number.POSITIVE_INFINITY;
  /** When the primary was last asked and has answered. */
  #answeredAt = never;

  mayServe(userId: string): boolean {
    const isDeaf = performance.now() - this.#answeredAt > maxDeafMs;
    const wroteAt = Math.max(this.#writes.get(userId) ?? never, this.#unknownTo);
    return !isDeaf && this.ageMs() <= maxAgeMs && wroteAt < this.#shownTo;
  }

  ageMs(): number {
    return performance.now() - this.#shownTo;
  }

  noteWrite(userId: string): void {
    this.#writes.set(userId, performance.now());
  }

  noteUnknown(to: number): void {
    this.#unknownTo = to;
  }

  notePrimary(at: number, { place, timeline }: Standing): void {
    if (timeline !== this.#timeline) this.#moments = [];
    this.#timeline = timeline;
    this.#answeredAt = at;
    // However often it is asked, the moments are to reach back for as long as they say something.
    const last = this.#moments.at(-1)?.at ?? never;
    if (at - last < maxAgeMs / maxMoments) return;
    this.#moments = [...this.#moments.slice(1 - maxMoments), { at, place }];
  }

  noteReplica({ place, timeline, isStandby }: Standing): void {
    // One that was promoted, or follows another primary, has a log of its own with the same places.
    if (!isStandby || timeline !== this.#timeline) {
      this.forget();
      return;
    }
    const reached = this.#moments.findLast((moment) => moment.place <= place);
    if (!reached) return;
    this.#moments = this.#moments.filter(({ at }) => at >= reached.at);
    this.#shownTo = Math.max(this.#shownTo, reached.at);
    for (const [user, at] of this.#writes) if (at < this.#shownTo) this.#writes.delete(user);
  }

  forget(): void {
    this.#shownTo = never;
  }
}

/** Where a server is in its log. */
interface Standing {
  readonly place: bigint;
  /** Which history of the log it follows: a promotion begins another one. */
  readonly timeline: string;
  readonly isStandby: boolean;
}

// Where the next record goes, not what is on the disk: a commit may be acknowledged before it is there.
const atPrimary = `select l::text as place, false as "isStandby",
  substr(pg_walfile_name(l), 1, 8) as timeline from pg_current_wal_insert_lsn() l`;
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

interface Asking {
  readonly onOpen: (client: pg.Client) => Promise<void>;
  readonly onClose: () => void;
  readonly ask: (client: pg.Client) => Promise<void>;
  /** Settles when it is to be asked again. */
  readonly due: () => Promise<void>;
}

/** Ask a server again and again, on a connection of its own: it has one also where the pool has none left. */
async function keepAsking(
  connectionString: string,
  signal: AbortSignal,
  { onOpen, onClose, ask, due }: Asking,
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
      await onOpen(client);
      while (!signal.aborted) {
        await ask(client);
        backoffMs = pollMs;
        await due();
      }
    } catch {
      // As long as it says nothing, what is known of it grows old.
    }
    onClose();
    // Not waited for: on a dead network it would wait as well.
    void client.end().catch(() => {});
    await pause(backoffMs, signal);
    backoffMs = Math.min(backoffMs * 2, maxBackoffMs);
  }
}

async function keepReporting(
  view: View,
  signal: AbortSignal,
  onNotice: (message: string) => void,
): Promise<void> {
  let isReported = false;
  const began = performance.now();
  while (!signal.aborted) {
    await pause(pollMs, signal);
    const passedByMs = Math.min(view.ageMs(), performance.now() - began);
    if (!isReported && passedByMs > noticeMs) {
      isReported = true;
      onNotice('The replica of DATABASE_READ_URL is behind or does not answer: reads pass it by.');
    } else if (isReported && view.ageMs() <= maxAgeMs) {
      isReported = false;
      onNotice('The replica of DATABASE_READ_URL has caught up: reads go there again.');
    }
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => {});
}
