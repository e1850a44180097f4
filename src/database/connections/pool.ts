// Connections: which statement runs on which, who observes it, and who may not wait.

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { breaksConnection, lacksConnection } from '../failure.ts';
import { budgets } from './budget.ts';
import { watchThread } from './busy-thread.ts';
import { copyOn } from './copy-rows.ts';
import { holders, scopes, type TransactionScope } from './current-transaction.ts';
import { type ConnectionWatch, observe, readOnlyConnections } from './observe.ts';
import { receive } from './received.ts';
import { isShowing, noWorkspace, show, showWithin } from './visible-rows.ts';

/** With the first try a request learns within 5 s of a server that is gone. */
const secondTryMs = 1_500;

/** How sessions of the server are had. */
export interface SessionRules {
  /** Whether a pooler gives them by the transaction: what is set on one lasts no longer. */
  readonly areShared: boolean;
  /** The role that statements run as, where the login itself is above row-level security. */
  readonly role: string | null;
}

/** What takes a statement outside of a transaction. */
export interface Querying {
  query<Row extends pg.QueryResultRow>(config: pg.QueryConfig): Promise<pg.QueryResult<Row>>;
  /** Runs a `copy ... from stdin` that reads these bytes. */
  copyIn(text: string, bytes: Buffer): Promise<void>;
  /** A connection for several, which has to be released. */
  connect(): Promise<pg.PoolClient>;
}

/** A pool whose statements see the rows of the workspace that they name, and without one none. */
export interface Pool extends pg.Pool {
  /** Takes statements outside of a transaction, which see the rows of this workspace. */
  showing(workspaceId: string): Querying;
  /** Let a transaction that has just begun on a connection see the rows of its workspace. */
  enter(client: pg.PoolClient, workspaceId: string): Promise<void>;
}

/**
 * A pool of connections that refuses a second connection to code inside a transaction: where all who
 * have one connection wait for another, no one goes on. A connection is set to a workspace where that
 * is another one than it had last; anyone who takes one without naming any sees no one's rows.
 */
export function createPool(
  config: pg.PoolConfig,
  watch: ConnectionWatch,
  sessions: SessionRules,
): Pool {
  const pool = new pg.Pool(config);
  // An idle connection may break at any time; the next statement opens another.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    observe(client, watch);
    receive(client);
  });
  const connect: (...args: unknown[]) => unknown = pool.connect;
  async function connectOnce(): Promise<pg.PoolClient> {
    const client = clientFrom(await connect.call(pool));
    if (!isInTransaction(client) && !readOnlyConnections.has(client)) return client;
    // It was ended within a transaction, and was given back before anybody noticed; or anyone who wrote on it gave it
    // back as it is.
    client.release(true);
    return connectOnce();
  }
  /**
   * A connection: one that is idle, or a new one, which is tried again, shortly, where this thread was too
   * busy to notice that the first was made.
   */
  async function connected(): Promise<pg.PoolClient> {
    if (pool.idleCount > pool.waitingCount) return connectOnce();
    const wasBusy = watchThread();
    try {
      return await connectOnce();
    } catch (error) {
      if (lacksConnection(error) !== 'silent' || !wasBusy()) throw error;
      return inTime(connectOnce(), error);
    }
  }

  /** A connection, from the budget of the request where there is one. */
  function checkOut([callback]: unknown[]): unknown {
    const budget = budgets.getStore();
    const checkedOut = budget ? budget.checkOut(connected) : connected();
    if (typeof callback !== 'function') return checkedOut;
    void checkedOut.then(
      (client) => callback(undefined, client, client.release),
      (error) => callback(error),
    );
    return undefined;
  }

  /** A connection that shows the rows of a workspace. */
  function lend(args: unknown[], workspaceId: string): unknown {
    return sessions.areShared ? checkOut(args) : checkOutShowing(checkOut, args, workspaceId);
  }

  function connectFor(args: unknown[], workspaceId: string): unknown {
    const scope = scopes.getStore();
    if (scope?.pool !== pool || scope.state === 'ended') return lend(args, workspaceId);
    if (scope.state === 'open') return refuse(args);
    scope.state = 'open';
    return captureClient(scope, lend(args, scope.workspaceId));
  }

  function showing(workspaceId: string): Querying {
    const opening = sessions.areShared ? showWithin(workspaceId, sessions.role) : null;
    return {
      query: (config) =>
        within(connectFor([], workspaceId), opening, (client) => client.query(config)),
      copyIn: (text, bytes) =>
        within(connectFor([], workspaceId), opening, (client) => copyOn(client, text, bytes)),
      connect: async () => clientFrom(await connectFor([], workspaceId)),
    };
  }

  return Object.assign(pool, {
    connect: (...args: unknown[]) => connectFor(args, noWorkspace),
    showing,
    async enter(client: pg.PoolClient, workspaceId: string) {
      if (sessions.areShared) await client.query(showWithin(workspaceId, sessions.role));
    },
  });
}

