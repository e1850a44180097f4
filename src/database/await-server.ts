// Waits, at a start, for a PostgreSQL server that isn't there yet.

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Where a server is, and which setting says so. */
export interface ServerPlace {
  readonly url: string;
  readonly setting: 'DATABASE_URL' | 'DATABASE_DIRECT_URL';
}

/** The servers of settings: that of statements first, that of migrations last; they may be one. */
export function serverPlaces(settings: {
  readonly DATABASE_URL?: string | undefined;
  readonly DATABASE_DIRECT_URL?: string | undefined;
}): ServerPlace[] {
  const names = ['DATABASE_URL', 'DATABASE_DIRECT_URL'] as const;
  return names.flatMap((setting) => {
    const url = settings[setting];
    return url === undefined ? [] : [{ url, setting }];
  });
}

export interface AwaitOptions {
  /** Called with one sentence that says that, and why, it is tried again; once for each reason. */
  readonly onNotice?: ((message: string) => void) | undefined;
  /** Ends the waiting; it throws the signal's reason then. */
  readonly signal?: AbortSignal | undefined;
  /** How long it is tried, in milliseconds. Default 30 s. */
  readonly limitMs?: number | undefined;
}

const defaultLimitMs = 30_000;
/** A connection that is not made after this time is tried again. */
const attemptMs = 10_000;
const minPauseMs = 100;
const maxPauseMs = 1_000;

/**
 * Wait until a server takes a connection. A server that is not there, is starting, or has no connection
 * left, or a pooler that lacks its server, is tried again until the limit, then an Error names it and says
 * why. Any other refusal, such as of a password, is thrown at once, as node-postgres throws it.
 */
export async function awaitServer(
  { url, setting }: ServerPlace,
  { onNotice = () => {}, signal, limitMs = defaultLimitMs }: AwaitOptions = {},
): Promise<void> {
  const { name } = serverOf(url);
  const until = performance.now() + limitMs;
  let reported = '';
  for (let pauseMs = minPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    signal?.throwIfAborted();
    const forMs = Math.min(attemptMs, Math.max(until - performance.now(), minPauseMs));
    const error = await tryOnce(url, forMs);
    if (error === null) return;
    const reason = reasonToWait(error);
    if (reason === null) throw error;
    const leftMs = until - performance.now();
    if (leftMs <= 0) {
      throw new Error(
        `The database at ${name} (${setting}) did not answer within ${limitMs / 1_000} s: ` +
          `${reason}. Start it, or correct ${setting}.`,
        { cause: error },
      );
    }
    if (reason !== reported) {
      reported = reason;
      onNotice(`The database at ${name} (${setting}) does not answer; trying again: ${reason}.`);
    }
    await sleep(Math.min(pauseMs, leftMs), undefined, { ...(signal ? { signal } : {}) });
  }
}

/** The server, user and database that an address names, with what node-postgres takes for absent. */
export function serverOf(databaseUrl: string): { name: string; user: string; database: string } {
  const { host, port, user = '', database = '' } = new pg.Client(databaseUrl);
  const name = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  return { name: host.startsWith('/') ? `${host}/.s.PGSQL.${port}` : name, user, database };
}

/** Connect and leave; the error where that fails. */
async function tryOnce(databaseUrl: string, timeoutMs: number): Promise<unknown> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'headwater start',
    connectionTimeoutMillis: timeoutMs,
  });
  // A connection that breaks between two steps would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    return null;
  } catch (error) {
    return error;
  } finally {
    // Not waited for: on a dead network it would wait as well.
    void client.end().catch(() => {});
  }
}

const reasons = new Map([
  ['ECONNREFUSED', 'nothing listens there'],
  ['ENOENT', 'there is no such socket'],
  ['ENOTFOUND', 'the name of its host is not known'],
  ['EAI_AGAIN', 'the name of its host cannot be looked up now'],
  ['ETIMEDOUT', 'no answer came'],
  ['EHOSTUNREACH', 'its host cannot be reached'],
  ['EHOSTDOWN', 'its host cannot be reached'],
  ['ENETUNREACH', 'its network cannot be reached'],
  ['ECONNRESET', 'the connection was closed'],
  ['ECONNABORTED', 'the connection was closed'],
  ['EAGAIN', 'its socket takes no connection now'],
  ['EPIPE', 'the connection was closed'],
  ['57P01', 'it is shutting down'],
  ['57P02', 'it is recovering from a crash'],
  ['57P03', 'it is starting up or shutting down'],
  ['53300', 'it has no connection left'],
]);

/** Why it makes sense to try again; null where it makes none. */
function reasonToWait(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ('code' in error && typeof error.code === 'string') {
    // A connection that failed on its way, as a pooler says it that can't reach its server.
    if (error.code.startsWith('08')) return `it says "${error.message}"`;
    return reasons.get(error.code) ?? null;
  }
  // node-postgres gives these no code.
  if (error.message === 'timeout expired') return 'no answer came';
  if (/^Connection terminated/.test(error.message)) return 'the connection was closed';
  return null;
}
