// The command line against a real server: every command, and every code that it ends with.

import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorker } from '../../src/jobs/worker.ts';
import { createLineage } from '../../src/lineage/edge.ts';
import { createApiKey } from '../../src/people/api-key.ts';
import { handlers } from '../../src/work.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { root } from '../house/sources.ts';
import { bakery } from '../integrations/imports/bakery.ts';

let catalog: Catalog;
let url: string;
let folder: string;
let worker: ReturnType<typeof startWorker>;
beforeAll(async () => {
  catalog = await openCatalog();
  const { database, surroundings } = catalog;
  const onError = (error: unknown) => expect.unreachable(String(error));
  worker = startWorker({ database, surroundings, handlers, onError });
  url = await catalog.listen();
  folder = await mkdtemp(join(tmpdir(), 'headwater-cli-'));
}, 240_000);
afterAll(async () => {
  await worker.stop();
  await rm(folder, { recursive: true });
  await catalog[Symbol.asyncDispose]();
});

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Run the program as npm would install it, with nothing of this environment. */
function run(
  args: readonly string[],
  more: Record<string, string> = {},
  input = '',
): Promise<Ended> {
  const env = {
    HEADWATER_URL: url,
    HEADWATER_KEY: catalog.keyOf('admin'),
    XDG_CONFIG_HOME: folder,
  };
  const options = { cwd: folder, env: { ...env, ...more } };
  return new Promise((resolve) => {
    const program = join(root, 'bin/headwater.mjs');
    const child = execFile(process.execPath, [program, ...args], options, (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err });
    });
    child.stdin?.end(input);
  });
}

const file = async (name: string, text: string) => {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
};

const csv = 'database,schema,name,col_name\nshop,public,orders,id\nshop,public,orders,amount';

test('an import is tried, waited for, found again, and shown', async () => {
  await catalog.integration({ name: 'warehouse' });
  const path = await file('tables.csv', csv);
  const into = ['import', path, '--into', 'warehouse'];
  const tried = await run([...into, '--dry-run']);
  expect([tried.code, tried.out]).toEqual([10, '5 to create, 0 to update, 0 to become stale\n']);
  const done = await run([...into, '--wait', '--json']);
  expect([done.code, JSON.parse(done.out).state]).toEqual([0, 'succeeded']);
  expect((await run([...into, '--dry-run'])).code).toBe(0);
  const found = await run(['search', 'orders', '--kind', 'table']);
  expect(found.out).toMatch(/^table\tshop\.public\.orders\t[0-9a-f-]{36}\n$/);
  const shown = await run(['show', 'shop.public.orders', '--json']);
  expect(JSON.parse(shown.out)).toMatchObject({ kind: 'table', owners: [] });
  expect((await run(['show', 'orders'])).out).toContain('No owner');
}, 240_000);

test('lineage and impact name what is downstream, and a limit says no', async () => {
  const [from, to] = [
    await catalog.resource({ title: 'raw' }),
    await catalog.resource({ title: 'mart' }),
  ];
  const link = `mutation { createLineage(input: { fromId: "${from.id}", toId: "${to.id}" }) { id } }`;
  expect((await run(['api', link])).code).toBe(0);
  expect((await run(['lineage', 'raw', '--down'])).out).toContain(`1\ttable\tmart\t${to.id}`);
  expect((await run(['lineage', 'mart', '--down'])).out).not.toContain('raw');
  expect(await run(['impact', 'raw'])).toMatchObject({ code: 0, out: 'mart\n' });
  const limited = await run(['impact', 'raw', '--fail-on', 'tables=1']);
  expect([limited.code, limited.err]).toEqual([
    10,
    'The change reaches 1 table; --fail-on allows fewer than 1.\n',
  ]);
  expect((await run(['impact', 'raw', '--fail-on', 'tables=2'])).code).toBe(0);
  expect((await run(['impact', 'raw', '--markdown'])).out).toBe('- mart\n');
}, 240_000);

test('all that a change reaches counts for the limit, however long the list is', async () => {
  const hub = await catalog.resource({ title: 'hub' });
  for (let n = 0; n < 60; n += 1) {
    const { id } = await catalog.resource({ title: `reader ${n}` });
    await createLineage(catalog.admin, { fromId: hub.id, toId: id });
  }
  const all = await run(['impact', 'hub', '--fail-on', 'tables=61']);
  expect([all.code, all.out.trim().split('\n').length]).toEqual([0, 60]);
  const limited = await run(['impact', 'hub', '--fail-on', 'tables=60']);
  expect([limited.code, limited.err]).toEqual([
    10,
    'The change reaches 60 tables; --fail-on allows fewer than 60.\n',
  ]);
}, 240_000);

/** A manifest of a model and one that is made from it. */
function twoModels(sql: string): string {
  const place = { database: 'd', schema: 's', config: { materialized: 'table' } };
  const columns = { id: { name: 'id' } };
  const model = { resource_type: 'model', columns, ...place };
  const [base, top] = ['model.p.base', 'model.p.top'];
  return JSON.stringify({
    metadata: {
      dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v11.json',
      adapter_type: 'postgres',
    },
    nodes: {
      [base]: { ...model, name: 'base', compiled_code: sql, depends_on: { nodes: [] } },
      [top]: {
        ...{ ...model, name: 'top', compiled_code: 'select id from d.s.base' },
        depends_on: { nodes: [base] },
      },
    },
  });
}

