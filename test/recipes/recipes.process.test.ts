// The recipes of CONTRIBUTING.md, applied to a copy of the project that is built, started and asked.

import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, hasBrowser, type Page, startBrowser } from '../browser.ts';
import { visit } from '../explorer/visit.ts';
import { type HttpFake, startFake } from '../integrations/connectors/http-fake.ts';
import { type Started, startProgram } from '../started.ts';
import { recipes } from './all.ts';
import { apply, copyProject } from './recipe.ts';

const patience = { timeout: 120_000, interval: 200 };

let folder = '';
let server: Started | undefined;
let base = '';
let key = '';
let acme: HttpFake;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-recipes-'));
  await copyProject(folder);
  await apply(recipes, folder);
  await run('npm', ['run', '--silent', 'db:migration', 'recipes']);
  await run('npm', ['run', '--silent', 'schema:print']);
  const files = join(folder, 'files');
  await mkdir(files);
  await makeShop(join(files, 'shop.duckdb'));
  acme = await startFake(({ body }) => ({ body: { rows: rowsOfAcme(body) } }));
  server = startProgram(
    process.execPath,
    ['scripts/start.mjs'],
    { DATA_DIR: join(folder, 'data'), FILES_DIR: files, ALLOW_PRIVATE_HOSTS: '127.0.0.1' },
    undefined,
    folder,
  );
  base = await server.ready();
  key = await server.key();
}, 900_000);

