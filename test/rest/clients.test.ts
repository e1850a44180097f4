// What public clients of this API do, replayed as plain HTTP on a real socket.

import { request as send } from 'node:http';
import { expect, test, vi } from 'vitest';
import { openCatalog } from '../catalog.ts';
import { operationsOf } from './openapi/conform.ts';
import { seed } from './seed.ts';

vi.setConfig({ testTimeout: 120_000 });

const catalog = await openCatalog();
const origin = await catalog.listen();
const base = `${origin}/api/v1`;
const here = await seed(catalog);
const headers = { authorization: `Bearer ${catalog.keyOf('admin')}` };

interface Wire {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // What an operation answers is known only to the test that asks.
  // biome-ignore lint/suspicious/noExplicitAny: tests read into answers of any shape.
  readonly body: any;
}

/** Send any method with any body to any path, byte by byte as it is given: fetch would mend it. */
function wire(method: string, path: string, body?: object | string): Promise<Wire> {
  const text = typeof body === 'string' ? body : body && JSON.stringify(body);
  const length = text === undefined ? {} : { 'content-length': Buffer.byteLength(text) };
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const options = { hostname, port, method, path, headers: { ...headers, ...length } };
    const request = send(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
        const all = Buffer.concat(chunks).toString();
        const isJson = /json/.test(response.headers['content-type'] ?? '') && all !== '';
        const parsed = isJson ? JSON.parse(all) : undefined;
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: all,
          body: parsed,
        });
      });
    });
    request.on('error', reject);
    request.end(text);
  });
}

const encoded = (value: object) => encodeURIComponent(JSON.stringify(value));

async function makeTables(count: number, prefix: string): Promise<void> {
  const { workspaceId, database } = catalog;
  await database.prisma.resource.createMany({
    data: Array.from({ length: count }, (_, n) => ({
      ...{ workspaceId, kind: 'table', title: `${prefix}${n}`, titleFull: `${prefix}${n}` },
    })),
  });
}

test.each([
  ['as it is', (next: string) => next],
  ['behind the base URL', (next: string) => `${base}/${next}`],
  [
    'behind the base URL and its slash, with a slash before the query',
    (next: string) => `${base}//${next}`.replace('v1//', 'v1/').replace('?', '/?'),
  ],
])('pages are followed by links.next %s, every record once', async (_, follow) => {
  const prefix = `walk${Math.random().toString(36).slice(2, 8)}_`;
  await makeTables(23, prefix);
  const filter = encoded({ operator: 'contains', field: 'title', value: prefix });
  let next: string | null = `${base}/resource/catalog?filter=${filter}&page_size=5`;
  const seen: string[] = [];
  let pages = 0;
  while (next) {
    const response: Response = await fetch(next, { headers });
    const body = await response.json();
    expect([response.status, response.redirected, body.count]).toEqual([200, false, 23]);
    seen.push(...body.results.map(({ title }: { title: string }) => title));
    pages += 1;
    expect(body.meta.page).toBe(pages);
    expect(body.links.next === null).toBe(body.meta.next_page === null);
    if (body.links.next) expect(new URL(body.links.next).origin).toBe(origin);
    next = body.links.next && follow(body.links.next);
  }
  expect(pages).toBe(5);
  expect(new Set(seen).size).toBe(23);
});

test('a page past the end is empty, and leads back', async () => {
  const { status, body } = await wire('GET', '/api/v1/tag?page=7&page_size=10');
  expect([status, body.results, body.links.next]).toEqual([200, [], null]);
  expect(body.links.previous).toBe(`${origin}/api/v1/tag?page=1&page_size=10`);
  expect(body.meta).toEqual({ page: 7, previous_page: 1, next_page: null });
});

test('a URL of another host inside the path is no path of ours', async () => {
  const inner = 'http://evil.example/api/v1/tag';
  expect((await wire('GET', `/api/v1/${inner}`)).status).toBe(404);
});

