// The first page, questions and sessions in a browser: what needs whom, and what is kept from whom.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { rows } from '../../src/database/rows.ts';
import { Prisma } from '../../src/generated/prisma/client.ts';
import { startGathering } from '../../src/notifications/changes/schedule.ts';
import { hasBrowser } from '../browser.ts';
import { type Demo, expectWellMade, named, openDemo, waiting, whenKnown } from './demo.ts';

vi.setConfig({ testTimeout: 400_000, hookTimeout: 300_000 });

describe.skipIf(!hasBrowser('The first page in a browser'))('in a browser', () => {
  let demo: Demo;
  let table: string;
  let orders: string;
  let incident: { id: string; name: string };
  beforeAll(async () => {
    demo = await openDemo();
    await demo.work();
    const { search, incidents } = await demo.ask(
      `{ search(query: "fct_orders", first: 1) { nodes { resource { id } } }
        incidents(first: 1, status: active) { nodes { id name targetId } } }`,
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
    await page.getByText('You’re all caught up.').waitFor(waiting);
    await page.getByRole('button', { name: 'Most used', pressed: true }).waitFor(waiting);
    expect(await page.locator(mine).getByRole('link').count()).toBe(0);
  });

  test('shows incidents and questions on what one owns, alone or with a group, and no others', async () => {
    const editor = demo.catalog.idOf('editor');
    const viewer = demo.catalog.idOf('viewer');
    await update(table, { addOwnerIds: [editor] });
    const { createGroup } = await demo.ask(
      'mutation ($input: CreateGroupInput!) { createGroup(input: $input) { id } }',
      { input: { name: named('Till'), addMemberIds: [viewer] } },
    );
    await update(orders, { addOwnerGroupIds: [createGroup.id] });
    const ask = (input: object) =>
      demo.ask('mutation ($input: CreateQuestionInput!) { createQuestion(input: $input) { id } }', {
        input,
      });
    const cents = named('Why cents?');
    const euros = named('Why euros?');
    await ask({ title: cents, ownerGroupIds: [createGroup.id] });
    await ask({ title: euros, assignedToId: editor });
    await ask({ title: 'Why at all?', assignedToId: editor, answer: 'To live.' });

    await using owner = await demo.open({ key: demo.catalog.keyOf('editor') });
    const own = owner.page.locator(mine);
    await own.getByRole('link', { name: incident.name }).waitFor(waiting);
    await own.getByRole('link', { name: euros }).waitFor(waiting);
    expect(await own.getByText(/^Why (cents|at all)/).count()).toBe(0);
    await own.getByRole('link', { name: incident.name }).click();
    await expect.poll(() => owner.page.url()).toContain(`/incidents/${incident.id}`);

    await using member = await demo.open({ key: demo.catalog.keyOf('viewer') });
    const theirs = member.page.locator(mine);
    await theirs.getByRole('link', { name: cents }).waitFor(waiting);
    expect(await theirs.getByText('Why euros?').count()).toBe(0);
    expect(await theirs.getByText(incident.name).count()).toBe(0);
    await theirs.getByRole('link', { name: cents }).click();
    await member.page.getByRole('heading', { name: cents, level: 1 }).waitFor(waiting);
  });

  test('shows what changed of what one subscribes to; news come by themselves, and are read', async () => {
    const key = demo.catalog.keyOf('viewer');
    const said = named('Said anew');
    // As if nothing had happened before.
    await demo.catalog.graphql(
      'mutation ($id: ID!) { subscribeToResource(id: $id, on: false) { id } markNotificationsRead }',
      { id: table },
      { as: 'viewer' },
    );
    await using subscribing = await demo.open({ key, path: `/resource/${table}` });
    await subscribing.page.getByRole('button', { name: 'Follow', exact: true }).click();
    await subscribing.page.getByRole('button', { name: 'Following' }).waitFor(waiting);
    await using visited = await demo.open({ key });
    const own = visited.page.locator(mine);
    await own.getByRole('heading', { name: 'Changes you follow' }).waitFor(waiting);
    expect(await own.getByRole('heading', { name: 'Notifications' }).count()).toBe(0);
    await update(table, { description: said });
    // As if it were an hour later: changes are gathered before people are notified.
    await rows(
      demo.catalog.admin,
      Prisma.sql`update resource_change set noted_at = now() - interval '1 hour'`,
    );
    await startGathering(demo.catalog.admin);
    await demo.work();
    await own.getByRole('heading', { name: 'Notifications' }).waitFor(waiting);
    await own.getByRole('button', { name: 'Mark all as read' }).click();
    await expect
      .poll(() => own.getByRole('heading', { name: 'Notifications' }).count(), waiting)
      .toBe(0);
  });

  test('says how the catalog is, and of sources only to who may read them', async () => {
    await using visited = await demo.open();
    const health = visited.page.locator('.health');
    await health.getByRole('link', { name: /^\d+ open incidents?$/ }).waitFor(waiting);
    const { coverage } = await demo.ask(
      '{ coverage(where: { kind: { in: [table, dashboard] } }) { total owned } }',
    );
    const bar = health.getByRole('progressbar', { name: /^With owner/ });
    expect(await bar.getAttribute('max')).toBe(String(coverage.total));
    expect(await bar.getAttribute('value')).toBe(String(coverage.owned));
    await health.getByRole('link', { name: 'Storefront' }).waitFor(waiting);
    await using viewer = await demo.open({ key: demo.catalog.keyOf('viewer') });
    await viewer.page.locator('.health').getByRole('progressbar').first().waitFor(waiting);
    expect(await viewer.page.getByText('Source freshness').count()).toBe(0);
    await using guest = await demo.open({ key: demo.catalog.keyOf('guest') });
    await guest.page.getByText('Ask an admin to add you to a team.').waitFor(waiting);
    expect(await guest.page.getByRole('alert').count()).toBe(0);
  });

  test('a question on a resource finds who owns it, is answered there, and is listed', async () => {
    const key = demo.catalog.keyOf('viewer');
    const asked = named('Is tax in it?');
    await update(orders, { ownerIds: [demo.catalog.idOf('editor')] });
    await using asking = await demo.open({ key, path: `/resource/${orders}?tab=questions` });
    const section = asking.page.locator('section', { hasText: 'Ask a question' }).last();
    await section.getByText('Ask a question').click();
    await section.getByLabel('Question', { exact: true }).fill(asked);
    await section.getByLabel('Details').fill('Of *total*.');
    await section.getByRole('button', { name: 'Ask question', exact: true }).click();
    const question = section.getByRole('group').filter({ hasText: asked });
    await question.getByText('open', { exact: true }).waitFor(waiting);

    await using answering = await demo.open({ key: demo.catalog.keyOf('editor') });
    const { page } = answering;
    await page.locator(mine).getByRole('link', { name: asked }).click();
    await page.getByRole('heading', { name: asked, level: 1 }).waitFor(waiting);
    await page.getByLabel('Reply', { exact: true }).fill('It is **not**.');
    await page.getByRole('button', { name: 'Send reply' }).click();
    await page.getByText('It is not.').waitFor(waiting);
    await page.getByRole('link', { name: 'analytics.core.fct_orders' }).click();
    await page.getByRole('heading', { name: 'fct_orders', level: 1 }).waitFor(waiting);

    await asking.page.reload();
    await question.getByText(asked).click();
    await question.getByRole('button', { name: 'Accept answer' }).click();
    await question.getByText('answered', { exact: true }).waitFor(waiting);
    const rail = asking.page.getByRole('complementary').getByRole('navigation', { name: 'Main' });
    await rail.getByRole('link', { name: 'Questions' }).click();
    const row = asking.page.getByRole('listitem').filter({ hasText: asked });
    await row.getByText('answered', { exact: true }).waitFor(waiting);
    await asking.page.getByLabel('Status').selectOption('open');
    await expect.poll(() => row.count(), waiting).toBe(0);
    expect(new URL(asking.page.url()).searchParams.get('status')).toBe('Unanswered');
    expect(asking.problems).toEqual([]);
  });

  test('a guest asks nothing, and is offered nothing that would be refused', async () => {
    const key = demo.catalog.keyOf('guest');
    for (const path of ['/', '/questions', '/sessions']) {
      await using visited = await demo.open({ key, path });
      const { page } = visited;
      await page.getByRole('heading', { level: 1 }).waitFor(waiting);
      await whenKnown(page);
      expect(await page.getByRole('alert').count(), path).toBe(0);
      const refused = /^(Ask question|Send reply|End session|Sign out everywhere|Accept answer)$/;
      expect(await page.locator('main').getByRole('button', { name: refused }).count()).toBe(0);
    }
  });

  test('sessions are seen and ended by those whose they are, and by admins', async () => {
    const editor = demo.catalog.idOf('editor');
    await demo.ask('mutation ($id: ID!) { signOutEverywhere(userId: $id) }', { id: editor });
    const signIn = () => demo.open({ path: `/sessions#code=${demo.codeFor(editor)}` });
    await using first = await signIn();
    await first.page.getByText('this browser').waitFor(waiting);
    await using second = await signIn();
    await second.page.getByText('this browser').waitFor(waiting);
    await first.page.reload();
    const rows = first.page.locator('.monitors > li');
    await expect.poll(() => rows.count(), waiting).toBe(2);
    // No one but admins looks at those of others.
    expect(await first.page.getByLabel('Person').count()).toBe(0);
    await rows.filter({ hasNotText: 'this browser' }).getByRole('button', { name: /^End/ }).click();
    await expect.poll(() => rows.count(), waiting).toBe(1);
    await second.page.getByRole('combobox', { name: 'Search the catalog' }).fill('orders');
    await second.page.getByLabel('API key').waitFor(waiting);

    await using admin = await demo.open({ path: '/admin' });
    const { page } = admin;
    await page
      .getByRole('row')
      .getByRole('link', { name: /editor/i })
      .click();
    await page.getByRole('link', { name: /^Sessions of .*editor/i }).click();
    await page.getByRole('heading', { name: /^Sessions of/ }).waitFor(waiting);
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByText('This ends all of these sessions now').waitFor(waiting);
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByText('No active sessions.').waitFor(waiting);
    await first.page.getByRole('combobox', { name: 'Search the catalog' }).fill('orders');
    await first.page.getByLabel('API key').waitFor(waiting);
  });

  test('are well made however one looks', async () => {
    await update(table, { addOwnerIds: [demo.catalog.idOf('admin')] });
    await update(orders, { addOwnerIds: [demo.catalog.idOf('admin')] });
    const code = demo.codeFor(demo.catalog.idOf('admin'));
    for (const [name, path] of [
      ['sessions', `/sessions#code=${code}`],
      ['home', '/'],
    ] as const) {
      await using visited = await demo.open({ path });
      await expectWellMade(visited.page, name);
    }
  });
});
