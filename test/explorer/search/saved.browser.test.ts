// Searches that are kept, in a browser: by a name, in the rail, opened again as they were, and undone.

import { describe, expect, test, vi } from 'vitest';
import { hasBrowser } from '../../browser.ts';
import { expectWellMade, waiting } from '../demo.ts';
import { openSite } from '../visit.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

describe.skipIf(!hasBrowser('Saved searches in a browser'))('a search', () => {
  const site = openSite(async (catalog) => {
    await catalog.resource({ title: 'orders' });
    await catalog.resource({ title: 'orders by day', kind: 'chart' });
  });
  const kept = async () => {
    const { data } = await site.catalog.graphql(
      '{ viewer { savedSearches { name query kinds } } }',
    );
    return data.viewer.savedSearches;
  };

  test('is kept with its filters, opened from the rail, and kept no longer', async () => {
    await using visited = await site.open({ path: '/search?q=orders' });
    const { page, problems } = visited;
    await page.getByLabel(/^charts/).check();
    await page.getByText('1 result', { exact: true }).waitFor(waiting);
    await page.getByRole('button', { name: 'Save search' }).click();
    await page.getByLabel('Name of the search').fill('Charts of orders');
    await page.getByRole('button', { name: 'Save search' }).click();
    const rail = page.getByRole('navigation', { name: 'Saved searches' }).first();
    await rail.getByRole('link', { name: 'Charts of orders' }).waitFor(waiting);
    expect(await kept()).toEqual([{ name: 'Charts of orders', query: 'orders', kinds: ['chart'] }]);
    await page.goto(`${site.base}/`);
    await rail.getByRole('link', { name: 'Charts of orders' }).click();
    await page.getByText('1 result', { exact: true }).waitFor(waiting);
    expect(await page.getByLabel(/^charts/).isChecked()).toBe(true);
    await expectWellMade(page, 'search-saved');
    await page.setViewportSize({ width: 1_440, height: 900 });
    await page.getByRole('button', { name: 'Delete saved search' }).click();
    await page.getByText('Deleted Charts of orders').waitFor(waiting);
    expect(await kept()).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await rail.getByRole('link', { name: 'Charts of orders' }).waitFor(waiting);
    expect(await kept()).toHaveLength(1);
    expect(problems).toEqual([]);
  });
});
