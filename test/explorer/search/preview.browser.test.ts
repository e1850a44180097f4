// The preview of a search result, in a browser: by keyboard, by a pointer that rests, and where there is no room.

import { describe, expect, test, vi } from 'vitest';
import { hasBrowser } from '../../browser.ts';
import { waiting } from '../demo.ts';
import { expectAccessible, openSite } from '../visit.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 300_000 });

describe.skipIf(!hasBrowser('The preview of a result in a browser'))('in a browser', () => {
  const site = openSite(async (catalog) => {
    const one = await catalog.resource({ title: 'parcel', description: 'Each parcel that left.' });
    for (let at = 0; at < 10; at += 1)
      await catalog.resource({ kind: 'column', title: `col_${at}`, parentId: one.id });
    await catalog.resource({ title: 'parcel_events', description: 'What happened to parcels.' });
  });

  test('follows the keyboard and a pointer that rests, and leads to the page', async () => {
    await using visited = await site.open({ path: '/search?q=parcel' });
    const { page, problems } = visited;
    const preview = page.getByRole('complementary', { name: 'Preview' });
    const heading = preview.getByRole('heading', { level: 2 });
    // The best result, before any is chosen.
    await expect.poll(() => heading.allInnerTexts(), waiting).toEqual(['parcel']);
    await preview.getByRole('heading', { name: '10 columns' }).waitFor(waiting);
    expect(await preview.getByRole('listitem').count()).toBe(8);
    await preview.getByRole('link', { name: '2 more columns' }).waitFor(waiting);
    await expectAccessible(page);
    await page
      .getByRole('link', { name: /^.*parcel\b/ })
      .first()
      .focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => heading.allInnerTexts(), waiting).toEqual(['parcel_events']);
    await page.locator('.hit').first().hover();
    await expect.poll(() => heading.allInnerTexts(), waiting).toEqual(['parcel']);
    await preview.getByRole('link', { name: 'Open' }).click();
    await page.getByRole('heading', { level: 1, name: 'parcel' }).waitFor(waiting);
    expect(problems).toEqual([]);
  });

  test('is neither shown nor asked for where there is no room', async () => {
    await using visited = await site.open({ path: '/search?q=parcel', width: 900 });
    const { page } = visited;
    const asked: (string | null)[] = [];
    page.on('request', (request) => asked.push(request.postData()));
    await page.locator('.hit').first().waitFor(waiting);
    await page.locator('.hit').nth(1).hover();
    await page.waitForTimeout(500);
    expect(await page.getByRole('complementary', { name: 'Preview' }).count()).toBe(0);
    expect(asked.filter((text) => text?.includes('SearchPreview'))).toEqual([]);
  });
});
