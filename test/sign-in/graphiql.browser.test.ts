// GraphiQL for somebody who is signed in with a browser: without a key, as another role with one, until they sign out.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { App } from '../../src/app.ts';
import { type Browser, hasBrowser, type Page, startBrowser } from '../browser.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

// Editor and schema take their time to load on a busy machine.
const waiting = { timeout: 20_000 };
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

describe.skipIf(!hasBrowser('GraphiQL in a session'))('in a session', () => {
  let catalog: Catalog;
  let app: App;
  let base: string;
  let browser: Browser;

  beforeAll(async () => {
    catalog = await openCatalog();
    app = await catalog.app();
    base = await catalog.listen();
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await catalog[Symbol.asyncDispose]();
  });

  const admin = 'text=admin@example.com · admin · Test';
  const viewer = 'text=viewer@example.com · viewer · Test';

  /** A tab of a browser on which the admin has just clicked a one-time link. */
  async function signedIn(): Promise<Page> {
    const page = await (await browser.newContext()).newPage();
    const owner = { workspaceId: catalog.workspaceId, userId: catalog.idOf('admin') };
    await page.goto(`${base}/#code=${app.makeCode(owner)}`);
    await page.locator('.person summary').waitFor(waiting);
    return page;
  }

  /** Another tab of the same browser, with GraphiQL and a query that is not run yet. */
  async function openQuery(page: Page, query: string): Promise<Page> {
    const tab = await page.context().newPage();
    await tab.goto(`${base}/graphql#${new URLSearchParams({ query })}`);
    return tab;
  }

  const whoAmI = 'query WhoAmI {\n  viewer {\n    email\n  }\n}';

  /** Run the query, and wait until the result shows a text; the editor writes spaces that do not break lines. */
  async function runUntil(tab: Page, text: string): Promise<void> {
    await tab.waitForSelector('.graphiql-query-editor >> text=WhoAmI', waiting);
    await tab.click('.graphiql-execute-button');
    await expect.poll(() => shown(tab), waiting).toContain(text);
  }
  async function shown(tab: Page): Promise<string> {
    return (await tab.locator('.graphiql-response').innerText()).replaceAll('\u00a0', ' ');
  }

  test('asks for no key, and answers as the person', async () => {
    const tab = await openQuery(await signedIn(), whoAmI);
    await tab.waitForSelector(admin, waiting);
    await runUntil(tab, 'admin@example.com');
    expect(await tab.isVisible('text=Sign in, or enter an API key')).toBe(false);
    expect(await tab.isVisible('text=Forget')).toBe(false);
    expect(await tab.inputValue('#key')).toBe('');
    await tab.context().close();
  });

  test('takes a key to try another role, in this tab alone, and goes back to the person without it', async () => {
    const page = await signedIn();
    const tab = await openQuery(page, whoAmI);
    await tab.waitForSelector(admin, waiting);
    await tab.fill('#key', catalog.keyOf('viewer'));
    await tab.click('text=Use key');
    await tab.waitForSelector(viewer, waiting);
    await runUntil(tab, 'viewer@example.com');
    await tab.reload();
    await tab.waitForSelector(viewer, waiting);

    const other = await openQuery(page, whoAmI);
    await other.waitForSelector(admin, waiting);
    await page.reload();
    await page.locator('.person summary').click();
    await page.getByText('admin@example.com').waitFor(waiting);

    await tab.click('text=Forget');
    await tab.waitForSelector(admin, waiting);
    await runUntil(tab, 'admin@example.com');
    await tab.context().close();
  });

  test('runs nothing as the person while a key stands there that does not work', async () => {
    const tab = await openQuery(await signedIn(), whoAmI);
    await tab.waitForSelector(admin, waiting);
    await tab.fill('#key', 'hwk_this-is-no-key-of-anybody');
    await tab.click('text=Use key');
    await tab.waitForSelector('text=The server refuses this key', waiting);
    await runUntil(tab, 'UNAUTHENTICATED');
    await tab.reload();
    await tab.waitForSelector(admin, waiting);
    await tab.context().close();
  });

  test('keeps listening to a subscription', async () => {
    const { id } = await catalog.resource({ title: 'watched' });
    const tab = await openQuery(
      await signedIn(),
      `subscription WhoAmI {\n  resourceChanged(id: "${id}") {\n    titleFull description\n  }\n}`,
    );
    // The first answer is the table as it is: from then on somebody listens.
    await runUntil(tab, '"titleFull": "watched"');
    await catalog.graphql(
      'mutation ($id: ID!) { updateResource(id: $id, input: { description: "changed" }) { id } }',
      { id },
    );
    await expect.poll(() => shown(tab), waiting).toContain('"description": "changed"');
    await tab.context().close();
  });

  test('asks for a key in every tab once the person has signed out, also where a key was tried', async () => {
    const page = await signedIn();
    const [plain, tried] = [await openQuery(page, whoAmI), await openQuery(page, whoAmI)];
    await plain.waitForSelector(admin, waiting);
    await tried.waitForSelector(admin, waiting);
    await tried.fill('#key', catalog.keyOf('viewer'));
    await tried.click('text=Use key');
    await tried.waitForSelector(viewer, waiting);
    await page.locator('.person summary').click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    for (const tab of [plain, tried]) {
      await tab.waitForSelector('text=Not signed in', waiting);
      await tab.waitForSelector('text=Sign in, or enter an API key', waiting);
      expect(await tab.inputValue('#key')).toBe('');
    }
    await page.context().close();
  });

  test('says that the session has ended', async () => {
    const page = await signedIn();
    const tab = await openQuery(page, whoAmI);
    await tab.waitForSelector(admin, waiting);
    await catalog.graphql('mutation { signOutEverywhere }');
    await runUntil(tab, 'UNAUTHENTICATED');
    await tab.waitForSelector('text=Your session has ended: sign in again.', waiting);
    await tab.context().close();
  });
});
