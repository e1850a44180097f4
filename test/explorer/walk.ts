// Walks through a page by Tab alone, as a person without a pointer does.

import { expect } from 'vitest';
import type { Page } from '../browser.ts';

/** Stops at most: a page with more of them is walked in part. */
const most = 150;

interface Stop {
  /** Nothing where the page is left, or begun again. */
  readonly what: string | null;
  readonly isInSight: boolean;
}

/** Tab goes on from where the focus was: from the beginning of the page. */
const begin = `(() => {
  window.walked = new Set();
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute('tabindex');
  scrollTo(0, 0);
})()`;

const stop = `(() => {
  const one = document.activeElement;
  // A field of a date has a stop for each of its parts.
  const isPart = one === window.last && /^(date|time|month)/.test(one.type);
  window.last = one;
  const isOver = !one || one === document.body || (window.walked.has(one) && !isPart);
  if (isOver) return { what: null, isInSight: true };
  window.walked.add(one);
  const { top, bottom, left, right } = one.getBoundingClientRect();
  const isInSight = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth && one.checkVisibility();
  return { what: one.outerHTML.slice(0, 120), isInSight };
})()`;

const missed = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
  .filter((one) => one.tabIndex >= 0 && !one.disabled && one.type !== 'radio' && one.type !== 'hidden')
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('[inert]'))
  .filter((one) => !window.walked.has(one))
  .map((one) => one.outerHTML.slice(0, 120))`;

/** Fail where Tab comes to something that is out of sight, stays where it is, or misses what can be pressed or filled. */
export async function expectWalked(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1_440, height: 900 });
  await page.evaluate(begin);
  const hidden: string[] = [];
  let stops = 0;
  for (; stops < most; stops += 1) {
    await page.keyboard.press('Tab');
    const { what, isInSight }: Stop = await page.evaluate(stop);
    if (what === null) break;
    if (!isInSight) hidden.push(what);
  }
  expect(stops).toBeGreaterThan(1);
  expect(hidden, page.url()).toEqual([]);
  if (stops < most) expect(await page.evaluate(missed), page.url()).toEqual([]);
}
