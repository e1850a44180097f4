// Where a source writes to and who describes a table, in a browser.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { updateResource } from '../../src/resources/editing/edit.ts';
import { hasBrowser } from '../browser.ts';
import { feedCsv } from '../integrations/imports/feed.ts';
import { project } from '../integrations/imports/permuted/steps.ts';
import { type Demo, expectWellMade, named, openDemo, waiting } from './demo.ts';

vi.setConfig({ testTimeout: 400_000, hookTimeout: 300_000 });

describe.skipIf(!hasBrowser('Addresses in a browser'))('in a browser', () => {
  let demo: Demo;
  beforeAll(async () => {
    demo = await openDemo();
  });
  afterAll(() => demo?.[Symbol.asyncDispose]());

  /** Two sources and a project that all have one table of one name; their names and ids. */
  async function openThree() {
    const { catalog } = demo;
    const [staging, production, dbt] = [
      await catalog.integration({ name: named('Staging') }),
      await catalog.integration({ name: named('Production') }),
      await catalog.integration({ name: named('Shop'), type: 'dbt_core' }),
    ];
    const plain = (name: string) => named(name).replace(' ', '_');
    const [database, table] = [plain('app'), plain('users')];
    for (const one of [staging, production])
      await feedCsv(catalog, one, `database,schema,name,col_name\n${database},public,${table},id`);
    const model = { name: table, schema: 'public', database, description: 'Who signed up' };
    await project('p', { models: [model] })({ catalog, ids: new Map() }, dbt.id);
    return { staging, production, dbt, database, table };
  }

  const tableOf = (integrationId: string) =>
    demo.catalog.database.prisma.resource.findFirstOrThrow({
      where: { workspaceId: demo.catalog.workspaceId, kind: 'table', integrationId },
    });

  test('a database of two sources is decided on the page of the project, after a look', async () => {
    const { production, dbt, database } = await openThree();
    await using list = await demo.open({ path: '/imports' });
    const row = list.page.getByRole('listitem').filter({ hasText: dbt.name }).first();
    await row.getByText('1 undecided database').waitFor(waiting);

    await using visited = await demo.open({ path: `/imports/${dbt.id}` });
    const { page, problems } = visited;
    const section = page.getByRole('region', { name: 'Target databases' });
    await section.getByText(`Undecided: ${database}.`).waitFor(waiting);
    await expectWellMade(page);
    await section.getByRole('button', { name: `Use this database ${production.name}` }).click();
    await section.getByRole('heading', { name: 'Changes' }).waitFor(waiting);
    await section.getByText('merged').first().waitFor(waiting);
    expect(await section.getByText(`Undecided: ${database}.`).count()).toBe(1);
    await section.getByRole('button', { name: 'Import', exact: true }).click();
    await section.getByRole('heading', { name: 'Imported' }).waitFor(waiting);
    await section.getByText('set manually').waitFor(waiting);
    expect(await section.getByText('Undecided').count()).toBe(0);

    await page.goto(`${demo.base}/resource/${(await tableOf(production.id)).id}`);
    const about = page.getByRole('complementary');
    await about.getByRole('heading', { name: 'Described by' }).waitFor(waiting);
    await about.getByText(`Built by ${dbt.name}`).waitFor(waiting);
    const rows = await about
      .getByRole('listitem')
      .filter({ hasText: / · provides / })
      .allInnerTexts();
    expect(rows.map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
      expect.stringContaining(`${production.name} main source`),
      expect.stringMatching(`^${dbt.name} .*project model.*description`),
    ]);
    await expectWellMade(page);
    expect(problems).toEqual([]);
  });

  test('two tables are merged by hand, and the address of the one leads to the other', async () => {
    const { staging, production, dbt, table } = await openThree();
    const [kept, gone] = [await tableOf(staging.id), await tableOf(dbt.id)];
    await updateResource(demo.catalog.admin, gone.id, { definition: 'Written by a person' });
    await using visited = await demo.open({ path: `/resource/${kept.id}` });
    const { page, problems } = visited;
    await page.getByText('Merge a duplicate …').click();
    await page.getByRole('combobox', { name: 'Duplicate' }).fill(table);
    const found = page.getByRole('option', { name: table });
    // Of one name: what tells them apart is the source. The table itself is not offered.
    await found.filter({ hasText: dbt.name }).waitFor(waiting);
    await found.filter({ hasText: production.name }).waitFor(waiting);
    expect(await found.count()).toBe(2);
    await found.filter({ hasText: dbt.name }).click();
    await page.getByRole('button', { name: /^Merge into this one/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Merge into this one' }).click();
    await page.getByText('Merged', { exact: true }).waitFor(waiting);
    await page.getByText('Written by a person').waitFor(waiting);
    await page.goto(`${demo.base}/resource/${gone.id}`);
    await page.getByText(`Built by ${dbt.name}`).waitFor(waiting);
    expect(problems).toEqual([]);
  });

  test('a deletion says what people wrote there, and offers it as Markdown', async () => {
    const { staging, dbt } = await openThree();
    const table = await tableOf(staging.id);
    await updateResource(demo.catalog.admin, table.id, { definition: 'One row per **person**' });
    await using visited = await demo.open({ path: `/imports/${staging.id}?tab=settings` });
    const { page } = visited;
    await page
      .getByText('1 resource found only in this source has text written by people.')
      .waitFor(waiting);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download texts as Markdown' }).click();
    const file = await (await saving).createReadStream();
    const parts: Uint8Array[] = [];
    for await (const part of file) parts.push(part);
    const text = Buffer.concat(parts).toString('utf8');
    expect(text).toContain(`# ${table.titleFull}`);
    expect(text).toContain('One row per **person**');
    await using other = await demo.open({ path: `/imports/${dbt.id}?tab=settings` });
    await other.page.getByRole('heading', { name: dbt.name, level: 1 }).waitFor(waiting);
    expect(await other.page.getByText('text written by people').count()).toBe(0);
  });
});
