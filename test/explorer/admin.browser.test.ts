// Admin pages, the audit log and the history of a resource, in a browser: what people see and do.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hasBrowser } from '../browser.ts';
import { type Demo, expectWellMade, looks, named, openDemo, waiting, whenKnown } from './demo.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 300_000 });

describe.skipIf(!hasBrowser('Admin pages in a browser'))('in a browser', () => {
  let demo: Demo;
  let table: string;
  beforeAll(async () => {
    demo = await openDemo();
    await demo.work();
    const { search } = await demo.ask(
      '{ search(query: "fct_orders", first: 1) { nodes { resource { id } } } }',
    );
    table = search.nodes[0].resource.id;
  });
  afterAll(() => demo?.[Symbol.asyncDispose]());

  test('people are added, given another role, and deactivated after a second click', async () => {
    await using visited = await demo.open({ path: '/admin' });
    const { page, problems } = visited;
    const name = named('Newa');
    const email = `${name.replace(' ', '.').toLowerCase()}@harbor.example`;
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Given name').fill(name);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const role = page.getByLabel(`Role of ${name}`);
    await role.waitFor(waiting);
    expect(await role.inputValue()).toBe('viewer');
    const read = async () => {
      const { users } = await demo.ask(
        'query ($email: String) { users(search: $email, archived: true, first: 1) { nodes { role archived } } }',
        { email },
      );
      return users.nodes[0];
    };
    await role.selectOption('editor');
    await expect.poll(read, waiting).toEqual({ role: 'editor', archived: false });
    const row = page.getByRole('listitem').filter({ hasText: email });
    await row.getByRole('button', { name: `Deactivate ${name}` }).click();
    await row.getByText('Their keys stop working at once.').waitFor(waiting);
    expect((await read()).archived).toBe(false);
    await row.getByRole('button', { name: 'Deactivate', exact: true }).click();
    await expect.poll(read, waiting).toEqual({ role: 'editor', archived: true });
    await expect.poll(() => row.count(), waiting).toBe(0);
    await page.getByLabel('Show those who were deactivated').check();
    await row.getByRole('button', { name: 'Reactivate' }).click();
    await expect.poll(read, waiting).toEqual({ role: 'editor', archived: false });
    expect(problems).toEqual([]);
  });

  test('a key is shown once, works, and ends when it is revoked', async () => {
    await using visited = await demo.open({ path: '/admin?part=keys' });
    const { page } = visited;
    const name = named('Nightly report');
    await page.getByLabel('What it is for').fill(name);
    await page.getByRole('button', { name: 'Create a key' }).click();
    const shown = page.locator('.secret');
    await shown.waitFor(waiting);
    const key = await shown.innerText();
    const asked = () => demo.catalog.graphql('{ viewer { role } }', {}, { key });
    expect((await asked()).data.viewer.role).toBe('admin');
    await page.getByRole('button', { name: 'I have it' }).click();
    await expect.poll(() => shown.count()).toBe(0);
    const row = page.getByRole('listitem').filter({ hasText: name });
    await row.getByRole('button', { name: `Revoke ${name}` }).click();
    await row.getByRole('button', { name: 'No' }).click();
    expect((await asked()).errors).toBeUndefined();
    await row.getByRole('button', { name: `Revoke ${name}` }).click();
    await row.getByRole('button', { name: 'Revoke', exact: true }).click();
    await row.getByText('revoked').waitFor(waiting);
    expect((await asked()).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    // The key is in no address, and was shown nowhere else.
    expect(visited.files.some((file) => file.includes(key))).toBe(false);
  });

  test('a webhook is made, tested, and turned off; its deliveries say how they went', async () => {
    await using visited = await demo.open({ path: '/admin?part=webhooks' });
    const { page } = visited;
    const name = named('Pager');
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Address').fill('https://pager.example/hook');
    // Other services have a form for what begins or ends something alone.
    const asked = page.getByLabel('somebody asks a question');
    await asked.waitFor(waiting);
    await page.getByLabel('In the form of').selectOption('pagerduty');
    await asked.waitFor({ ...waiting, state: 'detached' });
    await page.getByLabel('an incident opens').waitFor(waiting);
    await page.getByLabel('In the form of').selectOption('headwater');
    await page.getByRole('button', { name: 'Create a webhook' }).click();
    await page.getByText('Requests are signed with this secret.').waitFor(waiting);
    await page.getByRole('button', { name: 'I have it' }).click();
    const row = page.getByRole('listitem').filter({ hasText: name });
    await row.getByText('sent when an incident opens').waitFor(waiting);
    await row.getByText('Deliveries').click();
    await row.getByText('Nothing was sent yet.').waitFor(waiting);
    await row.getByRole('button', { name: `Turn off ${name}` }).click();
    await row.getByRole('button', { name: `Turn on ${name}` }).waitFor(waiting);
    const { webhooks } = await demo.ask('{ webhooks(first: 5) { nodes { name isEnabled } } }');
    expect(webhooks.nodes).toContainEqual({ name, isEnabled: false });
  });

  test('a group is made, renamed, given members and deleted', async () => {
    await using visited = await demo.open({ path: '/admin?part=groups' });
    const { page, problems } = visited;
    const name = named('Keepers');
    await page.getByRole('button', { name: 'Create a group' }).waitFor(waiting);
    await page.getByLabel('Name').last().fill(name);
    await page.getByRole('button', { name: 'Create a group' }).click();
    const row = page.getByRole('listitem').filter({ hasText: name });
    await row.getByText('0 members').click();
    await row.getByLabel(`Add to ${name}`).selectOption({ label: 'Lea Novak' });
    await row.getByText('1 member').waitFor(waiting);
    await row.getByText('Rename').click();
    await row.getByLabel('Name').fill(`Till ${name}`);
    await row.getByRole('button', { name: 'Save' }).click();
    const read = async () => {
      const { groups } = await demo.ask(
        '{ groups(first: 50) { nodes { name members { name } } } }',
      );
      return groups.nodes.find((one: { name: string }) => one.name.endsWith(name));
    };
    await expect
      .poll(read, waiting)
      .toEqual({ name: `Till ${name}`, members: [{ name: 'Lea Novak' }] });
    const renamed = page.getByRole('listitem').filter({ hasText: `Till ${name}` });
    // What was open stays open.
    await renamed.getByRole('button', { name: 'Remove Lea Novak' }).click();
    await expect.poll(async () => (await read()).members, waiting).toEqual([]);
    await renamed.getByRole('button', { name: `Delete Till ${name}` }).click();
    await renamed.getByText('Its resources will no longer have this owner.').waitFor(waiting);
    await renamed.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.poll(read, waiting).toBeUndefined();
    expect(problems).toEqual([]);
  });

  test('a team is made closed, given members and deleted; the default one stays', async () => {
    await using visited = await demo.open({ path: '/admin?part=teams' });
    const { page } = visited;
    const name = named('Auditors');
    await page.getByRole('button', { name: 'Create a team' }).waitFor(waiting);
    await page.getByLabel('Name').last().fill(name);
    await page.getByLabel('Who may join').selectOption('Invite only');
    await page.getByRole('button', { name: 'Create a team' }).click();
    const row = page.getByRole('listitem').filter({ hasText: name });
    await row.getByText('closed').waitFor(waiting);
    // Who makes a team is in it.
    await row.getByText('1 member').click();
    await row.getByLabel(`Add to ${name}`).selectOption({ label: 'Lea Novak' });
    await row.getByText('2 members').waitFor(waiting);
    const read = async () => {
      const { teams } = await demo.ask(
        '{ teams(first: 50) { nodes { name type members { name } } } }',
      );
      return teams.nodes.find((one: { name: string }) => one.name === name);
    };
    const made = await read();
    expect([made.type, made.members.length]).toEqual(['CLOSED', 2]);
    expect(made.members).toContainEqual({ name: 'Lea Novak' });
    await row.getByRole('button', { name: `Delete ${name}` }).click();
    await row.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.poll(read, waiting).toBeUndefined();
    await expect.poll(() => row.count(), waiting).toBe(0);
    const stays = page.getByRole('listitem').filter({ hasText: 'default' });
    await stays.waitFor(waiting);
    expect(await stays.getByRole('button', { name: /^Delete/ }).count()).toBe(0);
  });

  test('a rule says whom it notifies of what, warns of who is not notified, is paused and deleted', async () => {
    await using visited = await demo.open({ path: '/admin?part=rules' });
    const { page } = visited;
    const name = named('Till trouble');
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('an incident ends').check();
    await page
      .getByRole('searchbox', { name: 'These, and what lies within them' })
      .fill('fct_orders');
    await page
      .getByRole('button', { name: /fct_orders/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Remove fct_orders' }).waitFor(waiting);
    await page.getByLabel('People').selectOption({ label: 'Lea Novak' });
    await page.getByLabel(/^Email addresses/).fill('till@harbor.example, desk@harbor.example');
    await page.getByText('No mail server is set, so no email is sent.').waitFor(waiting);
    await page.getByRole('button', { name: 'Create a rule' }).click();
    const row = page.getByRole('listitem').filter({ hasText: name });
    await row.getByText('Lea Novak').waitFor(waiting);
    await row.getByText('only on analytics.core.fct_orders').waitFor(waiting);
    const read = async () => {
      const { notificationRules } = await demo.ask(
        '{ notificationRules(first: 10) { nodes { name isEnabled events emails warnings } } }',
      );
      return notificationRules.nodes.find((one: { name: string }) => one.name === name);
    };
    const made = await read();
    expect(made).toMatchObject({
      isEnabled: true,
      events: ['incident_opened', 'incident_resolved'],
      emails: ['till@harbor.example', 'desk@harbor.example'],
    });
    expect(made.warnings.length).toBeGreaterThan(0);
    for (const warning of made.warnings) await row.getByText(warning).waitFor(waiting);
    await row.getByRole('button', { name: `Turn off ${name}` }).click();
    await row.getByRole('button', { name: `Turn on ${name}` }).waitFor(waiting);
    expect((await read()).isEnabled).toBe(false);
    await row.getByRole('button', { name: `Delete ${name}` }).click();
    await row.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.poll(read, waiting).toBeUndefined();
  });

  test('the audit log says who changed what, and the address holds its filters', async () => {
    await demo.ask(
      'mutation ($id: ID!) { updateResource(id: $id, input: { description: "For the audit" }) { id } }',
      { id: table },
    );
    await using visited = await demo.open({ path: '/audit' });
    const { page } = visited;
    await page.getByRole('searchbox', { name: 'On' }).fill('fct_orders');
    await page.getByLabel('What').selectOption('table');
    await expect.poll(() => new URL(page.url()).searchParams.get('on'), waiting).toBe('fct_orders');
    // The entries before are shown until those that are wanted come.
    await page.locator('[aria-busy=false] > .entries').waitFor(waiting);
    const entry = page.locator('.entries > li').first();
    await entry.getByText('1 difference').click();
    await entry.getByText('For the audit').waitFor(waiting);
    expect(await entry.locator('del').innerText()).toContain('One row per placed order');
    await page.reload();
    await entry.getByRole('link', { name: 'fct_orders' }).click();
    await page.getByRole('heading', { name: 'fct_orders', level: 1 }).waitFor(waiting);
  });

  test('a resource shows its versions line by line, and what was done with it', async () => {
    const { id } = await demo.catalog.resource({ title: 'grown', definition: 'One.\nTwo.' });
    const write = (definition: string) =>
      demo.ask(
        'mutation ($id: ID!, $definition: String!) { updateResource(id: $id, input: { definition: $definition }) { id } }',
        { id, definition },
      );
    await write('One.\nThree.');
    await using visited = await demo.open({ path: `/resource/${id}` });
    const { page } = visited;
    await page.getByText('Versions of the documentation').click();
    await page.getByText('What changed').first().click();
    const difference = page.locator('.difference').first();
    await difference.locator('.after', { hasText: 'Three.' }).waitFor(waiting);
    expect(await difference.locator('.before').innerText()).toContain('Two.');
    expect(await difference.locator('.both').innerText()).toContain('One.');
    await page.getByText('Activity', { exact: true }).click();
    await page.getByText('table updated').first().waitFor(waiting);
  });

  test('owners and tags are added and taken away, and nothing of others is lost', async () => {
    const { id } = await demo.catalog.resource({ title: 'ownerless' });
    const tag = await demo.catalog.tag({ name: named('by somebody else') });
    await using visited = await demo.open({ path: `/resource/${id}` });
    const { page } = visited;
    await page.getByLabel('Add an owner').selectOption('Lea Novak');
    await page.getByRole('button', { name: 'Remove Lea Novak' }).waitFor(waiting);
    // Somebody tags it while the page is open.
    await demo.ask(
      'mutation ($id: ID!, $tag: ID!) { updateResource(id: $id, input: { addTagIds: [$tag] }) { id } }',
      { id, tag: tag.id },
    );
    await page.getByLabel('Add a tag').selectOption('core');
    await page.getByRole('button', { name: `Remove ${tag.name}` }).waitFor(waiting);
    await page.getByRole('button', { name: 'Remove Lea Novak' }).click();
    await page.getByText('No owner yet.').waitFor(waiting);
    const { resource } = await demo.ask(
      'query ($id: ID!) { resource(id: $id) { owners { name } tags { name } } }',
      { id },
    );
    expect(resource.owners).toEqual([]);
    expect(resource.tags.map(({ name }: { name: string }) => name).sort()).toEqual([
      tag.name,
      'core',
    ]);
  });

  test('lineage shows what decides about rows as dashed lines, and only the wanted kinds', async () => {
    await using visited = await demo.open({ path: `/lineage/${table}?level=column&steps=1` });
    const { page } = visited;
    await page.getByRole('article', { name: 'fct_orders' }).waitFor(waiting);
    expect(await page.getByText('dashed lines').count()).toBe(0);
    await page.getByLabel('What decides about rows').check();
    await page.getByText('dashed lines only decide about rows').waitFor(waiting);
    await page.getByRole('button', { name: 'Table', exact: true }).click();
    await page
      .getByText(/decides about rows \(.*(join|filter)/)
      .first()
      .waitFor(waiting);
    await using chosen = await demo.open({ path: `/lineage/${table}?steps=2` });
    const other = chosen.page;
    await other.getByRole('article', { name: 'Delivery time' }).waitFor(waiting);
    await other.locator('summary', { hasText: 'Kinds' }).click();
    await other.getByLabel('tables').check();
    await expect
      .poll(() => other.getByRole('article', { name: 'Delivery time' }).count(), waiting)
      .toBe(0);
    expect(await other.getByRole('article', { name: 'dim_customers' }).count()).toBe(1);
    expect(new URL(other.url()).searchParams.get('kinds')).toBe('table');
  });

  test.each(['editor', 'viewer', 'guest'] as const)(
    'a %s finds nothing to manage but what it may',
    async (role) => {
      const key = demo.catalog.keyOf(role);
      await using admin = await demo.open({ key, path: '/admin?part=teams' });
      if (role === 'editor') {
        await admin.page.getByRole('button', { name: 'Create a tag' }).waitFor(waiting);
        const parts = admin.page.locator('.tabs button');
        expect(await parts.allInnerTexts()).toEqual(['Tags', 'Notification rules']);
        await parts.last().click();
        await admin.page.getByLabel('Groups').waitFor(waiting);
        expect(await admin.page.getByLabel('Webhooks').count()).toBe(0);
        expect(await admin.page.getByRole('alert').count()).toBe(0);
      } else {
        await admin.page.getByText('Your role may not manage anything here.').waitFor(waiting);
        expect(await admin.page.getByRole('link', { name: 'Admin' }).count()).toBe(0);
      }
      expect(await admin.page.getByRole('link', { name: 'Audit' }).count()).toBe(0);
      await using audit = await demo.open({ key, path: '/audit' });
      await audit.page.getByText('Your role may not read the audit log.').waitFor(waiting);
      if (role === 'guest') return;
      await using resource = await demo.open({ key, path: `/resource/${table}` });
      await resource.page.getByRole('heading', { name: 'Owners' }).waitFor(waiting);
      await resource.page.getByText('Versions of the documentation').click();
      await resource.page.locator('.entries, .reached p').first().waitFor(waiting);
      await whenKnown(resource.page);
      expect(await resource.page.getByText('Activity', { exact: true }).count()).toBe(0);
      expect(await resource.page.getByRole('alert').count()).toBe(0);
      const adding = resource.page.getByLabel('Add an owner');
      if (role === 'viewer') expect(await adding.count()).toBe(0);
      else await adding.waitFor(waiting);
    },
  );

  test.each(looks)('are well made at $width px, dark: $isDark', async (look) => {
    const { tags } = await demo.ask('{ tags(first: 100) { nodes { id name } } }');
    const core = tags.nodes.find(({ name }: { name: string }) => name === 'core');
    await demo.ask(
      'mutation ($input: CreateNotificationRuleInput!) { createNotificationRule(input: $input) { id } }',
      {
        input: {
          name: `Core tables at ${look.width} px${look.isDark ? ', dark' : ''}`,
          events: ['incident_opened', 'incident_resolved'],
          tagIds: [core.id],
          emails: ['data@harbor.example'],
        },
      },
    );
    for (const [name, path] of [
      ['admin-people', '/admin'],
      ['admin-keys', '/admin?part=keys'],
      ['admin-groups', '/admin?part=groups'],
      ['admin-teams', '/admin?part=teams'],
      ['admin-rules', '/admin?part=rules'],
      ['admin-webhooks', '/admin?part=webhooks'],
      ['audit', '/audit'],
    ] as const) {
      await using visited = await demo.open({ path, ...look });
      await expectWellMade(visited.page, name, look);
    }
  });
});
