// Uploads over REST: the form, its limits and its answers.

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type Catalog, openCatalog } from '../catalog.ts';

/** A catalog whose uploads are kept in a folder of its own, with a custom integration. */
async function openUploads() {
  const folder = await mkdtemp(join(tmpdir(), 'uploads-test-'));
  const catalog = await openCatalog();
  await catalog.app({ DATA_DIR: folder, MAX_UPLOAD_BYTES: '2000000' });
  const { id } = await catalog.integration();
  return {
    catalog,
    id,
    path: `/integration/integrations/${id}`,
    left: () => readdir(join(folder, 'uploads')).catch(() => []),
    async [Symbol.asyncDispose]() {
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function form(files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>): FormData {
  const data = new FormData();
  for (const [name, content] of Object.entries(files)) data.append(name, new Blob([content]), name);
  return data;
}

const header = 'database,schema,name,col_name,col_type';
const csv = (...tables: string[]) =>
  [header, ...tables.map((table) => `shop,public,${table},id,integer`)].join('\n');

async function tablesOf(catalog: Catalog): Promise<Record<string, boolean>> {
  const { body } = await catalog.rest('GET', '/table/tables');
  return Object.fromEntries(
    body.results.map(({ title, stale }: { title: string; stale: boolean }) => [title, stale]),
  );
}

test('a CSV upload is a sync: what it no longer names becomes stale, unless asked otherwise', async () => {
  await using uploads = await openUploads();
  const { catalog, path } = uploads;
  const post = (text: string, query = '') =>
    catalog.rest('POST', `${path}/import_metadata${query}`, { body: form({ file: text }) });
  const first = await post(csv('orders', 'customers'));
  expect([first.status, first.text]).toEqual([204, '']);
  expect(await tablesOf(catalog)).toEqual({ orders: false, customers: false });
  expect((await post(csv('orders'), '?stale=false')).status).toBe(204);
  expect(await tablesOf(catalog)).toEqual({ orders: false, customers: false });
  expect((await post(csv('orders'), '/')).status).toBe(204);
  expect(await tablesOf(catalog)).toEqual({ orders: false, customers: true });
  expect(await uploads.left()).toEqual([]);
});

test('a dry run says what would be done and changes nothing', async () => {
  await using uploads = await openUploads();
  const { catalog, path } = uploads;
  const url = `${path}/import_metadata/?dry_run=true`;
  const { status, body } = await catalog.rest('POST', url, { body: form({ file: csv('orders') }) });
  expect(status).toBe(200);
  // The database, the schema, the table and its column.
  expect(body).toEqual({
    ...{ created: 4, updated: 0, staled: 0, unchanged: 0, taken: { count: 0, first: [] } },
    shared: { claimed: 0, left: 0, merged: 0 },
    lineage: { created: 0, ended: 0, unchanged: 0, unknown: 0 },
    tests: { created: 0, updated: 0, staled: 0, unchanged: 0, results: 0 },
    monitors: { created: 0, updated: 0, removed: 0, unchanged: 0, waiting: 0 },
    ignored: [],
    problems: [],
    changes: [
      { action: 'created', kind: 'database', title: 'shop', fields: [], of: '' },
      { action: 'created', kind: 'schema', title: 'shop.public', fields: [], of: '' },
      { action: 'created', kind: 'table', title: 'shop.public.orders', fields: [], of: '' },
      { action: 'created', kind: 'column', title: 'shop.public.orders.id', fields: [], of: '' },
    ],
  });
  expect(await tablesOf(catalog)).toEqual({});
  expect(await uploads.left()).toEqual([]);
});

test('a dry run lists as many changes as GraphQL does, with fields under their names over REST', async () => {
  await using uploads = await openUploads();
  const { catalog, path, id } = uploads;
  const many = Array.from({ length: 250 }, (_, at) => `t${at}`);
  const send = (body: FormData, query: string) =>
    catalog.rest('POST', `${path}/import_jsonl_metadata${query}`, { body });
  const line = (name: string, type: string) =>
    `${JSON.stringify({ entity_type: 'table', databuilder_id: name, title: name, native_type: type })}\n`;
  const file = (type: string) =>
    form({ resources_file: many.map((name) => line(name, type)).join('') });
  const done = await send(file('table'), '');
  expect([done.status, done.body]).toEqual([204, undefined]);
  const { body } = await send(file('view'), '?dry_run=true');
  expect(body).toMatchObject({ created: 0, updated: 250, staled: 0 });
  expect(body.changes).toHaveLength(200);
  expect(body.changes[0]).toMatchObject({ action: 'updated', kind: 'table' });
  expect(body.changes[0].fields).toEqual(['native_type']);
  const { data } = await catalog.graphql(
    `mutation ($id: ID!, $resources: String!) {
      importJsonl(integrationId: $id, resources: $resources, dryRun: true) {
        changes { action kind title fields of }
      }
    }`,
    { id, resources: many.map((name) => line(name, 'view')).join('') },
  );
  const fields = ['nativeType'];
  expect(data.importJsonl.changes).toEqual(
    body.changes.map((change: object) => ({ ...change, fields, of: null })),
  );
  // In the background it answers its job, as it always did.
  const job = await send(file('view'), '?dry_run=true&async=true');
  expect([job.status, job.body.changes]).toEqual([202, undefined]);
  await expect.poll(uploads.left).toEqual([]);
});

test('JSONL files come together or alone, packed or not', async () => {
  await using uploads = await openUploads();
  const { catalog, path } = uploads;
  const url = `${path}/import_jsonl_metadata`;
  const line = (name: string) =>
    `{"entity_type":"table","databuilder_id":"${name}","title":"${name}"}\n`;
  const resources = gzipSync(line('a') + line('b'));
  const end = (name: string) => ({ internal_resource: { databuilder_id: name } });
  const lineages = JSON.stringify({ from_identifier: end('a'), to_identifier: end('b') });
  const both = form({ resources_file: new Uint8Array(resources), lineages_file: lineages });
  expect((await catalog.rest('POST', url, { body: both })).status).toBe(204);
  expect(await tablesOf(catalog)).toEqual({ a: false, b: false });
  expect((await catalog.rest('GET', '/lineage/manual')).body.count).toBe(2);
  const alone = form({ resources_file: line('a') });
  expect((await catalog.rest('POST', url, { body: alone })).status).toBe(204);
  expect(await tablesOf(catalog)).toEqual({ a: false, b: true });
});

test('artifacts go to a project, under either name of the tool', async () => {
  await using uploads = await openUploads();
  const { catalog } = uploads;
  const project = new URL('../../prisma/demo/project/', import.meta.url);
  const [manifest, results] = await Promise.all(
    ['manifest.json', 'run_results.json'].map((name) => readFile(new URL(name, project))),
  );
  const { id } = await catalog.integration({ type: 'dbt_core' });
  const files = () =>
    form({ manifest: gzipSync(manifest ?? ''), run_results: gzipSync(results ?? '') });
  for (const tool of ['transform', 'dbt']) {
    for (const slash of ['', '/']) {
      const url = `/integration/${tool}/${id}/upload_artifacts${slash}?dry_run=1`;
      const answer = await catalog.rest('POST', url, { body: files() });
      expect([answer.status, answer.body?.errors]).toEqual([200, undefined]);
      expect(answer.body.created).toBeGreaterThan(5);
    }
  }
  const other = `/integration/transform/${uploads.id}/upload_artifacts`;
  const wrong = await catalog.rest('POST', other, { body: files() });
  expect([wrong.status, wrong.body.detail]).toEqual([400, expect.stringContaining('custom')]);
});

test('after a file that is wrong nothing has changed, and the answer names the line', async () => {
  await using uploads = await openUploads();
  const { catalog, path } = uploads;
  const url = `${path}/import_metadata`;
  const text = `${csv('orders')}\nshop,public,,id,integer`;
  const answer = await catalog.rest('POST', url, { body: form({ file: text }) });
  expect([answer.status, answer.body.code]).toEqual([400, 'BAD_REQUEST']);
  expect(answer.body.detail).toContain('file, line 3');
  expect(answer.body.errors[0].field).toBe('name');
  expect(await tablesOf(catalog)).toEqual({});
  expect(await uploads.left()).toEqual([]);
});

test('what is no upload is refused with its reason, and leaves nothing behind', async () => {
  await using uploads = await openUploads();
  const { catalog, path } = uploads;
  const url = `${path}/import_metadata`;
  const body = () => form({ file: csv('orders') });
  const ask = async (where: string, options: Parameters<Catalog['rest']>[2]) => {
    const { status, body: problem } = await catalog.rest('POST', where, options);
    return [status, problem?.errors?.[0]?.field];
  };
  expect(await ask(url, { body: form({ other: 'x' }) })).toEqual([400, 'other']);
  expect(await ask(url, { body: {} })).toEqual([415, undefined]);
  expect(await ask(url, {})).toEqual([415, undefined]);
  expect(await ask(`${url}?stale=maybe`, { body: body() })).toEqual([400, 'stale']);
  expect(await ask(`${url}?dry_run=2`, { body: body() })).toEqual([400, 'dry_run']);
  const large = form({ file: `${csv('orders')}\n${' '.repeat(2_100_000)}` });
  expect(await ask(url, { body: large })).toEqual([413, undefined]);
  const bomb = form({ file: new Uint8Array(gzipSync(Buffer.alloc(5_000_000))) });
  expect(await ask(url, { body: bomb })).toEqual([413, undefined]);
  expect(await ask(url, { body: body(), caller: { as: 'editor' } })).toEqual([403, undefined]);
  expect(await ask(url, { body: body(), caller: { key: 'nonsense' } })).toEqual([401, undefined]);
  expect(await ask(url, { body: body(), caller: { key: null } })).toEqual([401, undefined]);
  const other = await (await catalog.another()).integration();
  for (const id of [other.id, 'no-uuid', '00000000-0000-4000-8000-000000000000']) {
    const where = `/integration/integrations/${id}/import_metadata`;
    expect(await ask(where, { body: body() })).toEqual([404, undefined]);
  }
  expect((await catalog.rest('GET', url)).status).toBe(405);
  expect(await tablesOf(catalog)).toEqual({});
  expect(await uploads.left()).toEqual([]);
  expect(catalog.unexpected).toEqual([]);
});
