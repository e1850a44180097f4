// A lineage picture in a browser: which way it leads, what it says to those who listen, and how it is taken along.

import { describe, expect, test, vi } from 'vitest';
import { hasBrowser, type Page } from '../../browser.ts';
import { grow, type Network } from '../../lineage/network.ts';
import { waiting } from '../demo.ts';
import { openSite } from '../visit.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

describe.skipIf(!hasBrowser('Reading lineage pictures in a browser'))('a picture', () => {
  let network: Network;
  const site = openSite(async (catalog) => {
    network = await grow(catalog, 'raw>staged staged>orders orders>report', {
      raw: { title: '=raw', titleFull: '=raw' },
      report: { kind: 'dashboard' },
    });
  });
  const open = (query = '') => site.open({ path: `/lineage/${network.id('orders')}${query}` });
  const names = async (page: Page) =>
    (await page.getByRole('article').getByRole('button', { name: /\w/ }).allTextContents()).sort();

  test('says of each card what it is and how far which way', async () => {
    await using visited = await open();
    const { page } = visited;
    const named = (name: RegExp) => page.getByRole('button', { name }).waitFor(waiting);
    await named(/^orders\s*table, shown here/);
    await named(/^staged\s*table, 1 step upstream/);
    await named(/^=raw\s*table, 2 steps upstream/);
    await named(/^report\s*dashboard, 1 step downstream/);
  });

  test('leads one way where that is wanted, and its address says so', async () => {
    await using visited = await open();
    const { page } = visited;
    const article = (name: string) => page.getByRole('article', { name, exact: true });
    await article('report').waitFor(waiting);
    await page.getByLabel('Direction').selectOption('upstream');
    await expect.poll(() => article('report').count(), waiting).toBe(0);
    await article('staged').waitFor(waiting);
    await page.reload();
    await article('=raw').waitFor(waiting);
    expect(await article('report').count()).toBe(0);
    await page.getByLabel('Direction').selectOption('downstream');
    await article('report').waitFor(waiting);
    expect(await names(page)).not.toContain(expect.stringContaining('staged'));
    await page.getByLabel('Direction').selectOption('both ways');
    await article('staged').waitFor(waiting);
    expect(new URL(page.url()).search).toBe('');
  });

  test('is taken along as rows, of which a spreadsheet takes none for a formula', async () => {
    await using visited = await open('?view=table');
    const { page } = visited;
    await page.getByRole('table').waitFor(waiting);
    await page.getByText('Export', { exact: true }).click();
    expect(await page.getByRole('button', { name: 'SVG' }).count()).toBe(0);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV of its lines' }).click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk);
    const [head, ...rows] = Buffer.concat(chunks).toString().trimEnd().split('\r\n');
    expect(head).toBe('"from","to","origin","strength","uses"');
    expect(rows.map((row) => row.split(',').slice(0, 2).join(' > ')).sort()).toEqual([
      `"'=raw" > "staged"`,
      '"orders" > "report"',
      '"staged" > "orders"',
    ]);
    expect(await page.getByRole('button', { name: 'Print' }).count()).toBe(1);
  });

  test('has the whole screen, and gives it back', async () => {
    await using visited = await open();
    const { page } = visited;
    const button = page.getByRole('button', { name: 'Full screen' });
    await button.click();
    await page.getByRole('button', { name: 'Full screen', pressed: true }).waitFor(waiting);
    expect(await page.evaluate('document.fullscreenElement?.id')).toBe('main');
    await button.click();
    await page.getByRole('button', { name: 'Full screen', pressed: false }).waitFor(waiting);
  });

  test('is on paper as a whole', async () => {
    await using visited = await open();
    const { page, problems } = visited;
    await page.getByRole('article', { name: 'report' }).waitFor(waiting);
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    await page.emulateMedia({ media: 'print' });
    const image = page.locator('.printed');
    await image.waitFor(waiting);
    const source = decodeURIComponent((await image.getAttribute('src')) ?? '');
    for (const name of ['=raw', 'staged', 'orders', 'report']) expect(source).toContain(name);
    expect(await page.locator('.picture').isVisible()).toBe(false);
    expect(await page.getByRole('complementary', { name: 'Impact' }).isVisible()).toBe(true);
    await page.emulateMedia({ media: 'screen' });
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    await expect.poll(() => image.count()).toBe(0);
    expect(problems).toEqual([]);
  });
});
