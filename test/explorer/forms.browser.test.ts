// Forms, menus and what else opens on a page, in a browser: axe looks at each while it is open, however one looks.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Browser, hasBrowser, type Page, startBrowser } from '../browser.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { waiting, whenKnown } from './demo.ts';
import { choose, expectAccessible, type VisitOptions, visit } from './visit.ts';

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
    await catalog.resource({ kind: 'column', title: 'worth', parentId: table });
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
        await page.locator('.further-acts summary').click();
      },
    ],
    ['a text', (page) => choose(page, 'Add property', 'Purpose')],
    ['a choice', (page) => choose(page, 'Add property', 'Layer')],
    ['a resource', (page) => choose(page, 'Add property', 'Twin')],
    ['what was found', (page) => page.getByLabel('Value of Twin').fill('orders')],
    [
      'a description',
      (page) =>
        page
          .getByRole('button', { name: /description of /i })
          .first()
          .click(),
    ],
    ['the editor', (page) => page.getByRole('button', { name: 'Edit', exact: true }).click()],
    ['a preview', (page) => page.getByRole('button', { name: 'Preview' }).click()],
  ];
  const onQuestions: readonly Step[] = [
    ['a question', (page) => page.getByText('Why?').click()],
    ['asking', (page) => page.getByText('Ask a question').click()],
  ];
  const onActivity: readonly Step[] = [
    ['a difference', (page) => page.getByText('Changes', { exact: true }).first().click()],
  ];
  const onGroups: readonly Step[] = [
    ['a group', (page) => page.getByRole('row').getByRole('link', { name: 'Stewards' }).click()],
    ['members', (page) => page.getByRole('combobox', { name: 'Add to Stewards' }).click()],
    [
      'a dialog',
      async (page) => {
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: 'Delete Stewards' }).click();
      },
    ],
  ];
  const onKeys: readonly Step[] = [
    ['a dialog', (page) => page.getByRole('button', { name: 'New API key' }).click()],
    ['its name', (page) => page.getByRole('dialog').getByLabel('Name').fill('To look at')],
    [
      'the key',
      (page) => page.getByRole('dialog').getByRole('button', { name: 'New API key' }).click(),
    ],
  ];
  const onWebhooks: readonly Step[] = [
    ['a form', (page) => page.getByRole('link', { name: 'New webhook' }).click()],
    ['its name', (page) => page.getByLabel('Name').fill('Pager')],
    ['its address', (page) => page.getByLabel('URL').fill('https://pager.example/hook')],
    ['the secret', (page) => page.getByRole('button', { name: 'New webhook' }).click()],
  ];
  const onRules: readonly Step[] = [
    ['a form', (page) => page.getByRole('link', { name: 'New rule' }).click()],
    [
      'what is found',
      (page) => page.getByLabel('Resources, including what they contain').fill('orders'),
    ],
    ['what is chosen', (page) => page.getByRole('option', { name: /^orders/ }).click()],
  ];
  const onSearch: readonly Step[] = [['filters', openFilters]];
  const onSource: readonly Step[] = [
    ['credentials', (page) => page.getByLabel('Type').selectOption('trino')],
  ];
  const onAudit: readonly Step[] = [
    ['what differs', (page) => page.locator('.entries summary').first().click()],
  ];

  describe.each([1_440, 390])('at %i px', (width) => {
    const pages: readonly (readonly [string, () => string, readonly Step[]])[] = [
      ['a resource', () => `/resource/${table}`, onResource],
      ['its questions', () => `/resource/${table}?tab=questions`, onQuestions],
      ['its activity', () => `/resource/${table}?tab=activity`, onActivity],
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
        await using visited = await open({ path: path(), width });
        const { page, problems } = visited;
        await whenKnown(page);
        for (const [name, step] of steps) {
          await step(page);
          await expect.poll(() => page.locator('.waiting').count(), waiting).toBe(0);
          for (const colorScheme of ['dark', 'light'] as const) {
            await page.emulateMedia({ colorScheme });
            await expectAccessible(page);
          }
          const wide = await page.evaluate('document.documentElement.scrollWidth');
          expect(wide, name).toBeLessThanOrEqual(width);
        }
        expect(problems).toEqual([]);
      },
    );
  });

  test('a menu closes by Escape, and when one goes on elsewhere', async () => {
    await using visited = await open({ path: `/resource/${table}` });
    const { page } = visited;
    const summary = page.locator('.further-acts summary');
    const inside = page.getByRole('button', { name: 'SQL name' });
    await summary.click();
    await inside.focus();
    await page.keyboard.press('Escape');
    await expect.poll(() => inside.isVisible(), waiting).toBe(false);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('More actions');
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

  test('what is chosen of a row of choices is in sight', async () => {
    await using visited = await open({ path: '/admin?part=webhooks', width: 400 });
    const { page } = visited;
    const chosen = page.getByRole('link', { name: 'Webhooks', exact: true });
    await chosen.waitFor(waiting);
    const right = async () => {
      const box = await chosen.boundingBox();
      return (box?.x ?? 0) + (box?.width ?? 0);
    };
    await expect.poll(right, waiting).toBeLessThanOrEqual(400);
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
