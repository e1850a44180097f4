// How a request says to Snowflake who it comes from: a signed statement of the key's owner, or a token.

import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { invalidField } from '../../../errors.ts';
import { readRsaKey, signed } from '../../http-sources/signed.ts';
import { type TokenCache, tokenCache } from '../../http-sources/token-cache.ts';

/** What credentials say of the login. */
export interface SnowflakeLogin {
  readonly account: string;
  readonly user: string;
  readonly auth: 'key_pair' | 'token' | 'oauth';
  readonly private_key: string;
  readonly private_key_passphrase: string;
  readonly token: string;
}

/** Who signs in, and by which kind of token. */
export interface SnowflakeSignIn {
  readonly tokens: TokenCache;
  /** The value of the header `X-Snowflake-Authorization-Token-Type`. */
  readonly kind: string;
}

/** Snowflake takes a statement for an hour, by its own clock. */
const lifeMs = 50 * 60_000;
const clockSkewMs = 30_000;

/** How a login signs in. Throws BAD_REQUEST for a private key that cannot be read. */
export function signInOf(login: SnowflakeLogin, learn: (secret: string) => void): SnowflakeSignIn {
  if (login.auth !== 'key_pair') {
    const kind = login.auth === 'token' ? 'PROGRAMMATIC_ACCESS_TOKEN' : 'OAUTH';
    const given = { token: login.token.trim(), lifeMs };
    return { kind, tokens: tokenCache(async () => given, learn) };
  }
  const key = readKey(login);
  const mint = async () => ({ token: statement(login, key, Date.now()), lifeMs });
  return { kind: 'KEYPAIR_JWT', tokens: tokenCache(mint, learn) };
}

function readKey({ private_key: pem, private_key_passphrase: passphrase }: SnowflakeLogin) {
  const key = readRsaKey(pem, passphrase);
  if (key) return key;
  throw invalidField(
    'credentials.private_key',
    'It cannot be read: use an RSA key in PKCS#8 PEM form, with its passphrase if it has one.',
  );
}

/** The signed statement (JWT) that a request comes from the owner of a key. */
function statement({ account, user }: SnowflakeLogin, key: KeyObject, now: number): string {
  const [locator = ''] = account.split('.');
  const subject = `${locator.toUpperCase()}.${user.toUpperCase()}`;
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const fingerprint = createHash('sha256').update(spki).digest('base64');
  const seconds = (ms: number) => Math.floor(ms / 1_000);
  return signed(key, {
    iss: `${subject}.SHA256:${fingerprint}`,
    sub: subject,
    iat: seconds(now - clockSkewMs),
    exp: seconds(now + lifeMs),
  });
}
