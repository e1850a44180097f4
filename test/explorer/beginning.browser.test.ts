// A catalog with nothing in it, in a browser: each page says what to do next, to who may do it.

import { describe, expect, test, vi } from 'vitest';
import { hasBrowser } from '../browser.ts';
import { expectWellMade, looks, waiting, whenKnown } from './demo.ts';
import { openSite } from './visit.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 300_000 });

describe.skipIf(!hasBrowser('An empty catalog in a browser'))('in a browser', () => {
  const site = openSite();

  test('the first page leads an admin to the first steps', async () => {
    await using visited = await site.open();
    const { page, problems } = visited;
    await page.getByRole('heading', { name: 'Your catalog is empty' }).waitFor(waiting);
    for (const [step, heading] of [
      ['Invite people', 'People'],
      ['Create a monitor', 'New monitor'],
      ['Connect a source', 'New source'],
    ] as const) {
      await page.locator('main').getByRole('link', { name: step }).click();
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor(waiting);
      await page.goBack();
      await page.getByRole('heading', { name: 'Your catalog is empty' }).waitFor(waiting);
    }
    expect(problems).toEqual([]);
  });

  test.each([
    ['editor', 'when an admin connects a source'],
    ['viewer', 'when an admin connects a source'],
    ['guest', 'Ask an admin to add you to a team.'],
  ] as const)('the first page tells a %s whom to ask', async (role, says) => {
    await using visited = await site.open({ key: site.catalog.keyOf(role) });
    const { page } = visited;
    await page.locator('main').getByText(says).waitFor(waiting);
    await whenKnown(page);
    expect(await page.locator('main').getByRole('link').count()).toBe(0);
  });

  test.each([
    ['/monitors', 'Monitors measure a table or column on a schedule'],
    ['/incidents', 'No open incidents'],
    ['/questions', 'Ask on the page of a table or dashboard.'],
    ['/impact?of=manifest', 'No dbt project yet'],
    ['/imports', 'Connect a database, a dbt project or files'],
    ['/monitors/new', 'In a database that is connected as a source'],
    ['/admin?part=rules', 'No notification rules yet'],
  ])('%s says what comes there, and is well made', async (path, says) => {
    await using visited = await site.open({ path });
    const { page, problems } = visited;
    await page.locator('main').getByText(says).waitFor(waiting);
    await whenKnown(page);
    await expectWellMade(page, null, looks.slice(0, 1));
    expect(problems).toEqual([]);
  });

  test('a filter that leaves nothing is not mistaken for an empty catalog', async () => {
    await using visited = await site.open({ path: '/questions?status=Answered' });
    await visited.page.getByText('No matches').waitFor(waiting);
    await using audit = await site.open({ path: '/audit?on=nothing+is+called+so' });
    await audit.page.getByText('No matches').waitFor(waiting);
  });

  test('the first page is well made however one looks', async () => {
    await using visited = await site.open();
    await visited.page.getByRole('link', { name: 'Connect a source' }).waitFor(waiting);
    await expectWellMade(visited.page, 'home-empty');
  });
});
