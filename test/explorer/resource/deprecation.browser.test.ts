// Deprecation in a browser: said with a successor, shown on the page, in lists and in search, ended and undone.

import { describe, expect, test, vi } from 'vitest';
import { hasBrowser } from '../../browser.ts';
import { expectWellMade, waiting } from '../demo.ts';
import { openSite } from '../visit.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 300_000 });

describe.skipIf(!hasBrowser('Deprecation in a browser'))('deprecation', () => {
  const site = openSite();

  test('a table is deprecated with a successor, which its page leads to, and that is ended and undone', async () => {
    const old = await site.catalog.resource({ title: 'orders_old', published: true });
    const next = await site.catalog.resource({ title: 'orders_v2', published: true });
    await using visited = await site.open({
      ...{ key: site.catalog.keyOf('editor'), path: `/resource/${old.id}` },
    });
    const { page, problems } = visited;
    await page.locator('.further-acts summary').click();
    await page.getByRole('button', { name: 'Deprecate …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Deprecate orders_old' });
    await dialog.getByRole('combobox', { name: 'Successor' }).fill('orders_v2');
    await page.getByRole('option', { name: /orders_v2/ }).click();
    await dialog.getByRole('textbox', { name: 'Note' }).fill('Rows are late.');
    await dialog.getByLabel('Deprecated since').fill('2026-11-03');
    await dialog.getByRole('button', { name: 'Deprecate' }).click();
    const banner = page.locator('.deprecated');
    await banner.getByText('Deprecated since Nov 3, 2026').waitFor(waiting);
    await banner.getByText('Rows are late.').waitFor(waiting);
    const link = banner.getByRole('link', { name: 'orders_v2' });
    expect(await link.getAttribute('href')).toBe(`/resource/${next.id}`);
    await expectWellMade(page, 'deprecated');
    await page.setViewportSize({ width: 1_440, height: 900 });
    await banner.getByRole('button', { name: 'End deprecation' }).click();
    await banner.waitFor({ ...waiting, state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await banner.getByText('Rows are late.').waitFor(waiting);
    await page.goto(`${site.base}/search?q=orders_old`);
    await page.getByText('deprecated', { exact: true }).first().waitFor(waiting);
    expect(problems).toEqual([]);
  });

  test('what is deprecated is marked where it is named: search field, choices, links in texts, and lineage', async () => {
    const old = await site.catalog.resource({ title: 'visits_old', published: true });
    const next = await site.catalog.resource({ title: 'visits_v2', published: true });
    await site.catalog.graphql(
      `mutation ($id: ID!, $to: ID!, $input: UpdateResourceInput!) {
        updateResource(id: $id, input: $input) { id }
        createLineage(input: { fromId: $id, toId: $to }) { id }
      }`,
      { id: old.id, to: next.id, input: { deprecation: { successorId: next.id } } },
    );
    await using visited = await site.open({
      ...{ key: site.catalog.keyOf('editor'), path: `/resource/${next.id}` },
    });
    const { page, problems } = visited;
    const marked = page
      .getByRole('option', { name: /visits_old/ })
      .getByTitle('Use visits_v2 instead');
    await page.getByRole('combobox', { name: 'Search the catalog' }).fill('visits');
    await marked.waitFor(waiting);
    expect(
      await page
        .getByRole('option', { name: /visits_v2/ })
        .getByText('deprecated')
        .count(),
    ).toBe(0);
    await page.keyboard.press('Escape');
    await page.locator('.further-acts summary').click();
    await page.getByRole('button', { name: 'Deprecate …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Successor' }).fill('visits_old');
    await marked.waitFor(waiting);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.goto(`${site.base}/resource/${next.id}?tab=comments`);
    await page.getByRole('textbox', { name: 'Comment' }).fill('See [[visits_o');
    await marked.waitFor(waiting);
    await page.goto(`${site.base}/lineage/${next.id}`);
    const card = page.getByRole('article', { name: 'visits_old, deprecated', exact: true });
    await card.getByTitle('Use visits_v2 instead').waitFor(waiting);
    await page.getByRole('article', { name: 'visits_v2', exact: true }).waitFor(waiting);
    await expectWellMade(page, 'lineage of what is deprecated');
    expect(problems).toEqual([]);
  });

  test('a document shows it to who may only read it, without buttons', async () => {
    const { id } = await site.catalog.resource({
      kind: 'document',
      title: 'Plan',
      published: true,
    });
    await site.catalog.graphql(
      'mutation ($id: ID!) { updateResource(id: $id, input: { deprecation: { note: "See the new plan." } }) { id } }',
      { id },
    );
    await using visited = await site.open({
      ...{ key: site.catalog.keyOf('viewer'), path: `/documents/${id}` },
    });
    const banner = visited.page.locator('.deprecated');
    await banner.getByText('See the new plan.').waitFor(waiting);
    expect(await banner.getByRole('button').count()).toBe(0);
    await visited.page.getByRole('treeitem', { name: /Plan.*deprecated/ }).waitFor(waiting);
  });
});
