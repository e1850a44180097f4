// Opens the database, the embedded one or a PostgreSQL server, as one and the same thing.

import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { type Prisma, PrismaClient } from '../generated/prisma/client.ts';
import { type Embedded, startEmbedded } from './embedded.ts';
import { createPool, type StatementListener } from './pool.ts';
import { Wire } from './wire.ts';

/**
 * Prisma on a context's connection: the pool, or the transaction one is in. It has no
 * `$transaction`: a transaction is begun with `transaction(ctx, work)` alone.
 */
export type Db = Prisma.TransactionClient;

export interface DatabaseOptions {
  /** A PostgreSQL server; without one the embedded database is opened. */
  databaseUrl?: string | undefined;
  /** Folder of the embedded database; without one it lives in memory and ends with the process. */
  dataDir?: string | undefined;
  /** `relaxed` skips fsync on the embedded database: a power loss may ruin it. Default `full`. */
  durability?: 'full' | 'relaxed' | undefined;
  /** A statement that runs longer is cut. Default 30 s. */
  statementTimeoutMs?: number | undefined;
  /** Connections to a PostgreSQL server; the embedded database has one. Default 10. */
  maxConnections?: number | undefined;
  /** A tar of an embedded database in memory to start from (tests). */
  archive?: string | undefined;
  /** Told in one sentence of what the operator should know of, such as a cut statement. */
  onNotice?: ((message: string) => void) | undefined;
}

export interface Database {
  readonly engine: 'pglite' | 'postgresql';
  readonly prisma: PrismaClient;
  readonly pool: pg.Pool;
  /** How long a request waits for a connection at most. */
  readonly waitTimeoutMs: number;
  /** Be told of each statement that is sent; returns the function that ends it. */
  onStatement(listener: StatementListener): () => void;
  /** Let the statements of an open transaction run as long as they need; returns the way back. */
  liftLimits(client: pg.PoolClient): Promise<() => void>;
  close(): Promise<void>;
}

const defaultStatementTimeoutMs = 30_000;

/** Open the database; it answers when the promise resolves. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const listeners = new Set<StatementListener>();
  const tell: StatementListener = (text) => {
    for (const listener of listeners) listener(text);
  };
  const connected = options.databaseUrl
    ? connectServer(options.databaseUrl, options, tell)
    : await connectEmbedded(options, tell);
  const { pool } = connected;
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  return {
    ...connected,
    prisma,
    onStatement(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      await prisma.$disconnect();
      await pool.end();
      await connected.close();
    },
  };
}

type Connected = Pick<Database, 'engine' | 'pool' | 'waitTimeoutMs' | 'liftLimits' | 'close'>;

async function connectEmbedded(
  options: DatabaseOptions,
  tell: StatementListener,
): Promise<Connected> {
  const embedded: Embedded = startEmbedded({
    folder: options.dataDir ?? null,
    durability: options.durability ?? 'full',
    archive: options.archive ?? null,
    statementTimeoutMs: options.statementTimeoutMs ?? defaultStatementTimeoutMs,
    onRestart: options.onNotice ?? (() => {}),
  });
  await embedded.opened;
  const waitTimeoutMs = 30_000;
  const pool = createPool(
    {
      stream: () => new Wire(embedded),
      // The embedded database holds one session; its only connection is never let go of.
      max: 1,
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: waitTimeoutMs,
    },
    tell,
  );
  return {
    engine: 'pglite',
    pool,
    waitTimeoutMs,
    liftLimits: async () => embedded.unlimited(),
    close: () => embedded.close(),
  };
}

function connectServer(
  databaseUrl: string,
  options: DatabaseOptions,
  tell: StatementListener,
): Connected {
  const statementTimeoutMs = options.statementTimeoutMs ?? defaultStatementTimeoutMs;
  const waitTimeoutMs = 3_000;
  const pool = createPool(
    {
      connectionString: databaseUrl,
      application_name: 'headwater',
      max: options.maxConnections ?? 10,
      // Adapters drop the offset of a time: the session must be in UTC for them to be right.
      options: '-c TimeZone=UTC',
      connectionTimeoutMillis: waitTimeoutMs,
      statement_timeout: statementTimeoutMs,
      // The server cuts first; this is for a server that does not answer at all.
      query_timeout: statementTimeoutMs + 2_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 1_000,
    },
    tell,
  );
  return {
    engine: 'postgresql',
    pool,
    waitTimeoutMs,
    async liftLimits(client) {
      await client.query('set local statement_timeout = 0');
      return () => {};
    },
    close: async () => {},
  };
}
