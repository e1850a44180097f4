// Gives a test file a database of its own: a fresh copy of the template, gone when the test is.

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import { type Database, type DatabaseOptions, openDatabase } from '../src/database/open.ts';
import { setKeySource } from '../src/integrations/master-key.ts';
import { addressOf, onServer } from './template.ts';

export interface TestDatabase extends AsyncDisposable {
  readonly database: Database;
  /** The address of the database, on a PostgreSQL server; for programs a test starts beside it. */
  readonly url: string | undefined;
}

/** Threads share the compiled code of a module while it is held: databases open in half the time. */
const compiled = new Set<WebAssembly.Module>();

async function compileEmbedded(): Promise<WebAssembly.Module> {
  const main = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  return WebAssembly.compile(await readFile(join(dirname(main), 'pglite.wasm')));
}

/** The master key of credentials in tests. */
export const secretsKey = 'only-for-tests-only-for-tests-only-for-tests';

/**
 * Open an empty database with every migration applied: embedded and in memory, or on the server
 * that DATABASE_URL names. `await using test = await openTestDatabase()` closes it at the end.
 */
export async function openTestDatabase(
  options: Omit<DatabaseOptions, 'databaseUrl' | 'dataDir'> = {},
): Promise<TestDatabase> {
  const template = inject('template');
  const server = process.env.DATABASE_URL;
  if (!server) {
    if (compiled.size === 0) compiled.add(await compileEmbedded());
    const database = await openDatabase({ durability: 'relaxed', archive: template, ...options });
    setKeySource(database, { secretsKey, dataDir: '' });
    return { database, url: undefined, [Symbol.asyncDispose]: () => database.close() };
  }
  const name = `headwater_test_${randomUUID().replaceAll('-', '')}`;
  await onServer(server, `create database ${name} template ${template}`);
  const url = addressOf(server, name);
  const database = await openDatabase({ databaseUrl: url, maxConnections: 5, ...options });
  setKeySource(database, { secretsKey, dataDir: '' });
  return {
    database,
    url,
    async [Symbol.asyncDispose]() {
      await database.close();
      await onServer(server, `drop database if exists ${name} with (force)`);
    },
  };
}
