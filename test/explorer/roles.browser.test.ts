// Every page as each role sees it: whatever it offers is tried, and nothing of it is refused to the role.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hasBrowser, type Locator, type Page } from '../browser.ts';
import { type Demo, openDemo, waiting } from './demo.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 });

/** Controls of one page that are tried at most: there are fewer. */
const mostControls = 120;

describe.skipIf(!hasBrowser('Each role in a browser'))('in a browser', () => {
  let demo: Demo;
  let paths: readonly string[];
  beforeAll(async () => {
    demo = await openDemo();
    const { search, monitors, incidents, integrations, resources } = await demo.ask(
      `{ search(query: "fct_orders", first: 1) { nodes { resource { id } } }
        monitors(first: 1) { nodes { id } }
        incidents(first: 1, status: active) { nodes { id targetId } }
        integrations(first: 50) { nodes { id type } }
        resources(kinds: [question], first: 1) { nodes { id } } }`,
    );
    const table = search.nodes[0].resource.id;
    const sources = ['duckdb', 'custom', 'dbt_core'].flatMap((type) =>
      integrations.nodes
        .filter((one: { type: string }) => one.type === type)
        .slice(0, 1)
        .flatMap(({ id }: { id: string }) => [`/imports/${id}`, `/imports/${id}?tab=settings`]),
    );
    // What a guest's team holds, they see.
    const team = (await demo.catalog.team({ addMemberIds: [demo.catalog.idOf('guest')] })).id;
    for (const id of [table, incidents.nodes[0].targetId]) {
      await demo.ask(
        'mutation ($id: ID!, $team: ID!) { updateResource(id: $id, input: { addTeamIds: [$team] }) { id } }',
        { id, team },
      );
    }
    paths = [
      ...['/', '/search?q=orders', `/resource/${table}`, '/nowhere'],
      ...resources.nodes.map(({ id }: { id: string }) => `/resource/${id}`),
      ...['/monitors', `/monitors/${monitors.nodes[0].id}`, '/monitors/new'],
      ...['/incidents', `/incidents/${incidents.nodes[0].id}`, '/questions', '/sessions'],
      ...['/imports', '/imports/new', ...sources, '/impact', '/impact?of=manifest', '/audit'],
      ...['people', 'groups', 'teams', 'tags', 'keys', 'rules', 'webhooks'].map(
        (part) => `/admin?part=${part}`,
      ),
    ];
  });
  afterAll(() => demo?.[Symbol.asyncDispose]());

  test.each(['guest', 'viewer', 'editor'] as const)(
    'nothing that a page offers is refused to a %s',
    async (role) => {
      await using visited = await demo.open({ key: demo.catalog.keyOf(role) });
      const { page, problems } = visited;
      const asked = listen(page);
      const tried: string[] = [];
      for (const path of paths) {
        await page.goto(demo.base + path);
        await settle(page, asked);
        tried.push(...(await tryAll(page, demo.base + path, asked)));
        expect(asked.refused, path).toEqual([]);
      }
      // It did look: each role takes part, and editors edit.
      expect(tried).toContain('button Follow');
      expect(tried.includes('button Edit')).toBe(role === 'editor');
      expect(tried.includes('input Add a team')).toBe(role === 'editor');
      expect(problems).toEqual([]);
    },
  );

  test('an admin sees every page, and none asks for what is refused', async () => {
    await using visited = await demo.open();
    const { page, problems } = visited;
    const asked = listen(page);
    for (const path of paths) {
      await page.goto(demo.base + path);
      await settle(page, asked);
      expect(await page.getByText(/^Your role may not/).count(), path).toBe(0);
    }
    expect([asked.refused, problems]).toEqual([[], []]);
  });
});

/** What a page asks for. */
interface Asked {
  /** Answers that refuse something to the role, as the server said it. */
  readonly refused: readonly string[];
  /** How many questions have no answer yet. */
  waiting(): number;
}