test('a manifest is reviewed in Markdown', async () => {
  await catalog.integration({ name: 'project', type: 'dbt_core' });
  const manifest = await file('manifest.json', JSON.stringify(bakery()));
  const into = ['--into', 'project', '--wait', '--force'];
  const done = await run(['import', manifest, ...into]);
  expect([done.code, done.err]).toEqual([0, '']);
  const reviewed = await run(['impact', '--manifest', manifest, '--into', 'project', '--markdown']);
  expect(reviewed.code).toBe(0);
  expect(reviewed.out).toContain('#');

  // Other rows of a model that another is made from.
  await run(['import', await file('manifest.json', twoModels('select id from raw.x')), ...into]);
  const changed = await file('next.json', twoModels('select id from raw.x where id > 1'));
  const ask = ['impact', '--manifest', changed, '--into', 'project', '--fail-on'];
  const limited = await run([...ask, 'tables=1']);
  expect([limited.code, limited.err]).toEqual([
    10,
    expect.stringMatching(/^The change reaches \d+ tables?; --fail-on allows fewer than 1\.\n$/),
  ]);
  expect((await run([...ask, 'tables=1000'])).code).toBe(0);

  // Next to a base only what differs from that counts, whatever the catalog has.
  const versus = (base: string) => run([...ask, 'tables=1', '--base', base]);
  expect(await versus(changed)).toMatchObject({ code: 0 });
  expect((await versus(manifest)).code).toBe(10);
  expect((await versus('main')).code).toBe(2);
  const git = (...args: string[]) => promisify(execFile)('git', args, { cwd: folder });
  await git('init', '-b', 'main');
  await git('add', 'next.json');
  await git('-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '-m', 'Base');
  expect((await versus('main')).code).toBe(0);
  await file('next.json', twoModels('select id from raw.x where id > 2'));
  expect((await versus('main')).code).toBe(10);
  expect((await versus('--output=x')).code).toBe(2);
}, 240_000);

test('monitors are exported and run, and one that cannot be measured says no', async () => {
  const { id } = await catalog.resource({ title: 'watched' });
  const create = `mutation { createMonitor(input: {
    name: "rows", targetId: "${id}", metricType: row_count }) { id } }`;
  await run(['api', create]);
  expect((await run(['monitors', 'export'])).code).toBe(0);
  expect((await run(['monitors', 'run', 'rows'])).out).toMatch(/^The monitors run as job /);
  expect((await run(['monitors', 'run', 'no such monitor'])).code).toBe(4);
  const waited = await run(['monitors', 'run', 'rows', '--wait']);
  expect([waited.code, waited.err]).toEqual([10, 'rows: error\n']);
}, 240_000);

test('a plan says what differs, and apply makes it so, once', async () => {
  const table = await catalog.resource({ title: 'planned' });
  await catalog.resource({ title: 'amount', kind: 'column', parentId: table.id, type: 'integer' });
  const plan = async (yaml: string, ...more: string[]) =>
    run(['monitors', 'plan', await file('monitors.yaml', yaml), ...more]);
  const apply = async (yaml: string, ...more: string[]) =>
    run(['monitors', 'apply', await file('monitors.yaml', yaml), ...more]);
  const yaml = (max: number, more = '') => `tables:
  - table: planned
    monitors:
      - { name: rows, metric_type: row_count, condition_manual_max: ${max} }
      ${more}`;
  const column = '- { name: sum, column: amount, metric_type: sum, is_enabled: false }';
  const planned = await plan(yaml(10, column));
  expect([planned.code, planned.out]).toEqual([10, '+ planned: rows\n+ planned.amount: sum\n']);
  expect((await apply(yaml(10, column))).code).toBe(0);
  expect(await plan(yaml(10, column))).toMatchObject({
    ...{ code: 0, out: 'All monitors are as the file has them.\n' },
  });
  // What export writes is what apply takes, with nothing to do.
  const exported = (await run(['monitors', 'export'])).out;
  expect((await plan(exported, '--prune')).code).toBe(0);
  const changed = await apply(yaml(20));
  expect(changed.out).toBe('~ planned: rows\n    condition_manual_max: 10 -> 20\n');
  expect(JSON.parse((await plan(yaml(20), '--json')).out)).toEqual([]);
  expect((await plan(yaml(20), '--prune')).out).toBe('- planned.amount: sum\n');
  expect((await apply(yaml(20), '--prune')).code).toBe(0);
  expect((await run(['monitors', 'export'])).out).not.toContain('name: sum');
  expect((await apply('tables: 5')).code).toBe(2);
  expect((await apply(': {')).code).toBe(2);
  expect((await apply(yaml(1).replace('table: planned', 'table: nowhere'))).code).toBe(4);
  const key = { HEADWATER_KEY: catalog.keyOf('viewer') };
  const path = await file('monitors.yaml', yaml(30));
  expect((await run(['monitors', 'apply', path], key)).code).toBe(3);
}, 240_000);

test('an edit changes what its filters hold for, and a dry run only counts', async () => {
  for (const title of ['edited 1', 'edited 2', 'other']) await catalog.resource({ title });
  const tag = await catalog.tag({ name: 'core' });
  const edit = (...args: string[]) => run(['edit', ...args]);
  const which = ['--where', 'kind=table', 'title=edited', 'owner=none', '--add-tag', 'core'];
  const tried = await edit(...which, '--dry-run');
  expect([tried.code, tried.out]).toEqual([10, '2 of 2 would change\n']);
  expect((await edit(...which, '--verified', 'true')).out).toBe('2 of 2 changed\n');
  const found = await run(['search', 'tag:core', 'is:verified']);
  expect(found.out.trim().split('\n')).toHaveLength(2);
  const again = await edit('--where', 'tag=core', '--remove-tag', tag.id, '--dry-run', '--json');
  expect(JSON.parse(again.out)).toEqual({ matched: 2, updated: 2, failed: [] });
  const key = { HEADWATER_KEY: catalog.keyOf('viewer') };
  const ended = await Promise.all([
    edit('--where', 'kind=table'),
    edit('--where', 'colour=red', '--pii', 'true'),
    edit('--where', 'kind=table', '--pii', 'perhaps'),
    edit('--where', 'kind=table', '--add-tag', 'no such tag'),
    run(['edit', '--where', 'kind=table', '--pii', 'true'], key),
  ]);
  expect(ended.map(({ code }) => code)).toEqual([2, 2, 2, 4, 3]);
}, 240_000);

test('keys are made, listed, rotated and revoked', async () => {
  const made = await run(['keys', 'create', 'from the shell']);
  expect(made.out).toMatch(/^hwk_\w+\n$/);
  const key = { HEADWATER_KEY: made.out.trim() };
  expect((await run(['doctor'], key)).out).toContain('(admin)');
  expect((await run(['keys', 'list'], key)).code).toBe(3);
  const listed: { id: string; name: string }[] = JSON.parse(
    (await run(['keys', 'list', '--json'])).out,
  );
  const id = listed.find(({ name }) => name === 'from the shell')?.id ?? '';
  const second = await run(['keys', 'rotate', id]);
  expect((await run(['doctor'], { HEADWATER_KEY: second.out.trim() })).code).toBe(0);
  expect((await run(['keys', 'revoke', id])).code).toBe(0);
}, 240_000);

test('login keeps a key that works, for its server alone and its owner alone', async () => {
  const { key } = await createApiKey(catalog.admin, { name: 'login' });
  const without = { HEADWATER_KEY: '', HEADWATER_URL: '' };
  expect((await run(['login', url], {}, 'hwk_wrong\n')).code).toBe(3);
  expect((await run(['login', url], {}, `${key}\n`)).code).toBe(0);
  const path = join(folder, 'headwater/login.json');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await run(['doctor'], without)).code).toBe(0);
  const elsewhere = await run(['doctor'], { ...without, HEADWATER_URL: 'http://127.0.0.1:59' });
  expect([elsewhere.code, elsewhere.err]).toEqual([
    2,
    expect.stringContaining('Set HEADWATER_KEY'),
  ]);
}, 240_000);

