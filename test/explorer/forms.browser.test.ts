// Forms, menus and what else opens on a page, in a browser: axe looks at each while it is open, however one looks.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Browser, hasBrowser, type Page, startBrowser } from '../browser.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { looks, waiting, whenKnown } from './demo.ts';
import { expectAccessible, type VisitOptions, visit } from './visit.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 300_000 });

describe.skipIf(!hasBrowser('Forms in a browser'))('in a browser', () => {
  let browser: Browser;
  let catalog: Catalog;
  let base: string;
  let table: string;
  beforeAll(async () => {
    catalog = await openCatalog();
    base = await catalog.listen();
    browser = await startBrowser();
    table = (await catalog.resource({ title: 'orders', definition: 'Once.' })).id;
    await catalog.property({ name: 'Purpose', valueType: 'text', description: 'What for.' });
    const options = ['raw', 'clean'];
    await catalog.property({ name: 'Layer', valueType: 'select', options });
    await catalog.property({ name: 'Twin', valueType: 'resource' });
    await ask('mutation { createGroup(input: { name: "Stewards" }) { id } }');
    await ask(
      'mutation ($id: ID!) { updateResource(id: $id, input: { definition: "Twice." }) { id } }',
      {
        id: table,
      },
    );
    await ask(
      'mutation ($id: String!) { createQuestion(input: { title: "Why?", definition: $id }) { id } }',
      {
        id: table,
      },
    );
  });
  afterAll(async () => {
    await browser?.close();
    await catalog?.[Symbol.asyncDispose]();
  });

  const ask = async (query: string, variables?: object) => {
    const { data, errors } = await catalog.graphql(query, variables);
    expect(errors).toBeUndefined();
    return data;
  };
  const open = (options: Partial<VisitOptions>) =>
    visit(browser, { base, key: catalog.keyOf('admin'), ...options });

  const onResource: readonly Step[] = [
    ['the menu of the viewer', (page) => page.locator('.person summary').click()],
    [
      'what can be copied',
      async (page) => {
        // In a narrow window the other menu lies over it.
        await page.keyboard.press('Escape');
        await page.getByText('Copy as').click();
      },
    ],
    ['a text', (page) => page.getByLabel('Set a property').selectOption('Purpose')],
    ['a choice', (page) => page.getByLabel('Set a property').selectOption('Layer')],
    ['a resource', (page) => page.getByLabel('Set a property').selectOption('Twin')],
    ['what was found', (page) => page.getByLabel('Value of Twin').fill('orders')],
    ['a question', (page) => page.getByText('Why?').click()],
    ['asking', (page) => page.getByText('Ask a question').click()],
    ['versions', (page) => page.getByText('Versions of the documentation').click()],
    ['a difference', (page) => page.getByText('What changed').first().click()],
    ['what was done', (page) => page.getByText('Activity', { exact: true }).click()],
    ['the editor', (page) => page.getByRole('button', { name: 'Edit', exact: true }).click()],
    ['a preview', (page) => page.getByRole('button', { name: 'Preview' }).click()],
  ];
  const onGroups: readonly Step[] = [
    ['members', (page) => page.getByText('0 members').click()],
    ['a name', (page) => page.getByText('Rename').click()],
    ['a second click', (page) => page.getByRole('button', { name: 'Delete Stewards' }).click()],
  ];
  const onKeys: readonly Step[] = [
    ['what it is for', (page) => page.getByLabel('What it is for').fill('To look at')],
    ['the key', (page) => page.getByRole('button', { name: 'Create a key' }).click()],
  ];
  const onWebhooks: readonly Step[] = [
    ['its name', (page) => page.getByLabel('Name').fill('Pager')],
    ['its address', (page) => page.getByLabel('Address').fill('https://pager.example/hook')],
    ['the secret', (page) => page.getByRole('button', { name: 'Create a webhook' }).click()],
    ['deliveries', (page) => page.getByText('Deliveries').first().click()],
  ];
  const onRules: readonly Step[] = [
    ['what is found', (page) => page.getByLabel('These, and what lies within them').fill('orders')],
    ['what is chosen', (page) => page.getByRole('button', { name: /^orders/ }).click()],
  ];
  const onSearch: readonly Step[] = [['filters', openFilters]];
  const onSource: readonly Step[] = [
    ['credentials', (page) => page.getByLabel('Type').selectOption('trino')],
  ];
  const onAudit: readonly Step[] = [
    ['what differs', (page) => page.locator('.entries summary').first().click()],
  ];

  describe.each(looks)('at $width px, dark: $isDark', (look) => {
    const pages: readonly (readonly [string, () => string, readonly Step[]])[] = [
      ['a resource', () => `/resource/${table}`, onResource],
      ['groups', () => '/admin?part=groups', onGroups],
      ['keys', () => '/admin?part=keys', onKeys],
      ['webhooks', () => '/admin?part=webhooks', onWebhooks],
      ['rules', () => '/admin?part=rules', onRules],
      ['a search', () => '/search?q=orders', onSearch],
      ['a new source', () => '/imports/new', onSource],
      ['the audit log', () => '/audit', onAudit],
    ];
    test.each(pages)(
      'axe finds nothing serious in what opens on %s',
      async (_page, path, steps) => {
        await using visited = await open({ path: path(), ...look });
        const { page, problems } = visited;
        await whenKnown(page);
        for (const [name, step] of steps) {
          await step(page);
          await expect.poll(() => page.locator('.waiting').count(), waiting).toBe(0);
          await expectAccessible(page);
          const width = await page.evaluate('document.documentElement.scrollWidth');
          expect(width, name).toBeLessThanOrEqual(look.width);
        }
        expect(problems).toEqual([]);
      },
    );
  });

  test('a menu closes by Escape, and when one goes on elsewhere', async () => {
    await using visited = await open({ path: `/resource/${table}` });
    const { page } = visited;
    const summary = page.getByText('Copy as');
    const inside = page.getByRole('button', { name: 'SQL name' });
    await summary.click();
    await inside.focus();
    await page.keyboard.press('Escape');
    await expect.poll(() => inside.isVisible(), waiting).toBe(false);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Copy as …');
    await page.keyboard.press('Enter');
    await inside.waitFor(waiting);
    await page.getByRole('heading', { name: 'Documentation' }).click();
    await expect.poll(() => inside.isVisible(), waiting).toBe(false);
    await summary.click();
    await page.getByRole('button', { name: 'Edit', exact: true }).focus();
    await expect.poll(() => inside.isVisible(), waiting).toBe(false);
    await page.locator('.person summary').click();
    await page.getByRole('link', { name: 'Sessions' }).click();
    await page.getByRole('heading', { name: 'Sessions', level: 1 }).waitFor(waiting);
    expect(await page.getByRole('button', { name: 'Sign out', exact: true }).isVisible()).toBe(
      false,
    );
  });

  test('what is chosen of a row of choices is in sight, and so is where one is', async () => {
    await using visited = await open({ path: '/admin?part=webhooks', width: 400 });
    const { page } = visited;
    for (const chosen of [
      page.getByRole('button', { name: 'Webhooks', exact: true }),
      page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Admin' }),
    ]) {
      await chosen.waitFor(waiting);
      const right = async () => {
        const box = await chosen.boundingBox();
        return (box?.x ?? 0) + (box?.width ?? 0);
      };
      await expect.poll(right, waiting).toBeLessThanOrEqual(400);
    }
    expect(await page.evaluate('scrollY')).toBe(0);
  });

  test('where there is no room besides results, filters open above them', async () => {
    await using narrow = await open({ path: '/search?q=orders', width: 400 });
    const { page } = narrow;
    await page.locator('[data-hit]').first().waitFor(waiting);
    expect(await page.getByLabel(/^tables/).isVisible()).toBe(false);
    await page.locator('.facets summary').click();
    await page.getByLabel(/^tables/).check();
    await page.locator('.facets summary').getByText('(1)').waitFor(waiting);
    await page.setViewportSize({ width: 1_440, height: 900 });
    await expect.poll(() => page.locator('.facets summary').isVisible()).toBe(false);
    expect(await page.getByLabel(/^tables/).isChecked()).toBe(true);
  });
});

/** Filters that stand next to the results are open. */
async function openFilters(page: Page): Promise<void> {
  const summary = page.locator('.facets summary');
  await page.locator('[data-hit]').first().waitFor(waiting);
  if (await summary.isVisible()) await summary.click();
}

/** What one opens on a page, after all that was opened before. */
type Step = readonly [name: string, open: (page: Page) => Promise<unknown>];
