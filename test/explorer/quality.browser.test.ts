// Monitors and incidents in a browser: what people see and do, on the sample workspace.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { rows } from '../../src/database/rows.ts';
import { Prisma } from '../../src/generated/prisma/client.ts';
import { hasBrowser } from '../browser.ts';
import { type Demo, openDemo, waiting } from './demo.ts';
import { choose } from './visit.ts';

vi.setConfig({ testTimeout: 400_000, hookTimeout: 300_000 });

describe.skipIf(!hasBrowser('Monitors and incidents in a browser'))('in a browser', () => {
  let demo: Demo;
  let cart: { id: string; targetId: string; lastIncidentId: string; version: number };
  beforeAll(async () => {
    demo = await openDemo();
    await demo.work();
    cart = await read();
  });
  afterAll(() => demo?.[Symbol.asyncDispose]());

  const fields = 'id targetId lastIncidentId version mutedUntil isEnabled conditionAutoSensitivity';
  const change = (input: object) =>
    demo.ask(
      'mutation ($id: ID!, $input: UpdateMonitorInput!) { updateMonitor(id: $id, input: $input) { id } }',
      { id: cart.id, input },
    );
  /** The incident as it was when it was opened, whatever a test made of it. */
  const reopen = () =>
    rows(
      demo.catalog.admin,
      Prisma.sql`update incident set status = 'active', severity = 'medium', acknowledged_at = null,
        resolved_at = null, resolve_reason = null, assignee_id = null
        where id = ${cart.lastIncidentId}::uuid`,
    );
  const read = async () => {
    const where = '{ name: { eq: "Average cart" } }';
    const { monitors } = await demo.ask(
      `{ monitors(where: ${where}, first: 1) { nodes { ${fields} } } }`,
    );
    return monitors.nodes[0];
  };

  describe('monitors', () => {
    test('are listed by status, and the address holds the filters', async () => {
      await using visited = await demo.open({ path: '/monitors' });
      const { page, problems, elsewhere } = visited;
      await page.getByRole('heading', { name: 'Needs attention (1)' }).waitFor(waiting);
      await page.getByRole('button', { name: /^normal [1-9]/ }).click();
      await expect.poll(() => new URL(page.url()).searchParams.get('status')).toBe('normal');
      await expect.poll(() => page.getByRole('link', { name: 'Average cart' }).count()).toBe(0);
      await page.getByRole('searchbox', { name: 'Name or table' }).fill('searches');
      await expect.poll(() => page.locator('.monitors li').count(), waiting).toBe(2);
      await page.reload();
      await expect.poll(() => page.locator('.monitors li').count(), waiting).toBe(2);
      await page.getByRole('searchbox', { name: 'Name or table' }).fill('no such thing');
      await page.getByText('No matches').waitFor(waiting);
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await page.getByRole('link', { name: 'Average cart' }).waitFor(waiting);
      expect(new URL(page.url()).search).toBe('');
      expect(problems).toEqual([]);
      expect(elsewhere).toEqual([]);
    });

    test('show what was measured, walked by keys, and as a table', async () => {
      await using visited = await demo.open({ path: `/monitors/${cart.id}?days=365` });
      const { page } = visited;
      const chart = page.getByRole('slider', { name: 'Average cart, measurements' });
      await chart.waitFor(waiting);
      const { monitor } = await demo.ask(
        'query ($id: ID!) { monitor(id: $id) { measurements(first: 2) { totalCount nodes { value } } } }',
        { id: cart.id },
      );
      const { totalCount, nodes } = monitor.measurements;
      expect(await chart.getAttribute('aria-valuemax')).toBe(String(totalCount - 1));
      await chart.press('ArrowLeft');
      const before = nodes[1].value.toLocaleString('en', { maximumSignificantDigits: 4 });
      await expect.poll(() => chart.getAttribute('aria-valuetext')).toContain(before);
      await expect.poll(() => page.locator('.said').innerText()).toContain(before);
      await page.getByText('As a table').click();
      await expect.poll(() => page.getByRole('row').count(), waiting).toBe(totalCount + 1);
    });

    test('try another sensitivity on the history before it is saved', async () => {
      await change({ conditionAutoSensitivity: 5 });
      await using visited = await demo.open({ path: `/monitors/${cart.id}` });
      const { page } = visited;
      const slider = page.getByRole('slider', { name: 'Sensitivity' });
      await slider.fill('10');
      const { monitorBacktest } = await demo.ask(
        'query ($id: ID!) { monitorBacktest(id: $id, sensitivity: 10) { incidents } }',
        { id: cart.id },
      );
      await page
        .getByText(`would have opened ${monitorBacktest.incidents} incident`)
        .waitFor(waiting);
      await expect.poll(() => page.locator('.band.tried').count(), waiting).toBeGreaterThan(0);
      expect((await read()).conditionAutoSensitivity).toBe(5);
      await page.getByRole('button', { name: 'Save' }).click();
      await expect.poll(async () => (await read()).conditionAutoSensitivity, waiting).toBe(10);
      await expect.poll(() => page.locator('.band.tried').count(), waiting).toBe(0);
    });

    test('are muted, and told so; run, and show what that measured', async () => {
      await demo.ask('mutation ($id: ID!) { muteMonitor(id: $id, until: null) { id } }', {
        id: cart.id,
      });
      await using visited = await demo.open({ path: `/monitors/${cart.id}` });
      const { page } = visited;
      await page.getByLabel('Mute for').selectOption('a day');
      await page.getByText('Muted until').waitFor(waiting);
      const { mutedUntil } = await read();
      expect(Date.parse(mutedUntil) - Date.now()).toBeGreaterThan(20 * 3_600_000);
      await page.getByRole('button', { name: 'Unmute' }).click();
      await page.getByLabel('Mute for').waitFor(waiting);
      expect((await read()).mutedUntil).toBeNull();
      const slider = page.getByRole('slider', { name: 'Average cart, measurements' });
      const before = Number(await slider.getAttribute('aria-valuemax'));
      // The page says so before the server knows of it, and a worker finds only what the server knows.
      const isAsked = page.waitForResponse(
        (response) => response.request().postData()?.includes('runMonitors') ?? false,
        waiting,
      );
      await page.getByRole('button', { name: 'Run now' }).click();
      await page.getByRole('button', { name: 'Running …' }).waitFor(waiting);
      await isAsked;
      await demo.work();
      // The new measurement comes by itself.
      await expect
        .poll(async () => Number(await slider.getAttribute('aria-valuemax')), waiting)
        .toBe(before + 1);
      await page.getByText('Run finished').waitFor(waiting);
    });

    test('are made of all tables of a schema, but for those that are left out', async () => {
      const { resources } = await demo.ask(
        '{ resources(kinds: [schema], first: 1) { nodes { id titleFull } } }',
      );
      const [schema] = resources.nodes;
      await using visited = await demo.open({ path: `/monitors/new?target=${schema.id}` });
      const { page } = visited;
      const metric = page.getByLabel('Metric');
      await metric.waitFor(waiting);
      expect(await metric.locator('option').allInnerTexts()).toEqual([
        ...['Row count', 'Freshness', 'Tables with changed columns'],
      ]);
      expect(await page.getByLabel('Time column').count()).toBe(0);
      await page.getByLabel('Excluded tables, one per line').fill('tmp_*\nold_*');
      await page.getByRole('button', { name: 'Create monitor' }).click();
      await page.getByText('without tmp_*, old_*').waitFor(waiting);
      const { monitors } = await demo.ask(
        'query ($id: ID!) { monitors(targetId: $id, first: 2) { nodes { id metricType metricConfig { exclude } } } }',
        { id: schema.id },
      );
      expect(monitors.nodes).toMatchObject([{ metricConfig: { exclude: ['tmp_*', 'old_*'] } }]);
      await demo.ask('mutation ($id: ID!) { deleteMonitor(id: $id) { id } }', {
        id: monitors.nodes[0].id,
      });
    });

    test('are made on what one finds, with the metrics that it can have', async () => {
      await using visited = await demo.open({ path: '/monitors/new' });
      const { page } = visited;
      await choose(page, 'Table or column', 'amount_eur');
      const metric = page.getByLabel('Metric');
      await metric.waitFor(waiting);
      const offered = await metric.locator('option').allInnerTexts();
      expect(offered).toContain('Mean');
      expect(offered).not.toContain('Row count');
      expect(offered).not.toContain('Average length');
      await metric.selectOption('Maximum');
      // Nothing is kept of what is only tried.
      await page.getByRole('button', { name: 'Run a test' }).click();
      await page.getByText('Current value:').waitFor(waiting);
      expect(await page.getByText('Would open an incident now').count()).toBe(0);
      await page.getByLabel('Manual').check();
      const make = page.getByRole('button', { name: 'Create monitor' });
      expect(await make.isDisabled()).toBe(true);
      await page.getByRole('spinbutton', { name: 'Maximum' }).fill('0.5');
      // What was measured was of another range.
      await expect.poll(() => page.getByText('Current value:').count(), waiting).toBe(0);
      await page.getByRole('button', { name: 'Run a test' }).click();
      await page.getByText('Would open an incident now').waitFor(waiting);
      await page.getByRole('spinbutton', { name: 'Maximum' }).fill('500');
      await page.getByLabel(/^Name/).fill('Dearest cart');
      await make.click();
      await page.getByRole('heading', { name: 'Dearest cart', level: 1 }).waitFor(waiting);
      await page.getByText('never ran').waitFor(waiting);
      const id = page.url().split('/').at(-1);
      const { monitor } = await demo.ask(
        'query ($id: ID!) { monitor(id: $id) { metricType conditionManualMax conditionAutoSensitivity } }',
        { id },
      );
      expect(monitor).toEqual({
        metricType: 'maximum',
        conditionManualMax: 500,
        conditionAutoSensitivity: null,
      });
    });
  });

  test('a query that the source refuses is said before the monitor is made', async () => {
    const { monitor } = await demo.ask(
      'query ($id: ID!) { monitor(id: $id) { target { parentId } } }',
      { id: cart.id },
    );
    const count = async () => {
      const { monitors } = await demo.ask(
        '{ monitors(first: 0, where: { metricType: { in: [custom_sql] } }) { totalCount } }',
      );
      return monitors.totalCount;
    };
    const before = await count();
    await using visited = await demo.open({
      path: `/monitors/new?target=${monitor.target.parentId}`,
    });
    const { page } = visited;
    await page.getByLabel('Metric').selectOption('Custom SQL');
    const attempt = page.getByRole('button', { name: 'Run a test' });
    expect(await attempt.isDisabled()).toBe(true);
    const query = page.getByLabel('SQL returning one number');
    await query.fill('select nothing_is_called_so from nowhere');
    await attempt.click();
    await page
      .getByRole('alert')
      .filter({ hasText: 'The source refused the query.' })
      .waitFor(waiting);
    await query.fill('select 42');
    await expect.poll(() => page.getByRole('alert').count(), waiting).toBe(0);
    await attempt.click();
    await page.getByText('Current value: 42.').waitFor(waiting);
    expect(await count()).toBe(before);
  });

  describe('incidents', () => {
    test('stand on a board that changes by itself', async () => {
      await reopen();
      await using visited = await demo.open({ path: '/incidents' });
      const { page } = visited;
      const open = page.getByRole('region', { name: /^Open/ });
      const taken = page.getByRole('region', { name: /^Acknowledged/ });
      await open.getByRole('article', { name: 'Average cart' }).waitFor(waiting);
      await demo.ask(
        'mutation ($id: ID!) { updateIncident(id: $id, input: { status: acknowledged, severity: high }) { id } }',
        { id: cart.lastIncidentId },
      );
      await taken.getByRole('article', { name: 'Average cart' }).getByText('high').waitFor(waiting);
      await expect
        .poll(() => open.getByRole('article', { name: 'Average cart' }).count(), waiting)
        .toBe(0);
      await page.getByLabel('Severity').selectOption('critical');
      await expect.poll(() => page.getByRole('article').count(), waiting).toBe(0);
      await page.reload();
      await page.getByText('No open incidents').waitFor(waiting);
    });

    test('begin with what is so now, and show the value where it lies', async () => {
      await reopen();
      await using visited = await demo.open({ path: `/incidents/${cart.lastIncidentId}` });
      const { page } = visited;
      // Where another test ran it again, it may be on its way back.
      const sentence =
        /^(Still at [\d,]+\. Was [\d.]+ until [A-Z][a-z]{2} \d+|Back at [\d.]+ for \d of 3 runs)\.$/;
      await page.getByText(sentence).waitFor(waiting);
      await page.getByText(/^\d+ times the usual value, \d+ runs? out of range\./).waitFor(waiting);
      // The scale is broken once, and no value lies beyond it.
      await expect.poll(() => page.locator('.chart .break').count(), waiting).toBe(1);
      expect(await page.locator('.chart title').count()).toBe(0);
    });

    test('are assigned, commented on, resolved and reopened, by keyboard too', async () => {
      await reopen();
      await using visited = await demo.open({ path: `/incidents/${cart.lastIncidentId}` });
      const { page } = visited;
      await choose(page, 'Assigned to', 'Me');
      await expect.poll(() => status('assigneeId'), waiting).toBe(demo.catalog.idOf('admin'));
      const comment = page.getByRole('textbox', { name: 'Comment' });
      await comment.fill('The till sent cents.');
      // Anyone who looks something up in the meantime finds it again.
      await page.getByRole('navigation').getByRole('link', { name: 'Monitors' }).click();
      await page.getByRole('heading', { name: 'Monitors', level: 1 }).waitFor(waiting);
      await page.goBack();
      await expect.poll(() => comment.inputValue(), waiting).toBe('The till sent cents.');
      await comment.press('Control+Enter');
      await page.getByText('The till sent cents.').nth(0).waitFor(waiting);
      await expect.poll(() => comment.inputValue(), waiting).toBe('');
      // Each of the four says what it teaches.
      const choice = page.getByRole('group', { name: 'Resolve incident' });
      await choice.getByText(/^Expect about [\d,]+ from now on/).waitFor(waiting);
      await choice.getByRole('radio', { name: 'Fixed' }).focus();
      await page.keyboard.press('ArrowDown');
      expect(await choice.getByRole('radio', { name: 'New normal' }).isChecked()).toBe(true);
      await page.getByLabel('Note').fill('Cents since release 41.');
      await page.getByRole('button', { name: 'Resolve' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Reopen' }).waitFor(waiting);
      expect(await status('resolveReason')).toBe('expected');
      await page.getByText('Cents since release 41.').waitFor(waiting);
      await page.getByRole('button', { name: 'Reopen' }).click();
      // That somebody had acknowledged it before counts no more.
      await page.getByRole('button', { name: 'Resolve' }).waitFor(waiting);
      expect(await status('status')).toBe('active');
    });

    const status = async (field: string) => {
      const { incident } = await demo.ask(`query ($id: ID!) { incident(id: $id) { ${field} } }`, {
        id: cart.lastIncidentId,
      });
      return incident[field];
    };
  });

  test.each(['viewer', 'guest'] as const)(
    'a %s is offered nothing that would be refused',
    async (role) => {
      const key = demo.catalog.keyOf(role);
      for (const path of [
        '/monitors',
        `/monitors/${cart.id}`,
        '/incidents',
        `/incidents/${cart.lastIncidentId}`,
      ]) {
        await using visited = await demo.open({ key, path });
        const { page } = visited;
        await page.getByRole('heading', { level: 1 }).waitFor(waiting);
        await expect.poll(() => page.locator('.waiting').count(), waiting).toBe(0);
        await page.locator('.person summary').getByText(role, { exact: false }).waitFor(waiting);
        const refused = /^(Run now|Pause|Save|Acknowledge|Resolve|Add comment|Mark as normal)$/;
        expect(await page.getByRole('button', { name: refused }).count(), path).toBe(0);
        expect(await page.getByRole('link', { name: 'New monitor' }).count()).toBe(0);
        expect(await page.getByRole('alert').count(), path).toBe(0);
      }
      await using making = await demo.open({ key, path: '/monitors/new' });
      await making.page.getByText('You don’t have access to this page.').waitFor(waiting);
    },
  );

  test('what is not there is said so', async () => {
    const nobody = '01a20490-d14f-78fa-b8a5-0000000fffff';
    await using monitor = await demo.open({ path: `/monitors/${nobody}` });
    await monitor.page.getByRole('heading', { name: 'Monitor not found' }).waitFor(waiting);
    await using incident = await demo.open({ path: `/incidents/${nobody}` });
    await incident.page.getByRole('heading', { name: 'Incident not found' }).waitFor(waiting);
  });
});