afterAll(async () => {
  await server?.stop();
  await acme?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

/** Run a command in the copy. Throws with all that it printed where it fails. */
async function run(program: string, args: readonly string[]): Promise<void> {
  const started = startProgram(program, args, {}, undefined, folder);
  const code = await started.ended;
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}:\n${started.output()}`);
}

async function makeShop(path: string): Promise<void> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run(`create table orders (id integer, amount integer);
    insert into orders values (1, 1), (2, 2), (3, 9); checkpoint`);
  connection.closeSync();
  instance.closeSync();
}

function rowsOfAcme(sql: string): unknown[][] {
  if (sql === 'SELECT version()') return [['7']];
  return sql.includes('information_schema.columns')
    ? [['public', 'rockets', 'thrust', 'integer', 1]]
    : [[42]];
}

async function ask(method: string, path: string, body?: object) {
  const response = await fetch(`${base}${path === '/graphql' ? '' : '/api/v1'}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  }).catch((error) => {
    throw new Error(`${method} ${path}: ${error}. The server said:\n${server?.output()}`);
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

async function graphql(query: string, variables: object = {}) {
  const { data, errors } = await ask('POST', '/graphql', { query, variables });
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

const find = `query ($title: String!) {
  resources(where: { title: { eq: $title } }, first: 1) { nodes { id kind titleFull } } }`;

/** Connect a source, sync it, and wait for one of its resources. */
async function synced(type: string, credentials: object, title: string): Promise<string> {
  const { createIntegration } = await graphql(
    `mutation ($type: String!, $input: CreateIntegrationInput!) {
      createIntegration(type: $type, input: $input) { id } }`,
    { type, input: { name: type, credentials } },
  );
  const { id } = createIntegration;
  const { testConnection, triggerSync } = await graphql(
    `mutation ($id: ID!) {
      testConnection(integrationId: $id) { ok checks { message } }
      triggerSync(integrationId: $id) { id } }`,
    { id },
  );
  expect(testConnection).toMatchObject({ ok: true });
  expect(triggerSync.id).toBeTruthy();
  const nodes = async () => (await graphql(find, { title })).resources.nodes;
  await expect.poll(nodes, patience).toHaveLength(1);
  return (await nodes())[0].id;
}

test('the migration says what changed, and the schema has all that is new', async () => {
  const names = await readdir(join(folder, 'prisma/migrations'));
  const [made = ''] = names.filter((name) => name.endsWith('_recipes'));
  const sql = await readFile(join(folder, 'prisma/migrations', made, 'migration.sql'), 'utf8');
  expect(sql).toContain('ADD COLUMN     "steward_note" TEXT');
  expect(sql).toMatch(/ADD CONSTRAINT "monitor_metric_type_known" .*'median'/);
  expect(sql).toMatch(/ADD CONSTRAINT "custom_property_entity_types_known" .*'stream'/);
  expect(sql.match(/CONSTRAINT/g)).toHaveLength(4);
  const schema = await readFile(join(folder, 'schema.graphql'), 'utf8');
  for (const line of ['  median', '  stream', '  stewardNote: String', 'type Stream implements']) {
    expect(schema).toContain(`\n${line}`);
  }
});

test('a metric is measured on its source, kept, and shown over REST', async () => {
  const targetId = await synced('duckdb', { path: 'shop.duckdb' }, 'amount');
  const { testMonitor } = await graphql(
    `mutation ($input: CreateMonitorInput!) { testMonitor(input: $input) { outcome value } }`,
    { input: { targetId, metricType: 'median' } },
  );
  expect(testMonitor).toEqual({ outcome: 'MEASURED', value: 2 });
  const made = await ask('POST', '/monitor/monitors', { target: targetId, metric_type: 'median' });
  expect(await ask('GET', `/monitor/monitors/${made.id}`)).toMatchObject({ metric_type: 'median' });
  const { monitor } = await graphql('query ($id: ID!) { monitor(id: $id) { metricType } }', made);
  expect(monitor).toEqual({ metricType: 'median' });
});

test('a connector is offered, tested and synced, and monitors measure there', async () => {
  const { integrationTypes } = await graphql(
    '{ integrationTypes { name label fedBy fields { name isRequired isSecret } } }',
  );
  expect(integrationTypes).toContainEqual({
    ...{ name: 'acme', label: 'Acme', fedBy: 'sync' },
    fields: [
      { name: 'host', isRequired: true, isSecret: false },
      { name: 'port', isRequired: false, isSecret: false },
      { name: 'user', isRequired: true, isSecret: false },
      { name: 'password', isRequired: false, isSecret: true },
      { name: 'ssl', isRequired: false, isSecret: false },
      { name: 'ca', isRequired: false, isSecret: false },
    ],
  });
  const login = { host: '127.0.0.1', port: acme.port, user: 'u', password: 'p' };
  const targetId = await synced('acme', login, 'rockets');
  expect(await ask('GET', `/table/tables/${targetId}`)).toMatchObject({
    title_full: 'acme.public.rockets',
  });
  const { testMonitor } = await graphql(
    `mutation ($input: CreateMonitorInput!) { testMonitor(input: $input) { outcome value } }`,
    { input: { targetId, metricType: 'row_count' } },
  );
  expect(testMonitor).toEqual({ outcome: 'MEASURED', value: 42 });
});

test('a REST route answers, and its document describes it', async () => {
  const { integrationTypes } = await graphql('{ integrationTypes { name label fed_by: fedBy } }');
  expect(await ask('GET', '/integration/types')).toEqual(integrationTypes);
  const { paths } = await ask('GET', '/openapi.json');
  expect(paths['/api/v1/integration/types'].get.summary).toBe('List the types of integrations');
});

test('a field of every resource is written and read, and its limit holds', async () => {
  const document = await ask('POST', '/document/documents', { title: 'Handbook' });
  expect(document.steward_note).toBeNull();
  const path = `/document/documents/${document.id}`;
  const changed = await ask('PATCH', path, { steward_note: 'Ask Ada first.' });
  expect(changed.steward_note).toBe('Ask Ada first.');
  const { resource } = await graphql(
    'query ($id: ID!) { resource(id: $id) { stewardNote } }',
    document,
  );
  expect(resource).toEqual({ stewardNote: 'Ask Ada first.' });
  const tooLong = ask('PATCH', path, { steward_note: 'x'.repeat(1_001) });
  await expect(tooLong).rejects.toThrow(/400 .*steward_note/);
});

test('the pages of the copy say of its fields what its code does', async () => {
  const vitest = 'node_modules/vitest/vitest.mjs';
  await run(process.execPath, [vitest, 'run', '--project', 'tests', 'test/house/fields.test.ts']);
}, 120_000);

test('a kind is made, listed and read, with the fields that it has', async () => {
  const stream = await ask('POST', '/stream/streams', { title: 'clicks', database: 'web' });
  expect(stream).toMatchObject({ entity_type: 'stream', title: 'clicks', database: 'web' });
  const { results } = await ask('GET', '/stream/streams');
  expect(results.map(({ id }: { id: string }) => id)).toEqual([stream.id]);
  const { resource } = await graphql(
    'query ($id: ID!) { resource(id: $id) { kind ... on Stream { databaseName } } }',
    stream,
  );
  expect(resource).toEqual({ kind: 'stream', databaseName: 'web' });
});

describe.runIf(hasBrowser('the explorer of a copy with the recipes'))('the explorer', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
  });

  async function on(path: string, look: (page: Page) => Promise<void>): Promise<void> {
    await using visited = await visit(browser, { base, key, path });
    await look(visited.page);
    expect(visited.problems).toEqual([]);
  }

  test('offers the connector with the fields of its credentials', async () => {
    await on('/imports/new', async (page) => {
      await page.getByLabel('Type').selectOption('Acme', patience);
      for (const label of ['Host', 'Port (optional)', 'User', 'Password (optional)']) {
        await page.getByLabel(label, { exact: true }).waitFor(patience);
      }
      expect(await page.getByLabel('Database', { exact: true }).count()).toBe(0);
    });
  });

  test('offers the metric for a column of numbers', async () => {
    const { resources } = await graphql(find, { title: 'thrust' });
    await on(`/monitors/new?target=${resources.nodes[0].id}`, async (page) => {
      await page.getByLabel('Metric').selectOption('median', patience);
    });
  });

  test('shows the field and the kind', async () => {
    const { id } = await ask('POST', '/stream/streams', { title: 'orders placed' });
    await ask('PATCH', `/stream/streams/${id}`, { steward_note: 'Delayed by a minute.' });
    await on(`/resource/${id}`, async (page) => {
      await page.getByText('Delayed by a minute.').waitFor(patience);
      await page.getByText('Steward note').waitFor(patience);
      await page.getByText('stream', { exact: true }).first().waitFor(patience);
    });
    await on('/search?q=orders&kinds=stream', async (page) => {
      await page.getByText('orders placed').first().waitFor(patience);
    });
  });
});
