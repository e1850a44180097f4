// Dialogs and undoing, in a browser and by keyboard alone.

import { describe, expect, test, vi } from 'vitest';
import { hasBrowser } from '../../browser.ts';
import { looks, waiting } from '../demo.ts';
import { choose, expectAccessible, openSite } from '../visit.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 300_000 });

describe.skipIf(!hasBrowser('Undoing in a browser'))('in a browser', () => {
  const site = openSite();
  const tagsOf = async (id: string) => {
    const { data } = await site.catalog.graphql(
      'query ($id: ID!) { resource(id: $id) { tags { name } } }',
      { id },
    );
    return data.resource.tags.map(({ name }: { name: string }) => name).sort();
  };

  test('what was added is taken back by Ctrl+Z, and by F6 and Enter', async () => {
    await site.catalog.tag({ name: 'gold' });
    await site.catalog.tag({ name: 'silver' });
    const { id } = await site.catalog.resource({ title: 'undone' });
    await using visited = await site.open({ path: `/resource/${id}` });
    const { page, problems } = visited;
    const said = page.getByRole('status');
    await choose(page, 'Add a tag', 'gold');
    await said.getByText('Added gold').waitFor(waiting);
    await choose(page, 'Add a tag', 'silver');
    await said.getByText('Added silver').waitFor(waiting);
    // The field is empty, so that there is nothing of its own to undo.
    await page.keyboard.press('Control+z');
    await expect.poll(() => tagsOf(id), waiting).toEqual(['gold']);
    await said.getByText('Undone').waitFor(waiting);
    await page.getByRole('button', { name: 'Remove gold' }).click();
    await expect.poll(() => tagsOf(id), waiting).toEqual([]);
    await said.getByText('Removed gold').waitFor(waiting);
    await page.keyboard.press('F6');
    const focused = () => page.evaluate('document.activeElement.textContent');
    await expect.poll(focused, waiting).toBe('Undo');
    await page.keyboard.press('Enter');
    await expect.poll(() => tagsOf(id), waiting).toEqual(['gold']);
    expect(problems).toEqual([]);
  });

  test('in a field Ctrl+Z is about what is written there', async () => {
    await site.catalog.tag({ name: 'bronze' });
    const { id } = await site.catalog.resource({ title: 'still_written' });
    await using visited = await site.open({ path: `/resource/${id}` });
    const { page } = visited;
    await choose(page, 'Add a tag', 'bronze');
    await page.getByRole('status').getByText('Added bronze').waitFor(waiting);
    await page.getByRole('combobox', { name: 'Add an owner' }).fill('adm');
    await page.keyboard.press('Control+z');
    await page.getByRole('button', { name: 'Undo' }).last().waitFor(waiting);
    expect(await tagsOf(id)).toEqual(['bronze']);
  });

  test('what can no longer be undone is said, and stays until it is dismissed', async () => {
    const tag = await site.catalog.tag({ name: 'short-lived' });
    const { id } = await site.catalog.resource({ title: 'not_undone' });
    await using visited = await site.open({ path: `/resource/${id}` });
    const { page } = visited;
    await choose(page, 'Add a tag', 'short-lived');
    await page.getByRole('button', { name: 'Remove short-lived' }).click();
    await page.getByRole('status').getByText('Removed short-lived').waitFor(waiting);
    await site.catalog.graphql('mutation ($id: ID!) { deleteTag(id: $id) { id } }', { id: tag.id });
    await page.getByRole('button', { name: 'Undo' }).last().click();
    const wrong = page.locator('.toast.alarm');
    await wrong.getByText('Couldn’t undo:').waitFor(waiting);
    await expectAccessible(page);
    await wrong.getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(() => wrong.count(), waiting).toBe(0);
  });

  test.each(looks)('a dialog is well made at $width px, dark: $isDark', async (look) => {
    const { id } = await site.catalog.integration({
      name: `Warehouse ${look.width} ${look.isDark}`,
      type: 'custom',
    });
    await using visited = await site.open({ path: `/imports/${id}?tab=settings`, ...look });
    const { page } = visited;
    const opener = page.getByRole('button', { name: /^Delete/ });
    await opener.waitFor(waiting);
    await opener.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor(waiting);
    await expectAccessible(page);
    const room = await dialog.boundingBox();
    expect(room?.width ?? 0).toBeLessThanOrEqual(look.width);
    // It begins where the name is typed, and the page behind it can't be reached.
    const isIn = () => page.evaluate('document.activeElement.closest("dialog") !== null');
    expect(await page.evaluate('document.activeElement.localName')).toBe('input');
    for (let presses = 0; presses < 3; presses += 1) {
      await page.keyboard.press('Tab');
      expect(
        (await isIn()) || (await page.evaluate('document.activeElement.localName')) === 'body',
      ).toBe(true);
    }
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count(), waiting).toBe(0);
    expect(await opener.evaluate((one) => one === document.activeElement)).toBe(true);
  });
});
