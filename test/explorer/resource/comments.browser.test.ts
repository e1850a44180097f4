// Comments on the page of a resource: written with a mention, changed, deleted, and counted by their tab.

import { describe, expect, test, vi } from 'vitest';
import { hasBrowser } from '../../browser.ts';
import { waiting } from '../demo.ts';
import { expectAccessible, openSite } from '../visit.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 300_000 });

describe.skipIf(!hasBrowser('Comments in a browser'))('comments', () => {
  const site = openSite();

  test('are written by keyboard with a mention, changed and deleted', async () => {
    const { id } = await site.catalog.resource({ kind: 'table', title: 'talked about' });
    const marta = await site.catalog.user({ firstName: 'Marta', lastName: 'Kowalska' });
    const texts = async () => {
      const { data } = await site.catalog.graphql(
        'query ($id: ID!) { resource(id: $id) { comments { nodes { text } } } }',
        { id },
      );
      return data.resource.comments.nodes.map(({ text }: { text: string }) => text);
    };
    await using visited = await site.open({ path: `/resource/${id}?tab=comments` });
    const { page, problems } = visited;
    await page.getByText('No comments yet').waitFor(waiting);
    await page.getByRole('textbox', { name: 'Comment' }).focus();
    await page.keyboard.type('Doubled on Monday, @Marta');
    await page.getByRole('option', { name: /Marta Kowalska/ }).waitFor(waiting);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+Enter');
    const comment = page.getByRole('article', { name: /^Comment by/ });
    await comment.getByText('Doubled on Monday').waitFor(waiting);
    const mention = `[@Marta Kowalska](user:${marta.id})`;
    expect((await texts()).map((text: string) => text.trim())).toEqual([
      `Doubled on Monday, ${mention}`,
    ]);
    await expect
      .poll(() => page.getByRole('link', { name: /^Comments/ }).textContent(), waiting)
      .toBe('Comments1');
    await expectAccessible(page);

    await comment.getByRole('button', { name: /^Edit/ }).click();
    await comment.getByRole('textbox', { name: 'Comment' }).fill('Was fixed.');
    await comment.getByRole('button', { name: 'Save comment' }).click();
    await comment.getByText('edited').waitFor(waiting);
    expect(await texts()).toEqual(['Was fixed.']);

    await comment.getByRole('button', { name: 'Delete comment' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete comment' }).click();
    await page.getByText('No comments yet').waitFor(waiting);
    expect(await texts()).toEqual([]);
    expect(problems).toEqual([]);
  });

  test.each([
    ['document', 'documents', 'viewer'],
    ['glossary', 'glossary', 'editor'],
  ] as const)('are written on the page of a %s, and counted', async (kind, place, role) => {
    const { id } = await site.catalog.resource({ kind, title: 'Net revenue', published: true });
    await using visited = await site.open({
      ...{ key: site.catalog.keyOf(role), path: `/${place}/${id}` },
    });
    const { page, problems } = visited;
    const tab = page.getByRole('link', { name: /^Comments/ });
    await tab.click();
    await page.getByText('No comments yet').waitFor(waiting);
    await page.getByRole('textbox', { name: 'Comment' }).fill('Vouchers, too?');
    await page.getByRole('button', { name: 'Add comment' }).click();
    const comment = page.getByRole('article', { name: /^Comment by/ });
    await comment.getByText('Vouchers, too?').waitFor(waiting);
    await expect.poll(() => tab.textContent(), waiting).toBe('Comments 1');
    expect(new URL(page.url()).search).toBe('?tab=comments');
    await expectAccessible(page);
    expect(problems).toEqual([]);
  });
});
