// What one does on the page of a resource: describing columns, bookmarks, verifying, archiving, drawing lineage.

import { describe, expect, test, vi } from 'vitest';
import { hasBrowser } from '../../browser.ts';
import { waiting } from '../demo.ts';
import { expectAccessible, openSite } from '../visit.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 300_000 });

describe.skipIf(!hasBrowser('Acting on a resource in a browser'))('a resource', () => {
  const site = openSite();

  test('has its columns described in place, one after the other, by keyboard alone', async () => {
    const parent = await site.catalog.resource({ kind: 'table', title: 'described in place' });
    const column = (title: string) =>
      site.catalog.resource({
        kind: 'column',
        title,
        parentId: parent.id,
        sortOrder: title.length,
      });
    const ids = [(await column('a')).id, (await column('bb')).id];
    await using visited = await site.open({ path: `/resource/${parent.id}` });
    const { page, problems } = visited;
    await page.getByRole('button', { name: 'Add description of a', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('The first.');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Description of bb' }).waitFor(waiting);
    await page.keyboard.type('Never kept');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Add description of bb' }).waitFor(waiting);
    await page.getByRole('button', { name: 'Edit the description of a' }).waitFor(waiting);
    const { data } = await site.catalog.graphql(
      'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Column { title description } } }',
      { ids },
    );
    expect(data.nodes).toEqual([
      { title: 'a', description: 'The first.' },
      { title: 'bb', description: null },
    ]);
    const saved = page.locator('.toast').filter({ hasText: 'Saved a' });
    await saved.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Add description of a', exact: true }).waitFor(waiting);
    expect(problems).toEqual([]);
  });

  test('is bookmarked, verified, archived and restored in its head', async () => {
    const { id } = await site.catalog.resource({ title: 'come and gone' });
    await using visited = await site.open({ path: `/resource/${id}` });
    const { page, problems } = visited;
    await page.getByRole('button', { name: 'Add bookmark' }).click();
    await page.getByRole('button', { name: 'Remove bookmark' }).waitFor(waiting);
    const bookmarks = page.getByRole('navigation', { name: 'Bookmarks' });
    await bookmarks.getByRole('link', { name: 'come and gone' }).waitFor(waiting);
    await page.getByRole('button', { name: 'Remove bookmark' }).click();
    await expect.poll(() => bookmarks.count(), waiting).toBe(0);
    const menu = page.locator('.further-acts summary');
    await menu.click();
    await page.getByRole('button', { name: 'Mark as verified' }).click();
    await page.locator('.head .badge.good').waitFor(waiting);
    await page.getByRole('button', { name: 'Archive' }).click();
    await page.getByText('Archived. Searches and lists no longer show this.').waitFor(waiting);
    await expectAccessible(page);
    const archived = page.locator('.toast').filter({ hasText: 'Archived come and gone' });
    await archived.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByRole('button', { name: 'Restore' }).click();
    await expect.poll(() => page.locator('.note').count(), waiting).toBe(0);
    // What was done by mistake is undone where it is said.
    await menu.click();
    await page.getByRole('button', { name: 'Archive' }).click();
    await archived.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone').waitFor(waiting);
    await expect.poll(() => page.locator('.note').count(), waiting).toBe(0);
    expect(problems).toEqual([]);
  });

  test('has lineage drawn by hand and from pasted SQL, which is undone and removed', async () => {
    const [from, to] = [
      await site.catalog.resource({ kind: 'table', title: 'drawn_from' }),
      await site.catalog.resource({ kind: 'table', title: 'drawn_to' }),
    ];
    await using visited = await site.open({ path: `/resource/${to.id}?tab=lineage` });
    const { page, problems } = visited;
    const edges = async () => {
      const { data } = await site.catalog.graphql(
        'query ($id: ID!) { resource(id: $id) { upstream { id } } }',
        { id: to.id },
      );
      return data.resource.upstream.map(({ id }: { id: string }) => id);
    };
    await page.getByRole('combobox', { name: 'Add upstream' }).fill('drawn_from');
    await page.getByRole('option', { name: /drawn_from/ }).click();
    const remove = page.getByRole('button', { name: 'Remove drawn_from' });
    await remove.waitFor(waiting);
    expect(await edges()).toEqual([from.id]);
    await remove.click();
    await page.getByText('No edges added by hand yet').waitFor(waiting);
    expect(await edges()).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await remove.waitFor(waiting);
    await remove.click();
    await page.getByRole('button', { name: 'Add lineage from SQL' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add lineage from SQL' });
    await dialog.getByLabel('SQL that fills drawn_to').fill('select * from drawn_from');
    await dialog.getByRole('button', { name: 'Preview lineage' }).click();
    await dialog.getByText('Reads drawn_from').waitFor(waiting);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save lineage' }).click();
    await page.getByText('Saved the lineage of drawn_to').waitFor(waiting);
    await expect.poll(edges, waiting).toEqual([from.id]);
    expect(problems).toEqual([]);
  });
});
