// Uploads whose client does not wait: answered with a job that goes on, and says what came of it.

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { takeImportPlace } from '../../src/database/connections/limits.ts';
import { settleHere } from '../../src/jobs/here-ending.ts';
import { cancelJob, getJob } from '../../src/jobs/job.ts';
import { type Catalog, openCatalog, type RestAnswer } from '../catalog.ts';
import { ended } from '../jobs/ended.ts';
import { conformance, operationsOf } from '../rest/openapi/conform.ts';

const async = { prefer: 'wait=1, respond-async' };

/** A catalog of its own whose uploads lie in a folder of its own. */
async function openUploads() {
  const folder = await mkdtemp(join(tmpdir(), 'background-test-'));
  const catalog = await openCatalog({ alone: true, maxConnections: 5 });
  await catalog.app({ DATA_DIR: folder, MAX_UPLOAD_BYTES: '200000' });
  const { id } = await catalog.integration();
  const path = `/integration/integrations/${id}/import_jsonl_metadata`;
  return {
    catalog,
    id,
    path,
    post: (options: Upload = {}) => post(catalog, path, options),
    left: () => readdir(join(folder, 'uploads')).catch(() => []),
    /** Keep every import waiting in line until told otherwise. */
    async hold() {
      const { signal } = new AbortController();
      const { pool } = catalog.database;
      const places = await Promise.all([1, 2].map(() => takeImportPlace(pool, signal, () => {})));
      return () => {
        for (const place of places) place[Symbol.dispose]();
      };
    },
    async [Symbol.asyncDispose]() {
      await catalog[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Upload {
  readonly lines?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly as?: 'admin' | 'editor';
}

const table = (key: string, more: object = {}) =>
  `${JSON.stringify({ entity_type: 'table', databuilder_id: key, title: key, ...more })}\n`;

async function post(catalog: Catalog, path: string, { lines, query = '', headers, as }: Upload) {
  const body = new FormData();
  body.append('resources_file', new Blob([lines ?? table('a') + table('b')]), 'resources.jsonl');
  const caller = { as: as ?? 'admin' } as const;
  return catalog.rest('POST', path + query, { body, caller, ...(headers ? { headers } : {}) });
}

const jobOf = ({ headers }: RestAnswer) => ({ id: headers.get('x-job-id') ?? '' });

test.each([
  ['Prefer: respond-async', { headers: async }],
  ['async=true', { query: '?async=true' }],
])('%s answers with the job before the import is done', async (_, options) => {
  await using uploads = await openUploads();
  const { catalog } = uploads;
  const letGo = await uploads.hold();
  const answer = await uploads.post(options);
  expect(answer.status).toBe(202);
  const { id } = jobOf(answer);
  expect(answer.headers.get('location')).toBe(`/api/v1/background_jobs/${id}`);
  expect(answer.headers.get('preference-applied')).toBe('respond-async');
  expect(answer.body).toMatchObject({ id, completed: null, failed: false });
  const read = () => catalog.rest('GET', `/background_jobs/${id}`);
  expect(Object.keys((await read()).body)).toEqual(Object.keys(answer.body));
  // It says where it is.
  await expect
    .poll(async () => (await read()).body)
    .toMatchObject({
      ...{ id, state: 'running', progress_step: 'waiting for other imports' },
      ...{ progress_done: 0, progress_total: null, last_error: null, result: null },
    });
  expect((await catalog.rest('GET', '/table/tables')).body.count).toBe(0);
  expect(await uploads.left()).toHaveLength(1);

  letGo();
  const job = await ended(catalog.admin, { id });
  expect(job).toMatchObject({
    state: 'succeeded',
    result: { created: 2, kinds: { table: 2 }, lineageJobId: null },
  });
  const done = { state: 'succeeded', result: { created: 2 } };
  expect((await read()).body).toMatchObject({ id, failed: false, title: job.title, ...done });
  expect((await read()).body.completed).not.toBeNull();
  expect((await catalog.rest('GET', '/table/tables')).body.count).toBe(2);
  while ((await uploads.left()).length > 0) await sleep(5);
  expect(catalog.unexpected).toEqual([]);
});

test('who asks for no answer at once gets the one there was before, and the job by name', async () => {
  await using uploads = await openUploads();
  for (const options of [
    {},
    { headers: { prefer: 'return=minimal' } },
    { query: '?async=false' },
  ]) {
    const answer = await uploads.post(options);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers.get('preference-applied')).toBeNull();
    expect(answer.headers.get('x-lineage-job-id')).toBeNull();
    const job = await getJob(uploads.catalog.admin, jobOf(answer).id);
    expect(job).toMatchObject({ kind: 'import', state: 'succeeded' });
  }
  // A word of the query comes before one of the headers.
  const both = await uploads.post({ query: '?async=false', headers: async });
  expect(both.status).toBe(204);
  const dry = await uploads.post({ query: '?dry_run=true' });
  expect([dry.status, dry.body.unchanged]).toEqual([200, 2]);
  expect(await getJob(uploads.catalog.admin, jobOf(dry).id)).toMatchObject({ state: 'succeeded' });
});

test('a dry run in the background leaves what it counted with its job', async () => {
  await using uploads = await openUploads();
  const answer = await uploads.post({ query: '?dry_run=true&async=1' });
  expect(answer.status).toBe(202);
  const job = await ended(uploads.catalog.admin, jobOf(answer));
  expect(job).toMatchObject({ state: 'succeeded', result: { created: 2, unchanged: 0 } });
  expect(job.logs).toContain('Would be done. Resources: 2 created');
  expect((await uploads.catalog.rest('GET', '/table/tables')).body.count).toBe(0);
});

test('a file that is wrong fails the job, which names the line, and changes nothing', async () => {
  await using uploads = await openUploads();
  const lines = `${table('a')}{"entity_type": "table"}\n`;
  const direct = await uploads.post({ lines });
  expect([direct.status, direct.body.code]).toEqual([400, 'BAD_REQUEST']);
  const { catalog } = uploads;
  expect(await getJob(catalog.admin, jobOf(direct).id)).toMatchObject({ state: 'failed' });
  const answer = await uploads.post({ lines, headers: async });
  expect(answer.status).toBe(202);
  const job = await ended(catalog.admin, jobOf(answer));
  expect(job).toMatchObject({ state: 'failed', lastError: direct.body.detail });
  expect(job.lastError).toContain('resources_file, line 2');
  const { body } = await catalog.rest('GET', `/background_jobs/${job.id}`);
  expect(body).toMatchObject({ failed: true, logs: expect.stringContaining('line 2') });
  expect((await catalog.rest('GET', '/table/tables')).body.count).toBe(0);
  while ((await uploads.left()).length > 0) await sleep(5);
  expect(catalog.unexpected).toEqual([]);
});

test('what is refused before there is a job is refused directly', async () => {
  await using uploads = await openUploads();
  const { catalog, path } = uploads;
  const refused = async (options: Upload, where = path) => {
    const { status, headers } = await post(catalog, where, { headers: async, ...options });
    return [status, headers.get('x-job-id')];
  };
  expect(await refused({ as: 'editor' })).toEqual([403, null]);
  const nowhere = path.replace(uploads.id, '00000000-0000-4000-8000-000000000000');
  expect(await refused({}, nowhere)).toEqual([404, null]);
  expect(await refused({ query: '?async=maybe' })).toEqual([400, null]);
  expect(await refused({ lines: 'x'.repeat(250_000) })).toEqual([413, null]);
  expect(await refused({ headers: { ...async, 'content-type': 'text/plain' } })).toEqual([
    415,
    null,
  ]);
  const wrong = new FormData();
  wrong.append('other', new Blob(['x']), 'x');
  const form = await catalog.rest('POST', path, { body: wrong, headers: async });
  expect(form.status).toBe(400);

  const letGo = await uploads.hold();
  const first = await uploads.post({ headers: async });
  expect(first.status).toBe(202);
  expect(await refused({})).toEqual([409, null]);
  letGo();
  await ended(catalog.admin, jobOf(first));
  while ((await uploads.left()).length > 0) await sleep(5);
});

test('an import in the background can be cancelled', async () => {
  await using uploads = await openUploads();
  const { catalog } = uploads;
  const letGo = await uploads.hold();
  const answer = await uploads.post({ headers: async });
  const job = jobOf(answer);
  await cancelJob(catalog.admin, job.id);
  expect(await ended(catalog.admin, job)).toMatchObject({ state: 'cancelled' });
  letGo();
  while ((await uploads.left()).length > 0) await sleep(5);
  expect((await uploads.post()).status).toBe(204);
  expect(catalog.unexpected).toEqual([]);
});

test('its client may go away; a client that waits may not', async () => {
  await using uploads = await openUploads();
  const { catalog, path } = uploads;
  const origin = await catalog.listen();
  const send = (headers: Readonly<Record<string, string>>, signal?: AbortSignal) => {
    const body = new FormData();
    body.append('resources_file', new Blob([table('a')]), 'resources.jsonl');
    const authorization = `Bearer ${catalog.keyOf('admin')}`;
    return fetch(`${origin}/api/v1${path}`, {
      method: 'POST',
      body,
      headers: { authorization, connection: 'close', ...headers },
      ...(signal ? { signal } : {}),
    });
  };
  let letGo = await uploads.hold();
  const answer = await send(async);
  expect(answer.status).toBe(202);
  const { id } = await answer.json();
  // The connection is closed by now.
  await sleep(200);
  letGo();
  expect(await ended(catalog.admin, { id })).toMatchObject({ state: 'succeeded' });

  letGo = await uploads.hold();
  const leaving = new AbortController();
  const waiting = send({}, leaving.signal).catch(() => 'left');
  const newest = async () => (await catalog.rest('GET', '/background_jobs')).body.results[0];
  while ((await newest()).id === id) await sleep(20);
  leaving.abort();
  expect(await waiting).toBe('left');
  const job = await ended(catalog.admin, await newest());
  expect(job).toMatchObject({ state: 'failed', lastError: expect.stringContaining('went away') });
  letGo();
});

test('a server that stops lets an import end, or says of it that it stopped', async () => {
  await using uploads = await openUploads();
  const { catalog } = uploads;
  const quick = jobOf(await uploads.post({ headers: async }));
  await settleHere(catalog.database, 10_000);
  expect(await getJob(catalog.admin, quick.id)).toMatchObject({ state: 'succeeded' });

  const letGo = await uploads.hold();
  const slow = jobOf(await uploads.post({ headers: async }));
  await settleHere(catalog.database, 50);
  const job = await getJob(catalog.admin, slow.id);
  expect(job.state).toBe('failed');
  expect(job.lastError).toBe(
    'The server stopped before the import had ended; nothing was changed. Upload it again.',
  );
  letGo();
  while ((await uploads.left()).length > 0) await sleep(5);
});

test('an upload names the job that still reads lineage from SQL', async () => {
  await using uploads = await openUploads();
  const { catalog } = uploads;
  const { id } = await catalog.integration({ type: 'dbt_core' });
  const node = {
    unique_id: 'model.shop.daily',
    ...{ resource_type: 'model', name: 'daily', package_name: 'shop' },
    ...{ database: 'shop', schema: 'marts', columns: { day: { name: 'day' } } },
    ...{ compiled_code: 'select day from shop.staging.days', depends_on: { nodes: [] } },
  };
  const manifest = {
    metadata: { dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v12.json' },
    nodes: { [node.unique_id]: node },
    sources: {},
  };
  const body = new FormData();
  body.append('manifest', new Blob([JSON.stringify(manifest)]), 'manifest.json');
  const path = `/integration/transform/${id}/upload_artifacts/`;
  const answer = await catalog.rest('POST', path, { body });
  expect(answer.status).toBe(204);
  const trace = answer.headers.get('x-lineage-job-id') ?? '';
  expect(await getJob(catalog.admin, trace)).toMatchObject({ kind: 'lineage.trace' });
  const job = await getJob(catalog.admin, jobOf(answer).id);
  expect(job).toMatchObject({ result: { lineageJobId: trace } });
  expect(job.logs).toContain(trace);
});

test('the document says what an upload in the background answers', async () => {
  await using uploads = await openUploads();
  const { document } = await (await uploads.catalog.app()).rest();
  const operation = operationsOf(document).find(
    (one) => one.operation.operationId === 'ImportJsonlMetadata',
  );
  if (!operation) throw new Error('The document has no such operation.');
  const answer = await uploads.post({ headers: async });
  const type = answer.headers.get('content-type');
  expect(conformance(document).check(operation, 202, type, answer.text)).toEqual([]);
  const { responses } = JSON.parse(JSON.stringify(operation.operation));
  const named = ['X-Job-Id', 'Location', 'Preference-Applied'];
  expect(Object.keys(responses['202'].headers)).toEqual(named);
  for (const name of named) expect(answer.headers.get(name)).not.toBeNull();
  expect(Object.keys(responses['204'].headers)).toEqual(['X-Job-Id', 'X-Lineage-Job-Id']);
  await ended(uploads.catalog.admin, jobOf(answer));
});
