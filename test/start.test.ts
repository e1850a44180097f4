import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openTestDatabase } from './database.ts';
import { type Started, startScript } from './started.ts';

// The build and `npm start`, as a person runs them.

vi.setConfig({ testTimeout: 120_000 });

const root = fileURLToPath(new URL('..', import.meta.url));

function run(script: string, env: Record<string, string> = {}): Started {
  const started = startScript(script, { DATA_DIR: dataDir, ...env });
  runs.push(started);
  return started;
}

const stop = (started: Started) => started.stop();

let dataDir: string;
let runs: Started[] = [];
beforeAll(async () => {
  dataDir = tmpdir();
  expect(await run('build.mjs').ended).toBe(0);
}, 300_000);
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'headwater-start-'));
  runs = [];
});
afterEach(async () => {
  for (const started of runs) await started.stop('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});
afterAll(() => {
  runs = [];
});

const keyIn = (text: string) => /hwk_\w+/.exec(text)?.[0];

async function ask(address: string, key: string, query: string): Promise<unknown> {
  const response = await fetch(`${address}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ query }),
  });
  return response.json();
}

test('a build with nothing new says nothing and writes nothing', async () => {
  const written = () =>
    ['dist/main.js', 'dist/template/PG_VERSION', 'src/generated/prisma/client.ts'].map(
      (file) => statSync(join(root, file)).mtimeMs,
    );
  const before = written();
  const again = run('build.mjs');
  expect(await again.ended).toBe(0);
  expect(again.output()).toBe('');
  expect(written()).toEqual(before);
});

test('the first start makes a key and a database, the second keeps both', async () => {
  const first = run('start.mjs');
  const address = await first.ready();
  const key = keyIn(first.output()) ?? '';
  expect(first.output()).toContain(`${address}/graphql`);
  expect(first.output()).toContain(`${address}/api/v1`);
  const made = await ask(address, key, 'mutation { createTag(input: { name: "kept" }) { name } }');
  expect(made).toEqual({ data: { createTag: { name: 'kept' } } });
  expect(await stop(first)).toBe(0);

  const second = run('start.mjs');
  const found = await ask(await second.ready(), key, '{ tags(first: 10) { nodes { name } } }');
  expect(found).toEqual({ data: { tags: { nodes: [{ name: 'kept' }] } } });
  expect(keyIn(second.output())).toBeUndefined();
  expect(await stop(second)).toBe(0);
});

test('the built program finds the files that lie beside its code', async () => {
  const address = await run('start.mjs').ready();
  for (const [path, type] of [
    ['/readyz', 'application/json'],
    ['/graphql', 'text/html'],
    ['/api/v1/docs', 'text/html'],
    ['/api/v1/openapi.json', 'application/json'],
  ] as const) {
    const response = await fetch(`${address}${path}`, { headers: { accept: type } });
    expect([path, response.status]).toEqual([path, 200]);
    expect(response.headers.get('content-type')).toContain(type);
  }
});

test('a second process on the same folder is refused and told who has it', async () => {
  const first = run('start.mjs');
  await first.ready();
  const second = run('start.mjs');
  expect(await second.ended).toBe(1);
  expect(second.output()).toContain(`in use by process ${first.child.pid} on ${hostname()}`);
  expect(await stop(first)).toBe(0);
});

test('a setting that cannot be used ends the start with what is allowed', async () => {
  const broken = run('start.mjs', { PORT: 'http' });
  expect(await broken.ended).toBe(1);
  expect(broken.output()).toContain('PORT="http"');
});

test('it starts on a PostgreSQL server as well', async () => {
  await using opened = await openTestDatabase();
  const started = run('start.mjs', { DATABASE_URL: opened.url });
  const address = await started.ready();
  const answer = await ask(address, keyIn(started.output()) ?? '', '{ viewer { __typename } }');
  expect(answer).toMatchObject({ data: { viewer: {} } });
  expect(await stop(started)).toBe(0);
});
