import { expect, test } from 'vitest';
import { CatalogError, invalidField } from '../../src/errors.ts';
import type { Answer } from '../../src/rest/serve.ts';
import { ask, openLibrary } from './operations/library/library.ts';

const at = (url: string, headers = {}) =>
  new Request(url, { headers: { authorization: 'Bearer librarian-key', ...headers } });

test('every path is served with and without its last slash, never by a redirect', async () => {
  const library = openLibrary();
  const { id } = library.shelves.add({ title: 'A' });
  for (const { method, path, aliases } of library.operations) {
    for (const one of [path, ...aliases]) {
      const bare = one.replaceAll(/:\w+/g, id).replace(/\/$/, '');
      const body = method === 'POST' || method === 'PATCH' ? { title: 'B', books: [] } : undefined;
      const query = path === '/log/book/' ? `?book_id=${id}` : '';
      for (const form of [bare, `${bare}/`]) {
        if (method === 'DELETE') library.shelves.books.push({ ...library.shelves.add({}), id });
        const response = await library.fetch(ask(method, form + query, body));
        expect([form, response.status]).toEqual([form, expect.toSatisfy((status) => status < 300)]);
      }
    }
  }
});

test('of several last slashes none is of the path, and all others are', async () => {
  const library = openLibrary();
  const statusOf = async (path: string) =>
    (await library.fetch(ask('GET', `/book/books${path}`))).status;
  expect(await statusOf('/'.repeat(8_000))).toBe(200);
  expect(await statusOf(`${'/'.repeat(8_000)}x`)).toBe(404);
});

test('an alias answers what its path answers', async () => {
  const library = openLibrary();
  library.shelves.add({ title: 'A' });
  const one = await (await library.fetch(ask('GET', '/book/books'))).json();
  const other = await (await library.fetch(ask('GET', '/book/'))).json();
  expect(other).toEqual(one);
});

test('a path that repeats the whole URL is the path inside', async () => {
  const library = openLibrary();
  for (let n = 0; n < 3; n += 1) library.shelves.add({ title: 'A' });
  const base = 'http://library.test/api/v1';
  const first = await (await library.fetch(at(`${base}/book/books?page_size=2&title=A`))).json();
  const pasted = await library.fetch(at(`${base}/${first.links.next}`));
  expect(pasted.status).toBe(200);
  const second = await pasted.json();
  expect(second.meta.page).toBe(2);
  expect(second.results).toHaveLength(1);
  expect(second.links.previous).toBe(`${base}/book/books?page_size=2&title=A&page=1`);
  // Some proxies make one slash of two.
  const squeezed = `${base}/http:/library.test/api/v1/book/books/?page=1`;
  expect((await library.fetch(at(squeezed))).status).toBe(200);
});

test('a pasted URL of another host or of another path is 404', async () => {
  const library = openLibrary();
  for (const inner of [
    'http://evil.test/api/v1/book/books',
    'http://library.test/graphql',
    'http://library.test/api/v1/http://library.test/api/v1/book/books',
    'ftp://library.test/api/v1/book/books',
  ]) {
    expect((await library.fetch(at(`http://library.test/api/v1/${inner}`))).status).toBe(404);
  }
});

test('links are on the origin of the request, and on a forwarded one only behind a proxy of ours', async () => {
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'catalog.example.com' };
  const links = async (trustsProxy: boolean, publicUrl: string | null = null) => {
    const library = openLibrary({ seenOrigin: { publicUrl, trustsProxy } });
    library.shelves.add({});
    library.shelves.add({});
    const request = at('http://10.0.0.1:4000/api/v1/book/books/?page_size=1&lent=false', forwarded);
    return (await (await library.fetch(request)).json()).links.next;
  };
  expect(await links(false)).toBe(
    'http://10.0.0.1:4000/api/v1/book/books?page_size=1&lent=false&page=2',
  );
  expect(await links(true)).toBe(
    'https://catalog.example.com/api/v1/book/books?page_size=1&lent=false&page=2',
  );
  // Where the operator says which origin it is, no header says another one.
  for (const trusts of [false, true]) {
    expect(await links(trusts, 'https://own.example.com')).toBe(
      'https://own.example.com/api/v1/book/books?page_size=1&lent=false&page=2',
    );
  }
});

