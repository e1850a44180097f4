// Operations by their ids, over HTTP: what was sent before, what is listed, and nothing else where that is set.

import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createApp } from '../../../src/app.ts';
import type { Role } from '../../../src/auth/viewer.ts';
import { readConfig } from '../../../src/config.ts';
import { readOperations } from '../../../src/graphql/persisted/operation-lists.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';
import { root } from '../../house/sources.ts';
import { type Served, serveApp } from '../../serve.ts';
import { hasTool } from '../../tool.ts';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const folder = mkdtempSync(join(tmpdir(), 'headwater-operations-'));

const titles =
  'query Titles($kinds: [ResourceKind!]) { resources(kinds: $kinds) { nodes { id ... on Resource { title } } } }';
const rename =
  'mutation Rename($id: ID!) { updateResource(id: $id, input: { title: "listed" }) { title } }';
const unfit = '{ resources { nodes { colour } } }';

const servers: Served[] = [];
let catalog: Catalog;
let free: string;
let bound: string;
beforeAll(async () => {
  catalog = await openCatalog();
  await catalog.resource({ title: 'orders' });
  const plain = join(folder, 'plain.json');
  writeFileSync(plain, JSON.stringify({ titles, [hashOf(rename)]: rename, unfit }));
  const apollo = join(folder, 'apollo.json');
  const operations = [
    { id: 'me', name: 'Me', type: 'query', body: 'query Me { viewer { role } }' },
  ];
  const manifest = { format: 'apollo-persisted-query-manifest', version: 1, operations };
  writeFileSync(apollo, JSON.stringify(manifest));
  const lists = { PERSISTED_OPERATIONS: `${plain}, ${apollo}` };
  free = await addressOf(lists);
  bound = await addressOf({ ...lists, PERSISTED_OPERATIONS_ONLY: 'true' });
});
afterAll(async () => {
  for (const server of servers) await server[Symbol.asyncDispose]();
  await catalog[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function addressOf(settings: Readonly<Record<string, string>>): Promise<string> {
  const { database, surroundings } = catalog;
  const config = readConfig({ DATA_DIR: folder, ...settings });
  const onUnexpected = (error: unknown) => {
    throw error;
  };
  const operations = readOperations(config);
  const served = await serveApp(
    createApp({ database, surroundings, config, operations, onUnexpected }),
  );
  servers.push(served);
  return `${served.base}/graphql`;
}

interface Sent {
  readonly as?: Role | null;
  readonly accept?: string;
}

async function send(url: string, body: object, { as = 'viewer', accept = '*/*' }: Sent = {}) {
  const key = as === null ? {} : { authorization: `Bearer ${catalog.keyOf(as)}` };
  const headers = { 'content-type': 'application/json', accept, ...key };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const { data, errors } = await response.json();
  const [error] = errors ?? [];
  return { status: response.status, data, message: error?.message, code: error?.extensions.code };
}

const byHash = (text: string, query?: string) => ({
  ...(query === undefined ? {} : { query }),
  extensions: { persistedQuery: { version: 1, sha256Hash: hashOf(text) } },
});

const orders = { resources: { nodes: [{ title: 'orders' }] } };
const missing = { message: 'PersistedQueryNotFound', code: 'PERSISTED_QUERY_NOT_FOUND' };

test('what came with its hash is run by the hash alone from then on, by the one who asks', async () => {
  const query = '{ resources { nodes { ... on Resource { title } } } }';
  expect(await send(free, byHash(query))).toMatchObject({ status: 200, ...missing });
  const newer = { accept: 'application/graphql-response+json' };
  expect(await send(free, byHash(query), newer)).toMatchObject({ status: 404, ...missing });
  expect(await send(free, byHash(query, query))).toMatchObject({ data: orders });
  expect(await send(free, byHash(query), { as: 'editor' })).toMatchObject({ data: orders });
  // Who it is run for is asked each time.
  expect(await send(free, byHash(query), { as: null })).toMatchObject({ code: 'UNAUTHENTICATED' });
});

test('a hash of something else, or from somebody without a key, is not remembered', async () => {
  const [one, other] = ['{ viewer { id } }', '{ viewer { name } }'];
  expect(await send(free, byHash(one, other))).toMatchObject({
    code: 'BAD_REQUEST',
    message: '`sha256Hash` is not the SHA-256 of `query`.',
  });
  await send(free, byHash(other, other), { as: null });
  // What isn't valid is not run, and so not kept.
  await send(free, byHash(unfit.replace('colour', 'hue'), unfit.replace('colour', 'hue')));
  for (const text of [one, other, unfit.replace('colour', 'hue')]) {
    expect(await send(free, byHash(text)), text).toMatchObject(missing);
  }
});

test('what is remembered stays within its bounds: the oldest is forgotten, and a long text is not kept', async () => {
  const long = `{ viewer { id } } #${'x'.repeat(100_000)}`;
  await send(free, byHash(long, long));
  expect(await send(free, byHash(long))).toMatchObject(missing);
  const texts = Array.from(
    { length: 45 },
    (_, i) => `{ viewer { id } } #${i}${'x'.repeat(99_000)}`,
  );
  const [first = '', second = ''] = texts;
  for (const text of texts.slice(0, 40)) await send(free, byHash(text, text));
  expect(await send(free, byHash(first))).toMatchObject({ data: { viewer: {} } });
  for (const text of texts.slice(40)) await send(free, byHash(text, text));
  expect(await send(free, byHash(first))).toMatchObject({ data: { viewer: {} } });
  expect(await send(free, byHash(second))).toMatchObject(missing);
});

test('a listed operation is run by its id, by its hash, and by GET', async () => {
  const variables = { kinds: ['table'] };
  for (const documentId of ['titles', hashOf(titles), `sha256:${hashOf(titles)}`]) {
    expect(await send(free, { documentId, variables })).toMatchObject({ data: orders });
  }
  expect(await send(free, { ...byHash(titles), variables })).toMatchObject({ data: orders });
  expect(await send(free, { documentId: 'me' })).toMatchObject({
    data: { viewer: { role: 'viewer' } },
  });
  const search = new URLSearchParams({
    documentId: 'titles',
    variables: JSON.stringify(variables),
  });
  const headers = {
    authorization: `Bearer ${catalog.keyOf('viewer')}`,
    'x-graphql-yoga-csrf': '1',
  };
  const response = await fetch(`${free}?${search}`, { headers });
  expect(await response.json()).toMatchObject({ data: orders });
  const changing = new URLSearchParams({ documentId: hashOf(rename), variables: '{"id":"1"}' });
  expect((await fetch(`${free}?${changing}`, { headers })).status).toBe(405);
});

test('an id is refused where it is none, and with a text next to it', async () => {
  const cases = [
    [
      { documentId: 'absent' },
      'PERSISTED_QUERY_NOT_FOUND',
      'No operation has this `documentId`; send its text as `query`.',
    ],
    [
      { documentId: 'titles', query: titles },
      'BAD_REQUEST',
      'Send `documentId` or `query`, not both.',
    ],
    [{ documentId: 7 }, 'BAD_REQUEST', '`documentId` is a string.'],
    [{ documentId: '__proto__' }, 'PERSISTED_QUERY_NOT_FOUND', /No operation/],
    [{ documentId: 'unfit' }, 'BAD_REQUEST', /colour/],
    [{}, 'BAD_REQUEST', 'Must provide query string.'],
    [{ extensions: { persistedQuery: 7 } }, 'BAD_REQUEST', 'Must provide query string.'],
  ] as const;
  for (const [body, code, message] of cases) {
    const answer = await send(free, body);
    expect(answer, JSON.stringify(body)).toMatchObject({ code });
    expect(answer.message).toMatch(message);
  }
});

test('where only listed operations may run, no one but admins runs another one', async () => {
  const own = '{ viewer { email } }';
  for (const as of ['guest', 'viewer', 'editor'] as const) {
    const refused = await send(bound, { query: own }, { as });
    expect(refused, as).toMatchObject({ data: undefined, code: 'FORBIDDEN' });
    expect(refused.message).toContain('PERSISTED_OPERATIONS');
    const introspection = await send(
      bound,
      { query: '{ __schema { queryType { name } } }' },
      { as },
    );
    expect(introspection, as).toMatchObject({ code: 'FORBIDDEN' });
    expect(await send(bound, { documentId: 'me' }, { as }), as).toMatchObject({
      data: { viewer: {} },
    });
  }
  expect(await send(bound, { query: own }, { as: 'admin' })).toMatchObject({
    data: { viewer: {} },
  });
  expect(await send(bound, { query: '{ __typename }' }, { as: null })).toMatchObject({
    code: 'UNAUTHENTICATED',
  });
  // Nor is it remembered, no matter who sends it.
  await send(bound, byHash(own, own), { as: 'admin' });
  expect(await send(bound, byHash(own))).toMatchObject(missing);
  // The very text of a listed one is listed.
  expect(await send(bound, { query: titles })).toMatchObject({ data: orders });
});

test('a change that is not listed is not made', async () => {
  const { id } = await catalog.resource({ title: 'before' });
  const query = 'mutation ($id: ID!) { updateResource(id: $id, input: { title: "after" }) { id } }';
  const refused = await send(bound, { query, variables: { id } }, { as: 'editor' });
  expect(refused).toMatchObject({ code: 'FORBIDDEN' });
  const stream = await fetch(bound, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${catalog.keyOf('editor')}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify({ query: 'subscription { jobsChanged { id } }' }),
  });
  expect(await stream.text()).toContain('FORBIDDEN');
  const asked = { query: `{ resource(id: "${id}") { title } }` };
  expect(await send(bound, asked, { as: 'admin' })).toMatchObject({
    data: { resource: { title: 'before' } },
  });
  const listed = { documentId: hashOf(rename), variables: { id } };
  expect(await send(bound, listed, { as: 'editor' })).toMatchObject({
    data: { updateResource: { title: 'listed' } },
  });
});

test('what is refused because it is not listed is in the audit log', async () => {
  const { id } = await catalog.tag();
  const query =
    'mutation ($id: ID!) { ...F } fragment F on Mutation { gone: deleteTag(id: $id) { id } }';
  await send(bound, { query, variables: { id } }, { as: 'guest' });
  await send(bound, { query: '{ tags { totalCount } teams { totalCount } }' }, { as: 'guest' });
  const entries = await vi.waitFor(async () => {
    const found = await catalog.database.prisma.auditLog.findMany({
      where: { workspaceId: catalog.workspaceId, performerId: catalog.idOf('guest') },
      orderBy: { sequence: 'desc' },
      take: 2,
    });
    expect(found).toMatchObject([
      { changes: [{ after: '(several)' }] },
      { changes: [{ after: 'deleteTag' }], resourceId: id },
    ]);
    return found;
  });
  for (const { activityType } of entries) expect(activityType).toBe('permission_refused');
});

test('the own pages, REST and MCP go on where only listed operations may run', async () => {
  const built = JSON.parse(readFileSync(join(root, 'dist/explorer/operations.json'), 'utf8'));
  const search = built.find((text: string) => text.startsWith('query SearchResults'));
  const answer = await send(bound, { query: search, variables: { query: 'orders' } });
  expect(answer.code).not.toBe('FORBIDDEN');
  const origin = new URL(bound).origin;
  const headers = { authorization: `Bearer ${catalog.keyOf('viewer')}` };
  const rest = await fetch(`${origin}/api/v1/auth/teams/`, { headers });
  expect(rest.status).toBe(200);
  const mcp = await fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'search', arguments: { query: 'orders' } },
    }),
  });
  expect(await mcp.text()).toContain('orders');
});

