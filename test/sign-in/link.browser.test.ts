// From `npm run demo` to the picture of a lineage and to GraphiQL: the printed link, and one click.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Browser, hasBrowser, type Page, startBrowser } from '../browser.ts';
import { type Started, startScript } from '../started.ts';

const waiting = { timeout: 20_000 };
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

describe.skipIf(!hasBrowser('The link of a start'))('the link of a start', () => {
  let browser: Browser;
  let started: Started;
  let folder: string;
  let base: string;
  let page: Page;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'headwater-link-'));
    started = startScript('start.mjs', { DATA_DIR: folder }, ['--demo']);
    base = await started.ready();
    browser = await startBrowser();
    page = await (await browser.newContext()).newPage();
  });
  afterAll(async () => {
    await browser?.close();
    await started?.stop('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  const link = () => /^ +(http\S+#code=\S+)$/m.exec(started.output())?.[1] ?? '';

  test('shows the lineage of the sample with one click, and signs no one else in', async () => {
    expect(link()).toMatch(new RegExp(`^${base}/lineage/[0-9a-f-]{36}#code=[\\w-]{32}$`));
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(link());
    await page.getByRole('article', { name: 'fct_orders' }).waitFor(waiting);
    expect(await page.getByRole('article').count()).toBeGreaterThan(5);
    // Not in the address, which people copy, and in none that was asked for.
    expect(page.url()).not.toContain('code');
    expect(asked.filter((url) => /code=|#/.test(url.replace(/#code=\S*$/, '')))).toEqual([]);
    await page.reload();
    await page.getByRole('article', { name: 'fct_orders' }).waitFor(waiting);
    expect(await page.getByRole('alert').count()).toBe(0);

    const other = await (await browser.newContext()).newPage();
    await other.goto(link());
    await other
      .getByRole('alert')
      .filter({ hasText: 'This link was already used; it works once.' })
      .waitFor(waiting);
    expect(await other.getByRole('article').count()).toBe(0);
  });

  test('leaves the key as it was: no one has used one', async () => {
    const key = await started.key();
    const answer = await fetch(`${base}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: '{"query": "{ viewer { role } }"}',
    });
    expect(await answer.json()).toEqual({ data: { viewer: { role: 'admin' } } });
  });

  test('opens GraphiQL without a key, and the key of a viewer shows what viewers see', async () => {
    const shown = async () =>
      (await page.locator('.graphiql-response').innerText()).replaceAll('\u00a0', ' ');
    const runUntil = async (name: string, text: string) => {
      await page.waitForSelector(`.graphiql-query-editor >> text=${name}`, waiting);
      await page.click('.graphiql-execute-button');
      await expect.poll(shown, waiting).toContain(text);
    };
    await page.goto(`${base}/graphql`);
    await page.waitForSelector('text=/ · admin · /', waiting);
    expect(await page.isVisible('text=Sign in, or enter an API key')).toBe(false);
    await runUntil('Lineage', '"titleFull": "analytics.core.fct_orders"');

    const { createUser } = await ask(`mutation { createUser(
      input: { email: "ada@example.com", firstName: "Ada", lastName: "Reader", role: viewer }
    ) { id } }`);
    const { createApiKey } = await ask(
      `mutation { createApiKey(input: { name: "to try", userId: "${createUser.id}", scopes: [ADMIN] }) { key } }`,
    );
    await page.fill('#key', createApiKey.key);
    await page.click('text=Use key');
    await page.waitForSelector('text=ada@example.com · viewer', waiting);
    await page.goto('about:blank');
    const query = 'query WhoAmI {\n  viewer {\n    role\n  }\n}';
    await page.goto(`${base}/graphql#${new URLSearchParams({ query })}`);
    await runUntil('WhoAmI', '"role": "viewer"');

    await page.click('text=Forget');
    await page.waitForSelector('text=/ · admin · /', waiting);
    await runUntil('WhoAmI', '"role": "admin"');
  });

  /** Ask as the page that is signed in does. */
  async function ask(query: string) {
    const headers = { 'content-type': 'application/json', 'x-headwater-explorer': '1' };
    const request = { method: 'POST', headers, body: JSON.stringify({ query }) };
    const answer: string = await page.evaluate(
      `fetch('/graphql', ${JSON.stringify(request)}).then((response) => response.text())`,
    );
    const { data, errors } = JSON.parse(answer);
    expect(errors).toBeUndefined();
    return data;
  }
});
