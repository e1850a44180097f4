// Announcements in a browser: made on a schema, shown on its tables, changed, deleted and undone; to everyone on Home.

import { describe, expect, test, vi } from 'vitest';
import { hasBrowser } from '../../browser.ts';
import { expectWellMade, waiting } from '../demo.ts';
import { openSite } from '../visit.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 300_000 });

describe.skipIf(!hasBrowser('Announcements in a browser'))('announcements', () => {
  const site = openSite();

  test('of a schema are shown on its tables, and changed, deleted and undone there', async () => {
    const schema = await site.catalog.resource({ kind: 'schema', title: 'sales', published: true });
    const table = await site.catalog.resource({
      ...{ title: 'orders', parentId: schema.id, published: true },
    });
    const key = site.catalog.keyOf('editor');
    await using visited = await site.open({ key, path: `/resource/${schema.id}` });
    const { page, problems } = visited;
    await page.locator('.further-acts summary').click();
    await page.getByRole('button', { name: 'Announce …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Announcement on sales' });
    await dialog.getByRole('textbox', { name: 'Text' }).fill('It **moves** on Monday.');
    await dialog.getByRole('combobox', { name: 'Severity' }).selectOption('Warning');
    await dialog.getByLabel('End').fill('2999-01-02T10:00');
    await dialog.getByRole('button', { name: 'Announce' }).click();
    const banner = page.getByRole('region', { name: 'Warning' });
    await banner.getByText('moves').waitFor(waiting);
    await page.goto(`${site.base}/resource/${table.id}`);
    await banner.locator('strong', { hasText: 'moves' }).waitFor(waiting);
    await banner.getByText('until Jan 2, 2999').waitFor(waiting);
    const link = banner.getByRole('link', { name: 'sales' });
    expect(await link.getAttribute('href')).toBe(`/resource/${schema.id}`);
    await expectWellMade(page, 'announced');
    await page.setViewportSize({ width: 1_440, height: 900 });
    await banner.getByRole('button', { name: 'Edit announcement' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit announcement on sales' });
    await edit.getByRole('textbox', { name: 'Text' }).fill('It moved.');
    await edit.getByRole('button', { name: 'Save changes' }).click();
    await banner.getByText('It moved.').waitFor(waiting);
    await banner.getByRole('button', { name: 'Delete announcement' }).click();
    await banner.waitFor({ ...waiting, state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await banner.getByText('It moved.').waitFor(waiting);
    expect(problems).toEqual([]);
  });

  test('to everyone are made by admins on Home, and read there by all without buttons', async () => {
    await using visited = await site.open({ key: site.catalog.keyOf('admin'), path: '/' });
    const { page, problems } = visited;
    await page.getByRole('button', { name: 'Announce to everyone …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Announcement on the workspace' });
    await dialog.getByRole('textbox', { name: 'Text' }).fill('We move at noon.');
    await dialog.getByRole('button', { name: 'Announce' }).click();
    await page.getByText('We move at noon.').waitFor(waiting);
    expect(problems).toEqual([]);
    await using other = await site.open({ key: site.catalog.keyOf('viewer'), path: '/' });
    const banner = other.page.getByRole('region', { name: 'Announcement' });
    await banner.getByText('We move at noon.').waitFor(waiting);
    expect(await banner.getByRole('button').count()).toBe(0);
    expect(await other.page.getByRole('button', { name: /^Announce/ }).count()).toBe(0);
  });
});
