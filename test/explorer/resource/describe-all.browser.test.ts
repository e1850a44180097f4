// Describing all columns of a table at once, in a browser: what others change at the same time, and the ways back.

import { describe, expect, test, vi } from 'vitest';
import { hasBrowser } from '../../browser.ts';
import { waiting } from '../demo.ts';
import { expectAccessible, openSite } from '../visit.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 300_000 });

describe.skipIf(!hasBrowser('Describing all columns in a browser'))('in a browser', () => {
  const site = openSite();

  test('what was changed is saved, what others changed first stays in its field, and all of it has a way back', async () => {
    const { id } = await site.catalog.resource({ title: 'orders' });
    const made = (title: string, description: string | null) =>
      site.catalog.resource({ kind: 'column', title, parentId: id, description });
    const [first, second, third] = [
      await made('order_id', null),
      await made('status', 'Its state.'),
      await made('total', 'In euros.'),
    ];
    const descriptions = async () => {
      const { data } = await site.catalog.graphql(
        'query ($id: ID!) { resource(id: $id) { ... on Table { columns(first: 9) { title description } } } }',
        { id },
      );
      return Object.fromEntries(
        data.resource.columns.map((column: { title: string; description: string | null }) => [
          column.title,
          column.description,
        ]),
      );
    };
    await using visited = await site.open({
      key: site.catalog.keyOf('editor'),
      path: `/resource/${id}`,
    });
    const { page } = visited;
    const open = page.getByRole('button', { name: 'Edit all' });
    const toast = (says: string) => page.locator('.toasts .toast').filter({ hasText: says });
    await open.click();
    const field = (title: string) => page.getByRole('textbox', { name: `Description of ${title}` });
    expect(await field(first.title).evaluate((it) => it === document.activeElement)).toBe(true);
    await expectAccessible(page);
    await field(first.title).fill('The order.');
    await field(second.title).fill('What became of it.');
    // Someone else is quicker with one of them.
    await site.catalog.graphql(
      'mutation ($id: ID!) { updateResource(id: $id, input: { description: "Theirs." }) { id } }',
      { id: second.id },
    );
    await page.getByRole('button', { name: 'Save descriptions' }).click();
    await page.getByText('Saved 1 description').waitFor(waiting);
    const refused = page.getByRole('row', { name: /status/ }).getByRole('alert');
    await refused.filter({ hasText: 'Theirs.' }).waitFor(waiting);
    expect(await field(second.title).inputValue()).toBe('What became of it.');
    expect(await descriptions()).toEqual({
      ...{ [first.title]: 'The order.', [second.title]: 'Theirs.', [third.title]: 'In euros.' },
    });
    // Closed without saving, and brought back.
    await page.getByRole('button', { name: 'Cancel' }).click();
    const discarded = toast('Discarded 1 description');
    await discarded.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => field(second.title).inputValue(), waiting).toBe('What became of it.');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await open.waitFor(waiting);
    expect(await open.evaluate((it) => it === document.activeElement)).toBe(true);
    // What was saved is taken back.
    const saved = toast('Saved 1 description');
    await saved.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await descriptions())[first.title], waiting).toBeFalsy();
  });

  test('a viewer is offered none of it', async () => {
    const { id } = await site.catalog.resource({ title: 'read_only' });
    await site.catalog.resource({ kind: 'column', title: 'some', parentId: id });
    await using visited = await site.open({
      key: site.catalog.keyOf('viewer'),
      path: `/resource/${id}`,
    });
    await visited.page.getByRole('cell', { name: 'some' }).waitFor(waiting);
    expect(await visited.page.getByRole('button', { name: 'Edit all' }).count()).toBe(0);
  });
});
