// The packaged server on a data folder: what a person who runs Headwater relies on.

import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { attach, packagedUrl } from '../../../src/database/attach.ts';
import { functionsOfIndexes } from '../../../src/database/leakproof.ts';
import { type DatabaseOptions, openDatabase } from '../../../src/database/open.ts';
import { serverAccount } from '../../../src/database/server/os-account.ts';
import { packagedPrograms } from '../../../src/database/server/programs.ts';
import { role } from '../../../src/database/server/set-up.ts';
import { runAsSuperuser } from '../../../src/database/server/superuser.ts';
import { seeingAll } from '../../database.ts';
import { asGiven, onServer } from '../../server.ts';
import { startProgram } from '../program.ts';
import { killUnderWrites, ways } from './kills.ts';
import { killIfThere, openPlace, type Place } from './place.ts';

// Whole databases are made here, and processes started.
vi.setConfig({ testTimeout: 120_000 });

async function openAt(dataDir: string, options: DatabaseOptions = {}) {
  const database = await seeingAll(await openDatabase({ dataDir, ...options }));
  return Object.assign(database, { [Symbol.asyncDispose]: () => database.close() });
}

async function ask(url: string, statement: string): Promise<unknown> {
  return Object.values((await onServer(url, statement))[0] ?? {})[0];
}

test('what was written is there at the next start, and no one else may read any file of it', async () => {
  await using place = openPlace();
  {
    await using database = await openAt(place.dataDir);
    await database.prisma.setting.create({ data: { name: 'a', value: 'kept' } });
    const entries = readdirSync(place.dataDir, { recursive: true, encoding: 'utf8' });
    const open = [place.dataDir, ...entries.map((name) => join(place.dataDir, name))].filter(
      (path) => (lstatSync(path).mode & 0o077) !== 0 && !lstatSync(path).isSocket(),
    );
    expect(entries.length).toBeGreaterThan(300);
    expect(open).toEqual([]);
  }
  await using again = await openAt(place.dataDir);
  expect(await again.prisma.setting.findMany()).toEqual([{ name: 'a', value: 'kept' }]);
  expect(place.servers().length).toBeGreaterThan(0);
});

test('a key has no more connections than there are processors, which the server shares with everybody', async () => {
  await using place = openPlace();
  const most = async (options: DatabaseOptions) => {
    await using database = await openAt(place.dataDir, options);
    return database.connectionsPerKey;
  };
  expect(await most({ maxConnections: 200 })).toBe(
    Math.min(100, Math.max(2, availableParallelism())),
  );
  expect(await most({ maxConnections: 3 })).toBe(1);
});

test('a stop leaves no process behind', async () => {
  await using place = openPlace();
  const database = await openAt(place.dataDir);
  await database.close();
  expect(place.servers()).toEqual([]);
  // They end by themselves once the server has.
  await expect.poll(() => place.watchers()).toEqual([]);
});

test('a second process is refused and told who has the folder; programs next to it get in', async () => {
  await using place = openPlace();
  await using database = await openAt(place.dataDir);
  await expect(openDatabase({ dataDir: place.dataDir })).rejects.toThrow(
    `in use by process ${process.pid} on ${hostname()}`,
  );
  const placeOf = { databaseUrl: undefined, dataDir: place.dataDir, onNotice() {} };
  await using attached = await attach(placeOf);
  await database.prisma.setting.create({ data: { name: 'seen', value: 'by both' } });
  expect(await ask(attached.url, 'select value from setting')).toBe('by both');
});

test('a program can reach the database while Headwater does not run, and stops it after', async () => {
  await using place = openPlace();
  await (await openAt(place.dataDir)).close();
  {
    const placeOf = { databaseUrl: undefined, dataDir: place.dataDir, onNotice() {} };
    await using attached = await attach(placeOf);
    expect(await ask(attached.url, 'select count(*)::int from setting')).toBe(0);
  }
  expect(place.servers()).toEqual([]);
});

