// The file of providers: what may be in it, and a sentence for each mistake.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { givesRoles, roleOf, teamsOf } from '../../src/sign-in/group-rights.ts';
import { signInSettingsOf } from '../../src/sign-in/sign-in-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'headwater-providers-'));
afterAll(() => rmSync(folder, { recursive: true }));

const secret = 'a-secret-of-the-client';

/** The settings with a file of this text. */
function settingsWith(text: string, env: Readonly<Record<string, string>> = {}) {
  const file = join(folder, 'sign-in.yaml');
  writeFileSync(file, text);
  const PUBLIC_URL = 'https://headwater.example.com';
  return signInSettingsOf(readConfig({ PUBLIC_URL, SIGN_IN_FILE: file, ...env }), env);
}

const least = `
  - id: company
    name: Work account
    issuer: https://login.example.com/realms/data
    clientId: headwater
`;
const withOne = (more = '') => `providers:${least}${more.replaceAll(/^/gm, '    ')}\n`;

test('a provider needs an id, a name, an issuer and a client; all else has a default', () => {
  const { providers, publicUrl } = settingsWith(withOne(`clientSecret: ${secret}`));
  expect(publicUrl).toBe('https://headwater.example.com');
  expect(providers).toEqual([
    {
      ...{ id: 'company', name: 'Work account', clientId: 'headwater', clientSecret: secret },
      ...{ issuer: 'https://login.example.com/realms/data' },
      ...{ scopes: ['openid', 'email', 'profile'], allowedDomains: [], groupsClaim: 'groups' },
      ...{
        trustEmail: false,
        createAccounts: false,
        linkAccounts: 'unlinked',
        role: 'viewer',
        roles: {},
        teams: {},
      },
    },
  ]);
});

test('a secret may be in a variable, and is nowhere else', () => {
  const text = withOne('clientSecretEnv: COMPANY_SECRET');
  const { providers } = settingsWith(text, { COMPANY_SECRET: secret });
  expect(providers[0]?.clientSecret).toBe(secret);
  expect(() => settingsWith(text)).toThrow(
    'company: clientSecretEnv names COMPANY_SECRET, which is not',
  );
  const path = join(folder, 'company-secret');
  writeFileSync(path, `${secret}\n`);
  const ofFile = settingsWith(text, { COMPANY_SECRET_FILE: path });
  expect(ofFile.providers[0]?.clientSecret).toBe(secret);
  expect(() => settingsWith(text, { COMPANY_SECRET_FILE: `${path}.gone` })).toThrow('ENOENT');
});

test('without a file there are no providers, and nothing else is needed', () => {
  const { providers, sessions } = signInSettingsOf(readConfig({}), {});
  expect(providers).toEqual([]);
  expect(sessions).toEqual({ idleMs: 720 * 60_000, maxAgeMs: 168 * 3_600_000 });
});

test('providers need PUBLIC_URL, for that is where they send people', () => {
  const file = join(folder, 'sign-in.yaml');
  writeFileSync(file, withOne());
  expect(() => signInSettingsOf(readConfig({ SIGN_IN_FILE: file }), {})).toThrow(
    /PUBLIC_URL: it is missing: providers send people back to it, such as https/,
  );
});

test.each([
  ['https://headwater.example.com/', 'without a path'],
  ['headwater.example.com', 'the origin that browsers see'],
  ['ftp://headwater.example.com', 'the origin that browsers see'],
])('PUBLIC_URL=%s is refused', (value, why) => {
  expect(() => readConfig({ PUBLIC_URL: value })).toThrow(why);
});

