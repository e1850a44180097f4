// Runs a command besides a PostgreSQL server of its own: `node scripts/postgres.mjs npm test`.
//
// The server lives in a temporary folder, listens on a free loopback port, belongs to a user without
// rights and ends with the command. The command finds it in DATABASE_URL.

import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.mjs';

const [command, ...args] = process.argv.slice(2);
if (command === undefined) {
  console.error('Usage: node scripts/postgres.mjs <command> [arguments]');
  process.exit(2);
}

const programs = findPrograms();
// PostgreSQL refuses to run as root.
const owner = process.getuid?.() === 0 ? accountOf('postgres', 'nobody') : {};
const folder = mkdtempSync(join(tmpdir(), 'headwater-postgres-'));
let server;
let child;

process.exitCode = await main();

async function main() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child?.kill(signal));
  try {
    const url = await startServer();
    child = spawn(command, args, {
      stdio: 'inherit',
      env: { ...process.env, DATABASE_URL: url },
      shell: process.platform === 'win32',
    });
    return await exitCodeOf(child);
  } finally {
    await stopServer();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Create a cluster, start it and wait until it answers; returns the address of its database. */
async function startServer() {
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  const options = { ...owner, cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] };
  const locale = ['--encoding=UTF8', '--locale=C.UTF-8'];
  execFileSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'headwater', '-A', 'trust', '--no-sync', ...locale],
    options,
  );
  const port = await freePort();
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    `unix_socket_directories=${folder}`,
    'max_connections=200',
    // The server ends with the command: nothing of it needs to survive a power loss.
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
  ].flatMap((setting) => ['-c', setting]);
  server = spawn(join(programs, 'postgres'), ['-D', data, ...settings], {
    ...options,
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  const stopped = exitCodeOf(server);
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (isReady(port)) return `postgresql://headwater@127.0.0.1:${port}/postgres`;
    await Promise.race([sleep(100), stopped]);
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode}.`);
  }
  throw new Error('PostgreSQL did not answer within 30 s.');
}

function isReady(port) {
  try {
    execFileSync(join(programs, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)]);
    return true;
  } catch {
    return false;
  }
}

/** SIGINT is PostgreSQL's fast shutdown: open connections are ended. */
async function stopServer() {
  if (server === undefined || server.exitCode !== null) return;
  const stopped = exitCodeOf(server);
  server.kill('SIGINT');
  const late = setTimeout(() => server.kill('SIGKILL'), 20_000);
  await stopped;
  clearTimeout(late);
}

function exitCodeOf(process) {
  return new Promise((resolve, reject) => {
    process.once('error', reject);
    process.once('exit', (code) => resolve(code ?? 1));
  });
}

/** The newest server under the usual folders, else the one on the PATH. */
function findPrograms() {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const candidates = [
    ...versions.map((version) => join(root, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  const found = candidates.find((candidate) => existsSync(join(candidate, 'initdb')));
  if (found !== undefined) return found;
  console.error('No PostgreSQL server is installed here: initdb was not found.');
  return process.exit(2);
}

function accountOf(...names) {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of names) {
    const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(':');
    if (fields !== undefined) return { uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  throw new Error(`There is no account to run PostgreSQL as: ${names.join(', ')}.`);
}
