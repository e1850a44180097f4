// The first page in a browser: what needs whom, how the catalog is, and what it keeps from whom.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hasBrowser } from '../browser.ts';
import { type Demo, expectWellMade, looks, openDemo, waiting } from './demo.ts';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 300_000 });

describe.skipIf(!hasBrowser('The first page in a browser'))('in a browser', () => {
  let demo: Demo;
  let table: string;
  let orders: string;
  let incident: { id: string; summary: string };
  beforeAll(async () => {
    demo = await openDemo();
    await demo.work();
    const { search, incidents } = await demo.ask(
      `{ search(query: "fct_orders", first: 1) { nodes { resource { id } } }
        incidents(first: 1, status: active) { nodes { id summary targetId } } }`,
    );
    orders = search.nodes[0].resource.id;
    incident = incidents.nodes[0];
    table = incidents.nodes[0].targetId;
  });
  afterAll(() => demo?.[Symbol.asyncDispose]());

  const update = (id: string, input: object) =>
    demo.ask(
      'mutation ($id: ID!, $input: UpdateResourceInput!) { updateResource(id: $id, input: $input) { id } }',
      { id, input },
    );
  const mine = 'section.mine';

  test('says that nothing waits for who owns nothing', async () => {
    await using visited = await demo.open({ key: demo.catalog.keyOf('viewer') });
    const { page } = visited;
    await page.getByText('Nothing waits for you.').waitFor(waiting);
    await page.getByRole('heading', { name: 'Used most' }).waitFor(waiting);
    expect(await page.locator(mine).getByRole('link').count()).toBe(0);
  });

  test('shows incidents and questions on what one owns, alone or with a group, and no others', async () => {
    const editor = demo.catalog.idOf('editor');
    const viewer = demo.catalog.idOf('viewer');
    const ask = (title: string, parentId: string) =>
      demo.ask('mutation ($input: CreateQuestionInput!) { createQuestion(input: $input) { id } }', {
        input: { title, parentId },
      });
    await ask('Why cents?', orders);
    await update(table, { addOwnerIds: [editor] });
    const { createGroup } = await demo.ask(
      'mutation ($input: CreateGroupInput!) { createGroup(input: $input) { id } }',
      { input: { name: 'Till', addMemberIds: [viewer] } },
    );
    await update(orders, { ownerGroupIds: [createGroup.id] });

    await using owner = await demo.open({ key: demo.catalog.keyOf('editor') });
    const own = owner.page.locator(mine);
    await own.getByRole('link', { name: incident.summary }).waitFor(waiting);
    expect(await own.getByText('Why cents?').count()).toBe(0);
    await own.getByRole('link', { name: incident.summary }).click();
    await expect.poll(() => owner.page.url()).toContain(`/incidents/${incident.id}`);

    await using member = await demo.open({ key: demo.catalog.keyOf('viewer') });
    const theirs = member.page.locator(mine);
    await theirs.getByRole('link', { name: 'Why cents?' }).waitFor(waiting);
    expect(await theirs.getByText(incident.summary).count()).toBe(0);
    await theirs.getByRole('link', { name: 'Why cents?' }).click();
    await member.page.getByRole('heading', { name: 'Why cents?', level: 1 }).waitFor(waiting);
  });

  test('shows what changed of what one subscribes to; news come by themselves, and are read', async () => {
    const key = demo.catalog.keyOf('viewer');
    await using subscribing = await demo.open({ key, path: `/resource/${table}` });
    await subscribing.page.getByRole('button', { name: 'Subscribe' }).click();
    await subscribing.page.getByRole('button', { name: 'Unsubscribe' }).waitFor(waiting);
    await using visited = await demo.open({ key });
    const own = visited.page.locator(mine);
    await own.getByRole('heading', { name: 'Changed of what you subscribe to' }).waitFor(waiting);
    expect(await own.getByRole('heading', { name: 'News' }).count()).toBe(0);
    await update(table, { description: 'Said anew' });
    await demo.catalog.database.prisma.job.updateMany({
      where: { workspaceId: demo.catalog.workspaceId, state: 'queued' },
      data: { runAt: new Date(0) },
    });
    await demo.work();
    await own.getByRole('heading', { name: 'News' }).waitFor(waiting);
    await own.getByRole('button', { name: 'Mark all as read' }).click();
    await expect.poll(() => own.getByRole('heading', { name: 'News' }).count(), waiting).toBe(0);
  });

  test('says how the catalog is, and of sources only to who may read them', async () => {
    await using visited = await demo.open();
    const health = visited.page.locator('.health');
    await health.getByRole('link', { name: /incidents? (is|are) open/ }).waitFor(waiting);
    const { coverage } = await demo.ask(
      '{ coverage(where: { kind: { in: [table, dashboard] } }) { total owned } }',
    );
    const bar = health.getByRole('progressbar', { name: /^owned by somebody/ });
    expect(await bar.getAttribute('max')).toBe(String(coverage.total));
    expect(await bar.getAttribute('value')).toBe(String(coverage.owned));
    await health.getByRole('link', { name: 'Storefront' }).waitFor(waiting);
    await using viewer = await demo.open({ key: demo.catalog.keyOf('viewer') });
    await viewer.page.locator('.health').getByRole('progressbar').first().waitFor(waiting);
    expect(await viewer.page.getByText('When sources were read last').count()).toBe(0);
    await using guest = await demo.open({ key: demo.catalog.keyOf('guest') });
    await guest.page.locator('.health').getByText('No incident is open').waitFor(waiting);
    expect(await guest.page.getByRole('alert').count()).toBe(0);
  });

  test.each(looks)('is well made at $width px, dark: $isDark', async (look) => {
    await update(table, { addOwnerIds: [demo.catalog.idOf('admin')] });
    await update(orders, { addOwnerIds: [demo.catalog.idOf('admin')] });
    await using visited = await demo.open({ ...look });
    await expectWellMade(visited.page, 'home', look);
  });
});
