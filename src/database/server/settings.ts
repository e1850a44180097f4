// How the packaged server is configured.

import { availableParallelism, totalmem } from 'node:os';

/** What of the configuration depends on the settings of Headwater, and on where it runs. */
export interface ServerSettings {
  /** `relaxed` lets a power loss or a crash take the last moment's commits; nothing is ever half done. */
  readonly durability: 'full' | 'relaxed';
  /** Connections of our own pool; others, such as psql, come on top. */
  readonly maxConnections: number;
  /** The TCP port on the loopback, or null where the server listens on a socket in its folder. */
  readonly port: number | null;
}

/** Connections besides those of the pool: listening, probing, a backup, the next process, psql. */
const spareConnections = 20;

/** Machines with fewer cores gain nothing from a query that runs on several. */
const coresForParallel = 4;

const megabyte = 1024 * 1024;
/** Of what the database may keep in its own memory; it takes what it uses, and no more. */
const buffers = { least: 96, most: 512, shareOfMemory: 1 / 16 } as const;

/** What this process may take of the machine's memory, in bytes. */
function memoryOfMachine(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** How many megabytes the database may keep in its own memory on a machine with so many bytes. */
export function sharedBuffersOf(memory: number): number {
  const share = Math.floor((memory * buffers.shareOfMemory) / megabyte);
  return Math.min(buffers.most, Math.max(buffers.least, share));
}

/** `headwater.conf`, which is written at each start. */
export function configuration(settings: ServerSettings): string {
  const { durability, maxConnections, port } = settings;
  const isSmall = availableParallelism() < coresForParallel;
  const lines = [
    // Every way to the server is listed here; none leads there from another machine.
    ...(port === null
      ? ["listen_addresses = ''", "unix_socket_directories = '.'", 'unix_socket_permissions = 0700']
      : [`listen_addresses = '127.0.0.1'`, `port = ${port}`, "unix_socket_directories = ''"]),
    'ssl = off',
    `max_connections = ${Math.max(30, maxConnections + spareConnections)}`,

    'fsync = on',
    'full_page_writes = on',
    `synchronous_commit = ${durability === 'relaxed' ? 'off' : 'on'}`,

    `shared_buffers = ${sharedBuffersOf(memoryOfMachine())}MB`,
    'dynamic_shared_memory_type = mmap',
    'huge_pages = off',
    'jit = off',
    'max_wal_size = 512MB',
    // A process each for what the processes that ask can do themselves on so small a machine.
    "io_method = 'sync'",
    'max_logical_replication_workers = 0',
    ...(isSmall
      ? ['max_parallel_workers_per_gather = 0', 'max_parallel_maintenance_workers = 0']
      : []),

    "timezone = 'UTC'",
    "log_timezone = 'UTC'",
    "datestyle = 'iso, mdy'",
    "lc_messages = 'C'",
    "lc_monetary = 'C'",
    "lc_numeric = 'C'",
    "lc_time = 'C'",
    "default_text_search_config = 'pg_catalog.english'",

    // Failures of statements are shown to the one who sent them; texts may hold secrets.
    'logging_collector = off',
    'log_min_messages = log',
    'log_min_error_statement = panic',
  ];
  return `# Written by Headwater at each start. Your own settings go into postgresql.conf.\n${lines.join('\n')}\n`;
}

/** `postgresql.conf` of a new folder; no one writes to it after that but anyone who runs Headwater. */
export const ownConfiguration = `# Settings of the PostgreSQL server that Headwater runs.
# What you set below this line wins over headwater.conf, which is written again at each start.
include = 'headwater.conf'
`;

/** `pg_hba.conf`, which is written at each start: everyone needs the password of the data folder. */
export const accessRules = `# Written by Headwater at each start. Everyone needs the password.
local all all scram-sha-256
host all all 127.0.0.1/32 scram-sha-256
host all all ::1/128 scram-sha-256
`;

/** `pg_hba.conf` while a cluster is set up: anyone who may enter its folder needs no password. */
export const setUpRules = 'local all all trust\n';