/** A connection that is made soon; else `late` is thrown, and the connection goes back to the pool. */
async function inTime(connecting: Promise<pg.PoolClient>, late: unknown): Promise<pg.PoolClient> {
  const waiting = new AbortController();
  const limit = sleep(secondTryMs, null, { signal: waiting.signal }).catch(() => null);
  const client = await Promise.race([connecting, limit]);
  waiting.abort();
  if (client) return client;
  connecting.then(
    (made) => made.release(),
    () => {},
  );
  throw late;
}

/** Check out a connection, and set it to the workspace where it shows another one's rows. */
function checkOutShowing(
  checkOut: (args: unknown[]) => unknown,
  args: unknown[],
  workspaceId: string,
): unknown {
  const [callback] = args;
  if (typeof callback !== 'function') return showing(checkOut(args), workspaceId);
  return checkOut([
    (error: unknown, client: unknown, release: unknown) => {
      if (!isClient(client) || isShowing(client, workspaceId)) {
        return callback(error, client, release);
      }
      show(client, workspaceId).then(
        () => callback(undefined, client, release),
        (failure) => {
          client.release(breaksConnection(failure));
          callback(failure);
        },
      );
    },
  ]);
}

async function showing(checkingOut: unknown, workspaceId: string): Promise<pg.PoolClient> {
  const client = clientFrom(await checkingOut);
  if (isShowing(client, workspaceId)) return client;
  try {
    await show(client, workspaceId);
  } catch (error) {
    client.release(breaksConnection(error));
    throw error;
  }
  return client;
}

/**
 * Run one statement outside of a transaction. Where sessions are shared it is put
 * into one, which is all that a setting lasts for, and `opening` says what it begins with. A statement that fails, such as one
 * that is cancelled, leaves its connection to the next: making another takes far longer, and many that
 * are cut at once would let everybody wait for it.
 */
async function within<Result>(
  connecting: unknown,
  opening: string | null,
  send: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = clientFrom(await connecting);
  let isBroken = false;
  try {
    if (opening !== null) await client.query(`begin; ${opening}`);
    const result = await send(client);
    if (opening !== null) await client.query('commit');
    return result;
  } catch (error) {
    isBroken = opening === null ? breaksConnection(error) : !(await isRolledBack(client));
    throw error;
  } finally {
    client.release(isBroken);
  }
}

/** Take back what a transaction has done so far; whether that worked. */
function isRolledBack(client: pg.PoolClient): Promise<boolean> {
  return client.query('rollback').then(
    () => true,
    () => false,
  );
}

/** As far as the server said; one that is new has no status yet. */
const isInTransaction = (client: pg.PoolClient) =>
  ['T', 'E'].includes(client.getTransactionStatus() ?? '');

function clientFrom(value: unknown): pg.PoolClient {
  if (isClient(value)) return value;
  throw new Error('The pool gave no connection.');
}

async function captureClient(scope: TransactionScope, connecting: unknown): Promise<unknown> {
  const client = await connecting;
  if (isClient(client)) {
    scope.client = client;
    holders.set(client, scope);
  }
  return client;
}

function isClient(value: unknown): value is pg.PoolClient {
  return value instanceof pg.Client;
}

/** node-postgres' own `pool.query` waits with a callback, everyone else with a promise. */
function refuse([callback]: unknown[]): unknown {
  const error = new Error(
    'Inside a transaction use the context that it handed on, not the one outside of it.',
  );
  if (typeof callback !== 'function') return Promise.reject(error);
  callback(error);
  return undefined;
}
