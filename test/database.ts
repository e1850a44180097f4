// Gives a test file a database of its own: a fresh copy of the template, gone when the test is.

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import type { Database } from '../src/database/database.ts';
import { type DatabaseOptions, openDatabase } from '../src/database/open.ts';
import { addressOf } from './server.ts';
import { type TestSurroundings, testSurroundings } from './surroundings.ts';

export interface TestDatabase extends AsyncDisposable {
  readonly database: Database;
  readonly surroundings: TestSurroundings;
  /** The address of the database, for programs that a test starts beside it. */
  readonly url: string;
}

/**
 * Open an empty database with every migration applied, on the packaged server, or on the one that
 * DATABASE_URL names. `await using test = await openTestDatabase()` closes it at the end.
 */
export async function openTestDatabase(
  options: Omit<DatabaseOptions, 'databaseUrl' | 'dataDir'> = {},
): Promise<TestDatabase> {
  const server = inject('server');
  const name = `headwater_test_${randomUUID().replaceAll('-', '')}`;
  await beside(`create database ${name} ${inject('copying')}`);
  const database = await openDatabase({
    databaseUrl: addressOf(server, name, inject('socketFolder')),
    maxConnections: 5,
    // What it is a copy of has them all.
    migrations: null,
    ...options,
  });
  return {
    database,
    surroundings: testSurroundings(),
    url: addressOf(server, name),
    async [Symbol.asyncDispose]() {
      await database.close();
      await beside(`drop database if exists ${name} with (force)`);
    },
  };
}

let connections: pg.Pool | undefined;

/** Run one statement beside the databases of this process's tests, on a connection that stays for the next. */
async function beside(statement: string): Promise<void> {
  if (!connections) {
    const address = new URL(inject('server'));
    const connectionString = addressOf(
      address.href,
      address.pathname.slice(1),
      inject('socketFolder'),
    );
    const options = { max: 2, idleTimeoutMillis: 0, allowExitOnIdle: true };
    connections = new pg.Pool({ connectionString, ...options });
    connections.on('error', () => {});
  }
  await connections.query(statement);
}
