// Lists that are longer than what a page asks for at once, in a browser: nothing of them is out of reach.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { rows } from '../../src/database/rows.ts';
import { Prisma } from '../../src/generated/prisma/client.ts';
import { type Browser, hasBrowser, startBrowser } from '../browser.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { waiting } from './demo.ts';
import { visit } from './visit.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 300_000 });

describe.skipIf(!hasBrowser('Long lists in a browser'))('in a browser', () => {
  let browser: Browser;
  let catalog: Catalog;
  let base: string;
  beforeAll(async () => {
    catalog = await openCatalog();
    base = await catalog.listen();
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await catalog?.[Symbol.asyncDispose]();
  });

  const open = (path: string) => visit(browser, { base, key: catalog.keyOf('admin'), path });

  test('more than a hundred sources are listed to the last', async () => {
    for (let at = 0; at < 101; at += 1) await catalog.integration({ name: `Source ${at}` });
    await using visited = await open('/imports');
    const { page } = visited;
    const sources = page.locator('.monitors > li');
    await expect.poll(() => sources.count(), waiting).toBe(100);
    const more = page.getByRole('button', { name: 'Show more' });
    await more.click();
    await expect.poll(() => sources.count(), waiting).toBe(101);
    expect(await more.count()).toBe(0);
  });

  test('a table says how many columns it has, and shows those beyond the first', async () => {
    const { id } = await catalog.integration({ type: 'custom' });
    const lines = Array.from({ length: 301 }, (_, at) => `d,s,wide,column_${at},${at}`);
    const content = ['database,schema,name,col_name,col_sort_order', ...lines, ''].join('\n');
    const { errors } = await catalog.graphql(
      'mutation ($id: ID!, $content: String!) { importCsv(integrationId: $id, content: $content) { created } }',
      { id, content },
    );
    expect(errors).toBeUndefined();
    const { data } = await catalog.graphql(
      'query ($id: ID!) { resources(first: 1, where: { integrationId: { eq: $id }, kind: { eq: table } }) { nodes { id } } }',
      { id },
    );
    await using visited = await open(`/resource/${data.resources.nodes[0].id}`);
    const { page } = visited;
    await page.getByRole('heading', { name: '301 columns' }).waitFor(waiting);
    const columns = page.locator('.columns tbody tr');
    expect(await columns.count()).toBe(300);
    await page.locator('.columns').getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => columns.count(), waiting).toBe(301);
    await page.getByRole('searchbox', { name: 'Find a column' }).fill('column_300');
    await expect.poll(() => columns.count(), waiting).toBe(1);
  });

  test('of more people than a list takes, each is found by name', async () => {
    const { workspaceId } = catalog;
    await rows(
      catalog.admin,
      Prisma.sql`insert into user_account (workspace_id, email, first_name, last_name, updated_at)
        select ${workspaceId}::uuid, 'person' || n || '@example.com', 'Person', 'No' || n, now()
        from generate_series(1, 250) n returning id`,
    );
    const { id } = await catalog.resource({ title: 'owned by one of many' });
    await using visited = await open(`/resource/${id}`);
    const { page, problems } = visited;
    const add = page.getByLabel('Add an owner');
    await add.waitFor(waiting);
    // One is the word that stands there before somebody is chosen.
    expect(await add.locator('option').count()).toBe(201);
    for (const name of ['No1', 'No250']) {
      await page.getByLabel('Find a person').fill(name);
      await expect
        .poll(() => add.locator('option').allInnerTexts(), waiting)
        .toContain(`Person ${name}`);
      await add.selectOption(`Person ${name}`);
      await page
        .getByRole('button', { name: `Take away Person ${name}`, exact: true })
        .waitFor(waiting);
    }
    const { data } = await catalog.graphql(
      'query ($id: ID!) { resource(id: $id) { owners { name } } }',
      { id },
    );
    expect(data.resource.owners.map(({ name }: { name: string }) => name).sort()).toEqual([
      'Person No1',
      'Person No250',
    ]);
    expect(problems).toEqual([]);
  });
});
