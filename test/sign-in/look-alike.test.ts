// An address that looks like somebody's is somebody else's: letters that fold together or look alike open no account.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser } from '../../src/people/user.ts';
import { personOf } from '../../src/sign-in/claimed-account.ts';
import type { IdentityClaims } from '../../src/sign-in/provider.ts';
import type { ProviderSettings } from '../../src/sign-in/sign-in-settings.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

let catalog: Catalog;
let mike: string;
beforeAll(async () => {
  catalog = await openCatalog();
  mike = (await createUser(catalog.admin, { email: 'mike@kiwi.example', role: 'editor' })).id;
});
afterAll(() => catalog[Symbol.asyncDispose]());

const issuer = 'https://login.example.com';

async function signIn(email: string, more: Partial<ProviderSettings> = {}) {
  const claims: IdentityClaims = {
    ...{ issuer, subject: `of ${email}`, email, isVerified: true, groups: [] },
    ...{ firstName: '', lastName: '' },
  };
  const settings: ProviderSettings = {
    ...{ id: 'company', name: 'Work account', issuer, clientId: 'headwater' },
    ...{ scopes: ['openid'], allowedDomains: [], trustEmail: false, createAccounts: true },
    ...{ role: 'viewer', groupsClaim: 'groups', roles: {}, teams: {} },
    ...{ linkAccounts: 'any', workspace: catalog.workspaceId, ...more },
  };
  const { database } = catalog;
  const request = {
    ...{ requestId: null, clientAddress: null },
    now: () => new Date(),
    onNotice: () => {},
    onLinked: async () => {},
  };
  return personOf({ database, settings, claims, ...request });
}

/** Letters by what they may be taken for. */
const likeLetters: Readonly<Record<string, string>> = {
  m: 'ⅿｍ𝐦м𝓂ⓜᵐ',
  i: 'ıİіｉⅰ𝐢ⁱḭί',
  k: '\u212AкΚｋ𝐤ⓚᵏķ',
  e: 'еｅ𝐞ⓔᵉéėℯ',
  w: 'ｗωԝ𝐰ⓦʷ',
  x: 'хｘ𝐱ⓧˣ×',
  a: 'аａ𝐚ⓐᵃα',
  l: 'ⅼｌ𝐥ⓛӏ',
};
const person = 'mike@kiwi.example';
const lookAlikes = [
  ...Object.entries(likeLetters).flatMap(([letter, others]) =>
    [...others].map((other) => person.replace(letter, other)),
  ),
  ...[
    'mi\u200Bke',
    'mike\u00AD',
    '\u202Emike',
    'mi\u0000ke',
    '"mike\u0000"',
    'mike\u0301',
    'mike\uFE0F',
  ].map((local) => `${local}@kiwi.example`),
  ...['mike@kiwi。example', 'mike@kiwi．example', 'mike＠kiwi.example', 'mike@kiwi.example\u200D'],
];

test('there are sixty look-alike addresses, each once', () => {
  expect(lookAlikes.length).toBeGreaterThanOrEqual(60);
  expect(new Set(lookAlikes).size).toBe(lookAlikes.length);
  expect(lookAlikes).not.toContain(person);
});

test.each(lookAlikes)('%j signs in to no account of another person', async (email) => {
  const id = await signIn(email).then(
    (viewer) => viewer.id,
    (error: unknown) => {
      expect(error).toMatchObject({ reason: 'email' });
      return null;
    },
  );
  expect(id).not.toBe(mike);
});

test('the case of A to Z makes no other person, in addresses and in domains', async () => {
  const settings = { allowedDomains: ['Kiwi.Example'] };
  expect((await signIn('MIKE@KIWI.example', settings)).id).toBe(mike);
  await expect(createUser(catalog.admin, { email: 'Mike@Kiwi.Example' })).rejects.toMatchObject({
    code: 'CONFLICT',
  });
});

test('a domain that looks like an allowed one is not allowed', async () => {
  for (const domain of ['\u212Aiwi.example', 'кiwi.example', 'kıwi.example', 'KİWI.example']) {
    await expect(
      signIn(`somebody@${domain}`, { allowedDomains: ['kiwi.example'] }),
    ).rejects.toMatchObject({ reason: expect.stringMatching(/^(email|domain)$/) });
  }
});

test('an admin makes no account with an address that changes when it is normalized', async () => {
  await expect(createUser(catalog.admin, { email: 'mi\u212Ae@x.example' })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    fields: [{ field: 'email' }],
  });
});

test('a second provider gets accounts of the first, and admins with a key, only where it is set', async () => {
  const owner = await createUser(catalog.admin, { email: 'owner@kiwi.example', role: 'editor' });
  const first: Partial<ProviderSettings> = { linkAccounts: 'unlinked' };
  expect((await signIn(owner.email, first)).id).toBe(owner.id);
  const settings: Partial<ProviderSettings> = {
    createAccounts: false,
    issuer: 'https://b.example',
  };
  const claims: IdentityClaims = {
    ...{ issuer: 'https://b.example', subject: 'x', email: owner.email, isVerified: true },
    ...{ groups: [], firstName: '', lastName: '' },
  };
  const other = (linkAccounts: ProviderSettings['linkAccounts'], email: string) =>
    personOf({
      database: catalog.database,
      settings: {
        ...{ id: 'partner', name: 'Partner', clientId: 'headwater', scopes: ['openid'] },
        ...{ allowedDomains: [], trustEmail: false, createAccounts: false, role: 'viewer' },
        ...{ groupsClaim: 'groups', roles: {}, teams: {}, workspace: catalog.workspaceId },
        ...{ issuer: settings.issuer ?? '', linkAccounts },
      },
      claims: { ...claims, email, subject: email },
      ...{
        ...{ requestId: null, clientAddress: null },
        now: () => new Date(),
        onNotice: () => {},
        onLinked: async () => {},
      },
    });
  const refused = { reason: 'identity' };
  await expect(other('unlinked', owner.email)).rejects.toMatchObject(refused);
  const admin = catalog.admin.viewer.email;
  await expect(other('unlinked', admin)).rejects.toMatchObject(refused);
  const fresh = await createUser(catalog.admin, { email: 'fresh@kiwi.example' });
  await expect(other('never', fresh.email)).rejects.toMatchObject(refused);
  expect((await other('unlinked', fresh.email)).id).toBe(fresh.id);
  expect((await other('any', owner.email)).id).toBe(owner.id);
});