test('filters are URL-encoded JSON, and call the kind `type`', async () => {
  const list = async (filter: object, more = '') =>
    (await wire('GET', `/api/v1/resource/catalog?filter=${encoded(filter)}${more}`)).body;
  const exact = (field: string, value: unknown) => ({ operator: 'exact', field, value });
  const kinds = async (filter: object): Promise<string[]> => {
    const { results } = await list(filter, '&page_size=1000');
    return [...new Set<string>(results.map((one: { entity_type: string }) => one.entity_type))];
  };
  expect(await kinds(exact('type', 'chart'))).toEqual(['chart']);
  expect(await kinds(exact('entity_type', 'chart'))).toEqual(['chart']);
  const inOne = { operator: 'in', field: 'type', value: ['chart', 'dashboard'] };
  expect((await kinds(inOne)).sort()).toEqual(['chart', 'dashboard']);
  const both = { operator: 'and', operands: [exact('type', 'table'), exact('title', 'orders')] };
  expect((await list(both)).results.map(({ id }: { id: string }) => id)).toEqual([
    here.params.table_id,
  ]);
  const byId = await list(exact('id', here.params.table_id));
  expect(byId.results[0].id).toBe(here.params.table_id);
  const sorted = await list(
    inOne,
    `&sort=${encoded({ field: 'type', order: 'desc', tie_breaker: { field: 'title', order: 'asc' } })}`,
  );
  expect(sorted.results[0].entity_type).toBe('dashboard');
  const asList = await list(inOne, `&sort=${encoded([{ field: 'type', order: 'asc' }])}`);
  expect(asList.results[0].entity_type).toBe('chart');
  const wrong = await wire('GET', `/api/v1/resource/catalog?filter=${encoded(exact('colour', 1))}`);
  expect(wrong.status).toBe(400);
  expect(wrong.body.errors[0]).toMatchObject({ field: 'filter.field' });
  expect(wrong.body.errors[0].message).toContain('entity_type');
});

test('audit logs are filtered and sorted by JSON, too', async () => {
  const filter = encoded({
    operator: 'and',
    operands: [{ operator: 'exact', field: 'performer_type', value: 'API' }],
  });
  const sort = encoded({ field: 'logged_at', order: 'asc' });
  const { status, body } = await wire(
    'GET',
    `/api/v1/activity_log/audit_logs/?filter=${filter}&sort=${sort}&page=1`,
  );
  expect(status).toBe(200);
  expect(body.meta).toMatchObject({ page: 1, count: body.count, total_pages: body.total_pages });
  const times = body.results.map((one: { logged_at: string }) => one.logged_at);
  expect(times).toEqual([...times].sort());
});

test('bodies may name the wrong kind, send empty strings, and null for ids that there are not', async () => {
  const body = {
    ...{ title: 'sloppy', entity_type: 'glossary', description: '', definition: '', icon: '' },
    ...{ parent: null, integration: '', url: '', pii: 'false', verified: 'True', published: true },
    ...{ owners: [], tags: [], teams: [], nonsense: { a: 1 } },
  };
  const made = await wire('POST', '/api/v1/table/tables/', body);
  expect([made.status, made.body.errors]).toEqual([201, undefined]);
  expect(made.body).toMatchObject({
    ...{ entity_type: 'table', title: 'sloppy', parent: null, integration: null },
    ...{ pii: false, verified: true, owners: [], tags: [] },
  });
  const path = `/api/v1/table/tables/${made.body.id}`;
  const patch = { entity_type: 'glossary', description: 'better', owners: [here.params.user_id] };
  const changed = await wire('PATCH', path, patch);
  expect([changed.status, changed.body.entity_type]).toEqual([200, 'table']);
  expect(changed.body).toMatchObject({ description: 'better', verified: true });
  const chart = await wire('PATCH', `/api/v1/dashboard/charts/${made.body.id}`, patch);
  expect(chart.status).toBe(404);
});

