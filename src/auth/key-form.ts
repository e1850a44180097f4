// What API keys and the secrets of sessions look like: their making, checksum, and the hash they are stored as.

import { createHmac, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const start = 'hwk_';
const sessionStart = 'hws_';
/** 62^30 is 178 bits. */
const secretLength = 30;
/** 62^6 is more than 2^32. */
const checksumLength = 6;
const form = new RegExp(`^hw[ks]_[0-9A-Za-z]{${secretLength + checksumLength}}$`);

/** The `prefix` of a key that somebody chose: nothing of it is shown, for it may be short. */
export const chosenPrefix = 'chosen';

/** Make a key: `hwk_`, 30 random digits in base 62, and 6 of the CRC32 of those. */
export function makeKey(): string {
  return make(start);
}

/** Make what the cookie of a session holds: `hws_`, and the rest as of a key. */
export function makeSessionSecret(): string {
  return make(sessionStart);
}

function make(begin: string): string {
  let secret = '';
  while (secret.length < secretLength) {
    for (const byte of randomBytes(secretLength)) {
      // 248 is the last multiple of 62 in a byte: the rest would favour the first digits.
      if (byte < 248 && secret.length < secretLength) secret += digits.charAt(byte % 62);
    }
  }
  return begin + secret + checksum(secret);
}

/** Whether a string has the form and the checksum of a key; checked without the database. */
export function isWellFormedKey(key: string): boolean {
  return key.startsWith(start) && isWellFormed(key);
}

/** The same of the secret of a session. */
export function isWellFormedSession(secret: string): boolean {
  return secret.startsWith(sessionStart) && isWellFormed(secret);
}

function isWellFormed(key: string): boolean {
  if (!form.test(key)) return false;
  const end = start.length + secretLength;
  return checksum(key.slice(start.length, end)) === key.slice(end);
}

/** What a key is told apart by: its first eight digits, or `chosen` for a key we did not make. */
export function prefixOf(key: string): string {
  return isWellFormedKey(key) ? key.slice(start.length, start.length + 8) : chosenPrefix;
}

/** The hash a key is stored and found by: HMAC-SHA-256 under the installation's pepper, in hex. */
export function hashKey(pepper: Buffer, key: string): string {
  return createHmac('sha256', pepper).update(key).digest('hex');
}

function checksum(secret: string): string {
  let rest = crc32(Buffer.from(secret));
  let text = '';
  for (let i = 0; i < checksumLength; i += 1) {
    text = digits.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
