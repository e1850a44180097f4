// Makes the database with every migration applied that test databases are copies of.

import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { readMigrations } from '../src/database/migrate.ts';
import { openDatabase } from '../src/database/open.ts';
import { makeTemplate } from '../src/database/template.ts';

export interface Template extends AsyncDisposable {
  /** The path of a tar for the embedded database; the name of a database on a PostgreSQL server. */
  name: string;
}

const cache = fileURLToPath(new URL('../node_modules/.cache/headwater/', import.meta.url));

/** On DATABASE_URL's server when it is set, else as a tar that is kept until a migration changes. */
export async function prepareTemplate(): Promise<Template> {
  const url = process.env.DATABASE_URL;
  return url ? makeOnServer(url) : makeArchive();
}

async function makeArchive(): Promise<Template> {
  return { name: await templateArchive(), [Symbol.asyncDispose]: async () => {} };
}

/** The path of a tar that an embedded database in memory can start from. */
export function templateArchive(): Promise<string> {
  return cached('tar', async (path) => {
    const database = await openDatabase({ durability: 'relaxed' });
    // PostgreSQL's own two templates are two thirds of a new database, copied for nothing.
    await database.pool.query(`update pg_database set datistemplate = false`);
    for (const name of ['template0', 'template1'])
      await database.pool.query(`drop database ${name}`);
    await database.pool.query('checkpoint');
    const bytes = await database.archive();
    await database.close();
    await writeFile(path, bytes);
  });
}

/** The path of a folder that an embedded database on disk can start as a copy of. */
export function templateFolder(): Promise<string> {
  return cached('folder', makeTemplate);
}

/** Make something once and keep it until a migration changes. */
async function cached(kind: string, make: (path: string) => Promise<void>): Promise<string> {
  const path = `${cache}template-${await fingerprint()}.${kind}`;
  if (existsSync(path)) return path;
  await mkdir(cache, { recursive: true });
  // Two processes may make it at once: each its own, and the first one stays.
  const unfinished = `${path}.${randomUUID()}`;
  await make(unfinished);
  await rename(unfinished, path).catch(async (error: unknown) => {
    if (!existsSync(path)) throw error;
    await rm(unfinished, { recursive: true, force: true });
  });
  return path;
}

async function fingerprint(): Promise<string> {
  const migrations = await readMigrations();
  const pglite = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const hash = createHash('sha256').update(await readFile(pglite));
  hash.update(await readFile(fileURLToPath(import.meta.url)));
  for (const { name, checksum } of migrations) hash.update(`${name}\n${checksum}\n`);
  return hash.digest('hex').slice(0, 16);
}

async function makeOnServer(url: string): Promise<Template> {
  const name = `headwater_template_${randomUUID().replaceAll('-', '')}`;
  await onServer(url, `create database ${name} template template0 encoding 'UTF8' lc_collate 'C'`);
  const database = await openDatabase({ databaseUrl: addressOf(url, name), maxConnections: 1 });
  await database.close();
  return {
    name,
    [Symbol.asyncDispose]: () => onServer(url, `drop database if exists ${name} with (force)`),
  };
}

/** The address of another database on the same server. */
export function addressOf(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}

/** Run one statement beside the databases of the tests, such as the creation of one. */
export async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  // A connection that breaks fails its statement, and must not end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
