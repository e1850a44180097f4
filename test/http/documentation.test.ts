// The documentation at /docs: every page and link of it, and what its examples do when they are run.

import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Catalog, openCatalog } from '../catalog.ts';
import { root } from '../house/sources.ts';

let catalog: Catalog;
let base: string;
beforeAll(async () => {
  catalog = await openCatalog();
  base = await catalog.listen();
});
afterAll(async () => {
  expect(catalog.unexpected).toEqual([]);
  await catalog[Symbol.asyncDispose]();
});

const docs = `${root}/docs`;
const names = readdirSync(docs, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => name.replace(/\.md$/, ''));
const read = (name: string) => readFileSync(`${docs}/${name}.md`, 'utf8');
const page = async (path: string) => {
  const answer = await fetch(`${base}${path}`);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

test('every page is served, and every link of it leads somewhere', async () => {
  expect(names.length).toBeGreaterThan(40);
  const pages = new Map<string, string>();
  for (const name of names) {
    const { status, text, headers } = await page(`/docs/${name}`);
    expect([name, status, headers.get('content-type')]).toEqual([
      name,
      200,
      'text/html; charset=utf-8',
    ]);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(text).toMatch(/<main><h1 id="/);
    expect(text).not.toContain('&lt;!--');
    pages.set(`/docs/${name}`, text);
  }
  for (const name of ['', '/', '/sources', '/decisions']) {
    const { status, text } = await page(`/docs${name}`);
    expect([name, status]).toEqual([name, 200]);
    pages.set(`/docs${name}`, text);
  }
  const broken: string[] = [];
  for (const [from, text] of pages) {
    for (const [, to = ''] of text.matchAll(/<a href="(\/docs[^"]*|#[^"]*)"/g)) {
      const [path = '', anchor] = to.split('#');
      const target = path === '' ? text : pages.get(path);
      if (path !== '' && /\.(json|png)$/.test(path)) {
        if ((await page(path)).status !== 200) broken.push(`${from} -> ${to}`);
      } else if (!target || (anchor && !target.includes(`id="${anchor}"`))) {
        broken.push(`${from} -> ${to}`);
      }
    }
  }
  expect(broken).toEqual([]);
});

test('what may be wider than a window is moved by keys, and each page leads to all pages and to the explorer', async () => {
  const { text } = await page('/docs/imports');
  expect(text).toContain('<pre tabindex="0">');
  expect(text).toContain('<table tabindex="0">');
  expect(text).not.toMatch(/<(?:pre|table)>/);
  expect(text).toContain('<a href="/">');
  expect(text).toMatch(/<nav id="all-pages"/);
});

test('an address that no file can have is answered like one that no file has', async () => {
  const long = 'a'.repeat(300);
  for (const path of [
    `/docs/${long}`,
    `/docs/${long}.json`,
    '/docs/images',
    `/assets/${long}.js`,
  ]) {
    const answer = await page(path);
    expect([path, answer.status, answer.text]).toEqual([path, 404, 'There is no such page.\n']);
  }
});

test('the search knows every section of every page, and where it is', async () => {
  const { status, headers, text } = await page('/docs/search.json');
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  const sections: { page: string; heading: string; at: string; text: string }[] = JSON.parse(text);
  const pages = new Map<string, string>();
  for (const at of new Set(sections.map((one) => one.at.split('#')[0] ?? ''))) {
    pages.set(at, (await page(at)).text);
  }
  expect(pages.size).toBe(names.length);
  const lost = sections.filter(({ at }) => {
    const [path = '', anchor] = at.split('#');
    return !pages.get(path)?.includes(`id="${anchor}"`);
  });
  expect(lost.map(({ at }) => at)).toEqual([]);
  const csv = sections.find(({ at }) => at === '/docs/imports#csv-tables-and-columns');
  expect(csv).toMatchObject({ page: 'Import formats', heading: 'CSV: tables and columns' });
  expect(csv?.text).toContain('last_updated_time');
  // Neither marks nor what is only code, whose lines may begin as headings do.
  expect(csv?.text).not.toMatch(/[`|]/);
  expect(sections.filter(({ heading }) => /^(npm|curl|!)/.test(heading))).toEqual([]);
});

test('pages load no script but that of the search, which is a file of this server', async () => {
  const { text } = await page('/docs/imports');
  expect([...text.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)).toEqual([
    '<script type="module" src="/site/docs.js">',
  ]);
  expect(text).not.toMatch(/\son\w+=/);
  const { status, headers } = await page('/site/docs.js');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
});

test('its index names every page but those of decisions', () => {
  const index = read('README');
  const own = names.filter((name) => !name.includes('/') && name !== 'README');
  expect(own.filter((name) => !index.includes(`](${name}.md)`))).toEqual([]);
  const sources = names.filter((name) => name.startsWith('sources/') && !name.endsWith('README'));
  const listed = read('sources/README');
  expect(sources.filter((name) => !listed.includes(`(${name.slice(8)}.md)`))).toEqual([]);
});

test('its index says in a line what each page is for, which the list next to each page does not repeat', async () => {
  const entries = [...read('README').matchAll(/^- (.*)$/gm)].map(([, entry = '']) => entry);
  expect(entries.length).toBeGreaterThan(20);
  expect(entries.filter((entry) => !/^\[[^\]]+\]\([^)]+\): \S.{15,80}$/.test(entry))).toEqual([]);
  const { text } = await page('/docs');
  const [, nav = '', main = ''] = /<nav[^>]*>(.*)<\/nav>.*<main>(.*)<\/main>/s.exec(text) ?? [];
  const itemsOf = (html: string) => [...html.matchAll(/<li>(.*?)<\/li>/g)].map(([, item]) => item);
  expect(itemsOf(main)).toHaveLength(entries.length);
  expect(itemsOf(main)).toContain(
    '<a href="/docs/concepts">Concepts</a>: resources, integrations, lineage, monitors and people, in a page',
  );
  expect(itemsOf(nav)).toHaveLength(entries.length);
  expect(itemsOf(nav)).toContain('<a href="/docs/concepts">Concepts</a>');
  expect(itemsOf(nav).filter((item) => !item?.endsWith('</a>'))).toEqual([]);
});

test('no path leads out of the folder, and what is not there is 404', async () => {
  for (const path of ['nope', '..%2fpackage.json', '%2e%2e/package.json', 'a/b/c', 'README.ts']) {
    expect([path, (await page(`/docs/${path}`)).status]).toEqual([path, 404]);
  }
  expect((await page('/docs/graphiql.png')).headers.get('content-type')).toBe('image/png');
  expect((await page('/docs/sources/trino')).text).toContain(
    'src="/docs/images/sources/trino.svg"',
  );
  const picture = await page('/docs/images/sources/trino.svg');
  expect(picture.headers.get('content-type')).toBe('image/svg+xml');
});

/** The block of a page that stands below a comment. */
function block(name: string, comment: string): string {
  const at = read(name).indexOf(`<!-- ${comment} -->`);
  expect([comment, at]).not.toEqual([comment, -1]);
  return /```\w+\n(.*?)```/s.exec(read(name).slice(at))?.[1] ?? '';
}

test('the files of the import formats are imported as they stand', async () => {
  const { id } = await catalog.integration({ type: 'custom' });
  const upload = async (path: string, files: Readonly<Record<string, string>>) => {
    const form = new FormData();
    for (const [name, text] of Object.entries(files)) form.append(name, new Blob([text]), name);
    return catalog.rest('POST', `/integration/integrations/${id}/${path}`, { body: form });
  };
  const csv = await upload('import_metadata', { file: block('imports', 'test: csv') });
  expect([csv.status, csv.text]).toEqual([204, '']);
  const other = await catalog.integration({ type: 'custom' });
  const files = {
    resources_file: block('imports', 'test: resources'),
    lineages_file: block('imports', 'test: lineages'),
  };
  const form = new FormData();
  for (const [name, text] of Object.entries(files)) form.append(name, new Blob([text]), name);
  const path = `/integration/integrations/${other.id}/import_jsonl_metadata?dry_run=true`;
  const dry = await catalog.rest('POST', path, { body: form });
  expect([dry.status, dry.body.lineage, dry.body.problems]).toEqual([
    200,
    { created: 2, ended: 0, unchanged: 0, unknown: 0 },
    [],
  ]);
});

test('the page of import formats has every column and field, and no other', async () => {
  const { id } = await catalog.integration({ type: 'custom' });
  const refusal = async (path: string, field: string, text: string) => {
    const form = new FormData();
    form.append(field, new Blob([text]), field);
    const target = `/integration/integrations/${id}/${path}`;
    return (await catalog.rest('POST', target, { body: form })).body.detail;
  };
  const told = (heading: string) => {
    const section = read('imports').split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
    const cells = [...section.matchAll(/^\| (`.*?) \|/gm)].map(([, cell = '']) => cell);
    return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
  };
  const columns = await refusal('import_metadata', 'file', 'nonsense\n');
  const csv = told('CSV: tables and columns');
  expect(csv.filter((name) => !columns.includes(name))).toEqual([]);
  const fields = await refusal(
    'import_jsonl_metadata',
    'resources_file',
    '{"entity_type":"table","databuilder_id":"a","nonsense":1}\n',
  );
  const jsonl = told('JSONL: resources of any kind');
  const known = [...fields.matchAll(/\b[a-z]+(?:_[a-z]+)*\b/g)].map(([name]) => name);
  expect(jsonl.filter((name) => !known.includes(name))).toEqual([]);
  expect(jsonl).toHaveLength(25);
  expect(csv).toHaveLength(17);
});