test('what stands before a server that is away is not taken for it', async () => {
  const proxy = createServer((_, answer) => {
    answer.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  for (const args of [['doctor'], ['api', 'GET', '/table/tables']]) {
    expect(await run(args, { HEADWATER_URL: origin })).toMatchObject({
      ...{ code: 5, err: `${origin} answers 502, but not as Headwater does.\n` },
    });
  }
  proxy.close();
}, 240_000);

test('each way to fail has its code, and a message without a stack', async () => {
  await catalog.resource({ title: 'twice' });
  await catalog.resource({ title: 'twice' });
  const key = { HEADWATER_KEY: catalog.keyOf('viewer') };
  const path = await file('more.csv', csv);
  const ended = await Promise.all([
    run(['api', 'query { nothing }']),
    run(['no-such-command']),
    run(['impact']),
    run(['import', join(folder, 'none.csv'), '--into', 'x']),
    run(['keys', 'create', 'x'], { HEADWATER_KEY: 'hwk_wrong' }),
    run(['import', path, '--into', 'warehouse'], key),
    run(['show', 'twice']),
    run(['show', 'no such thing']),
    run(['api', 'GET', '/table/tables/00000000-0000-4000-8000-000000000000']),
    run(['doctor'], { HEADWATER_URL: 'http://127.0.0.1:59' }),
  ]);
  expect(ended.map(({ code }) => code)).toEqual([1, 2, 2, 2, 3, 3, 4, 4, 4, 5]);
  for (const { err } of ended) {
    expect(err).not.toBe('');
    expect(err).not.toContain('    at ');
  }
}, 240_000);
