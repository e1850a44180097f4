// A catalog with nothing in it, and pages that a role has no part in.

import { describe, expect, test, vi } from 'vitest';
import { hasBrowser } from '../../browser.ts';
import { waiting, whenKnown } from '../demo.ts';
import { openSite } from '../visit.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 300_000 });

describe.skipIf(!hasBrowser('An empty catalog in a browser'))('an empty catalog', () => {
  const site = openSite();

  test('says that nothing is there yet, and what brings it', async () => {
    await using visited = await site.open({ path: '/browse' });
    const { page, problems } = visited;
    await page.getByText('No tables yet').waitFor(waiting);
    expect(await page.getByText('No matches').count()).toBe(0);
    await page.getByRole('link', { name: 'Connect a source' }).click();
    await page.getByRole('heading', { name: 'New source', level: 1 }).waitFor(waiting);
    for (const [path, says] of [
      ['/documents', 'No documents yet'],
      ['/glossary', 'No terms yet'],
    ]) {
      await page.goto(`${site.base}${path}`);
      await page.getByText(`${says}`).waitFor(waiting);
    }
    expect(problems).toEqual([]);
  });

  test('offers a viewer nothing to write or connect', async () => {
    const key = site.catalog.keyOf('viewer');
    await using visited = await site.open({ key, path: '/documents/new?kind=document' });
    const { page } = visited;
    await page.getByText('You don’t have access to this page.').waitFor(waiting);
    expect(await page.getByRole('textbox', { name: 'Title' }).count()).toBe(0);
    await page.goto(`${site.base}/browse`);
    await whenKnown(page);
    await page.getByText('No tables yet').waitFor(waiting);
    expect(await page.getByRole('link', { name: 'Connect a source' }).count()).toBe(0);
  });

  test('does not send a query without SQL, and says what is missing', async () => {
    await using visited = await site.open({ path: '/impact' });
    const { page } = visited;
    const send = page.getByRole('button', { name: 'Analyze impact' });
    await send.click();
    const sql = page.getByRole('textbox', { name: 'SQL' });
    expect(await sql.evaluate('document.activeElement.validity.valueMissing')).toBe(true);
  });
});
