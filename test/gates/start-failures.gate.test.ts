// A start that can't succeed ends with code 1 and says what is wrong, where, and what to do.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../scripts/free-port.mjs';
import { type Cluster, openCluster } from '../cluster.ts';
import { type Started, startProgram } from '../started.ts';

/** A place to start in. */
interface Environment {
  readonly name: string;
  readonly env: () => Readonly<Record<string, string>>;
  /** Run in a shell before the server, in a namespace of mounts of its own. */
  readonly prepare?: string;
  /** What it has to say, without line breaks. */
  readonly says: () => string | RegExp;
}

let folder: string;
let cluster: Cluster | null = null;
let taken: Server;
let takenPort = '';
let nobodyPort = 0;
const late: Started[] = [];

const addressOf = (login: string, database = 'postgres') =>
  `postgresql://${login}@127.0.0.1:${cluster?.port}/${database}`;
const place = () => `The database at 127.0.0.1:${cluster?.port} (DATABASE_URL)`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-failures-'));
  writeFileSync(join(folder, 'a-file'), '');
  taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const bound = taken.address();
  takenPort = typeof bound === 'object' ? String(bound?.port) : '';
  nobodyPort = await freePort();
  cluster = await openCluster(['host all guarded 127.0.0.1/32 scram-sha-256']);
  cluster?.launch();
  await cluster?.answers();
  await cluster?.run(`create role guarded login password 'right'; create role plain login;
    create role half login; create role whole login`);
  for (const name of ['free', 'half', 'whole', 'others', 'tokyo', 'filled']) {
    await cluster?.run(`create database ${name}`);
  }
  await cluster?.run('grant create on schema public to half', 'half');
  await cluster?.run('create table job (id int)', 'others');
  await cluster?.run(`alter database tokyo set timezone = 'Asia/Tokyo'`);
  // These wait for half a minute, as a start does that comes before its database.
  late.push(begin({ DATABASE_URL: `postgresql://me:secret@127.0.0.1:${nobodyPort}/x` }));
  late.push(begin({ DATABASE_URL: 'postgresql://me:secret@database.invalid/x' }));
}, 120_000);

