// Opens the database, the embedded one or a PostgreSQL server, as one and the same thing.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import type { Prisma, PrismaClient } from '../generated/prisma/client.ts';
import { startEmbedded } from './embedded.ts';
import { lockFolder } from './lock.ts';
import type { StatementListener } from './pool.ts';
import { Wire } from './wire.ts';

/**
 * Prisma on a context's connection: the pool, or the transaction one is in. It has no
 * `$transaction`: a transaction is begun with `transaction(ctx, work)` alone.
 */
export type Db = Prisma.TransactionClient;

export interface DatabaseOptions {
  /** A PostgreSQL server; without one the embedded database is opened. */
  databaseUrl?: string | undefined;
  /** The server itself where `databaseUrl` names a pooler, through which LISTEN hears nothing. */
  directUrl?: string | undefined;
  /** Folder of the embedded database; without one it lives in memory and ends with the process. */
  dataDir?: string | undefined;
  /** `relaxed` skips fsync on the embedded database: a power loss may ruin it. Default `full`. */
  durability?: 'full' | 'relaxed' | undefined;
  /** A statement that runs longer is cut. Default 30 s. */
  statementTimeoutMs?: number | undefined;
  /** Connections to a PostgreSQL server; the embedded database has one. Default 10. */
  maxConnections?: number | undefined;
  /** Migrations to bring the database to; null applies none. Default those of `prisma/`. */
  migrations?: string | null | undefined;
  /** A folder that a new data folder is copied from; null makes it anew. Default the build's. */
  template?: string | null | undefined;
  /** A tar (see `Database.archive`) that a database in memory starts from. */
  archive?: string | undefined;
  /** Told in one sentence of what the operator should know of, such as a cut statement. */
  onNotice?: ((message: string) => void) | undefined;
}

export interface Database {
  readonly engine: 'pglite' | 'postgresql';
  readonly prisma: PrismaClient;
  readonly pool: pg.Pool;
  /** Address of the PostgreSQL server itself, for LISTEN; undefined for the embedded database. */
  readonly directUrl: string | undefined;
  /** How long a request waits for a connection at most. */
  readonly waitTimeoutMs: number;
  /** Be told of each statement that is sent; returns the function that ends it. */
  onStatement(listener: StatementListener): () => void;
  /** Let a connection's statements run as long as they need; returns the way back. */
  liftLimit(client: pg.ClientBase): () => void;
  /** The whole embedded database as a tar; throws on a PostgreSQL server. */
  archive(): Promise<Uint8Array>;
  close(): Promise<void>;
}

const defaultStatementTimeoutMs = 30_000;
/** Where the build leaves an empty database with every migration applied. */
const builtTemplate = fileURLToPath(new URL('../../dist/template', import.meta.url));

/**
 * Open the database and bring it to this program's migrations. The embedded one begins to open at
 * once in its thread, while the modules that talk to it are still being loaded.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const listeners = new Set<StatementListener>();
  const tell: StatementListener = (text) => {
    for (const listener of listeners) listener(text);
  };
  const connected = options.databaseUrl
    ? await connectServer(options.databaseUrl, options, tell)
    : await connectEmbedded(options, tell);
  const prisma = await connectPrisma(connected.pool);
  const database: Database = {
    ...connected,
    prisma,
    onStatement(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      await prisma.$disconnect();
      await connected.pool.end();
      await connected.close();
    },
  };
  if (options.migrations === null) return database;
  try {
    await bringUpToDate(database, options);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

async function connectPrisma(pool: pg.Pool): Promise<PrismaClient> {
  const [{ PrismaPg }, { PrismaClient }] = await Promise.all([
    import('@prisma/adapter-pg'),
    import('../generated/prisma/client.ts'),
  ]);
  return new PrismaClient({ adapter: new PrismaPg(pool) });
}

async function bringUpToDate(database: Database, options: DatabaseOptions): Promise<void> {
  const { migrate } = await import('./migrate.ts');
  const applied = await migrate(database, options.migrations ?? undefined);
  if (applied.length > 0) options.onNotice?.(`Applied the migrations ${applied.join(', ')}.`);
}

type Connected = Omit<Database, 'prisma' | 'onStatement'>;

async function connectEmbedded(
  options: DatabaseOptions,
  tell: StatementListener,
): Promise<Connected> {
  const unlock = options.dataDir ? await lockFolder(options.dataDir) : () => {};
  const embedded = startEmbedded({
    folder: options.dataDir ? join(options.dataDir, 'database') : null,
    durability: options.durability ?? 'full',
    template: options.template === undefined ? builtTemplate : options.template,
    archive: options.archive ?? null,
    statementTimeoutMs: options.statementTimeoutMs ?? defaultStatementTimeoutMs,
    onRestart: options.onNotice ?? (() => {}),
  });
  const waitTimeoutMs = 30_000;
  const { createPool } = await import('./pool.ts');
  try {
    await embedded.opened;
  } catch (error) {
    unlock();
    throw error;
  }
  const pool = createPool(
    {
      stream: () => new Wire(embedded),
      // The embedded database holds one session; its only connection is never let go of.
      max: 1,
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: waitTimeoutMs,
    },
    { onStatement: tell, patience: null },
  );
  const { keepMaintained } = await import('./maintain.ts');
  const liftLimit = () => embedded.unlimited();
  const stopMaintaining = keepMaintained({ pool, liftLimit }, options.onNotice ?? (() => {}));
  return {
    engine: 'pglite',
    pool,
    directUrl: undefined,
    waitTimeoutMs,
    liftLimit,
    archive: () => embedded.dump(),
    async close() {
      stopMaintaining();
      await embedded.close();
      unlock();
    },
  };
}

async function connectServer(
  databaseUrl: string,
  options: DatabaseOptions,
  tell: StatementListener,
): Promise<Connected> {
  const [{ createPool }, { createPatience, liftLimit }] = await Promise.all([
    import('./pool.ts'),
    import('./patience.ts'),
  ]);
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
      keepAlive: true,
      keepAliveInitialDelayMillis: 1_000,
    },
    {
      onStatement: tell,
      // The server cuts a statement first.
      patience: createPatience({ databaseUrl, answerTimeoutMs: statementTimeoutMs + 2_000 }),
    },
  );
  return {
    engine: 'postgresql',
    pool,
    directUrl: options.directUrl ?? databaseUrl,
    waitTimeoutMs,
    liftLimit,
    async archive() {
      throw new Error('Use pg_dump for a PostgreSQL server.');
    },
    close: async () => {},
  };
}
