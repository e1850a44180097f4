// The network goes while somebody reads and writes, in a browser: nothing written is lost, and pages come back.

import { describe, expect, test, vi } from 'vitest';
import { hasBrowser } from '../../browser.ts';
import { waiting } from '../demo.ts';
import { expectAccessible, openSite } from '../visit.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 300_000 });

const away = 'You’re offline. Reconnecting';
const unsaved = 'Not saved. Your text is kept in this tab.';

describe.skipIf(!hasBrowser('A lost network in a browser'))('in a browser', () => {
  const site = openSite();

  test('what was read is shown, what was written is kept, and both go on with the network', async () => {
    const { id } = await site.catalog.resource({ title: 'read_offline', definition: 'First.' });
    const read = async () => {
      const { data } = await site.catalog.graphql(
        'query ($id: ID!) { resource(id: $id) { definition comments { nodes { text } } } }',
        { id },
      );
      return data.resource;
    };
    await using visited = await site.open({ path: `/resource/${id}` });
    const { page, problems } = visited;
    const heading = page.getByRole('heading', { name: 'read_offline', level: 1 });
    await heading.waitFor(waiting);
    const sections = page.getByRole('navigation', { name: 'Sections' });
    await sections.getByRole('link', { name: 'Comments' }).click();
    const comment = page.getByRole('textbox', { name: 'Comment' });
    await comment.waitFor(waiting);
    await sections.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const text = page.getByRole('textbox', { name: 'Documentation' });
    await text.fill('Second.');

    await page.context().setOffline(true);
    // Without a request of the page.
    await page.getByRole('status').getByText(away).waitFor(waiting);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText(unsaved).waitFor(waiting);
    expect(await text.inputValue()).toBe('Second.');
    expect(await page.getByText('Retrying').count()).toBe(0);
    await expectAccessible(page);
    // Pages from before are read on.
    await sections.getByRole('link', { name: 'Comments' }).click();
    await comment.fill('Said without a network');
    await page.getByRole('button', { name: 'Add comment' }).click();
    await page.getByRole('alert').getByText(unsaved).waitFor(waiting);
    expect(await comment.inputValue()).toBe('Said without a network');
    await sections.getByRole('link', { name: 'Overview' }).click();
    expect(await text.inputValue()).toBe('Second.');
    expect(await heading.count()).toBe(1);
    expect(await read()).toMatchObject({ definition: 'First.', comments: { nodes: [] } });

    await page.context().setOffline(false);
    await expect.poll(() => page.getByText(away).count(), waiting).toBe(0);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor(waiting);
    await sections.getByRole('link', { name: 'Comments' }).click();
    await page.getByRole('button', { name: 'Add comment' }).click();
    await page.getByRole('article').getByText('Said without a network').waitFor(waiting);
    expect(await read()).toMatchObject({
      definition: 'Second.',
      comments: { nodes: [{ text: 'Said without a network' }] },
    });
    expect(problems).toEqual([]);
  });

  test('what is typed while a save is on its way stays to be gone on with', async () => {
    const { id } = await site.catalog.resource({ title: 'typed_on', definition: 'First.' });
    await using visited = await site.open({ path: `/resource/${id}` });
    const { page } = visited;
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const text = page.getByRole('textbox', { name: 'Documentation' });
    await text.fill('Second.');
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('SaveWords')) await held;
      await route.continue();
    });
    const save = page.getByRole('button', { name: 'Save' });
    await save.click();
    await text.fill('Second. Third.');
    release();
    const definition = async () => {
      const { data } = await site.catalog.graphql(
        'query ($id: ID!) { resource(id: $id) { definition } }',
        { id },
      );
      return data.resource.definition;
    };
    await expect.poll(definition, waiting).toBe('Second.');
    await expect.poll(() => save.isEnabled(), waiting).toBe(true);
    expect(await text.inputValue()).toBe('Second. Third.');
    await save.click();
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor(waiting);
    expect(await definition()).toBe('Second. Third.');
  });
});
