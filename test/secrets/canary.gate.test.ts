// A secret of credentials or settings is in no answer, log, job, error, audit entry or dump.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../database.ts';
import { sayCounted } from '../gates/counted.ts';
import { type Started, startScript } from '../started.ts';
import { leaksIn } from './canaries.ts';
import { known, misuse, plant, watch } from './drive.ts';
import { openPlaces, type Places, secrets } from './places.ts';
import { dumpOf, filesOf } from './stored.ts';
import { openVisitor, type Visitor } from './visitor.ts';

const all = Object.values(secrets);
/** What PostgreSQL says with the password, as `places.ts` has it raise. */
const wordsOfSource = ['the password of reader', 'in hex'];
let places: Places | null;
let onServer: TestDatabase | null = null;
let dataDir: string;
let visitor: Visitor;
const runs: Started[] = [];

function start(env: Readonly<Record<string, string>> = {}): Started {
  const started = startScript('start.mjs', {
    DATA_DIR: dataDir,
    ...(onServer?.url ? { DATABASE_URL: onServer.url } : {}),
    LOG_LEVEL: 'debug',
    NODE_DEBUG: '',
    ADMIN_API_KEY: secrets.adminKey.secret,
    SECRETS_KEY: secrets.masterKey.secret,
    SMTP_URL: `smtp://mailer:${encodeURIComponent(secrets.mail.secret)}@127.0.0.1:${places?.mail.port}`,
    CHAT_API_BASE: `http://127.0.0.1:${places?.chat.port}`,
    ALLOW_PRIVATE_HOSTS: '127.0.0.0/8',
    FILES_DIR: dataDir,
    ...env,
  });
  runs.push(started);
  return started;
}

const received = () => visitor.received.join('\n\n');
const printed = () => runs.map(({ output }) => output()).join('\n');

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'headwater-canary-'));
  places = await openPlaces();
  if (!places) return;
  if (process.env.DATABASE_URL) onServer = await openTestDatabase();
  const first = start();
  visitor = openVisitor(await first.ready(), secrets.adminKey.secret);
  const ids = await plant(visitor, places);
  await watch(visitor, places);
  await misuse(visitor, ids.get('postgres right') ?? '');
  await visitor.readEverything(await known(visitor));
}, 300_000);

afterAll(async () => {
  for (const started of runs) await started.stop('SIGKILL');
  await onServer?.[Symbol.asyncDispose]();
  await places?.[Symbol.asyncDispose]();
  rmSync(dataDir, { recursive: true, force: true });
});

test('the secrets were used: they came to their sources, and those sent them back', ({ skip }) => {
  if (!places) return skip();
  const asked = places.echo.asked.map(({ headers }) => JSON.stringify(headers)).join('\n');
  expect(leaksIn(asked, [secrets.clickhouse])).not.toEqual([]);
  expect(leaksIn(asked, [secrets.trino])).not.toEqual([]);
  const posted = places.chat.asked.map(({ headers }) => headers.authorization);
  expect(posted).toContain(`Bearer ${secrets.chat.secret}`);
  expect(leaksIn(places.mail.logins.join('\n'), [secrets.mail])).not.toEqual([]);
  // The words of the source, scrubbed or not, are for no one.
  for (const said of ['(P0001)', 'The mail server refuses']) expect(received()).toContain(said);
  for (const words of wordsOfSource) expect(received()).not.toContain(words);
  expect(visitor.received.length).toBeGreaterThan(150);
  expect(printed()).toContain('ready at');
});

test('no answer reveals a secret', ({ skip }) => {
  if (!places) return skip();
  const leaks = visitor.received.flatMap((text) =>
    leaksIn(text, all).map((leak) => `${text.slice(0, text.indexOf('\n'))}: ${leak}`),
  );
  expect(leaks).toEqual([]);
});

test('a start that fails, a kill and a change of the key reveal no secret', async ({ skip }) => {
  if (!places) return skip();
  const { secret } = secrets.database;
  const broken: readonly Readonly<Record<string, string>>[] = [
    { ADMIN_API_KEY: `${secrets.adminKey.secret} with a blank` },
    { SECRETS_KEY: secrets.masterKey.secret.slice(0, 31) },
    { SMTP_URL: `${secrets.mail.secret}@host` },
    { DATABASE_URL: `postgres://reader:${secret}@127.0.0.1:1/x` },
    { DATABASE_URL: `postgres://reader:${secret}@127.0.0.1:port/x` },
    { DATABASE_URL: `postgres://reader:${secret}@127.0.0.1:${places.postgres.port}/shop` },
    { DATABASE_URL: `mysql://reader:${secret}@127.0.0.1:1/x` },
    { DATABASE_DIRECT_URL: `${secret}@host` },
  ];
  const ends = broken.map((env) => start({ DATA_DIR: join(dataDir, 'unused'), ...env }).ended);
  expect(await Promise.all(ends)).toEqual(broken.map(() => 1));
  const [running] = runs;
  await running?.stop('SIGKILL');
  const { masterKey, nextMasterKey } = secrets;
  const turned = start({ SECRETS_KEY: `${nextMasterKey.secret},${masterKey.secret}` });
  await turned.ready();
  await expect.poll(turned.output).toContain('are encrypted with the new SECRETS_KEY');
  // Deliveries that wait are tried again, by the process that came after.
  await sleep(500);
  expect(await turned.stop()).toBe(0);
});

test('nothing that was printed reveals a secret', ({ skip }) => {
  if (!places) return skip();
  expect(leaksIn(printed(), all)).toEqual([]);
});

test('nothing that is stored reveals a secret', async ({ skip }) => {
  if (!places) return skip();
  let read = 0;
  for (const [path, bytes] of filesOf(dataDir)) {
    read += bytes.length;
    expect(leaksIn(bytes, all).map((leak) => `${leak} in ${path}`)).toEqual([]);
  }
  // Where the database is in it, so is what it has.
  if (!onServer?.url) expect(read).toBeGreaterThan(10_000_000);
  const stored = await dumpOf(dataDir, onServer?.url ?? null);
  expect(stored).toContain('integration_created');
  expect(stored).toContain('(P0001)');
  for (const words of wordsOfSource) expect(stored).not.toContain(words);
  expect(leaksIn(stored, all)).toEqual([]);
  sayCounted(
    `${all.length} secrets looked for in ${visitor.received.length} answers, in ${printed().length} characters that ` +
      `were printed and ${stored.length} that are stored`,
  );
});
