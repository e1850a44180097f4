// Lineage pictures in a browser: cards that stand for many, the past, and what of a picture is said in words.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { transaction } from '../../src/database/transaction.ts';
import { connect } from '../../src/lineage/connect.ts';
import { deleteLineage, listLineageEntries } from '../../src/lineage/edge.ts';
import { type Browser, hasBrowser, type Page, startBrowser } from '../browser.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { grow, type Network } from '../lineage/network.ts';
import { expectWellMade, looks, waiting } from './demo.ts';
import { atRest, focusedCard, isLeft } from './picture.ts';
import { expectAccessible, type VisitOptions, visit } from './visit.ts';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 });

const day = (n: number) => new Date(Date.UTC(2026, 9, n, 12));
/** More of each schema than a picture shows one by one. */
const inSchema = 160;
const charts = 24;

const list = (count: number, name: string) => Array.from({ length: count }, (_, at) => name + at);

/** A shop whose orders feed a report of each city; of its models there are hundreds, and some came and went. */
async function openShop(catalog: Catalog): Promise<Network> {
  const table = (schema: string) => (name: string) =>
    [name, { titleFull: `shop.${schema}.${name}` }] as const;
  const marts = list(inSchema, 'mart_');
  const raw = list(inSchema, 'raw_');
  const cities = list(charts, 'city_');
  const owner = catalog.idOf('editor');
  catalog.setTime(day(1));
  const network = await grow(
    catalog,
    [
      'payments>orders',
      ...cities.map((city) => `orders>${city}`),
      ...raw.map((name) => `${name}>warehouse`),
      ...marts.map((name, at) => `warehouse>${name} raw_${at}>${name}`),
    ].join(' '),
    {
      ...Object.fromEntries(['orders', 'payments', 'warehouse', 'refunds'].map(table('core'))),
      ...Object.fromEntries(marts.map(table('marts'))),
      ...Object.fromEntries(raw.map(table('raw'))),
      ...Object.fromEntries(cities.map((name) => [name, { kind: 'chart', ownerIds: [owner] }])),
      salaries: { published: false },
      board: { kind: 'dashboard' },
      'orders.amount': {},
      'orders.state': {},
      'sums.total': {},
      'sums.parts.tax': { title: 'tax' },
    },
  );
  await transaction(catalog.admin, (tx) =>
    connect(
      tx,
      [
        { sourceId: network.id('orders.amount'), targetId: network.id('sums.total') },
        { sourceId: network.id('orders.amount'), targetId: network.id('sums.parts.tax') },
        {
          ...{ sourceId: network.id('orders.state'), targetId: network.id('sums') },
          ...{ strength: 'INDIRECT', uses: ['FILTER'] },
        },
      ],
      { origin: 'QUERY' },
    ),
  );
  catalog.setTime(day(5));
  await network.draw('refunds>orders orders>salaries city_0>board');
  catalog.setTime(day(9));
  const { nodes } = await listLineageEntries(
    catalog.admin,
    { fromIds: [network.id('payments')], toIds: [network.id('orders')] },
    {},
  );
  await deleteLineage(catalog.admin, nodes[0]?.id ?? '');
  catalog.setTime(null);
  return network;
}

