// Admin pages, the audit log and the history of a resource, in a browser: what people see and do.

import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hasBrowser } from '../../browser.ts';
import { type Demo, expectWellMade, named, openDemo, waiting, whenKnown } from '../demo.ts';
import { choose } from '../visit.ts';

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

  test('people are added, given another role, and deactivated with what they own', async () => {
    await using visited = await demo.open({ path: '/admin' });
    const { page, problems } = visited;
    const name = named('Newa');
    const email = `${name.replace(' ', '.').toLowerCase()}@harbor.example`;
    await page.getByRole('link', { name: 'Invite people' }).click();
    const side = page.getByRole('region', { name: 'Invite people' });
    await side.getByLabel('Email').fill(email);
    await side.getByLabel('First name').fill(name);
    await side.getByLabel('Create a link that signs them in once').uncheck();
    await side.getByRole('button', { name: 'Add person' }).click();
    const row = page.getByRole('row').filter({ hasText: email });
    await row.getByText('viewer', { exact: true }).waitFor(waiting);
    const read = async () => {
      const { users } = await demo.ask(
        'query ($email: String) { users(search: $email, archived: true, first: 1) { nodes { id role archived } } }',
        { email },
      );
      return users.nodes[0];
    };
    const { id } = await read();
    const owned = await demo.catalog.resource({ title: named('handed_over') });
    await demo.ask(
      'mutation ($id: ID!, $owner: ID!) { updateResource(id: $id, input: { addOwnerIds: [$owner] }) { id } }',
      { id: owned.id, owner: id },
    );
    const owners = async () => {
      const { resource } = await demo.ask(
        'query ($id: ID!) { resource(id: $id) { owners { name } } }',
        { id: owned.id },
      );
      return resource.owners.map((one: { name: string }) => one.name);
    };
    await row.getByRole('link', { name }).click();
    await page.getByLabel('Role').selectOption('editor');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect.poll(read, waiting).toEqual({ id, role: 'editor', archived: false });
    await page.getByRole('status').getByText(`Saved ${name}`).waitFor(waiting);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect.poll(read, waiting).toEqual({ id, role: 'viewer', archived: false });

    await row.getByRole('link', { name }).click();
    await page.getByRole('button', { name: 'Deactivate' }).click();
    const dialog = page.getByRole('dialog', { name: `Deactivate ${name}?` });
    await dialog.getByText('Owns 1 resource.').waitFor(waiting);
    await choose(dialog, 'New owner', 'Lea Novak');
    expect((await read()).archived).toBe(false);
    await dialog.getByRole('button', { name: 'Deactivate' }).click();
    await expect.poll(read, waiting).toEqual({ id, role: 'viewer', archived: true });
    await expect.poll(() => row.count(), waiting).toBe(0);
    expect(await owners()).toEqual(['Lea Novak']);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect.poll(read, waiting).toEqual({ id, role: 'viewer', archived: false });
    await expect.poll(owners, waiting).toEqual([name]);
    expect(problems).toEqual([]);
  });

  test('a person is invited by a link that opens their profile once, in a browser of their own', async () => {
    await using visited = await demo.open({ path: '/admin?part=people' });
    const { page } = visited;
    const name = named('Noa');
    const email = `${name.replace(' ', '.').toLowerCase()}@harbor.example`;
    await page.getByRole('link', { name: 'Invite people' }).click();
    const side = page.getByRole('region', { name: 'Invite people' });
    await side.getByLabel('Email').fill(email);
    await side.getByLabel('First name').fill(name);
    await side.getByLabel('Role').selectOption('viewer');
    await side.getByRole('button', { name: 'Create invitation' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invitation ready' });
    const link = await dialog.getByLabel('Link').inputValue();
    await expectWellMade(page, 'admin-invitation');
    await dialog.getByRole('button', { name: 'Done' }).click();
    const row = page.getByRole('row').filter({ hasText: email });
    await row.getByText('Invited, 7 days left').waitFor(waiting);

    await using arriving = await demo.open({ path: link.slice(demo.base.length), key: '' });
    const own = arriving.page;
    await own.getByRole('heading', { name: 'Profile', level: 1 }).waitFor(waiting);
    await own.getByRole('button', { name: 'New API key' }).waitFor(waiting);
    expect(own.url()).not.toContain('code');
    await page.reload();
    await row.getByText('active').waitFor(waiting);
    await using second = await demo.open({ path: link.slice(demo.base.length), key: '' });
    await second.page.getByRole('alert').filter({ hasText: 'works once' }).waitFor(waiting);
  });

  test('a key is shown once, works, and ends when its name was typed to revoke it', async () => {
    await using visited = await demo.open({ path: '/admin?part=keys' });
    const { page } = visited;
    const name = named('Nightly report');
    await page.getByRole('button', { name: 'New API key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByRole('button', { name: 'New API key' }).click();
    const shown = page.locator('.secret');
    await shown.waitFor(waiting);
    const key = await shown.innerText();
    const asked = () => demo.catalog.graphql('{ viewer { role } }', {}, { key });
    expect((await asked()).data.viewer.role).toBe('admin');
    await page.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => shown.count()).toBe(0);
    const row = page.getByRole('row').filter({ hasText: name });
    await row.getByRole('button', { name: `Replace ${name}` }).click();
    await dialog.getByRole('button', { name: 'Replace', exact: true }).click();
    await shown.waitFor(waiting);
    const other = await shown.innerText();
    expect(other).not.toBe(key);
    await page.getByRole('button', { name: 'Done' }).click();
    // For a day both of them work.
    for (const one of [key, other]) {
      expect(
        (await demo.catalog.graphql('{ viewer { id } }', {}, { key: one })).errors,
      ).toBeUndefined();
    }
    await expect.poll(() => row.count(), waiting).toBe(2);
    const old = row.last();
    await old.getByRole('button', { name: `Revoke ${name}` }).click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await old.getByRole('button', { name: `Revoke ${name}` }).click();
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
    await dialog.getByText('This is not the name.').waitFor(waiting);
    expect((await asked()).errors).toBeUndefined();
    await dialog.getByLabel(`Type ${name} to confirm`).fill(name);
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
    await old.getByText('revoked').waitFor(waiting);
    expect((await asked()).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    // The key is in no address, and was shown nowhere else.
    expect(visited.files.some((file) => file.includes(key))).toBe(false);
  });

  test('a webhook is made, changed, turned off and given another secret, which is shown once', async () => {
    await using visited = await demo.open({ path: '/admin?part=webhooks' });
    const { page } = visited;
    const name = named('Pager');
    await page.getByRole('link', { name: 'New webhook' }).click();
    const side = page.locator('.side');
    await side.getByLabel('Name').fill(name);
    await side.getByLabel('URL').fill('https://pager.example/hook');
    // Other services have a form for what begins or ends something alone.
    const asked = side.getByLabel('question asked');
    await asked.waitFor(waiting);
    await side.getByLabel('Format').selectOption('pagerduty');
    await asked.waitFor({ ...waiting, state: 'detached' });
    await side.getByLabel('incident opened').waitFor(waiting);
    await side.getByLabel('Format').selectOption('headwater');
    await side.getByRole('button', { name: 'New webhook' }).click();
    const secret = page.locator('.secret');
    await secret.waitFor(waiting);
    const first = await secret.innerText();
    await page.getByRole('button', { name: 'Done' }).click();
    const row = page.getByRole('row').filter({ hasText: name });
    await row.getByRole('link', { name }).click();
    await side.getByText('No deliveries yet').waitFor(waiting);
    await side.getByRole('button', { name: 'Turn off' }).click();
    await side.getByRole('button', { name: 'Turn on' }).waitFor(waiting);
    await side.getByLabel('URL').fill('https://pager.example/other');
    await side.getByRole('button', { name: 'Save changes' }).click();
    const read = async () => {
      const { webhooks } = await demo.ask(
        '{ webhooks(first: 5) { nodes { name url isEnabled } } }',
      );
      return webhooks.nodes.find((one: { name: string }) => one.name === name);
    };
    await expect
      .poll(read, waiting)
      .toEqual({ name, url: 'https://pager.example/other', isEnabled: false });
    await side.getByRole('button', { name: `Replace secret ${name}` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Replace secret', exact: true }).click();
    await secret.waitFor(waiting);
    expect(await secret.innerText()).not.toBe(first);
    await page.getByRole('button', { name: 'Done' }).click();
    await side.getByText('The old secret ends').waitFor(waiting);
  });

  test('a group is made, renamed, given members and deleted', async () => {
    await using visited = await demo.open({ path: '/admin?part=groups' });
    const { page, problems } = visited;
    const name = named('Keepers');
    await page.getByRole('link', { name: 'New group' }).click();
    const side = page.locator('.side');
    await side.getByLabel('Name').fill(name);
    await side.getByRole('button', { name: 'New group' }).click();
    await page.getByRole('row').getByRole('link', { name }).click();
    await choose(side, `Add to ${name}`, 'Lea Novak');
    await side.getByText('1 member').waitFor(waiting);
    await side.getByLabel('Name', { exact: true }).fill(`Till ${name}`);
    await side.getByRole('button', { name: 'Save changes' }).click();
    const read = async () => {
      const { groups } = await demo.ask(
        '{ groups(first: 50) { nodes { name members { name } } } }',
      );
      return groups.nodes.find((one: { name: string }) => one.name.endsWith(name));
    };
    await expect
      .poll(read, waiting)
      .toEqual({ name: `Till ${name}`, members: [{ name: 'Lea Novak' }] });
    await page
      .getByRole('row')
      .getByRole('link', { name: `Till ${name}` })
      .click();
    await side.getByRole('button', { name: 'Remove Lea Novak' }).click();
    await expect.poll(async () => (await read()).members, waiting).toEqual([]);
    await side.getByRole('button', { name: `Delete Till ${name}` }).click();
    await page.getByText('Its resources lose this owner.').waitFor(waiting);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.poll(read, waiting).toBeUndefined();
    expect(problems).toEqual([]);
  });

  test('a team is made closed, given members and deleted; the default one stays', async () => {
    await using visited = await demo.open({ path: '/admin?part=teams' });
    const { page } = visited;
    const name = named('Auditors');
    await page.getByRole('link', { name: 'New team' }).click();
    const side = page.locator('.side');
    await side.getByLabel('Name').fill(name);
    await side.getByLabel('Membership').selectOption('By invitation');
    await side.getByRole('button', { name: 'New team' }).click();
    const row = page.getByRole('row').filter({ hasText: name });
    await row.getByText('By invitation').waitFor(waiting);
    await row.getByRole('link', { name }).click();
    // Who makes a team is in it.
    await side.getByText('1 member').waitFor(waiting);
    await choose(side, `Add to ${name}`, 'Lea Novak');
    await side.getByText('2 members').waitFor(waiting);
    const read = async () => {
      const { teams } = await demo.ask(
        '{ teams(first: 50) { nodes { name type members { name } } } }',
      );
      return teams.nodes.find((one: { name: string }) => one.name === name);
    };
    const made = await read();
    expect([made.type, made.members.length]).toEqual(['CLOSED', 2]);
    expect(made.members).toContainEqual({ name: 'Lea Novak' });
    await side.getByRole('button', { name: `Delete ${name}` }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.poll(read, waiting).toBeUndefined();
    await expect.poll(() => row.count(), waiting).toBe(0);
    await page.getByRole('row').filter({ hasText: 'default' }).getByRole('link').click();
    await side.getByRole('button', { name: 'Save changes' }).waitFor(waiting);
    expect(await side.getByRole('button', { name: /^Delete/ }).count()).toBe(0);
  });

  test('a rule says whom it notifies of what, warns of who is not notified, is paused and deleted', async () => {
    await using visited = await demo.open({ path: '/admin?part=rules' });
    const { page } = visited;
    const name = named('Till trouble');
    await page.getByRole('link', { name: 'New rule' }).click();
    const side = page.locator('.side');
    await side.getByLabel('Name').fill(name);
    await side.getByLabel('incident resolved').check();
    await choose(side, 'Resources, including what they contain', 'fct_orders');
    await side.getByRole('button', { name: 'Remove fct_orders' }).waitFor(waiting);
    await choose(side, 'People', 'Lea Novak');
    await side.getByLabel(/^Email addresses/).fill('till@harbor.example, desk@harbor.example');
    await side.getByText('Email is off: no mail server configured.').waitFor(waiting);
    await side.getByRole('button', { name: 'New rule' }).click();
    const row = page.getByRole('row').filter({ hasText: name });
    await row.getByText('Lea Novak').waitFor(waiting);
    await row.getByText('only analytics.core.fct_orders').waitFor(waiting);
    const read = async () => {
      const { notificationRules } = await demo.ask(
        '{ notificationRules(first: 10) { nodes { name isEnabled events emails warnings users { name } } } }',
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
    await row.getByRole('link', { name }).click();
    await side.getByLabel('On', { exact: true }).uncheck();
    await side.getByRole('button', { name: 'Save changes' }).click();
    await row.getByText('off', { exact: true }).waitFor(waiting);
    expect(await read()).toEqual({ ...made, isEnabled: false });
    await row.getByRole('link', { name }).click();
    await side.getByRole('button', { name: `Delete ${name}` }).click();
    await expect.poll(read, waiting).toBeUndefined();
    // What is deleted so is as it was once it is undone.
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect.poll(read, waiting).toEqual({ ...made, isEnabled: false });
  });

  test('the audit log says who changed what, and the address holds its filters', async () => {
    await demo.ask(
      'mutation ($id: ID!) { updateResource(id: $id, input: { description: "For the audit" }) { id } }',
      { id: table },
    );
    await using visited = await demo.open({ path: '/audit' });
    const { page } = visited;
    await page.getByRole('searchbox', { name: 'Resource' }).fill('fct_orders');
    await page.getByLabel('Resource type').selectOption('table');
    await expect.poll(() => new URL(page.url()).searchParams.get('on'), waiting).toBe('fct_orders');
    // The entries before are shown until those that are wanted come.
    await page.locator('[aria-busy=false] > .entries').waitFor(waiting);
    const entry = page.locator('.entries > li').first();
    await entry.getByText('1 change').click();
    await entry.getByText('For the audit').waitFor(waiting);
    expect(await entry.locator('del').innerText()).toContain('One row per placed order');
    // What the filters leave is taken along, and nothing else.
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    const [header, ...lines] = (await text(await file.createReadStream())).trimEnd().split('\r\n');
    expect(header).toBe('"Time","User","Action","Resource type","Resource","Changes"');
    expect(lines[0]).toMatch(
      /"Edited table","Table","fct_orders","description: One row .* → For the audit"$/,
    );
    expect(lines.filter((line) => !line.includes('"Table","fct_orders"'))).toEqual([]);
    // Of many that are alike, one row.
    await page.goto(`${demo.base}/audit`);
    const folded = page.locator('.entries > li > details > summary').filter({ hasText: 'times' });
    await folded.first().click();
    await page.locator('.entries.within > li').nth(2).waitFor(waiting);
    await page.goBack();
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
    await using visited = await demo.open({ path: `/resource/${id}?tab=activity` });
    const { page } = visited;
    const versions = page.locator('section', { hasText: 'Version history' });
    await versions.getByText('Changes', { exact: true }).first().click();
    const difference = versions.locator('.difference').first();
    await difference.locator('.after', { hasText: 'Three.' }).waitFor(waiting);
    expect(await difference.locator('.before').innerText()).toContain('Two.');
    expect(await difference.locator('.both').innerText()).toContain('One.');
    await page.getByText('Edited table').first().waitFor(waiting);
  });

  test('owners and tags are added and taken away, and nothing of others is lost', async () => {
    const { id } = await demo.catalog.resource({ title: 'ownerless' });
    const tag = await demo.catalog.tag({ name: named('by somebody else') });
    await using visited = await demo.open({ path: `/resource/${id}` });
    const { page } = visited;
    await choose(page, 'Add an owner', 'Lea Novak');
    await page.getByRole('button', { name: 'Remove Lea Novak' }).waitFor(waiting);
    // Somebody tags it while the page is open.
    await demo.ask(
      'mutation ($id: ID!, $tag: ID!) { updateResource(id: $id, input: { addTagIds: [$tag] }) { id } }',
      { id, tag: tag.id },
    );
    await choose(page, 'Add a tag', 'core');
    await page.getByRole('button', { name: `Remove ${tag.name}` }).waitFor(waiting);
    await page.getByRole('button', { name: 'Remove Lea Novak' }).click();
    await page.getByText('No owner').waitFor(waiting);
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
    await page.getByLabel('Show filters and joins').check();
    await page.getByText('dashed: filters and joins only').waitFor(waiting);
    await page.getByRole('button', { name: 'Table', exact: true }).click();
    await page
      .getByText(/used in .*(join|filter)/)
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
      const parts = admin.page.getByRole('navigation', { name: 'Settings' }).getByRole('link');
      const may =
        role === 'editor'
          ? ['Tags', 'Properties', 'Notification rules', 'Maintenance windows']
          : [];
      await parts.first().waitFor(waiting);
      expect(await parts.allInnerTexts()).toEqual([...may, 'Profile']);
      if (role === 'editor') {
        await parts.nth(2).click();
        await admin.page.getByRole('link', { name: 'New rule' }).click();
        await admin.page.getByLabel('Groups').waitFor(waiting);
        expect(await admin.page.getByLabel('Webhooks').count()).toBe(0);
      }
      expect(await admin.page.getByRole('alert').count()).toBe(0);
      expect(await admin.page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
      await using audit = await demo.open({ key, path: '/audit' });
      await audit.page.getByText('You don’t have access to this page.').waitFor(waiting);
      if (role === 'guest') return;
      await using resource = await demo.open({ key, path: `/resource/${table}?tab=activity` });
      await resource.page.getByRole('heading', { name: 'Owners' }).waitFor(waiting);
      await resource.page.locator('.entries, section > .quiet').first().waitFor(waiting);
      await whenKnown(resource.page);
      expect(await resource.page.getByRole('heading', { name: 'Activity' }).count()).toBe(0);
      expect(await resource.page.getByRole('alert').count()).toBe(0);
      const adding = resource.page.getByLabel('Add an owner');
      if (role === 'viewer') expect(await adding.count()).toBe(0);
      else await adding.waitFor(waiting);
    },
  );

  test('are well made however one looks', async () => {
    const { tags } = await demo.ask('{ tags(first: 100) { nodes { id name } } }');
    const core = tags.nodes.find(({ name }: { name: string }) => name === 'core');
    await demo.ask(
      'mutation ($input: CreateNotificationRuleInput!) { createNotificationRule(input: $input) { id } }',
      {
        input: {
          name: 'Core tables',
          events: ['incident_opened', 'incident_resolved'],
          tagIds: [core.id],
          emails: ['data@harbor.example'],
        },
      },
    );
    for (const [name, path] of [
      ['admin-people', '/admin'],
      ['admin-person', '/admin?part=people&open=new'],
      ['admin-keys', '/admin?part=keys'],
      ['admin-groups', '/admin?part=groups&open=new'],
      ['admin-teams', '/admin?part=teams'],
      ['admin-tags', '/admin?part=tags&open=new'],
      ['admin-properties', '/admin?part=properties&open=new'],
      ['admin-rules', '/admin?part=rules&open=new'],
      ['admin-webhooks', '/admin?part=webhooks&open=new'],
      ['admin-profile', '/admin?part=profile'],
    ] as const) {
      await using visited = await demo.open({ path });
      await expectWellMade(visited.page, name);
    }
  });
});
