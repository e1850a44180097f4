// Statements that are signed with a key (JWT).

import { createPrivateKey, type KeyObject, sign } from 'node:crypto';

/** A JWT with an RSA signature over SHA-256. */
export function signed(key: KeyObject, claims: object, header: object = {}): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const body = `${encode({ alg: 'RS256', typ: 'JWT', ...header })}.${encode(claims)}`;
  return `${body}.${sign('sha256', Buffer.from(body), key).toString('base64url')}`;
}

/** An RSA key in PEM form, also where its line ends were lost on the way; null where it cannot be read. */
export function readRsaKey(pem: string, passphrase = ''): KeyObject | null {
  try {
    const given = {
      key: pem.replaceAll('\\n', '\n').trim(),
      ...(passphrase ? { passphrase } : {}),
    };
    const key = createPrivateKey(given);
    return key.asymmetricKeyType === 'rsa' ? key : null;
  } catch {
    // What the library says of a key may hold a part of it.
    return null;
  }
}
