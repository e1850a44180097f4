// How much of the database one request may have: connections at once, and time in all.

import type pg from 'pg';
import type { Lane } from '../../lane.ts';
import { AsyncStore } from '../../tracing/async-store.ts';
import { cancelStatement } from './cancel.ts';

/** Whose budget the running code spends; code of no request has none. */
export const budgets = new AsyncStore<Budget>();

/** What a request may have. */
export interface BudgetOptions {
  /** Connections of all requests with the same key. */
  readonly lane: Lane;
  /** Milliseconds that its statements may take together. */
  readonly databaseMs: number;
  /** The error that it ends with when they took longer. */
  readonly tooLong: () => Error;
}

/**
 * The budget of one request. When it is over, whatever of the request waits for the database fails
 * with the reason: statements that run are cancelled on the server, others are not sent, but for the
 * end of a transaction.
 */
export class Budget {
  readonly #options: BudgetOptions;
  readonly #ending = new AbortController();
  /** Statements under way, each with its connection. */
  readonly #running = new Map<object, pg.PoolClient>();
  /** Connections that it has. */
  #held = 0;
  #left: number;
  /** When `#left` was last brought up to date, in milliseconds of this process. */
  #countedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #onRest: (() => void) | undefined;

  constructor(options: BudgetOptions) {
    this.#options = options;
    this.#left = options.databaseMs;
  }

  /** Aborted, with the error as its reason, when the budget is over. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** End it. Only the first reason counts. */
  end(reason: Error): void {
    if (this.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#ending.abort(reason);
    for (const [statement, client] of this.#running) this.#cancel(statement, client);
  }

  /** Resolves when it has no connection any more. */
  async atRest(): Promise<void> {
    if (this.#held === 0) return;
    await new Promise<void>((resolve) => {
      this.#onRest = resolve;
    });
  }

  /** Take a connection as soon as the lane has room; it is given back by its own `release`. */
  async checkOut(connect: () => Promise<pg.PoolClient>): Promise<pg.PoolClient> {
    this.signal.throwIfAborted();
    const leave = await this.#options.lane.enter(this.signal);
    this.#held += 1;
    const giveBack = () => {
      leave();
      this.#held -= 1;
      if (this.#held === 0) this.#onRest?.();
    };
    try {
      const client = await connect();
      const { release } = client;
      client.release = (error) => {
        giveBack();
        release(error);
      };
      return client;
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  /**
   * Count the time of a statement. Throws the reason where the budget is over. The answered function
   * is called when the statement has ended, and resolves when the connection can be used again.
   */
  begin(client: pg.PoolClient): () => Promise<void> {
    this.signal.throwIfAborted();
    this.#count();
    const statement = {};
    this.#running.set(statement, client);
    this.#watch();
    return async () => {
      this.#count();
      this.#running.delete(statement);
      this.#watch();
      await this.#cancels.get(statement);
    };
  }

  readonly #cancels = new WeakMap<object, Promise<void>>();

  #cancel(statement: object, client: pg.PoolClient): void {
    const stillRuns = () => this.#running.has(statement);
    this.#cancels.set(statement, cancelStatement(client, stillRuns));
  }

  #count(): void {
    const now = performance.now();
    this.#left -= this.#running.size * (now - this.#countedAt);
    this.#countedAt = now;
  }

  #watch(): void {
    clearTimeout(this.#timer);
    if (this.#running.size === 0 || this.signal.aborted) return;
    const ms = Math.max(0, this.#left / this.#running.size);
    this.#timer = setTimeout(() => this.end(this.#options.tooLong()), ms);
    this.#timer.unref();
  }
}
