// What a client says the host is decides nothing: words that are no name of a host are answered like others.

import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Catalog, openCatalog } from '../catalog.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await openCatalog();
});
afterAll(() => expect(catalog.unexpected).toEqual([]));

const query = JSON.stringify({ query: '{ viewer { user { id } } }' });
const asks = [
  ['POST', '/graphql', query],
  ['GET', `/graphql?query=${encodeURIComponent('{ __typename }')}`, null],
  ['GET', '/api/v1/tag', null],
  ['POST', '/api/v1/tag', '{"name":"x"}'],
  ['POST', '/mcp', '{"jsonrpc":"2.0","id":1,"method":"ping"}'],
  ['GET', '/docs', null],
  ['GET', '/', null],
  ['GET', '/sign-in', null],
  ['GET', '/healthz', null],
  ['GET', '/nowhere', null],
] as const;

test.each(['[', 'a b', 'x:99999', 'a@b:c', '%', '', '\u00e9'])('a host of %j', async (host) => {
  const base = await catalog.listen();
  for (const [method, path, body] of asks) {
    const status = await new Promise<number>((resolve, reject) => {
      const headers = {
        ...{ host, authorization: `Bearer ${catalog.keyOf('admin')}` },
        ...(body === null ? {} : { 'content-type': 'application/json' }),
      };
      const asking = request(base + path, { method, headers, setHost: false }, async (response) => {
        await text(response);
        resolve(response.statusCode ?? 0);
      });
      asking.once('error', reject);
      asking.end(body ?? undefined);
    });
    expect({ method, path, status, isFault: status >= 500 }).toMatchObject({ isFault: false });
  }
});
