// Pictures of pages: `UPDATE_IMAGES=1` takes those that the documentation shows, and the rest outside of the project.

import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from '../browser.ts';
import { filesMatching, root } from '../house/sources.ts';

/** Take a picture of a page, such as `images/home.png`, where pictures are wanted. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env.UPDATE_IMAGES !== '1') return;
  const pages = filesMatching(/^(README|docs\/.*)\.md$/);
  const isShown = pages.some(({ text }) => text.includes(name));
  const path = join(isShown ? join(root, 'docs') : join(tmpdir(), 'headwater-pictures'), name);
  await mkdir(dirname(path), { recursive: true });
  await page.screenshot({ path });
}