test('a forwarded host that is none is not believed', async () => {
  const library = openLibrary({ seenOrigin: { publicUrl: null, trustsProxy: true } });
  library.shelves.add({});
  library.shelves.add({});
  for (const host of ['a b', 'evil.test/path', 'x@evil.test', '"<script>']) {
    const request = at('http://library.test/api/v1/book/books?page_size=1', {
      'x-forwarded-host': host,
      'x-forwarded-proto': 'javascript',
    });
    const { links } = await (await library.fetch(request)).json();
    expect(links.next).toBe('http://library.test/api/v1/book/books?page_size=1&page=2');
  }
});

test('a key is asked for before anything else is looked at', async () => {
  const library = openLibrary();
  const strangers = [{ authorization: '' }, { authorization: 'Bearer wrong' }];
  for (const headers of strangers) {
    for (const request of [
      ask('GET', '/book/books?page=none', undefined, headers),
      ask('GET', '/book/books/nothing', undefined, headers),
      ask('POST', '/book/books', '{ broken', headers),
      ask('POST', '/book/books', 'x'.repeat(20_000), headers),
    ]) {
      const response = await library.fetch(request);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      expect(await response.json()).toMatchObject({
        code: 'UNAUTHENTICATED',
        title: 'Unauthorized',
      });
    }
  }
  expect(library.shelves.books).toEqual([]);
});

test('a role that may not is 403', async () => {
  const library = openLibrary();
  const headers = { authorization: 'Bearer reader-key' };
  const response = await library.fetch(ask('POST', '/book/books', { title: 'A' }, headers));
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({
    code: 'FORBIDDEN',
    detail: 'Only librarians may.',
  });
  expect(library.shelves.books).toEqual([]);
});

test('the base itself says where everything is, to the one who has no key as well', async () => {
  const library = openLibrary();
  for (const path of ['', '/']) {
    const index = await library.fetch(ask('GET', path, undefined, { authorization: '' }));
    expect([index.status, await index.json()]).toEqual([
      200,
      {
        ...{ title: 'Library', version: expect.any(String), graphql: '/graphql' },
        ...{ documentation: '/api/v1/docs', openapi: '/api/v1/openapi.json' },
      },
    ]);
  }
});

test('errors are problem details with the id of the request', async () => {
  const library = openLibrary();
  const known = await library.fetch(ask('GET', '/nowhere', undefined, { 'x-request-id': 'a-1' }));
  expect(known.status).toBe(404);
  expect(known.headers.get('content-type')).toBe('application/problem+json');
  expect(known.headers.get('x-request-id')).toBe('a-1');
  expect(await known.json()).toEqual({
    type: 'about:blank',
    title: 'Not Found',
    status: 404,
    detail: 'Path not found. All paths are listed at /api/v1/docs.',
    code: 'NOT_FOUND',
    request_id: 'a-1',
  });
  const odd = await library.fetch(ask('GET', '/nowhere', undefined, { 'x-request-id': 'a b"' }));
  expect(odd.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
});

test('an error of the schema names the documented field, in its fields and in its words', async () => {
  const library = openLibrary();
  const page = await library.fetch(ask('GET', '/book/books?page_size=5000'));
  expect(page.status).toBe(400);
  expect(await page.json()).toMatchObject({
    detail: 'page_size: page_size is 1 to 1000.',
    errors: [{ field: 'page_size', message: 'page_size is 1 to 1000.' }],
  });
  const pages = await library.fetch(ask('POST', '/book/books', { title: 'A', pages: 0 }));
  expect(await pages.json()).toMatchObject({
    errors: [{ field: 'pages', message: 'pages is positive.' }],
  });
  const loan = { to: 'Ann', days: 0 };
  const nested = await library.fetch(ask('POST', '/book/books', { title: 'A', loan }));
  expect(await nested.json()).toMatchObject({ errors: [{ field: 'loan.days' }] });
});

test('an error of the domain has its own status', async () => {
  const library = openLibrary();
  const response = await library.fetch(ask('POST', '/book/books', { title: 'taken' }));
  expect(response.status).toBe(409);
  expect(await response.json()).toMatchObject({ code: 'CONFLICT', title: 'Conflict' });
});

test('a path that is spelled out comes before one with a parameter there', async () => {
  const library = openLibrary();
  const count = await library.fetch(ask('POST', '/book/books/count', { books: ['a', 'b'] }));
  expect(await count.json()).toEqual({ counted: 2 });
  const get = await library.fetch(ask('GET', '/book/books/count'));
  expect(get.status).toBe(405);
  expect(get.headers.get('allow')).toBe('POST, OPTIONS');
});

test('OPTIONS says which methods a path has', async () => {
  const library = openLibrary();
  const response = await library.fetch(ask('OPTIONS', '/book/books/'));
  expect(response.status).toBe(204);
  expect(response.headers.get('allow')).toBe('GET, POST, HEAD, OPTIONS');
});

test('a deprecated operation says so, and names what answers the same question', async () => {
  const library = openLibrary();
  const { id } = library.shelves.add({ title: 'A' });
  const old = await library.fetch(ask('GET', `/book/books/${id}/`));
  expect(old.status).toBe(200);
  expect(old.headers.get('deprecation')).toBe('true');
  const [, url, rel] = /^<(.*)>; (.*)$/.exec(old.headers.get('link') ?? '') ?? [];
  expect(rel).toBe('rel="successor-version"');
  expect(url?.split('?')[0]).toBe('http://library.test/api/v1/item/items');
  expect(JSON.parse(new URL(url ?? '').searchParams.get('filter') ?? '')).toEqual({
    operator: 'exact',
    field: 'id',
    value: id,
  });
  const current = await library.fetch(ask('GET', '/item/items'));
  expect(current.headers.has('deprecation')).toBe(false);
  expect(current.headers.has('link')).toBe(false);
});

test('what a client has already is not sent again, until it changes', async () => {
  const library = openLibrary();
  library.shelves.add({ title: 'A' });
  const first = await library.fetch(ask('GET', '/book/books'));
  const tag = first.headers.get('etag') ?? '';
  const again = await library.fetch(
    ask('GET', '/book/books', undefined, { 'if-none-match': `"x", ${tag}` }),
  );
  expect(again.status).toBe(304);
  expect(again.body).toBeNull();
  expect(again.headers.get('etag')).toBe(tag);
  library.shelves.add({ title: 'B' });
  const changed = await library.fetch(
    ask('GET', '/book/books', undefined, { 'if-none-match': tag }),
  );
  expect(changed.status).toBe(200);
  expect(changed.headers.get('etag')).not.toBe(tag);
});

test('an error is never kept by a cache', async () => {
  const library = openLibrary();
  const response = await library.fetch(ask('GET', '/book/books/nothing'));
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.has('etag')).toBe(false);
});

