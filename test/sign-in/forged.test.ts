// A provider that lies, or somebody in its place: tokens that no account is opened by.

import { createHmac, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../scripts/free-port.mjs';
import { createOpenIdProvider } from '../../src/sign-in/provider.ts';

const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });
const clientSecret = 'only-for-tests-only-for-tests';
let issuer: string;
let server: Server;
let idToken = '';
let userInfo: object = {};

beforeAll(async () => {
  const port = await freePort();
  issuer = `http://localhost:${port}`;
  const jwk = { ...own.publicKey.export({ format: 'jwk' }), kid: 'own', alg: 'RS256', use: 'sig' };
  const answers: Record<string, () => object> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/me`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    }),
    '/jwks': () => ({ keys: [jwk] }),
    '/token': () => ({ access_token: 'a', token_type: 'Bearer', id_token: idToken }),
    '/me': () => userInfo,
  };
  server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answers[request.url ?? '']?.() ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const seconds = () => Math.floor(Date.now() / 1_000);

interface Forgery {
  readonly header?: object;
  readonly claims?: object;
  readonly sign?: (text: string) => string;
}

const by = (key: KeyObject) => (text: string) =>
  createSign('RSA-SHA256').update(text).sign(key).toString('base64url');
const byHmac = (key: string) => (text: string) =>
  createHmac('sha256', key).update(text).digest('base64url');

function tokenOf({ header = {}, claims = {}, sign = by(own.privateKey) }: Forgery): string {
  const text = `${encoded({ alg: 'RS256', kid: 'own', ...header })}.${encoded({
    ...{ iss: issuer, sub: 'ada', aud: 'headwater', nonce: 'n', iat: seconds() },
    ...{ exp: seconds() + 300, email: 'ada@example.com', email_verified: true, ...claims },
  })}`;
  return `${text}.${sign(text)}`;
}

/** What is believed of a token; throws `SignInRefused`. */
async function finish(token: string, info: object = { sub: 'ada' }) {
  idToken = token;
  userInfo = info;
  const provider = createOpenIdProvider({
    ...{ id: 'company', name: 'Work account', issuer, clientId: 'headwater', clientSecret },
    ...{ scopes: ['openid'], allowedDomains: [], trustEmail: false, createAccounts: true },
    ...{ linkAccounts: 'unlinked', role: 'viewer', groupsClaim: 'groups', roles: {}, teams: {} },
  });
  const at = new URL(`${issuer}/callback?code=c&state=s`);
  return provider.finish(at, { state: 's', nonce: 'n', verifier: 'v'.repeat(43) });
}

test('a true token is believed', async () => {
  expect(await finish(tokenOf({}))).toMatchObject({ subject: 'ada', email: 'ada@example.com' });
  expect(
    await finish(tokenOf({ claims: { azp: 'headwater', iat: seconds() + 60 } })),
  ).toBeDefined();
});

const forged: readonly [string, () => string][] = [
  ['alg none', () => tokenOf({ header: { alg: 'none' }, sign: () => '' })],
  ['alg None', () => tokenOf({ header: { alg: 'None' }, sign: () => '' })],
  ['HS256 by the secret', () => tokenOf({ header: { alg: 'HS256' }, sign: byHmac(clientSecret) })],
  [
    'HS256 by the public key',
    () =>
      tokenOf({
        header: { alg: 'HS256' },
        sign: byHmac(String(own.publicKey.export({ type: 'spki', format: 'pem' }))),
      }),
  ],
  ['the key of another', () => tokenOf({ sign: by(foreign.privateKey) })],
  ['another kid', () => tokenOf({ header: { kid: 'other' }, sign: by(foreign.privateKey) })],
  [
    'a key of its own in the header',
    () =>
      tokenOf({
        header: { jwk: foreign.publicKey.export({ format: 'jwk' }) },
        sign: by(foreign.privateKey),
      }),
  ],
  [
    'the address of a key in the header',
    () => tokenOf({ header: { jku: `${issuer}/other` }, sign: by(foreign.privateKey) }),
  ],
  ['a critical header', () => tokenOf({ header: { crit: ['x'], x: 1 } })],
  ['no signature', () => tokenOf({ sign: () => '' })],
  ['a changed payload', () => tokenOf({}).replace(/\.[^.]+\./, `.${encoded({ iss: issuer })}.`)],
  ['two parts', () => tokenOf({}).split('.').slice(0, 2).join('.')],
  ['no token', () => ''],
  ['another audience', () => tokenOf({ claims: { aud: 'other' } })],
  ['two audiences, for another', () => tokenOf({ claims: { aud: ['headwater', 'x'], azp: 'x' } })],
  ['one audience, for another', () => tokenOf({ claims: { azp: 'other' } })],
  ['no audience', () => tokenOf({ claims: { aud: undefined } })],
  ['another issuer', () => tokenOf({ claims: { iss: 'https://evil.example' } })],
  ['another nonce', () => tokenOf({ claims: { nonce: 'm' } })],
  ['no nonce', () => tokenOf({ claims: { nonce: undefined } })],
  ['an end in the past', () => tokenOf({ claims: { exp: seconds() - 3_600 } })],
  ['no end', () => tokenOf({ claims: { exp: undefined } })],
  ['a day in the future', () => tokenOf({ claims: { iat: seconds() + 86_400 } })],
  ['not valid yet', () => tokenOf({ claims: { nbf: seconds() + 86_400 } })],
  ['no subject', () => tokenOf({ claims: { sub: undefined } })],
];

test.each(forged)('a token with %s is refused', async (_what, token) => {
  await expect(finish(token())).rejects.toMatchObject({ reason: 'provider' });
});

test('what is said of another person, or of another address, is not mixed in', async () => {
  await expect(finish(tokenOf({}), { sub: 'eve' })).rejects.toMatchObject({ reason: 'provider' });
  const mixed = await finish(tokenOf({}), { sub: 'ada', email: 'boss@example.com' });
  expect(mixed).toMatchObject({ email: 'boss@example.com', isVerified: null });
  const other = await finish(tokenOf({ claims: { email_verified: undefined } }), {
    sub: 'ada',
    email_verified: true,
  });
  expect(other).toMatchObject({ email: 'ada@example.com', isVerified: null });
});

test('groups that come as one text are one group', async () => {
  const { groups } = await finish(tokenOf({}), { sub: 'ada', groups: 'x, Data Platform' });
  expect(groups).toEqual(['x, Data Platform']);
});
