// Receives what any process announces, and says so to the one who in this one wants to know.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { tasks } from '../tracing/task.ts';
import { channel, type Topic } from './announce.ts';
import { budgets } from './connections/budget.ts';
import { scopes } from './connections/current-transaction.ts';
import { type Database, ofDatabase } from './database.ts';

/** Called with changed ids; with null where anything may have changed. */
export type Listener = (ids: readonly string[] | null) => void;

/** Where announcements do not arrive, listeners look for themselves this often. */
const pollMs = 1_000;
/** An announcement of our own that takes longer to come back does not come back. */
const probeMs = 3_000;
const maxBackoffMs = 5_000;
/** A connection that is silently gone, or deaf, is found out by asking it this often. */
const aliveMs = 15_000;

interface Subscriptions {
  readonly listeners: Map<Topic, Set<Listener>>;
  close: (() => void) | null;
}

const subscriptionsOf = ofDatabase((): Subscriptions => ({ listeners: new Map(), close: null }));

/**
 * Listen to a topic until the returned function is called. The first listener opens a connection that
 * listens, the last one closes it. A listener is called with null once listening has begun or begun again, so
 * what changed before is not missed.
 */
export function listen(database: Database, topic: Topic, listener: Listener): () => void {
  const subscriptions = subscriptionsOf(database);
  const others = subscriptions.listeners.get(topic) ?? new Set();
  subscriptions.listeners.set(topic, others.add(listener));
  // Outside of whatever transaction or request the caller may be in: this outlives it.
  subscriptions.close ??= tasks.exit(() =>
    budgets.exit(() => scopes.exit(() => open(database, subscriptions))),
  );
  return () => {
    others.delete(listener);
    if ([...subscriptions.listeners.values()].some(({ size }) => size > 0)) return;
    subscriptions.close?.();
    subscriptions.close = null;
  };
}

/** Notify this process alone: of what is not, or not yet, in the database. */
export function notifyHere(database: Database, topic: Topic, ids: readonly string[] | null): void {
  for (const listener of subscriptionsOf(database).listeners.get(topic) ?? []) listener(ids);
}

function notifyAll(subscriptions: Subscriptions): void {
  for (const listeners of subscriptions.listeners.values())
    for (const listener of listeners) listener(null);
}

function receive(subscriptions: Subscriptions, payload: string | undefined): void {
  const [topic, ids] = (payload ?? '').split(':');
  for (const [known, listeners] of subscriptions.listeners) {
    if (known !== topic) continue;
    for (const listener of listeners) listener(ids === undefined ? null : ids.split(','));
  }
}

/** A connection that breaks is replaced by another one. */
function ignoreBroken(): void {}

function open(database: Database, subscriptions: Subscriptions): () => void {
  const closing = new AbortController();
  let isArriving = false;
  // Until announcements are known to arrive, and whenever they do not, everyone looks for
  // themselves.
  const poll = setInterval(() => {
    if (!isArriving) notifyAll(subscriptions);
  }, pollMs);
  poll.unref();
  closing.signal.addEventListener('abort', () => clearInterval(poll));
  void keepListening(database, subscriptions, closing.signal, (state) => {
    isArriving = state;
  });
  return () => closing.abort();
}

async function keepListening(
  database: Database,
  subscriptions: Subscriptions,
  signal: AbortSignal,
  setArriving: (isArriving: boolean) => void,
): Promise<void> {
  let backoffMs = 100;
  while (!signal.aborted && !database.pool.ending) {
    // What waits for the end of this connection is let go of with it: others follow.
    const connection = new AbortController();
    const client = new pg.Client({
      connectionString: database.directUrl,
      application_name: 'headwater listen',
      keepAlive: true,
      connectionTimeoutMillis: 3_000,
      query_timeout: 5_000,
    });
    try {
      const over = endOf(client, signal, connection.signal);
      await listenOn(client, database, subscriptions, over, () => {
        setArriving(true);
        backoffMs = 100;
      });
    } catch {
      // Whatever broke it: everyone polls until the next connection listens.
    }
    connection.abort();
    setArriving(false);
    // Not waited for: on a dead network it would wait as well, and everyone would poll in the meantime.
    void client.end().catch(ignoreBroken);
    await sleep(backoffMs, undefined, { signal, ref: false }).catch(ignoreBroken);
    backoffMs = Math.min(backoffMs * 2, maxBackoffMs);
  }
}

/** Settles when the connection ends or breaks, or no one wants it any more; `until` forgets of it. */
function endOf(client: pg.Client, signal: AbortSignal, until: AbortSignal): Promise<void> {
  return new Promise<void>((resolve) => {
    client.on('end', resolve);
    client.on('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true, signal: until });
  });
}

/** Returns or throws when the connection is over, or nothing arrives on it any more. */
async function listenOn(
  client: pg.Client,
  database: Database,
  subscriptions: Subscriptions,
  over: Promise<void>,
  onArriving: () => void,
): Promise<void> {
  const arrivals = new Map<string, () => void>();
  client.on('notification', ({ payload = '' }) => {
    const arrived = arrivals.get(payload);
    if (arrived) arrived();
    else receive(subscriptions, payload);
  });
  /** Whether an announcement of our own comes back in time, or the connection is over. */
  async function arrives(): Promise<boolean> {
    const probe = `probe:${randomUUID()}`;
    const probed = new Promise<void>((resolve) => arrivals.set(probe, resolve));
    try {
      await database.pool.query('select pg_notify($1, $2)', [channel, probe]);
      const waited = sleep(probeMs, 'silent', { ref: false });
      return (await Promise.race([probed, waited, over])) !== 'silent';
    } finally {
      arrivals.delete(probe);
    }
  }
  await client.connect();
  // A process that has nothing else to do may end; the types of node-postgres do not know this.
  if ('unref' in client && typeof client.unref === 'function') client.unref();
  await client.query(`listen ${channel}`);
  // A pooler in transaction mode takes the LISTEN and never delivers: only an answer proves it.
  if (await arrives()) onArriving();
  notifyAll(subscriptions);
  for (;;) {
    const waiting = new AbortController();
    const still = sleep(aliveMs, 'alive', { ref: false, signal: waiting.signal });
    const next = await Promise.race([over, still.catch(() => 'alive')]);
    waiting.abort();
    if (next !== 'alive') return;
    await client.query('select 1');
    // One that answers may be deaf all the same. Where no probe can be sent, nothing is known of it.
    if (!(await arrives().catch(() => true))) return;
  }
}
