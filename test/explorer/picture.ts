// Reads the picture on a lineage page, for the tests of it.

import { expect } from 'vitest';
import type { Page } from '../browser.ts';
import { waiting } from './demo.ts';

/** Wait until the picture was shown and does not move any more: only then its cards have their places. */
export async function atRest(page: Page): Promise<void> {
  const state =
    "document.querySelector('.cards').style.transform !== '' && document.querySelector('.cards').style.willChange === ''";
  await page.locator('.card').first().waitFor(waiting);
  await expect.poll(() => page.evaluate(state), waiting).toBe(true);
}

/** The name of the card that the keyboard is on; empty where it is on none. */
export async function focusedCard(page: Page): Promise<string> {
  return page.evaluate("document.activeElement?.closest('article')?.ariaLabel ?? ''");
}

/** The columns that stand on cards, as `card.column`, by whether they are lit. */
export async function rowsOf(page: Page): Promise<{ name: string; isLit: boolean }[]> {
  return page.locator('.card li').evaluateAll((rows) =>
    rows.map((row) => ({
      name: `${row.closest('.card')?.getAttribute('aria-label')}.${row.querySelector('span')?.textContent}`,
      isLit: row.classList.contains('lit'),
    })),
  );
}

/**
 * Whether the canvas shows lines that leave a card to the right, where the card is on the screen: from the middle of its
 * head, and from nowhere else.
 */
export async function isLeft(page: Page, name: string): Promise<boolean> {
  return page.evaluate(`(() => {
    const card = document.querySelector('.card[aria-label=${JSON.stringify(name)}]');
    const canvas = document.querySelector('.picture canvas');
    if (!card) return false;
    const room = card.querySelector('header').getBoundingClientRect();
    const { left, top } = canvas.getBoundingClientRect();
    const isPainted = (from, height) => canvas.getContext('2d')
      .getImageData(room.right + 2 - left, from - top, 2, height).data.some((value) => value > 0);
    const middle = room.top + room.height / 2;
    return isPainted(middle - 4, 8) && !isPainted(room.top, 8) && !isPainted(room.bottom - 8, 8);
  })()`);
}
