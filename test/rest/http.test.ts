// REST over real sockets: what only shows once bytes travel.

import { createServer, type IncomingHttpHeaders, request as send } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { restLater } from '../../src/rest/later.ts';
import { openLibrary } from './operations/library/library.ts';

/** The library on a port of its own. */
async function listen() {
  const library = openLibrary();
  const { handle } = restLater(
    async () => library,
    (error) => {
      throw error;
    },
  );
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...library,
    port,
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const key = { authorization: 'Bearer librarian-key' };

/** Send a request that fetch would not: any method with any body. */
function sendRaw(port: number, method: string, path: string, body: string) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const headers = { ...key, 'content-length': String(Buffer.byteLength(body)) };
    const request = send({ port, host: '127.0.0.1', method, path, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.on('error', reject);
    request.end(body);
  });
}

test('the body of a GET or a DELETE is ignored', async () => {
  await using library = await listen();
  const { id } = library.shelves.add({ title: 'A' });
  const get = await sendRaw(library.port, 'GET', '/api/v1/book/books', '{"page": "x", broken');
  expect([get.status, JSON.parse(get.text).count]).toEqual([200, 1]);
  const path = `/api/v1/book/books/${id}`;
  const gone = await sendRaw(library.port, 'DELETE', path, '{"book_id": "another", broken');
  expect([gone.status, gone.text]).toEqual([204, '']);
});

test('HEAD sends the headers of GET and no byte after them', async () => {
  await using library = await listen();
  const head = await new Promise<string>((resolve, reject) => {
    const socket = connect(library.port, '127.0.0.1');
    const lines = ['HEAD /api/v1/book/books HTTP/1.1', 'Host: a', 'Connection: close'];
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
    socket.write(`${[...lines, `Authorization: ${key.authorization}`].join('\r\n')}\r\n\r\n`);
  });
  expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(head).toMatch(/etag: W\/"/i);
  expect(head.endsWith('\r\n\r\n')).toBe(true);
});

test('pages follow their links to the end, every record once', async () => {
  await using library = await listen();
  for (let n = 0; n < 7; n += 1) library.shelves.add({ title: `Book ${n}` });
  const seen: string[] = [];
  let next: string | null = `${library.origin}/api/v1/book/books/?page_size=2`;
  while (next) {
    const response: Response = await fetch(next, { headers: key });
    const page = await response.json();
    seen.push(...page.results.map(({ title }: { title: string }) => title));
    // A client that puts its base URL in front of every link gets the same pages.
    next = page.links.next && `${library.origin}/api/v1/${page.links.next}`;
  }
  expect(seen).toEqual(Array.from({ length: 7 }, (_, n) => `Book ${n}`));
});

test('hundred requests at once each get their own answer', async () => {
  await using library = await listen();
  const ids = Array.from({ length: 100 }, (_, n) => library.shelves.add({ title: `Book ${n}` }).id);
  const titles = await Promise.all(
    ids.map(async (id) => {
      const response = await fetch(`${library.origin}/api/v1/book/books/${id}`, { headers: key });
      return (await response.json()).title;
    }),
  );
  expect(titles).toEqual(ids.map((_, n) => `Book ${n}`));
});

test('a path that is no URL of ours, however spelled, is 404 or 400 and never 500', async () => {
  await using library = await listen();
  for (const path of ['//', '/api/v1/%', '/api/v1/book/books/%E0%A4%A', '/..%2f..', '/*']) {
    const { status } = await sendRaw(library.port, 'GET', path, '');
    expect([path, status]).toEqual([path, expect.toSatisfy((one) => one === 404 || one === 400)]);
  }
  expect(library.shelves.errors).toEqual([]);
});

/** What comes back of a list, as it was sent. */
function receive(port: number, path: string, headers: Readonly<Record<string, string>>) {
  return new Promise<{ headers: IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
    const request = send({ port, host: '127.0.0.1', path, headers: { ...key, ...headers } });
    request.once('error', reject);
    request.once('response', (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece) => pieces.push(piece));
      response.once('end', () =>
        resolve({ headers: response.headers, bytes: Buffer.concat(pieces) }),
      );
    });
    request.end();
  });
}

test('nothing of one answer is in the next one that begins with the same headers', async () => {
  await using library = await listen();
  const at = (path: string) => receive(library.port, `/api/v1${path}`, {});
  const index = await at('/');
  const document = await at('/openapi.json');
  const again = await at('/');
  expect(JSON.parse(document.bytes.toString()).openapi).toBe('3.1.0');
  for (const { headers, bytes } of [index, document, again]) {
    expect(headers['content-length']).toBe(String(bytes.byteLength));
  }
  expect(JSON.parse(index.bytes.toString())).toEqual(JSON.parse(again.bytes.toString()));
  expect(again.headers).not.toHaveProperty('vary');
});

