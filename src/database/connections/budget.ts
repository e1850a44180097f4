// How much of the database one request may have: connections at once, time in all, and bytes in all.

import type pg from 'pg';
import { isPending } from '../../async/maybe-promise.ts';
import { outcomeUnknown } from '../../errors.ts';
import type { KeyConnections } from '../../limits/per-key.ts';
import { AsyncStore } from '../../tracing/async-store.ts';
import { cancelStatement } from './cancel.ts';
import { onReceived, type Receiver } from './received.ts';

/** Whose budget the running code spends; code of no request has none. */
export const budgets = new AsyncStore<Budget>();

/** What a request may have. */
export interface BudgetOptions {
  /** Whose it is: long answers of the database are read in turns with those of others. */
  readonly owner: string;
  /** Connections of all requests with the same key. */
  readonly connections: KeyConnections;
  /** Milliseconds that its statements may take together. */
  readonly databaseMs: number;
  /** The error that it ends with when they took longer. */
  readonly tooLong: () => Error;
  /** Bytes that they may answer together. */
  readonly maxBytes: number;
  /** The error that it ends with when they answered more. */
  readonly tooMuch: () => Error;
}

/** A request whose statements took longer than this together has had much of the database, in milliseconds. */
const muchMs = 100;

/**
 * The budget of one request. When it is over, whatever of the request waits for the database fails
 * with the reason: statements that run are cancelled on the server, others are not sent, but for the
 * end of a transaction.
 */
export class Budget {
  readonly #options: BudgetOptions;
  readonly #receiver: Receiver;
  readonly #began = performance.now();
  /** Commits whose answers are not there yet. */
  #committing = 0;
  /** Why it is over; null while it is not. */
  #reason: Error | null = null;
  readonly #ending = new AbortController();
  readonly #listeners = new Set<(reason: Error) => void>();
  /** Statements under way, each with its connection. */
  readonly #running = new Map<object, pg.PoolClient>();
  /** Connections that it has. */
  #held = 0;
  #left: number;
  #received = 0;
  /** When `#left` was last brought up to date, in milliseconds of this process. */
  #countedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  /** When the timer comes, in milliseconds of this process. */
  #looksAt = 0;
  #onRest: (() => void) | undefined;

  constructor(options: BudgetOptions) {
    this.#options = options;
    this.#left = options.databaseMs;
    this.#receiver = { owner: options.owner, receive: (bytes) => this.#receive(bytes) };
  }

  /** Aborted, with the error as its reason, when the budget is over. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  get isOver(): boolean {
    return this.#reason !== null;
  }

  /** Throws the reason where it is over. */
  throwIfAborted(): void {
    if (this.#reason) throw this.#reason;
  }

  /** Call this with the reason when it is over, which it must not be yet; returns the function that ends that. */
  onEnd(listener: (reason: Error) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Bytes that its statements have answered. */
  get received(): number {
    return this.#received;
  }

  /** Call this when a commit is about to be sent, and what it returns when its answer is there or can't come. */
  commit(): () => void {
    this.#committing += 1;
    return () => {
      this.#committing -= 1;
    };
  }

  /** End it. Only the first reason counts; within a commit it is that no one knows what becomes of it. */
  end(why: Error): void {
    if (this.#reason) return;
    const reason = this.#committing > 0 ? outcomeUnknown() : why;
    clearTimeout(this.#timer);
    this.#reason = reason;
    this.#ending.abort(reason);
    for (const listener of this.#listeners) listener(reason);
    for (const [statement, client] of this.#running) this.#cancel(statement, client);
  }

  /** Call this when nothing more is asked of it; the listener is called once it has no connection any more. */
  atRest(listener: () => void): void {
    const rest = () => {
      clearTimeout(this.#timer);
      this.#options.connections.noteEnd(this.#hasHadMuch);
      listener();
    };
    if (this.#held === 0) rest();
    else this.#onRest = rest;
  }

  get #hasHadMuch(): boolean {
    return this.#options.databaseMs - this.#left > muchMs;
  }

  /** Take a connection as soon as its key has one for it; it is given back by its own `release`. */
  async checkOut(connect: () => Promise<pg.PoolClient>): Promise<pg.PoolClient> {
    this.throwIfAborted();
    this.#count();
    const { connections } = this.#options;
    const entering =
      this.#hasHadMuch || connections.isLikelyLong
        ? connections.enterLong(this.signal, this.#began)
        : connections.enter(this.signal);
    const leave = isPending(entering) ? await entering : entering;
    this.#held += 1;
    const giveBack = () => {
      leave();
      this.#held -= 1;
      if (this.#held > 0) return;
      this.#onRest?.();
      this.#onRest = undefined;
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
   * Count the time of a statement, and what it answers. Throws the reason where the budget is over. The answered
   * function is called when the statement has ended, and tells when the connection can be used again: at once, or
   * when a promise is kept.
   */
  begin(client: pg.PoolClient): () => Promise<void> | undefined {
    this.throwIfAborted();
    this.#count();
    const statement = {};
    this.#running.set(statement, client);
    this.#watch();
    const stopReceiving = onReceived(client, this.#receiver);
    return () => {
      stopReceiving();
      this.#count();
      this.#running.delete(statement);
      return this.#cancels.get(statement);
    };
  }

  readonly #cancels = new WeakMap<object, Promise<void>>();

  #cancel(statement: object, client: pg.PoolClient): void {
    const stillRuns = () => this.#running.has(statement);
    this.#cancels.set(statement, cancelStatement(client, stillRuns));
  }

  #receive(bytes: number): void {
    this.#received += bytes;
    if (this.#received > this.#options.maxBytes) this.end(this.#options.tooMuch());
  }

  #count(): void {
    const now = performance.now();
    this.#left -= this.#running.size * (now - this.#countedAt);
    this.#countedAt = now;
  }

  /** Look when its time may be over. A timer that comes too early looks again: few statements need one of their own. */
  #watch(): void {
    if (this.#running.size === 0 || this.isOver) return;
    const ms = Math.max(0, this.#left / this.#running.size);
    const at = this.#countedAt + ms;
    if (this.#timer && this.#looksAt <= at) return;
    clearTimeout(this.#timer);
    this.#looksAt = at;
    this.#timer = setTimeout(() => this.#look(), Math.ceil(ms));
    this.#timer.unref();
  }

  #look(): void {
    this.#timer = undefined;
    this.#count();
    if (this.#running.size > 0 && this.#left <= 0) this.end(this.#options.tooLong());
    else this.#watch();
  }
}