describe.skipIf(!hasBrowser('Lineage pictures in a browser'))('in a browser', () => {
  let browser: Browser;
  let catalog: Catalog;
  let network: Network;
  let base: string;
  beforeAll(async () => {
    catalog = await openCatalog();
    network = await openShop(catalog);
    await catalog.owner.query('analyze');
    base = await catalog.listen();
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await catalog?.[Symbol.asyncDispose]();
  });

  const open = (name: string, query = '', more: Partial<VisitOptions> = {}) =>
    visit(browser, {
      ...{ base, key: catalog.keyOf('admin'), path: `/lineage/${network.id(name)}${query}` },
      ...more,
    });
  const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true });
  const cards = (page: Page, name: RegExp) => page.getByRole('article', { name });
  /** The button that shows each of what a card stands for. */
  const bundle = (page: Page, name: string) =>
    card(page, name).getByRole('button', { name: new RegExp(`^${name}`) });
  const inAddress = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

  describe('cards that stand for many', () => {
    test('siblings that are alike are one card, until they are wanted one by one', async () => {
      await using visited = await open('orders', '?steps=1');
      const { page, problems } = visited;
      // That one of them leads further is nothing that the lines of one step show.
      await card(page, '24 charts').waitFor(waiting);
      expect(await card(page, 'city_7').count()).toBe(0);
      await page.getByText('28 resources; within 1 step').waitFor(waiting);
      await page.getByText('28 resources in 5 cards, similar ones grouped').waitFor(waiting);
      const place = async () => (await card(page, 'orders').boundingBox())?.y ?? 0;
      await atRest(page);
      const before = await place();
      await bundle(page, '24 charts').click();
      await cards(page, /^city_\d+$/)
        .first()
        .waitFor(waiting);
      // What the picture is of is where it was.
      await expect.poll(async () => Math.abs((await place()) - before), waiting).toBeLessThan(2);
      expect(await card(page, '24 charts').count()).toBe(0);
      // The pointer was on a card that is gone, and lights nothing.
      await page.mouse.move(2, 2);
      await expect.poll(() => page.locator('.card.faded').count(), waiting).toBe(0);
      await using again = await open('orders', new URL(page.url()).search);
      await again.page.getByRole('button', { name: 'Group 24 charts' }).waitFor(waiting);
      expect(await card(again.page, '24 charts').count()).toBe(0);
      await page.getByRole('button', { name: 'Group 24 charts' }).click();
      await card(page, '24 charts').waitFor(waiting);
      expect(problems).toEqual([]);
    });

    test('what they hide around them is counted, and fetched on a click', async () => {
      await using visited = await open('orders', '?steps=1');
      const { page } = visited;
      // Of the charts one is on a board; each of the others is on none.
      const more = card(page, '24 charts').getByRole('button', {
        name: 'show more downstream of 24 charts',
      });
      await more.waitFor(waiting);
      expect(await more.innerText()).toMatch(/^\+1\b/);
      expect(await card(page, '24 charts').locator('.before').count()).toBe(0);
      await more.click();
      await card(page, 'board').waitFor(waiting);
      expect(inAddress(page, 'grown')).toBe(network.id('city_0'));
      // It has a neighbour that the others don't have, and stands alone.
      await card(page, 'city_0').waitFor(waiting);
      await card(page, '23 charts').waitFor(waiting);
      expect(
        await cards(page, /charts$/)
          .locator('.grow')
          .count(),
      ).toBe(0);
    });

    test('a large picture is shown by schemas, says so, and plainly on a click', async () => {
      await using visited = await open('warehouse');
      const { page } = visited;
      await card(page, 'marts, 160 tables').waitFor(waiting);
      await card(page, 'raw, 160 tables').waitFor(waiting);
      await expect.poll(() => page.getByRole('article').count(), waiting).toBe(3);
      await page.getByText('321 resources in 3 cards, grouped by schema').waitFor(waiting);
      // By keyboard: a line leads to the group, which opens.
      await card(page, 'warehouse').getByRole('button').first().focus();
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => focusedCard(page), waiting).toBe('marts, 160 tables');
      await page.keyboard.press('Enter');
      await cards(page, /^mart_\d+$/)
        .first()
        .waitFor(waiting);
      await card(page, 'raw, 160 tables').waitFor(waiting);
      const grouping = page.getByRole('group', { name: 'Group by' });
      await grouping.getByRole('button', { name: 'None' }).click();
      await card(page, 'warehouse').waitFor(waiting);
      await expect.poll(() => card(page, 'raw, 160 tables').count(), waiting).toBe(0);
      expect(inAddress(page, 'plain')).toBe('1');
      await grouping.getByRole('button', { name: 'Schema' }).click();
      await card(page, 'marts, 160 tables').waitFor(waiting);
      await grouping.getByRole('button', { name: 'Owner' }).click();
      await card(page, 'No owner, 320 resources').waitFor(waiting);
      expect(inAddress(page, 'group')).toBe('owner');
      await grouping.getByRole('button', { name: 'Kind' }).click();
      await card(page, '320 tables').waitFor(waiting);
      await expectAccessible(page);
    });

    test('what stands in one is found all the same, from the picture by /', async () => {
      await using visited = await open('warehouse');
      const { page } = visited;
      await card(page, 'raw, 160 tables').waitFor(waiting);
      await page.getByRole('group', { name: 'Lineage of' }).focus();
      await page.keyboard.press('/');
      await page.keyboard.type('raw_77');
      await page.getByText('1 found').waitFor(waiting);
      await page.keyboard.press('Enter');
      await card(page, 'raw_77').waitFor(waiting);
      expect(inAddress(page, 'chosen')).toBe(network.id('raw_77'));
      await page.getByRole('button', { name: 'Show path only' }).click();
      await card(page, 'mart_77').waitFor(waiting);
      await expect.poll(() => page.getByRole('article').count(), waiting).toBeLessThan(10);
    });

    test('they are in the file that is taken along', async () => {
      await using visited = await open('orders', '?steps=1');
      const { page } = visited;
      await card(page, '24 charts').waitFor(waiting);
      await page.getByText('Export', { exact: true }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'SVG', exact: true }).click(),
      ]);
      const chunks: Buffer[] = [];
      for await (const chunk of await download.createReadStream()) chunks.push(chunk);
      const svg = Buffer.concat(chunks).toString();
      expect(svg).toContain('24 charts');
      expect(svg).not.toContain('city_7');
    });
  });

  describe('lines', () => {
    const threads = (files: readonly string[]) =>
      files.filter((file) => /\/assets\/painting-/.test(file)).length;

    test('that are few are painted by the page, where the cards are', async () => {
      await using visited = await open('orders', '?steps=1');
      const { page, files } = visited;
      await card(page, 'orders').waitFor(waiting);
      await expect.poll(() => isLeft(page, 'orders'), waiting).toBe(true);
      // Nothing leads on from what is used by nothing.
      expect(await isLeft(page, 'sums')).toBe(false);
      expect(threads(files)).toBe(0);
    });

    test('that are many are painted on a thread, and move with the cards', async () => {
      await using visited = await open('warehouse', '?plain=1');
      const { page, files, problems } = visited;
      await card(page, 'warehouse').waitFor(waiting);
      await expect.poll(() => isLeft(page, 'warehouse'), waiting).toBe(true);
      expect(threads(files)).toBe(1);
      // Beyond what was painted around it, and back.
      await page.mouse.move(500, 500);
      await page.mouse.wheel(0, 2_000);
      await expect.poll(() => card(page, 'warehouse').count(), waiting).toBe(0);
      await page.mouse.wheel(0, -2_000);
      // Over no card, whose lines would stand out.
      await page.mouse.move(700, 20);
      await atRest(page);
      await expect.poll(() => isLeft(page, 'warehouse'), waiting).toBe(true);
      await page.getByRole('button', { name: 'Zoom in' }).click();
      await atRest(page);
      await expect.poll(() => isLeft(page, 'warehouse'), waiting).toBe(true);
      expect(problems).toEqual([]);
    });
  });

  test('a large picture is there without threads, whose files an update took away', async () => {
    const without = /\/assets\/(painting|thread)-/;
    await using visited = await open('warehouse', '?plain=1', { without });
    const { page, files } = visited;
    await card(page, 'warehouse').waitFor(waiting);
    await expect.poll(() => isLeft(page, 'warehouse'), waiting).toBe(true);
    expect(files.filter((file) => without.test(file))).toHaveLength(2);
  });

  describe('the past', () => {
    test('a slider leads through the moments at which the picture changed', async () => {
      await using visited = await open('orders', '?steps=1');
      const { page } = visited;
      await card(page, 'refunds').waitFor(waiting);
      expect(await card(page, 'payments').count()).toBe(0);
      await page.getByText('Time: Now').click();
      const slider = page.getByRole('slider');
      await slider.waitFor(waiting);
      expect(await slider.getAttribute('aria-valuetext')).toBe('Now');
      await slider.focus();
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowLeft');
      // Now, and the day it was ended, come after the day that refunds came.
      await expect.poll(() => inAddress(page, 'asOf'), waiting).toBe(day(5).toISOString());
      await card(page, 'payments').waitFor(waiting);
      await card(page, 'refunds').waitFor(waiting);
      await page.keyboard.press('ArrowLeft');
      await expect.poll(() => card(page, 'refunds').count(), waiting).toBe(0);
      await card(page, 'payments').waitFor(waiting);
      await page.keyboard.press('End');
      await expect.poll(() => inAddress(page, 'asOf'), waiting).toBeNull();
      await card(page, 'refunds').waitFor(waiting);
    });

    test('what came and went since a moment is marked, and said', async () => {
      await using visited = await open('orders', '?steps=1');
      const { page } = visited;
      await page.getByText('Time: Now').click();
      const since = page.getByLabel('Changes since');
      await since.waitFor(waiting);
      await since.selectOption(day(1).toISOString());
      await card(page, 'refunds').getByText('added').waitFor(waiting);
      await card(page, 'payments').getByText('removed').waitFor(waiting);
      expect(
        await card(page, 'orders')
          .getByText(/^(added|removed)$/)
          .count(),
      ).toBe(0);
      await page.getByText('2 added; 1 removed; 2 lines added; 1 line removed').waitFor(waiting);
      await using again = await open('orders', new URL(page.url()).search);
      await card(again.page, 'payments').getByText('removed').waitFor(waiting);
      await again.page.getByRole('button', { name: 'Table', exact: true }).click();
      const row = again.page.getByRole('row', { name: 'shop.core.payments' });
      await row.getByText('removed').waitFor(waiting);
      expect(await again.page.getByRole('row').getByText('removed').count()).toBe(1);
      // Who may not see what came is told nothing of it.
      await using visitor = await open('orders', new URL(page.url()).search, {
        key: catalog.keyOf('viewer'),
      });
      await visitor.page
        .getByText('1 added; 1 removed; 1 line added; 1 line removed')
        .waitFor(waiting);
      expect(await card(visitor.page, 'salaries').count()).toBe(0);
    });
  });

  describe('what is said', () => {
    test('what is cut, and what the key may not see', async () => {
      await using visited = await open('orders', '?steps=1', { key: catalog.keyOf('viewer') });
      await visited.page
        .getByText('27 resources; within 1 step; 1 hidden by permissions')
        .waitFor(waiting);
    });

    test('lines that only decide about rows are dashed, and named in the table', async () => {
      await using visited = await open('orders', '?steps=1&level=column');
      const { page } = visited;
      await card(page, 'sums').getByText('total').waitFor(waiting);
      expect(await page.getByText('dashed: filters and joins only').count()).toBe(0);
      await page.getByLabel('Show filters and joins').check();
      await page.getByText('dashed: filters and joins only').waitFor(waiting);
      await page.getByRole('button', { name: 'Table', exact: true }).click();
      await page.getByText('query; used in filter').waitFor(waiting);
      // Where the value itself flows, nothing of it is said.
      const direct = page.getByRole('row', { name: 'orders.amount' }).first();
      await direct.waitFor(waiting);
      expect(await direct.getByText('decides').count()).toBe(0);
    });

    test('a field of a column is a row of its own on the card of the table', async () => {
      await using visited = await open('orders', '?steps=1&level=column');
      const { page } = visited;
      await card(page, 'sums').getByText('parts.tax', { exact: true }).waitFor(waiting);
      await page.getByRole('button', { name: 'Table', exact: true }).click();
      await page.getByRole('row', { name: /orders\.amount.*sums\.parts\.tax/ }).waitFor(waiting);
    });

    test('kinds are filtered, and lines pass through what is left out', async () => {
      await using visited = await open('orders', '?steps=2');
      const { page } = visited;
      await card(page, 'board').waitFor(waiting);
      await page.locator('summary', { hasText: 'Kinds' }).click();
      await page.getByLabel('dashboards').check();
      await expect.poll(() => page.getByRole('article').count(), waiting).toBe(2);
      expect(inAddress(page, 'kinds')).toBe('dashboard');
      await card(page, 'board').waitFor(waiting);
      // What is left out on purpose is not offered.
      expect(await page.locator('.grow').count()).toBe(0);
    });

    test('whom to notify of a change, and how many of what it reaches', async () => {
      await using visited = await open('orders', '?steps=1');
      const { page } = visited;
      const aside = page.getByRole('complementary', { name: 'Impact' });
      await aside.getByText('Owners to notify:').waitFor(waiting);
      const { data } = await catalog.graphql('query ($id: ID!) { user(id: $id) { name } }', {
        id: catalog.idOf('editor'),
      });
      expect(await aside.locator('.pill').first().innerText()).toContain(data.user.name);
      expect(await aside.locator('.pill i').first().innerText()).toBe(String(charts));
      // Columns of orders are known, and none of these charts is said to use one; one of them is on a board.
      await aside.getByText('26 more may be affected (no column lineage)').waitFor(waiting);
      await aside.getByRole('button', { name: 'city_7' }).click();
      await expect.poll(() => inAddress(page, 'chosen'), waiting).toBe(network.id('city_7'));
      await card(page, 'city_7').waitFor(waiting);
    });
  });

  test('is well made however one looks', async () => {
    const views = [
      ['lineage-groups', 'warehouse', '', 'marts, 160 tables'],
      ['lineage-changes', 'orders', `?steps=1&since=${day(1).toISOString()}`, 'payments'],
    ] as const;
    for (const [name, of, query, shown] of views) {
      await using visited = await open(of, query);
      const { page } = visited;
      await card(page, shown).waitFor(waiting);
      if (query !== '') await page.locator('.time summary').click();
      await expectWellMade(page, name);
      if (query === '') continue;
      // On a phone, too, which is how it was looked at last.
      const { x = -1, width = 0 } = (await page.getByRole('slider').boundingBox()) ?? {};
      expect(x).toBeGreaterThan(0);
      expect(x + width).toBeLessThan(looks[2].width);
    }
  });
});
