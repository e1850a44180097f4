// What the audit log says of those whom a provider speaks of: whose account they get, and why they get none.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocksOf } from '../../src/audit/metadata.ts';
import type { AuditLog } from '../../src/generated/prisma/client.ts';
import { deactivateUser } from '../../src/people/user.ts';
import { type ClaimedSignIn, personOf } from '../../src/sign-in/claimed-account.ts';
import type { IdentityClaims } from '../../src/sign-in/provider.ts';
import type { ProviderSettings } from '../../src/sign-in/sign-in-settings.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await openCatalog();
  await catalog.team({ name: 'Analytics' });
});
afterAll(() => catalog[Symbol.asyncDispose]());

const issuer = 'https://login.example.com';

/** Somebody whom the provider vouches for. */
function claimed(name: string, more: Partial<IdentityClaims> = {}): IdentityClaims {
  const email = `${name}@example.com`;
  const names = { firstName: '', lastName: '' };
  return { issuer, subject: `${name}-1`, email, isVerified: true, groups: [], ...names, ...more };
}

/** What comes back from the provider in a request of this id. */
function signInOf(
  claims: IdentityClaims,
  requestId: string,
  more: Partial<ProviderSettings> = {},
): ClaimedSignIn {
  const settings: ProviderSettings = {
    ...{ id: 'company', name: 'Work account', issuer, clientId: 'headwater' },
    ...{
      scopes: ['openid'],
      allowedDomains: [],
      trustEmail: false,
      createAccounts: true,
      linkAccounts: 'unlinked',
    },
    ...{ role: 'viewer', groupsClaim: 'groups', roles: { leads: 'editor' } },
    ...{ teams: { analysts: 'Analytics' }, workspace: catalog.workspaceId, ...more },
  };
  const { database } = catalog;
  const source = { requestId, clientAddress: '192.0.2.7' };
  return {
    database,
    settings,
    claims,
    ...source,
    now: () => new Date(),
    onNotice: () => {},
    onLinked: async () => {},
  };
}

/** The entries of a request, in their order. */
async function entriesOf(requestId: string): Promise<AuditLog[]> {
  const { workspaceId, database } = catalog;
  const where = { workspaceId, requestId };
  return database.prisma.auditLog.findMany({ where, orderBy: { sequence: 'asc' } });
}

test('role, teams and account of a sign-in have entries of its request, by the server', async () => {
  await personOf(signInOf(claimed('ada', { groups: ['leads', 'analysts'] }), 'first'));
  const first = await entriesOf('first');
  expect(first.map(({ activityType }) => activityType)).toContain('user_created');
  await personOf(signInOf(claimed('ada'), 'second'));
  const second = await entriesOf('second');
  expect(second.map(({ activityType }) => activityType)).toEqual([
    'user_updated',
    'team_members_removed',
  ]);
  for (const { performerType } of [...first, ...second]) expect(performerType).toBe('SYSTEM');
});

test('the first sign-in to an account has an entry of whom the provider knows, and later ones have none', async () => {
  const user = await catalog.user({ email: 'Grace@example.com' });
  const signIn = (requestId: string) =>
    personOf(signInOf(claimed('grace'), requestId, { roles: {}, teams: {} }));
  expect(await signIn('linked')).toMatchObject({ id: user.id });
  const entries = await entriesOf('linked');
  expect(entries).toMatchObject([
    {
      ...{ activityType: 'identity_linked', performerType: 'SYSTEM' },
      ...{ resourceId: user.id, resourceType: 'user' },
      changes: [
        { field: 'issuer', before: null, after: issuer },
        { field: 'subject', before: null, after: 'grace-1' },
      ],
    },
  ]);
  expect(entries.flatMap(blocksOf)[0]?.value).toBe(
    'Headwater lets grace@example.com of Work account sign in to the account of that address from now on',
  );
  await signIn('again');
  expect(await entriesOf('again')).toEqual([]);
});

test.each<[string, Partial<IdentityClaims>, Partial<ProviderSettings>, string]>([
  ['role', {}, { role: 'none', roles: { leads: 'editor' } }, 'None of the groups'],
  ['domain', {}, { allowedDomains: ['example.org'] }, "can't sign in here"],
  ['email', { isVerified: false }, {}, 'has not verified'],
  ['account', {}, { createAccounts: false, linkAccounts: 'unlinked' }, 'There is no account'],
])('who is refused for the %s is known by address', async (reason, claims, settings, message) => {
  const email = `${reason}@example.com`;
  const signIn = signInOf(claimed(reason, claims), reason, settings);
  await expect(personOf(signIn)).rejects.toMatchObject({
    ...{ reason, message: expect.stringContaining(message) },
    person: { workspaceId: catalog.workspaceId, userId: null, email },
  });
});

test('who is refused an account that there is, is known by it', async () => {
  const user = await catalog.user({ email: 'joan@example.com' });
  await personOf(signInOf(claimed('joan'), 'own', { roles: {} }));
  const person = { workspaceId: catalog.workspaceId, userId: user.id, email: user.email };
  const other = signInOf(claimed('joan', { subject: 'joan-2' }), 'other');
  await expect(personOf(other)).rejects.toMatchObject({ reason: 'identity', person });
  await deactivateUser(catalog.admin, user.id);
  for (const subject of ['joan-1', 'joan-2']) {
    const late = signInOf(claimed('joan', { subject }), 'late');
    await expect(personOf(late)).rejects.toMatchObject({ reason: 'deactivated', person });
  }
});
