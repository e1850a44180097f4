// Gives a test file a database of its own: a fresh copy of the template, gone when the test is.

import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import type { Database } from '../src/database/database.ts';
import { type DatabaseOptions, openDatabase } from '../src/database/open.ts';
import { addressOf, onServer } from './server.ts';
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
  await onServer(server, `create database ${name} ${inject('copying')}`);
  const url = addressOf(server, name);
  const database = await openDatabase({ databaseUrl: url, maxConnections: 5, ...options });
  return {
    database,
    surroundings: testSurroundings(),
    url,
    async [Symbol.asyncDispose]() {
      await database.close();
      await onServer(server, `drop database if exists ${name} with (force)`);
    },
  };
}