/** Remembers answers by key, as a table of the database would. */
function memory() {
  const answers = new Map<string, { fingerprint: string; answer: Answer }>();
  const once = async <C>(
    context: C,
    { key, fingerprint }: { key: string; fingerprint: string },
    effect: (context: C) => Promise<Answer>,
  ): Promise<Answer> => {
    const known = answers.get(key);
    if (known && known.fingerprint !== fingerprint) {
      throw new CatalogError('UNPROCESSABLE', 'The key belongs to another request.');
    }
    const answer = known?.answer ?? (await effect(context));
    answers.set(key, { fingerprint, answer });
    return answer;
  };
  return { answers, once };
}

test('a POST with a key has one effect, and another body under the key is refused', async () => {
  const { answers, once } = memory();
  const library = openLibrary({ once });
  const key = { 'idempotency-key': 'k-1' };
  const first = await library.fetch(ask('POST', '/book/books', { title: 'A' }, key));
  const second = await library.fetch(ask('POST', '/book/books/', { title: 'A' }, key));
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(await second.json()).toEqual(await first.json());
  expect(library.shelves.books).toHaveLength(1);
  const other = await library.fetch(ask('POST', '/book/books', { title: 'B' }, key));
  expect(other.status).toBe(422);
  expect(library.shelves.books).toHaveLength(1);
  expect(answers.size).toBe(1);
});

test('a POST that failed under a key may be tried again', async () => {
  const { answers, once } = memory();
  const library = openLibrary({ once });
  const key = { 'idempotency-key': 'k-1' };
  const first = await library.fetch(ask('POST', '/book/books', { title: 'taken' }, key));
  expect(first.status).toBe(409);
  expect(answers.size).toBe(0);
  const second = await library.fetch(ask('POST', '/book/books', { title: 'free' }, key));
  expect(second.status).toBe(201);
});

test('an idempotency key that is none is refused; without a store it is ignored', async () => {
  const { once } = memory();
  const key = { 'idempotency-key': 'x'.repeat(256) };
  const strict = openLibrary({ once });
  expect((await strict.fetch(ask('POST', '/book/books', { title: 'A' }, key))).status).toBe(400);
  expect(strict.shelves.books).toEqual([]);
  const without = openLibrary();
  expect((await without.fetch(ask('POST', '/book/books', { title: 'A' }, key))).status).toBe(201);
});

