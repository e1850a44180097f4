// Which transaction the running code is in, and which one each connection is of.

import type pg from 'pg';
import { AsyncStore } from '../../tracing/async-store.ts';

/** A transaction that is open, or about to be, in this chain of calls. */
export interface TransactionScope {
  readonly pool: pg.Pool;
  /** Whose rows it sees: those of one workspace, or of every one. */
  readonly workspaceId: string;
  /** The transaction's connection, once it has one. */
  client: pg.PoolClient | null;
  state: 'starting' | 'open' | 'ended';
  /** Whether the database ended it because of another transaction: again it may succeed. */
  collided: boolean;
}

/** Which transaction the running code is in. */
export const scopes = new AsyncStore<TransactionScope>();

/** The transaction that each connection was last handed out to. */
export const holders = new WeakMap<pg.PoolClient, TransactionScope>();
