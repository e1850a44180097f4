// Opens the database: a PostgreSQL server of yours, or the one that comes with the packages.

import { availableParallelism } from 'node:os';
import type { ConnectionWatch, StatementListener } from './connections/observe.ts';
import type { Pool, SessionRules } from './connections/pool.ts';
import { connectPrisma } from './connections/prisma.ts';
import { withSettings } from './connections/session-settings.ts';
import { mustBeInUtc } from './connections/utc.ts';
import type { Database, LineageMemory } from './database.ts';
import type { SlowStatement, StatementFigures } from './figures.ts';
import type { Replica } from './replica.ts';

export interface DatabaseOptions {
  /** A PostgreSQL server; without one the packaged server is started on `dataDir`. */
  databaseUrl?: string | undefined;
  /** The server itself where `databaseUrl` names a pooler that gives connections by the transaction. */
  directUrl?: string | undefined;
  /** A standby of the server for reads that may be a second old. */
  readUrl?: string | undefined;
  /** Whether such a pooler carries named statements over (PgBouncer from 1.21 on). Default no. */
  preparedStatements?: boolean | undefined;
  /** The folder of the packaged server. Needed where there is no `databaseUrl`. */
  dataDir?: string | undefined;
  /** `relaxed`: a power loss or a crash may take the packaged server's last commits. Default `full`. */
  durability?: 'full' | 'relaxed' | undefined;
  /** A statement that runs longer is cut. Default 30 s. */
  statementTimeoutMs?: number | undefined;
  /** A request waits no longer for a connection. Default 3 s. */
  waitTimeoutMs?: number | undefined;
  /** A statement that takes longer, in milliseconds, is reported; 0 for none. Default 0. */
  slowStatementMs?: number | undefined;
  onSlowStatement?: ((statement: SlowStatement) => void) | undefined;
  /** Connections to the server. Default 10. */
  maxConnections?: number | undefined;
  /** What of the lineage may be held in memory. Default 256 MB. */
  lineageMemory?: LineageMemory | undefined;
  /** Migrations to bring the database to; null applies none. Default those of `prisma/`. */
  migrations?: string | null | undefined;
  /** Called with one sentence on what the operator should know of. */
  onNotice?: ((message: string) => void) | undefined;
  /** Called with one sentence on who holds up a migration. Default `onNotice`. */
  onWait?: ((message: string) => void) | undefined;
  /** Called when what is left is to wait for the packaged server: there is time for something else. */
  onLaunch?: (() => void) | undefined;
}

const defaultStatementTimeoutMs = 30_000;
const defaultConnections = 10;
const defaultLineageMemory: LineageMemory = { maxBytes: 256 * 1024 * 1024, waits: false };
/** With the probe of a server that may be gone (see patience.ts), a request learns of it within 5 s. */
const defaultWaitTimeoutMs = 3_000;

/**
 * Open the database and bring it to this program's migrations. Throws, in a sentence for the
 * operator, where that can't be done.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { databaseUrl, directUrl } = options;
  if (databaseUrl) {
    const way = { url: databaseUrl, directUrl: directUrl ?? databaseUrl, processors: null };
    return connect(way, options, async () => {});
  }
  const { startServer } = await import('./server/packaged-server.ts');
  if (!options.dataDir) throw new Error('A database needs an address, or a folder to run in.');
  const server = await startServer({
    dataDir: options.dataDir,
    durability: options.durability ?? 'full',
    maxConnections: options.maxConnections ?? defaultConnections,
    onNotice: options.onNotice ?? (() => {}),
    onLaunch: options.onLaunch,
  });
  try {
    const processors = availableParallelism();
    const way = { url: server.url, directUrl: server.url, processors };
    return await connect(way, options, () => server.stop());
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** How the server is reached, and how many processors it has, where it is this machine's. */
interface Way {
  readonly url: string;
  readonly directUrl: string;
  readonly processors: number | null;
}

