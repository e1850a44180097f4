// What a monitor would read of a source that bills by bytes: said in the form, before anything runs.

import { describe, expect, test, vi } from 'vitest';
import { hasBrowser, startBrowser } from '../../browser.ts';
import { serviceAccount, startBigQuery } from '../../integrations/warehouses/bigquery-fake.ts';
import { openLivePlace } from '../../integrations/warehouses/live-place.ts';
import { waiting } from '../demo.ts';
import { visit } from '../visit.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

describe.skipIf(!hasBrowser('Estimates in a browser'))('the form of a monitor', () => {
  test('says what each run reads before the first one, then measures', async ({ skip }) => {
    await using fake = await startBigQuery();
    if (!fake) return skip();
    await using place = await openLivePlace('bigquery', {
      ...{ host: '127.0.0.1', port: fake.http.port, ssl: 'disable', project: 'shop-prod' },
      service_account: serviceAccount('127.0.0.1', fake.http.port),
    });
    expect(await place.sync()).toMatchObject({ state: 'succeeded' });
    const orders = (await place.resources('table')).find(({ title }) => title === 'orders');
    fake.bytes = 12_300_000;
    const base = await place.catalog.listen();
    const browser = await startBrowser();
    try {
      const key = place.catalog.keyOf('admin');
      const path = `/monitors/new?target=${orders?.id}`;
      await using visited = await visit(browser, { base, key, path });
      const { page, problems } = visited;
      await page.getByLabel('Metric').selectOption('Custom SQL');
      await page.getByLabel('SQL returning one number').fill('select count(*) from sales.orders');
      await page.getByRole('button', { name: 'Estimate the bytes read' }).click();
      await page.getByText('Each run reads about 12.3 MB').waitFor(waiting);
      expect(await page.getByText('Current value:').count()).toBe(0);
      await page.getByRole('button', { name: 'Run a test' }).click();
      await page.getByText('Current value: 500').waitFor(waiting);
      expect(problems).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
