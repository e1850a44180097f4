// GraphiQL in a browser: the key, the examples, what is fetched, and what the page may do.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { readExamples } from '../../src/graphql/graphiql/graphiql.ts';
import { schema } from '../../src/graphql/schema.ts';
import { createLineage } from '../../src/lineage/edge.ts';
import { type Browser, hasBrowser, type Page, startBrowser } from '../browser.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { serveApp } from '../serve.ts';

// Editor and schema take their time to load on a busy machine.
const waiting = { timeout: 15_000 };
vi.setConfig({ testTimeout: 60_000 });

interface Served extends AsyncDisposable {
  readonly catalog: Catalog;
  readonly base: string;
}

/** The whole server of a new catalog on a free port. */
async function serve(): Promise<Served> {
  const catalog = await openCatalog();
  const server = await serveApp(
    createApp({
      database: catalog.database,
      surroundings: catalog.surroundings,
      config: readConfig({}),
      onUnexpected: (error) => console.error(error),
    }),
  );
  return {
    catalog,
    base: server.base,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await catalog[Symbol.asyncDispose]();
    },
  };
}

test('every example is valid, named and explained', async () => {
  const examples = await readExamples();
  expect(examples.length).toBeGreaterThanOrEqual(6);
  for (const { name, query } of examples) {
    const document = parse(query);
    expect(validate(schema, document), name).toEqual([]);
    expect(query, name).toMatch(/^# /);
    // A tab is called by the name of its operation.
    expect(query, name).toMatch(/^(query|mutation|subscription) [A-Z]\w+/m);
  }
});

test('every example runs on a catalog with a table and an integration', async () => {
  await using catalog = await openCatalog();
  const { id: table, title } = await catalog.resource({ pii: true });
  const { id: integration } = await catalog.integration();
  for (const { name, query } of await readExamples()) {
    if (/^subscription /m.test(query)) continue;
    const [, variable = ''] = /\$(\w+): (?:ID|String)!/.exec(query) ?? [];
    const given: Record<string, string> = { table, integration, words: title };
    const answer = await catalog.graphql(query, { [variable]: given[variable] });
    expect(answer.errors, name).toBeUndefined();
    if (variable === 'words') {
      expect(answer.data.search.nodes[0].highlights[0]).toMatchObject({ field: 'title' });
    }
  }
});

test('the example of an import says how to make what it needs, which works', async () => {
  await using catalog = await openCatalog();
  const { query } = (await readExamples()).find(({ name }) => name.includes('import')) ?? {
    query: '',
  };
  const without = await catalog.graphql(query, { integration: '' });
  expect(without.errors?.[0]?.message).toBe('Integration not found.');
  const [, make = ''] = /^# (mutation \{ createIntegration.*\})$/m.exec(query) ?? [];
  const made = await catalog.graphql(make);
  expect(made.errors).toBeUndefined();
  const { id: integration } = made.data.createIntegration;
  const { data } = await catalog.graphql(query, { integration });
  expect(data.importJsonl.created).toBe(4);
});

test('a browser gets the page at /graphql, another client an answer', async () => {
  await using served = await serve();
  const url = `${served.base}/graphql`;
  const page = await fetch(url, { headers: { accept: 'text/html,*/*;q=0.8' } });
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const client = await fetch(`${url}?query={__typename}`, {
    headers: { accept: 'application/json', 'x-graphql-yoga-csrf': '1' },
  });
  expect(await client.json()).toEqual({ data: { __typename: 'Query' } });
});

test('the page allows no script but our own, and no frame around it', async () => {
  await using served = await serve();
  for (const path of ['/', '/graphql']) {
    const response = await fetch(served.base + path, { headers: { accept: 'text/html' } });
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe-eval');
    const html = await response.text();
    expect(html).not.toMatch(/<script(?![^>]*\bsrc="\/)/);
    expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  }
});

test('a file is sent once as long as it stays the same, and none is sent from elsewhere', async () => {
  await using served = await serve();
  const first = await fetch(`${served.base}/graphiql/page.js`);
  const etag = first.headers.get('etag') ?? '';
  const headers = { 'if-none-match': etag };
  expect((await fetch(`${served.base}/graphiql/page.js`, { headers })).status).toBe(304);
  for (const path of ['/graphiql/../graphql.ts', '/graphiql/nothing.js', '/site/%2e%2e/app.ts']) {
    expect((await fetch(served.base + path)).status).toBe(404);
  }
});

describe.skipIf(!hasBrowser('GraphiQL in a browser'))('in a browser', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(async () => browser?.close());

  /** A page that knows nothing yet, and what was asked for or went wrong while it was open. */
  async function open(base: string) {
    const page = await (await browser.newContext()).newPage();
    const elsewhere: string[] = [];
    const problems: string[] = [];
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(`${base}/`) && !url.startsWith('data:')) elsewhere.push(url);
    });
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (/Content Security Policy|Refused to/i.test(message.text())) problems.push(message.text());
    });
    await page.goto(`${base}/graphql`);
    return { page, elsewhere, problems };
  }

  async function enter(page: Page, key: string): Promise<void> {
    await page.fill('#key', key);
    await page.click('text=Use key');
  }

  const run = '.graphiql-execute-button';

  /** Run what stands in the editor, once it is the operation of that name. */
  async function runTab(page: Page, name: string): Promise<void> {
    await page.waitForSelector(`.graphiql-query-editor >> text=${name}`);
    await page.click(run);
  }

  /** What the result shows; the editor writes spaces that do not break lines. */
  async function shown(page: Page): Promise<string> {
    return (await page.locator('.graphiql-response').innerText()).replaceAll('\u00a0', ' ');
  }

  test('asks for a key, runs a tab with it, and knows it after a reload', async () => {
    await using served = await serve();
    const { catalog, base } = served;
    const [raw, mart] = [
      await catalog.resource({ title: 'raw_orders' }),
      await catalog.resource({ title: 'mart_orders', externalUsage: 10 }),
    ];
    await createLineage(catalog.admin, { fromId: raw.id, toId: mart.id });
    const { page, elsewhere, problems } = await open(base);
    await page.waitForSelector('text=Sign in, or enter an API key');
    expect(await page.isVisible(run)).toBe(false);

    await enter(page, catalog.keyOf('admin'));
    await page.waitForSelector(run);
    await page.waitForSelector('text=admin@example.com · admin · Test');
    const tabs = await page.getByRole('tab').count();
    expect(tabs).toBeGreaterThanOrEqual(6);
    await runTab(page, 'Lineage');
    await expect.poll(() => shown(page), waiting).toContain('"titleFull": "raw_orders"');

    await page.reload();
    await page.waitForSelector(run);
    await page.waitForSelector('text=admin@example.com · admin · Test');
    expect(await page.inputValue('#key')).toBe(catalog.keyOf('admin'));
    expect(await page.getByRole('tab').count()).toBe(tabs);
    await runTab(page, 'Lineage');
    await expect.poll(() => shown(page), waiting).toContain('"titleFull": "mart_orders"');

    expect(elsewhere).toEqual([]);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('refuses a key that does not work, and does not remember it', async () => {
    await using served = await serve();
    const { page } = await open(served.base);
    await enter(page, 'hwk_this-is-no-key-of-anybody');
    await page.waitForSelector('text=The server refuses this key');
    expect(await page.isVisible('text=Sign in, or enter an API key')).toBe(true);
    await page.reload();
    await page.waitForSelector('text=Not signed in');
    await page.context().close();
  });

  test('keeps listening to a subscription, and stops when told to', async () => {
    await using served = await serve();
    const { catalog, base } = served;
    const table = await catalog.resource({ title: 'watched' });
    const { page } = await open(base);
    await enter(page, catalog.keyOf('admin'));
    await page.waitForSelector(run);
    await page.getByRole('tab', { name: 'Watch' }).click();
    await runTab(page, 'Watch');
    const change = (description: string) =>
      catalog.graphql(
        `mutation Change($id: ID!, $description: String!) {
          updateResource(id: $id, input: { description: $description }) { id }
        }`,
        { id: table.id, description },
      );
    // The first answer is the table as it is: from then on somebody listens.
    await expect.poll(() => shown(page), waiting).toContain('"titleFull": "watched"');
    await change('changed while somebody watches');
    await expect.poll(() => shown(page), waiting).toContain('changed while somebody watches');
    await page.click(run);
    await change('changed after nobody watches');
    await page.waitForTimeout(500);
    expect(await shown(page)).not.toContain('changed after nobody watches');
    await page.context().close();
  });

  test('opens each tab at the first click of a first visit', async () => {
    await using served = await serve();
    await served.catalog.resource({ title: 'first_visit' });
    const { page } = await open(served.base);
    await enter(page, served.catalog.keyOf('admin'));
    await page.waitForSelector('.graphiql-query-editor >> text=Lineage');
    const names = (await page.getByRole('tab').allInnerTexts()).map((text) => text.trim());
    expect(names).toEqual(expect.arrayContaining(['Lineage', 'Search', 'Watch']));
    for (const name of [...names.slice(1), ...names.slice(0, 1)]) {
      await page.getByRole('tab', { name, exact: true }).click();
      await page.waitForSelector(`.graphiql-query-editor >> text=${name}`, waiting);
      expect(await page.locator('[role=tab][aria-selected=true]').innerText()).toBe(name);
    }
    await page.getByRole('tab', { name: 'Search', exact: true }).click();
    await runTab(page, 'Search');
    await expect.poll(() => shown(page), waiting).toMatch(/"highlights": \[\s+\{/);
    await page.context().close();
  });

  test('copies what stands in the tab as a command that works', async () => {
    await using served = await serve();
    const { catalog, base } = served;
    const context = await browser.newContext({
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const page = await context.newPage();
    await catalog.resource({ title: "it's copied" });
    await page.goto(`${base}/graphql`);
    await enter(page, catalog.keyOf('admin'));
    await page.waitForSelector('.graphiql-query-editor >> text=Lineage');
    await page.getByRole('tab', { name: 'Search', exact: true }).click();
    await page.waitForSelector('.graphiql-query-editor >> text=Search');
    await page.click('text=Copy as curl');
    await page.waitForSelector('text=Copied: set KEY');
    const command = await page.evaluate('navigator.clipboard.readText()');
    expect(command).not.toContain(catalog.keyOf('admin'));
    const env = { ...process.env, KEY: catalog.keyOf('admin') };
    const { stdout } = await promisify(execFile)('sh', ['-c', String(command)], { env });
    expect(JSON.parse(stdout).data.search.nodes[0].resource.titleFull).toBe("it's copied");
    await context.close();
  });

  test('opens the query of a link in a tab of its own, once, and does not run it', async () => {
    await using served = await serve();
    const { catalog, base } = served;
    const { id } = await catalog.resource({ title: 'linked' });
    const query = `query Linked {\n  resource(id: "${id}") {\n    title\n  }\n}`;
    const { page } = await open(base);
    const ran: string[] = [];
    page.on('request', (request) => {
      const body = request.postData() ?? '';
      if (body.includes('Linked')) ran.push(body);
    });
    await page.goto('about:blank');
    await page.goto(`${base}/graphql#${new URLSearchParams({ query })}`);
    await enter(page, catalog.keyOf('viewer'));
    const tabs = page.getByRole('tab');
    const isOpen = () => page.getByRole('tab', { name: /^Linked/ }).getAttribute('aria-selected');
    await expect.poll(isOpen, waiting).toBe('true');
    await page.waitForSelector('.graphiql-query-editor >> text=Linked');
    expect(page.url()).toBe(`${base}/graphql`);
    expect(ran).toEqual([]);
    await page.click(run);
    await expect.poll(() => shown(page), waiting).toContain('"title": "linked"');
    expect(ran).toHaveLength(1);
    const count = await tabs.count();
    await page.reload();
    await page.waitForSelector(run);
    expect(await tabs.count()).toBe(count);
    await page.context().close();
  });

  test('explains in its docs what schema this is', async () => {
    await using served = await serve();
    const { page } = await open(served.base);
    await enter(page, served.catalog.keyOf('viewer'));
    await page.waitForSelector(run);
    await page.click('[aria-label="Show Documentation Explorer"]');
    await page.waitForSelector('text=Headwater: a catalog of data', waiting);
    await page.context().close();
  });

  test('brings the examples back to who has changed their tabs', async () => {
    await using served = await serve();
    const { page } = await open(served.base);
    await enter(page, served.catalog.keyOf('admin'));
    await page.waitForSelector('.graphiql-query-editor >> text=Lineage');
    const tabs = page.getByRole('tab');
    const count = await tabs.count();
    await page.click('[aria-label="New tab"]');
    await expect.poll(() => tabs.count(), waiting).toBe(count + 1);
    await page.click('text=Restore examples');
    await expect.poll(() => tabs.count(), waiting).toBe(count);
    await page.context().close();
  });

  test('forgets the key when asked to', async () => {
    await using served = await serve();
    const { page } = await open(served.base);
    await enter(page, served.catalog.keyOf('viewer'));
    await page.waitForSelector('text=viewer@example.com · viewer · Test');
    await page.click('text=Forget');
    await page.waitForSelector('text=Not signed in');
    expect(await page.inputValue('#key')).toBe('');
    await page.context().close();
  });
});
