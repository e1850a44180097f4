// In charge of connections: which statement runs on which, who is told of it, and who may not wait.

import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { budgets } from './budget.ts';
import { watchThread } from './busy-thread.ts';
import { isCollision, lacksConnection } from './failure.ts';
import { beginStatement, type StatementWatch } from './figures.ts';
import type { Patience } from './patience.ts';

/** Told of each statement that is sent, but not of BEGIN, COMMIT and the like. */
export type StatementListener = (text: string) => void;

/** A transaction that is open, or about to be, in this chain of calls. */
export interface Scope {
  readonly pool: pg.Pool;
  /** The transaction's connection, once it has one. */
  client: pg.PoolClient | null;
  state: 'starting' | 'open' | 'ended';
  /** Whether the database ended it because of another transaction: from anew it may succeed. */
  collided: boolean;
}

/** Which transaction the running code is in. */
export const scopes = new AsyncLocalStorage<Scope>();

/** The transaction that each connection was last handed out to. */
const holders = new WeakMap<pg.PoolClient, Scope>();

const ENDING = /^\s*(commit|rollback)\b/i;
const HOUSEKEEPING = /^\s*(begin|commit|rollback|savepoint|release|set|reset|discard|start)\b/i;

export interface Watch extends StatementWatch {
  onStatement: StatementListener;
  /** Ends connections that are not answered. */
  patience: Patience;
}

/**
 * A pool of connections that refuses a second connection to code inside a transaction: where all who
 * have one connection wait for another, nobody goes on.
 */
export function createPool(config: pg.PoolConfig, watch: Watch): pg.Pool {
  const pool = new pg.Pool(config);
  // An idle connection may break at any time; the next statement opens another.
  pool.on('error', () => {});
  pool.on('connect', (client) => observe(client, watch));
  const connect: (...args: unknown[]) => unknown = pool.connect;
  /** A connection; tried again where this thread was too busy to hear that the first was made. */
  async function connected(): Promise<pg.PoolClient> {
    const wasBusy = watchThread();
    try {
      return clientFrom(await connect.call(pool));
    } catch (error) {
      if (lacksConnection(error) !== 'silent' || !wasBusy()) throw error;
      return clientFrom(await connect.call(pool));
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

  return Object.assign(pool, {
    connect(...args: unknown[]): unknown {
      const scope = scopes.getStore();
      if (scope?.pool !== pool || scope.state === 'ended') return checkOut(args);
      if (scope.state === 'open') return refuse(args);
      scope.state = 'open';
      return captureClient(scope, checkOut(args));
    },
  });
}

function clientFrom(value: unknown): pg.PoolClient {
  if (isClient(value)) return value;
  throw new Error('The pool gave no connection.');
}

async function captureClient(scope: Scope, connecting: unknown): Promise<unknown> {
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

/**
 * Tell of each statement, send the next one only when the last is answered (node-postgres warns of
 * anything else), and do not wait forever.
 */
function observe(client: pg.PoolClient, watch: Watch): void {
  const { onStatement, patience } = watch;
  // pg-pool takes its own listener off a connection that it hands out. One that breaks before the next
  // statement, and be it in the same packet that said it was ready, would end the process; so that
  // statement fails instead.
  client.on('error', () => {});
  const query: (...args: unknown[]) => unknown = client.query;
  let line: Promise<unknown> = Promise.resolve();
  const expectAnswer = (text: string) => {
    const answered = patience.expectAnswer(client);
    const ended = beginStatement(text, watch, !HOUSEKEEPING.test(text));
    return () => {
      answered();
      ended();
    };
  };

  async function send(text: string, args: unknown[]): Promise<unknown> {
    const counted = count(text);
    const answered = expectAnswer(text);
    try {
      return await query.apply(client, args);
    } catch (error) {
      // Prisma sends what several transactions ask at once in the context of the first of them.
      const scope = holders.get(client);
      if (scope && isCollision(error)) scope.collided = true;
      throw error;
    } finally {
      answered();
      await counted?.();
    }
  }

  /** The end of a transaction is sent in any case: its connection is to be used again. */
  function count(text: string): (() => Promise<void>) | undefined {
    return ENDING.test(text) ? undefined : budgets.getStore()?.begin(client);
  }

  /** The form that node-postgres' own `pool.query` uses. */
  function sendWithCallback(text: string, args: unknown[]): unknown {
    const counted = count(text);
    const answered = expectAnswer(text);
    const withClock = args.map((arg) => {
      if (typeof arg !== 'function') return arg;
      return (...results: unknown[]) => {
        answered();
        if (counted) void counted().then(() => arg(...results));
        else arg(...results);
      };
    });
    return query.apply(client, withClock);
  }

  Object.assign(client, {
    query(...args: unknown[]): unknown {
      const text = textOf(args[0]);
      if (text === null) return query.apply(client, args);
      if (!HOUSEKEEPING.test(text)) onStatement(text);
      if (args.some((arg) => typeof arg === 'function')) return sendWithCallback(text, args);
      const result = line.then(() => send(text, args));
      line = result.catch(() => {});
      return result;
    },
  });
}

function textOf(query: unknown): string | null {
  if (typeof query === 'string') return query;
  if (typeof query !== 'object' || query === null || !('text' in query)) return null;
  return typeof query.text === 'string' ? query.text : null;
}
