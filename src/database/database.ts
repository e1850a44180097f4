// The Database interface, and state that belongs to an open database.

import type { Prisma, PrismaClient } from '../generated/prisma/client.ts';
import type { StatementListener } from './connections/observe.ts';
import type { Pool } from './connections/pool.ts';
import type { StatementFigures } from './figures.ts';
import type { Replica } from './replica.ts';

/**
 * Prisma on a context's connection: the pool, or the transaction one is in. It has no
 * `$transaction`: a transaction is begun with `transaction(ctx, work)` alone.
 */
export type Db = Prisma.TransactionClient;

export interface Database {
  /** Begins transactions; outside of one it refuses statements, which name no workspace. */
  readonly prisma: PrismaClient;
  readonly pool: Pool;
  /** Address of the PostgreSQL server itself, past any pooler, for LISTEN. */
  readonly directUrl: string;
  /** Connections that all requests with one key may have at once. */
  readonly connectionsPerKey: number;
  /**
   * Whether a connection keeps the plans of named statements. Behind a pooler that hands out its
   * connections by the transaction, the next statement runs on another one, which knows no names.
   */
  readonly keepsPlans: boolean;
  /** How long a request waits for a connection at most. */
  readonly waitTimeoutMs: number;
  /** A standby that reads may go to; null where there is none. */
  readonly replica: Replica | null;
  /** The role that sessions run as; null for the login's own. */
  readonly role: string | null;
  readonly lineageMemory: LineageMemory;
  /** What this process has asked of it so far. */
  readonly figures: StatementFigures;
  /** Be notified of each statement that is sent; returns the function that ends it. */
  onStatement(listener: StatementListener): () => void;
  /** Do this before it is closed. */
  onClose(work: () => Promise<void>): void;
  close(): Promise<void>;
}

/**
 * State that belongs to an open database, such as a cache of its rows: made at its first use, and released with the
 * database. All state by database is made here.
 */
export function ofDatabase<State>(
  make: (database: Database) => State,
): (database: Database) => State {
  const states = new WeakMap<Database, { readonly state: State }>();
  return (database) => {
    const known = states.get(database);
    if (known) return known.state;
    const state = make(database);
    states.set(database, { state });
    return state;
  };
}

/** What of the lineage this process may hold in memory. */
export interface LineageMemory {
  /** 0 for none. */
  readonly maxBytes: number;
  /** Whether a read waits until it is there, instead of asking the database in the meantime: for tests. */
  readonly waits: boolean;
}
