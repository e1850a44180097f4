// The profile of a table in a browser, on a file of DuckDB: taken when somebody asks, and rows for whom an admin allows it.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hasBrowser } from '../../browser.ts';
import { type Demo, expectWellMade, openDemo, waiting } from '../demo.ts';

vi.setConfig({ testTimeout: 400_000, hookTimeout: 300_000 });

describe.skipIf(!hasBrowser('Profiles in a browser'))('a profile', () => {
  let demo: Demo;
  let table: { readonly id: string; readonly integration: { readonly id: string } };
  beforeAll(async () => {
    demo = await openDemo();
    const { resources } = await demo.ask(`{
      resources(first: 1, where: { titleFull: { contains: "storefront.main.carts" }, kind: { eq: table } }) {
        nodes { id integration { id } }
      }
    }`);
    table = resources.nodes[0];
  });
  afterAll(() => demo?.[Symbol.asyncDispose]());

  test('is taken when somebody asks, and says what each column holds', async () => {
    await using visited = await demo.open({ path: `/resource/${table.id}?tab=profile` });
    const { page, problems } = visited;
    await page.getByText('No profile yet.').waitFor(waiting);
    await page.getByRole('button', { name: 'Profile now' }).click();
    await page.getByRole('button', { name: 'Profiling …' }).first().waitFor(waiting);
    await demo.work();
    const rows = page.locator('.profile tbody tr');
    await rows.first().waitFor(waiting);
    const { resource } = await demo.ask(
      'query ($id: ID!) { resource(id: $id) { ... on Table { profile { columns { title } } } } }',
      { id: table.id },
    );
    const titles = resource.profile.columns.map(({ title }: { title: string }) => title);
    expect(titles.length).toBeGreaterThan(1);
    expect(await rows.locator('td:first-child').allInnerTexts()).toEqual(titles);
    await expect.poll(() => page.getByRole('button', { name: 'Profile now' }).count()).toBe(1);
    expect(problems).toEqual([]);
  });

  test('shows rows to a role that an admin allows them, and offers none to others', async () => {
    await using visited = await demo.open({ path: `/resource/${table.id}?tab=profile` });
    const { page } = visited;
    await page.getByText('Taken').waitFor(waiting);
    expect(await page.getByRole('button', { name: 'Show rows' }).count()).toBe(0);
    await demo.ask(
      'mutation ($id: ID!) { updateIntegration(id: $id, input: { previewRoles: [admin] }) { id } }',
      { id: table.integration.id },
    );
    await page.reload();
    await page.getByRole('button', { name: 'Show rows' }).click();
    await expect.poll(() => page.locator('.sample tbody tr').count(), waiting).toBe(20);
  });

  test('is well made however one looks', async () => {
    await using visited = await demo.open({ path: `/resource/${table.id}?tab=profile` });
    await visited.page.getByText('Taken').waitFor(waiting);
    await expectWellMade(visited.page, 'resource-profile');
  });
});
