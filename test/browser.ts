// Starts the browser that this machine has, for the tests of web pages.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser } from '../tools/node_modules/playwright-core/index.js';

export type {
  CDPSession,
  Locator,
  Page,
  Route,
} from '../tools/node_modules/playwright-core/index.js';
export type { Browser };

const path = [
  process.env.CHROMIUM_PATH ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((candidate) => candidate !== '' && existsSync(candidate));

const driver = fileURLToPath(new URL('../tools/node_modules/playwright-core', import.meta.url));

/** Says whether tests can have a browser, and which tests are skipped and why when they can't. */
export function hasBrowser(tests: string): boolean {
  if (path === undefined) {
    console.warn(`Skipped: ${tests}. Install Chromium, or name one as CHROMIUM_PATH.`);
  } else if (!existsSync(driver)) {
    console.warn(`Skipped: ${tests}. Run \`npm run tools\` to install what drives the browser.`);
  } else return true;
  return false;
}

/** A browser of its own; close it in the end. */
export async function startBrowser(): Promise<Browser> {
  // Loaded here, since a project that was only installed does not have it.
  const playwright = await import('../tools/node_modules/playwright-core/index.js');
  return playwright.default.chromium.launch({
    executablePath: path ?? '',
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
}
