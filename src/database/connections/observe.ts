// The way of each statement to its connection: who observes it, and in which order they are sent.

import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { isCollision, isReadOnly } from '../failure.ts';
import { beginStatement, type StatementWatch } from '../figures.ts';
import { budgets } from './budget.ts';
import { holders } from './current-transaction.ts';
import type { Patience } from './patience.ts';

/** Called with each statement that is sent, but not of BEGIN, COMMIT and the like. */
export type StatementListener = (text: string) => void;

export interface ConnectionWatch extends StatementWatch {
  onStatement: StatementListener;
  /** Ends connections that are not answered. */
  patience: Patience;
}

/** Connections to a server that takes no writes any more, as one that was the primary before a failover. */
export const readOnlyConnections = new WeakSet<pg.PoolClient>();

/**
 * Names that a connection keeps plans under at most. The server forgets none of them before the connection ends, within
 * an hour; a statement with one more name is sent without it.
 */
const maxPlans = 1_000;

const ENDING = /^\s*(commit|rollback)\b/i;
const HOUSEKEEPING = /^\s*(begin|commit|rollback|savepoint|release|set|reset|discard|start)\b/i;

/**
 * Observe each statement, send the next one only when the last is answered (node-postgres warns of
 * anything else), and do not wait forever.
 */
export function observe(client: pg.PoolClient, watch: ConnectionWatch): void {
  const { onStatement, patience } = watch;
  // pg-pool takes its own listener off a connection that it hands out. One that breaks before the next
  // statement, even in the packet that said it was ready, would end the process; so that statement
  // fails instead.
  client.on('error', () => {});
  const query: (...args: unknown[]) => unknown = client.query;
  const planned = new Set<string>();
  /** The last statement that is under way or waits for its turn; null where none does. */
  let last: Promise<unknown> | null = null;
  const expectAnswer = (text: string) => {
    const answered = patience.expectAnswer(client);
    const ended = beginStatement(text, watch, !HOUSEKEEPING.test(text));
    return (result?: unknown) => {
      answered();
      ended(result);
    };
  };

  async function send(text: string, args: unknown[]): Promise<unknown> {
    const counted = count(text);
    const answered = expectAnswer(text);
    let result: unknown;
    try {
      const [asked, ...more] = args;
      result = await query.call(client, withinPlans(planned, asked), ...more);
      // What is copied in is answered when all of it is read.
      if (result instanceof Writable) await finished(result);
      return result;
    } catch (error) {
      // Prisma sends what several transactions ask at once in the context of the first of them.
      const scope = holders.get(client);
      if (scope && isCollision(error)) scope.collided = true;
      if (isReadOnly(error)) readOnlyConnections.add(client);
      throw error;
    } finally {
      answered(result);
      const cancelling = counted?.();
      if (cancelling) await cancelling;
    }
  }

  /** At once where nothing is under way, else when all before it has ended. */
  function sendInTurn(text: string, args: unknown[]): Promise<unknown> {
    const sent = last ? last.then(() => send(text, args)) : send(text, args);
    const over = () => {
      if (last === ended) last = null;
    };
    const ended = sent.then(over, over);
    last = ended;
    return sent;
  }

  /** The end of a transaction is sent in any case: its connection is to be used again. */
  function count(text: string): (() => Promise<void> | undefined) | undefined {
    return ENDING.test(text) ? undefined : budgets.getStore()?.begin(client);
  }

  /** The form that node-postgres' own `pool.query` uses. */
  function sendWithCallback(text: string, args: unknown[]): unknown {
    const counted = count(text);
    const answered = expectAnswer(text);
    const withClock = args.map((arg) => {
      if (typeof arg !== 'function') return arg;
      return (...results: unknown[]) => {
        answered(results[1]);
        const cancelling = counted?.();
        if (cancelling) void cancelling.then(() => arg(...results));
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
      return sendInTurn(text, args);
    },
  });
}

/** A query without its name, where its connection keeps as many plans as it may. */
function withinPlans(planned: Set<string>, query: unknown): unknown {
  if (typeof query !== 'object' || query === null || !('name' in query)) return query;
  const { name, ...unnamed } = query;
  if (typeof name !== 'string' || planned.has(name)) return query;
  if (planned.size >= maxPlans) return unnamed;
  planned.add(name);
  return query;
}

function textOf(query: unknown): string | null {
  if (typeof query === 'string') return query;
  if (typeof query !== 'object' || query === null || !('text' in query)) return null;
  return typeof query.text === 'string' ? query.text : null;
}
