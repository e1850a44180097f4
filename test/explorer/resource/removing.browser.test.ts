// Deleting monitors, sources, webhooks and tags: each is asked for twice, and says what goes with it.

import { describe, expect, test, vi } from 'vitest';
import { hasBrowser } from '../../browser.ts';
import { waiting, whenKnown } from '../demo.ts';
import { expectAccessible, openSite } from '../visit.ts';

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
    await page.getByText('Its measurements and incidents go with it.').waitFor(waiting);
    await expectAccessible(page);
    // By keyboard it is given up at once, and the keyboard is where it was.
    const focused = () => page.evaluate('document.activeElement.textContent');
    expect(await focused()).toBe('No');
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
    await using visited = await open(`/imports/${id}`);
    const { page } = visited;
    await page.getByRole('button', { name: /^Delete/ }).click();
    await page.getByText('All that came from it goes with it').waitFor(waiting);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: 'Sources', level: 1 }).waitFor(waiting);
    expect(await page.getByText('Old warehouse').count()).toBe(0);
    expect(await count('integrations')).toBe(0);
  });

  test('a webhook is made once, and deleted', async () => {
    await using visited = await open('/admin?part=webhooks');
    const { page } = visited;
    await page.getByLabel('Name').fill('Chat');
    await page.getByLabel('Address').fill('https://hooks.example.com/1');
    await page.getByRole('button', { name: 'Create a webhook' }).click();
    await page.getByRole('button', { name: 'I have it' }).waitFor(waiting);
    // The form is as it was: a second click makes no second one.
    expect(await page.getByLabel('Name').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Delete Chat' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('There are none yet.').waitFor(waiting);
  });

  test('a tag is made by an editor, can be chosen at once, and is renamed and deleted', async () => {
    const { id } = await site.catalog.resource({ title: 'tagged' });
    await using visited = await open('/admin?part=tags', 'editor');
    const { page } = visited;
    await page.getByLabel('Name').fill('gold');
    await page.getByLabel('What it is for').fill('May be relied on.');
    await page.getByRole('button', { name: 'Create a tag' }).click();
    await page.getByText('May be relied on. · on 0 resources').waitFor(waiting);
    await page.goto(`${site.base}/resource/${id}`);
    await page.getByLabel('Add a tag').selectOption('gold');
    await page.getByRole('button', { name: 'Remove gold' }).waitFor(waiting);
    await page.goto(`${site.base}/admin?part=tags`);
    await page.getByText('on 1 resource', { exact: false }).waitFor(waiting);
    await page.getByText('Rename gold').click();
    await page.getByLabel('Name').first().fill('golden');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Delete golden' }).click();
    await page.getByText('It is taken off everything.').waitFor(waiting);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('There are none yet.').waitFor(waiting);
    expect(await count('tags')).toBe(0);
  });
});
