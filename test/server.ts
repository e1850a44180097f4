// Starts the PostgreSQL server that the tests work on: the packaged one, or the one that DATABASE_URL names.

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../scripts/free-port.mjs';
import { seeingEvery } from '../src/database/connections/session-settings.ts';
import { openDatabase } from '../src/database/open.ts';
import { startChild } from '../src/database/server/child.ts';
import { initCluster } from '../src/database/server/initdb.ts';
import { linkLibraries } from '../src/database/server/libraries.ts';
import { initdbAccount } from '../src/database/server/os-account.ts';
import { packagedPrograms } from '../src/database/server/programs.ts';
import { superuser } from '../src/database/server/superuser.ts';

export interface PreparedServer extends AsyncDisposable {
  /** Its address, as an account that may do everything. */
  readonly url: string;
  /** The folder of its socket, which is half as dear as the loopback; '' where it is on another machine. */
  readonly socketFolder: string;
  /** The name of a database with every migration applied. */
  readonly template: string;
  /** What follows `create database NAME` for a copy of that. */
  readonly copying: string;
}

/** A server with a template on it, for as long as the tests run. */
export async function prepareServer(): Promise<PreparedServer> {
  const given = process.env.DATABASE_URL;
  const server = given
    ? { url: given, socketFolder: '', stop: async () => {} }
    : await startPackaged();
  const template = await makeTemplate(server.url);
  return {
    url: server.url,
    socketFolder: server.socketFolder,
    template,
    copying: `template ${template}${await strategy(server.url)}`,
    async [Symbol.asyncDispose]() {
      if (given) await onServer(given, `drop database if exists ${template} with (force)`);
      await server.stop();
    },
  };
}

// The server ends with the tests: nothing of it needs to survive a power loss.
const settings = (port: number, socketFolder: string) => `
listen_addresses = '127.0.0.1'
port = ${port}
unix_socket_directories = '${socketFolder}'
max_connections = 200
shared_buffers = 128MB
dynamic_shared_memory_type = mmap
max_parallel_workers_per_gather = 0
jit = off
io_method = 'sync'
timezone = 'UTC'
fsync = off
synchronous_commit = off
full_page_writes = off
wal_level = minimal
max_wal_size = 256MB
max_wal_senders = 0
autovacuum = off
log_min_messages = fatal
`;

/** The packaged server on a cluster of its own, in a temporary folder and on a free port. */
async function startPackaged(): Promise<
  Pick<PreparedServer, 'url' | 'socketFolder'> & { stop(): Promise<void> }
> {
  linkLibraries();
  const programs = packagedPrograms();
  const parent = mkdtempSync(join(tmpdir(), 'headwater-test-'));
  const account = initdbAccount(programs, tmpdir());
  const port = await freePort();
  const cluster = initCluster(programs, account, parent, settings(port, parent));
  const logFile = join(parent, 'log');
  const child = await startChild({ programs, account, cluster, logFile, descriptor: 'ignore' });
  const url = `postgresql://${superuser}@127.0.0.1:${port}/postgres`;
  // As the packaged server is set up, but no matter whom a test logs in as: imports leave out checks of keys that they proved.
  await asGiven(url, 'grant set on parameter session_replication_role to public');
  return {
    url,
    socketFolder: parent,
    async stop() {
      await child.stop();
      rmSync(parent, { recursive: true, force: true });
    },
  };
}

async function makeTemplate(url: string): Promise<string> {
  const name = `headwater_template_${randomUUID().replaceAll('-', '')}`;
  // Each database is a copy, and each copy is of as many files as this one has.
  await onServer(url, `create database ${name} template template0 encoding 'UTF8' lc_collate 'C'`);
  const database = await openDatabase({ databaseUrl: addressOf(url, name), maxConnections: 1 });
  await database.close();
  return name;
}

/** Files copied as they are, rather than page by page through the log; as before PostgreSQL 15. */
async function strategy(url: string): Promise<string> {
  const [{ version = 0 } = {}] = await onServer<{ version: number }>(
    url,
    "select current_setting('server_version_num')::int as version",
  );
  return version >= 150_000 ? ' strategy file_copy' : '';
}

/** The address of another database on the same server; by its socket, where a folder of that is given. */
export function addressOf(url: string, database: string, socketFolder = ''): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  if (socketFolder !== '') address.searchParams.set('host', socketFolder);
  return address.href;
}

/** Run one statement on a connection of its own: besides all others, or on no test's database at all. */
export async function onServer<Row extends object = Record<string, unknown>>(
  url: string,
  statement: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return asGiven<Row>(seeingEvery(url), statement, values);
}

/** The same at an address as it is: where policies bind its account, it sees the rows of no workspace. */
export async function asGiven<Row extends object = Record<string, unknown>>(
  url: string,
  statement: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(statement, values)).rows;
  } finally {
    await client.end();
  }
}
