// The explorer in a browser: what people see and do, on the sample workspace.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { loadDemo } from '../../src/demo/demo.ts';
import { type Browser, hasBrowser, type Page, startBrowser } from '../browser.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { takePicture, waiting, whenKnown } from './demo.ts';
import { atRest, focusedCard, rowsOf } from './picture.ts';
import { expectAccessible, type VisitOptions, visit } from './visit.ts';

const wide = { width: 1_440, isDark: false };
vi.setConfig({ testTimeout: 240_000, hookTimeout: 300_000 });

describe.skipIf(!hasBrowser('The explorer in a browser'))('in a browser', () => {
  let browser: Browser;
  let catalog: Catalog;
  let folder: string;
  let base: string;
  let table: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'headwater-explorer-'));
    catalog = await openCatalog();
    await catalog.app({ FILES_DIR: folder });
    await loadDemo(catalog, () => {}, folder);
    // Nothing does it by itself here (autovacuum is off), and the planner would know nothing of these tables.
    await catalog.owner.query('analyze');
    base = await catalog.listen();
    browser = await startBrowser();
    const { data } = await catalog.graphql(
      '{ search(query: "fct_orders", first: 1) { nodes { resource { id } } } }',
    );
    table = data.search.nodes[0].resource.id;
  });
  afterAll(async () => {
    await browser?.close();
    await catalog?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  const open = (options: Partial<VisitOptions> = {}) =>
    visit(browser, { base, key: catalog.keyOf('admin'), ...options });
  const stranger = (path = '/') => visit(browser, { base, path });

  describe('signing in', () => {
    test('asks for a key, refuses a wrong one, and shows the page that was wanted', async () => {
      await using visited = await stranger(`/resource/${table}`);
      const { page, elsewhere, problems } = visited;
      await page.getByLabel('API key').fill('hwk_nobody-has-this-key');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('Invalid, expired or revoked key').waitFor(waiting);
      await expectAccessible(page);
      await page.getByLabel('API key').fill(catalog.keyOf('viewer'));
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'fct_orders', level: 1 }).waitFor(waiting);
      expect(page.url()).toBe(`${base}/resource/${table}`);
      // The key was not to be remembered on this device, and is in no address.
      const remembered = () => page.evaluate("localStorage.getItem('headwater:api-key')");
      expect(await remembered()).toBeNull();
      // In this tab it serves GraphiQL too, which doesn't remember it either.
      await page.goto(`${base}/graphql`);
      await page.waitForSelector('text=viewer@example.com · viewer', waiting);
      expect(await remembered()).toBeNull();
      expect(elsewhere).toEqual([]);
      expect(problems).toEqual([]);
    });

    test('is remembered when wanted, by GraphiQL too, and ends in all tabs at once', async () => {
      await using visited = await stranger();
      const { page } = visited;
      await page.getByLabel('API key').fill(catalog.keyOf('viewer'));
      await page.getByLabel('Stay signed in').check();
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Home' }).waitFor(waiting);
      const other = await page.context().newPage();
      await other.goto(`${base}/search?q=orders`);
      await other.getByText('results').first().waitFor(waiting);
      const graphiql = await page.context().newPage();
      await graphiql.goto(`${base}/graphql`);
      await graphiql.waitForSelector('text=viewer@example.com', waiting);
      for (const tab of [page, other])
        await tab.evaluate("sessionStorage.setItem('headwater:draft:reply:1', 'half a thought')");
      await page.locator('.person summary').click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByLabel('API key').waitFor(waiting);
      await other.getByLabel('API key').waitFor(waiting);
      for (const tab of [page, other])
        expect(await tab.evaluate("sessionStorage.getItem('headwater:draft:reply:1')")).toBeNull();
      await graphiql.waitForSelector('text=Not signed in', waiting);
    });

    test('is asked for again when the key stops working, and leads back to the same place', async () => {
      const path = `/resource/${table}?tab=activity#main`;
      await using visited = await stranger(path);
      const { page } = visited;
      const { data } = await catalog.graphql(
        'mutation { createApiKey(input: { name: "for a while", scopes: [ADMIN] }) { key apiKey { id } } }',
      );
      const signIn = async (key: string) => {
        await page.getByLabel('API key').fill(key);
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.getByRole('heading', { name: 'fct_orders', level: 1 }).waitFor(waiting);
        expect(page.url()).toBe(base + path);
        const tab = page.getByRole('navigation', { name: 'Sections' }).getByText('Activity');
        expect(await tab.getAttribute('aria-current')).toBe('page');
      };
      await signIn(data.createApiKey.key);
      await catalog.graphql('mutation ($id: ID!) { revokeApiKey(id: $id) { id } }', {
        id: data.createApiKey.apiKey.id,
      });
      await page.getByRole('combobox', { name: 'Search the catalog' }).fill('orders');
      await page.getByText('You were signed out.').waitFor(waiting);
      await signIn(catalog.keyOf('viewer'));
    });
  });

  describe('searching', () => {
    test('finds as one types, by keyboard alone, and leads to what was found', async () => {
      await using visited = await open();
      const { page } = visited;
      await page.getByRole('heading', { name: 'Home' }).waitFor(waiting);
      await page.keyboard.press('/');
      await page.keyboard.type('daily_reve');
      const marked = page.getByRole('option', { selected: true });
      await marked.filter({ hasText: /^Best match\s*daily_revenue/ }).waitFor(waiting);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'daily_revenue', level: 1 }).waitFor(waiting);
      await page.keyboard.press('/');
      await page.keyboard.type('daily_reve');
      await page.getByRole('option', { name: 'All results for “daily_reve”' }).waitFor(waiting);
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
      await page.locator('.results[aria-busy=false] [data-hit] mark').first().waitFor(waiting);
      await expect
        .poll(
          () => page.getByRole('combobox', { name: 'Search the catalog' }).inputValue(),
          waiting,
        )
        .toBe('daily_reve');
      await page.keyboard.press('Control+k');
      await expect.poll(() => page.evaluate('document.activeElement?.role')).toBe('combobox');
    });

    test('keeps its filters in the address, and says when letters were forgiven', async () => {
      await using visited = await open({ path: '/search?q=orders' });
      const { page } = visited;
      const tables = page.getByLabel(/^tables/);
      await tables.waitFor(waiting);
      await tables.check();
      await expect.poll(() => new URL(page.url()).searchParams.get('kinds')).toBe('table');
      const kinds = page.locator('[data-hit] .chip');
      await expect
        .poll(() =>
          kinds.evaluateAll(
            (all) => all.length > 0 && all.every((one) => one.matches('[data-kind=table]')),
          ),
        )
        .toBe(true);
      await page.reload();
      await expect.poll(() => page.getByLabel(/^tables/).isChecked(), waiting).toBe(true);
      await page.goto(`${base}/search?q=fct_ordres`);
      await page.getByText('Did you mean').waitFor(waiting);
      // The word that was meant is marked.
      const near = page.locator('[data-hit]').first();
      expect(await near.locator('b mark').allInnerTexts()).toEqual(['fct', 'orders']);
      await page.getByLabel('Marta Kowalska').check();
      const owners = () => new URL(page.url()).searchParams.get('owners');
      await expect.poll(owners, waiting).toMatch(/^[0-9a-f-]{36}$/);
      await expect
        .poll(
          () => page.locator('[data-hit]').filter({ hasNotText: 'Marta Kowalska' }).count(),
          waiting,
        )
        .toBe(0);
      await page.locator('[data-hit]').first().waitFor(waiting);
      await page.goto(`${base}/search?q=qzxwvy+kjhgfq`);
      await page.getByText('No results for').waitFor(waiting);
    });
  });

  describe('a resource', () => {
    test('shows what it is, and what people say of it', async () => {
      await using visited = await open({ path: `/resource/${table}` });
      const { page } = visited;
      await page.getByRole('heading', { name: 'fct_orders', level: 1 }).waitFor(waiting);
      for (const name of ['9 columns', 'Documentation', 'Owners']) {
        await page.getByRole('heading', { name, exact: false }).first().waitFor(waiting);
      }
      const summary = page.getByRole('navigation', { name: 'Summary' });
      await summary.getByRole('link', { name: /^Rows\s*1,742,118/ }).waitFor(waiting);
      await summary.getByRole('link', { name: /^Tests\s*2 of 3 pass/ }).click();
      await page.getByRole('heading', { name: 'Data tests' }).waitFor(waiting);
      expect(new URL(page.url()).search).toBe('?tab=quality');
      const sections = page.getByRole('navigation', { name: 'Sections' });
      await sections.getByRole('link', { name: 'Lineage' }).click();
      await page.getByRole('heading', { name: 'Lineage' }).waitFor(waiting);
      await page.goBack();
      await page.getByRole('heading', { name: 'Data tests' }).waitFor(waiting);
      await sections.getByRole('link', { name: 'Overview' }).click();
      await page.getByRole('link', { name: 'customer_id', exact: true }).waitFor(waiting);
      const sides = page.getByRole('link', {
        name: /^1 upstream column: .*stg_orders.customer_id/,
      });
      expect(await sides.getAttribute('href')).toMatch(
        /^\/lineage\/[0-9a-f-]{36}\?level=column&chosen=[0-9a-f-]{36}&only=1$/,
      );
      await page.locator('.further-acts summary').click();
      await page.getByRole('button', { name: 'SQL name' }).click();
      await page.getByText('Copied').waitFor(waiting);
      await expect
        .poll(() => page.evaluate('navigator.clipboard.readText()'))
        .toBe('analytics.core.fct_orders');
      const asQuery = page.getByRole('link', { name: 'Open in GraphiQL' });
      const target = new URL((await asQuery.getAttribute('href')) ?? '', page.url());
      expect(target.pathname).toBe('/graphql');
      const query = new URLSearchParams(target.hash.slice(1)).get('query') ?? '';
      const found = await catalog.graphql(query);
      expect(found.data.resource.titleFull).toBe('analytics.core.fct_orders');
    });

    test('is edited with a preview; words that others saved in the meantime are not lost', async () => {
      const { id } = await catalog.resource({ title: 'written by two', definition: 'First.' });
      await using visited = await open({ path: `/resource/${id}` });
      const { page } = visited;
      await page.getByRole('button', { name: 'Edit' }).click();
      const text = page.getByRole('textbox', { name: 'Documentation' });
      await text.fill('Mine, **bold**.');
      await page.getByRole('button', { name: 'Preview' }).click();
      expect(await page.locator('.preview strong').innerText()).toBe('bold');
      await page.getByRole('button', { name: 'Write', exact: true }).click();
      await catalog.graphql(
        `mutation ($id: ID!) { updateResource(id: $id, input: { definition: "Theirs." }) { id } }`,
        { id },
      );
      await page.getByRole('button', { name: 'Save' }).click();
      const conflict = page.getByRole('alert', { name: 'Edited by someone else' });
      await conflict.getByText(/^Edited by Admin/).waitFor(waiting);
      expect(await conflict.locator('dd').allInnerTexts()).toEqual(['Theirs.', 'Mine, **bold**.']);
      await expectAccessible(page);
      await expect.poll(() => text.inputValue()).toBe('Mine, **bold**.');
      const read = async () => {
        const { data } = await catalog.graphql(
          'query ($id: ID!) { resource(id: $id) { definition } }',
          { id },
        );
        return data.resource.definition;
      };
      expect(await read()).toBe('Theirs.');
      await page.getByRole('button', { name: 'Merge both' }).click();
      await text.press('Control+Enter');
      await page.getByRole('button', { name: 'Edit' }).waitFor(waiting);
      expect(await read()).toBe('Mine, **bold**.\n\nTheirs.');
    });

    test('keeps words that were not saved over a reload', async () => {
      const { id } = await catalog.resource({ title: 'half written' });
      await using visited = await open({ path: `/resource/${id}` });
      const { page } = visited;
      await page.getByRole('button', { name: 'Add documentation' }).click();
      await page.getByRole('textbox', { name: 'Documentation' }).fill('Half a sentence');
      await page.reload();
      const text = page.getByRole('textbox', { name: 'Documentation' });
      await expect.poll(() => text.inputValue(), waiting).toBe('Half a sentence');
      await page.getByRole('button', { name: 'Discard' }).click();
      await page.getByText('No documentation yet').waitFor(waiting);
    });

    test.each(['viewer', 'guest'] as const)(
      'offers a %s nothing that would be refused',
      async (role) => {
        await using visited = await open({ key: catalog.keyOf(role), path: `/resource/${table}` });
        const { page } = visited;
        await page.getByRole('heading', { level: 1 }).waitFor(waiting);
        await page
          .getByRole('heading', { name: 'Documentation' })
          .or(page.getByText('Not found'))
          .first()
          .waitFor(waiting);
        await whenKnown(page);
        expect(await page.getByRole('button', { name: /^(Edit|Add documentation)$/ }).count()).toBe(
          0,
        );
        expect(await page.getByRole('alert').count()).toBe(0);
      },
    );

    test('says so where there is none', async () => {
      await using visited = await open({ path: '/resource/01a20490-d14f-78fa-b8a5-0000000fffff' });
      await visited.page.getByRole('heading', { name: 'Not found' }).waitFor(waiting);
    });
  });

  describe('lineage', () => {
    test('is one click away, and its picture is of cards that are named', async () => {
      await using visited = await open();
      const { page, problems, elsewhere } = visited;
      await page.getByRole('link', { name: 'Lineage fct_orders' }).click();
      await page.getByRole('article', { name: 'fct_orders' }).waitFor(waiting);
      expect(await page.getByRole('article').count()).toBeGreaterThan(5);
      await page.getByText(/\d+ resources; within 2 steps/).waitFor(waiting);
      const { data } = await catalog.graphql(
        'query ($id: ID!) { lineage(from: [$id], depth: 2) { nodes { depth } } }',
        { id: table },
      );
      await page.getByText(`${data.lineage.nodes.length} resources`).waitFor(waiting);
      expect(problems).toEqual([]);
      expect(elsewhere).toEqual([]);
    });

    test('lights of a column what the server says that it is made from and makes', async () => {
      await using visited = await open({ path: `/lineage/${table}?level=column&steps=2` });
      const { page } = visited;
      const card = page.getByRole('article', { name: 'fct_orders' });
      await card.getByRole('button', { name: /net_revenue_eur/ }).click();
      await expect
        .poll(() => new URL(page.url()).searchParams.get('chosen'), waiting)
        .not.toBeNull();
      const id = new URL(page.url()).searchParams.get('chosen');
      const { data } = await catalog.graphql(
        'query ($id: ID!) { lineage(from: [$id], depth: 2, level: COLUMN) { nodes { resource { title parent { title } } } } }',
        { id },
      );
      const said = data.lineage.nodes.map(
        ({ resource }: { resource: { title: string; parent: { title: string } } }) =>
          `${resource.parent.title}.${resource.title}`,
      );
      // All of it comes into sight; and where the pointer is lights another path.
      await page.keyboard.press('-');
      await page.mouse.move(2, 2);
      const lit = async () => (await rowsOf(page)).flatMap((row) => (row.isLit ? [row.name] : []));
      const expected = async () =>
        (await rowsOf(page)).flatMap(({ name }) => (said.includes(name) ? [name] : []));
      await atRest(page);
      await expect.poll(async () => (await lit()).length, waiting).toBeGreaterThan(2);
      expect(await lit()).toEqual(await expected());
    });

    test('the address holds the view: opened, chosen, grown, as a table', async () => {
      await using visited = await open({ path: `/lineage/${table}?steps=1` });
      const { page } = visited;
      await page.getByRole('article', { name: 'fct_orders' }).waitFor(waiting);
      await atRest(page);
      const before = await page.getByRole('article').count();
      // By keyboard: what has the focus comes into sight.
      await page.locator('.grow').first().focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => page.getByRole('article').count(), waiting).toBeGreaterThan(before);
      expect(new URL(page.url()).searchParams.get('grown')).toBeTruthy();
      await page.getByRole('button', { name: 'columns of fct_orders' }).click();
      await page
        .getByRole('article', { name: 'fct_orders' })
        .getByText('order_date')
        .waitFor(waiting);
      await using again = await open({ path: page.url().slice(base.length) });
      const same = again.page;
      await same
        .getByRole('article', { name: 'fct_orders' })
        .getByText('order_date')
        .waitFor(waiting);
      const countIn = (one: Page) => one.getByRole('article').count();
      await expect.poll(async () => (await countIn(same)) - (await countIn(page)), waiting).toBe(0);
      await same.getByRole('button', { name: 'Table', exact: true }).click();
      await same.getByRole('link', { name: 'analytics.core.fct_orders' }).first().waitFor(waiting);
      expect(await same.getByRole('article').count()).toBe(0);
    });

    test('finds a card, shows only its path, and is walked with the arrow keys', async () => {
      await using visited = await open({ path: `/lineage/${table}` });
      const { page } = visited;
      await page.getByRole('article', { name: 'fct_orders' }).waitFor(waiting);
      const find = page.getByRole('searchbox', { name: 'Find in the picture' });
      await find.fill('stg_refunds');
      await page.getByText('1 found').waitFor(waiting);
      await find.press('Enter');
      await page.getByRole('button', { name: 'Show path only' }).click();
      const aside = page.getByRole('article', { name: 'dim_products' });
      await expect.poll(() => aside.count(), waiting).toBe(0);
      await page.getByRole('article', { name: 'stg_refunds' }).getByRole('button').first().focus();
      await page.keyboard.press('ArrowRight');
      // To another card, and not merely away.
      await expect.poll(() => focusedCard(page), waiting).toMatch(/^(?!stg_refunds$)./);
    });

    test('is taken along as SVG and PNG', async () => {
      await using visited = await open({ path: `/lineage/${table}` });
      const { page } = visited;
      await page.getByRole('article', { name: 'fct_orders' }).waitFor(waiting);
      for (const [kind, begins] of [
        ['SVG', '<svg'],
        ['PNG', '\u0089PNG'],
        ['CSV of its lines', '"fro'],
      ] as const) {
        if (kind === 'SVG') await page.getByText('Export', { exact: true }).click();
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name: kind, exact: true }).click(),
        ]);
        const chunks: Buffer[] = [];
        for await (const chunk of await download.createReadStream()) chunks.push(chunk);
        const bytes = Buffer.concat(chunks);
        expect(bytes.toString('latin1', 0, 4)).toBe(begins);
        if (kind === 'SVG') expect(bytes.toString()).toContain('fct_orders');
      }
    });
  });

  test('GraphiQL begins with the lineage of the table that is used most, with the same key', async () => {
    await using visited = await open({ path: '/graphql', width: 1_360 });
    const { page, problems } = visited;
    await page.waitForSelector('.graphiql-query-editor >> text=Lineage', waiting);
    await page.click('.graphiql-execute-button');
    const shown = () => page.locator('.graphiql-response').innerText();
    await expect.poll(shown, waiting).toContain('analytics.core.fct_orders');
    expect(problems).toEqual([]);
    await takePicture(page, 'graphiql.png');
  });

  const views = (): [string, string][] => [
    ['home', '/'],
    ['search', '/search?q=revenue'],
    ['resource', `/resource/${table}`],
    ['lineage', `/lineage/${table}?level=column`],
    ['lineage as a table', `/lineage/${table}?view=table`],
    ['no page', '/nowhere'],
  ];

  // 720 is a window of 1,440 at 200 %.
  test.each([
    wide,
    { width: 1_440, isDark: true },
    { width: 720, isDark: false },
    { width: 400, isDark: false },
  ])('axe finds nothing serious on any page ($width px, dark: $isDark)', async (how) => {
    for (const [name, path] of views()) {
      await using visited = await open({ path, ...how });
      const { page } = visited;
      await page.getByRole('heading', { level: 1 }).first().waitFor(waiting);
      await expect.poll(() => page.locator('.waiting').count(), waiting).toBe(0);
      await expectAccessible(page);
      // Nothing is wider than the window.
      expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(
        how.width,
      );
      const kind = `${name}${how.isDark ? '-dark' : ''}${how.width < wide.width ? '-narrow' : ''}`;
      if (['search', 'resource', 'lineage'].includes(name) && how.width !== 720)
        await takePicture(page, `images/${kind}.png`);
    }
  });

  test('a server that is away comes back by itself', async () => {
    await using visited = await open();
    const { page } = visited;
    await page.getByRole('heading', { name: 'Home' }).waitFor(waiting);
    await page.route('**/graphql', (route) => route.abort());
    await page.getByRole('combobox', { name: 'Search the catalog' }).fill('orders');
    await page.getByText('Can’t reach the server. Reconnecting').waitFor(waiting);
    await page.unroute('**/graphql');
    await page.locator('.suggestions mark').first().waitFor(waiting);
    await expect.poll(() => page.getByText('Can’t reach the server.').count(), waiting).toBe(0);
  });
});
