// Gives a test file a database of its own: a fresh copy of the template, gone when the test is.

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import type { Database } from '../src/database/database.ts';
import { type DatabaseOptions, openDatabase } from '../src/database/open.ts';
import { connectPrisma } from '../src/database/prisma.ts';
import { everyWorkspace } from '../src/database/reach.ts';
import { seeingEvery } from '../src/database/session-settings.ts';
import { setKeySource } from '../src/secrets/master-key.ts';
import { addressOf, onServer } from './server.ts';

export interface TestDatabase extends AsyncDisposable {
  readonly database: Database;
  /** Connections of the account that made the tables, for what the program itself may not do or see. */
  readonly owner: pg.Pool;
  /** The address of the database, for programs that a test starts beside it. */
  readonly url: string;
}

/** The master key of credentials in tests. */
export const secretsKey = 'only-for-tests-only-for-tests-only-for-tests';

/** Connections of the account of an address, which see every row. */
export function ownerOf(url: string): pg.Pool {
  const owner = new pg.Pool({ connectionString: seeingEvery(url), max: 2, allowExitOnIdle: true });
  owner.on('error', () => {});
  return owner;
}

/**
 * The same database with a Prisma that shows tests the rows of every workspace, also outside of a
 * transaction. What the program does with it is bound as ever.
 */
export async function seeingAll(database: Database): Promise<Database> {
  const { pool } = database;
  const all: pg.Pool = Object.create(pool);
  Object.assign(all, pool.showing(everyWorkspace));
  return { ...database, prisma: await connectPrisma(pool, all) };
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
  const opened = await openDatabase({ databaseUrl: url, maxConnections: 5, ...options });
  const database = await seeingAll(opened);
  const owner = ownerOf(url);
  setKeySource(database, { secretsKey, dataDir: '' });
  return {
    database,
    owner,
    url,
    async [Symbol.asyncDispose]() {
      await database.prisma.$disconnect();
      await opened.close();
      await owner.end();
      await onServer(server, `drop database if exists ${name} with (force)`);
    },
  };
}
