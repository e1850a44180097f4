// A picture of many cards: laid out on a thread, with elements for those in sight alone.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createLineage } from '../../src/lineage/edge.ts';
import { type Browser, hasBrowser, startBrowser } from '../browser.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { waiting } from './demo.ts';
import { atRest } from './picture.ts';
import { visit } from './visit.ts';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

/** More than the page lays out by itself. */
const fed = 160;

describe.skipIf(!hasBrowser('A large picture in a browser'))('in a browser', () => {
  let browser: Browser;
  let catalog: Catalog;
  let hub: string;
  beforeAll(async () => {
    catalog = await openCatalog();
    const source = await catalog.resource({ title: 'hub' });
    hub = source.id;
    for (let at = 0; at < fed; at += 1) {
      const { id } = await catalog.resource({ title: `fed_${at}` });
      await createLineage(catalog.admin, { fromId: hub, toId: id });
    }
    await catalog.owner.query('analyze');
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  test('is laid out on a thread, and cards are made for what is in sight', async () => {
    await using visited = await visit(browser, {
      base: await catalog.listen(),
      key: catalog.keyOf('admin'),
      path: `/lineage/${hub}?plain=1`,
    });
    const { page, problems } = visited;
    await page.getByRole('article', { name: 'hub' }).waitFor(waiting);
    await page.getByText(`${fed + 1} resources`).waitFor(waiting);
    await atRest(page);
    expect(threads(visited.files)).toBe(1);
    const inSight = await page.getByRole('article').count();
    expect(inSight).toBeGreaterThan(3);
    expect(inSight).toBeLessThan(fed / 2);
    // Moved far away, other cards are there, and those from before are gone.
    const before = await page.getByRole('article').last().getAttribute('aria-label');
    await page.mouse.move(500, 500);
    await page.mouse.wheel(0, 1_300);
    await expect
      .poll(() => page.getByRole('article', { name: String(before), exact: true }).count(), waiting)
      .toBe(0);
    await expect.poll(() => page.getByRole('article').count(), waiting).toBeGreaterThan(3);
    expect(problems).toEqual([]);
  });
});

/** How many threads a page loaded. */
function threads(files: readonly string[]): number {
  return files.filter((file) => /\/assets\/thread-/.test(file)).length;
}
