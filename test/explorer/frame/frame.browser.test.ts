// What stands around every page: the rail, the search with its suggestions, menus, shortcuts, the bar of phones.

import { describe, expect, test, vi } from 'vitest';
import { hasBrowser } from '../../browser.ts';
import { looks, waiting, whenKnown } from '../demo.ts';
import { expectAccessible, openSite } from '../visit.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 300_000 });

describe.skipIf(!hasBrowser('The frame in a browser'))('the frame', () => {
  const site = openSite(async (catalog) => {
    const { id } = await catalog.resource({ kind: 'table', title: 'parcels' });
    await catalog.graphql('mutation ($id: ID!) { bookmarkResource(id: $id, on: true) { id } }', {
      id,
    });
  });

  test('leads to the places that a role can see, and says which one is shown', async () => {
    await using visited = await site.open({ path: '/monitors' });
    const { page } = visited;
    await whenKnown(page);
    const rail = page.getByRole('complementary').getByRole('navigation', { name: 'Main' });
    const current = () => rail.locator('[aria-current=page]').innerText();
    await expect.poll(current, waiting).toBe('Monitors');
    await rail.getByRole('link', { name: 'Settings' }).click();
    await expect.poll(current, waiting).toBe('Settings');
    const key = site.catalog.keyOf('viewer');
    await using other = await site.open({ key });
    await whenKnown(other.page);
    const names = other.page.getByRole('complementary').getByRole('link');
    const shown = await names.allInnerTexts();
    expect(shown.map((name) => name.trim())).toEqual([
      ...['Headwater', 'Home', 'Browse', 'Documents', 'Glossary', 'Questions'],
      ...['Monitors', 'Incidents', 'Impact analysis'],
    ]);
    // Nothing to make, so no menu for it.
    expect(await other.page.locator('.top .new').count()).toBe(0);
  });

  test('has the bookmarks of who looks, and folds for good', async () => {
    await using visited = await site.open();
    const { page } = visited;
    await page.getByRole('navigation', { name: 'Bookmarks' }).getByRole('link').click();
    await page.getByRole('heading', { name: 'parcels', level: 1 }).waitFor(waiting);
    await page.getByRole('button', { name: 'Collapse' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Expand' }).waitFor(waiting);
    expect(await page.locator('.rail').boundingBox()).toMatchObject({ width: 56 });
    // A name that is not drawn is still said.
    await page.getByRole('link', { name: 'Monitors' }).first().waitFor(waiting);
  });

  test('suggests data, commands and places for what is typed, by keyboard alone', async () => {
    await using visited = await site.open({ path: '/monitors' });
    const { page } = visited;
    await whenKnown(page);
    await page.keyboard.press('Control+k');
    const marked = page.getByRole('option', { selected: true });
    await marked.filter({ hasText: 'Home' }).waitFor(waiting);
    await page.keyboard.type('parc');
    await marked.filter({ hasText: 'parcels' }).waitFor(waiting);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('listbox').count()).toBe(0);
    await page.keyboard.press('/');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('>new mon');
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).pathname, waiting).toBe('/monitors/new');
    // A mark stands for a filter of the search.
    await page.getByRole('combobox', { name: 'Search the catalog' }).fill('#pii');
    await page.getByRole('option', { name: 'All results for “tag:pii”' }).click();
    await expect.poll(() => new URL(page.url()).search, waiting).toBe('?q=tag%3Apii');
  });

  test('goes to places by letters, which can be turned off, and lists them', async () => {
    await using visited = await site.open();
    const { page } = visited;
    await whenKnown(page);
    await page.keyboard.press('g');
    await page.keyboard.press('i');
    await page.getByRole('heading', { name: 'Incidents', level: 1 }).waitFor(waiting);
    // The page that was gone to is where reading begins.
    await expect.poll(() => page.evaluate('document.activeElement?.id'), waiting).toBe('main');
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.getByText('Go to Monitors').waitFor(waiting);
    await expectAccessible(page);
    await dialog.getByLabel('Shortcuts of a single letter').uncheck();
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('m');
    await page.keyboard.press('?');
    expect(await dialog.isVisible()).toBe(false);
    expect(new URL(page.url()).pathname).toBe('/incidents');
  });

  test('keeps the theme that a person chose, whatever the system has', async () => {
    await using visited = await site.open();
    const { page } = visited;
    await whenKnown(page);
    const scheme = () => page.evaluate('getComputedStyle(document.documentElement).colorScheme');
    await page.locator('.person summary').click();
    await page.getByRole('button', { name: 'Dark', exact: true }).click();
    expect(await scheme()).toBe('dark');
    await page.reload();
    await whenKnown(page);
    expect(await scheme()).toBe('dark');
    await expectAccessible(page);
  });

  test.each(looks)('is well made at $width px, dark: $isDark', async (look) => {
    await using visited = await site.open({ ...look, path: '/monitors' });
    const { page } = visited;
    await whenKnown(page);
    if (look.width < 720) {
      const bar = page.getByRole('navigation', { name: 'Main' });
      await bar.getByText('More').click();
      await bar.getByRole('link', { name: 'Settings' }).waitFor(waiting);
      await expectAccessible(page);
      await bar.getByRole('link', { name: 'Home' }).click();
      await page.getByRole('heading', { level: 1 }).first().waitFor(waiting);
    }
    await page.locator('.person summary').click();
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
      look.width,
    );
  });
});
