// What people change on a resource's page and in forms, in a browser, while others change the same.

import { describe, expect, test, vi } from 'vitest';
import { hasBrowser } from '../browser.ts';
import { waiting } from './demo.ts';
import { choose, expectAccessible, openSite, type VisitOptions } from './visit.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 300_000 });

describe.skipIf(!hasBrowser('Editing in a browser'))('in a browser', () => {
  const site = openSite();
  const open = (options: Partial<VisitOptions> = {}) =>
    site.open({ key: site.catalog.keyOf('editor'), ...options });
  const ask = async (query: string, variables?: object) => {
    const { data, errors } = await site.catalog.graphql(query, variables);
    expect(errors).toBeUndefined();
    return data;
  };
  const values = async (id: string) => {
    const { resource } = await ask(
      'query ($id: ID!) { resource(id: $id) { customProperties { property { name } value } } }',
      { id },
    );
    return resource.customProperties.map(
      ({ property, value }: { property: { name: string }; value: string }) =>
        `${property.name}: ${value}`,
    );
  };
  const set = (id: string, resourceId: string, value: string) =>
    ask(
      'mutation ($id: ID!, $resourceId: ID!, $value: String!) { setCustomProperty(id: $id, resourceId: $resourceId, value: $value) { id } }',
      { id, resourceId, value },
    );

  test('a property is chosen, set, refused with what it takes, changed and cleared', async () => {
    const { id } = await site.catalog.resource({ title: 'described' });
    const other = await site.catalog.resource({ title: 'stands_beside' });
    await site.catalog.property({ name: 'Cost', valueType: 'number', description: 'In euros.' });
    await site.catalog.property({
      ...{ name: 'Layer', valueType: 'select', options: ['raw', 'clean'] },
      entityTypes: ['table'],
    });
    await site.catalog.property({ name: 'Twin', valueType: 'resource', entityTypes: ['table'] });
    await site.catalog.property({ name: 'Of charts', valueType: 'string', entityTypes: ['chart'] });
    await using visited = await open({ path: `/resource/${id}` });
    const { page, problems } = visited;
    const add = page.getByLabel('Add property');
    await add.waitFor(waiting);
    // What covers other kinds is not offered.
    await add.click();
    const offered = page.getByRole('option');
    await offered.first().waitFor(waiting);
    expect(await offered.allInnerTexts()).toEqual(expect.not.arrayContaining(['Of charts']));
    await choose(page, 'Add property', 'Cost');
    const form = page.getByRole('form', { name: 'Cost' });
    await form.getByText('In euros.').waitFor(waiting);
    await expectAccessible(page);
    const cost = form.getByLabel('Value of Cost');
    await cost.fill('a lot');
    await form.getByRole('button', { name: 'Save' }).click();
    await form
      .getByRole('alert')
      .filter({ hasText: 'a decimal number such as 12.5' })
      .waitFor(waiting);
    expect(await cost.inputValue()).toBe('a lot');
    expect(await values(id)).toEqual([]);
    await cost.fill('12.5');
    await cost.press('Enter');
    await page.getByRole('button', { name: 'Change Cost' }).waitFor(waiting);
    await choose(page, 'Add property', 'Layer');
    await page.getByLabel('Value of Layer').selectOption('clean');
    await page.getByRole('form', { name: 'Layer' }).getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Change Layer' }).waitFor(waiting);
    await choose(page, 'Add property', 'Twin');
    await choose(page, 'Value of Twin', 'stands_beside');
    await page.getByRole('form', { name: 'Twin' }).getByRole('button', { name: 'Save' }).click();
    const twin = page.getByRole('link', { name: /stands_beside$/ });
    await twin.waitFor(waiting);
    expect(await twin.getAttribute('href')).toBe(`/resource/${other.id}`);
    expect(await values(id)).toEqual(['Cost: 12.5', 'Layer: clean', `Twin: ${other.id}`]);

    await page.getByRole('button', { name: 'Change Cost' }).click();
    await form.getByRole('button', { name: 'Clear Cost' }).click();
    await expect.poll(() => values(id), waiting).toEqual(['Layer: clean', `Twin: ${other.id}`]);
    await expect.poll(() => form.count(), waiting).toBe(0);
    // Who did not mean it undoes it.
    await page.getByRole('status').getByText('Cleared Cost').waitFor(waiting);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect.poll(() => values(id), waiting).toContain('Cost: 12.5');
    expect(problems).toEqual([]);
  });

  test('a value that somebody else set in the meantime is said, and overwritten only by a second click', async () => {
    const { id } = await site.catalog.resource({ title: 'set by two' });
    const property = await site.catalog.property({ name: 'Purpose', valueType: 'text' });
    await set(property.id, id, 'First.');
    await using visited = await open({ path: `/resource/${id}` });
    const { page } = visited;
    await page.getByRole('button', { name: 'Change Purpose' }).click();
    const form = page.getByRole('form', { name: 'Purpose' });
    const text = form.getByLabel('Value of Purpose');
    await text.fill('Mine.');
    await set(property.id, id, 'Theirs.');
    await form.getByRole('button', { name: 'Save' }).click();
    const said = form.getByRole('alert').filter({ hasText: 'Someone else edited this' });
    await said.getByText('Theirs.').waitFor(waiting);
    expect(await text.inputValue()).toBe('Mine.');
    expect(await values(id)).toEqual(['Purpose: Theirs.']);
    await form.getByRole('button', { name: 'Overwrite with mine' }).click();
    await expect.poll(() => values(id), waiting).toEqual(['Purpose: Mine.']);

    // What changed next to it stands in no one's way.
    await page.getByRole('button', { name: 'Change Purpose' }).click();
    await text.fill('Mine again.');
    await ask('mutation ($id: ID!) { updateResource(id: $id, input: { verified: true }) { id } }', {
      id,
    });
    await form.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => values(id), waiting).toEqual(['Purpose: Mine again.']);
    await expect.poll(() => form.count(), waiting).toBe(0);
  });

  test('teams are added and taken away, and those that others add stay', async () => {
    const { id } = await site.catalog.resource({ title: 'held' });
    const team = (name: string) =>
      ask('mutation ($input: CreateTeamInput!) { createTeam(input: $input) { id } }', {
        input: { name },
      });
    await team('Finance');
    const { createTeam: added } = await team('Added by others');
    const held = async () => {
      const { resource } = await ask('query ($id: ID!) { resource(id: $id) { teams { name } } }', {
        id,
      });
      return resource.teams.map(({ name }: { name: string }) => name).sort();
    };
    const before = await held();
    await using visited = await open({ path: `/resource/${id}` });
    const { page } = visited;
    const add = page.getByLabel('Add a team');
    await add.waitFor(waiting);
    await ask(
      'mutation ($id: ID!, $team: ID!) { updateResource(id: $id, input: { addTeamIds: [$team] }) { id } }',
      { id, team: added.id },
    );
    await choose(page, 'Add a team', 'Finance');
    await page.getByRole('button', { name: 'Remove Finance' }).waitFor(waiting);
    await page.getByRole('button', { name: 'Remove Added by others' }).waitFor(waiting);
    expect(await held()).toEqual([...before, 'Added by others', 'Finance'].sort());
    await page.getByRole('button', { name: 'Remove Finance' }).click();
    await expect.poll(held, waiting).toEqual([...before, 'Added by others'].sort());
  });

  test('groups are chosen as owners besides people, and taken away', async () => {
    const { id } = await site.catalog.resource({ title: 'owned by several' });
    const group = (name: string) =>
      ask('mutation ($input: CreateGroupInput!) { createGroup(input: $input) { id } }', {
        input: { name },
      });
    await group('Stewards');
    const { createGroup: before } = await group('Owners before');
    await ask(
      'mutation ($id: ID!, $group: ID!) { updateResource(id: $id, input: { addOwnerGroupIds: [$group] }) { id } }',
      { id, group: before.id },
    );
    const owners = async () => {
      const { resource } = await ask(
        'query ($id: ID!) { resource(id: $id) { owners { id } ownerGroups { name } } }',
        { id },
      );
      const names = resource.ownerGroups.map(({ name }: { name: string }) => name);
      return [...names.sort(), ...resource.owners.map((one: { id: string }) => one.id)];
    };
    await using visited = await open({ path: `/resource/${id}` });
    const { page, problems } = visited;
    const add = page.getByLabel('Add an owner');
    await add.click();
    const groups = page.getByRole('group', { name: 'Groups' }).getByRole('option');
    await groups.first().waitFor(waiting);
    // What owns it already is not offered.
    expect(await groups.locator('span[dir]').allInnerTexts()).toEqual(['Stewards']);
    await choose(page, 'Add an owner', 'Stewards');
    await page.getByRole('button', { name: 'Remove Stewards' }).waitFor(waiting);
    await choose(page, 'Add an owner', 'editor@');
    await expect
      .poll(owners, waiting)
      .toEqual(['Owners before', 'Stewards', site.catalog.idOf('editor')]);
    await page.locator('.pill').filter({ hasText: 'Stewards' }).getByText('group').waitFor(waiting);
    await page.getByRole('button', { name: 'Remove Owners before' }).click();
    await expect.poll(owners, waiting).toEqual(['Stewards', site.catalog.idOf('editor')]);
    expect(problems).toEqual([]);
  });

  test('two who write in different places lose nothing, and are not asked', async () => {
    const { id } = await site.catalog.resource({ title: 'written beside', definition: 'First.' });
    await using visited = await open({ path: `/resource/${id}` });
    const { page } = visited;
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('textbox', { name: 'Documentation' }).fill('Mine.');
    await ask(
      'mutation ($id: ID!) { updateResource(id: $id, input: { description: "Theirs." }) { id } }',
      { id },
    );
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor(waiting);
    const { resource } = await ask(
      'query ($id: ID!) { resource(id: $id) { description definition } }',
      { id },
    );
    expect(resource).toEqual({ description: 'Theirs.', definition: 'Mine.' });
  });

  test('a form of settings keeps what is written when somebody else saves first', async () => {
    const { id } = await site.catalog.integration({ name: 'Till', type: 'custom' });
    await using visited = await open({
      key: site.catalog.keyOf('admin'),
      path: `/imports/${id}?tab=settings`,
    });
    const { page } = visited;
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Mine');
    await ask(
      'mutation ($id: ID!) { updateIntegration(id: $id, input: { name: "Theirs" }) { id } }',
      { id },
    );
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const said = page.getByRole('alert').filter({ hasText: 'Someone else edited this' });
    await said.getByText('Theirs ·').waitFor(waiting);
    expect(await name.inputValue()).toBe('Mine');
    await page.getByRole('button', { name: 'Use their version' }).click();
    expect(await name.inputValue()).toBe('Theirs');
    await name.fill('Mine after all');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Mine after all', level: 1 }).waitFor(waiting);
  });

  test.each(['viewer', 'guest'] as const)(
    'a %s sees properties and teams, and changes none',
    async (role) => {
      const { id } = await site.catalog.resource({ title: `seen by a ${role}` });
      const property = await site.catalog.property({ name: `Seen by a ${role}` });
      await set(property.id, id, 'The value');
      const { teams } = await ask('{ teams(first: 50) { nodes { id isDefaultTeam } } }');
      const own = teams.nodes.find(({ isDefaultTeam }: typeof teams.nodes) => isDefaultTeam);
      await ask(
        'mutation ($id: ID!, $userIds: [ID!]!) { addTeamMembers(id: $id, userIds: $userIds) { id } }',
        {
          id: own.id,
          userIds: [site.catalog.idOf(role)],
        },
      );
      await ask(
        'mutation ($id: ID!, $team: ID!) { updateResource(id: $id, input: { addTeamIds: [$team] }) { id } }',
        { id, team: own.id },
      );
      await using visited = await open({ key: site.catalog.keyOf(role), path: `/resource/${id}` });
      const aside = visited.page.getByRole('complementary', { name: 'About' });
      await aside.getByText('The value').waitFor(waiting);
      // Who looks is known, and nothing more comes.
      await visited.page
        .locator('.person summary')
        .getByText(role, { exact: false })
        .waitFor(waiting);
      expect(await aside.getByRole('button').count()).toBe(0);
      expect(await aside.getByRole('combobox').count()).toBe(0);
      expect(await visited.page.getByRole('alert').count()).toBe(0);
    },
  );

  test('a viewer reads properties, and sets none, of a question of their own neither', async () => {
    const property = await site.catalog.property({ name: 'Urgency', entityTypes: ['question'] });
    const { data } = await site.catalog.graphql(
      'mutation { createQuestion(input: { title: "Mine?" }) { id } }',
      {},
      { as: 'viewer' },
    );
    const own = data.createQuestion.id;
    await set(property.id, own, 'high');
    const key = site.catalog.keyOf('viewer');
    await using visited = await open({ key, path: `/resource/${own}` });
    const { page } = visited;
    await page.getByText('high', { exact: true }).first().waitFor(waiting);
    await page.locator('.person summary').getByText('viewer', { exact: false }).waitFor(waiting);
    expect(await page.getByRole('button', { name: /^Change/ }).count()).toBe(0);
    expect(await page.getByLabel('Add property').count()).toBe(0);
  });
});
