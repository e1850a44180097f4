// Sources, uploads and what would break, in a browser: what people see and do, on the sample workspace.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hasBrowser } from '../browser.ts';
import { root } from '../house/sources.ts';
import { type Demo, expectWellMade, named, openDemo, waiting } from './demo.ts';
import { choose } from './visit.ts';

vi.setConfig({ testTimeout: 400_000, hookTimeout: 300_000 });

describe.skipIf(!hasBrowser('Sources in a browser'))('in a browser', () => {
  let demo: Demo;
  let live: string;
  let files: string;
  beforeAll(async () => {
    demo = await openDemo();
    await demo.work();
    const { integrations } = await demo.ask('{ integrations(first: 20) { nodes { id name } } }');
    const idOf = (wanted: string) =>
      integrations.nodes.find(({ name }: { name: string }) => name === wanted)?.id;
    live = idOf('Storefront');
    files = (await demo.catalog.integration({ name: 'By hand', type: 'custom' })).id;
  });
  afterAll(() => demo?.[Symbol.asyncDispose]());

  describe('sources', () => {
    test('are listed with what they hold, and what ran says how it went', async () => {
      await using visited = await demo.open({ path: '/imports' });
      const { page, problems, elsewhere } = visited;
      const row = page.getByRole('listitem').filter({ hasText: 'Storefront' }).first();
      await row.getByText('DuckDB · 18 resources').waitFor(waiting);
      await page.getByRole('heading', { name: 'Syncs and uploads' }).waitFor(waiting);
      const job = page.getByRole('listitem').filter({ hasText: 'JSONL import into Harbor BI' });
      await job.getByText('Log').click();
      await job.getByText('Resources: 20 created').waitFor(waiting);
      expect(problems).toEqual([]);
      expect(elsewhere).toEqual([]);
    });

    test('are tested, and read while one looks', async () => {
      await using visited = await demo.open({ path: `/imports/${live}` });
      const { page } = visited;
      const sections = page.getByRole('navigation', { name: 'Sections' });
      await sections.getByRole('link', { name: 'Settings' }).click();
      await page.getByRole('button', { name: 'Test connection' }).click();
      await page.getByText('Connection works').waitFor(waiting);
      expect(page.url()).toBe(`${demo.base}/imports/${live}?tab=settings`);
      await page.getByRole('button', { name: 'Sync now' }).click();
      // Back leads to the section before.
      await page.goBack();
      expect(await page.getByRole('button', { name: 'Test connection' }).count()).toBe(0);
      const job = page.getByRole('listitem').filter({ hasText: 'Sync of Storefront' }).first();
      await job.getByText('queued').waitFor(waiting);
      await demo.work();
      // No one has to ask again.
      await job.getByText('succeeded').waitFor(waiting);
      // It says what came, and the page where it lies.
      await job.getByText('3 tables').waitFor(waiting);
      const glance = page.getByRole('list', { name: 'At a glance' });
      await glance.getByText('3 tables', { exact: true }).waitFor(waiting);
      const contents = page.getByRole('link', { name: 'Browse 3 tables' });
      expect(await contents.getAttribute('href')).toMatch(/^\/browse\/source-/);
      await page.getByText(/^Last updated (this minute|\d minutes? ago)/).waitFor(waiting);
      // Only what this source did is here.
      expect(await page.getByText('JSONL import').count()).toBe(0);
    });

    test('say who may write SQL for them, whom an admin names and takes away again', async () => {
      const name = named('Analysts');
      const { createTeam } = await demo.ask(
        'mutation ($input: CreateTeamInput!) { createTeam(input: $input) { id } }',
        { input: { name } },
      );
      const writers = async () => {
        const { integration } = await demo.ask(
          'query ($id: ID!) { integration(id: $id) { sqlWriterIds } }',
          { id: live },
        );
        return integration.sqlWriterIds;
      };
      const before = await writers();
      await using visited = await demo.open({ path: `/imports/${live}?tab=settings` });
      const { page, problems } = visited;
      const form = page.locator('section', {
        has: page.getByRole('heading', { name: 'SQL of monitors' }),
      });
      await form.getByText('can read everything its login can read').waitFor(waiting);
      const save = form.getByRole('button', { name: 'Save access' });
      expect(await save.count()).toBe(0);
      await choose(form, 'People and teams who can write SQL', name);
      await save.click();
      await expect.poll(writers, waiting).toEqual([...before, createTeam.id]);
      // It is there after a reload as well, by its name.
      await page.reload();
      await form.getByText(name).first().waitFor(waiting);
      await expectWellMade(page);
      await form.getByRole('button', { name: `Remove ${name}` }).click();
      await save.click();
      await expect.poll(writers, waiting).toEqual(before);
      expect(problems).toEqual([]);
      await using other = await demo.open({
        path: `/imports/${live}?tab=settings`,
        key: demo.catalog.keyOf('editor'),
      });
      await other.page.getByRole('heading', { name: 'Storefront', level: 1 }).waitFor(waiting);
      expect(await other.page.getByText('People and teams who can write SQL').count()).toBe(0);
    });

    test('are connected step by step, and what is missing is said', async () => {
      await using visited = await demo.open({ path: '/imports/new' });
      const { page } = visited;
      await page.getByLabel('Type').selectOption('DuckDB');
      const name = named('Another file');
      await page.getByLabel('Name').fill(name);
      await page.getByLabel('File path').fill('nothing/here.duckdb');
      await page.getByRole('button', { name: 'Save and test connection' }).click();
      await page.getByRole('heading', { name, level: 1 }).waitFor(waiting);
      await page
        .getByText('Connection failed')
        .or(page.getByRole('alert'))
        .first()
        .waitFor(waiting);
      expect(new URL(page.url()).search).toBe('?tab=settings');
    });
  });

  test('a source that nothing connects to says that uploads feed it', async () => {
    const { id } = await demo.catalog.integration({ name: 'Boards', type: 'looker' });
    await using visited = await demo.open({ path: `/imports/${id}` });
    const { page } = visited;
    await page.getByText('No data yet · CSV or JSON Lines uploads').waitFor(waiting);
    await page.getByRole('heading', { name: 'Upload', exact: true }).waitFor(waiting);
    expect(await page.getByRole('button', { name: 'Sync now' }).count()).toBe(0);
    await using connected = await demo.open({ path: `/imports/${live}` });
    await connected.page.getByText('Live connection').waitFor(waiting);
    expect(await connected.page.getByRole('heading', { name: 'Upload', exact: true }).count()).toBe(
      0,
    );
  });

  describe('what would break', () => {
    test('by a query: the columns that go, and what uses them', async () => {
      await using visited = await demo.open({ path: '/impact' });
      const { page } = visited;
      const sql =
        'create table analytics.core.fct_orders as select order_id from analytics.staging.stg_orders';
      await page.getByRole('textbox', { name: 'SQL' }).fill(sql);
      await page.getByRole('button', { name: 'Analyze impact' }).click();
      await page.getByText('Removed columns (8)', { exact: true }).waitFor(waiting);
      await page
        .getByRole('link', { name: /daily_revenue/ })
        .first()
        .waitFor(waiting);
      // What is long is opened by who wants to read it.
      await page.locator('summary', { hasText: /^\d+ columns$/ }).click();
      await page.getByText('Aggregates fct_orders.net_revenue_eur.').first().waitFor(waiting);
      await page.getByRole('button', { name: 'Copy Markdown' }).click();
      const copied = async () => String(await page.evaluate('navigator.clipboard.readText()'));
      await expect.poll(copied, waiting).toContain('### Impact of this query');
      expect(await copied()).toMatch(
        /`analytics\.core\.fct_orders`\. Removes 8 columns\. Affects \d+ downstream resources/,
      );
      expect(await copied()).toMatch(/\*\*Owners to notify\*\* \(\d\)\n\n- /);
      await page.getByRole('textbox', { name: 'SQL' }).fill('select 1');
      await page.getByRole('button', { name: 'Analyze impact' }).click();
      await page.getByText('Read-only query: no impact').waitFor(waiting);
    });

    test('by a manifest: what differs, whom to tell, and Markdown for the review', async () => {
      const manifest = JSON.parse(
        readFileSync(join(root, 'prisma/demo/project/manifest.json'), 'utf8'),
      );
      const gone = Object.keys(manifest.nodes).find((name) => name.endsWith('.daily_revenue'));
      delete manifest.nodes[gone ?? ''];
      await using visited = await demo.open({ path: '/impact?of=manifest' });
      const { page } = visited;
      const buffer = Buffer.from(JSON.stringify(manifest));
      await page
        .getByLabel(/^manifest.json: /)
        .setInputFiles({ name: 'manifest.json', mimeType: 'application/json', buffer });
      await page.getByRole('heading', { name: 'Removed models (1)' }).waitFor(waiting);
      await page.getByText('analytics.marts.daily_revenue').first().waitFor(waiting);
      await page.getByRole('button', { name: 'Copy Markdown' }).click();
      const copied = async () => String(await page.evaluate('navigator.clipboard.readText()'));
      await expect.poll(copied, waiting).toContain('### Impact of this change');
      expect(await copied()).toContain('daily_revenue');
    });
  });

  test('an editor sees sources and may change none; a viewer sees none', async () => {
    const key = demo.catalog.keyOf('editor');
    for (const path of ['/imports', `/imports/${live}`, `/imports/${files}`]) {
      await using visited = await demo.open({ key, path });
      const { page } = visited;
      await page.getByRole('heading', { name: 'Syncs and uploads' }).waitFor(waiting);
      await expect.poll(() => page.locator('.waiting').count(), waiting).toBe(0);
      const refused = /^(Sync now|Test connection|Preview changes|Save|Cancel)$/;
      expect(await page.getByRole('button', { name: refused }).count(), path).toBe(0);
      expect(await page.getByRole('link', { name: 'New source' }).count()).toBe(0);
      expect(await page.getByRole('alert').count()).toBe(0);
    }
    await using viewer = await demo.open({ key: demo.catalog.keyOf('viewer'), path: '/imports' });
    await viewer.page.getByText('You don’t have access to this page.').waitFor(waiting);
    expect(await viewer.page.getByRole('link', { name: 'Sources' }).count()).toBe(0);
    await using impact = await demo.open({
      key: demo.catalog.keyOf('viewer'),
      path: '/impact?of=manifest',
    });
    await impact.page.getByRole('textbox', { name: 'SQL' }).waitFor(waiting);
    expect(await impact.page.getByRole('button', { name: 'Project' }).count()).toBe(0);
  });

  test('are well made however one looks', async () => {
    for (const [name, path] of [
      ['source-upload', `/imports/${files}`],
      ['impact-manifest', '/impact?of=manifest'],
    ] as const) {
      await using visited = await demo.open({ path });
      await expectWellMade(visited.page, name);
    }
  });
});
