// A server that is updated under open pages: they load the new version when somebody goes on, and lose no words.

import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { buildExplorer } from '../../scripts/explorer.mjs';
import { type Browser, hasBrowser, type Page, startBrowser } from '../browser.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { root } from '../house/sources.ts';
import { waiting } from './demo.ts';
import { type Visit, visit } from './visit.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 300_000 });

/** What the new version calls the list of monitors. */
const renamed = 'Watchers';
const news = 'A new version is available.';

describe.skipIf(!hasBrowser('An update in a browser'))('in a browser', () => {
  let browser: Browser;
  let catalog: Catalog;
  let base: string;
  let folder: string;
  let table: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'headwater-update-'));
    await buildAnother(folder);
    catalog = await openCatalog();
    base = await catalog.listen();
    table = (await catalog.resource({ title: 'half written' })).id;
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await catalog?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  const open = (path = `/resource/${table}`) =>
    visit(browser, { base, key: catalog.keyOf('admin'), path });

  /** The pages that were loaded as a whole. */
  const loads = ({ files }: Visit, path: string) => files.filter((file) => file === base + path);

  test('a page that the new version calls otherwise is loaded again, and words that were not saved are there', async () => {
    await using visited = await open();
    const { page, problems } = visited;
    await page.getByRole('button', { name: 'Add documentation' }).click();
    await page.getByRole('textbox', { name: 'Documentation' }).fill('Half a sentence');
    const before = await scriptOf(page);
    await update(page);
    await page.getByRole('complementary').getByRole('link', { name: 'Monitors' }).click();
    await page.getByRole('heading', { name: renamed, level: 1 }).waitFor(waiting);
    expect(await scriptOf(page)).not.toBe(before);
    expect(loads(visited, '/monitors')).toHaveLength(1);
    // From here on nothing is loaded as a whole.
    await page.getByRole('link', { name: 'Incidents', exact: true }).click();
    await page.getByRole('heading', { name: 'Incidents', level: 1 }).waitFor(waiting);
    expect(loads(visited, '/incidents')).toEqual([]);
    await page.goto(`${base}/resource/${table}`);
    const text = page.getByRole('textbox', { name: 'Documentation' });
    await expect.poll(() => text.inputValue(), waiting).toBe('Half a sentence');
    expect(problems).toEqual([]);
  });

  test('a page that was cut off says that there is a new version, and waits until somebody goes on', async () => {
    await using visited = await open(`/resource/${table}?tab=questions`);
    const { page } = visited;
    await page.getByText('Ask a question').click();
    const question = page.getByLabel('Question', { exact: true });
    await question.fill('Is tax');
    await update(page);
    const paths = ['/graphql', '/'].map((path) => base + path);
    for (const path of paths) await page.route(path, (route) => route.abort());
    await page.getByRole('button', { name: 'Follow', exact: true }).click();
    await page.getByText('Can’t reach the server. Reconnecting').waitFor(waiting);
    for (const path of paths) await page.unroute(path);
    await question.fill('Is tax in it?');
    await page.getByText(news).waitFor(waiting);
    expect(await question.inputValue()).toBe('Is tax in it?');
    expect(loads(visited, `/resource/${table}?tab=questions`)).toHaveLength(1);
    await page.getByRole('complementary').getByRole('link', { name: 'Monitors' }).click();
    await page.getByRole('heading', { name: renamed, level: 1 }).waitFor(waiting);
    expect(await page.getByText(news).count()).toBe(0);
  });

  test('a page whose questions the new version no longer takes says that there is one', async () => {
    await using visited = await open();
    const { page } = visited;
    await page.getByRole('heading', { name: 'half written', level: 1 }).waitFor(waiting);
    // As a server that runs listed operations only.
    const refusal = { message: 'It is not listed.', extensions: { code: 'FORBIDDEN' } };
    await page.route('**/graphql', (route) => route.fulfill({ json: { errors: [refusal] } }));
    await update(page);
    await page.getByRole('button', { name: 'Follow', exact: true }).click();
    await page.getByText(news).waitFor(waiting);
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Load now' }).click();
    await page.getByRole('heading', { name: 'half written', level: 1 }).waitFor(waiting);
    await expect.poll(() => page.getByText(news).count(), waiting).toBe(0);
  });

  test('servers of several versions behind one address make a page load itself once, and then it says so', async () => {
    await using visited = await open();
    const { page } = visited;
    await page.getByRole('heading', { name: 'half written', level: 1 }).waitFor(waiting);
    // Pages come from one of them, files and what is looked up from the other.
    await page.route(`${base}/assets/page-*`, (route) => route.fulfill({ status: 404 }));
    await page.route(`${base}/`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: '<script type="module" src="/assets/main-ANOTHER1.js"></script>',
      }),
    );
    await page.getByRole('complementary').getByRole('link', { name: 'Monitors' }).click();
    await page.getByText('This page is out of date. Reload it.').waitFor(waiting);
    expect(loads(visited, '/monitors')).toHaveLength(1);
    expect(await page.getByRole('button', { name: 'Load now' }).count()).toBe(2);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Load now' }).first().click();
    await page.getByRole('heading', { name: 'Monitors', level: 1 }).waitFor(waiting);
  });

  test('a file that does not arrive from a server of the same version breaks one page, and no other', async () => {
    await using visited = await open('/incidents');
    const { page } = visited;
    await page.getByRole('heading', { name: 'Incidents', level: 1 }).waitFor(waiting);
    await page.route(`${base}/assets/page-*`, (route) => route.fulfill({ status: 404 }));
    await page.getByRole('complementary').getByRole('link', { name: 'Monitors' }).click();
    await page.getByRole('alert').getByText('This part can’t be shown.').waitFor(waiting);
    expect(loads(visited, '/monitors')).toEqual([]);
    await page.getByRole('link', { name: 'Incidents', exact: true }).click();
    await page.getByRole('heading', { name: 'Incidents', level: 1 }).waitFor(waiting);
    expect(await page.getByText(news).count()).toBe(0);
  });

  test('the browser asks before a reload loses what is written in a form, and not once it was sent', async () => {
    await using visited = await open(`/resource/${table}?tab=questions`);
    const { page } = visited;
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await page.getByText('Ask a question').click();
    const question = page.getByLabel('Question', { exact: true });
    await question.click();
    await page.keyboard.type('Is tax in it?');
    await page.evaluate('void setTimeout(() => location.reload())');
    await expect.poll(() => asked, waiting).toEqual(['beforeunload']);
    expect(await question.inputValue()).toBe('Is tax in it?');
    await page.getByRole('button', { name: 'Ask question', exact: true }).click();
    await page.getByRole('group').filter({ hasText: 'Is tax in it?' }).first().waitFor(waiting);
    await page.reload();
    await page.getByRole('heading', { name: 'half written', level: 1 }).waitFor(waiting);
    expect(asked).toEqual(['beforeunload']);
  });

  /** From now on the server has the other version, and no file of the first. */
  async function update(page: Page): Promise<void> {
    const built = join(folder, 'dist/explorer');
    await page.route(`${base}/**`, async (route, request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/assets/')) {
        const body = await readFile(join(built, pathname)).catch(() => null);
        const contentType = pathname.endsWith('.css') ? 'text/css' : 'text/javascript';
        return route.fulfill(body ? { body, contentType } : { status: 404 });
      }
      const isPage = request.method() === 'GET' && request.headers().accept?.includes('text/html');
      if (!isPage) return route.fallback();
      return route.fulfill({ contentType: 'text/html', path: join(built, 'index.html') });
    });
  }
});

/** Build the explorer of sources in which something changed, as a release does. */
async function buildAnother(folder: string): Promise<void> {
  await mkdir(join(folder, 'src'));
  await cp(join(root, 'src/explorer'), join(folder, 'src/explorer'), { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const words = join(folder, 'src/explorer/words/quality.ts');
  const text = await readFile(words, 'utf8');
  const changed = text.replace("title: 'Monitors'", `title: '${renamed}'`);
  expect(changed).not.toBe(text);
  await writeFile(words, changed);
  await buildExplorer(folder);
}

const scriptOf = (page: Page) =>
  page.evaluate(`document.querySelector('script[type="module"]').getAttribute('src')`);
