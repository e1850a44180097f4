// What public clients of the original product call and no documentation has: refused clearly, never half done.

import { expect, test } from 'vitest';
import { openCatalog } from '../../catalog.ts';

const catalog = await openCatalog();

const absent = '0d9f1c1e-6f0b-4c39-9d8a-2f1f0f6b7a51';

test.each([
  ['GET', `/column/columns?table_id=${absent}`],
  ['PATCH', `/column/${absent}`],
  ['POST', `/integration/run_logs/${absent}/ingest/`],
  ['POST', '/integration/dbt/manifest/'],
  ['GET', '/notification/workspace/'],
  ['GET', '/auth/scim'],
  ['POST', '/lineage_graph'],
])('%s %s is 404, and says where all paths are', async (method, path) => {
  const { status, body } = await catalog.rest(method, path, method === 'GET' ? {} : { body: {} });
  expect([status, body.code, body.detail]).toEqual([
    404,
    'NOT_FOUND',
    expect.stringContaining('All paths are listed at /api/v1/docs.'),
  ]);
});

test('a method that a path does not serve is 405 with those it does', async () => {
  const { status, body, headers } = await catalog.rest('POST', '/user/invite/', { body: {} });
  expect([status, body.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
  expect(headers.get('allow')).toBe('GET, PATCH, DELETE, PUT, HEAD, OPTIONS');
});

test('columns of a table are asked for by the parameter that there is', async () => {
  const table = await catalog.resource({ kind: 'table', title: 'orders' });
  const other = await catalog.resource({ kind: 'table', title: 'customers' });
  const column = await catalog.resource({ kind: 'column', title: 'id', parentId: table.id });
  await catalog.resource({ kind: 'column', title: 'id', parentId: other.id });
  const { body } = await catalog.rest('GET', `/table/columns?parent_id=${table.id}`);
  expect(body.results.map(({ id }: { id: string }) => id)).toEqual([column.id]);
});
