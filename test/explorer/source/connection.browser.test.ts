// The connection of a source in a browser: credentials are replaced in place, and tried before they are saved.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openCredentials } from '../../../src/integrations/credentials.ts';
import { hasBrowser } from '../../browser.ts';
import { type Demo, expectWellMade, named, openDemo, waiting } from '../demo.ts';

vi.setConfig({ testTimeout: 400_000, hookTimeout: 300_000 });

describe.skipIf(!hasBrowser('The connection of a source in a browser'))('in a browser', () => {
  let demo: Demo;
  beforeAll(async () => {
    demo = await openDemo();
  });
  afterAll(() => demo?.[Symbol.asyncDispose]());

  const place = { host: '10.1.2.3', port: 5433, database: 'shop', user: 'reader' };
  async function connected(): Promise<string> {
    const { createIntegration } = await demo.ask(
      `mutation ($name: String!, $credentials: JSON) { createIntegration(type: "postgres", input: {
        name: $name, credentials: $credentials }) { id } }`,
      { name: named('Shop'), credentials: { ...place, password: 'rotated-away' } },
    );
    return createIntegration.id;
  }
  const stored = (id: string) => openCredentials(demo.catalog.admin, id);

  test('a password is replaced by keyboard alone, tried before it is saved, and nothing else is asked for', async () => {
    const id = await connected();
    await using visited = await demo.open({ path: `/imports/${id}?tab=settings` });
    const { page, problems } = visited;
    const form = page.locator('form', { has: page.getByLabel('Password') });
    await form.getByLabel('Host', { exact: true }).waitFor(waiting);
    expect(await form.getByLabel('Host', { exact: true }).inputValue()).toBe('10.1.2.3');
    expect(await form.getByLabel('Port').inputValue()).toBe('5433');
    expect(await form.getByLabel('Password').inputValue()).toBe('');
    expect(await page.getByRole('button', { name: 'Save changes' }).count()).toBe(0);
    await form.getByLabel('Password').focus();
    await page.keyboard.type('new-secret');
    await form.getByText('1 change: Password').waitFor(waiting);
    await form.getByRole('button', { name: 'Test connection' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Connection failed' }).waitFor(waiting);
    await page.getByText('Tested with unsaved values.').waitFor(waiting);
    expect(await stored(id)).toMatchObject({ password: 'rotated-away' });
    // The old one is kept by one press.
    await form.getByRole('button', { name: 'Keep old password' }).click();
    expect(await page.getByRole('button', { name: 'Save changes' }).count()).toBe(0);
    await form.getByLabel('Password').focus();
    await page.keyboard.type('new-secret');
    await page.keyboard.press('Enter');
    await form.getByText('Saved', { exact: true }).waitFor(waiting);
    expect(await stored(id)).toEqual({ ...place, password: 'new-secret' });
    expect(await form.getByLabel('Password').inputValue()).toBe('');
    expect(problems).toEqual([]);
  });

  test('schemas are included and excluded by patterns, each added and removed by itself', async () => {
    const id = await connected();
    await using visited = await demo.open({ path: `/imports/${id}?tab=settings` });
    const { page } = visited;
    await page.getByLabel('Included schemas').focus();
    await page.keyboard.type('public');
    await page.keyboard.press('Enter');
    await page.keyboard.type('staging_*,');
    await page.getByLabel('Excluded schemas').focus();
    await page.keyboard.type('tmp_*');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Remove staging_* from Included schemas' }).click();
    await page.getByText('2 changes: Included schemas, Excluded schemas').waitFor(waiting);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Saved', { exact: true }).waitFor(waiting);
    // The secret stayed, though it was not entered.
    expect(await stored(id)).toMatchObject({
      ...{ include: 'public', exclude: 'tmp_*', password: 'rotated-away' },
    });
  });

  test('a secret goes to no other host than the one that it was entered for', async () => {
    const id = await connected();
    await using visited = await demo.open({ path: `/imports/${id}?tab=settings` });
    const { page } = visited;
    await page.getByLabel('Host', { exact: true }).fill('elsewhere.example');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('alert').getByText('Enter it again').waitFor(waiting);
    expect(await stored(id)).toMatchObject({ host: '10.1.2.3' });
  });

  test('a form says at once that a private host has to be allowed, with the line to set', async () => {
    await using visited = await demo.open({ path: '/imports/new' });
    const { page } = visited;
    await page.getByLabel('Type').selectOption('PostgreSQL');
    await page.getByLabel('Host', { exact: true }).fill('192.168.7.8');
    await page.getByText('ALLOW_PRIVATE_HOSTS=192.168.7.8/32', { exact: true }).waitFor(waiting);
    await page.getByRole('button', { name: 'Copy' }).click();
    const copied = async () => String(await page.evaluate('navigator.clipboard.readText()'));
    await expect.poll(copied, waiting).toBe('ALLOW_PRIVATE_HOSTS=192.168.7.8/32');
    await expectWellMade(page);
    await page.getByLabel('Host', { exact: true }).fill('169.254.169.254');
    await page.getByText('Connections to 169.254.169.254 are not allowed.').waitFor(waiting);
    expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0);
  });

  test('is well made however one looks', async () => {
    const id = await connected();
    await using visited = await demo.open({ path: `/imports/${id}?tab=settings` });
    const { page } = visited;
    await page.getByLabel('Included schemas').fill('public,');
    await page.getByLabel('Password').fill('x');
    await expectWellMade(page, 'source-connection');
  });
});
