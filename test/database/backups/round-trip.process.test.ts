// A backup restored elsewhere: the same rows, the same tables, the same answers.

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { contextFor } from '../../../src/context.ts';
import type { Manifest } from '../../../src/database/backups/manifest.ts';
import { withSession } from '../../../src/database/backups/session.ts';
import type { Database } from '../../../src/database/database.ts';
import { migrationsFolder } from '../../../src/database/migrations/migrate.ts';
import { openDatabase } from '../../../src/database/open.ts';
import { loadDemo } from '../../../src/demo/demo.ts';
import { createGraphQL } from '../../../src/graphql/yoga.ts';
import { openCredentials } from '../../../src/integrations/credentials.ts';
import { updateIntegration } from '../../../src/integrations/integration.ts';
import { startWorker } from '../../../src/jobs/worker.ts';
import { createWebhook } from '../../../src/notifications/webhooks/webhook.ts';
import { viewerOfKey } from '../../../src/people/sign-in.ts';
import { countUnopened } from '../../../src/secrets/unopened.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';
import { seeingAll } from '../../database.ts';
import { sayCounted } from '../../gates/counted.ts';
import { onServer } from '../../server.ts';
import { secretsKey, testSurroundings } from '../../surroundings.ts';
import {
  backUpToMemory,
  digestsOf,
  makeDatabase,
  restoreFrom,
  structureOf,
  type Target,
} from './databases.ts';

let catalog: Catalog;
let backup: { file: Buffer; manifest: Manifest };
let target: Target;
let restored: Database;

const someId = '11111111-1111-4111-8111-111111111111';
/** Texts that the text form of COPY, JSON, or an array could trip over. */
const awkward = ['\\N', '\\.', 'tab\there', 'line\nbreak\r\n', 'back\\slash', '"{,}\'', '', '𝄞 é'];
const password = 'a-password-that-is-sealed';
/** Longer than a part of the file. */
const long = randomBytes(7_000_000).toString('base64');

beforeAll(async () => {
  catalog = await openCatalog({ alone: true });
  await loadDemo(catalog, () => {});
  for (const [n, text] of awkward.entries()) {
    await catalog.resource({ title: `awkward ${n}`, description: text || null });
  }
  await catalog.group({ name: 'x', description: awkward.join() });
  const { id } = await catalog.resource({ title: 'long' });
  await onServer(
    catalog.url,
    `update resource set definition = $1, search_metadata = $2, edited_fields = $3, external_usage = $4,
       stale_at = '1999-12-31 23:59:59.999-05' where id = $5`,
    [
      long,
      JSON.stringify({ awkward, number: 1e-7, none: null }),
      [...awkward, null],
      0.1 + 0.2,
      id,
    ],
  );
  const integration = await catalog.integration({ name: 'Sealed', type: 'postgres' });
  await updateIntegration(catalog.admin, integration.id, { credentials: { password } });
  await createWebhook(catalog.admin, { name: 'hook', url: 'https://example.com/hook' });
  backup = await backUpToMemory(catalog.url);
  target = await makeDatabase();
  await restoreFrom(backup.file, target.url);
  restored = await seeingAll(await openDatabase({ databaseUrl: target.url, maxConnections: 2 }));
});
afterAll(async () => {
  await restored.close();
  await target[Symbol.asyncDispose]();
  await catalog[Symbol.asyncDispose]();
});

test('every table holds the rows that it held', async () => {
  const before = await keptOf(catalog.url);
  expect(before.resource).toMatch(/^4\d\d rows/);
  expect(before.lineage_edge).toMatch(/^[345]\d\d rows/);
  expect(await keptOf(target.url)).toEqual(before);
  const tables = backup.manifest.contents.map(({ table, rows }) => [table, `${rows}`]);
  expect(tables).toEqual(
    Object.entries(before).map(([name, digest]) => [name, digest.split(' ')[0]]),
  );
  sayCounted(`${tables.length} tables restored, each with its count and its checksum`);
});

/** What is left out is what PostgreSQL does not log either: the writes of the last minutes. */
async function keptOf(url: string): Promise<Record<string, string>> {
  const all = Object.entries(await digestsOf(url));
  return Object.fromEntries(
    all.filter(([name]) => name !== 'write_count' && name !== 'lineage_log'),
  );
}

test('the database has the tables, keys, indexes and migrations of a new one, and statistics', async () => {
  await using fresh = await makeDatabase(migrationsFolder);
  expect(await structureOf(target.url)).toEqual(await structureOf(fresh.url));
  const [resource] = await onServer<{ rows: number }>(
    target.url,
    `select reltuples::int as rows from pg_class where relname = 'resource'`,
  );
  expect(resource?.rows).toBeGreaterThan(400);
});

test('a backup of what was restored is the same to the last byte of a row', async () => {
  const again = await backUpToMemory(target.url);
  expect(again.manifest.contents).toEqual(backup.manifest.contents);
  expect(again.manifest.sequences).toEqual(backup.manifest.sequences);
  expect(again.manifest.workspaces).toEqual(backup.manifest.workspaces);
});