test('the account is bound by policies, and what only a superuser sets up is there, in older folders as well', async () => {
  await using place = openPlace();
  const notices: string[] = [];
  const options = { onNotice: (notice: string) => notices.push(notice) };
  const access = join(place.dataDir, 'postgres-access.json');
  const look = async () => {
    await using database = await openAt(place.dataDir, options);
    await database.prisma.$executeRaw`insert into workspace (name) values ('One')`;
    const url = packagedUrl(place.dataDir);
    const count = 'select count(*)::int from workspace';
    const [bound] = await asGiven<{ count: number }>(url, count);
    const marked = `select count(*)::int from pg_proc where proleakproof and proname in ('textlike', 'arrayoverlap')`;
    const granted = `select has_parameter_privilege('session_replication_role', 'set')::int as count`;
    return [bound?.count, await ask(url, count), await ask(url, marked), await ask(url, granted)];
  };
  expect(await look()).toEqual([0, 1, 2, 1]);
  // A folder of before there was anything to set up: it is done at the next start, once.
  const { setUp, ...older } = JSON.parse(readFileSync(access, 'utf8'));
  expect(setUp).toHaveLength(functionsOfIndexes.length + 1);
  const undo = [
    ...functionsOfIndexes.map((name) => `alter function ${name} not leakproof`),
    `revoke set on parameter session_replication_role from ${role}`,
  ];
  const programs = packagedPrograms();
  const account = serverAccount(programs, place.cluster);
  const logFile = join(place.dataDir, 'postgres.log');
  const run = { programs, account, cluster: place.cluster, logFile, descriptor: 'ignore' } as const;
  await runAsSuperuser(run, undo);
  writeFileSync(access, JSON.stringify(older));
  expect(await look()).toEqual([0, 2, 2, 1]);
  expect(notices).toEqual([]);
});

test('no one gets in without the password, and the superuser not at all', async () => {
  await using place = openPlace();
  await using _database = await openAt(place.dataDir);
  const url = packagedUrl(place.dataDir);
  expect(await ask(url, 'select current_user')).toBe('headwater');
  expect(await ask(url, 'select rolsuper from pg_roles where rolname = current_user')).toBe(false);
  const other = new URL(url);
  other.password = 'guessed';
  await expect(ask(other.href, 'select 1')).rejects.toThrow('password authentication failed');
  other.username = 'postgres';
  await expect(ask(other.href, 'select 1')).rejects.toThrow('password authentication failed');
});

test('below a path too long for a socket it is reached by a port, with the same password', async () => {
  await using place = openPlace();
  const deep = join(place.dataDir, 'a'.repeat(60), 'b'.repeat(60));
  await using database = await openAt(deep);
  await database.prisma.setting.create({ data: { name: 'a', value: 'deep' } });
  const url = packagedUrl(deep);
  expect(url).toMatch(/@127\.0\.0\.1:\d+\/headwater$/);
  expect(await ask(url, 'select value from setting')).toBe('deep');
  await expect(openDatabase({ dataDir: deep })).rejects.toThrow('in use by process');
  const other = new URL(url);
  other.password = 'guessed';
  await expect(ask(other.href, 'select 1')).rejects.toThrow('password authentication failed');
});

test('every commit is flushed to the disk; relaxed gives up that, and nothing else', async () => {
  await using place = openPlace();
  const names = ['fsync', 'full_page_writes', 'data_checksums', 'synchronous_commit'];
  const shown = async (durability: 'full' | 'relaxed') => {
    await using database = await openAt(place.dataDir, { durability });
    const { rows } = await database.pool.query(
      `select setting from unnest($1::text[]) with ordinality as wanted (name, n)
        join pg_settings using (name) order by n`,
      [names],
    );
    return rows.map(({ setting }) => setting);
  };
  expect(await shown('full')).toEqual(['on', 'on', 'on', 'on']);
  expect(await shown('relaxed')).toEqual(['on', 'on', 'on', 'off']);
});

