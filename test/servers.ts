// Database servers that tests measure and read: each of its own, gone with the test file.

import { execFileSync, spawn } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import pg from 'pg';
import { freePort } from '../scripts/free-port.mjs';

/** A server on the loopback, with an account that may do everything. */
export interface TestServer extends AsyncDisposable {
  readonly host: '127.0.0.1';
  readonly port: number;
  /** Run a script as the account that may do everything; rows of the last statement. */
  run(script: string, database?: string): Promise<unknown[]>;
}

/** Start a PostgreSQL server that counts queries; null where none is installed. */
export async function startPostgres(more: readonly string[] = []): Promise<TestServer | null> {
  const initdb = findProgram('initdb', postgresFolders());
  const postgres = findProgram('postgres', postgresFolders());
  if (!initdb || !postgres) return null;
  const place = openPlace('postgres');
  const data = join(place.folder, 'data');
  const locale = ['--encoding=UTF8', '--locale=C.UTF-8'];
  execFileSync(initdb, ['-D', data, '-U', 'owner', '-A', 'trust', '--no-sync', ...locale], {
    ...place.owner,
    cwd: place.folder,
    stdio: 'ignore',
  });
  return servePostgres(place, postgres, ['shared_preload_libraries=pg_stat_statements', ...more]);
}

/** Run PostgreSQL on the cluster in a place, on a free port. */
async function servePostgres(
  place: ReturnType<typeof openPlace>,
  postgres: string,
  more: readonly string[],
): Promise<TestServer> {
  const port = await freePort();
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    `unix_socket_directories=${place.folder}`,
    'fsync=off',
    ...more,
  ].flatMap((setting) => ['-c', setting]);
  const run = (script: string, database = 'postgres') => askOwner({ port, database }, script);
  const options = ['-D', join(place.folder, 'data'), ...settings];
  return serve(place, postgres, options, 'SIGINT', { port, run });
}

/**
 * Start a standby that streams from a server of a test; null where PostgreSQL is not installed. Settings
 * such as `recovery_min_apply_delay=300ms` make it a slow one.
 */
export async function startStandby(
  primary: TestServer,
  more: readonly string[] = [],
): Promise<(TestServer & { kill(): Promise<void> }) | null> {
  const basebackup = findProgram('pg_basebackup', postgresFolders());
  const postgres = findProgram('postgres', postgresFolders());
  if (!basebackup || !postgres) return null;
  const place = openPlace('standby');
  const data = join(place.folder, 'data');
  const from = ['-h', primary.host, '-p', String(primary.port), '-U', 'owner'];
  execFileSync(basebackup, ['-D', data, ...from, '-R', '--checkpoint=fast', '--no-sync'], {
    ...place.owner,
    cwd: place.folder,
    stdio: 'ignore',
  });
  const server = await servePostgres(place, postgres, ['hot_standby_feedback=on', ...more]);
  const kill = async () => {
    const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    process.kill(pid, 'SIGQUIT');
    while (existsSync(join(data, 'postmaster.pid'))) await sleep(50);
  };
  return { ...server, kill };
}

/** Run a script on a PostgreSQL server of a test, as the account that may do everything. */
export async function askOwner(
  where: { readonly port: number; readonly database: string },
  script: string,
): Promise<unknown[]> {
  const login = { host: '127.0.0.1', user: 'owner', connectionTimeoutMillis: 2_000 };
  const client = new pg.Client({ ...login, ...where });
  client.on('error', () => {});
  await client.connect();
  try {
    const result: unknown = await client.query(script);
    const last: unknown = Array.isArray(result) ? result.at(-1) : result;
    return last instanceof pg.Result ? last.rows : [];
  } finally {
    await client.end();
  }
}