afterAll(async () => {
  for (const started of late) await started.stop('SIGKILL');
  await new Promise((resolve) => taken.close(resolve));
  await cluster?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

let begun = 0;

function begin(env: Readonly<Record<string, string>>, prepare?: string): Started {
  begun += 1;
  const DATA_DIR = join(folder, `data-${begun}`);
  const database: Record<string, string> = cluster
    ? { DATABASE_URL: addressOf('owner', 'free') }
    : {};
  const all = { DATA_DIR, ...database, ...env };
  if (prepare === undefined) return startProgram(process.execPath, ['scripts/start.mjs'], all);
  const script = `${prepare} && exec "$0" scripts/start.mjs`;
  return startProgram('unshare', ['--mount', 'sh', '-c', script, process.execPath], all);
}

const canMount = spawnSync('unshare', ['--mount', 'true']).status === 0;

const settings: readonly Environment[] = [
  {
    name: 'an address that is none',
    env: () => ({ DATABASE_URL: 'postgresql://[' }),
    says: () =>
      'DATABASE_URL=(not shown): it is an address such as postgresql://user:password@host:5432/database',
  },
  {
    name: 'a port that is taken',
    env: () => ({ PORT: takenPort }),
    says: () => `Port ${takenPort} on 127.0.0.1 is taken; set PORT to another one.`,
  },
  {
    name: 'an address of another machine',
    env: () => ({ HOST: '203.0.113.7' }),
    says: () => '203.0.113.7 is not an address of this machine; set HOST to one that is.',
  },
  {
    name: 'a host name that is not known',
    env: () => ({ HOST: 'nowhere.invalid' }),
    says: () => /^The name nowhere\.invalid (is not known|can't be looked up); set HOST/,
  },
  {
    name: 'a data folder that is a file',
    env: () => ({ DATA_DIR: join(folder, 'a-file') }),
    says: () =>
      `DATA_DIR can't be used: ${folder}/a-file is not a folder. Set DATA_DIR to a folder that the server may write to.`,
  },
  {
    name: 'a data folder below a file',
    env: () => ({ DATA_DIR: join(folder, 'a-file', 'data') }),
    says: () => `DATA_DIR can't be used: ${folder}/a-file is not a folder.`,
  },
  {
    name: 'a data folder in /proc',
    env: () => ({ DATA_DIR: '/proc/nope' }),
    says: () => "DATA_DIR can't be used: /proc/nope can't be made.",
  },
];

const databases: readonly Environment[] = [
  {
    name: 'no such database',
    env: () => ({ DATABASE_URL: addressOf('owner', 'nothere') }),
    says: () =>
      `${place()} can't be used: database "nothere" does not exist. Make it (create database "nothere"), or name another one in DATABASE_URL.`,
  },
  {
    name: 'no such role',
    env: () => ({ DATABASE_URL: addressOf('nobody') }),
    says: () =>
      `${place()} can't be used: role "nobody" does not exist. Check the user nobody and the password in DATABASE_URL.`,
  },
  {
    name: 'a wrong password',
    env: () => ({ DATABASE_URL: addressOf('guarded:secret') }),
    says: () =>
      `${place()} can't be used: password authentication failed for user "guarded". Check the user guarded and the password`,
  },
  {
    name: 'no password',
    env: () => ({ DATABASE_URL: addressOf('guarded') }),
    says: () => /can't be used: .*password.* Check the user guarded and the password/,
  },
  {
    name: 'TLS that the server does not speak',
    env: () => ({ DATABASE_URL: `${addressOf('owner', 'free')}?sslmode=require` }),
    says: () => /does not support SSL connections\. Set sslmode in DATABASE_URL/,
  },
  {
    name: 'a user who may not create tables',
    env: () => ({ DATABASE_URL: addressOf('plain', 'free') }),
    says: () =>
      `${place()} can't be used: permission denied for schema public. A superuser allows it: grant create on database "free" to "plain";`,
  },
  {
    name: 'a user who may not create extensions',
    env: () => ({ DATABASE_URL: addressOf('half', 'half') }),
    says: () => /can't be used: permission denied to create extension "pg_trgm"\. A superuser/,
  },
  {
    name: 'the database of another program',
    env: () => ({ DATABASE_URL: addressOf('owner', 'others') }),
    says: () =>
      `${place()} can't be used: relation "job" already exists. Another program uses it; name an empty database in DATABASE_URL.`,
  },
];

const mounts: readonly Environment[] = [
  {
    name: 'a data folder that can only be read',
    env: () => ({}),
    prepare: 'mkdir "$DATA_DIR" && mount -t tmpfs -o ro none "$DATA_DIR"',
    says: () => /^DATA_DIR can't be used: \S+ is on a file system that can only be read\. Set/,
  },
  {
    name: 'a data folder to be made on a file system that can only be read',
    env: () => ({ DATA_DIR: join(folder, 'a-mount', 'data') }),
    prepare: `mkdir ${'"$(dirname "$DATA_DIR")"'} && mount -t tmpfs -o ro none "$(dirname "$DATA_DIR")"`,
    says: () => /^DATA_DIR can't be used: \S+ is on a file system that can only be read\. Set/,
  },
  {
    name: 'no room in the data folder',
    env: () => ({ DATABASE_URL: addressOf('owner', 'filled') }),
    prepare:
      'mkdir "$DATA_DIR" && mount -t tmpfs -o size=8k none "$DATA_DIR"; cat /dev/zero 2>/dev/null > "$DATA_DIR/filler"; true',
    says: () => /DATA_DIR can't be used: .* finds no room left on its disk\. Make room/,
  },
  {
    name: 'too few open files',
    env: () => ({}),
    prepare: 'ulimit -n 26',
    says: () => 'The server may open 26 files at once, which are too few; allow it 1024',
  },
];

async function expectFailure(started: Started, says: string | RegExp): Promise<void> {
  expect(await started.ended).toBe(1);
  const said = started.output();
  if (typeof says === 'string') expect(said).toContain(says);
  else expect(said).toMatch(says);
  // One sentence or two, never the inside of the program.
  expect(said).not.toMatch(/^ +at /m);
  expect(said).not.toContain('secret');
}

describe('a start is refused', () => {
  test.for(settings)('for $name', async ({ env, says }) => {
    await expectFailure(begin(env()), says());
  });

  test.for(databases)('for $name', async ({ env, says }, { skip }) => {
    if (!cluster) return skip('No PostgreSQL server is installed here.');
    await expectFailure(begin(env()), says());
  });

  test.for(mounts)('for $name', async ({ env, prepare, says }, { skip }) => {
    if (!cluster || !canMount) return skip('It needs PostgreSQL, `unshare`, and rights to mount.');
    await expectFailure(begin(env(), prepare), says());
  });

  test('after half a minute for a server that is not there, or whose name is not known', async () => {
    const [absent, unknown] = late;
    if (!absent || !unknown) throw new Error('They were not started.');
    const where = `127.0.0.1:${nobodyPort} (DATABASE_URL)`;
    await expectFailure(
      absent,
      `The database at ${where} did not answer within 30 s: nothing listens there. Start it, or correct DATABASE_URL.`,
    );
    expect(absent.output()).toContain(`The database at ${where} does not answer; trying again`);
    await expectFailure(unknown, /database\.invalid:5432 .* did not answer within 30 s: the name/);
  });
});

describe('a start succeeds', () => {
  test('with the rights that the refusal asks for', async ({ skip }) => {
    if (!cluster) return skip('No PostgreSQL server is installed here.');
    await cluster.run('grant create on database whole to whole');
    await cluster.run('grant create on schema public to whole', 'whole');
    await cluster.run('create extension if not exists pg_trgm', 'whole');
    const started = begin({ DATABASE_URL: addressOf('whole', 'whole') });
    await started.ready();
    expect(await started.stop()).toBe(0);
  });

  test('on a database in another time zone, with the right times', async ({ skip }) => {
    if (!cluster) return skip('No PostgreSQL server is installed here.');
    const began = Date.now();
    const started = begin({ DATABASE_URL: addressOf('owner', 'tokyo') });
    await started.ready();
    expect(await started.stop()).toBe(0);
    const [row] = await cluster.run(
      `select extract(epoch from min(created_at))::float8 as at from workspace`,
      'tokyo',
    );
    const at = typeof row === 'object' && row !== null && 'at' in row ? Number(row.at) : 0;
    expect(at * 1_000).toBeGreaterThan(began - 60_000);
    expect(at * 1_000).toBeLessThan(Date.now() + 60_000);
  });
});
