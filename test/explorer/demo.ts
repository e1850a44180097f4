// The sample workspace, served, with a browser to look at it: for the tests of the explorer's pages.

import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, vi } from 'vitest';
import { loadDemo } from '../../src/demo/demo.ts';
import { startWorker } from '../../src/jobs/worker.ts';
import { handlers } from '../../src/work.ts';
import { type Browser, type Page, startBrowser } from '../browser.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { filesMatching, root } from '../house/sources.ts';
import { expectAccessible, type Visit, type VisitOptions, visit } from './visit.ts';

/** How long a page may take on a busy machine. */
export const waiting = { timeout: 60_000 };

export interface Demo extends AsyncDisposable {
  readonly catalog: Catalog;
  readonly base: string;
  /** Open a page as the admin, unless with the key of somebody else. */
  open(options?: Partial<VisitOptions>): Promise<Visit>;
  /** Ask GraphQL as the admin, and answer its data. */
  // What a query selects is known only to the test that asks.
  // biome-ignore lint/suspicious/noExplicitAny: tests read into answers of any shape.
  ask(query: string, variables?: object): Promise<any>;
  /** A one-time code that signs somebody in. */
  codeFor(userId: string): string;
  /** Let a worker do what is due. */
  work(): Promise<void>;
}

/** Reading the SQL of the sample's models takes half a minute of CPU, which others may want as well. */
const worked = { timeout: 240_000, interval: 50 };

/** Load the sample workspace and start a browser; with settings of the server where a test needs some. */
export async function openDemo(settings: NodeJS.ProcessEnv = {}): Promise<Demo> {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-explorer-'));
  const catalog = await openCatalog();
  const app = await catalog.app({ ...settings, FILES_DIR: folder });
  await loadDemo(catalog, () => {}, folder);
  // Nothing does it by itself here (autovacuum is off), and the planner would know nothing of these tables.
  await catalog.owner.query('analyze');
  const base = await catalog.listen();
  const browser: Browser = await startBrowser();
  return {
    catalog,
    base,
    open: (options = {}) => visit(browser, { base, key: catalog.keyOf('admin'), ...options }),
    ask: async (query, variables) => (await catalog.graphql(query, variables)).data,
    codeFor: (userId) => app.makeCode({ workspaceId: catalog.workspaceId, userId }),
    work: () => workOffDue(catalog),
    [Symbol.asyncDispose]: async () => {
      await browser.close();
      await catalog[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

async function workOffDue({ database, surroundings, workspaceId }: Catalog): Promise<void> {
  const onError = (error: unknown) => expect.unreachable(String(error));
  const worker = startWorker({ database, surroundings, handlers, onError });
  const state = { in: ['queued', 'running'] };
  const due = () =>
    database.prisma.job.count({ where: { workspaceId, state, runAt: { lte: new Date() } } });
  try {
    // It is called by hooks as well, where nothing is polled.
    await vi.waitFor(async () => expect(await due()).toBe(0), worked);
  } finally {
    await worker.stop();
  }
}

let names = 0;

/** A name that nothing has yet, also where a test is tried a second time. */
export function named(name: string): string {
  names += 1;
  return `${name} ${names}`;
}

/** Wait until a page knows who looks: from then on it offers all that it ever does. */
export async function whenKnown(page: Page): Promise<void> {
  await expect.poll(() => page.locator('.person summary').innerText(), waiting).toMatch(/\w/);
  await expect.poll(() => page.locator('.waiting').count(), waiting).toBe(0);
}

/** The ways to look at a page: wide, dark and narrow. */
export const looks = [
  { width: 1_440, isDark: false },
  { width: 1_440, isDark: true },
  { width: 390, isDark: false },
] as const;

interface Look {
  readonly width: number;
  readonly isDark: boolean;
}

/**
 * Fail where axe finds something serious on a page that has come to rest, or where it is wider than the window, in
 * any of some ways to look at it. Its pictures are taken where it has a name.
 */
export async function expectWellMade(
  page: Page,
  name: string | null = null,
  among: readonly Look[] = looks,
): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor(waiting);
  for (const { width, isDark } of among) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' });
    await expect.poll(() => page.locator('.waiting').count(), waiting).toBe(0);
    await expectAccessible(page);
    const wide = await page.evaluate('document.documentElement.scrollWidth');
    const look = `${isDark ? '-dark' : ''}${width < 1_000 ? '-narrow' : ''}`;
    expect(wide, `${name ?? page.url()}${look}`).toBeLessThanOrEqual(width);
    if (name !== null) await takePicture(page, `images/${name}${look}.png`);
  }
}

/**
 * Take a picture of a page, such as `images/home.png`, with `UPDATE_IMAGES=1`: into docs/ where the
 * documentation shows it, or else outside of the project.
 */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env.UPDATE_IMAGES !== '1') return;
  const pages = filesMatching(/^(README|docs\/.*)\.md$/);
  const isShown = pages.some(({ text }) => text.includes(name));
  const path = join(isShown ? join(root, 'docs') : join(tmpdir(), 'headwater-pictures'), name);
  await mkdir(dirname(path), { recursive: true });
  await page.screenshot({ path });
}
