// The operator's key over HTTP: the life of a workspace, and all that is refused.

import { expect, test } from 'vitest';
import { pepperSetting } from '../../src/auth/authentication.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { serveApp } from '../serve.ts';

const key = 'the-key-of-the-operator-of-this-test';

async function serveOperator(catalog: Catalog, OPERATOR_KEY = key) {
  const app = await catalog.app({ DATABASE_URL: catalog.url, OPERATOR_KEY });
  const served = await serveApp(app);
  const ask = async (method: string, path: string, body?: unknown, bearer = key) => {
    const response = await fetch(`${served.base}/operator${path}`, {
      method,
      headers: bearer === '' ? {} : { authorization: `Bearer ${bearer}` },
      ...(body === undefined ? {} : { body: isFile(body) ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, said: text && JSON.parse(text) };
  };
  const file = async (id: string) => {
    const response = await fetch(`${served.base}/operator/workspaces/${id}/export`, {
      headers: { authorization: `Bearer ${key}` },
    });
    return { response, bytes: new Uint8Array(await response.arrayBuffer()) };
  };
  return { ...served, ask, file };
}

function isFile(body: unknown): body is Uint8Array<ArrayBuffer> {
  return body instanceof Uint8Array;
}

/** The tags that a key of a workspace sees, or what it is refused with. */
async function tagsOf(base: string, bearer: string) {
  const response = await fetch(`${base}/api/v1/tag/tags`, {
    headers: { authorization: `Bearer ${bearer}` },
  });
  return response.status;
}

test('a workspace is made, limited, renamed, handed out, deleted and taken in again', async () => {
  await using catalog = await openCatalog({ alone: true });
  await using operator = await serveOperator(catalog);
  const made = await operator.ask('POST', '/workspaces', {
    ...{ name: 'Finance', email: 'head@example.com' },
  });
  expect(made).toMatchObject({
    status: 201,
    said: {
      ...{ name: 'Finance', users: 1, key: expect.stringMatching(/^hwk_/) },
      resources: { used: 0, limit: null },
    },
  });
  const { id, key: first } = made.said;
  expect(await tagsOf(operator.base, first)).toBe(200);

  const changed = await operator.ask('PATCH', `/workspaces/${id}`, {
    ...{ name: 'Treasury', limits: { resources: 0, storage_mb: 500 } },
  });
  const treasury = {
    ...{ id, name: 'Treasury', resources: { used: 0, limit: 0 } },
    ...{ monitors: { used: 0, limit: null }, storage_mb: { limit: 500 } },
  };
  expect(changed).toMatchObject({ status: 200, said: treasury });
  expect((await operator.ask('GET', '/workspaces')).said.workspaces).toMatchObject([
    { name: 'Test' },
    treasury,
  ]);
  const refused = await fetch(`${operator.base}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${first}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      query: 'mutation { createResource(kind: table, input: { title: "x" }) { id } }',
    }),
  });
  expect(JSON.stringify(await refused.json())).toContain('UNPROCESSABLE');
  await operator.ask('PATCH', `/workspaces/${id}`, { limits: { resources: null } });

  const { response, bytes } = await operator.file(id);
  expect(response.headers.get('content-type')).toBe('application/x-tar');
  expect(response.headers.get('content-disposition')).toContain('Treasury.tar');
  expect(Buffer.from(bytes).includes(pepperSetting)).toBe(false);
  const there = await operator.ask('POST', '/workspaces/import', bytes);
  expect(there).toMatchObject({
    status: 422,
    said: { detail: expect.stringContaining('is here already: delete it first') },
  });

  expect((await operator.ask('DELETE', `/workspaces/${id}`)).status).toBe(204);
  // On this process at once.
  expect(await tagsOf(operator.base, first)).toBe(401);
  expect((await operator.ask('GET', `/workspaces/${id}`)).status).toBe(404);

  const taken = await operator.ask('POST', '/workspaces/import?name=Back', bytes);
  expect(taken).toMatchObject({
    status: 201,
    said: { id, name: 'Back', resources: { limit: null }, storage_mb: { limit: 500 } },
  });
  expect(taken.said.audit_entries).toBeGreaterThanOrEqual(0);
  await expect.poll(() => tagsOf(operator.base, first)).toBe(200);
});

test('half a file, a file of another kind and none are refused, and nothing is left of them', async () => {
  await using catalog = await openCatalog({ alone: true });
  await using operator = await serveOperator(catalog);
  const { bytes } = await operator.file(catalog.workspaceId);
  const half = bytes.slice(0, Math.floor(bytes.length / 2));
  for (const wrong of [half, new TextEncoder().encode('{"name": "x"}'), new Uint8Array(0)]) {
    const said = await operator.ask('POST', '/workspaces/import', wrong);
    expect([said.status, said.said.code]).toEqual([422, 'UNPROCESSABLE']);
    expect(said.said.detail).toMatch(/backup/);
  }
  expect((await operator.ask('GET', '/workspaces')).said.workspaces).toHaveLength(1);
});

test('what is asked wrongly is said with what is allowed', async () => {
  await using catalog = await openCatalog({ alone: true });
  await using operator = await serveOperator(catalog);
  const { workspaceId: id } = catalog;
  const nowhere = '00000000-0000-4000-8000-000000000000';
  const cases: [string, string, unknown, number, RegExp][] = [
    ['POST', '/workspaces', { name: 'x' }, 400, /^email: must be a text/],
    ['POST', '/workspaces', { name: '', email: 'a@example.com' }, 400, /1 to 200 characters/],
    ['POST', '/workspaces', { name: 'x', email: 'no address' }, 400, /email/],
    ['POST', '/workspaces', { name: 'test', email: 'a@example.com' }, 409, /Test already/],
    ['POST', '/workspaces', { name: 'x', email: 'a@b.cd', more: 1 }, 400, /more/],
    ['POST', '/workspaces', [], 400, /body/],
    ['PATCH', `/workspaces/${id}`, { limits: { resources: -1 } }, 400, /0 to 999999999, or null/],
    ['PATCH', `/workspaces/${id}`, { limits: { resources: 1.5 } }, 400, /whole number/],
    ['PATCH', `/workspaces/${id}`, { limits: { rows: 5 } }, 400, /rows/],
    ['PATCH', `/workspaces/${nowhere}`, { name: 'x' }, 404, new RegExp(nowhere)],
    ['DELETE', `/workspaces/${nowhere}`, undefined, 404, new RegExp(nowhere)],
    ['GET', '/workspaces/Test', undefined, 404, /Workspace not found/],
    ['GET', `/workspaces/${nowhere}/export`, undefined, 404, new RegExp(nowhere)],
    ['PUT', `/workspaces/${id}`, {}, 405, /GET, PATCH, DELETE/],
    ['GET', '/workspaces/import', undefined, 405, /POST/],
    ['GET', '/', undefined, 404, /not found/],
    ['GET', `/workspaces/${id}/export/more`, undefined, 404, /not found/],
  ];
  for (const [method, path, body, status, detail] of cases) {
    const { status: was, said } = await operator.ask(method, path, body);
    expect([method, path, was, said.detail]).toEqual([
      ...[method, path, status, expect.stringMatching(detail)],
    ]);
  }
  const text = await fetch(`${operator.base}/operator/workspaces`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: '{',
  });
  expect([text.status, (await text.json()).detail]).toEqual([400, 'The request body is not JSON.']);
  expect((await operator.ask('GET', '/workspaces')).said.workspaces).toMatchObject([
    { id, name: 'Test', resources: { limit: null } },
  ]);
});

test('only the key of the operator opens it, and it opens nothing else', async () => {
  await using catalog = await openCatalog({ alone: true });
  const admin = catalog.keyOf('admin');
  await using operator = await serveOperator(catalog);
  for (const bearer of ['', 'x', admin, key.slice(1), `${key}x`]) {
    const { status, headers, said } = await operator.ask('GET', '/workspaces', undefined, bearer);
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(said.workspaces).toBeUndefined();
  }
  expect(await tagsOf(operator.base, key)).toBe(401);
  await using without = await openCatalog({ alone: true });
  await using closed = await serveOperator(without, '');
  const { status, said } = await closed.ask('GET', '/workspaces');
  expect([status, said.detail]).toEqual([404, expect.stringContaining('OPERATOR_KEY')]);
});
