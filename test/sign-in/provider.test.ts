// A provider that is away, or another than it should be: what a person is told, and what the operator.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { freePort } from '../../scripts/free-port.mjs';
import { createCookieSeal, type PendingSignIn, pendingMs } from '../../src/sign-in/cookie.ts';
import { originOf, pathWithin } from '../../src/sign-in/origin.ts';
import { createOpenIdProvider } from '../../src/sign-in/provider.ts';
import type { ProviderSettings } from '../../src/sign-in/sign-in-settings.ts';

const settings: ProviderSettings = {
  ...{
    id: 'company',
    name: 'Work account',
    issuer: 'https://login.example.com',
    clientId: 'headwater',
  },
  ...{
    scopes: ['openid'],
    allowedDomains: [],
    trustEmail: false,
    createAccounts: false,
    linkAccounts: 'unlinked',
  },
  ...{ role: 'viewer', groupsClaim: 'groups', roles: {}, teams: {} },
};

test('one that does not answer is said to be away, and is asked again', async () => {
  const issuer = `http://127.0.0.1:${await freePort()}`;
  const provider = createOpenIdProvider({ ...settings, issuer });
  for (let round = 0; round < 2; round += 1) {
    await expect(provider.check()).rejects.toMatchObject({
      reason: 'provider',
      message: expect.stringContaining('Work account: it can’t be asked right now. Try again'),
      detail: expect.stringContaining('ECONNREFUSED'),
    });
  }
});

test('one that calls itself another name, or says what is no JSON, is not believed', async () => {
  const answers = [JSON.stringify({ issuer: 'https://evil.example' }), '<html>'];
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(answers.shift());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const provider = createOpenIdProvider({ ...settings, issuer: `http://127.0.0.1:${port}` });
  await expect(provider.check()).rejects.toMatchObject({
    detail: expect.stringMatching(/issuer/),
  });
  await expect(provider.check()).rejects.toMatchObject({ reason: 'provider' });
  server.closeAllConnections();
  server.close();
});

const pending: PendingSignIn = {
  ...{ provider: 'company', to: '/', at: Date.now(), state: 's', nonce: 'n', verifier: 'v' },
};

test('a sign-in under way opens as it was, for ten minutes, and in no other form', () => {
  const seal = createCookieSeal(Buffer.from('one'));
  const sealed = seal.seal(pending);
  expect(sealed).not.toContain('verifier');
  expect(seal.open(sealed, new Date())).toEqual(pending);
  expect(seal.open(sealed, new Date(pending.at + pendingMs + 1))).toBeNull();
  expect(createCookieSeal(Buffer.from('other')).open(sealed, new Date())).toBeNull();
  const flipped = Buffer.from(sealed, 'base64url');
  flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 1;
  for (const wrong of ['', 'x', sealed.slice(4), flipped.toString('base64url')]) {
    expect(seal.open(wrong, new Date()), wrong).toBeNull();
  }
});

test.each([
  ['/lineage/1?level=column', '/lineage/1?level=column'],
  ['//evil.example/x', '/'],
  ['/.//evil.example/x', '/'],
  ['/%2e//evil.example/x', '/'],
  ['/x/..//evil.example/x', '/'],
  ['/x//y', '/x//y'],
  ['/\\evil.example', '/'],
  ['https://evil.example', '/'],
  ['/\t/evil.example', '/'],
  ['/sign-in/company', '/'],
  ['/sign-out', '/'],
  ['javascript:alert(1)', '/'],
  [`/${'x'.repeat(3_000)}`, '/'],
  [null, '/'],
])('%j leads to %j, never to another site', (wanted, to) => {
  expect(pathWithin('https://headwater.example.com', wanted)).toBe(to);
});

test('where the browser reaches us is what is set, else what it asked for, else what a proxy says', () => {
  const headers: Record<string, string> = {
    host: '127.0.0.1:4000',
    'x-forwarded-host': 'h.example.com',
    'x-forwarded-proto': 'https',
  };
  const header = (name: string) => headers[name];
  const of = (publicUrl: string | null, trustsProxy: boolean) =>
    originOf({ publicUrl, trustsProxy }, header);
  expect(of('https://set.example.com', true)).toBe('https://set.example.com');
  expect(of(null, false)).toBe('http://127.0.0.1:4000');
  expect(of(null, true)).toBe('https://h.example.com');
  expect(originOf({ publicUrl: null, trustsProxy: false }, () => '??')).toBe('http://localhost');
});
