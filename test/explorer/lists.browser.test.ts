// Lists that are longer than what a page asks for at once, in a browser: nothing of them is out of reach.

import { describe, expect, test, vi } from 'vitest';
import { rows } from '../../src/database/rows.ts';
import { Prisma } from '../../src/generated/prisma/client.ts';
import { hasBrowser } from '../browser.ts';
import { waiting } from './demo.ts';
import { openSite } from './visit.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 300_000 });

describe.skipIf(!hasBrowser('Long lists in a browser'))('in a browser', () => {
  const site = openSite();
  const open = (path: string) => site.open({ path });

  test('sources are listed in the order of their names, however many there are', async () => {
    for (let at = 0; at < 101; at += 1) await site.catalog.integration({ name: `Source ${at}` });
    await using visited = await open('/imports');
    const { page } = visited;
    const sources = page.locator('.monitors > li .of > a');
    await expect.poll(() => sources.count(), waiting).toBe(101);
    const names = await sources.allTextContents();
    expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b)));
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
  });

  test('a table says how many columns it has, lists them to the last one, and each is found by its name', async () => {
    const { id } = await site.catalog.integration({ type: 'custom' });
    const lines = Array.from({ length: 1_203 }, (_, at) => `d,s,wide,column_${at},${at}`);
    const content = ['database,schema,name,col_name,col_sort_order', ...lines, ''].join('\n');
    const { errors } = await site.catalog.graphql(
      'mutation ($id: ID!, $content: String!) { importCsv(integrationId: $id, content: $content) { created } }',
      { id, content },
    );
    expect(errors).toBeUndefined();
    const { data } = await site.catalog.graphql(
      'query ($id: ID!) { resources(first: 1, where: { integrationId: { eq: $id }, kind: { eq: table } }) { nodes { id } } }',
      { id },
    );
    await using visited = await open(`/resource/${data.resources.nodes[0].id}`);
    const { page } = visited;
    await page.getByRole('heading', { name: '1,203 columns' }).waitFor(waiting);
    const section = page.locator('.columns');
    const columns = section.locator('tbody tr');
    expect(await columns.count()).toBe(300);
    const find = page.getByRole('searchbox', { name: 'Find a column' });
    // It is not among those that are shown.
    await find.fill('column_1202');
    await expect
      .poll(() => columns.allInnerTexts(), waiting)
      .toEqual([expect.stringContaining('column_1202')]);
    // 120, 1200 to 1202: of each length.
    await find.fill('column_120');
    await expect.poll(() => columns.count(), waiting).toBe(4);
    await find.fill('');
    await expect.poll(() => columns.count(), waiting).toBe(300);
    for (const shown of [600, 900, 1_203]) {
      await section.getByRole('button', { name: 'Show more' }).click();
      await expect.poll(() => columns.count(), waiting).toBe(shown);
    }
    expect(await section.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    const names = await columns.locator('td:first-child').allInnerTexts();
    expect(names).toEqual(lines.map((_, at) => `column_${at}`));
    // All of them are here now.
    await find.fill('column_1202');
    await expect.poll(() => columns.count(), waiting).toBe(1);
  });

  test('of more people than a list takes, each is found by name', async () => {
    const { workspaceId } = site.catalog;
    await rows(
      site.catalog.admin,
      Prisma.sql`insert into user_account (workspace_id, email, first_name, last_name, updated_at)
        select ${workspaceId}::uuid, 'person' || n || '@example.com', 'Person', 'No' || n, now()
        from generate_series(1, 250) n returning id`,
    );
    const { id } = await site.catalog.resource({ title: 'owned by one of many' });
    await using visited = await open(`/resource/${id}`);
    const { page, problems } = visited;
    const add = page.getByLabel('Add an owner');
    await add.waitFor(waiting);
    await add.click();
    await expect.poll(() => page.getByRole('option').count(), waiting).toBe(50);
    await page.getByText('Showing 50, type to narrow').first().waitFor(waiting);
    for (const name of ['No1', 'No250']) {
      await add.fill(name);
      await page
        .locator('[role=option] span[dir]')
        .getByText(`Person ${name}`, { exact: true })
        .click();
      await page
        .getByRole('button', { name: `Remove Person ${name}`, exact: true })
        .waitFor(waiting);
    }
    const { data } = await site.catalog.graphql(
      'query ($id: ID!) { resource(id: $id) { owners { name } } }',
      { id },
    );
    expect(data.resource.owners.map(({ name }: { name: string }) => name).sort()).toEqual([
      'Person No1',
      'Person No250',
    ]);
    expect(problems).toEqual([]);
  });

  test('a list of thousands is shown to its end, in few requests, from where one is', async () => {
    const { workspaceId } = site.catalog;
    await rows(
      site.catalog.admin,
      Prisma.sql`insert into user_account (workspace_id, email, first_name, last_name, updated_at)
        select ${workspaceId}::uuid, 'many' || n || '@example.com', 'Many', 'No' || n, now()
        from generate_series(1, 2300) n returning id`,
    );
    const { data } = await site.catalog.graphql('{ users(first: 0) { totalCount } }');
    const total = data.users.totalCount;
    expect(total).toBeGreaterThan(2_300);
    await using visited = await open('/admin?part=people');
    const { page, problems } = visited;
    const asked: string[] = [];
    page.on('request', (request) => {
      const text = request.postData() ?? '';
      if (text.includes('query AdminPeople')) asked.push(text);
    });
    const people = page.locator('.settings-list tbody > tr');
    await expect.poll(() => people.count(), waiting).toBe(50);
    const more = page.locator('.further button');
    await more.focus();
    const last = people.nth(49);
    // What came into sight has the size that it has.
    await page.evaluate('new Promise((done) => setTimeout(done, 300))');
    const top = (await last.boundingBox())?.y;
    await page.keyboard.press('Enter');
    await expect.poll(() => people.count(), waiting).toBe(100);
    // Nothing jumped, and by keyboard one goes on with the first of what is new.
    expect((await last.boundingBox())?.y).toBeCloseTo(top ?? 0, 0);
    const focused =
      "[...document.querySelectorAll('.settings-list tbody > tr')].indexOf(document.activeElement.closest('tr'))";
    await expect.poll(() => page.evaluate(focused), waiting).toBe(50);
    for (let shown = 100; shown < total; shown = Math.min(total, shown + Math.min(1_000, shown))) {
      await expect.poll(() => people.count(), waiting).toBe(shown);
      await more.click();
    }
    await expect.poll(() => people.count(), waiting).toBe(total);
    expect(await more.count()).toBe(0);
    expect(asked.length).toBeLessThan(10);
    const emails = await people
      .locator('td:nth-child(2)')
      .evaluateAll((all) => all.map(({ textContent }) => textContent));
    expect(new Set(emails).size).toBe(total);
    expect(emails.join()).toContain('many1@example.com');
    expect(problems).toEqual([]);
  });
});
