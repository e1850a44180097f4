// Long names, names with dots, and kinds without data: what a page makes of them.

import { describe, expect, test, vi } from 'vitest';
import { createLineage } from '../../../src/lineage/edge.ts';
import { hasBrowser, type Page } from '../../browser.ts';
import { waiting, whenKnown } from '../demo.ts';
import { atRest } from '../picture.ts';
import { openSite } from '../visit.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 90_000 });

const long = `orders_${'of_everybody_who_ever_bought_'.repeat(6)}end`;

describe.skipIf(!hasBrowser('Names in a browser'))('in a browser', () => {
  let schema: string;
  let table: string;
  let column: string;
  const site = openSite(async (catalog) => {
    const database = await catalog.resource({ kind: 'database', title: 'lake' });
    const within = await catalog.resource({ kind: 'schema', title: 'raw', parentId: database.id });
    const { id } = await catalog.resource({ title: long, parentId: within.id });
    const other = await catalog.resource({ title: 'made_of_it', parentId: within.id });
    column = (await catalog.resource({ kind: 'column', title: 'amount', parentId: id })).id;
    await createLineage(catalog.admin, { fromId: id, toId: other.id });
    await catalog.owner.query('analyze');
    [schema, table] = [within.id, id];
  });

  test.each([1_440, 400])(
    'a long name makes no page wider than the window (%i px)',
    async (width) => {
      for (const path of ['/search?q=orders_of', `/resource/${table}`, `/resource/${schema}`]) {
        await using visited = await site.open({ path, width });
        const { page } = visited;
        await page.getByText(long).first().waitFor(waiting);
        const wide = await page.evaluate('document.documentElement.scrollWidth');
        expect(wide, path).toBeLessThanOrEqual(width);
      }
    },
  );

  test('a page leads to all that its resource lies in', async () => {
    await using visited = await site.open({ path: `/resource/${column}` });
    const { page } = visited;
    const above = page.getByRole('navigation', { name: 'Location' }).getByRole('link');
    await expect.poll(() => above.allInnerTexts(), waiting).toEqual(['lake', 'raw', long]);
    await above.first().click();
    await page.getByRole('heading', { name: 'lake', level: 1 }).waitFor(waiting);
  });

  test('a dot in a name does not look like a place', async () => {
    await site.catalog.resource({ kind: 'document', title: 'Guide v2.1 for newcomers' });
    await using visited = await site.open({ path: '/search?q=newcomers' });
    const hit = visited.page.locator('[data-hit]');
    await hit.waitFor(waiting);
    expect(await hit.locator('small').innerText()).toBe('document');
  });

  test('a card that is chosen stays as it was, and a table of lines is not covered', async () => {
    await using visited = await site.open({ path: `/lineage/${table}` });
    const { page } = visited;
    await atRest(page);
    const card = page.getByRole('article', { name: long });
    const count = card.getByRole('button', { name: /columns? of/ });
    const before = await count.boundingBox();
    await card.getByRole('button').first().click();
    await page.getByRole('button', { name: 'Show path only' }).waitFor(waiting);
    expect(await count.boundingBox()).toEqual(before);
    await page.goto(`${site.base}/lineage/${table}?view=table`);
    const [lines, note] = [page.locator('.lines'), page.locator('.honest')];
    await lines.waitFor(waiting);
    await note.getByText('2 resources').waitFor(waiting);
    const [above, below] = [await lines.boundingBox(), await note.boundingBox()];
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
  });

  test('a page offers lineage and monitors where data flows, and nowhere else', async () => {
    const term = await site.catalog.resource({ kind: 'glossary', title: 'Customer' });
    const tabs = async (page: Page) => {
      await whenKnown(page);
      const links = page.getByRole('navigation', { name: 'Sections' }).getByRole('link');
      return (await links.allInnerTexts()).join();
    };
    await using ofTable = await site.open({ path: `/resource/${table}` });
    expect(await tabs(ofTable.page)).toMatch(/Lineage.*Quality/s);
    await using ofTerm = await site.open({ path: `/resource/${term.id}` });
    await ofTerm.page.getByRole('heading', { name: 'Customer', level: 1 }).waitFor(waiting);
    expect(await tabs(ofTerm.page)).not.toMatch(/Lineage|Quality/);
    expect(await ofTerm.page.getByRole('link', { name: 'Lineage' }).count()).toBe(0);
  });

  test('who may not know of people and teams is not told that there are none', async () => {
    await using visited = await site.open({
      path: `/resource/${table}`,
      key: site.catalog.keyOf('viewer'),
    });
    const { page } = visited;
    await whenKnown(page);
    await page.getByText('No owner').waitFor(waiting);
    expect(await page.getByText('No team').count()).toBe(0);
    await using full = await site.open({ path: `/resource/${table}` });
    await full.page.getByText('No team').waitFor(waiting);
  });
});
