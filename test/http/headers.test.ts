// What browsers are told of each answer, also of those that no page is at, and links on the origin that is set.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Catalog, openCatalog } from '../catalog.ts';

let catalog: Catalog;
let base: string;
beforeAll(async () => {
  catalog = await openCatalog();
  await catalog.app({ PUBLIC_URL: 'https://catalog.example.com', TRUST_PROXY: 'true' });
  base = await catalog.listen();
});
afterAll(() => expect(catalog.unexpected).toEqual([]));

const html = { accept: 'text/html' };
const answers = [
  ['/', 200, html],
  ['/search?q=x', 200, html],
  ['/docs', 200, html],
  ['/docs/nothing', 404, html],
  ['/docs/nothing', 404, {}],
  ['/graphql', 200, html],
  ['/site/nothing', 404, html],
  ['/assets/nothing.js', 404, html],
  ['/graphiql/nothing', 404, html],
  ['/sign-in', 404, html],
  ['/sign-in/nothing', 403, html],
  ['/nothing', 404, {}],
  ['/api/v1/docs', 200, html],
  ['/api/v1/docs/swagger-ui.css', 200, html],
  ['/api/v1/docs/nothing.js', 404, html],
  ['/api/v1/nothing', 404, html],
  ['/api/v1/tag', 401, {}],
  ['/metrics', 200, {}],
  ['/mcp', 401, {}],
  ['/graphql?query={__typename}', 403, {}],
] as const;

test.each(answers)('%s is answered with %i, and strict headers', async (path, status, headers) => {
  const answer = await fetch(base + path, { headers, redirect: 'manual' });
  expect(answer.status).toBe(status);
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  const policy = new Map(
    (answer.headers.get('content-security-policy') ?? '').split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources.join(' ')] as const;
    }),
  );
  for (const name of ['default-src', 'base-uri', 'form-action', 'frame-ancestors']) {
    expect([name, policy.get(name)]).toEqual([name, "'none'"]);
  }
  expect(policy.get('script-src') ?? "'none'").toMatch(/^'(self|none)'$/);
  await answer.arrayBuffer();
});

test('links are on the origin that is set, whatever host a request names', async () => {
  for (const name of ['one', 'two']) await catalog.rest('POST', '/tag', { body: { name } });
  const answer = await fetch(`${base}/api/v1/tag?page_size=1`, {
    headers: {
      authorization: `Bearer ${catalog.keyOf('admin')}`,
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
    },
  });
  const own = /^https:\/\/catalog\.example\.com\/api\/v1\/tag\?/;
  expect((await answer.json()).links.next).toMatch(own);
  for (const [, address] of (answer.headers.get('link') ?? '').matchAll(/<([^>]+)>/g)) {
    expect(address).toMatch(own);
  }
});
