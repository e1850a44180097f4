// Letters that press what a page holds, texts that wait in their tab, and parts of a page that lie where they belong.

import { describe, expect, test, vi } from 'vitest';
import { hasBrowser } from '../../browser.ts';
import { waiting, whenKnown } from '../demo.ts';
import { openSite } from '../visit.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 300_000 });

describe.skipIf(!hasBrowser('Letters in a browser'))('a page that is worked in', () => {
  const ids = { table: '', above: '' };
  const site = openSite(async (catalog) => {
    const [table, above] = await Promise.all(
      ['parcels', 'shipments'].map((title) => catalog.resource({ kind: 'table', title })),
    );
    for (const title of ['weight', 'height']) {
      await catalog.resource({ kind: 'column', title, parentId: table?.id });
    }
    await catalog.resource({ kind: 'document', title: 'Customs' });
    Object.assign(ids, { table: table?.id, above: above?.id });
    await catalog.graphql(
      `mutation ($from: ID!, $to: ID!) {
        createLineage(input: { fromId: $from, toId: $to }) { id }
      }`,
      { from: ids.above, to: ids.table },
    );
  });

  test('is bookmarked, edited and left for its lineage by a letter each, but not from a tree', async () => {
    await using visited = await site.open({ path: `/resource/${ids.table}` });
    const { page, problems } = visited;
    await whenKnown(page);
    await page.getByRole('heading', { name: 'parcels', level: 1 }).waitFor(waiting);
    await page.keyboard.press('b');
    await page.getByRole('button', { name: 'Remove bookmark' }).waitFor(waiting);
    await page.keyboard.press('e');
    await page.getByRole('region', { name: 'Edit documentation' }).waitFor(waiting);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.keyboard.press('?');
    const said = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await said.getByText('View its lineage').waitFor(waiting);
    await page.keyboard.press('Escape');
    await said.waitFor({ ...waiting, state: 'hidden' });
    await page.keyboard.press('l');
    await expect.poll(() => new URL(page.url()).pathname, waiting).toBe(`/lineage/${ids.table}`);
    await page.goto(`${site.base}/documents`);
    await page.getByRole('treeitem', { name: 'Customs' }).focus();
    await page.keyboard.press('c');
    const menu = page.locator('details.new');
    expect(await menu.getAttribute('open')).toBeNull();
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('c');
    await expect.poll(() => menu.getAttribute('open'), waiting).toBe('');
    expect(problems).toEqual([]);
  });

  test('keeps a description that was left half written, until it is saved', async () => {
    await using visited = await site.open({ path: `/resource/${ids.table}` });
    const { page } = visited;
    await page.getByRole('button', { name: /weight/ }).click();
    await page.keyboard.type('In grams');
    await page.getByRole('link', { name: 'Monitors' }).first().click();
    await page.getByRole('heading', { name: 'Monitors', level: 1 }).waitFor(waiting);
    await page.goBack();
    const field = page.getByRole('textbox', { name: /weight/ });
    await expect.poll(() => field.inputValue(), waiting).toBe('In grams');
    await field.press('Enter');
    await page.getByRole('button', { name: /In grams/ }).waitFor(waiting);
    await page.reload();
    await page.getByRole('button', { name: /In grams/ }).waitFor(waiting);
    expect(await page.getByRole('textbox', { name: /weight/ }).count()).toBe(0);
  });

  test('takes two presses for one, so that no one seems to be in the way', async () => {
    await using visited = await site.open({ path: `/resource/${ids.table}` });
    const { page } = visited;
    await page.locator('.further-acts summary').click();
    await page.getByRole('button', { name: 'Mark as verified' }).dblclick();
    await page.getByText('verified', { exact: true }).first().waitFor(waiting);
    await page.getByRole('button', { name: 'Remove verification' }).waitFor(waiting);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('shows a description that somebody else wrote first, and replaces it only when that was seen', async () => {
    await using visited = await site.open({ path: `/resource/${ids.table}` });
    await using other = await site.open({ path: `/resource/${ids.table}` });
    const [mine, theirs] = [visited.page, other.page];
    for (const [page, text] of [
      [mine, 'In metres'],
      [theirs, 'In feet'],
    ] as const) {
      await page.getByRole('button', { name: /height/ }).click();
      await page.getByRole('textbox', { name: /height/ }).fill(text);
    }
    await theirs.keyboard.press('Enter');
    await theirs.getByRole('button', { name: /In feet/ }).waitFor(waiting);
    await mine.keyboard.press('Enter');
    await mine.getByRole('alert').getByText('In feet').waitFor(waiting);
    expect(await mine.getByRole('textbox', { name: /height/ }).inputValue()).toBe('In metres');
    await mine.getByRole('button', { name: 'Save', exact: true }).click();
    await mine.getByRole('button', { name: /In metres/ }).waitFor(waiting);
    expect(await mine.getByRole('alert').count()).toBe(0);
  });

  test('shows suggestions as wide as the field, each on one line', async () => {
    await using visited = await site.open();
    const { page } = visited;
    await whenKnown(page);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('parc');
    await page.locator('.suggestions mark').first().waitFor(waiting);
    expect(await page.locator('.suggestions').boundingBox()).toMatchObject({ width: 640 });
    const line = page.locator('.suggestions .line').first();
    expect((await line.boundingBox())?.height).toBeLessThan(48);
  });

  test('begins a new document with its title', async () => {
    await using visited = await site.open({ path: '/documents/new?kind=document' });
    const { page } = visited;
    await page.getByRole('textbox', { name: 'Title' }).waitFor(waiting);
    await page.keyboard.type('Good habits');
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Title' }).inputValue(), waiting)
      .toBe('Good habits');
    expect(new URL(page.url()).pathname).toBe('/documents/new');
  });

  test('lists the steps of lineage in a narrow window, and draws them when asked to', async () => {
    await using visited = await site.open({ path: `/lineage/${ids.table}`, width: 400 });
    const { page } = visited;
    const steps = page.locator('.steps-list');
    await steps.getByRole('link', { name: /shipments/ }).waitFor(waiting);
    await steps.getByText('1 step').waitFor(waiting);
    await page.getByRole('button', { name: 'Picture' }).click();
    await page.locator('.picture [data-card]').first().waitFor(waiting);
    expect(new URL(page.url()).searchParams.get('view')).toBe('picture');
  });
});
