// Runs several writes as one: all of them happen, or none.

import type pg from 'pg';
import type { Context } from '../context.ts';
import { isCollision } from './failure.ts';
import type { Db } from './open.ts';
import { patiently } from './patient.ts';
import { takeTransactionPlace } from './places.ts';
import { type Scope, scopes } from './pool.ts';

export interface TransactionOptions {
  /** For imports and the like: no statement of it is cut for its length, and neither is the whole. */
  readonly long?: boolean;
  /** It waits for its connection as long as that takes, since nobody waits for its answer. */
  readonly patient?: boolean;
}

/** Connections of the transactions that are open, by the client that Prisma made for each. */
const clients = new WeakMap<Db, pg.PoolClient>();

/** A transaction that is not `long` is rolled back after this time. */
const TIMEOUT_MS = 60_000;
/** Prisma's timer takes no more than a 32-bit integer: 24 days. */
const NO_TIMEOUT_MS = 2_147_483_647;

/** A transaction that collides with another one each time is tried so often in all. */
const maxAttempts = 5;

/**
 * Run `work` in a transaction and hand it the same context on the transaction's connection, with
 * fresh loaders. Whatever it throws rolls everything back and is thrown on. Where PostgreSQL ends it
 * because it and another one wait for each other, `work` runs again from the start: it must change
 * nothing but the database. Called with a context that is in a transaction already, it runs within
 * that one.
 */
export async function transaction<C extends Context, T>(
  ctx: C,
  work: (tx: C) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  if (clients.has(ctx.db)) return work(ctx);
  const { database, signal } = ctx;
  const within = scopes.getStore();
  if (within?.pool === database.pool && within.state === 'open') {
    throw new Error('Inside a transaction use the context that it handed on to begin another.');
  }
  const limitMs = options.patient ? null : database.waitTimeoutMs;
  using _place = await takeTransactionPlace(database.pool, signal, limitMs);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptOnce(ctx, work, options);
    } catch (error) {
      if (attempt === maxAttempts || !isCollision(error)) throw error;
    }
  }
}

/** Begin a transaction, as soon as there is a connection, and run `work` in it. */
async function attemptOnce<C extends Context, T>(
  ctx: C,
  work: (tx: C) => Promise<T>,
  { long = false, patient = false }: TransactionOptions,
): Promise<T> {
  let hasBegun = false;
  const attempt = () =>
    begin(
      ctx,
      (tx) => {
        hasBegun = true;
        return work(tx);
      },
      {
        maxWait: patient ? NO_TIMEOUT_MS : ctx.database.waitTimeoutMs,
        timeout: long ? NO_TIMEOUT_MS : TIMEOUT_MS,
      },
      long,
    );
  return patient ? patiently(ctx, attempt, () => !hasBegun) : attempt();
}

async function begin<C extends Context, T>(
  ctx: C,
  work: (tx: C) => Promise<T>,
  limits: { readonly maxWait: number; readonly timeout: number },
  long: boolean,
): Promise<T> {
  const { database } = ctx;
  const scope: Scope = { pool: database.pool, client: null, state: 'starting' };
  return scopes.run(scope, async () => {
    try {
      return await database.prisma.$transaction(async (db) => {
        const client = scope.client;
        if (client === null) throw new Error('Prisma began a transaction outside of our pool.');
        clients.set(db, client);
        const restore = long ? database.liftLimit(client) : null;
        try {
          if (long) await client.query('set local statement_timeout = 0');
          return await work({ ...ctx, db, loaders: new Map() });
        } finally {
          restore?.();
        }
      }, limits);
    } finally {
      scope.state = 'ended';
    }
  });
}

/** The connection of the transaction that `db` belongs to, or undefined outside of one. */
export function clientOf(db: Db): pg.PoolClient | undefined {
  return clients.get(db);
}