test('a body over the limit is 413, with or without a length', async () => {
  const library = openLibrary({ maxBodyBytes: 1000 });
  const title = 'x'.repeat(2000);
  const plain = await library.fetch(ask('POST', '/book/books', { title }));
  expect(plain.status).toBe(413);
  const stream = new Blob([JSON.stringify({ title })]).stream();
  const headers = { authorization: 'Bearer librarian-key' };
  const init = { method: 'POST', headers, body: stream, duplex: 'half' };
  const chunked = new Request('http://library.test/api/v1/book/books', init);
  const response = await library.fetch(chunked);
  expect(response.status).toBe(413);
  expect(await response.json()).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  expect(library.shelves.books).toEqual([]);
});

test('a body that is no JSON object is 400', async () => {
  const library = openLibrary();
  for (const body of ['[]', '"a"', '1', 'null', 'true', '{"a":', 'title=A', '\u0000']) {
    const response = await library.fetch(ask('POST', '/book/books', body));
    expect([body, response.status]).toEqual([body, 400]);
  }
  const bytes = new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]);
  const request = new Request('http://library.test/api/v1/book/books', {
    method: 'POST',
    headers: { authorization: 'Bearer librarian-key' },
    body: bytes,
  });
  expect((await library.fetch(request)).status).toBe(400);
});

test('a hook may refuse a request or add headers to its answer', async () => {
  let left = 1;
  const library = openLibrary({
    admit: ({ request }, _, headers) => {
      headers.set('ratelimit-remaining', String(left));
      left -= 1;
      if (left < 0) throw new CatalogError('TOO_MANY_REQUESTS', 'Wait a minute.');
      return { role: 'librarian', request };
    },
  });
  const first = await library.fetch(ask('GET', '/book/books'));
  expect([first.status, first.headers.get('ratelimit-remaining')]).toEqual([200, '1']);
  const second = await library.fetch(ask('GET', '/book/books'));
  expect([second.status, second.headers.get('ratelimit-remaining')]).toEqual([429, '0']);
});

test('a route by hand is served with a key, its parameters, and errors as problems', async () => {
  const library = openLibrary({
    routes: [
      {
        method: 'POST',
        path: '/book/books/:book_id/scan/',
        aliases: ['/book/:book_id/scan'],
        scope: 'IMPORT',
        document: {
          operationId: 'ScanBook',
          tag: 'Books',
          summary: 'Scan a book',
          parameters: ['dry_run', 'crash', 'quiet'].map((name) => ({ name, in: 'query' })),
          responses: { 200: { description: 'Scanned.' } },
        },
        handle: async ({ params, query, context, request }) => {
          if (query.get('dry_run') === 'perhaps') throw invalidField('dry_run', 'It is a boolean.');
          if (query.has('crash')) throw new Error('secret');
          const body = { ...params, role: context.role, bytes: (await request.text()).length };
          return query.has('quiet') ? { status: 204 } : { status: 200, body };
        },
      },
    ],
  });
  const ok = await library.fetch(ask('POST', '/book/7/scan/', 'abc'));
  expect(await ok.json()).toEqual({ book_id: '7', role: 'librarian', bytes: 3 });
  const quiet = await library.fetch(ask('POST', '/book/books/7/scan?quiet', 'abc'));
  expect([quiet.status, quiet.body]).toEqual([204, null]);
  const bad = await library.fetch(ask('POST', '/book/books/7/scan?dry_run=perhaps', 'abc'));
  expect(await bad.json()).toMatchObject({ status: 400, errors: [{ field: 'dry_run' }] });
  const crash = await library.fetch(ask('POST', '/book/books/7/scan?crash', 'abc'));
  expect(crash.status).toBe(500);
  expect(await crash.text()).not.toContain('secret');
  const stranger = ask('POST', '/book/books/7/scan', 'abc', { authorization: '' });
  expect((await library.fetch(stranger)).status).toBe(401);
  expect((await library.fetch(ask('GET', '/book/books/7/scan'))).status).toBe(405);
});

test('a client that went away is known to the resolvers', async () => {
  const library = openLibrary();
  const leaving = new AbortController();
  const request = new Request('http://library.test/api/v1/book/books/slow', {
    headers: { authorization: 'Bearer librarian-key' },
    signal: leaving.signal,
  });
  const answer = library.fetch(request);
  await expect.poll(() => library.shelves.slow.length).toBe(1);
  expect(library.shelves.slow[0]?.aborted).toBe(false);
  leaving.abort();
  await answer;
  expect(library.shelves.slow[0]?.aborted).toBe(true);
  expect(library.shelves.errors).toEqual([]);
});
