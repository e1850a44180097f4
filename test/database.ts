// Gives a test file a database of its own: a fresh copy of the template, gone when the test is.

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { connectPrisma } from '../src/database/connections/prisma.ts';
import { seeingEvery } from '../src/database/connections/session-settings.ts';
import { everyWorkspace } from '../src/database/connections/visible-rows.ts';
import type { Database } from '../src/database/database.ts';
import { type DatabaseOptions, openDatabase } from '../src/database/open.ts';
import { addressOf } from './server.ts';
import { type TestSurroundings, testSurroundings } from './surroundings.ts';

export interface TestDatabase extends AsyncDisposable {
  readonly database: Database;
  /** Connections of the account that made the tables, for what the program itself may not do or see. */
  readonly owner: pg.Pool;
  readonly surroundings: TestSurroundings;
  /** The address of the database, for programs that a test starts next to it. */
  readonly url: string;
}

/** Connections of the account of an address, which see every row. */
function ownerOf(url: string): pg.Pool {
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

/** Open a database that is there already, such as on a server that a test started. */
export async function openDatabaseAt(
  url: string,
  options: Omit<DatabaseOptions, 'databaseUrl' | 'dataDir'> = {},
): Promise<TestDatabase> {
  // A busy machine is no reason to fail.
  const patience = { maxConnections: 5, waitTimeoutMs: 30_000 };
  const opened = await openDatabase({ databaseUrl: url, ...patience, ...options });
  const owner = ownerOf(url);
  return {
    database: await seeingAll(opened),
    owner,
    surroundings: testSurroundings(),
    url,
    async [Symbol.asyncDispose]() {
      await opened.close();
      await owner.end();
    },
  };
}

/** Whether lineage is read from memory wherever it may be: `LINEAGE=memory npm test`. */
const inMemory = process.env.LINEAGE === 'memory';

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
  const opened = await openDatabase({
    databaseUrl: addressOf(server, name, inject('socketFolder')),
    maxConnections: 5,
    // A busy machine is no reason to fail.
    waitTimeoutMs: 30_000,
    // What it is a copy of has them all.
    migrations: null,
    // Either nothing is read from memory or everything that may be: when it is there is not left to chance.
    lineageMemory: { maxBytes: inMemory ? 64 * 1024 * 1024 : 0, waits: true },
    ...options,
  });
  const database = await seeingAll(opened);
  const url = addressOf(server, name);
  const owner = ownerOf(url);
  return {
    database,
    owner,
    surroundings: testSurroundings(),
    url,
    async [Symbol.asyncDispose]() {
      await database.prisma.$disconnect();
      await opened.close();
      await owner.end();
      await beside(`drop database if exists ${name} with (force)`);
    },
  };
}

let connections: pg.Pool | undefined;

/** Run one statement besides the databases of this process's tests, on a connection that stays for the next. */
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
