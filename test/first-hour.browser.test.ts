// A newcomer's first hour in one run: start, key, an import as the README says it, its lineage, GraphiQL, the docs.

import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Browser, hasBrowser, type Page, startBrowser } from './browser.ts';
import { expectAccessible, visit } from './explorer/visit.ts';
import { root } from './house/sources.ts';
import { type Started, startScript } from './started.ts';

const waiting = { timeout: 30_000 };
/** Reading the SQL of a project takes half a minute of CPU, which others may want as well. */
const traced = { timeout: 240_000, interval: 500 };
vi.setConfig({ testTimeout: 300_000, hookTimeout: 180_000 });

const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** The block of the README that holds some words, for a server at another address. */
function commands(containing: string, base: string): string {
  const blocks = [...readme.matchAll(/```sh\n(.*?)```/gs)].map(([, code = '']) => code);
  const block = blocks.find((code) => code.includes(containing)) ?? '';
  expect(block, containing).not.toBe('');
  return block.replaceAll('http://127.0.0.1:4000', base);
}

describe.skipIf(!hasBrowser('The first hour'))('the first hour', () => {
  let browser: Browser;
  let started: Started;
  let folder: string;
  let base: string;
  let key: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'headwater-first-hour-'));
    started = startScript('start.mjs', { DATA_DIR: join(folder, 'data') });
    base = await started.ready();
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await started?.stop('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  /** Run lines of the shell next to the artifacts of a project, as an admin. */
  async function sh(script: string): Promise<string> {
    const env = { ...process.env, KEY: key, API: `${base}/api/v1` };
    return (await promisify(execFile)('bash', ['-c', script], { env, cwd: folder })).stdout;
  }

  async function ask(query: string, variables = {}) {
    const answer = await fetch(`${base}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = await answer.json();
    expect(errors).toBeUndefined();
    return data;
  }

  test('the start says where the key is, and the key signs in', async () => {
    const [, file = ''] = /Admin API key +in the file (.+)/.exec(started.output()) ?? [];
    key = readFileSync(file, 'utf8').trim();
    await using visited = await visit(browser, { base });
    const { page, elsewhere, problems } = visited;
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('combobox', { name: 'Search the catalog' }).waitFor(waiting);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect([elsewhere, problems]).toEqual([[], []]);
  });

  test('a project is brought in by the lines of the README, and shows what it says', async () => {
    cpSync(join(root, 'prisma/demo/project'), join(folder, 'target'), { recursive: true });
    const answer = await sh(`${commands('upload_artifacts', base)}\necho "id=$ID"`);
    expect(answer).toContain('204 No Content');
    const [, lineageJob = ''] = /x-lineage-job-id: (\S+)/i.exec(answer) ?? [];
    const [, integration = ''] = /^id=(\S+)/m.exec(answer) ?? [];
    const after = commands('failing_tests', base).replaceAll('$ID', integration);
    const [catalog = '', failing = ''] = (await sh(after)).split(/(?<=\})(?=\{)/);
    expect(JSON.parse(catalog).count).toBeGreaterThan(100);
    expect(JSON.parse(failing).failing).toHaveLength(1);
    // The README says how to know that the lineage of columns is read.
    const state = async () => {
      const said = await sh(
        `curl -s "$API/background_jobs/${lineageJob}" -H "Authorization: Bearer $KEY"`,
      );
      return JSON.parse(said).state;
    };
    await expect.poll(state, traced).toBe('succeeded');
  });

  test('its lineage is drawn, by tables and by columns', async () => {
    const { search } = await ask(
      '{ search(query: "fct_orders", first: 1) { nodes { resource { id titleFull } } } }',
    );
    const { id, titleFull } = search.nodes[0].resource;
    expect(titleFull).toBe('analytics.core.fct_orders');
    await using visited = await visit(browser, { base, key, path: `/lineage/${id}` });
    const { page, problems, elsewhere } = visited;
    await page.getByRole('article', { name: 'fct_orders' }).waitFor(waiting);
    await page.getByRole('article', { name: 'stg_orders' }).waitFor(waiting);
    expect(await page.getByRole('article').count()).toBeGreaterThan(5);
    const { lineage } = await ask(
      `query Columns($id: ID!) {
        lineage(from: [$id], direction: UPSTREAM, depth: 2, level: COLUMN) { edges { sourceId } }
      }`,
      { id: (await ask(columnOf, { id })).resources.nodes[0].id },
    );
    expect(lineage.edges.length).toBeGreaterThan(0);
    expect([elsewhere, problems]).toEqual([[], []]);
  });

  const columnOf = `query Column($id: ID!) {
    resources(kinds: [column], first: 1, where: { parentId: { eq: $id }, title: { eq: "order_id" } }) {
      nodes { id }
    }
  }`;

  test('each tab of GraphiQL runs at the first click', async () => {
    const csv = 'database,schema,name,col_name\nshop,public,orders,id\n';
    const form = new FormData();
    form.append('file', new Blob([csv]), 'tables.csv');
    const { createIntegration } = await ask(
      'mutation { createIntegration(type: "custom", input: { name: "Shop" }) { id } }',
    );
    const path = `/api/v1/integration/integrations/${createIntegration.id}/import_metadata`;
    const headers = { authorization: `Bearer ${key}` };
    expect((await fetch(base + path, { method: 'POST', headers, body: form })).status).toBe(204);

    await using visited = await visit(browser, { base, path: '/graphql' });
    const { page, elsewhere, problems } = visited;
    await page.fill('#key', key);
    await page.click('text=Use key');
    await page.waitForSelector('.graphiql-query-editor >> text=Lineage', waiting);
    const names = (await page.getByRole('tab').allInnerTexts()).map((text) => text.trim());
    expect(names.length).toBeGreaterThanOrEqual(8);
    for (const name of names) {
      const isOpen = (await page.locator('[role=tab][aria-selected=true]').innerText()) === name;
      if (!isOpen) await page.getByRole('tab', { name, exact: true }).click();
      await page.waitForSelector(`.graphiql-query-editor >> text=${name}`, waiting);
      await page.click('.graphiql-execute-button');
      await expect.poll(() => shown(page), waiting).toMatch(/^\{\s+"data": \{/);
      expect([name, await shown(page)]).toEqual([name, expect.not.stringContaining('"errors"')]);
      // A subscription goes on until it is told to stop.
      if (name === 'Watch') await page.click('.graphiql-execute-button');
    }
    expect([elsewhere, problems]).toEqual([[], []]);
  });

  test('the documentation is read and searched by keyboard alone, without leaving the server', async () => {
    await using visited = await visit(browser, { base, path: '/docs' });
    const { page, elsewhere, problems } = visited;
    await page.getByRole('heading', { name: 'Documentation', level: 1 }).first().waitFor(waiting);
    expect(await page.title()).toBe('Documentation - Headwater');
    await page.keyboard.press('/');
    await page.keyboard.type('jsonl lineage');
    const found = page.locator('#found a');
    await expect
      .poll(() => found.first().innerText(), waiting)
      .toBe('Import formats: JSONL: lineage');
    expect(await page.locator('#found mark').count()).toBeGreaterThan(1);
    expect(await page.locator('#found-count').innerText()).toMatch(/^\d+ sections found/);
    await expectAccessible(page);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${base}/docs/imports#jsonl-lineage`);
    await page.keyboard.press('/');
    await page.keyboard.type('<img src=x onerror=alert(1)> zzz');
    await expect.poll(() => page.locator('#found-count').innerText()).toBe('Nothing found.');
    await page.keyboard.press('Escape');
    expect(await page.inputValue('#search')).toBe('');
    expect(await found.count()).toBe(0);
    expect([elsewhere, problems]).toEqual([[], []]);
  });
});

/** What the result shows; the editor writes spaces that do not break lines. */
async function shown(page: Page): Promise<string> {
  return (await page.locator('.graphiql-response').innerText()).replaceAll('\u00a0', ' ');
}