test('a long answer is packed for who takes that, and is the same', async () => {
  await using library = await listen();
  for (let n = 0; n < 500; n += 1) library.shelves.add({ title: `Bücher ${n}` });
  const list = '/api/v1/book/books?page_size=500';
  const plain = await receive(library.port, list, {});
  expect(plain.headers).toMatchObject({ vary: 'accept-encoding' });
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(JSON.parse(plain.bytes.toString()).results).toHaveLength(500);
  for (const taken of ['gzip', 'deflate, GZIP;q=0.5', 'br;q=1, *;q=0.1']) {
    const { headers, bytes } = await receive(library.port, list, { 'accept-encoding': taken });
    expect(headers['content-encoding'], taken).toBe('gzip');
    expect(Number(headers['content-length']), taken).toBe(bytes.byteLength);
    expect(bytes.byteLength, taken).toBeLessThan(plain.bytes.byteLength / 2);
    expect(gunzipSync(bytes).equals(plain.bytes), taken).toBe(true);
    expect(headers.etag).toBe(plain.headers.etag);
  }
  for (const refused of ['identity', 'br', 'gzip;q=0', '*, gzip;q=0.0', 'gzipped']) {
    const { headers, bytes } = await receive(library.port, list, { 'accept-encoding': refused });
    expect(headers['content-encoding'], refused).toBeUndefined();
    expect(bytes.equals(plain.bytes), refused).toBe(true);
  }
  const small = await receive(library.port, '/api/v1/book/books?page_size=2', {
    'accept-encoding': 'gzip',
  });
  expect(small.headers).not.toHaveProperty('vary');
  expect(JSON.parse(small.bytes.toString()).results).toHaveLength(2);
});

test('a resolver learns that the client hung up', async () => {
  await using library = await listen();
  const leaving = new AbortController();
  const url = `${library.origin}/api/v1/book/books/slow`;
  const answer = fetch(url, { headers: key, signal: leaving.signal });
  await expect.poll(() => library.shelves.slow.length).toBe(1);
  leaving.abort();
  await expect(answer).rejects.toThrow();
  await expect.poll(() => library.shelves.slow[0]?.aborted).toBe(true);
});

/** Send the start of a request and never its end: the status line that comes back. */
function sendStart(port: number, lines: readonly string[], body: string) {
  return new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('data', (chunk) => {
      resolve(chunk.toString().split('\r\n', 1)[0] ?? '');
      socket.destroy();
    });
    socket.on('error', reject);
    socket.write(`${lines.join('\r\n')}\r\nHost: a\r\n\r\n${body}`);
  });
}

const post = 'POST /api/v1/book/books HTTP/1.1';
const authorized = `Authorization: ${key.authorization}`;

test('without a key the answer does not wait for the body', async () => {
  await using library = await listen();
  const status = await sendStart(library.port, [post, 'Content-Length: 5000'], '{"title":');
  expect(status).toBe('HTTP/1.1 401 Unauthorized');
});

test('a body over the limit is refused before it has all come', async () => {
  await using library = await listen();
  const said = [post, authorized, 'Content-Length: 50000'];
  expect(await sendStart(library.port, said, '{"title":')).toMatch(/^HTTP\/1\.1 413 /);
  const unsaid = [post, authorized, 'Transfer-Encoding: chunked'];
  const chunk = `${(20_000).toString(16)}\r\n${'x'.repeat(20_000)}\r\n`;
  expect(await sendStart(library.port, unsaid, chunk)).toMatch(/^HTTP\/1\.1 413 /);
  expect(library.shelves.books).toEqual([]);
});

test('an answer says how long it is, and HEAD has its headers without it', async () => {
  await using library = await listen();
  const path = `${library.origin}/api/v1/book/books`;
  const got = await fetch(path, { headers: key });
  const text = await got.text();
  expect(got.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
  expect(got.headers.get('transfer-encoding')).toBeNull();
  const head = await fetch(path, { headers: key, method: 'HEAD' });
  expect(head.status).toBe(200);
  expect(head.headers.get('etag')).toBe(got.headers.get('etag'));
  expect(await head.text()).toBe('');
  const etag = got.headers.get('etag') ?? '';
  const known = await fetch(path, { headers: { ...key, 'if-none-match': etag } });
  expect(known.status).toBe(304);
  expect(await known.text()).toBe('');
});

test('files that are compressed arrive as they are', async () => {
  await using library = await listen();
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    const url = `${library.origin}/api/v1/docs/swagger-ui.css`;
    const request = send(url, { headers: { 'accept-encoding': 'gzip' } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(Buffer.concat(chunks)));
    });
    request.on('error', reject);
    request.end();
  });
  expect(gunzipSync(bytes).toString()).toContain('.swagger-ui');
});
