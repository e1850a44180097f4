// Custom properties designed in the settings, and the profile of a person, in a browser.

import { describe, expect, test, vi } from 'vitest';
import { hasBrowser } from '../../browser.ts';
import { waiting } from '../demo.ts';
import { expectAccessible, openSite } from '../visit.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 300_000 });

describe.skipIf(!hasBrowser('Settings in a browser'))('in a browser', () => {
  const site = openSite();
  const ask = async (query: string, variables?: object, key?: string) => {
    const caller = key === undefined ? undefined : { key };
    const { data, errors } = await site.catalog.graphql(query, variables, caller);
    expect(errors).toBeUndefined();
    return data;
  };
  const propertyOf = async (name: string) => {
    const { customProperties } = await ask(
      '{ customProperties(first: 100) { nodes { id name description valueType options entityTypes } } }',
    );
    return customProperties.nodes.find((one: { name: string }) => one.name === name);
  };

  test('a property is designed by keyboard alone, with its options in order', async () => {
    await using visited = await site.open({ path: '/admin?part=properties' });
    const { page, problems } = visited;
    const opener = page.getByRole('link', { name: 'New property' });
    await opener.focus();
    await page.keyboard.press('Enter');
    const side = page.locator('.side');
    await side.getByLabel('Name').waitFor(waiting);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('New property');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Refreshed');
    await page.keyboard.press('Tab');
    await page.keyboard.type('How often new rows arrive');
    await page.keyboard.press('Tab');
    await page.keyboard.type('One');
    await page.keyboard.press('Tab');
    await page.keyboard.type('tables');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    await page.keyboard.type('hourly');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.evaluate('document.activeElement.ariaLabel'), waiting)
      .toBe('Option 2');
    await page.keyboard.type('nightly');
    await expectAccessible(page);
    await side.getByRole('button', { name: 'New property' }).focus();
    await page.keyboard.press('Enter');
    await expect
      .poll(() => propertyOf('Refreshed'), waiting)
      .toMatchObject({
        description: 'How often new rows arrive',
        valueType: 'select',
        options: ['hourly', 'nightly'],
        entityTypes: ['table'],
      });
    // The keyboard is back where it began.
    await expect
      .poll(() => opener.evaluate((one) => one === document.activeElement), waiting)
      .toBe(true);
    expect(problems).toEqual([]);
  });

  test('another type says which values do not fit, and the server keeps them', async () => {
    const property = await site.catalog.property({ name: 'Rows a day', valueType: 'string' });
    for (const value of ['12', '12', 'many']) {
      const { id: resourceId } = await site.catalog.resource({ title: `with ${value}` });
      await ask(
        'mutation ($id: ID!, $resourceId: ID!, $value: String!) { setCustomProperty(id: $id, resourceId: $resourceId, value: $value) { id } }',
        { id: property.id, resourceId, value },
      );
    }
    await using visited = await site.open({ path: '/admin?part=properties' });
    const { page } = visited;
    await page.getByRole('row').getByRole('link', { name: 'Rows a day' }).click();
    const side = page.locator('.side');
    await side.getByText('Set on 3 resources').waitFor(waiting);
    await side.getByLabel('Type').selectOption('Number');
    await side.getByText('1 value does not fit. Change them first.').waitFor(waiting);
    expect(await side.getByRole('row').allInnerTexts()).toEqual([
      expect.stringMatching(/^many\s+1\s+does not fit$/),
      expect.stringMatching(/^12\s+2\s+fits$/),
    ]);
    await expectAccessible(page);
    await side.getByRole('button', { name: 'Save changes' }).click();
    await side.getByRole('alert').waitFor(waiting);
    expect((await propertyOf('Rows a day')).valueType).toBe('string');
    await side.getByLabel('Type').selectOption('Long text');
    await side.getByText('All 3 values fit and stay as they are.').waitFor(waiting);
    await side.getByRole('button', { name: 'Save changes' }).click();
    await expect.poll(async () => (await propertyOf('Rows a day')).valueType, waiting).toBe('text');
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect
      .poll(async () => (await propertyOf('Rows a day')).valueType, waiting)
      .toBe('string');
  });

  test('a property is deleted with its values only once its name is typed', async () => {
    const property = await site.catalog.property({ name: 'Runbook', valueType: 'string' });
    const { id: resourceId } = await site.catalog.resource({ title: 'has a runbook' });
    await ask(
      'mutation ($id: ID!, $resourceId: ID!) { setCustomProperty(id: $id, resourceId: $resourceId, value: "x") { id } }',
      { id: property.id, resourceId },
    );
    await using visited = await site.open({
      path: '/admin?part=properties',
      key: site.catalog.keyOf('editor'),
    });
    const { page } = visited;
    await page.getByRole('row').getByRole('link', { name: 'Runbook' }).click();
    await page.getByRole('button', { name: 'Delete property Runbook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('This also deletes its 1 value, for good.').waitFor(waiting);
    await dialog.getByLabel('Type Runbook to confirm').fill('runbook?');
    await dialog.getByRole('button', { name: 'Delete property' }).click();
    await dialog.getByText('This is not the name.').waitFor(waiting);
    expect(await propertyOf('Runbook')).toBeDefined();
    await dialog.getByLabel('Type Runbook to confirm').fill('Runbook');
    await dialog.getByRole('button', { name: 'Delete property' }).click();
    await expect.poll(() => propertyOf('Runbook'), waiting).toBeUndefined();
  });

  test('a viewer joins a team, leaves it by undoing, and makes a key of their own', async () => {
    const { createTeam } = await ask(
      'mutation { createTeam(input: { name: "Open water", type: OPEN }) { id } }',
    );
    const key = site.catalog.keyOf('viewer');
    await using visited = await site.open({ path: '/admin', key });
    const { page, problems } = visited;
    await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor(waiting);
    const isIn = async () => {
      const { team } = await ask('query ($id: ID!) { team(id: $id) { memberIds } }', {
        id: createTeam.id,
      });
      return team.memberIds.includes(site.catalog.idOf('viewer'));
    };
    await page.getByRole('button', { name: 'Join Open water' }).click();
    await expect.poll(isIn, waiting).toBe(true);
    await page.getByRole('button', { name: 'Leave Open water' }).waitFor(waiting);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect.poll(isIn, waiting).toBe(false);

    await page.getByRole('button', { name: 'New API key' }).click();
    const dialog = page.getByRole('dialog');
    // Whose it is goes without saying.
    expect(await dialog.getByLabel('User', { exact: true }).count()).toBe(0);
    await dialog.getByLabel('Name').fill('My notebook');
    await page.keyboard.press('Escape');
    await dialog.getByText('Discard your changes?').waitFor(waiting);
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    await dialog.getByRole('button', { name: 'New API key' }).click();
    const secret = await page.locator('.secret').innerText();
    const { viewer } = await ask('{ viewer { id } }', {}, secret);
    expect(viewer.id).toBe(site.catalog.idOf('viewer'));
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('row').filter({ hasText: 'My notebook' }).waitFor(waiting);
    await page.getByLabel('First name').fill('Vera');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('status').getByText('Saved your profile').waitFor(waiting);
    const { user } = await ask('query ($id: ID!) { user(id: $id) { firstName } }', {
      id: site.catalog.idOf('viewer'),
    });
    expect(user.firstName).toBe('Vera');
    await expectAccessible(page);
    expect(problems).toEqual([]);
  });
});