test('sequences go on where they were', async () => {
  const [{ last } = { last: 0 }] = await onServer<{ last: number }>(
    catalog.url,
    'select max(id)::int as last from resource_change',
  );
  expect(last).toBeGreaterThan(10);
  const [{ next } = { next: 0 }] = await onServer<{ next: number }>(
    target.url,
    `select nextval('resource_change_id_seq')::int as next`,
  );
  expect(next).toBe(last + 1);
});

const lineage = `query Lineage($from: [ID!]!) {
  lineage(from: $from, depth: 9, direction: BOTH) {
    totalNodes
    nodes { depth resource { id titleFull description } }
    edges { id sourceId targetId origin }
  }
}`;

test('the same keys get the same answers from a server on it', async () => {
  const { prisma } = catalog.database;
  const start = await prisma.resource.findFirstOrThrow({ where: { title: 'fct_orders' } });
  const there = await catalog.graphql(lineage, { from: [start.id] }, { as: 'viewer' });
  expect(there.data.lineage.edges.length).toBeGreaterThan(5);
  const now = () => new Date();
  const server = createGraphQL({
    database: restored,
    surroundings: catalog.surroundings,
    authenticate: (key) => viewerOfKey(restored, key, now()),
    now,
    onUnexpected: (error) => expect.fail(String(error)),
  });
  const ask = async (key: string) => {
    const answer = await server.fetch('http://catalog.test/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ query: lineage, variables: { from: [start.id] } }),
    });
    return answer.json();
  };
  expect(await ask(catalog.keyOf('viewer'))).toEqual(there);
  expect(await ask(`${catalog.keyOf('viewer')}x`)).not.toEqual(there);
});

test('credentials open with the same master key, and without it are counted', async () => {
  const { id } = await restored.prisma.integration.findFirstOrThrow({ where: { name: 'Sealed' } });
  const { surroundings } = catalog;
  const ctx = { ...contextFor(restored, catalog.admin.viewer), surroundings };
  expect(await openCredentials(ctx, id)).toEqual({ password });
  const count = (key?: string) =>
    withSession(target.url, 'headwater restore', (client) =>
      countUnopened(client, { secretsKey: key, dataDir: '/nowhere' }),
    );
  expect(await count(secretsKey)).toEqual({ credentials: 0, secrets: 0 });
  expect(await count(`${secretsKey}-another,${secretsKey}`)).toEqual({
    credentials: 0,
    secrets: 0,
  });
  expect(await count(`${secretsKey}-another`)).toEqual({ credentials: 1, secrets: 1 });
  expect(await count()).toEqual({ credentials: 1, secrets: 1 });
});

test('a job that ran is done again by a worker of the restored server, and an import has failed', async () => {
  await using source = await makeDatabase(migrationsFolder);
  await onServer(source.url, `insert into workspace (id, name) values ('${someId}', 'x')`);
  await onServer(
    source.url,
    `insert into job (workspace_id, kind, title, state, attempts, max_attempts, lease_owner, lease_token,
       lease_until)
     select '${someId}', kind, kind, 'running', 1, attempts, 'there:1', 1, now() + interval '1 second'
     from (values ('again', 5), ('import', 1)) as held (kind, attempts)`,
  );
  await using there = await makeDatabase();
  await restoreFrom((await backUpToMemory(source.url)).file, there.url);
  const database = await openDatabase({ databaseUrl: there.url, maxConnections: 3 });
  const done: string[] = [];
  const handler = async ({ job }: { job: { kind: string } }) => done.push(job.kind);
  const worker = startWorker({
    database,
    surroundings: testSurroundings(),
    handlers: { again: handler, import: handler },
    leaseSeconds: 3,
    onError: (error) => expect.fail(String(error)),
  });
  const states = () => onServer(there.url, 'select kind, state from job order by kind');
  await vi.waitFor(
    async () =>
      expect(await states()).toEqual([
        { kind: 'again', state: 'succeeded' },
        { kind: 'import', state: 'failed' },
      ]),
    { timeout: 20_000, interval: 100 },
  );
  await worker.stop();
  await database.close();
  expect(done).toEqual(['again']);
});

test('neither the master key nor what it seals is in the file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-backup-'));
  try {
    writeFileSync(join(folder, 'backup.tar'), backup.file);
    const run = (script: string) =>
      execFileSync('sh', ['-ec', script], { cwd: folder, maxBuffer: 1e8 }).toString();
    run('tar -xf backup.tar');
    const all = `${run('cat *.json')}${run('cat tables/*/* | gunzip')}`;
    expect(all.includes('awkward')).toBe(true);
    expect(all.includes(secretsKey)).toBe(false);
    expect(all.includes(password)).toBe(false);
    // What it says of itself can be checked with the tools of any machine.
    expect(run('sha256sum --check --quiet SHA256SUMS')).toBe('');
    for (const { table, rows, sha256 } of backup.manifest.contents.filter((one) => one.rows > 0)) {
      expect(run(`cat tables/${table}/* | gunzip | sha256sum`), table).toContain(sha256);
      expect(run(`cat tables/${table}/* | gunzip | wc -l`).trim(), table).toBe(`${rows}`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
