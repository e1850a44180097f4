// Runs several writes as one: all of them happen, or none.

import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Context } from '../context.ts';
import { outcomeUnknown } from '../errors.ts';
import { patiently } from './connections/await-connection.ts';
import { budgets } from './connections/budget.ts';
import { scopes, type TransactionScope } from './connections/current-transaction.ts';
import { takeTransactionPlace } from './connections/limits.ts';
import { liftLimit } from './connections/patience.ts';
import { everyWorkspace } from './connections/visible-rows.ts';
import type { Db } from './database.ts';
import { leavesOpen } from './failure.ts';

export interface TransactionOptions {
  /** For imports and the like: no statement of it is cut for its length, and neither is the whole. */
  readonly long?: boolean;
  /** It waits for its connection as long as that takes, since no one waits for its answer. */
  readonly patient?: boolean;
}

/** A transaction that is open: its connection, and whose rows it sees. */
interface Open {
  readonly client: pg.PoolClient;
  readonly workspaceId: string;
}

/** The transactions that are open, by the client that Prisma made for each. */
const transactions = new WeakMap<Db, Open>();

/** A transaction that is not `long` is rolled back after this time. */
const TIMEOUT_MS = 60_000;
/** Prisma's timer takes no more than a 32-bit integer: 24 days. */
const NO_TIMEOUT_MS = 2_147_483_647;

/** Who has waited long for a place has still so long for the beginning, on a machine that is busy. */
const MIN_BEGIN_MS = 1_000;

/** How often a transaction is tried that others end by a deadlock. */
const MAX_ATTEMPTS = 6;
/** Each waits for a random part of this before it tries again, and longer each time. */
const RETRY_MS = 25;

/**
 * Run `work` in a transaction and hand it the same context on the transaction's connection, with
 * fresh loaders. Whatever it throws rolls everything back and is thrown on. Called with a context
 * that is in a transaction already, it runs within that one.
 *
 * Where the database ends it because of another transaction (a deadlock), nothing of it is left and
 * it is run again: what `work` does besides its statements must bear that.
 */
export async function transaction<C extends Context, T>(
  ctx: C,
  work: (tx: C) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  if (clientOf(ctx)) return work(ctx);
  const { database, signal } = ctx;
  const { pool } = database;
  const within = scopes.getStore();
  if (within?.pool === pool && within.state === 'open') {
    throw new Error('Inside a transaction use the context that it handed on to begin another.');
  }
  const limitMs = options.patient ? null : database.waitTimeoutMs;
  const asked = performance.now();
  using _place = await takeTransactionPlace(pool, signal, limitMs);
  // The place and the beginning share their time, so that a request learns within 5 s of a server that
  // is gone.
  const waitedMs = performance.now() - asked;
  const maxWait =
    limitMs === null ? NO_TIMEOUT_MS : Math.max(MIN_BEGIN_MS, Math.ceil(limitMs - waitedMs));
  for (let attempt = 1; ; attempt += 1) {
    const { workspaceId } = ctx;
    const scope: TransactionScope = {
      pool,
      workspaceId,
      client: null,
      state: 'starting',
      collided: false,
    };
    try {
      const value = await attemptOnce(ctx, work, { ...options, maxWait }, scope);
      // What the request read before may be another now.
      ctx.loaders.clear();
      return value;
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !scope.collided) throw error;
      await sleep(Math.random() * RETRY_MS * attempt);
      signal.throwIfAborted();
    }
  }
}

/** Begin a transaction, as soon as there is a connection, and run `work` in it. */
async function attemptOnce<C extends Context, T>(
  ctx: C,
  work: (tx: C) => Promise<T>,
  { long = false, patient = false, maxWait }: TransactionOptions & { readonly maxWait: number },
  scope: TransactionScope,
): Promise<T> {
  let hasBegun = false;
  const attempt = () =>
    begin(
      ctx,
      (tx) => {
        hasBegun = true;
        return work(tx);
      },
      { maxWait, timeout: long ? NO_TIMEOUT_MS : TIMEOUT_MS },
      long,
      scope,
    );
  return patient ? patiently(ctx, attempt, () => !hasBegun) : attempt();
}

async function begin<C extends Context, T>(
  ctx: C,
  work: (tx: C) => Promise<T>,
  limits: { readonly maxWait: number; readonly timeout: number },
  long: boolean,
  scope: TransactionScope,
): Promise<T> {
  const { database } = ctx;
  const writes = ctx.reads.isQuery ? null : database.replica;
  const budget = budgets.getStore();
  let stopCommitting: (() => void) | undefined;
  return scopes.run(scope, async () => {
    try {
      const committed = await database.prisma.$transaction(async (db) => {
        const client = scope.client;
        if (client === null) throw new Error('Prisma began a transaction outside of our pool.');
        transactions.set(db, { client, workspaceId: ctx.workspaceId });
        const restore = long ? liftLimit(client) : null;
        try {
          await database.pool.enter(client, ctx.workspaceId);
          if (long) await client.query('set local statement_timeout = 0');
          const answer = await work({ ...ctx, db, loaders: new Map() });
          // Every process learns of it with the commit.
          if (writes) await client.query(writes.announcement(ctx.viewer.id));
          budget?.throwIfAborted();
          stopCommitting = budget?.commit() ?? (() => {});
          return answer;
        } finally {
          restore?.();
        }
      }, limits);
      writes?.noteWrite(ctx.viewer.id);
      return committed;
    } catch (error) {
      if (stopCommitting && leavesOpen(error)) throw outcomeUnknown();
      throw error;
    } finally {
      stopCommitting?.();
      scope.state = 'ended';
    }
  });
}

/**
 * The connection of the transaction that a context is in, or undefined outside of one. Throws where the
 * context is of another workspace than the transaction, which would see nothing of it.
 */
export function clientOf({
  db,
  workspaceId,
}: Pick<Context, 'db' | 'workspaceId'>): pg.PoolClient | undefined {
  const open = transactions.get(db);
  if (open && open.workspaceId !== workspaceId && open.workspaceId !== everyWorkspace) {
    throw new Error('The transaction is of another workspace than the context.');
  }
  return open?.client;
}
