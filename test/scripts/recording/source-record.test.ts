// A recording of a source, made by the command: nothing of the source is in it, and a sync reads it as it read the source.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anonymizer } from '../../../scripts/recording/answers.ts';
import { readRecording } from '../../../scripts/recording/recording.ts';
import { shapeOf } from '../../../scripts/recording/shape.ts';
import { vocabularyOf } from '../../../scripts/recording/vocabulary.ts';
import { connectors } from '../../../src/integrations/connectors/open.ts';
import { startFake } from '../../integrations/connectors/http-fake.ts';
import { loopback } from '../../integrations/connectors/read-source.ts';
import { serviceAccount, startBigQuery } from '../../integrations/warehouses/bigquery-fake.ts';
import { clientSecret, startDatabricks } from '../../integrations/warehouses/databricks-fake.ts';
import { openLivePlace } from '../../integrations/warehouses/live-place.ts';
import { apiKey, metabaseServer } from '../../integrations/warehouses/metabase-fake.ts';
import { privateKey, startSnowflake } from '../../integrations/warehouses/snowflake-fake.ts';
import { startSuperset } from '../../integrations/warehouses/superset-fake.ts';
import { startReplay } from './replay.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-record-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const run = promisify(execFile);
/** Run the command as `npm run source:record` does, once it has built. */
const record = (...args: string[]) =>
  run(process.execPath, ['--import', 'tsx', 'scripts/source-record.ts', ...args], {
    env: { ...process.env, ALLOW_PRIVATE_HOSTS: '127.0.0.0/8' },
  });

/** All that a place has read: how many of each kind, and lineage. */
async function countsOf(place: Awaited<ReturnType<typeof openLivePlace>>) {
  const kinds = ['database', 'schema', 'table', 'column', 'dashboard', 'chart'];
  const found = await Promise.all(kinds.map((kind) => place.resources(kind)));
  return [...found.map((all) => all.length), (await place.edges()).length];
}