/** Listen to what a page asks for from now on. */
function listen(page: Page): Asked {
  const refused: string[] = [];
  const open = new Set<object>();
  page.on('request', (request) => {
    const isStream = request.headers().accept?.includes('event-stream');
    if (request.url().endsWith('/graphql') && !isStream) open.add(request);
  });
  page.on('requestfailed', (request) => open.delete(request));
  page.on('response', async (response) => {
    if (!open.has(response.request())) return;
    // An answer that a next page no longer waits for has no text.
    const text = await response.text().catch(() => '');
    if (text.includes('"FORBIDDEN"')) refused.push(text);
    open.delete(response.request());
  });
  return { refused, waiting: () => open.size };
}

/** Wait until a page shows what it asked for. */
async function settle(page: Page, asked: Asked): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor(waiting);
  // Which controls there are depends on who looks.
  await expect.poll(() => page.locator('.person summary').innerText(), waiting).toMatch(/\w/);
  const rest = async () => asked.waiting() + (await page.locator('.waiting').count());
  await expect.poll(rest, waiting).toBe(0);
}

const next = '[data-next]';

/** Use each control of a page once; answers their names. Those that come with the use of others are used, too. */
async function tryAll(page: Page, url: string, asked: Asked): Promise<string[]> {
  const tried: string[] = [];
  while (tried.length < mostControls) {
    const found = await page.locator('main').evaluateAll(mark, tried);
    if (found === null) {
      const dialog = page.locator('dialog[open]').last();
      if ((await dialog.count()) === 0) return tried;
      // What it holds was used; what lies below it is reached again.
      tried.push('Escape');
      await page.keyboard.press('Escape');
      continue;
    }
    tried.push(found.name);
    await use(page.locator(next), found.kind);
    await settle(page, asked);
    if (page.url() !== url && !page.url().startsWith(`${url}?`)) {
      await page.goto(url);
      await settle(page, asked);
    }
  }
  throw new Error(`There are more than ${mostControls} controls at ${url}: ${tried.join('; ')}`);
}

/** Mark the first control that was not used; its name without numbers, and its kind. */
function mark(mains: Element[], tried: string[]): { name: string; kind: string } | null {
  for (const old of document.querySelectorAll('[data-next]')) old.removeAttribute('data-next');
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1);
  const all = (dialog ? [dialog] : mains).flatMap((main) => [
    ...main.querySelectorAll('summary, button, select, textarea, input:not([type=file])'),
  ]);
  for (const one of all) {
    const field = one instanceof HTMLInputElement ? one.labels?.[0] : one.closest('label');
    const label = one.getAttribute('aria-label') ?? field?.textContent;
    const name = `${one.localName} ${label ?? one.textContent}`.replaceAll(/\d+/g, 'n');
    if (tried.includes(name) || one.matches(':disabled') || !one.checkVisibility()) continue;
    one.setAttribute('data-next', '');
    const kind = one.getAttribute('role') ?? one.getAttribute('type') ?? one.localName;
    return { name, kind };
  }
  return null;
}

const texts: Readonly<Record<string, string>> = {
  date: '2026-01-01',
  email: 'somebody@example.com',
  number: '1',
  url: 'https://example.com/',
};
/** What a live page took away in the meantime is not waited for. */
const atOnce = { timeout: 5_000 };

/** Use a control as its kind is used. */
async function use(control: Locator, kind: string): Promise<void> {
  if ((await control.count()) === 0) return;
  if (['summary', 'button', 'submit', 'checkbox', 'radio'].includes(kind)) {
    await control.click(atOnce);
  } else if (kind === 'select') {
    const choices = control.locator('option:enabled');
    if ((await choices.count()) > 1) await control.selectOption({ index: 1 }, atOnce);
  } else if (kind === 'combobox') {
    await control.press('ArrowDown', atOnce);
    await control.press('ArrowDown', atOnce);
    await control.press('Enter', atOnce);
  } else if (kind === 'range') await control.press('ArrowRight', atOnce);
  else await control.fill(texts[kind] ?? 'orders', atOnce);
}
