// Uploads in a browser: of any size, with their difference first, in a tray that goes on behind other pages.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hasBrowser, type Page } from '../../browser.ts';
import { type Demo, expectWellMade, named, openDemo, waiting } from '../demo.ts';

vi.setConfig({ testTimeout: 400_000, hookTimeout: 300_000 });

describe.skipIf(!hasBrowser('Uploads in a browser'))('in a browser', () => {
  let demo: Demo;
  beforeAll(async () => {
    demo = await openDemo();
  });
  afterAll(() => demo?.[Symbol.asyncDispose]());

  const made = async () =>
    (await demo.catalog.integration({ name: named('By hand'), type: 'custom' })).id;
  const csv = (names: readonly string[]) =>
    Buffer.from(
      ['database,schema,name,col_name', ...names.map((name) => `d,s,${name},id`), ''].join('\n'),
    );
  const put = (page: Page, name: string, buffer: Buffer) =>
    page.getByLabel(/Drop files here/).setInputFiles({ name, mimeType: 'text/csv', buffer });
  const tables = async (id: string): Promise<string[]> => {
    const { resources } = await demo.ask(
      'query ($id: ID!) { resources(first: 50, where: { integrationId: { eq: $id }, kind: { eq: table } }) { nodes { title stale } } }',
      { id },
    );
    return resources.nodes
      .map(({ title, stale }: { title: string; stale: boolean }) =>
        stale ? `${title} (stale)` : title,
      )
      .sort();
  };

  test('shows its difference before anything is changed, and goes on behind other pages', async () => {
    const id = await made();
    await using visited = await demo.open({ path: `/imports/${id}` });
    const { page, problems } = visited;
    await put(page, 'a.csv', csv(['one', 'two']));
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByRole('heading', { name: 'Changes' }).waitFor(waiting);
    expect(await tables(id)).toEqual([]);
    await page.getByRole('button', { name: /^Import \d+ changes$/ }).click();
    await page.getByText('The import runs. You can leave this page.').waitFor(waiting);
    await page.getByRole('link', { name: 'Sources' }).first().click();
    const tray = page.getByRole('region', { name: 'Uploads' });
    await tray.getByText(/^Imported · 2 tables, 2 columns/).waitFor(waiting);
    expect(await tables(id)).toEqual(['one', 'two']);
    await tray.getByRole('button', { name: 'Dismiss a.csv' }).click();
    expect(await tray.count()).toBe(0);

    await page.goto(`${demo.base}/imports/${id}`);
    await put(page, 'b.csv', csv(['two', 'three']));
    await page.getByRole('button', { name: 'Preview changes' }).click();
    const row = page.getByRole('row', { name: /^Resources/ });
    await row.waitFor(waiting);
    // One table and its column come, and one of each goes stale.
    expect(await row.getByRole('cell').allInnerTexts()).toEqual(['2', '0', '2', '4']);
    const listed = page.getByRole('listitem').filter({ hasText: /^(new|stale|changed) / });
    expect(await listed.allInnerTexts()).toEqual([
      'stale table d.s.one',
      'stale column d.s.one.id',
      'new table d.s.three',
      'new column d.s.three.id',
    ]);
    // What was shown was of other files.
    await put(page, 'c.csv', csv(['two']));
    await expect.poll(() => page.getByRole('button', { name: /^Import/ }).count(), waiting).toBe(0);
    expect(await tables(id)).toEqual(['one', 'two']);
    expect(problems).toEqual([]);
  });

  test('takes files that are larger than a request of GraphQL may be, by a session as well', async () => {
    const id = await made();
    const code = demo.codeFor(demo.catalog.idOf('admin'));
    await using visited = await demo.open({ path: `/imports/${id}#code=${code}` });
    const { page } = visited;
    const names = Array.from({ length: 60_000 }, (_, at) => `table_with_a_long_name_${at}`);
    const buffer = csv(names);
    expect(buffer.length).toBeGreaterThan(1_500_000);
    await put(page, 'large.csv', buffer);
    await page.getByText(/MB/).first().waitFor(waiting);
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page
      .getByRole('button', { name: 'Import 120,002 changes' })
      .waitFor({ timeout: 200_000 });
  });

  test('says which files it does not take, and where one is wrong', async () => {
    const id = await made();
    await using visited = await demo.open({ path: `/imports/${id}` });
    const { page } = visited;
    await put(page, 'notes.txt', Buffer.from('x'));
    await page.getByRole('alert').getByText('Not taken: notes.txt.').waitFor(waiting);
    await put(page, 'a.csv', Buffer.from('name\none\n'));
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByRole('alert').getByText('col_name').waitFor(waiting);
  });

  test('that would empty a source asks once more', async () => {
    const id = await made();
    const import_ = `mutation ($id: ID!, $content: String!) { importCsv(integrationId: $id, content: $content) { created } }`;
    const many = Array.from({ length: 30 }, (_, at) => `t${at}`);
    await demo.ask(import_, { id, content: csv(many).toString() });
    await using visited = await demo.open({ path: `/imports/${id}` });
    const { page } = visited;
    await put(page, 'a.csv', csv(['t1']));
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByRole('button', { name: 'Import anyway' }).click();
    const tray = page.getByRole('region', { name: 'Uploads' });
    await tray.getByText(/^Imported/).waitFor(waiting);
    expect((await tables(id)).filter((title) => !title.includes('stale'))).toEqual(['t1']);
  });

  test('is well made however one looks', async () => {
    const id = await made();
    await using visited = await demo.open({ path: `/imports/${id}` });
    const { page } = visited;
    await put(page, 'a.csv', csv(['one', 'two']));
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByRole('button', { name: /^Import/ }).click();
    await page
      .getByRole('region', { name: 'Uploads' })
      .getByText(/^Imported/)
      .waitFor(waiting);
    await expectWellMade(page, 'upload');
  });
});