/** All that a connector reads, as a count of each kind. */
async function piecesOf(type: string, credentials: object) {
  const source = { id: 'replayed', reach: loopback };
  const connector = await connectors[type]?.open(source, { ...credentials });
  const counts: Record<string, number> = {};
  for await (const piece of connector?.extract({ note() {} }) ?? []) {
    const kind = piece.is === 'resource' ? piece.resource.kind : piece.is;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  await connector?.close();
  return counts;
}

/** A source that is recorded: how it is signed in to, and what of it must be in no recording. */
interface Case {
  start(): Promise<{ readonly http: { readonly port: number } } & AsyncDisposable>;
  login(port: number): object;
  readonly secret: RegExp;
  /** Whether its lineage is that of tables which a catalog of it alone does not have. */
  readonly leadsElsewhere?: true;
}

const present = <Fake>(fake: Fake | null): Fake => {
  if (!fake) throw new Error('DuckDB is not installed.');
  return fake;
};
const shop =
  /shop|sales|staging|orders|daily|larger|amount|placed|paid|gr(ö|oe)ße|euros|loader|gold|tier|confidential|reader|127\.0|private key/i;
const cases: Readonly<Record<string, Case>> = {
  superset: {
    async start() {
      const fake = await startSuperset();
      fake.more = 30;
      return fake;
    },
    login: (port) => ({
      url: `http://127.0.0.1:${port}/bi/`,
      user: 'reader',
      password: 'hush-hush',
    }),
    secret:
      /anna|ben\b|cole|berg|example|shop|sales|orders|placed|amount|twice|revenue|visits|\btill\b|daily|unreadable|finance|net\b|psycopg|XXXX|5432|\bboard|own\b|max\(total|hush|reader|127\.0|\/bi\/|04-|03-0[12]/i,
  },
  metabase: {
    async start() {
      const http = await startFake(metabaseServer('v0.57.2'));
      return { http, [Symbol.asyncDispose]: () => http[Symbol.asyncDispose]() };
    },
    login: (port) => ({ url: `http://127.0.0.1:${port}/base/`, api_key: apiKey }),
    leadsElsewhere: true,
    secret:
      /shop|sales|orders|daily|amount|placed|other|totals|circle|somebody|\banna\b|\bboard|analytics|permission|mb_key|127\.0|\/base\//i,
  },
  snowflake: {
    start: async () => present(await startSnowflake()),
    login: (port) => ({
      ...{ account: 'myorg-shop', user: 'reader', private_key: privateKey, role: 'HEADWATER' },
      ...{ warehouse: 'W', host: '127.0.0.1', port, ssl: 'disable' },
    }),
    secret: shop,
  },
  databricks: {
    start: async () => present(await startDatabricks()),
    login: (port) => ({
      ...{ host: '127.0.0.1', port, ssl: 'disable', warehouse_id: '/sql/1.0/warehouses/w1' },
      ...{ auth: 'service_principal', client_id: 'principal', client_secret: clientSecret },
    }),
    secret: new RegExp(`${shop.source}|${clientSecret}`, 'i'),
  },
  bigquery: {
    start: async () => present(await startBigQuery()),
    login: (port) => ({
      ...{ project: 'shop-prod', service_account: serviceAccount('127.0.0.1', port) },
      ...{ host: '127.0.0.1', port, ssl: 'disable' },
    }),
    secret: shop,
  },
};

test.each(Object.entries(cases))(
  'a server of %s is recorded without its names, values and secrets, and a sync replays it',
  async (type, { start, login, secret, leadsElsewhere }) => {
    await using fake = await start();
    const credentials = join(folder, `${type} credentials.json`);
    const out = join(folder, `${type}.json`);
    await writeFile(credentials, JSON.stringify(login(fake.http.port)));
    const { stdout } = await record(type, '--credentials', credentials, '--out', out);
    expect(stdout).toContain('Look through it before you share it.');

    const text = await readFile(out, 'utf8');
    expect(secret.exec(text)?.[0]).toBeUndefined();

    await using replay = await startReplay(readRecording(text));
    await using first = await openLivePlace(type, login(fake.http.port));
    expect(await first.sync()).toMatchObject({ state: 'succeeded' });
    await using second = await openLivePlace(type, login(replay.port));
    expect(await second.sync()).toMatchObject({ state: 'succeeded' });
    expect(replay.unknown).toEqual([]);
    const counts = await countsOf(second);
    expect(counts).toEqual(await countsOf(first));
    expect(Math.min(counts[3] || counts[4] || 0, counts.at(-1) ?? 0)).toBeGreaterThan(2);

    if (!leadsElsewhere) return;
    await using other = await startReplay(readRecording(text));
    const pieces = await piecesOf(type, login(other.port));
    expect(pieces).toEqual(await piecesOf(type, login(fake.http.port)));
  },
  120_000,
);

test('what cannot be recorded is said, and why', async () => {
  await expect(record('redshift')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('wire protocol of PostgreSQL'),
  });
  await expect(record('mysql')).rejects.toMatchObject({
    stderr: expect.stringContaining(
      'use one of snowflake, bigquery, databricks, metabase, superset',
    ),
  });
  await expect(record('superset')).rejects.toMatchObject({ code: 1 });
  expect((await record('--help')).stdout).toContain('Usage: npm run source:record');
}, 120_000);

test('keys that are free, JSON in a text, SQL, moments and numbers lose what they say, and keep their form', () => {
  const vocabulary = vocabularyOf('snowflake');
  const anonymous = anonymizer(vocabulary);
  const once = (given: unknown): unknown => JSON.parse(anonymous(JSON.stringify(given)));
  expect(
    once({
      resultSetMetaData: { numRows: 12, rowType: [{ name: 'Salary', type: 'NUMBER(38,0)' }] },
      Salary: 5_310,
      data: [['{"Salary":{"boss":"Zoë"}}', '2026-03-01 10:20:30.5', 'TIMESTAMP_NTZ', null, '7']],
    }),
  ).toEqual({
    resultSetMetaData: { numRows: 12, rowType: [{ name: 'Zzzzzz', type: 'NUMBER(38,0)' }] },
    Zzzzzz: 9_999,
    data: [['{"Zzzzzz":{"zzzz":"Zzz"}}', '2026-01-01 00:00:00.0', 'TIMESTAMP_NTZ', null, '9']],
  });
  // The same word stands for the same one, also within SQL, whose quoted texts keep no keyword.
  expect(once("select Salary from people where boss = 'from Zoë' -- Ümit €5")).toBe(
    "select Zzzzzz from zzzzzy where zzzz = 'zzzy Zzz' -- Zzzx ?8",
  );
  expect(once({ access_token: 'abc', password: 'x', 'free key': 'abc' })).toEqual({
    ...{ access_token: 'dropped', zzzzzzzz: 'dropped' },
    'zzzw zzy': 'zzx',
  });
});

test('two requests that ask the same of other things have one shape', () => {
  const vocabulary = vocabularyOf('snowflake');
  const shape = (path: string, statement: string) =>
    shapeOf({ method: 'POST', path, body: JSON.stringify({ statement }) }, vocabulary);
  const one = shape(
    '/api/v2/statements?requestId=1f-a&async=false',
    `select "A" from "SHOP".information_schema.tables where x in ('a', 'b')`,
  );
  expect(one).toBe(
    shape(
      '/proxy/of/api/v2/statements?requestId=22&async=false',
      `select "B" from "TILL".information_schema.tables where x in ('c')`,
    ),
  );
  expect(one).not.toMatch(/shop|proxy/i);
  expect(one).not.toBe(
    shape(
      '/api/v2/statements?requestId=1&async=false',
      'select "A" from "B".information_schema.views',
    ),
  );
});
