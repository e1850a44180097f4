// Pictures in the editor of texts: pasted, dropped and chosen, uploaded, and shown to those who read the text.

import { describe, expect, test, vi } from 'vitest';
import { hasBrowser } from '../../browser.ts';
import { waiting } from '../demo.ts';
import { expectAccessible, openSite } from '../visit.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 300_000 });

/** A picture of one pixel. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

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
    await page.evaluate(`(() => {
      const bytes = Uint8Array.from(atob('${pixel}'), (char) => char.charCodeAt(0));
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([bytes], 'the [plan].png', { type: 'image/png' }));
      const options = { clipboardData, bubbles: true, cancelable: true };
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', options));
    })()`);
    await expect
      .poll(() => field.inputValue(), waiting)
      .toMatch(/^Before!\[the plan\]\(\/api\/v1\/images\/[0-9a-f-]{36}\)$/);
    await field.press('End');
    await page.getByLabel('Images').setInputFiles([
      { name: 'two.gif', mimeType: 'image/gif', buffer: Buffer.from('no picture at all') },
      { name: 'three.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') },
    ]);
    // What is refused leaves nothing in the text, and says why.
    await page.getByText('Use a PNG, JPEG, GIF or WebP image.').waitFor(waiting);
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
});
