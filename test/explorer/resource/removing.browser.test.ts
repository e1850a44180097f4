// Deleting monitors, sources, webhooks and tags: each is asked for twice, and says what goes with it.

import { describe, expect, test, vi } from 'vitest';
import { hasBrowser } from '../../browser.ts';
import { waiting, whenKnown } from '../demo.ts';
import { choose, expectAccessible, openSite } from '../visit.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 90_000 });

describe.skipIf(!hasBrowser('Deleting in a browser'))('in a browser', () => {
  const site = openSite();
  const open = (path: string, role: 'admin' | 'editor' | 'viewer' = 'admin') =>
    site.open({ path, key: site.catalog.keyOf(role) });
  const count = async (list: string) =>
    (await site.catalog.graphql(`{ ${list} { totalCount } }`)).data[list].totalCount;
  const monitorOf = async (title: string) => {
    const { id } = await site.catalog.resource({ title });
    const { data } = await site.catalog.graphql(
      'mutation ($id: ID!) { createMonitor(input: { metricType: row_count, targetId: $id }) { id } }',
      { id },
    );
    return data.createMonitor.id as string;
  };

  test('a monitor is deleted by who edits monitors, and the list is shown', async () => {
    const id = await monitorOf('measured');
    await using visited = await open(`/monitors/${id}`, 'editor');
    const { page, problems } = visited;
    await page.getByRole('button', { name: /^Delete/ }).click();
    await page.getByText('This also deletes its measurements and incidents.').waitFor(waiting);
    await expectAccessible(page);
    // By keyboard it is given up at once, and the keyboard is where it was.
    const focused = () => page.evaluate('document.activeElement.textContent');
    expect(await focused()).toBe('Cancel');
    await page.keyboard.press('Enter');
    await expect.poll(focused, waiting).toMatch(/^Delete/);
    expect(await count('monitors')).toBe(1);
    await page.getByRole('button', { name: /^Delete/ }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: 'Monitors', level: 1 }).waitFor(waiting);
    expect(await count('monitors')).toBe(0);
    expect(problems).toEqual([]);
  });

  test('who may not edit monitors is not offered to delete one', async () => {
    const id = await monitorOf('only looked at');
    await using visited = await open(`/monitors/${id}`, 'viewer');
    await whenKnown(visited.page);
    expect(await visited.page.getByRole('button', { name: /^Delete/ }).count()).toBe(0);
  });

  test('a source is deleted with what came from it', async () => {
    const { id } = await site.catalog.integration({ name: 'Old warehouse', type: 'custom' });
    await using visited = await open(`/imports/${id}?tab=settings`);
    const { page } = visited;
    await page.getByRole('button', { name: /^Delete/ }).click();
    await page.getByText('This also deletes its resources, lineage and monitors.').waitFor(waiting);
    // Nothing brings it back, so its name is typed first.
    const sure = page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true });
    await sure.click();
    await page.getByText('This is not the name.').waitFor(waiting);
    expect(await count('integrations')).toBe(1);
    await page.getByLabel('Type Old warehouse to confirm').fill('Old warehouse');
    await sure.click();
    await page.getByRole('heading', { name: 'Sources', level: 1 }).waitFor(waiting);
    expect(await page.getByText('Old warehouse').count()).toBe(0);
    expect(await count('integrations')).toBe(0);
  });

  test('a webhook is made once, and deleted', async () => {
    await using visited = await open('/admin?part=webhooks');
    const { page } = visited;
    await page.getByRole('link', { name: 'New webhook' }).click();
    const side = page.locator('.side');
    await side.getByLabel('Name').fill('Chat');
    await side.getByLabel('URL').fill('https://hooks.example.com/1');
    await side.getByRole('button', { name: 'New webhook' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    // The form has gone: a second press makes no second one.
    await expect.poll(() => side.count(), waiting).toBe(0);
    await page.getByRole('row').getByRole('link', { name: 'Chat' }).click();
    await side.getByRole('button', { name: 'Delete Chat' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No webhooks yet').waitFor(waiting);
  });

  test('a tag is made by an editor, can be chosen at once, and is renamed and deleted', async () => {
    const { id } = await site.catalog.resource({ title: 'tagged' });
    await using visited = await open('/admin?part=tags', 'editor');
    const { page } = visited;
    await page.getByRole('link', { name: 'New tag' }).click();
    const side = page.locator('.side');
    await side.getByLabel('Name').fill('gold');
    await side.getByLabel('Description').fill('May be relied on.');
    await side.getByLabel('#875200').check();
    await side.getByRole('button', { name: 'New tag' }).click();
    const row = page.getByRole('row').filter({ hasText: 'May be relied on.' });
    await row.waitFor(waiting);
    expect(await row.locator('.hue').getAttribute('style')).toContain('rgb(135, 82, 0)');
    await page.goto(`${site.base}/resource/${id}`);
    await choose(page, 'Add a tag', 'gold');
    await page.getByRole('button', { name: 'Remove gold' }).waitFor(waiting);
    await page.goto(`${site.base}/admin?part=tags`);
    await row.getByText('1', { exact: true }).waitFor(waiting);
    await row.getByRole('link', { name: 'gold' }).click();
    await side.getByLabel('Name').fill('golden');
    await side.getByRole('button', { name: 'Save changes' }).click();
    await row.getByRole('link', { name: 'golden' }).click();
    await side.getByRole('button', { name: 'Delete golden' }).click();
    await page.getByText('Removed from 1 resource.').waitFor(waiting);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No tags yet').waitFor(waiting);
    expect(await count('tags')).toBe(0);
  });
});
