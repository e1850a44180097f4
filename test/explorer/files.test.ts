// The files of the explorer: where its page is served, what it weighs, and that its operations are valid.

import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildSchema, parse, validate } from 'graphql';
import { beforeAll, expect, test } from 'vitest';
import { operationsOf } from '../../scripts/explorer-operations.mjs';
import { openCatalog } from '../catalog.ts';
import { filesMatching, root } from '../house/sources.ts';

/** What a browser may have to load before it shows anything, packed. */
const mostBytes = 150_000;
/** What another page may have to load after that, packed. */
const mostFurther = 60_000;

let base = '';
beforeAll(async () => {
  const catalog = await openCatalog();
  base = await catalog.listen();
});

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

test('the page is at the root and at every address that a view may have', async () => {
  const scripts = (text: string) => text.match(/<script[^>]*>/g);
  const first = await (await fetch(`${base}/`, { headers: html })).text();
  expect(first).toContain('<div id="explorer">');
  for (const path of ['/search?q=orders', '/lineage/1?level=column', '/nothing/like/this']) {
    const answer = await fetch(base + path, { headers: html });
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    const text = await answer.text();
    expect(text, path).toContain('<div id="explorer">');
    expect(scripts(text), path).toEqual(scripts(first));
  }
});

test('a link shows what kind of page it leads to, and nothing of the workspace', async () => {
  const catalog = await openCatalog();
  const { id } = await catalog.resource({ title: 'salaries' });
  const own = await catalog.listen();
  const read = async (path: string) => (await fetch(own + path, { headers: html })).text();
  const meta = (text: string) =>
    [...text.matchAll(/<meta property="og:(\w+)" content="([^"]*)">/g)].map(
      ([, name, content]) => `${name}: ${content}`,
    );
  const there = await read(`/resource/${id}`);
  expect(meta(there)).toEqual(['site_name: Headwater', 'title: Resource']);
  expect(await read(`/resource/${randomUUID()}`)).toBe(there);
  for (const [path, title] of [
    ['/', 'Home'],
    ['/monitors', 'Monitors'],
    ['/monitors/new?of=1', 'New monitor'],
    ['/monitors/1', 'Monitor'],
    ['/browse', 'Browse'],
    [`/browse/${id}`, 'Browse'],
    ['/nothing/like/<this>', 'Headwater'],
  ] as const) {
    expect(meta(await read(path)), path).toContain(`title: ${title}`);
  }
});

test('the page names the files of its address, which a browser asks for at once', async () => {
  const filesAt = async (path: string) => {
    const text = await (await fetch(base + path, { headers: html })).text();
    const links = text.matchAll(/<link rel="modulepreload" href="(\/assets\/[^"]+)">/g);
    return [...links].map(([, name = '']) => name);
  };
  const [nowhere, resource] = [await filesAt('/nothing'), await filesAt('/resource/1')];
  const added = resource.filter((name) => !nowhere.includes(name));
  expect(added.length).toBeLessThan(resource.length);
  const texts = await Promise.all(added.map(async (name) => (await fetch(base + name)).text()));
  expect(texts.filter((text) => text.includes('query ResourcePage('))).toHaveLength(1);
  expect(texts.join('')).not.toContain('query LineagePicture(');
});

test('other parts keep their addresses, and programs are not sent a page', async () => {
  for (const path of ['/api/v1/nothing', '/site/nothing', '/assets/nothing.js', '/metrics']) {
    const text = await (await fetch(base + path, { headers: html })).text();
    expect(text, path).not.toContain('id="explorer"');
  }
  const answer = await fetch(`${base}/search`);
  expect(answer.status).toBe(404);
  expect(answer.headers.get('content-type')).toContain('json');
  expect((await fetch(`${base}/search`, { method: 'POST', headers: html })).status).toBe(404);
});

