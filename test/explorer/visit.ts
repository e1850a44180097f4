// Opens the explorer in a browser, for the tests of its pages.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { type Browser, type Locator, type Page, startBrowser } from '../browser.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { root } from '../house/sources.ts';

export interface Visit extends AsyncDisposable {
  readonly page: Page;
  /** Requests that left this server. */
  readonly elsewhere: readonly string[];
  /** Addresses of all that was asked for. */
  readonly files: readonly string[];
  /** Errors of the page, and what its policy forbade. */
  readonly problems: readonly string[];
}

export interface VisitOptions {
  readonly base: string;
  /** Signed in with this key; asked for one where it is absent. */
  readonly key?: string;
  readonly path?: string;
  readonly width?: number;
  readonly isDark?: boolean;
  /** Addresses that are not answered, as if the network were gone for them. */
  readonly without?: RegExp;
}

/** A catalog of its own that is served, and a browser to look at it. */
export interface Site {
  readonly catalog: Catalog;
  readonly base: string;
  /** Open a page as an admin, or as the owner of another key. */
  open(options?: Partial<VisitOptions>): Promise<Visit>;
}

/** A site for all tests of the `describe` that this is called in; `fill` says what it holds, nothing where absent. */
export function openSite(fill: (catalog: Catalog) => Promise<void> = async () => {}): Site {
  let opened: { catalog: Catalog; base: string } | undefined;
  let browser: Browser | undefined;
  const here = () => {
    if (!opened || !browser) throw new Error('A site is open while tests run.');
    return { ...opened, browser };
  };
  beforeAll(async () => {
    const catalog = await openCatalog();
    opened = { catalog, base: '' };
    await fill(catalog);
    opened = { catalog, base: await catalog.listen() };
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await opened?.catalog[Symbol.asyncDispose]();
  });
  return {
    get catalog() {
      return here().catalog;
    },
    get base() {
      return here().base;
    },
    open: (options = {}) => {
      const { browser, base, catalog } = here();
      return visit(browser, { base, key: catalog.keyOf('admin'), ...options });
    },
  };
}

/** Open a page as somebody who was never here before. */
export async function visit(
  browser: Browser,
  { base, key, path = '/', width = 1_440, isDark = false, without }: VisitOptions,
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: isDark ? 'dark' : 'light',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  const elsewhere: string[] = [];
  const problems: string[] = [];
  const files: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    files.push(url);
    if (!url.startsWith(`${base}/`) && !/^(data|blob):/.test(url)) elsewhere.push(url);
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/i.test(message.text())) problems.push(message.text());
  });
  if (key !== undefined) {
    const keep = `sessionStorage.getItem('visited') ??
      (localStorage.setItem('headwater:api-key', ${JSON.stringify(key)}), sessionStorage.setItem('visited', '1'))`;
    await page.addInitScript(keep);
  }
  if (without) await page.route(without, (route) => route.abort());
  await page.goto(base + path);
  return { page, elsewhere, files, problems, [Symbol.asyncDispose]: () => context.close() };
}

/** Choose in a combobox what has a name, as somebody does who types it. */
export async function choose(within: Page | Locator, label: string, name: string): Promise<void> {
  await within.getByRole('combobox', { name: label }).fill(name);
  await within.getByRole('option', { name }).first().click();
}

const axe = readFileSync(join(root, 'tools/node_modules/axe-core/axe.min.js'), 'utf8');

/** Fail where axe finds something serious on the page as it is now. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe);
  const found: { id: string; impact: string; nodes: { html: string }[] }[] = await page.evaluate(
    "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)",
  );
  const serious = found.filter(({ impact }) => ['serious', 'critical'].includes(impact));
  expect(
    serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
  ).toEqual([]);
}
