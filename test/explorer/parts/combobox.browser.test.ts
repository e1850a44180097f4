// The field that finds, in a browser and by keyboard alone: owners, tags and resources are chosen in it.

import { describe, expect, test, vi } from 'vitest';
import { rows } from '../../../src/database/rows.ts';
import { Prisma } from '../../../src/generated/prisma/client.ts';
import { hasBrowser, type Page } from '../../browser.ts';
import { looks, waiting } from '../demo.ts';
import { expectAccessible, openSite } from '../visit.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 300_000 });

describe.skipIf(!hasBrowser('Comboboxes in a browser'))('in a browser', () => {
  const site = openSite();
  const marked = (page: Page) =>
    page.locator('[role=option][aria-selected=true] span[dir]').allInnerTexts();
  const tagsOf = async (id: string) => {
    const { data } = await site.catalog.graphql(
      'query ($id: ID!) { resource(id: $id) { tags { name } } }',
      { id },
    );
    return data.resource.tags.map(({ name }: { name: string }) => name).sort();
  };

  test('a tag is found among 500, marked with arrows and taken with Enter', async () => {
    await rows(
      site.catalog.admin,
      Prisma.sql`insert into tag (workspace_id, name, updated_at)
        select ${site.catalog.workspaceId}::uuid, 'tag ' || n, now() from generate_series(1, 500) n returning id`,
    );
    const { id } = await site.catalog.resource({ title: 'by_keyboard' });
    await using visited = await site.open({ path: `/resource/${id}` });
    const { page, problems } = visited;
    const field = page.getByRole('combobox', { name: 'Add a tag' });
    await field.waitFor(waiting);
    await field.focus();
    expect(await field.getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('ArrowDown');
    const options = page.getByRole('option');
    await expect.poll(() => options.count(), waiting).toBe(50);
    await page.getByRole('status').getByText('Showing 50, type to narrow').waitFor(waiting);
    await page.keyboard.type('49');
    // What begins like it comes first; here nothing does.
    await expect.poll(() => options.count(), waiting).toBe(15);
    await expect.poll(() => marked(page), waiting).toEqual(['tag 149']);
    await page.getByRole('status').getByText('15 options').waitFor(waiting);
    await page.keyboard.press('End');
    await expect.poll(() => marked(page), waiting).toEqual(['tag 499']);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => marked(page), waiting).toEqual(['tag 149']);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => marked(page), waiting).toEqual(['tag 249']);
    const active = await field.getAttribute('aria-activedescendant');
    expect(await page.locator(`[id="${active}"] span[dir]`).innerText()).toBe('tag 249');
    await page.keyboard.press('Enter');
    await expect.poll(() => tagsOf(id), waiting).toEqual(['tag 249']);
    expect(await options.count()).toBe(0);
    // What it has is not offered again, and the keyboard is where it was.
    await page.keyboard.type('249');
    await page.getByRole('status').getByText('No matches').waitFor(waiting);
    await page.keyboard.press('Escape');
    await expect.poll(() => field.inputValue(), waiting).toBe('');
    expect(await field.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(problems).toEqual([]);
  });

  test('of one value Escape and leaving restore what was chosen, and no choice is one of them', async () => {
    await using visited = await site.open({ path: '/monitors' });
    const { page } = visited;
    const field = page.getByRole('combobox', { name: 'Owner' });
    await field.waitFor(waiting);
    expect(await field.getAttribute('placeholder')).not.toBe('');
    await field.fill('editor');
    await page.getByRole('option', { name: 'editor' }).first().waitFor(waiting);
    await page.keyboard.press('Enter');
    const owner = () => new URL(page.url()).searchParams.get('owner');
    await expect.poll(owner, waiting).toBe(site.catalog.idOf('editor'));
    const name = await field.inputValue();
    for (const leave of ['Escape', 'Tab']) {
      await field.fill('nobody of this name');
      await page.getByRole('status').getByText('No matches').waitFor(waiting);
      await page.keyboard.press(leave);
      await expect.poll(() => field.inputValue(), waiting).toBe(name);
    }
    expect(owner()).toBe(site.catalog.idOf('editor'));
    await field.fill('');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(owner, waiting).toBe(null);
  });

  test('of several values Backspace takes the last away, and the list stays open', async () => {
    await using visited = await site.open({ path: '/admin?part=rules&open=new' });
    const { page } = visited;
    const field = page.getByRole('combobox', { name: 'Severities' });
    await field.waitFor(waiting);
    await field.fill('lo');
    await page.keyboard.press('Enter');
    await page.keyboard.type('high');
    await page.keyboard.press('Enter');
    const chosen = page.locator('.combo .pill');
    await expect.poll(() => chosen.count(), waiting).toBe(2);
    expect(await page.getByRole('option').count()).toBe(2);
    await page.keyboard.press('Backspace');
    await expect.poll(() => chosen.count(), waiting).toBe(1);
    expect(await chosen.innerText()).toContain('low');
    await page.getByRole('button', { name: 'Remove low' }).click();
    await expect.poll(() => chosen.count(), waiting).toBe(0);
    expect(await field.evaluate((one) => one === document.activeElement)).toBe(true);
  });

  test.each(looks)('is well made at $width px, dark: $isDark', async (look) => {
    const { id } = await site.catalog.resource({ title: 'looked_at' });
    await using visited = await site.open({ path: `/resource/${id}`, ...look });
    const { page } = visited;
    const field = page.getByRole('combobox', { name: 'Add an owner' });
    await field.waitFor(waiting);
    await field.click();
    const list = page.getByRole('listbox');
    await list.waitFor(waiting);
    await expectAccessible(page);
    const room = await page.locator('.picks').boundingBox();
    const own = await page.locator('.combo').first().boundingBox();
    // It lies within the window, and not over its field.
    expect(room?.x ?? -1).toBeGreaterThanOrEqual(0);
    expect((room?.x ?? 0) + (room?.width ?? 0)).toBeLessThanOrEqual(look.width);
    const [top, bottom] = [room?.y ?? 0, (room?.y ?? 0) + (room?.height ?? 0)];
    const fieldTop = own?.y ?? 0;
    expect(bottom <= fieldTop || top >= fieldTop + (own?.height ?? 0)).toBe(true);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(look.width);
  });
});
