// Opens the database: a PostgreSQL server of yours, or the one that comes with the packages.

import type pg from 'pg';
import type { PrismaClient } from '../generated/prisma/client.ts';
import type { Database } from './database.ts';
import type { StatementListener } from './pool.ts';

export interface DatabaseOptions {
  /** A PostgreSQL server; without one the packaged server is started on `dataDir`. */
  databaseUrl?: string | undefined;
  /** The server itself where `databaseUrl` names a pooler, through which LISTEN hears nothing. */
  directUrl?: string | undefined;
  /** The folder of the packaged server. Needed where there is no `databaseUrl`. */
  dataDir?: string | undefined;
  /** `relaxed`: a power loss may take the packaged server's last commits. Default `full`. */
  durability?: 'full' | 'relaxed' | undefined;
  /** A statement that runs longer is cut. Default 30 s. */
  statementTimeoutMs?: number | undefined;
  /** Connections to the server. Default 10. */
  maxConnections?: number | undefined;
  /** Migrations to bring the database to; null applies none. Default those of `prisma/`. */
  migrations?: string | null | undefined;
  /** Told in one sentence of what the operator should know of. */
  onNotice?: ((message: string) => void) | undefined;
}

const defaultStatementTimeoutMs = 30_000;
const defaultConnections = 10;
/** With the probe of a server that may be gone (see patience.ts), a request learns of it within 5 s. */
const waitTimeoutMs = 3_000;

/**
 * Open the database and bring it to this program's migrations. Throws, in a sentence for the
 * operator, where that can't be done.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { databaseUrl, directUrl } = options;
  if (databaseUrl) return connect(databaseUrl, directUrl ?? databaseUrl, options, async () => {});
  const { startServer } = await import('./server/server.ts');
  if (!options.dataDir) throw new Error('A database needs an address, or a folder to run in.');
  const server = await startServer({
    dataDir: options.dataDir,
    durability: options.durability ?? 'full',
    maxConnections: options.maxConnections ?? defaultConnections,
    onNotice: options.onNotice ?? (() => {}),
  });
  try {
    return await connect(server.url, server.url, options, () => server.stop());
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function connect(
  url: string,
  directUrl: string,
  options: DatabaseOptions,
  stopServer: () => Promise<void>,
): Promise<Database> {
  const listeners = new Set<StatementListener>();
  const pool = await openPool(url, options, (text) => {
    for (const listener of listeners) listener(text);
  });
  const prisma = await connectPrisma(pool);
  const database: Database = {
    prisma,
    pool,
    directUrl,
    waitTimeoutMs,
    onStatement(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      await prisma.$disconnect();
      await pool.end();
      await stopServer();
    },
  };
  if (options.migrations === null) return database;
  try {
    await bringUpToDate(database, options);
  } catch (error) {
    await prisma.$disconnect();
    await pool.end();
    throw error;
  }
  return database;
}

async function openPool(
  connectionString: string,
  options: DatabaseOptions,
  onStatement: StatementListener,
): Promise<pg.Pool> {
  const [{ createPool }, { createPatience }] = await Promise.all([
    import('./pool.ts'),
    import('./patience.ts'),
  ]);
  const statementTimeoutMs = options.statementTimeoutMs ?? defaultStatementTimeoutMs;
  return createPool(
    {
      connectionString,
      application_name: 'headwater',
      max: options.maxConnections ?? defaultConnections,
      // Adapters drop the offset of a time: the session must be in UTC for them to be right.
      options: '-c TimeZone=UTC',
      connectionTimeoutMillis: waitTimeoutMs,
      statement_timeout: statementTimeoutMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: 1_000,
    },
    {
      onStatement,
      // The server cuts a statement first.
      patience: createPatience({
        databaseUrl: connectionString,
        answerTimeoutMs: statementTimeoutMs + 2_000,
      }),
    },
  );
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
