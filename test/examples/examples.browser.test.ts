// The examples, built as their page says, on the sample workspace: each shows lineage, and what changes of it.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadDemo } from '../../src/demo/demo.ts';
import { createApiKey } from '../../src/people/api-key.ts';
import { type Browser, hasBrowser, startBrowser } from '../browser.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { root } from '../house/sources.ts';

const examples = join(root, 'examples');
const waiting = { timeout: 60_000 };

function hasPackages(): boolean {
  const isThere = existsSync(join(examples, 'node_modules/relay-compiler'));
  if (!isThere) console.warn('Skipped: examples. Run `npm ci --prefix examples` to install them.');
  return isThere;
}

/** Serves what was built, on an origin of its own, as a front end has one. */
async function serveBuilt(): Promise<Server> {
  const server = createServer(async ({ url = '/' }, response) => {
    const path = url.endsWith('/') ? `${url}index.html` : url;
    const file = await readFile(join(examples, 'dist', path)).catch(() => null);
    const type = extname(path) === '.js' ? 'text/javascript' : 'text/html';
    response.writeHead(file ? 200 : 404, { 'content-type': type }).end(file);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return server;
}

const originOf = (server: Server) =>
  `http://127.0.0.1:${(server.address() as AddressInfo | null)?.port}`;

describe.skipIf(!hasBrowser('Examples') || !hasPackages())('in a browser', () => {
  let catalog: Catalog;
  let browser: Browser;
  let server: Server;
  let folder: string;
  beforeAll(async () => {
    await promisify(execFile)(process.execPath, ['build.mjs'], { cwd: examples });
    server = await serveBuilt();
    folder = await mkdtemp(join(tmpdir(), 'headwater-examples-'));
    catalog = await openCatalog();
    await catalog.app({ FILES_DIR: folder, CORS_ORIGINS: originOf(server) });
    await loadDemo(catalog, () => {}, folder);
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
    await catalog?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  test.each(['apollo', 'urql', 'relay'])('%s', async (name) => {
    const base = await catalog.listen();
    const { key } = await createApiKey(catalog.admin, { name, scopes: ['READ'] });
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (said) => said.type() === 'error' && problems.push(said.text()));
    await page.goto(`${originOf(server)}/${name}/`);
    await page.getByLabel('Server').fill(`${base}/graphql`);
    await page.getByLabel('Key').fill(key);
    await page.getByRole('button', { name: 'Show' }).click();
    const picture = page.getByRole('img', { name: 'Lineage' });
    await picture.getByText('fct_orders').waitFor(waiting);
    const boxes = await picture.locator('rect').count();
    expect(boxes).toBeGreaterThan(4);
    expect(await picture.locator('path').count()).toBeGreaterThanOrEqual(boxes - 1);

    // What somebody else draws is there without another look.
    const made = await catalog.resource({ title: `drawn for ${name}` });
    const ask = '{ resourceByName(titleFull: "analytics.core.fct_orders") { id } }';
    const { id } = (await catalog.graphql(ask)).data.resourceByName;
    const draw = `mutation { createLineage(input: { fromId: "${made.id}", toId: "${id}" }) { id } }`;
    expect((await catalog.graphql(draw)).errors).toBeUndefined();
    await picture.getByText(`drawn for ${name}`).waitFor(waiting);

    await page.getByLabel('Table').fill('no.such.table');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('There is no table no.such.table.').waitFor(waiting);
    expect(problems).toEqual([]);
    await page.close();
  });
});
