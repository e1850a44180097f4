// Invitations: a link that lets somebody in who was added, once, and who may make and end it.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { deactivateUser } from '../../src/people/user.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { OurPage } from './page.ts';

let catalog: Catalog;
let base: string;
beforeAll(async () => {
  catalog = await openCatalog();
  await catalog.app();
  base = await catalog.listen();
});
beforeEach(() => catalog.setTime(null));
afterAll(() => catalog[Symbol.asyncDispose]());

const text =
  'mutation ($input: InviteUserInput!) { inviteUser(input: $input) { code expiresAt user { id name role } } }';

async function invite(input: object) {
  const { data, errors } = await catalog.graphql(text, { input });
  expect(errors).toBeUndefined();
  return data.inviteUser;
}

async function refusalOf(input: object) {
  const { errors } = await catalog.graphql(text, { input });
  return [errors?.[0]?.extensions.code, errors?.[0]?.message];
}

async function invitedUntil(id: string, key?: string) {
  const { data } = await catalog.graphql(
    'query ($id: ID!) { user(id: $id) { invitedUntil } }',
    { id },
    key === undefined ? undefined : { key },
  );
  return data.user.invitedUntil;
}

const after = (hours: number) => new Date(Date.now() + hours * 3_600_000);

test('a link signs in once the one who was invited, with their role and teams, to set themselves up', async () => {
  const team = await catalog.team({ name: 'Newcomers' });
  const { code, user, expiresAt } = await invite({
    ...{ email: 'noa.frank@example.com', firstName: 'Noa', role: 'editor', teamIds: [team.id] },
  });
  expect(user).toMatchObject({ name: 'Noa', role: 'editor' });
  expect(await invitedUntil(user.id)).toBe(expiresAt);
  // No one but admins is told who has not come yet.
  expect(await invitedUntil(user.id, catalog.keyOf('viewer'))).toBe(null);
  const page = new OurPage(base);
  expect((await page.signIn(code)).status).toBe(204);
  const { data } = await page.ask('{ viewer { email role } teams(first: 10) { nodes { name } } }');
  expect(data.viewer).toEqual({ email: 'noa.frank@example.com', role: 'editor' });
  expect(await invitedUntil(user.id)).toBe(null);
  const made = await page.ask('mutation { createApiKey(input: { name: "mine" }) { key } }');
  expect(made.data.createApiKey.key).toMatch(/^hwk_/);
  const second = await new OurPage(base).signIn(code);
  expect([second.status, second.detail]).toEqual([
    403,
    expect.stringContaining('was used already, and works once'),
  ]);
  const members = await catalog.graphql('query ($id: ID!) { team(id: $id) { memberIds } }', {
    id: team.id,
  });
  expect(members.data.team.memberIds).toContain(user.id);
});

test('of two browsers that use a link at once one is let in', async () => {
  const { code } = await invite({ email: 'twice@example.com' });
  const pages = await Promise.all([1, 2, 3, 4].map(() => new OurPage(base).signIn(code)));
  expect(pages.map(({ status }) => status).sort()).toEqual([204, 403, 403, 403]);
});

test('a link ends when it expires, when it is revoked or replaced, and with the account', async () => {
  const late = await invite({ email: 'late@example.com', expiresInHours: 2 });
  catalog.setTime(after(3));
  expect((await new OurPage(base).signIn(late.code)).detail).toContain('has expired');
  catalog.setTime(null);

  // Who has not come yet gets another one; the account stays as it is.
  const next = await invite({ email: 'LATE@example.com', role: 'admin' });
  expect([next.user.id, next.user.role]).toEqual([late.user.id, 'viewer']);
  expect((await new OurPage(base).signIn(late.code)).detail).toContain('revoked or replaced');
  const revoke = () =>
    catalog.graphql('mutation ($id: ID!) { revokeInvitation(id: $id) { id invitedUntil } }', {
      id: next.user.id,
    });
  expect((await revoke()).data.revokeInvitation.invitedUntil).toBe(null);
  expect((await revoke()).errors).toBeUndefined();
  expect((await new OurPage(base).signIn(next.code)).status).toBe(403);

  const gone = await invite({ email: 'gone@example.com' });
  await deactivateUser(catalog.admin, gone.user.id);
  expect((await new OurPage(base).signIn(gone.code)).detail).toContain('was deactivated');
});

test('a code that is wrong lets no one in', async () => {
  const { code } = await invite({ email: 'careful@example.com' });
  for (const wrong of [
    `${code.slice(0, -9)}${code.at(-9) === 'A' ? 'B' : 'A'}${code.slice(-8)}`,
    'hwi_',
    code.replace('hwi_', 'hwk_'),
  ]) {
    const { status, cookies } = await new OurPage(base).signIn(wrong);
    expect([status, cookies], wrong).toEqual([403, []]);
  }
  expect((await new OurPage(base).signIn(code)).status).toBe(204);
  // It is the code of a link, and no key.
  const asKey = await catalog.graphql('{ viewer { id } }', {}, { key: code });
  expect(asKey.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
});

test('what is wrong is said: an address that is taken or is none, hours that are too many', async () => {
  expect(await refusalOf({ email: 'editor@example.com' })).toEqual([
    'CONFLICT',
    expect.stringContaining('There is a user with the address'),
  ]);
  expect(await refusalOf({ email: 'nobody' })).toEqual([
    'BAD_REQUEST',
    expect.stringContaining('Use an email address'),
  ]);
  for (const expiresInHours of [0, -1, 721]) {
    expect(await refusalOf({ email: 'more@example.com', expiresInHours })).toEqual([
      'BAD_REQUEST',
      expect.stringContaining('from 1 to 720'),
    ]);
  }
  const noTeam = { email: 'more@example.com', teamIds: ['00000000-0000-4000-8000-000000000000'] };
  expect((await refusalOf(noTeam))[0]).toBe('NOT_FOUND');
  // Nothing is left of what was refused.
  const { data } = await catalog.graphql('{ users(search: "more@", first: 5) { totalCount } }');
  expect(data.users.totalCount).toBe(0);
});