async function connect(
  { url, directUrl, processors }: Way,
  options: DatabaseOptions,
  stopServer: () => Promise<void>,
): Promise<Database> {
  const listeners = new Set<StatementListener>();
  const closing: (() => Promise<void>)[] = [];
  const figures: StatementFigures = { statements: 0, ms: 0, slow: 0 };
  const watch = {
    figures,
    slowMs: options.slowStatementMs ?? 0,
    onSlow: options.onSlowStatement ?? (() => {}),
    onStatement(text: string) {
      for (const listener of listeners) listener(text);
    },
  };
  const areShared = directUrl !== url;
  const waitTimeoutMs = options.waitTimeoutMs ?? defaultWaitTimeoutMs;
  const { openRowSecurity } = await import('./row-security.ts');
  await using security = await openRowSecurity(directUrl, waitTimeoutMs);
  const { role } = security;
  const pool = await openPool(url, { areShared, role }, options, watch);
  const replica = await openReplica(directUrl, role, options, watch);
  const prisma = await connectPrisma(pool);
  const database: Database = {
    prisma,
    pool,
    directUrl,
    connectionsPerKey: connectionsPerKey(pool.options.max, processors),
    keepsPlans: !areShared || options.preparedStatements === true,
    waitTimeoutMs,
    replica,
    role,
    lineageMemory: options.lineageMemory ?? defaultLineageMemory,
    figures,
    onClose: (work) => void closing.push(work),
    onStatement(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      for (const work of closing) await work();
      await prisma.$disconnect();
      await replica?.close();
      await pool.end();
      await stopServer();
    },
  };
  try {
    await mustBeInUtc(pool);
    if (options.migrations !== null) await bringUpToDate(database, options);
    await security.complete(options.onNotice ?? (() => {}));
    return database;
  } catch (error) {
    await prisma.$disconnect();
    await replica?.close();
    await pool.end();
    throw error;
  }
}

/** Watch the standby that reads may go to, where there is one. */
async function openReplica(
  primaryUrl: string,
  role: string | null,
  options: DatabaseOptions,
  watch: Omit<ConnectionWatch, 'patience'>,
): Promise<Replica | null> {
  const { readUrl: url, onNotice = () => {} } = options;
  if (!url) return null;
  const { watchReplica } = await import('./replica.ts');
  const pool = await openPool(url, { areShared: false, role }, options, watch);
  return watchReplica({ pool, url, primaryUrl, onNotice });
}

async function openPool(
  databaseUrl: string,
  sessions: SessionRules,
  options: DatabaseOptions,
  watch: Omit<ConnectionWatch, 'patience'>,
): Promise<Pool> {
  const [{ createPool }, { createPatience }] = await Promise.all([
    import('./connections/pool.ts'),
    import('./connections/patience.ts'),
  ]);
  const statementTimeoutMs = options.statementTimeoutMs ?? defaultStatementTimeoutMs;
  const { areShared, role } = sessions;
  return createPool(
    {
      // A pooler takes no settings for sessions that it shares.
      ...(areShared
        ? { connectionString: databaseUrl }
        : {
            connectionString: withSettings(databaseUrl, {
              TimeZone: 'UTC',
              ...(role !== null && { role }),
            }),
            statement_timeout: statementTimeoutMs,
          }),
      application_name: 'headwater',
      max: options.maxConnections ?? defaultConnections,
      connectionTimeoutMillis: options.waitTimeoutMs ?? defaultWaitTimeoutMs,
      // The plans that a connection keeps end with it.
      maxLifetimeSeconds: 3_600,
      keepAlive: true,
      keepAliveInitialDelayMillis: 1_000,
    },
    {
      ...watch,
      patience: createPatience({
        databaseUrl,
        // Where the server cuts a statement by itself, it is first.
        answerTimeoutMs: statementTimeoutMs + (areShared ? 0 : 2_000),
        cancels: areShared,
      }),
    },
    sessions,
  );
}

async function bringUpToDate(database: Database, options: DatabaseOptions): Promise<void> {
  const { migrate } = await import('./migrations/migrate.ts');
  const applied = await migrate(
    database,
    options.migrations ?? undefined,
    options.onWait ?? options.onNotice,
  );
  if (applied.length > 0) options.onNotice?.(`Applied the migrations ${applied.join(', ')}.`);
}

/**
 * Others are to have connections even while one key has as many as it can get, and a processor where the server
 * shares theirs with this process: more statements than it has processors would be answered no sooner. Two at least,
 * so that a long statement does not hold up what else its key asks.
 */
function connectionsPerKey(most: number, processors: number | null): number {
  const half = Math.max(1, Math.floor(most / 2));
  return processors === null ? half : Math.min(half, Math.max(2, processors));
}