for (const way of ways) {
  test(`kill -9 of ${way} under writes loses nothing, and the next start succeeds at once`, async () => {
    await using place = openPlace();
    const { acknowledged } = await killUnderWrites(place, way, 40);
    expect(acknowledged).toBeGreaterThanOrEqual(40);
  });
}

test('a server that is killed is started again, and who waits for it gets in', async () => {
  await using place = openPlace();
  const notices: string[] = [];
  await using database = await openAt(place.dataDir, {
    onNotice: (notice) => notices.push(notice),
  });
  await database.prisma.setting.create({ data: { name: 'a', value: 'kept' } });
  killIfThere(place.servers()[0] ?? 0);
  await expect
    .poll(() => database.prisma.setting.findMany().catch(() => null), { timeout: 20_000 })
    .toEqual([{ name: 'a', value: 'kept' }]);
  await expect
    .poll(() => notices.at(-1), { timeout: 20_000 })
    .toBe('The database server runs again.');
  expect(notices.at(-2)).toContain('ended by itself');
  expect(await database.prisma.setting.count()).toBe(1);
});

/** Make a table that is not logged, undo that, and end at once, before the server has noted the end. */
async function crashAfterUndoing(place: Place): Promise<void> {
  const program = startProgram('./server/start.ts', [place.dataDir]);
  await program.line('opened');
  const clients = [0, 1].map(() => new pg.Client(packagedUrl(place.dataDir)));
  const [undoing, other] = clients;
  for (const client of clients) await client.on('error', () => {}).connect();
  await undoing?.query('begin; create unlogged table undone (n int)');
  // What is committed is flushed, and what was noted before with it.
  await other?.query(`create table if not exists flushed (); drop table flushed`);
  const processes = [program.pid, ...place.watchers(), ...place.servers()];
  await undoing?.query('rollback');
  for (const pid of processes) killIfThere(pid);
  await program.ended;
}

test('a table that was undone at the last moment before a crash does not hinder the start', async () => {
  await using place = openPlace();
  const log = () => readFileSync(join(place.dataDir, 'postgres.log'), 'utf8');
  await (await openAt(place.dataDir)).close();
  // Now and then the server is quick enough to note the end.
  for (let n = 0; n < 5 && !log().includes('File exists'); n += 1) {
    await crashAfterUndoing(place);
    await (await openAt(place.dataDir)).close();
  }
  expect(log()).toMatch(/FATAL: .*could not create file "base.*": File exists/);
});

test('a first start that is killed leaves nothing that looks like a database', async () => {
  await using place = await placeOfKilledStart();
  await using database = await openAt(place.dataDir);
  expect(await database.prisma.setting.count()).toBe(0);
  expect(lstatSync(`${place.cluster}.new`, { throwIfNoEntry: false })).toBeUndefined();
});

/** A folder whose first start was killed while it made the database: what is too late is tried again. */
async function placeOfKilledStart(): Promise<Place> {
  for (let tries = 0; tries < 10; tries += 1) {
    const place = openPlace();
    const writer = place.writer();
    await writer.line('begin');
    const isThere = (name: string) => readdirSync(place.dataDir).includes(name);
    writer.go();
    const began = () => isThere('postgres-18.new') || isThere('postgres-18');
    await expect.poll(began, { interval: 1, timeout: 60_000 }).toBe(true);
    await writer.kill();
    if (isThere('postgres-18.new') && !isThere('postgres-18')) return place;
    await place[Symbol.asyncDispose]();
  }
  throw new Error('No start could be killed while it made the database.');
}

