// Signing in at a real OpenID provider, in a browser, through the whole server.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { freePort } from '../../scripts/free-port.mjs';
import type { App } from '../../src/app.ts';
import { blocksOf } from '../../src/audit/metadata.ts';
import { deactivateUser, listUsers } from '../../src/people/user.ts';
import { type Browser, hasBrowser, type Page, startBrowser } from '../browser.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { expectAccessible } from '../explorer/visit.ts';
import { type Served, serveApp } from '../serve.ts';
import { hasTool } from '../tool.ts';
import { type OpenIdProvider, startProvider } from './openid.ts';

const waiting = { timeout: 15_000 };
vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 });
const isPossible = hasBrowser('Signing in with OpenID') && hasTool('oidc-provider');

describe.skipIf(!isPossible)('with an OpenID provider', () => {
  let browser: Browser;
  let catalog: Catalog;
  let served: Served;
  let provider: OpenIdProvider;
  let folder: string;
  let app: App;
  let base: string;

  beforeAll(async () => {
    const port = await freePort();
    base = `http://127.0.0.1:${port}`;
    provider = await startProvider(
      ['open', 'strict', 'badly'].map((id) => `${base}/sign-in/${id}/callback`),
    );
    folder = await mkdtemp(join(tmpdir(), 'headwater-sign-in-'));
    catalog = await openCatalog();
    await catalog.team({ name: 'Analytics' });
    const { issuer, clientId, clientSecret } = provider;
    const of = { issuer, clientId, clientSecret, workspace: catalog.workspaceId };
    const open = {
      ...{ ...of, id: 'open', name: 'Open House', createAccounts: true, role: 'guest' },
      allowedDomains: ['Example.com'],
      roles: { leads: 'editor', people: 'viewer' },
      teams: { analysts: 'Analytics', ghosts: 'No such team' },
    };
    const strict = { ...of, id: 'strict', name: 'Members Only' };
    const badly = { ...of, id: 'badly', name: 'Badly Set Up', clientSecret: 'another-secret' };
    const file = join(folder, 'sign-in.yaml');
    await writeFile(file, JSON.stringify({ providers: [open, strict, badly] }));
    app = await catalog.app({ PUBLIC_URL: base, SIGN_IN_FILE: file });
    served = await serveApp(app, {}, port);
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await served?.[Symbol.asyncDispose]();
    await provider?.[Symbol.asyncDispose]();
    await catalog?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  /** A browser of somebody who was never here. */
  async function stranger(path = '/'): Promise<{ page: Page } & AsyncDisposable> {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(base + path);
    return { page, [Symbol.asyncDispose]: () => context.close() };
  }

  /** Sign in at the provider, as a person does. */
  async function signIn(
    page: Page,
    who: string,
    by = 'Open House',
    isCaught = false,
  ): Promise<void> {
    await page.getByRole('link', { name: `Continue with ${by}` }).click();
    await page.waitForURL(`${provider.issuer}/**`, waiting);
    await page.locator('input[name=login]').fill(who);
    await page.locator('input[name=password]').fill('any');
    await page.locator('button[type=submit]').click();
    await consent(page).waitFor(waiting);
    if (isCaught) return;
    await consent(page).click();
  }

  const consent = (page: Page) => page.locator('button[type=submit]', { hasText: 'Continue' });

  /** The address that the provider would send somebody back to, who does not follow it. */
  async function caughtAddress(page: Page, who: string): Promise<string> {
    await signIn(page, who, 'Open House', true);
    const { request } = page.context();
    const action = await page.locator('form').first().getAttribute('action');
    const form = { prompt: 'consent' };
    let answer = await request.post(action ?? '', { form, maxRedirects: 0 });
    let to = answer.headers().location ?? '';
    while (to.startsWith(provider.issuer)) {
      answer = await request.get(to, { maxRedirects: 0 });
      to = answer.headers().location ?? '';
    }
    expect(to).toMatch(/\/sign-in\/open\/callback\?.*code=/);
    return to;
  }

  async function account(email: string) {
    const { nodes } = await listUsers(catalog.admin, { search: email }, { first: 2 });
    expect(nodes).toHaveLength(1);
    const [user] = nodes;
    if (!user) throw new Error('There is no such account.');
    const { memberIds } = await catalog.database.prisma.team.findFirstOrThrow({
      where: { workspaceId: catalog.workspaceId, name: 'Analytics' },
    });
    return { ...user, isAnalyst: memberIds.includes(user.id) };
  }

  const started = (page: Page) => page.getByRole('heading', { name: 'Home' }).waitFor(waiting);
  const signOut = async (page: Page, how = 'Sign out') => {
    await page.locator('.person summary').click();
    await page.getByRole('button', { name: how, exact: true }).click();
    await page.getByLabel('API key').waitFor(waiting);
  };
  const refused = (page: Page, why: string) =>
    page.getByRole('alert').filter({ hasText: why }).waitFor(waiting);
  const cookies = async (page: Page) =>
    (await page.context().cookies(base)).filter(({ name }) => /^headwater-\d+$/.test(name));
  const underWay = async (page: Page) =>
    (await page.context().cookies(base)).filter(({ name }) => name.startsWith('headwater-sign-in'));
  const viewer = (page: Page, headers = '{ "x-headwater-explorer": "1" }') =>
    page.evaluate(`fetch('${base}/graphql', { method: 'POST', headers: {
      'content-type': 'application/json', ...${headers} },
      body: '{"query": "{ viewer { email } }"}' }).then((r) => r.json(), (e) => e.message)`);

  test('the first sign-in makes an account, and leads to the page that was wanted', async () => {
    provider.people.set('ada', {
      ...{ email: 'ada@example.com', email_verified: true, groups: ['people', 'analysts'] },
      ...{ given_name: 'Ada', family_name: 'Lovelace' },
    });
    await using visited = await stranger('/search?q=orders');
    const { page } = visited;
    await page.getByRole('link', { name: 'Continue with Open House' }).waitFor(waiting);
    await expectAccessible(page);
    await signIn(page, 'ada');
    await page.locator('.person summary', { hasText: 'Ada Lovelace' }).waitFor(waiting);
    expect(page.url()).toBe(`${base}/search?q=orders`);
    expect(await account('ada@example.com')).toMatchObject({
      ...{ role: 'viewer', firstName: 'Ada', lastName: 'Lovelace', isAnalyst: true },
    });
    const [cookie] = await cookies(page);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    // Nothing that a script could take away.
    expect(await page.evaluate('document.cookie + JSON.stringify({ ...localStorage })')).toBe('{}');
    await page.reload();
    await page.locator('.person summary', { hasText: 'Ada Lovelace' }).waitFor(waiting);
  });

  test('the second sign-in is the same account, with what its groups give by now', async () => {
    provider.people.set('ada', {
      ...{ email: 'ada.new@example.com', email_verified: true, groups: ['leads'] },
    });
    const before = await account('ada@example.com');
    await using visited = await stranger();
    await signIn(visited.page, 'ada');
    await started(visited.page);
    expect(await account('ada@example.com')).toMatchObject({
      ...{ id: before.id, role: 'editor', isAnalyst: false, firstName: 'Ada' },
    });
    provider.people.set('ada', { email: 'ada@example.com', email_verified: true });
    await using again = await stranger();
    await signIn(again.page, 'ada');
    await started(again.page);
    expect((await account('ada@example.com')).role).toBe('guest');
  });

  test('an account that an admin made is found by its address, and keeps its role', async () => {
    await catalog.user({ email: 'Grace@Example.com', role: 'editor' });
    provider.people.set('grace', { email: 'grace@example.com', email_verified: true });
    await using visited = await stranger();
    await signIn(visited.page, 'grace', 'Members Only');
    await started(visited.page);
    expect((await account('grace@example.com')).role).toBe('editor');
  });

  test.each([
    [{ email: 'eve@evil.example', email_verified: true }, "eve@evil.example can't sign in here"],
    [{ email: 'eve@example.com.evil.example', email_verified: true }, 'only addresses of Example'],
    [{ email: 'eve@example.com', email_verified: false }, 'has not verified'],
    [{ email: 'eve@example.com' }, 'has not verified'],
    [{ email_verified: true }, 'does not say what your email address is'],
    [{ email: 'grace@example.com', email_verified: true }, 'someone else at Open House'],
  ])('%j is refused: %s', async (claims, why) => {
    provider.people.set('eve', claims);
    await using visited = await stranger();
    const { page } = visited;
    await signIn(page, 'eve');
    await refused(page, why);
    await expectAccessible(page);
    expect(await cookies(page)).toEqual([]);
    expect(await underWay(page)).toEqual([]);
    const { nodes } = await listUsers(catalog.admin, { search: 'eve@' }, { first: 1 });
    expect(nodes).toEqual([]);
    await page.getByRole('link', { name: 'Back to the sign-in page' }).click();
    await page.getByLabel('API key').waitFor(waiting);
  });

  test('somebody without an account is told who can make one, where none is made', async () => {
    provider.people.set('nobody', { email: 'nobody@example.com', email_verified: true });
    await using visited = await stranger();
    await signIn(visited.page, 'nobody', 'Members Only');
    await refused(visited.page, 'There is no account for nobody@example.com here. An admin');
  });

  test('a wrong secret is no one’s way in, and the person is told whom to tell', async () => {
    provider.people.set('sue', { email: 'sue@example.com', email_verified: true });
    await using visited = await stranger();
    await signIn(visited.page, 'sue', 'Badly Set Up');
    await refused(visited.page, 'Badly Set Up: what it said of you could not be checked.');
    expect(await visited.page.content()).not.toContain('another-secret');
    expect(await cookies(visited.page)).toEqual([]);
  });

  test('an account that was deactivated is out at once, and does not come in again', async () => {
    provider.people.set('gone', { email: 'gone@example.com', email_verified: true });
    await using visited = await stranger();
    const { page } = visited;
    await signIn(page, 'gone');
    await started(page);
    const { id: resourceId } = await account('gone@example.com');
    await deactivateUser(catalog.admin, resourceId);
    await page.getByRole('combobox', { name: 'Search the catalog' }).fill('orders');
    await page.getByLabel('API key').waitFor(waiting);
    await page.getByText('Your session has ended. Sign in again.').waitFor(waiting);
    await using again = await stranger();
    await signIn(again.page, 'gone');
    await refused(again.page, 'Your account was deactivated.');
    await app.settle();
    const where = { workspaceId: catalog.workspaceId, activityType: 'access_refused', resourceId };
    const entry = await catalog.database.prisma.auditLog.findFirstOrThrow({ where });
    expect(blocksOf(entry)[0]?.value).toBe(
      'Headwater refused a sign-in by open: gone@example.com was told: Your account was deactivated. ' +
        'An admin of the workspace can activate it again',
    );
  });

  test('signing out ends the session in all tabs, and everywhere in all browsers', async () => {
    provider.people.set('joan', { email: 'joan@example.com', email_verified: true });
    await using visited = await stranger();
    const { page } = visited;
    await signIn(page, 'joan');
    await started(page);
    const tab = await page.context().newPage();
    await tab.goto(base);
    await started(tab);
    const [cookie] = await cookies(page);
    await signOut(page);
    await tab.getByLabel('API key').waitFor(waiting);
    expect(await cookies(page)).toEqual([]);
    // Anyone who kept the cookie has nothing.
    if (cookie) await page.context().addCookies([cookie]);
    await page.reload();
    await page.getByLabel('API key').waitFor(waiting);
    await using one = await stranger();
    await using other = await stranger();
    for (const where of [one.page, other.page]) {
      await signIn(where, 'joan');
      await started(where);
    }
    await signOut(one.page, 'Sign out everywhere');
    await other.page.reload();
    await other.page.getByLabel('API key').waitFor(waiting);
  });

  test('what comes back was begun in this browser, with this state, and is used once', async () => {
    provider.people.set('mallory', { email: 'mallory@example.com', email_verified: true });
    const callback = `${base}/sign-in/open/callback`;
    await using attacker = await stranger();
    const caught = await caughtAddress(attacker.page, 'mallory');
    // A link that would sign somebody in as mallory.
    await using victim = await stranger();
    await victim.page.goto(caught);
    await refused(victim.page, 'was not begun in this browser');
    expect(await cookies(victim.page)).toEqual([]);
    // The same where the victim has begun a sign-in of their own.
    await victim.page.goto(base);
    await victim.page.getByRole('link', { name: 'Continue with Open House' }).click();
    await victim.page.waitForURL(`${provider.issuer}/**`, waiting);
    await victim.page.goto(caught);
    await refused(victim.page, 'was not begun in this browser');
    // In the attacker's own browser, with another state, for another provider, and without a code.
    const forged = new URL(caught);
    forged.searchParams.set('state', 'forged');
    const elsewhere = caught.replace('/open/', '/strict/');
    for (const url of [forged.href, elsewhere, callback]) {
      await attacker.page.goto(url);
      await refused(attacker.page, 'was not begun in this browser');
    }
    expect(await underWay(attacker.page)).toHaveLength(1);
    await attacker.page.goto(caught);
    await started(attacker.page);
    await attacker.page.goto(caught);
    await refused(attacker.page, 'was not begun in this browser');
  });

  test('a cookie that was planted before is worth nothing after', async () => {
    provider.people.set('ida', { email: 'ida@example.com', email_verified: true });
    await using planted = await stranger();
    await signIn(planted.page, 'mallory');
    await started(planted.page);
    const [theirs] = await cookies(planted.page);
    await using visited = await stranger();
    const { page } = visited;
    const made = `hws_${'a'.repeat(36)}`;
    await page.context().addCookies([{ name: theirs?.name ?? '', value: made, url: base }]);
    await page.reload();
    await signIn(page, 'ida');
    await started(page);
    const [own] = await cookies(page);
    expect(own?.value).not.toBe(made);
    expect(await viewer(page)).toEqual({ data: { viewer: { email: 'ida@example.com' } } });
    await page.context().addCookies([{ name: theirs?.name ?? '', value: made, url: base }]);
    expect(JSON.stringify(await viewer(page))).toContain('UNAUTHENTICATED');
  });

  test('pages of other origins act for no one, not even on this machine', async () => {
    await using visited = await stranger();
    const { page } = visited;
    await signIn(page, 'ida');
    await started(page);
    // Of the same host, so that a browser sends the cookie along, and of another one.
    await using evil = await serveApp({
      handle(_request, response) {
        // Ours would keep its scripts from asking anything.
        response.removeHeader('content-security-policy');
        response.setHeader('content-type', 'text/html').end('evil');
      },
    });
    for (const origin of [evil.base, evil.base.replace('127.0.0.1', 'localhost')]) {
      await page.goto(origin);
      const simple = `fetch('${base}/graphql', { method: 'POST', credentials: 'include', mode: 'no-cors',
        headers: { 'content-type': 'text/plain' },
        body: JSON.stringify({ query: 'mutation { signOutEverywhere }' }) }).then(() => 'sent', (e) => e.message)`;
      expect(await page.evaluate(simple)).toBe('sent');
      expect(await viewer(page)).toBe('Failed to fetch');
      const out = `fetch('${base}/sign-out', { method: 'POST', credentials: 'include', mode: 'no-cors' })
        .then(() => 'sent')`;
      expect(await page.evaluate(out)).toBe('sent');
    }
    await page.goto(base);
    await page.locator('.person summary', { hasText: 'ida@example.com' }).waitFor(waiting);
  });

  test('somebody who changes their mind at the provider is told so', async () => {
    await using visited = await stranger();
    const { page } = visited;
    await page.getByRole('link', { name: 'Continue with Open House' }).click();
    await page.waitForURL(`${provider.issuer}/**`, waiting);
    await page.getByText('Cancel').click(waiting);
    await refused(page, 'Open House did not let you in, or you changed your mind.');
  });
});
