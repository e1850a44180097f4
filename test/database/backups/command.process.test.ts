// `npm run backup` and `npm run restore`, as a person runs them: from the database of our own to a server
// and back.

import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { migrationsFolder } from '../../../src/database/migrations/migrate.ts';
import { onServer } from '../../server.ts';
import { type Started, startScript } from '../../started.ts';
import { digestsOf, makeDatabase, type Target } from './databases.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const key = 'an-admin-key-of-this-test';
const root = fileURLToPath(new URL('../../..', import.meta.url));
let folder: string;
let runs: Started[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-commands-'));
  expect(await run('build.mjs', {}).ended).toBe(0);
});
afterEach(async () => {
  for (const started of runs) await started.stop('SIGKILL');
  runs = [];
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(script: string, env: Record<string, string>, args: string[] = []): Started {
  const started = startScript(script, { DATA_DIR: join(folder, 'none'), ...env }, args);
  runs.push(started);
  return started;
}

/** Run a command to its end; its exit code, and what it prints. */
async function command(
  name: string,
  env: Record<string, string>,
  ...args: string[]
): Promise<{ code: number | null; output: string }> {
  const started = run('command.mjs', { INIT_CWD: folder, ...env }, [name, ...args]);
  return { code: await started.ended, output: started.output().trim() };
}

async function serve(env: Record<string, string>, ...args: string[]): Promise<Started> {
  const server = run('start.mjs', { ADMIN_API_KEY: key, LOG_LEVEL: 'warn', ...env }, args);
  await server.ready();
  return server;
}

/** What a server says of the sample, asked with the key of its first admin. */
async function answersOf(server: Started): Promise<unknown> {
  const address = await server.ready();
  const ask = async (text: string) => {
    const response = await fetch(`${address}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ query: text }),
    });
    return (await response.json()).data;
  };
  const { resources } = await ask(
    '{ resources(kinds: [table], first: 100) { nodes { id titleFull tags { name } } } }',
  );
  const orders = resources.nodes.find(({ titleFull }: { titleFull: string }) =>
    titleFull.endsWith('.fct_orders'),
  );
  const { lineage } = await ask(
    `{ lineage(from: ["${orders.id}"], depth: 9) { nodes { depth resource { titleFull } }
       edges { id sourceId targetId } } }`,
  );
  expect(lineage.edges.length).toBeGreaterThan(5);
  return { resources, lineage };
}

test('it moves to a server and back, and answers as before', async () => {
  const [own, back] = [join(folder, 'own'), join(folder, 'back')];
  // The sample as it is looked at: nothing is measured, no one notified.
  const first = await serve({ DATA_DIR: own, ROLE: 'api' }, '--demo');
  const answers = await answersOf(first);
  const made = await command('backup', { DATA_DIR: own }, 'own.tar');
  expect(made.output).toMatch(
    /Backed up \d+ tables, [\d,]+ rows, [\d.]+ MB as of \S+Z to \S+\/own\.tar in [\d.]+ s\.$/,
  );
  expect(made.code).toBe(0);
  expect(statSync(join(folder, 'own.tar')).mode & 0o777).toBe(0o600);
  await first.stop();

  await using server = await makeDatabase();
  await using copy = await makeDatabase();
  const there = { DATABASE_URL: server.url };
  const moved = await command('restore', there, 'own.tar');
  expect(moved.output).toMatch(
    /Sealed under another master key than the one here: credentials of integrations \(1\), .*\nRestored \d+ tables, .* from version \d\S*, in [\d.]+ s\.$/,
  );
  expect(moved.code).toBe(0);
  const second = await serve({ ...there, ROLE: 'api' });
  expect(await answersOf(second)).toEqual(answers);
  await second.stop();

  // As a stream, whose other end stays open.
  const script = 'node scripts/command.mjs backup - && sleep 60';
  const reading = spawn('sh', ['-c', script], { cwd: root, env: { ...process.env, ...there } });
  const restoring = spawn('node', ['scripts/command.mjs', 'restore', '-'], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: copy.url },
    stdio: [reading.stdout, 'pipe', 'inherit'],
  });
  expect(await text(restoring.stdout)).toMatch(/Restored \d+ tables/);
  reading.kill();
  expect(await digestsOf(copy.url)).toEqual(await digestsOf(server.url));
  expect(await command('backup', there, 'server.tar')).toMatchObject({ code: 0 });
  const masterKey = readFileSync(join(own, 'secrets.key'), 'utf8').trim();
  const returned = await command(
    'restore',
    { DATA_DIR: back, SECRETS_KEY: masterKey },
    'server.tar',
  );
  expect(returned.output).toMatch(/Restored \d+ tables, .*\.$/);
  const third = await serve({ DATA_DIR: back, SECRETS_KEY: masterKey, ROLE: 'api' });
  expect(third.output()).not.toContain("can't be opened");
  expect(await answersOf(third)).toEqual(answers);

  // Where a server runs it is refused, and serves on.
  const refused = await command('restore', { DATA_DIR: back }, 'own.tar');
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.output).toMatch(/^The database is not empty: it has rows in [^\n]+ new folder\.$/);
  expect(await answersOf(third)).toEqual(answers);
});

test('a file that is there stays, unless --force replaces it', async () => {
  await using source = await makeDatabase(migrationsFolder);
  const file = join(folder, 'mine.tar');
  writeFileSync(file, 'mine');
  const env = { DATABASE_URL: source.url };
  expect(await command('backup', env, 'mine.tar')).toEqual({
    code: 1,
    output: `${file} is there already: choose another name, or replace it with --force.`,
  });
  expect(readFileSync(file, 'utf8')).toBe('mine');
  expect(await command('backup', env, 'mine.tar', '--force')).toMatchObject({ code: 0 });
  expect(execFileSync('tar', ['-tf', file]).toString()).toBe(
    'header.json\nmanifest.json\nSHA256SUMS\n',
  );
});

test('what can not be done is said in a sentence, and ends with 1', async () => {
  await using bare = await makeDatabase();
  await using source = await makeDatabase(migrationsFolder);
  const env = { DATABASE_URL: source.url };
  const none = join(folder, 'nowhere');
  for (const [name, args, settings, message] of [
    ['backup', ['a.tar'], { DATABASE_URL: bare.url }, /^The database can't be .* no tables\.$/],
    ['backup', ['no/a.tar'], env, /can't be written: ENOENT/],
    ['backup', ['a.tar'], { DATA_DIR: none }, /^There is no database in .*nowhere yet/],
    [
      'backup',
      ['a.tar'],
      { DATABASE_URL: 'postgresql://127.0.0.1:1/x' },
      /can't be reached: .*REFUSED/,
    ],
    ['restore', ['missing.tar'], env, /^The backup can't be read: ENOENT.*missing\.tar/],
    ['restore', ['.'], env, /^The backup can't be read: EISDIR/],
    ['restore', ['missing.tar'], { DATA_DIR: none }, /^The backup can't be read: ENOENT/],
  ] as const) {
    const { code, output } = await command(name, settings, ...args);
    expect(output, args.join()).toMatch(message);
    expect(code, args.join()).toBe(1);
  }
  expect(existsSync(none)).toBe(false);
  expect(readdirSync(folder).filter((file) => file.startsWith('a.tar'))).toEqual([]);
  for (const [name, ...args] of [
    ['backup'],
    ['backup', 'a', 'b'],
    ['backup', '--no'],
    ['restore'],
  ]) {
    const { code, output } = await command(name ?? '', env, ...args);
    expect(output).toMatch(
      /^(Name one FILE\.|Unknown option '--no'.*)\n\nUsage: npm run (backup|restore) FILE/,
    );
    expect(code).toBe(2);
  }
  for (const name of ['backup', 'restore']) {
    const { code, output } = await command(name, {}, '--help');
    expect({ code, first: output.split(' ')[0] }).toEqual({ code: 0, first: 'Usage:' });
  }
});

/** A database that takes a while to copy. */
async function fill(source: Target): Promise<void> {
  const workspace = '11111111-1111-4111-8111-111111111111';
  await onServer(source.url, `insert into workspace (id, name) values ('${workspace}', 'Large')`);
  const logs = randomBytes(8_000_000).toString('base64');
  for (let n = 0; n < 4; n += 1) {
    await onServer(
      source.url,
      `insert into job (workspace_id, kind, title, logs) values ('${workspace}', 'x', 'x', $1)`,
      [logs],
    );
  }
}

/** Wait until a restore runs such a statement, or, with null, until none runs any more. */
async function untilIn(target: Target, statement: string | null): Promise<void> {
  await vi.waitUntil(
    async () => {
      const found = await onServer(
        target.url,
        `select 1 from pg_stat_activity where application_name = 'headwater restore'
           and query ~ $1 and datname = current_database()`,
        [statement ?? ''],
      );
      return found.length > 0 === (statement !== null);
    },
    { timeout: 30_000, interval: 2 },
  );
}

test('a restore that is killed leaves the database empty, and can be done again', async () => {
  await using source = await makeDatabase(migrationsFolder);
  await fill(source);
  await command('backup', { DATABASE_URL: source.url }, 'large.tar');
  await using target = await makeDatabase();
  for (const statement of ['^copy "job"', '^alter table|^CREATE']) {
    const killed = run('command.mjs', { DATABASE_URL: target.url, INIT_CWD: folder }, [
      'restore',
      'large.tar',
    ]);
    await untilIn(target, statement);
    await killed.stop('SIGKILL');
    await untilIn(target, null);
    expect(await digestsOf(target.url)).toEqual({});
  }
  expect(await command('restore', { DATABASE_URL: target.url }, 'large.tar')).toMatchObject({
    code: 0,
  });
  expect(await digestsOf(target.url)).toEqual(await digestsOf(source.url));
});

test('a backup that is stopped leaves no file', async () => {
  await using source = await makeDatabase(migrationsFolder);
  await fill(source);
  const stopped = run('command.mjs', { DATABASE_URL: source.url, INIT_CWD: folder }, [
    'backup',
    'stopped.tar',
  ]);
  await vi.waitUntil(() => existsSync(join(folder, 'stopped.tar.partial')), {
    timeout: 30_000,
    interval: 1,
  });
  expect(await stopped.stop('SIGTERM')).toBe(1);
  expect(readdirSync(folder).filter((file) => file.startsWith('stopped'))).toEqual([]);
});
