// Pages of other origins: none may read answers unless a setting names it, and then on both APIs.

import { expect, test } from 'vitest';
import { openCatalog } from '../catalog.ts';
import { filesMatching } from '../house/sources.ts';
import { send } from '../limits/client.ts';

const page = 'https://app.example.com';
const other = 'https://evil.example';

/** What a browser asks before it lets a page send a request with a key. */
function preflight(url: string, origin: string): Promise<Response> {
  return fetch(url, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization, content-type, idempotency-key',
    },
  });
}

function corsHeadersOf({ headers }: { headers: Headers }): string[] {
  return [...headers.keys()].filter((name) => name.startsWith('access-control-'));
}

async function facesOf(settings: Readonly<Record<string, string>>) {
  const catalog = await openCatalog();
  await catalog.app(settings);
  const origin = await catalog.listen();
  const authorization = `Bearer ${catalog.keyOf('admin')}`;
  const ask = (from: string | null) => {
    const headers: Record<string, string> = from === null ? {} : { origin: from };
    const body = { query: '{ viewer { id } }' };
    return Promise.all([
      send(`${origin}/graphql`, { authorization, headers, body }),
      send(`${origin}/api/v1/tag`, { authorization, headers, method: 'GET' }),
    ]);
  };
  return { catalog, ask, urls: [`${origin}/graphql`, `${origin}/api/v1/tag`, `${origin}/api/v1`] };
}

test('without the setting no page of another origin is answered anything', async () => {
  const { catalog, ask, urls } = await facesOf({});
  await using _ = catalog;
  for (const from of [page, other, 'null', null]) {
    for (const reply of await ask(from)) {
      expect([reply.status, corsHeadersOf(reply)]).toEqual([200, []]);
    }
  }
  for (const url of urls) expect(corsHeadersOf(await preflight(url, page)), url).toEqual([]);
});

test('the origins of the setting may read, preflights are answered, others learn nothing', async () => {
  const { catalog, ask, urls } = await facesOf({
    CORS_ORIGINS: `${page}, http://localhost:3000`,
  });
  await using _ = catalog;
  for (const from of [page, 'http://localhost:3000']) {
    for (const { status, headers } of await ask(from)) {
      expect([status, headers.get('access-control-allow-origin')]).toEqual([200, from]);
      expect(headers.get('vary')).toMatch(/Origin/);
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      const exposed = headers.get('access-control-expose-headers');
      for (const name of ['etag', 'retry-after', 'ratelimit', 'x-request-id']) {
        expect(exposed).toContain(name);
      }
    }
    for (const url of urls) {
      const { status, headers } = await preflight(url, from);
      expect([status, headers.get('access-control-allow-origin')], url).toEqual([204, from]);
      expect(headers.get('access-control-allow-methods')).toMatch(/POST.*PATCH/);
      expect(headers.get('access-control-allow-headers')).toMatch(/authorization.*idempotency-key/);
      expect(Number(headers.get('access-control-max-age'))).toBeGreaterThan(0);
    }
  }
  for (const from of [other, `${page}.evil.example`, 'https://app.example.com:8443', 'null']) {
    for (const reply of await ask(from)) {
      expect([reply.status, corsHeadersOf(reply), reply.headers.get('vary')]).toEqual([
        200,
        [],
        expect.stringMatching(/Origin/),
      ]);
    }
    for (const url of urls) expect(corsHeadersOf(await preflight(url, from)), url).toEqual([]);
  }
});

test('a page may send and read every header that a program may', async () => {
  const { catalog, urls } = await facesOf({ CORS_ORIGINS: page });
  await using _ = catalog;
  const [graphql = ''] = urls;
  const listed = (name: string, { headers }: { headers: Headers }) =>
    (headers.get(`access-control-${name}`) ?? '').split(', ');
  const sent = listed('allow-headers', await preflight(graphql, page));
  expect(sent).toEqual(
    expect.arrayContaining(['if-match', 'last-event-id', 'mcp-protocol-version', 'prefer']),
  );
  const answer = await fetch(graphql, { headers: { origin: page } });
  const read = listed('expose-headers', answer);
  // All that a route or an operation sets itself.
  const set = filesMatching(/^src\/(?:rest|integrations|limits)\/.*\.ts$/)
    .flatMap(({ text }) => [...text.matchAll(/headers\.(?:set|append)\('([\w-]+)'/g)])
    .map(([, name = '']) => name);
  expect(set.length).toBeGreaterThan(5);
  expect(read).toEqual(expect.arrayContaining(set));
});

test('a star allows any page to read with a key of its own, and never with cookies', async () => {
  const { catalog, ask, urls } = await facesOf({ CORS_ORIGINS: '*' });
  await using _ = catalog;
  for (const { headers } of await ask(other)) {
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  }
  for (const url of urls) {
    const { status, headers } = await preflight(url, other);
    expect([status, headers.get('access-control-allow-origin')]).toEqual([204, '*']);
  }
});

test('refusals can be read by the page as well', async () => {
  const { catalog, urls } = await facesOf({ CORS_ORIGINS: page });
  await using _ = catalog;
  for (const url of urls.slice(0, 2)) {
    const reply = await send(url, {
      authorization: null,
      headers: { origin: page },
      body: { query: '{ viewer { id } }' },
    });
    expect([reply.code, reply.headers.get('access-control-allow-origin')]).toEqual([
      'UNAUTHENTICATED',
      page,
    ]);
  }
});
