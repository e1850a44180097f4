// Browse in a browser: the tree, the list by keys, edits of many at once, and CSV there and back.

import { readFile } from 'node:fs/promises';
import { describe, expect, test, vi } from 'vitest';
import { hasBrowser } from '../../browser.ts';
import type { Catalog } from '../../catalog.ts';
import { expectWellMade, waiting } from '../demo.ts';
import { openSite, type VisitOptions } from '../visit.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 300_000 });

const tables = 130;

async function fill(catalog: Catalog) {
  const { id } = await catalog.integration({ name: 'Warehouse', type: 'custom' });
  const lines = Array.from(
    { length: tables },
    (_, at) => `shop,core,table_${String(at).padStart(3, '0')},id`,
  );
  const content = ['database,schema,name,col_name', ...lines, 'shop,raw,orders,id', ''].join('\n');
  const { errors } = await catalog.graphql(
    'mutation ($id: ID!, $content: String!) { importCsv(integrationId: $id, content: $content) { created } }',
    { id, content },
  );
  expect(errors).toBeUndefined();
  await catalog.tag({ name: 'finance' });
}

describe.skipIf(!hasBrowser('Browse in a browser'))('Browse', () => {
  const site = openSite(fill);
  const open = (options: Partial<VisitOptions> = {}) =>
    site.open({ key: site.catalog.keyOf('admin'), path: '/browse', ...options });
  const ask = async (query: string, variables?: object) => {
    const { data, errors } = await site.catalog.graphql(query, variables);
    expect(errors).toBeUndefined();
    return data;
  };
  const idOf = async (titleFull: string) => {
    const { resourceByName } = await ask(
      'query ($t: String!) { resourceByName(titleFull: $t) { id } }',
      { t: titleFull },
    );
    return resourceByName.id as string;
  };
  const tagged = async () => {
    const { resources } = await ask(
      '{ resources(first: 200, where: { tags: { some: { name: { eq: "finance" } } } }, orderBy: [{ title: asc }]) { nodes { title } } }',
    );
    return resources.nodes.map(({ title }: { title: string }) => title);
  };

  test('from a source to a table by clicks, and to all of a schema in pages', async () => {
    await using visited = await open();
    const { page, problems } = visited;
    await page.getByRole('treeitem', { name: 'Warehouse' }).click();
    await page.getByRole('heading', { name: 'Warehouse', level: 1 }).waitFor(waiting);
    await page.getByRole('treeitem', { name: 'Warehouse' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('treeitem', { name: /^shop/ }).click();
    await page.getByRole('heading', { name: 'shop', level: 1 }).waitFor(waiting);
    await page.getByRole('treeitem', { name: /^shop/ }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('treeitem', { name: /^core/ }).click();
    await page.getByRole('heading', { name: 'core', level: 1 }).waitFor(waiting);
    const rows = page.locator('.browsed tbody tr');
    await expect.poll(() => rows.count(), waiting).toBe(100);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => rows.count(), waiting).toBe(tables);
    await page.getByRole('searchbox', { name: 'Filter by name' }).fill('able_12');
    await expect.poll(() => rows.count(), waiting).toBe(10);
    await page.getByRole('link', { name: 'table_123' }).click();
    await page.getByRole('heading', { name: 'table_123', level: 1 }).waitFor(waiting);
    expect(problems).toEqual([]);
  });

  test('rows are moved along and selected by keys, in ranges, and edited together; that is undone', async () => {
    await using visited = await open({
      path: `/browse/${await idOf('shop.core')}?sort=title`,
    });
    const { page, problems } = visited;
    await page.getByRole('link', { name: 'table_000' }).focus();
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('k');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+X');
    await page.getByText('3 selected').waitFor(waiting);
    const bar = page.getByRole('toolbar', { name: 'Edit selected' });
    await bar.getByRole('combobox', { name: 'Tags' }).focus();
    await page.keyboard.type('fin');
    await bar.getByRole('option', { name: 'finance' }).waitFor(waiting);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText('Added the tag finance (3)').waitFor(waiting);
    expect(await tagged()).toEqual(['table_000', 'table_001', 'table_002']);
    await expect.poll(() => page.locator('.browsed .badge').count(), waiting).toBe(3);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(tagged, waiting).toEqual([]);
    await page.getByRole('checkbox', { name: 'Select table_004' }).click();
    await page.getByRole('checkbox', { name: 'Select table_007' }).click({ modifiers: ['Shift'] });
    await page.getByText('4 selected').waitFor(waiting);
    await page.getByRole('link', { name: 'table_007' }).focus();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.bulk').count(), waiting).toBe(0);
    expect(problems).toEqual([]);
  });

  test('a custom property is set on all that are selected; undone, each has its own value again', async () => {
    const core = await idOf('shop.core');
    const { createCustomProperty: property } = await ask(
      'mutation { createCustomProperty(input: { name: "Layer", valueType: select, options: ["raw", "mart"], entityTypes: [table] }) { id } }',
    );
    const first = await idOf('shop.core.table_030');
    const set =
      'mutation ($id: ID!, $on: ID!) { setCustomProperty(id: $id, resourceId: $on, value: "raw") { id } }';
    await ask(set, { id: property.id, on: first });
    const layers = async () => {
      const { resources } = await ask(
        'query ($id: ID!) { resources(where: { parentId: { eq: $id }, title: { contains: "table_03" } }, orderBy: [{ title: asc }], first: 3) { nodes { customProperties { value } } } }',
        { id: core },
      );
      return resources.nodes.map(
        ({ customProperties }: { customProperties: { value: string }[] }) =>
          customProperties.map(({ value }) => value),
      );
    };
    await using visited = await open({ path: `/browse/${core}?sort=title` });
    const { page, problems } = visited;
    await page.getByRole('checkbox', { name: 'Select table_030' }).click();
    await page.getByRole('checkbox', { name: 'Select table_031' }).click();
    const bar = page.getByRole('toolbar', { name: 'Edit selected' });
    await bar.getByRole('combobox', { name: 'Property' }).click();
    await bar.getByRole('option', { name: 'Layer' }).click();
    const dialog = page.getByRole('dialog', { name: 'Layer of 2 rows' });
    await dialog.getByLabel('Value of Layer').selectOption('mart');
    await dialog.getByRole('button', { name: 'Set property' }).click();
    await page.getByText('Set Layer (2)').waitFor(waiting);
    expect(await layers()).toEqual([['mart'], ['mart'], []]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(layers, waiting).toEqual([['raw'], [], []]);
    expect(problems).toEqual([]);
  });

  test('what is refused is named at its row and stays selected; the rest is done', async () => {
    const raw = await idOf('shop.raw');
    const orders = await idOf('shop.raw.orders');
    const gone = await site.catalog.resource({ title: 'gone_soon', parentId: raw });
    await using visited = await open({ path: `/browse/${raw}` });
    const { page } = visited;
    await page.getByRole('checkbox', { name: 'Select all 2' }).click();
    await ask('mutation ($id: ID!) { archiveResource(id: $id) { id } }', { id: gone.id });
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByText('Verified (1). 1 failed and stays selected.').waitFor(waiting);
    const { resource } = await ask('query ($id: ID!) { resource(id: $id) { verified } }', {
      id: orders,
    });
    expect(resource.verified).toBe(true);
  });

  test('rows are deleted and brought back, and columns are chosen', async () => {
    const core = await idOf('shop.core');
    await using visited = await open({ path: `/browse/${core}?sort=title` });
    const { page } = visited;
    await page.getByRole('checkbox', { name: 'Select table_010' }).click();
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted (1)').waitFor(waiting);
    await expect.poll(() => page.getByRole('link', { name: 'table_010' }).count(), waiting).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'table_010' }).waitFor(waiting);
    expect(await page.getByRole('columnheader', { name: 'Team' }).count()).toBe(0);
    await page.locator('.columns-of-list summary').click();
    await page.getByRole('checkbox', { name: 'Team' }).check();
    await page.getByRole('columnheader', { name: 'Team' }).waitFor(waiting);
    await page.reload();
    await page.getByRole('columnheader', { name: 'Team' }).waitFor(waiting);
  });

  test('rows go to CSV, and an edited one shows its differences before it is imported', async () => {
    const core = await idOf('shop.core');
    await using visited = await open({ path: `/browse/${core}?sort=title` });
    const { page, problems } = visited;
    await page.getByRole('checkbox', { name: 'Select table_020' }).click();
    await page.getByRole('checkbox', { name: 'Select table_021' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV', exact: true }).click();
    const text = await readFile(await (await downloading).path(), 'utf8');
    expect(text.trim().split('\n')).toHaveLength(3);
    const id = await idOf('shop.core.table_020');
    await page.getByRole('link', { name: 'Import edited CSV' }).click();
    await page.getByLabel('CSV file').setInputFiles({
      name: 'edited.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`id,description\n${id},What was sold\n`),
    });
    await page.getByText('1 of 1 row differs.').waitFor(waiting);
    const row = page.getByRole('row').filter({ hasText: 'shop.core.table_020' });
    await row.getByText('What was sold').waitFor(waiting);
    const read = async () =>
      (await ask('query ($id: ID!) { resource(id: $id) { description } }', { id })).resource;
    expect(await read()).toEqual({ description: null });
    await page.getByRole('button', { name: 'Import 1 change' }).click();
    await page.getByText('Imported 1 change').waitFor(waiting);
    expect(await read()).toEqual({ description: 'What was sold' });
    await page.getByLabel('CSV file').setInputFiles({
      ...{ name: 'odd.csv', mimeType: 'text/csv', buffer: Buffer.from('nothing\nlike it\n') },
    });
    await page.getByRole('alert').waitFor(waiting);
    expect(problems).toEqual([]);
  });

  test('a viewer browses and edits nothing', async () => {
    await using visited = await open({ key: site.catalog.keyOf('viewer') });
    const { page } = visited;
    await page.getByRole('checkbox', { name: 'Select table_129' }).click();
    const tools = page.getByRole('toolbar').getByRole('button');
    await expect.poll(() => tools.allInnerTexts(), waiting).toEqual(['CSV', '×']);
    expect(await page.getByRole('link', { name: 'Import edited CSV' }).count()).toBe(0);
  });

  test('is well made however one looks', async () => {
    await using visited = await open({ path: `/browse/${await idOf('shop.core')}` });
    const { page } = visited;
    await page.locator('.browsed tbody tr').first().waitFor(waiting);
    await page
      .getByRole('checkbox', { name: /^Select table/ })
      .first()
      .click();
    const bar = page.getByRole('toolbar', { name: 'Edit selected' });
    await bar.getByRole('combobox', { name: 'Owner' }).click();
    await bar.getByRole('option').first().waitFor(waiting);
    await expectWellMade(page, 'browse');
  });
});
