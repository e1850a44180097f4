// In charge of how a command reaches the database, whether a server runs on it or not.

import type { Config } from '../config.ts';
import { type Database, openDatabase } from './open.ts';

/** Connections that a command takes at most. */
const maxConnections = 2;

/** Open the database of the settings, beside a server that may be running on it. */
export async function attachDatabase(config: Config): Promise<Database> {
  return openDatabase({
    databaseUrl: config.DATABASE_URL,
    directUrl: config.DATABASE_DIRECT_URL,
    dataDir: config.DATABASE_URL ? undefined : config.DATA_DIR,
    durability: config.DURABILITY,
    statementTimeoutMs: config.STATEMENT_TIMEOUT_MS,
    maxConnections,
  });
}
