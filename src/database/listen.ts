// Hears what any process announces, and says so to whoever in this one wants to know.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { tasks } from '../tracing/task.ts';
import { channel, type Topic } from './announce.ts';
import { budgets } from './budget.ts';
import type { Database } from './database.ts';
import { scopes } from './pool.ts';

/** Told of changed ids; of null where anything may have changed. */
export type Hearer = (ids: readonly string[] | null) => void;

/** Where announcements do not arrive, hearers look for themselves this often. */
const pollMs = 1_000;
/** An announcement of our own that takes longer to come back does not come back. */
const probeMs = 3_000;
const maxBackoffMs = 5_000;
/** A connection that is silently gone is found out by asking it this often. */
const aliveMs = 15_000;

interface Ears {
  readonly hearers: Map<Topic, Set<Hearer>>;
  close: (() => void) | null;
}

const earsOf = new WeakMap<Database, Ears>();

/**
 * Hear of a topic until the returned function is called. The first hearer opens a connection that
 * listens, the last one closes it. A hearer is told null once listening has begun or begun again, so
 * what changed before is not missed.
 */
export function hear(database: Database, topic: Topic, hearer: Hearer): () => void {
  const ears = earsOf.get(database) ?? { hearers: new Map(), close: null };
  earsOf.set(database, ears);
  const others = ears.hearers.get(topic) ?? new Set();
  ears.hearers.set(topic, others.add(hearer));
  // Outside of whatever transaction or request the caller may be in: this outlives it.
  ears.close ??= tasks.exit(() => budgets.exit(() => scopes.exit(() => open(database, ears))));
  return () => {
    others.delete(hearer);
    if ([...ears.hearers.values()].some(({ size }) => size > 0)) return;
    ears.close?.();
    ears.close = null;
  };
}

/** Tell this process alone: of what is not, or not yet, in the database. */
export function tellHere(database: Database, topic: Topic, ids: readonly string[] | null): void {
  const ears = earsOf.get(database);
  for (const hearer of ears?.hearers.get(topic) ?? []) hearer(ids);
}

function tellAll(ears: Ears): void {
  for (const hearers of ears.hearers.values()) for (const hearer of hearers) hearer(null);
}

function receive(ears: Ears, payload: string | undefined): void {
  const [topic, ids] = (payload ?? '').split(':');
  for (const [known, hearers] of ears.hearers) {
    if (known !== topic) continue;
    for (const hearer of hearers) hearer(ids === undefined ? null : ids.split(','));
  }
}

/** A connection that breaks is replaced by another one. */
function ignoreBroken(): void {}

function open(database: Database, ears: Ears): () => void {
  const closing = new AbortController();
  let heard = false;
  // Until announcements are known to arrive, and whenever they do not, everyone looks for
  // themselves.
  const poll = setInterval(() => {
    if (!heard) tellAll(ears);
  }, pollMs);
  poll.unref();
  closing.signal.addEventListener('abort', () => clearInterval(poll));
  void keepListening(database, ears, closing.signal, (state) => {
    heard = state;
  });
  return () => closing.abort();
}

async function keepListening(
  database: Database,
  ears: Ears,
  signal: AbortSignal,
  setHeard: (heard: boolean) => void,
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
      await listenOn(client, database, ears, over, () => {
        setHeard(true);
        backoffMs = 100;
      });
    } catch {
      // Whatever broke it: everyone polls until the next connection listens.
    }
    connection.abort();
    setHeard(false);
    await client.end().catch(ignoreBroken);
    await sleep(backoffMs, undefined, { signal, ref: false }).catch(ignoreBroken);
    backoffMs = Math.min(backoffMs * 2, maxBackoffMs);
  }
}

/** Settles when the connection ends or breaks, or nobody wants it any more; `until` forgets of it. */
function endOf(client: pg.Client, signal: AbortSignal, until: AbortSignal): Promise<void> {
  return new Promise<void>((resolve) => {
    client.on('end', resolve);
    client.on('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true, signal: until });
  });
}

/** Returns or throws when the connection is over. */
async function listenOn(
  client: pg.Client,
  database: Database,
  ears: Ears,
  over: Promise<void>,
  onHeard: () => void,
): Promise<void> {
  const probe = `probe:${randomUUID()}`;
  const probed = new Promise<void>((resolve) => {
    client.on('notification', ({ payload }) => {
      if (payload === probe) resolve();
      else receive(ears, payload);
    });
  });
  await client.connect();
  // A process that has nothing else to do may end; the types of node-postgres do not know this.
  if ('unref' in client && typeof client.unref === 'function') client.unref();
  await client.query(`listen ${channel}`);
  // A pooler in transaction mode takes the LISTEN and never delivers: only an answer proves it.
  await database.pool.query('select pg_notify($1, $2)', [channel, probe]);
  const waited = sleep(probeMs, 'silent', { ref: false });
  if ((await Promise.race([probed, waited, over])) !== 'silent') onHeard();
  tellAll(ears);
  for (;;) {
    const waiting = new AbortController();
    const still = sleep(aliveMs, 'alive', { ref: false, signal: waiting.signal });
    const next = await Promise.race([over, still.catch(() => 'alive')]);
    waiting.abort();
    if (next !== 'alive') return;
    await client.query('select 1');
  }
}
