// Documents in a browser: the tree, writing, moving, deleting, versions, and what is named in a text.

import { describe, expect, test, vi } from 'vitest';
import { hasBrowser, type Page } from '../../browser.ts';
import { expectWellMade, waiting } from '../demo.ts';
import { openSite, type VisitOptions } from '../visit.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 300_000 });

describe.skipIf(!hasBrowser('Documents in a browser'))('documents', () => {
  const site = openSite();
  const open = (options: Partial<VisitOptions> = {}) =>
    site.open({ key: site.catalog.keyOf('editor'), path: '/documents', ...options });
  const ask = async (query: string, variables?: object) => {
    const { data, errors } = await site.catalog.graphql(query, variables);
    expect(errors).toBeUndefined();
    return data;
  };
  const create = async (title: string, fields: object = {}, kind = 'document') => {
    const { createResource } = await ask(
      'mutation ($kind: ResourceKind!, $input: CreateResourceInput!) { createResource(kind: $kind, input: $input) { id } }',
      { kind, input: { title, ...fields } },
    );
    return createResource.id as string;
  };
  const read = async (id: string) => {
    const { resource } = await ask(
      `query ($id: ID!) { resource(id: $id) {
        title description definition archived parentId collections { title } } }`,
      { id },
    );
    return resource;
  };
  const item = (page: Page, name: string) => page.getByRole('treeitem', { name, exact: true });

  test('are written in the tree, and found, opened and closed there by keys alone', async () => {
    const above = await create('Above all');
    await create('Below it', { parentId: above });
    await create('Another one');
    await using visited = await open();
    const { page, problems } = visited;
    await item(page, 'Above all').focus();
    await page.keyboard.press('ArrowRight');
    await item(page, 'Below it').waitFor(waiting);
    await page.keyboard.press('ArrowRight');
    expect(await page.evaluate('document.activeElement.dataset.title')).toBe('Below it');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => item(page, 'Below it').count(), waiting).toBe(0);
    await page.keyboard.type('an');
    expect(await page.evaluate('document.activeElement.dataset.title')).toBe('Another one');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Another one', level: 1 }).waitFor(waiting);

    await page.locator('summary', { hasText: 'More actions' }).click();
    await page.getByRole('link', { name: 'New document' }).last().click();
    await page.getByText('In Another one').waitFor(waiting);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('Enter a title.').waitFor(waiting);
    await page.getByRole('textbox', { name: 'Title' }).fill('Within');
    await page.getByRole('textbox', { name: 'Documentation' }).fill('Its text.');
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { name: 'Within', level: 1 }).waitFor(waiting);
    await page.getByText('Its text.').waitFor(waiting);
    await item(page, 'Within').waitFor(waiting);
    const id = page.url().split('/').at(-1) ?? '';
    const { resource } = await ask(
      'query ($id: ID!) { resource(id: $id) { definition parent { title } } }',
      { id },
    );
    expect(resource).toEqual({ definition: 'Its text.', parent: { title: 'Another one' } });
    await page.getByRole('searchbox', { name: 'Filter documents' }).fill('belo');
    await page.getByRole('link', { name: /Below it/ }).waitFor(waiting);
    expect(problems).toEqual([]);
  });

  test('tools mark what is chosen, and what they did is undone', async () => {
    const id = await create('Marked', { definition: 'one two' });
    await using visited = await open({ path: `/documents/${id}` });
    const { page } = visited;
    await page.getByRole('button', { name: 'Edit' }).click();
    const text = page.getByRole('textbox', { name: 'Documentation' });
    await text.selectText();
    await page
      .getByRole('toolbar', { name: 'Format' })
      .getByRole('button', { name: 'Bold' })
      .click();
    expect(await text.inputValue()).toBe('**one two**');
    await page.keyboard.press('Control+b');
    expect(await text.inputValue()).toBe('one two');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    expect(await text.inputValue()).toBe('one two');
    await page.getByRole('button', { name: 'Task list' }).click();
    expect(await text.inputValue()).toBe('- [ ] one two');
    // The arrows lead along the tools, which are one stop of Tab.
    await page.getByRole('button', { name: 'Task list' }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.evaluate('document.activeElement.title')).toBe('Quote');
  });

  test('people and resources are suggested, named by their ids, and shown as links', async () => {
    const { id: table } = await site.catalog.resource({ title: 'daily_revenue' });
    const id = await create('Names', {});
    await using visited = await open({ path: `/documents/${id}` });
    const { page, problems } = visited;
    await page.getByRole('button', { name: 'Edit' }).click();
    const text = page.getByRole('textbox', { name: 'Documentation' });
    await text.pressSequentially('See [[daily');
    await page.getByRole('option', { name: /daily_revenue/ }).waitFor(waiting);
    await page.keyboard.press('Enter');
    await text.pressSequentially(' and @view');
    const viewer = page.getByRole('option', { name: /viewer/i }).first();
    await viewer.waitFor(waiting);
    await page.keyboard.press('Tab');
    const person = site.catalog.idOf('viewer');
    expect(await text.inputValue()).toContain(`See [daily_revenue](resource:${table}) and [@`);
    expect(await text.inputValue()).toContain(`](user:${person})`);
    await text.pressSequentially(' @zzz');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Enter');
    const link = page.locator('.body .mention').first();
    await link.waitFor(waiting);
    expect(await link.getAttribute('href')).toBe(`/resource/${table}`);
    await link.click();
    await page.getByRole('heading', { name: 'daily_revenue', level: 1 }).waitFor(waiting);
    await page.goBack();
    // Code stays as it is written.
    await ask(
      'mutation ($id: ID!, $text: String!) { updateResource(id: $id, input: { definition: $text }) { id } }',
      { id, text: `\`[x](resource:${table})\`` },
    );
    await page.reload();
    await page.getByText(`[x](resource:${table})`).waitFor(waiting);
    expect(problems).toEqual([]);
  });

  test('are moved by the dialog and by dragging, deleted, and brought back', async () => {
    const collection = await create('Finance', {}, 'collection');
    const target = await create('The target');
    const id = await create('The moved');
    await using visited = await open({ path: `/documents/${id}` });
    const { page, problems } = visited;
    const more = page.locator('summary', { hasText: 'More actions' });
    await more.click();
    await page.getByRole('button', { name: 'Move to …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Move The moved' });
    await dialog.getByRole('searchbox').fill('target');
    await dialog.getByRole('button', { name: /The target/ }).click();
    await page.getByText('Moved The moved to The target').waitFor(waiting);
    expect((await read(id)).parentId).toBe(target);
    await item(page, 'The moved').dragTo(item(page, 'Finance'));
    await page.getByText('Moved The moved to Finance').waitFor(waiting);
    expect(await read(id)).toMatchObject({ parentId: null, collections: [{ title: 'Finance' }] });
    await page.goto(`${site.base}/documents/${collection}`);
    await page
      .getByRole('link', { name: /The moved/ })
      .first()
      .waitFor(waiting);
    await page.goto(`${site.base}/documents/${id}`);
    await item(page, 'The moved').dragTo(page.getByText('Drop here for the top level'));
    await page.getByText('Moved The moved to the top level').waitFor(waiting);
    expect((await read(id)).collections).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect
      .poll(async () => (await read(id)).collections, waiting)
      .toEqual([{ title: 'Finance' }]);

    await more.click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted The moved').waitFor(waiting);
    expect((await read(id)).archived).toBe(true);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await page.getByRole('heading', { name: 'The moved', level: 1 }).waitFor(waiting);
    await expect.poll(async () => (await read(id)).archived, waiting).toBe(false);
    await more.click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('link', { name: 'Deleted documents' }).click();
    await page.getByRole('button', { name: 'Restore The moved' }).click();
    await page.getByText('Restored The moved').waitFor(waiting);
    expect((await read(id)).archived).toBe(false);
    // What can't be is said, and nothing is moved.
    await ask(
      'mutation ($id: ID!, $p: ID!) { updateResource(id: $id, input: { parentId: $p }) { id } }',
      {
        ...{ id: target, p: id },
      },
    );
    await page.goto(`${site.base}/documents/${id}`);
    await more.click();
    await page.getByRole('button', { name: 'Move to …' }).click();
    await dialog.getByRole('searchbox').fill('target');
    await dialog.getByRole('button', { name: /The target/ }).click();
    await page.getByRole('alert').waitFor(waiting);
    expect((await read(id)).parentId).toBe(null);
    expect(problems).toEqual([]);
  });

  test('versions are compared with the current text and restored as a new one', async () => {
    const id = await create('Versioned', { definition: 'The first text.\n' });
    for (const definition of ['The second text.\n', 'The third text.\n']) {
      await ask(
        'mutation ($id: ID!, $text: String!) { updateResource(id: $id, input: { definition: $text }) { id } }',
        { id, text: definition },
      );
    }
    await using visited = await open({ path: `/documents/${id}?tab=versions` });
    const { page } = visited;
    const versions = page.getByRole('navigation', { name: 'Versions' });
    await versions.getByText('current').waitFor(waiting);
    const numbers = await versions.locator('b').allInnerTexts();
    await versions.getByText(numbers.at(-1) ?? '').click();
    await page.locator('.difference .before').getByText('The first text.').waitFor(waiting);
    await page.locator('.difference .after').getByText('The third text.').waitFor(waiting);
    await page.getByRole('button', { name: 'Full text' }).click();
    await page.locator('.markdown').getByText('The first text.').waitFor(waiting);
    await page.getByRole('button', { name: /^Restore version/ }).click();
    await expect.poll(async () => (await read(id)).definition, waiting).toBe('The first text.\n');
    await expect.poll(() => versions.locator('b').count(), waiting).toBe(numbers.length + 1);
  });

  test('a viewer reads them, and is offered nothing that a viewer can’t do', async () => {
    const id = await create('Read by all', { definition: 'Text.', published: true });
    await using visited = await open({
      ...{ key: site.catalog.keyOf('viewer'), path: `/documents/${id}` },
    });
    const { page } = visited;
    await page.getByText('Text.').waitFor(waiting);
    await item(page, 'Read by all').waitFor(waiting);
    for (const name of ['Edit', 'New document', 'More actions']) {
      expect(await page.getByText(name, { exact: true }).count(), name).toBe(0);
    }
    expect(await item(page, 'Read by all').getAttribute('draggable')).not.toBe('true');
  });

  test('are well made however one looks', async () => {
    const above = await create('Start here', { description: 'Where to begin.' });
    const id = await create('How we name things', {
      ...{
        parentId: above,
        definition: '## Tables\n\n- `fct_` for facts\n- `dim_` for dimensions',
      },
      description: 'What the names of tables say.',
    });
    await using visited = await open({ path: `/documents/${id}` });
    const { page } = visited;
    await page.getByText('for dimensions').waitFor(waiting);
    await expectWellMade(page, 'documents');
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Documentation' }).waitFor(waiting);
    await expectWellMade(page, 'document-editor');
    await page.goto(`${site.base}/documents/${id}?tab=versions`);
    await expectWellMade(page, 'document-versions');
  });
});
