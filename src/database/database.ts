// In charge of what an open database is to the rest of the program.

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
  /**
   * Whether a connection keeps the plans of named statements. Behind a pooler that hands out its
   * connections by the transaction, the next statement runs on another one, which knows no names.
   */
  readonly keepsPlans: boolean;
  /** How long a request waits for a connection at most. */
  readonly waitTimeoutMs: number;
  /** A standby that reads may go to; null where there is none. */
  readonly replica: Replica | null;
  /** What this process has asked of it so far. */
  readonly figures: StatementFigures;
  /** Be told of each statement that is sent; returns the function that ends it. */
  onStatement(listener: StatementListener): () => void;
  close(): Promise<void>;
}
