// What each answer names its request, on every API and whatever the answer is.

import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createGraphQL } from '../../src/graphql/yoga.ts';
import { openHttpServer } from '../../src/http/server.ts';
import { viewerOfKey } from '../../src/people/sign-in.ts';
import { openCatalog } from '../catalog.ts';

const catalog = await openCatalog();
const base = await catalog.listen();
const key = catalog.keyOf('admin');

interface Asked {
  readonly path: string;
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function ask({ path, method = 'GET', body, headers = {} }: Asked): Promise<Response> {
  const common = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return fetch(base + path, {
    method,
    headers: { ...common, ...headers },
    ...(body === undefined ? {} : { body }),
  });
}

const query = (text: string, more: Asked['headers'] = {}): Asked => ({
  path: '/graphql',
  method: 'POST',
  body: JSON.stringify({ query: text }),
  headers: { accept: 'application/json', ...more },
});

const good: readonly Asked[] = [
  { path: '/healthz' },
  { path: '/readyz' },
  { path: '/metrics' },
  { path: '/' },
  { path: '/site/none.css' },
  { path: '/nowhere' },
  { path: '/api/v1/tag/tags' },
  { path: '/api/v1/openapi.json' },
  { path: '/api/v1/tag/tags', method: 'HEAD' },
  { path: '/api/v1/tag/tags', method: 'OPTIONS' },
  query('{ viewer { id } }'),
];

test.each(good)(
  'the answer to $method $path $body has the name that it was given',
  async (asked) => {
    const response = await ask({
      ...asked,
      headers: { ...asked.headers, 'x-request-id': 'mine-1' },
    });
    await response.text();
    expect(response.headers.get('x-request-id')).toBe('mine-1');
  },
);

test.each(['a b', 'x'.repeat(129), '"quoted"', 'a,b'])(
  'the name %j is replaced, since it can stand in no log',
  async (given) => {
    for (const asked of [{ path: '/healthz' }, { path: '/api/v1/tag/tags' }]) {
      const response = await ask({ ...asked, headers: { 'x-request-id': given } });
      expect(response.headers.get('x-request-id')).toMatch(/^[\da-f]{8}-[\da-f-]{27}$/);
    }
  },
);

test('requests without a name get one each', async () => {
  const names = [];
  for (let i = 0; i < 3; i += 1) names.push((await ask({ path: '/readyz' })).headers);
  expect(new Set(names.map((headers) => headers.get('x-request-id'))).size).toBe(3);
});

const absent = '00000000-0000-4000-8000-000000000000';
const nested = `${'parent { '.repeat(30)}id${' }'.repeat(30)}`;
const refused: readonly (readonly [what: string, asked: Asked])[] = [
  ['what can not be parsed', query('{ viewer {')],
  ['what the schema lacks', query('{ nothing }')],
  ['what asks too deep', query(`{ resource(id: "x") { ${nested} } }`)],
  ['what is not there', query(`mutation { archiveTeam(id: "${absent}") { id } }`)],
  ['a wrong variable', query('query ($id: ID!) { resource(id: $id) { id } }')],
  ['a key that does not work', query('{ viewer { id } }', { authorization: 'Bearer nothing' })],
  ['no JSON', { path: '/graphql', method: 'POST', body: '{', headers: {} }],
  ['no query', { path: '/graphql', method: 'POST', body: '{}', headers: {} }],
  ['the method PUT', { path: '/graphql', method: 'PUT', body: '{}', headers: {} }],
  [
    'too long a body',
    { path: '/graphql', method: 'POST', body: JSON.stringify({ query: 'x'.repeat(1_100_000) }) },
  ],
];

test.each(refused)('each GraphQL error of %s names the request', async (_, asked) => {
  const response = await ask({ ...asked, headers: { ...asked.headers, 'x-request-id': 'mine-2' } });
  const text = await response.text();
  expect(response.headers.get('x-request-id')).toBe('mine-2');
  const { errors } = JSON.parse(text);
  expect(errors.length, text).toBeGreaterThan(0);
  for (const { extensions } of errors) expect(extensions.request_id, text).toBe('mine-2');
});

test('so does the error of a subscription, which comes later', async () => {
  const subscription = `subscription { jobChanged(id: "${absent}") { id } }`;
  const asked = query(subscription, { accept: 'text/event-stream', 'x-request-id': 'mine-3' });
  const text = await (await ask(asked)).text();
  expect(text).toContain('"code":"NOT_FOUND"');
  expect(text).toContain('"request_id":"mine-3"');
});

test('an answer without an error has no extensions', async () => {
  const text = await (await ask(query('{ viewer { id } }'))).text();
  expect(text).not.toContain('extensions');
});

test.each([
  { path: '/nowhere' },
  { path: '/api/v1/nowhere' },
  { path: `/api/v1/tag/tags/${absent}` },
  { path: '/api/v1/tag/tags', method: 'POST', body: '{' },
  { path: '/api/v1/tag/tags', method: 'DELETE' },
  { path: '/api/v1/tag/tags', headers: { authorization: 'Bearer nothing' } },
])('the problem of $method $path names the request', async (asked) => {
  const headers = { ...asked.headers, 'x-request-id': 'mine-4' };
  const response = await ask({ ...asked, headers });
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(response.headers.get('x-request-id')).toBe('mine-4');
  expect(await response.json()).toMatchObject({ request_id: 'mine-4' });
});

test('so does the answer of a server that is still starting', async () => {
  const http = openHttpServer();
  await new Promise<void>((resolve) => http.server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has such an address.
  const { port } = http.server.address() as AddressInfo;
  const headers = { 'x-request-id': 'mine-6' };
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, { headers });
  expect(response.status).toBe(503);
  expect(response.headers.get('x-request-id')).toBe('mine-6');
  expect(await response.json()).toMatchObject({ code: 'UNAVAILABLE', request_id: 'mine-6' });
  await http.close();
});

test('the context of whatever is asked for has the name, also without a server around it', async () => {
  const { database, surroundings } = catalog;
  const seen: unknown[] = [];
  const yoga = createGraphQL({
    database,
    surroundings,
    authenticate: (one) => viewerOfKey(database, one, new Date()),
    onUnexpected: (error) => console.error(error),
    plugins: [
      { onExecute: ({ args }) => void seen.push(Reflect.get(args.contextValue, 'requestId')) },
    ],
  });
  const post = (headers: object) =>
    yoga.fetch('http://catalog.test/graphql', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query: '{ viewer { id } }' }),
    });
  await post({ 'x-request-id': 'mine-5' });
  await post({});
  expect(seen).toEqual(['mine-5', expect.stringMatching(/^[\da-f-]{36}$/)]);
  expect(catalog.admin.requestId).toBeNull();
});