test('is_manual is text in old clients, and says nothing new', async () => {
  const { table_id, document_id } = here.params;
  const body = { from_entity: table_id, to_entity: document_id, is_manual: 'true' };
  const made = await wire('POST', '/api/v1/lineage/manual', { ...body, direction: 'UPSTREAM' });
  expect([made.status, made.body.is_manual, made.body.direction]).toEqual([201, true, 'UPSTREAM']);
  const again = await wire('POST', '/api/v1/lineage/manual/', { ...body, direction: 'UPSTREAM' });
  expect([again.status, again.body.id]).toEqual([201, made.body.id]);
  const path = `/api/v1/lineage/manual?from_entity__in=${table_id}&to_entity__in=${document_id}`;
  const both = await wire('GET', path);
  expect(both.body.results).toEqual([made.body]);
  expect((await wire('DELETE', `/api/v1/lineage/manual/${made.body.id}`)).status).toBe(204);
  expect((await wire('GET', path)).body.count).toBe(0);
});

test('custom properties take PATCH for a part, PUT for the whole, and values as text', async () => {
  const properties = '/api/v1/resource/all_v2/custom_properties/';
  const whole = { name: 'Stage', entity_types: ['table', 'chart'], value_type: 'number' };
  const made = await wire('POST', properties, whole);
  expect(made.body).toEqual({ ...whole, id: made.body.id, description: '', options: [] });
  const path = `${properties}${made.body.id}`;
  const renamed = await wire('PATCH', path, { name: 'Phase' });
  expect(renamed.body).toEqual({ ...made.body, name: 'Phase' });
  const value = `${path}/${here.params.table_id}`;
  expect((await wire('PUT', value, { value: '12' })).status).toBe(204);
  expect((await wire('PATCH', `${value}/`, { value: '13' })).status).toBe(204);
  const wrong = await wire('PUT', value, { value: 'twelve' });
  expect([wrong.status, wrong.body.detail]).toEqual([400, expect.stringContaining('number')]);
  expect(wrong.body.detail).toContain('Phase');
  const bulk = '/api/v1/resource/all_v2/bulk_update/custom_properties/';
  const entity_ids = [here.params.table_id, here.params.chart_id];
  const set = (text: string) =>
    wire('PUT', bulk, { entity_ids, properties: { [made.body.id]: text } });
  expect((await set('5')).status).toBe(204);
  expect((await set('')).status).toBe(204);
  expect((await set('five')).status).toBe(400);
  expect((await wire('PUT', path, { name: 'Stage' })).status).not.toBe(500);
  expect((await wire('DELETE', path)).status).toBe(204);
  const list = await wire('GET', properties);
  expect(Array.isArray(list.body)).toBe(true);
  expect(list.body.map(({ id }: { id: string }) => id)).not.toContain(made.body.id);
});

test('a GET with a body is a GET', async () => {
  for (const body of ['{"page": "x"', { page: 99 }, 'x'.repeat(3_000_000)]) {
    const { status, body: list } = await wire('GET', '/api/v1/tag', body);
    expect([status, list.meta.page]).toEqual([200, 1]);
  }
});

const { document } = await (await catalog.app()).rest();
const places = operationsOf(document).map(
  (one) => [one.method, here.fill(one.path).replace(/\/$/, ''), one] as const,
);

/** Queries of lists that need some. */
const needs: Readonly<Record<string, string>> = {
  ListMeasurements: `?monitor=${here.params.monitor_id}`,
  ListResourceLogs: `?resource_id=${here.params.table_id}`,
  PreviewLineageFromQuery: '?sql=select%201&dialect=postgres',
};

