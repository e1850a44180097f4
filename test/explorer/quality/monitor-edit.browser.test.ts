// Editing a monitor in a browser: all that it has, in the side column next to what it measured.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hasBrowser } from '../../browser.ts';
import { type Demo, expectWellMade, named, openDemo, waiting } from '../demo.ts';
import { choose } from '../visit.ts';

vi.setConfig({ testTimeout: 400_000, hookTimeout: 300_000 });

describe.skipIf(!hasBrowser('Editing a monitor in a browser'))('in a browser', () => {
  let demo: Demo;
  let columns: readonly { readonly id: string; readonly titleFull: string }[];
  beforeAll(async () => {
    demo = await openDemo();
    const { resources } = await demo.ask(
      `{ resources(first: 50, orderBy: [{ titleFull: asc }], where: {
        kind: { eq: column }, titleFull: { contains: "storefront.main." } }) { nodes { id titleFull } } }`,
    );
    columns = resources.nodes;
  });
  afterAll(() => demo?.[Symbol.asyncDispose]());

  const idOf = (ending: string) => {
    const found = columns.find(({ titleFull }) => titleFull.endsWith(ending));
    if (!found) throw new Error(`There is no column ${ending}.`);
    return found.id;
  };
  async function made(input: object): Promise<string> {
    const { createMonitor } = await demo.ask(
      'mutation ($input: CreateMonitorInput!) { createMonitor(input: $input) { id } }',
      { input: { name: named('Cart amounts'), targetId: idOf('carts.amount_eur'), ...input } },
    );
    return createMonitor.id;
  }
  const read = async (id: string) => {
    const { monitor } = await demo.ask(
      `query ($id: ID!) { monitor(id: $id) { name metricType timeZone holidayCountry notifyChatChannel
        schedule { cadence hour } metricConfig { where references } } }`,
      { id },
    );
    return monitor;
  };

  test('has the bounds of freshness in hours, as the chart has them', async () => {
    const { monitors } = await demo.ask(
      '{ monitors(first: 1, where: { name: { eq: "Nightly load of carts" } }) { nodes { id } } }',
    );
    const { id } = monitors.nodes[0];
    await using visited = await demo.open({ path: `/monitors/${id}` });
    const { page } = visited;
    const most = page.getByLabel('Maximum (hours)');
    await expect.poll(() => most.inputValue(), waiting).toBe('30');
    await most.fill('1.50');
    expect(await most.inputValue()).toBe('1.50');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const stored = async () => {
      const { monitor } = await demo.ask(
        'query ($id: ID!) { monitor(id: $id) { conditionManualMax } }',
        { id },
      );
      return monitor.conditionManualMax;
    };
    await expect.poll(stored, waiting).toBe(5_400);
  });

  test('changes all that it has at once, and what is not changed stays', async () => {
    const id = await made({ metricType: 'mean', metricConfig: { where: 'amount_eur > 0' } });
    await using visited = await demo.open({ path: `/monitors/${id}` });
    const { page, problems } = visited;
    await page.getByRole('button', { name: 'Edit monitor' }).click();
    const name = named('Largest cart');
    await page.getByLabel('Name', { exact: true }).fill(name);
    expect(await page.getByLabel('Condition (SQL)').inputValue()).toBe('amount_eur > 0');
    await page.getByLabel('Metric').selectOption('maximum');
    await page.getByLabel('Hour, UTC').fill('7');
    await page.getByLabel('Time zone').fill('Europe/Berlin');
    await page.getByLabel('Country of public holidays').fill('DE');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor(waiting);
    expect(await read(id)).toEqual({
      ...{ name, metricType: 'maximum', timeZone: 'Europe/Berlin', holidayCountry: 'DE' },
      ...{ notifyChatChannel: null, schedule: { cadence: 'daily', hour: 7 } },
      metricConfig: { where: 'amount_eur > 0', references: null },
    });
    expect(problems).toEqual([]);
  });

  test('offers only metrics that can work on what is measured', async () => {
    const id = await made({ metricType: 'mean' });
    await using visited = await demo.open({ path: `/monitors/${id}` });
    const { page } = visited;
    await page.getByRole('button', { name: 'Edit monitor' }).click();
    const offered = await page
      .getByLabel('Metric')
      .locator('option')
      .evaluateAll((all) => all.map((one) => one.getAttribute('value')));
    expect(offered).toContain('mean');
    // A number has no length and no truth, and a column has no runs.
    for (const none of ['average_length', 'true_percentage', 'job_duration', 'row_count']) {
      expect(offered).not.toContain(none);
    }
  });

  test('refers to a column that is chosen by its name', async () => {
    const id = await made({ metricType: 'mean' });
    await using visited = await demo.open({ path: `/monitors/${id}` });
    const { page } = visited;
    await page.getByRole('button', { name: 'Edit monitor' }).click();
    await page.getByLabel('Metric').selectOption('references');
    const other = columns.find(({ titleFull }) => !titleFull.includes('.carts.'));
    if (!other) throw new Error('There is one table only.');
    const [table = '', column = ''] = other.titleFull.split('.').slice(-2);
    await choose(page, 'Referenced column', `${table}.${column}`);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('button', { name: 'Edit monitor' }).waitFor(waiting);
    const { metricType, metricConfig } = await read(id);
    expect(metricType).toBe('references');
    expect(columns.map((one) => one.id)).toContain(metricConfig.references);
  });

  test('a source keeps failing rows where a switch says so', async () => {
    const { integrations } = await demo.ask('{ integrations(first: 20) { nodes { id name } } }');
    const { id } = integrations.nodes.find(({ name }: { name: string }) => name === 'Storefront');
    await using visited = await demo.open({ path: `/imports/${id}?tab=settings` });
    const { page } = visited;
    await page.getByRole('checkbox', { name: /Keep rows that fail/ }).check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const keeps = async () =>
      (await demo.ask('query ($id: ID!) { integration(id: $id) { keepsFailingRows } }', { id }))
        .integration.keepsFailingRows;
    await expect.poll(keeps, waiting).toBe(true);
  });

  test('is well made however one looks', async () => {
    const id = await made({ metricType: 'mean' });
    await using visited = await demo.open({ path: `/monitors/${id}` });
    await visited.page.getByRole('button', { name: 'Edit monitor' }).click();
    await visited.page.getByRole('button', { name: 'Save changes' }).waitFor(waiting);
    await expectWellMade(visited.page, 'monitor-edit');
  });
});