/** Start a MariaDB server; null where none is installed. */
export async function startMariaDb(more: readonly string[] = []): Promise<TestServer | null> {
  const mariadbd = findProgram('mariadbd', ['/usr/sbin', '/usr/libexec']);
  const install = findProgram('mariadb-install-db', ['/usr/bin']);
  if (!mariadbd || !install) return null;
  const place = openPlace('mariadb');
  const data = join(place.folder, 'data');
  execFileSync(
    install,
    ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal'],
    { ...place.owner, cwd: place.folder, stdio: 'ignore' },
  );
  const port = await freePort();
  const settings = [
    '--no-defaults',
    `--datadir=${data}`,
    '--bind-address=127.0.0.1',
    `--port=${port}`,
    `--socket=${join(place.folder, 'socket')}`,
    '--innodb-buffer-pool-size=16M',
    '--innodb-flush-log-at-trx-commit=0',
    '--performance-schema=ON',
    '--secure-file-priv=',
    ...more,
  ];
  const run = async (script: string, database?: string) => {
    const login = { host: '127.0.0.1', port, user: 'root', ...(database ? { database } : {}) };
    const connection = await createConnection({ ...login, multipleStatements: true });
    try {
      const [rows] = await connection.query(script);
      return Array.isArray(rows) ? rows : [];
    } finally {
      await connection.end();
    }
  };
  const server = await serve(place, mariadbd, settings, 'SIGTERM', { port, run });
  // A new server has accounts without a name, which would stand before those of a test, and lets all write to `test`.
  await run(
    `delete from mysql.global_priv where user = ''; delete from mysql.db where db like 'test%';
     flush privileges`,
  );
  return server;
}

/**
 * Start PgBouncer in transaction mode in front of a server; null where it is not installed. It hands
 * connections on as they come, so that two statements of a client seldom share one.
 */
export async function startPgBouncer(server: string): Promise<TestServer | null> {
  const program = findProgram('pgbouncer', ['/usr/sbin']);
  if (!program) return null;
  const place = openPlace('pgbouncer');
  const port = await freePort();
  const { hostname, port: serverPort, username } = new URL(server);
  const file = join(place.folder, 'pgbouncer.ini');
  const settings = [
    '[databases]',
    `* = host=${hostname} port=${serverPort} user=${username}`,
    '[pgbouncer]',
    ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir ='],
    ...['auth_type = any', 'pool_mode = transaction', 'server_round_robin = 1'],
    ...['default_pool_size = 8', 'max_client_conn = 200', 'log_connections = 0'],
    ...['log_disconnections = 0', 'server_fast_close = 1'],
  ];
  writeFileSync(file, `${settings.join('\n')}\n`, { mode: 0o644 });
  const run = async (script: string, database = 'postgres') => {
    const client = new pg.Client({ host: '127.0.0.1', port, user: username, database });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query(script)).rows;
    } finally {
      await client.end();
    }
  };
  return serve(place, program, ['-q', file], 'SIGINT', { port, run });
}

/** A folder of a server, and who owns it. */
export interface Place {
  readonly folder: string;
  /** Servers refuse to run as root. */
  readonly owner: { uid?: number; gid?: number };
}

/** Make a folder that a server may have as its own. */
export function openPlace(name: string): Place {
  const owner = process.getuid?.() === 0 ? accountOf('postgres', 'mysql', 'nobody') : {};
  const folder = mkdtempSync(join(tmpdir(), `headwater-${name}-`));
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid);
  return { folder, owner };
}

async function serve(
  { folder, owner }: Place,
  program: string,
  args: string[],
  stopSignal: 'SIGINT' | 'SIGTERM',
  { port, run }: Pick<TestServer, 'port' | 'run'>,
): Promise<TestServer> {
  const server = spawn(program, args, { ...owner, cwd: folder, stdio: 'ignore' });
  const stopped = new Promise((resolve) => server.once('exit', resolve));
  const stop = async () => {
    server.kill(stopSignal);
    const late = setTimeout(() => server.kill('SIGKILL'), 20_000);
    await stopped;
    clearTimeout(late);
    rmSync(folder, { recursive: true, force: true });
  };
  for (let attempt = 0; ; attempt += 1) {
    const answer = await run('select 1').catch((error: unknown) => error);
    if (!(answer instanceof Error)) break;
    if (server.exitCode !== null || attempt > 300) {
      await stop();
      throw new Error(`${program} did not start: ${answer.message}`);
    }
    await sleep(100);
  }
  return { host: '127.0.0.1', port, run, [Symbol.asyncDispose]: stop };
}

/** The path of a program of PostgreSQL, such as pg_dump; undefined where none is installed. */
export function postgresProgram(name: string): string | undefined {
  return findProgram(name, postgresFolders());
}

function postgresFolders(): string[] {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  return versions.map((version) => join(root, version, 'bin'));
}

function findProgram(name: string, folders: readonly string[]): string | undefined {
  return [...folders, ...(process.env.PATH ?? '').split(delimiter)]
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

function accountOf(...names: string[]): Place['owner'] {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  const fields = names
    .map((name) => lines.find((line) => line.startsWith(`${name}:`))?.split(':'))
    .find((found) => found !== undefined);
  return fields ? { uid: Number(fields[2]), gid: Number(fields[3]) } : {};
}