test('the page allows nothing but files of this server, and makes no exception for styles', async () => {
  const page = await fetch(`${base}/`, { headers: html });
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
  expect(policy).not.toMatch(/https?:|\*/);
  const text = await page.text();
  expect(text).not.toMatch(/<script(?![^>]*\bsrc="\/)|<style|\bstyle=|\bon\w+=/);
});

test('a file is the same whether it comes packed or not, and as long as it is said to be', async () => {
  const text = await (await fetch(`${base}/`, { headers: html })).text();
  // Of the files that the page loads, the largest: others may be a few lines.
  const entries = [...text.matchAll(/"(\/assets\/[^"]+\.js)"/g)].map(([, found = '']) => found);
  const lengths = await Promise.all(
    entries.map(async (entry) => (await (await fetch(base + entry)).text()).length),
  );
  const path = entries[lengths.indexOf(Math.max(...lengths))] ?? '';
  const taking = (coding: string) => fetch(base + path, { headers: { 'accept-encoding': coding } });
  const [packed, smaller, plain] = [
    await taking('gzip, br;q=0'),
    await taking('gzip, deflate, br'),
    await taking('identity'),
  ];
  expect([packed, smaller, plain].map(({ headers }) => headers.get('content-encoding'))).toEqual([
    'gzip',
    'br',
    null,
  ]);
  const lengthOf = ({ headers }: Response) => Number(headers.get('content-length'));
  expect(lengthOf(smaller)).toBeLessThan(lengthOf(packed));
  expect(await smaller.text()).toBe(await (await taking('gzip')).text());
  const whole = await plain.text();
  expect(Number(plain.headers.get('content-length'))).toBe(Buffer.byteLength(whole));
  expect(whole.length).toBeGreaterThan(1_000);
  expect(await packed.text()).toBe(whole);
  const head = await fetch(base + path, {
    method: 'HEAD',
    headers: { 'accept-encoding': 'identity' },
  });
  expect(head.headers.get('content-length')).toBe(plain.headers.get('content-length'));
});

test('its files are kept for good, and no other file is reached by their address', async () => {
  const text = await (await fetch(`${base}/`, { headers: html })).text();
  const paths = [...text.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThanOrEqual(3);
  for (const path of paths) {
    const answer = await fetch(base + path);
    expect(answer.status, path).toBe(200);
    expect(answer.headers.get('cache-control')).toContain('immutable');
    expect(path).toMatch(/-[0-9A-Z]{8}\.\w+$/);
  }
  for (const path of ['/assets/%2e%2e/index.html', '/assets/..%2f..%2fmain.cjs', '/assets/']) {
    expect((await fetch(base + path)).status, path).toBe(404);
  }
});

test('the first load and each further page are small, and the picture is a part of lineage alone', async () => {
  const pages: { address: string; files: string[] }[] = JSON.parse(
    readFileSync(join(root, 'dist/explorer/pages.json'), 'utf8'),
  );
  expect(pages.length).toBeGreaterThanOrEqual(20);
  const assets = join(root, 'dist/explorer/assets');
  const read = (name: string) => readFileSync(join(assets, name), 'utf8');
  const packed = (names: readonly string[]) =>
    names.reduce((sum, name) => sum + gzipSync(read(name)).byteLength, 0);
  const text = await (await fetch(`${base}/nothing`, { headers: html })).text();
  const begun = [...text.matchAll(/"\/assets\/([^"]+)"/g)].map(([, name = '']) => name);
  expect(packed([...begun, ...(pages[0]?.files ?? [])])).toBeLessThan(mostBytes);
  for (const { address, files } of pages) {
    expect(packed(files), address).toBeLessThan(mostFurther);
    const draws = [...begun, ...files].some((name) => read(name).includes('getContext'));
    expect(draws, address).toBe(address.includes('lineage'));
  }
});

test('each list may be asked for to the end of what an answer holds', async () => {
  const catalog = await openCatalog();
  const { id } = await catalog.resource();
  const lists = filesMatching(/^src\/explorer\/.*\.graphql$/)
    .flatMap(({ text }) => operationsOf(text))
    .filter(({ text }) => /^query [^{]*\$first: Int!/.test(text));
  expect(lists.length).toBeGreaterThanOrEqual(15);
  const nothing = { id: { eq: id } };
  for (const { name, text } of lists) {
    // A list that is longer than a page shows has a button that asks for more.
    const { errors } = await catalog.graphql(text, {
      ...{ first: 1_000, after: null, id, ids: [id], query: 'orders', part: 'orders', orderBy: [] },
      ...(/\$of: /.test(text) ? { of: [id] } : {}),
      ...(/\$where: \w+Where!/.test(text) ? { where: nothing } : {}),
    });
    // A webhook of that id is not there; what is too dear is refused before that.
    const refused = (errors ?? []).filter(({ extensions }) => extensions.code !== 'NOT_FOUND');
    expect(refused, name).toEqual([]);
  }
});

test('each operation is valid and has a name that no other has', () => {
  const [printed] = filesMatching(/^schema\.graphql$/);
  const schema = buildSchema(printed?.text ?? '');
  const files = filesMatching(/^src\/explorer\/.*\.graphql$/);
  expect(files.length).toBeGreaterThanOrEqual(5);
  const names: string[] = [];
  for (const { path, text } of files) {
    const document = parse(text);
    expect(validate(schema, document), path).toEqual([]);
    for (const definition of document.definitions) {
      if ('operation' in definition) names.push(definition.name?.value ?? '');
    }
  }
  expect(names).not.toContain('');
  // Answers are kept by these names.
  expect(new Set(names).size).toBe(names.length);
});

test('what a state is called on one page styles nothing of its own elsewhere: all styles are one file', () => {
  const folder = join(root, 'src/explorer');
  const styles = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.css'))
    .map((name) => ({
      name,
      text: readFileSync(join(folder, name), 'utf8').replaceAll(/\/\*.*?\*\//gs, ''),
    }));
  const found = (pattern: RegExp) =>
    styles.flatMap(({ name, text }) =>
      [...text.matchAll(pattern)].map(([, word]) => ({ word, name })),
    );
  // As in `.card.chosen`, and as in `.chosen`.
  const states = found(/\.[\w-]+\.([\w-]+)/g);
  const alone = found(/(?:^|[,}]\s*)\.([\w-]+)(?=\s*[,{])/gm);
  expect(states.length).toBeGreaterThan(10);
  const clashes = states.flatMap((state) =>
    alone
      .filter(({ word, name }) => word === state.word && name !== state.name)
      .map(({ name }) => `.${state.word} in ${state.name} and ${name}`),
  );
  expect([...new Set(clashes)]).toEqual([]);
});
