import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ask, openLibrary } from '../operations/library/library.ts';

test('the page needs no key, and nothing that is not ours', async () => {
  const library = openLibrary();
  const get = (path: string) => library.fetch(ask('GET', path, undefined, { authorization: '' }));
  const page = await get('/docs/');
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'self';/,
  );
  const html = await page.text();
  expect(html).toContain('<title>Library</title>');
  expect(html).not.toMatch(/https?:|\/\/|<script>/);
  const linked = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
  const assets = linked.filter((path) => path.startsWith('/api/v1/'));
  expect(assets).toHaveLength(4);
  // The ways to the other APIs.
  expect(linked.filter((path) => !assets.includes(path))).toEqual(['/', '/docs/api', '/graphql']);
  for (const asset of assets) {
    const response = await get(asset.replace('/api/v1', ''));
    expect([asset, response.status]).toEqual([asset, 200]);
    const bytes = Buffer.from(await response.arrayBuffer());
    const packed = response.headers.get('content-encoding') === 'gzip';
    expect((packed ? gunzipSync(bytes) : bytes).length).toBeGreaterThan(100);
  }
  const start = await (await get('/docs/start.js')).text();
  expect(start).toContain('"url":"/api/v1/openapi.json"');
  expect(start).toContain('"validatorUrl":null');
});

test('no other file is served', async () => {
  const library = openLibrary();
  for (const name of ['package.json', 'index.html', '..%2fpackage.json', '%2e%2e%2f', 'x.js']) {
    expect((await library.fetch(ask('GET', `/docs/${name}`))).status).toBe(404);
  }
});

test('a title can not break out of the page', async () => {
  const info = { title: '</title><script>alert(1)</script>', version: '1' };
  const html = await (await openLibrary({ info }).fetch(ask('GET', '/docs'))).text();
  expect(html).not.toContain('<script>alert');
});