test.each(places.filter(([method]) => method === 'GET'))(
  '%s %s answers the same with and without a last slash, and HEAD without a body',
  async (_, path, { operation }) => {
    const query = needs[operation.operationId] ?? '';
    const [plain, slashed] = [
      await wire('GET', path + query),
      await wire('GET', `${path}/${query}`),
    ];
    expect([plain.status, slashed.status]).toEqual([200, 200]);
    expect({ ...slashed.body, links: null }).toEqual({ ...plain.body, links: null });
    const head = await wire('HEAD', `${path}/${query}`);
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers['content-type']).toBe(plain.headers['content-type']);
    const { etag } = plain.headers;
    // What is streamed is not known as a whole before it is sent.
    if (etag === undefined) {
      return expect(['DownloadImage', 'DownloadResources', 'ExportAuditLogs']).toContain(
        operation.operationId,
      );
    }
    const known = await fetch(`${origin}${path}${query}`, {
      headers: { ...headers, 'if-none-match': String(etag) },
    });
    expect([known.status, await known.text()]).toEqual([304, '']);
  },
);

test.each(places.filter(([method]) => method !== 'GET'))(
  '%s %s is served with and without a last slash, never by redirect',
  async (method, path, { operation }) => {
    // Broken bodies and absent ids, so that nothing happens.
    const absent = path.replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'no-such-id');
    const [plain, slashed] = [
      await wire(method, absent, '{'),
      await wire(method, `${absent}/`, '{'),
    ];
    // A signature is looked at before all else.
    expect('security' in operation ? [401] : [400, 404, 415]).toContain(plain.status);
    expect(slashed.status).toBe(plain.status);
    for (const place of [path, `${path}/`]) {
      const options = await wire('OPTIONS', place);
      expect([options.status, options.headers.allow]).toEqual([
        204,
        expect.stringContaining(method),
      ]);
    }
  },
);

test('a method that a path does not serve is 405, and says which it does', async () => {
  const { status, headers: sent, body } = await wire('PUT', '/api/v1/tag/', {});
  expect([status, sent.allow, body.code]).toEqual([
    ...[405, 'GET, POST, HEAD, OPTIONS', 'METHOD_NOT_ALLOWED'],
  ]);
});

test('deprecated lists and gets say what replaces them, and it does', async () => {
  const { table_id } = here.params;
  for (const path of ['/table/tables', `/table/tables/${table_id}`]) {
    const { headers: sent } = await wire('GET', `/api/v1${path}`);
    expect(sent.deprecation).toBe('true');
    const [, successor = ''] = /^<(.+)>; rel="successor-version"$/.exec(String(sent.link)) ?? [];
    const { results } = await (await fetch(`${successor}&page_size=1000`, { headers })).json();
    expect(results.map(({ id }: { id: string }) => id)).toContain(table_id);
  }
  expect((await wire('GET', '/api/v1/tag')).headers).not.toHaveProperty('deprecation');
});

test('a deleted table is gone from its path and lists, and still shown to who asks for it', async () => {
  const made = await wire('POST', '/api/v1/table/tables', { title: 'short-lived' });
  const { id } = made.body;
  expect((await wire('DELETE', `/api/v1/table/tables/${id}`)).status).toBe(204);
  expect((await wire('GET', `/api/v1/table/tables/${id}`)).status).toBe(404);
  expect((await wire('DELETE', `/api/v1/table/tables/${id}`)).status).toBe(404);
  expect((await wire('GET', '/api/v1/table/tables?title=short-lived')).body.count).toBe(0);
  const shown = await wire('GET', `/api/v1/resource/all/${id}`);
  expect([shown.status, shown.body.archived]).toEqual([200, true]);
  const archived = encoded({ operator: 'exact', field: 'archived', value: true });
  const list = await wire('GET', `/api/v1/resource/catalog?filter=${archived}`);
  expect(list.body.results.map((one: { id: string }) => one.id)).toContain(id);
});

test('nothing of this was unexpected', () => {
  expect(catalog.unexpected).toEqual([]);
});