describe('a mistake in the file stops the start with its place and what is allowed', () => {
  test.each([
    ['', 'the file: Invalid input: expected object'],
    ['providers: []', 'providers: Too small'],
    ['providers: [{', "can't be read as YAML"],
    [`providers:${least}${least}`, 'providers: Use each id once.'],
    [
      withOne().replace('id: company', 'id: Work!'),
      'providers[0].id (Work!): Use 1 to 40 lower-case',
    ],
    [withOne().replace('id: company', 'id: code'), 'Use another id than code and link.'],
    [withOne().replace('https:', 'http:'), 'providers[0].issuer (company): Use the https address'],
    [withOne().replace('https:', 'file:'), 'providers[0].issuer (company): Use the https address'],
    [withOne().replace('/data', '/data?x=1'), 'without ? and #'],
    [
      withOne().replace('clientId: headwater', ''),
      'providers[0].clientId (company): Invalid input',
    ],
    [withOne('clientID: x'), 'providers[0] (company): Unrecognized key: "clientID"'],
    [withOne('scopes: [email]'), 'Add openid: without it the provider does not say who signs in.'],
    [
      withOne('role: owner'),
      'providers[0].role (company): Invalid option: expected one of "admin"',
    ],
    [withOne('roles: {Staff: boss}'), 'providers[0].roles.Staff (company): Invalid option'],
    [withOne('role: none'), 'Set roles, or no one can sign in.'],
    [
      withOne(`clientSecret: ${secret}\nclientSecretEnv: X`),
      'Give clientSecret or clientSecretEnv',
    ],
  ])('%j', (text, why) => {
    let message = '';
    try {
      settingsWith(text);
    } catch (error) {
      message = String(error);
    }
    expect(message).toContain('Some settings cannot be used:\n  SIGN_IN_FILE: ');
    expect(message).toContain(why);
    expect(message).not.toContain(secret);
  });

  test.each([
    [`clientSecret: "${secret}`, 'MISSING_CHAR at line '],
    [`clientSecret: ${secret}: ${secret}`, 'BLOCK_AS_IMPLICIT_KEY at line 6'],
    [`clientSecret: *${secret}`, 'an alias (*name) names nothing'],
    [`clientSecret: "\\q${secret}"`, 'BAD_DQ_ESCAPE at line 6'],
    [`clientSecret: 'x' ${secret}`, 'UNEXPECTED_TOKEN at line 6'],
    [`clientSecret: [${secret}]`, 'clientSecret (company): Invalid input'],
    [secret, 'at line 6'],
    [`clientSecretEnv: ${secret}`, 'clientSecretEnv names a variable, which is not set'],
  ])('and without the secret that stands there: %j', (more, why) => {
    const message = () => settingsWith(withOne(more));
    expect(message).toThrow(why);
    expect(message).not.toThrow(secret);
  });

  test('and no warning shows the line of a secret', () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    settingsWith(withOne(`clientSecret: !mine ${secret}`));
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
  });

  test('as does a file that is not there', () => {
    const SIGN_IN_FILE = join(folder, 'absent.yaml');
    const config = readConfig({ SIGN_IN_FILE, PUBLIC_URL: 'https://h.example.com' });
    expect(() => signInSettingsOf(config, {})).toThrow(
      /absent\.yaml can't be read as YAML: ENOENT/,
    );
  });
});

test('an issuer on the loopback may do without TLS', () => {
  for (const host of ['127.0.0.1:9000', 'localhost:9000', '[::1]:9000']) {
    const text = withOne().replace('https://login.example.com', `http://${host}`);
    expect(settingsWith(text).providers).toHaveLength(1);
  }
  const text = withOne().replace('https://login.example.com', 'http://localhost.evil.example');
  expect(() => settingsWith(text)).toThrow('Use the https address');
});

describe('groups', () => {
  const roles = { leads: 'editor', bosses: 'admin', people: 'viewer' } as const;

  test.each([
    [['people', 'leads'], 'editor'],
    [['bosses', 'people'], 'admin'],
    [['strangers'], 'guest'],
    [[], 'guest'],
    [['constructor', '__proto__'], 'guest'],
  ])('%j give the most that one of them gives, else the usual role', (groups, role) => {
    expect(roleOf({ role: 'guest', roles, teams: {} }, groups)).toBe(role);
  });

  test('that give nothing let no one in where there is no usual role', () => {
    expect(roleOf({ role: 'none', roles, teams: {} }, ['strangers'])).toBeNull();
    expect(givesRoles({ role: 'none', roles, teams: {} })).toBe(true);
    expect(givesRoles({ role: 'viewer', roles: {}, teams: {} })).toBe(false);
  });

  test('of which two stand for one team belong to it by either', () => {
    const teams = { a: 'Analytics', b: 'Analytics', c: 'Core' };
    const of = (groups: string[]) =>
      Object.fromEntries(teamsOf({ role: 'viewer', roles, teams }, groups));
    expect(of(['b'])).toEqual({ Analytics: true, Core: false });
    expect(of([])).toEqual({ Analytics: false, Core: false });
  });
});