test('of eight processes that start at once one gets the folder, the others are told who has it', async () => {
  await using place = openPlace();
  await (await openAt(place.dataDir)).close();
  const racers = Array.from({ length: 8 }, () => place.writer());
  for (const racer of racers) await racer.line('begin');
  for (const racer of racers) racer.go();
  const settled = (lines: readonly string[]) =>
    lines.some((line) => line === 'ready' || line.startsWith('refused: '));
  await expect
    .poll(() => racers.every(({ lines }) => settled(lines)), { timeout: 60_000 })
    .toBe(true);
  const winners = racers.filter(({ lines }) => lines.includes('ready'));
  expect(winners).toHaveLength(1);
  const refusals = racers.flatMap(({ lines }) => lines.filter((line) => /^refused: /.test(line)));
  expect(refusals).toHaveLength(7);
  for (const refusal of refusals)
    expect(refusal).toContain(`in use by process ${winners[0]?.pid} `);
});

test('a folder of another version, or of the engine before, is refused with what to do', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-foreign-'));
  try {
    mkdirSync(join(dataDir, 'postgres-17'));
    await expect(openDatabase({ dataDir })).rejects.toThrow(
      /made by PostgreSQL 17.*npm run backup FILE.*npm run restore FILE/,
    );
    rmSync(join(dataDir, 'postgres-17'), { recursive: true });
    mkdirSync(join(dataDir, 'database'));
    writeFileSync(join(dataDir, 'database', 'PG_VERSION'), '17\n');
    await expect(openDatabase({ dataDir })).rejects.toThrow('Set DATA_DIR to a new folder');
    expect(readdirSync(dataDir)).toEqual(['database']);
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});

test('a database that can not be opened is reported with the reason, and where its log is', async () => {
  await using place = openPlace();
  await (await openAt(place.dataDir)).close();
  rmSync(join(place.cluster, 'global', 'pg_control'));
  await expect(openDatabase({ dataDir: place.dataDir })).rejects.toThrow(
    /could not be started: .*could not find the database system.*Its log is .*postgres\.log/,
  );
  // Nothing is held by a start that failed.
  await expect(openDatabase({ dataDir: place.dataDir })).rejects.toThrow('could not be started');
});

test.each([
  [
    'an empty pg_control',
    (cluster: string) => truncateSync(join(cluster, 'global', 'pg_control')),
    /pg_control.* The folder is damaged: move it away, and restore a backup with npm run restore FILE/,
  ],
  [
    'an empty pg_wal',
    (cluster: string) => {
      rmSync(join(cluster, 'pg_wal'), { recursive: true });
      mkdirSync(join(cluster, 'pg_wal'), { mode: 0o777 });
      chmodSync(join(cluster, 'pg_wal'), 0o777);
    },
    /The folder is damaged: move it away, and restore a backup/,
  ],
  [
    'a setting that is out of range',
    (cluster: string) =>
      appendFileSync(join(cluster, 'postgresql.conf'), 'work_mem = 99999999999\n'),
    /work_mem.* Correct \S+postgresql\.conf\./,
  ],
  [
    'a line that is no setting',
    (cluster: string) =>
      appendFileSync(join(cluster, 'postgresql.conf'), 'max_connections ten ten\n'),
    /postgresql\.conf" line \d+, near token "ten".* Correct \S+postgresql\.conf\./,
  ],
])('a start with %s says what is wrong, and what to do', async (_, damage, says) => {
  await using place = openPlace();
  await (await openAt(place.dataDir)).close();
  damage(place.cluster);
  await expect(openDatabase({ dataDir: place.dataDir })).rejects.toThrow(says);
});

test('a damaged file of the password is named, and made again once it is deleted', async () => {
  await using place = openPlace();
  await (await openAt(place.dataDir)).close();
  const file = join(place.dataDir, 'postgres-access.json');
  writeFileSync(file, '{');
  await expect(openDatabase({ dataDir: place.dataDir })).rejects.toThrow(
    `${file} is damaged. Delete it: the next start makes another, with a new password.`,
  );
  rmSync(file);
  await (await openAt(place.dataDir)).close();
});