test.runIf(hasTool('@apollo/client'))(
  'Apollo Client sends a text once, and hashes after that',
  async () => {
    const { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } = await import(
      '../../../tools/node_modules/@apollo/client/core/index.js'
    );
    const { PersistedQueryLink } = await import(
      '../../../tools/node_modules/@apollo/client/link/persisted-queries/index.js'
    );
    const sent: { query?: string }[] = [];
    const http = new HttpLink({
      uri: free,
      headers: { authorization: `Bearer ${catalog.keyOf('viewer')}` },
      fetch: (url: string | URL | Request, init: RequestInit = {}) => {
        sent.push(JSON.parse(String(init.body)));
        return fetch(url, init);
      },
    });
    const persisted = new PersistedQueryLink({ sha256: (text: string) => hashOf(text) });
    const client = new ApolloClient({
      cache: new InMemoryCache(),
      link: ApolloLink.from([persisted, http]),
    });
    const query = gql`query ByApollo { viewer { role } }`;
    for (let turn = 0; turn < 2; turn += 1) {
      const { data } = await client.query({ query, fetchPolicy: 'no-cache' });
      expect(data).toMatchObject({ viewer: { role: 'viewer' } });
    }
    expect(sent.map(({ query }) => query !== undefined)).toEqual([false, true, false]);
    client.stop();
  },
);
