// Pictures in the editor of texts: pasted, dropped and chosen, uploaded, and shown to those who read the text.

import { describe, expect, test, vi } from 'vitest';
import { hasBrowser, type Page, type Route } from '../../browser.ts';
import { waiting } from '../demo.ts';
import { expectAccessible, openSite } from '../visit.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 300_000 });

/** A picture of one pixel. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Paste a picture where the caret stands. */
function paste(page: Page, name: string): Promise<unknown> {
  return page.evaluate(`(() => {
    const bytes = Uint8Array.from(atob('${pixel}'), (char) => char.charCodeAt(0));
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([bytes], '${name}', { type: 'image/png' }));
    const options = { clipboardData, bubbles: true, cancelable: true };
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', options));
  })()`);
}

/** Hold uploads back until they are let through, or broken off. */
async function holdUploads(page: Page) {
  const held: Route[] = [];
  await page.route('**/api/v1/images', (route) => void held.push(route));
  const next = async () => {
    await expect.poll(() => held.length, waiting).toBeGreaterThan(0);
    const route = held.shift();
    if (!route) throw new Error('An upload was held.');
    return route;
  };
  return {
    let: async () => (await next()).continue(),
    break: async () => (await next()).abort(),
  };
}

describe.skipIf(!hasBrowser('Pictures in a browser'))('pictures', () => {
  const site = openSite();

  test('are pasted and chosen while one writes, and shown to who reads the text', async () => {
    const { id } = await site.catalog.resource({
      kind: 'document',
      title: 'Plan',
      published: true,
    });
    await using visited = await site.open({
      ...{ key: site.catalog.keyOf('editor'), path: `/documents/${id}` },
    });
    const { page, problems } = visited;
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const field = page.getByRole('textbox', { name: 'Documentation' });
    await field.fill('Before');
    await field.press('End');
    await paste(page, 'the [plan].png');
    await expect
      .poll(() => field.inputValue(), waiting)
      .toMatch(/^Before!\[the plan\]\(\/api\/v1\/images\/[0-9a-f-]{36}\)$/);
    await field.press('End');
    await page.getByLabel('Images').setInputFiles([
      { name: 'two.gif', mimeType: 'image/gif', buffer: Buffer.from('no picture at all') },
      { name: 'three.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') },
    ]);
    // What is refused leaves nothing in the text, and says why.
    await page
      .getByText('two.gif was not uploaded. Use a PNG, JPEG, GIF or WebP image.')
      .waitFor(waiting);
    await expect
      .poll(() => field.inputValue(), waiting)
      .toMatch(/^Before!\[the plan\]\(\S+\)!\[three\]\(\/api\/v1\/images\/[0-9a-f-]{36}\)$/);
    const preview = page.getByRole('region', { name: 'Preview' }).getByRole('img');
    await expect.poll(() => preview.count(), waiting).toBe(2);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const image = page.locator('.markdown').getByRole('img', { name: 'the plan' });
    await image.waitFor(waiting);
    expect(problems.filter((one) => !one.includes('415'))).toEqual([]);

    await using reader = await site.open({
      ...{ key: site.catalog.keyOf('viewer'), path: `/documents/${id}` },
    });
    const read = reader.page.locator('.markdown').getByRole('img', { name: 'the plan' });
    await read.waitFor(waiting);
    const width = 'document.querySelector(".markdown img").naturalWidth';
    await expect.poll(() => reader.page.evaluate(width), waiting).toBe(1);
    await expectAccessible(reader.page);
    expect(reader.problems).toEqual([]);
  });

  /** A document, open in its editor, whose uploads are held. */
  const openEditor = async () => {
    const { id } = await site.catalog.resource({
      ...{ kind: 'document', title: 'Plan', definition: 'Before ', published: true },
    });
    const visited = await site.open({ path: `/documents/${id}` });
    const { page } = visited;
    const uploads = await holdUploads(page);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const field = page.getByRole('textbox', { name: 'Documentation' });
    await field.press('Control+End');
    const stored = async () => {
      const query = 'query ($id: ID!) { resource(id: $id) { definition } }';
      return (await site.catalog.graphql(query, { id })).data.resource.definition;
    };
    return { ...visited, id, page, uploads, field, stored };
  };

  test('that are on their way are waited for by who saves', async () => {
    await using editor = await openEditor();
    const { page, uploads, field, stored } = editor;
    await paste(page, 'one.png');
    await paste(page, 'two.png');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const waits = page.getByRole('button', { name: 'Uploading 2 images …' });
    await expect.poll(() => waits.isDisabled(), waiting).toBe(true);
    await page.getByRole('status').filter({ hasText: 'Saves after the upload' }).waitFor(waiting);
    // Who goes on writing has that saved as well.
    await field.press('Control+End');
    await field.pressSequentially(' after');
    await uploads.let();
    await page.getByRole('button', { name: 'Uploading image …' }).waitFor(waiting);
    expect(await stored()).toBe('Before ');
    await uploads.let();
    await page.locator('.markdown').getByRole('img', { name: 'two' }).waitFor(waiting);
    expect(await stored()).toMatch(/^Before !\[one\]\(\/api\S+\)!\[two\]\(\/api\S+\) after$/);
    expect(editor.problems).toEqual([]);
  });

  test('that fail leave nothing in the text, and it is not saved without a word', async () => {
    await using editor = await openEditor();
    const { page, uploads, field, stored } = editor;
    await paste(page, 'one.png');
    await field.press('Control+s');
    await page.getByRole('button', { name: 'Uploading image …' }).waitFor(waiting);
    await uploads.break();
    await page.getByText(/^one\.png was not uploaded\. .*Try again\.$/).waitFor(waiting);
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor(waiting);
    expect(await field.inputValue()).toBe('Before ');
    // What is no picture is refused by its name, wherever it is put.
    await page
      .getByLabel('Images')
      .setInputFiles([
        { name: 'plan.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF') },
      ]);
    await page
      .getByText('plan.pdf is not an image. Use a PNG, JPEG, GIF or WebP image.')
      .waitFor(waiting);
    expect(await stored()).toBe('Before ');
    // A mark that comes back by "Undo" is not stored either.
    await field.press('Control+z');
    await expect.poll(() => field.inputValue(), waiting).toContain('Uploading image');
    await field.press('Control+End');
    await field.pressSequentially('after');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('.markdown').getByText('Before after').waitFor(waiting);
    expect(await stored()).toBe('Before after');
  });

  test('that are on their way are not lost with the page, and with a reload it is said', async () => {
    await using editor = await openEditor();
    const { id, page, uploads, field } = editor;
    await paste(page, 'one.png');
    await page.getByRole('link', { name: 'Documents' }).first().click();
    await field.waitFor({ ...waiting, state: 'hidden' });
    const arrived = page.waitForResponse('**/api/v1/images');
    await uploads.let();
    await arrived;
    await page.goBack();
    await expect.poll(() => field.inputValue(), waiting).toMatch(/^Before !\[one\]\(\/api\S+\)$/);

    await field.press('Control+End');
    await paste(page, 'two.png');
    await expect.poll(() => field.inputValue(), waiting).toContain('![Uploading image 2 …]()');
    let isAsked = false;
    page.on('dialog', (dialog) => {
      isAsked = dialog.type() === 'beforeunload';
      void dialog.accept();
    });
    await page.reload();
    expect(isAsked).toBe(true);
    await page
      .getByText('Unsaved draft restored. An image did not finish uploading. Insert it again.')
      .waitFor(waiting);
    expect(await field.inputValue()).toMatch(/^Before !\[one\]\(\/api\S+\)$/);
    expect(page.url()).toContain(id);
  });

  test('are in a text that is written for the first time, which is saved once', async () => {
    await using visited = await site.open({ path: '/documents/new?kind=document' });
    const { page } = visited;
    const uploads = await holdUploads(page);
    await page.getByRole('textbox', { name: 'Title' }).fill('With a picture');
    const field = page.getByRole('textbox', { name: 'Documentation' });
    await field.focus();
    await paste(page, 'one.png');
    await field.press('Control+s');
    await field.press('Control+s');
    await page.getByRole('button', { name: 'Uploading image …' }).waitFor(waiting);
    await uploads.let();
    await page.locator('.markdown').getByRole('img', { name: 'one' }).waitFor(waiting);
    const query = '{ resources(where: { title: { eq: "With a picture" } }) { totalCount } }';
    expect((await site.catalog.graphql(query)).data.resources.totalCount).toBe(1);
    expect(visited.problems).toEqual([]);
  });
});
