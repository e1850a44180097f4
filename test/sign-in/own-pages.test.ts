// What a session counts for: POST /graphql from our own pages, the explorer and GraphiQL, and nothing else.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { App } from '../../src/app.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { OurPage } from './page.ts';

const friend = 'https://friend.example';

let catalog: Catalog;
let app: App;
let base: string;
beforeAll(async () => {
  catalog = await openCatalog();
  app = await catalog.app({ CORS_ORIGINS: friend });
  base = await catalog.listen();
});
afterAll(() => catalog[Symbol.asyncDispose]());

/** A page on which the admin is signed in. */
async function signedIn(): Promise<OurPage> {
  const page = new OurPage(base);
  const owner = { workspaceId: catalog.workspaceId, userId: catalog.idOf('admin') };
  expect((await page.signIn(app.makeCode(owner))).status).toBe(204);
  return page;
}

test('a session counts for what our own pages ask of GraphQL, and for nothing else', async () => {
  const page = await signedIn();
  expect(await page.whose()).toBe('admin@example.com');
  const secret = page.cookie.split('=')[1] ?? '';
  const foreign: Record<string, string>[] = [
    { authorization: `Bearer ${secret}` },
    { origin: 'https://evil.example' },
    { origin: `${base}0` },
    { origin: 'null' },
    { origin: '' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'x-headwater-explorer': '' },
    { authorization: 'Bearer hwk_wrong' },
    { authorization: 'Basic YTpi' },
  ];
  for (const headers of foreign) {
    const csrf = { 'x-graphql-yoga-csrf': '1', ...headers };
    expect(await page.whose(csrf), JSON.stringify(headers)).toBe('UNAUTHENTICATED');
  }
  const got = await page.send('/graphql?query={viewer{email}}', null, {}, 'GET');
  expect(await got.text()).not.toContain('@');
  for (const path of ['/api/v1/user', '/api/v1/tag/tags']) {
    expect((await page.send(path, null, {}, 'GET')).status, path).toBe(401);
  }
  const made = await page.send('/api/v1/tag/tags', '{"name": "by a cookie"}');
  expect(made.status).toBe(401);
  // Files are the one thing that pages send over REST; without the header of our own, other sites could as well.
  const upload = (headers: object) =>
    page.send(`/api/v1/integration/integrations/none/import_metadata`, '--x--', {
      'content-type': 'multipart/form-data; boundary=x',
      ...headers,
    });
  expect((await upload({})).status).toBe(404);
  for (const headers of [{ 'x-headwater-explorer': '' }, { origin: 'https://evil.example' }]) {
    expect((await upload(headers)).status, JSON.stringify(headers)).toBe(401);
  }
  const agent = '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}';
  expect((await page.send('/mcp', agent)).status).toBe(401);
});

test('who asks from another place is told which one counts', async () => {
  const page = await signedIn();
  const { errors } = await page.ask('{ viewer { email } }', { origin: 'https://evil.example' });
  expect(errors?.[0]?.message).toContain(`own pages, at ${base}; this one came from https://evil`);
});

test('what any page may send unasked is refused, whatever cookie comes with it: simple bodies, forms and links', async () => {
  const page = await signedIn();
  // As a form or a script of another site sends them: without a header of our own.
  const unasked = { 'x-headwater-explorer': '' };
  const json = '{"query": "mutation { createTag(input: { name: "planted" }) { id } }"}';
  const form = new URLSearchParams({
    query: 'mutation { createTag(input: { name: "planted" }) { id } }',
  });
  const bodies = {
    'text/plain': json,
    'application/x-www-form-urlencoded': String(form),
    'multipart/form-data; boundary=x': `--x\r\n\r\n${json}\r\n--x--\r\n`,
  };
  for (const origin of [base, 'https://evil.example']) {
    for (const [type, body] of Object.entries(bodies)) {
      const headers = { ...unasked, origin, 'content-type': type };
      const { status } = await page.send('/graphql', body, headers);
      expect(status, `${type} from ${origin}`).toBeGreaterThanOrEqual(400);
    }
  }
  const got = await page.send(`/graphql?${form}`, null, unasked, 'GET');
  expect(got.status).toBeGreaterThanOrEqual(400);
  const tags = await page.ask('{ tags(first: 10) { nodes { name } } }');
  expect(tags.data?.tags.nodes).toEqual([]);
});

test('without a session our own pages are answered 401, as with one that has ended', async () => {
  const page = await signedIn();
  const { cookie } = page;
  const accept = 'application/graphql-response+json';
  const ask = () => page.send('/graphql', '{"query": "{ viewer { email } }"}', { accept });
  expect((await ask()).status).toBe(200);
  page.cookie = '';
  expect((await ask()).status).toBe(401);
  page.cookie = cookie;
  await page.signOut();
  page.cookie = cookie;
  expect((await ask()).status).toBe(401);
});

test('a key wins over the session', async () => {
  const page = await signedIn();
  const authorization = `Bearer ${catalog.keyOf('viewer')}`;
  expect(await page.whose({ authorization })).toBe('viewer@example.com');
  expect(await page.whose()).toBe('admin@example.com');
});

test('an origin that may use keys may neither send what our own pages send nor cookies', async () => {
  const page = await signedIn();
  const asked = {
    origin: friend,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type,x-headwater-explorer',
  };
  const { headers } = await page.send('/graphql', null, asked, 'OPTIONS');
  expect(headers.get('access-control-allow-origin')).toBe(friend);
  expect(headers.get('access-control-allow-headers')).not.toContain('x-headwater-explorer');
  expect(headers.get('access-control-allow-credentials')).toBeNull();
  expect(await page.whose({ origin: friend, 'sec-fetch-site': 'cross-site' })).toBe(
    'UNAUTHENTICATED',
  );
});
