// What API keys and the secrets of sessions look like: their making, checksum, and the hash they are stored as.

import { createHmac, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const start = 'hwk_';
const sessionStart = 'hws_';
const invitationStart = 'hwi_';
/** 62^30 is 178 bits. */
const secretLength = 30;
/** 62^6 is more than 2^32. */
const checksumLength = 6;
/** 62^22 is more than 2^128: the id of a workspace. */
const placeLength = 22;
const form = new RegExp(
  `^hw[iks]_(?:([0-9A-Za-z]{${placeLength}})_)?([0-9A-Za-z]{${secretLength}})([0-9A-Za-z]{${checksumLength}})$`,
);

/** The `prefix` of a key that somebody chose: nothing of it is shown, for it may be short. */
export const chosenPrefix = 'chosen';

/**
 * Make a key: `hwk_`, the id of its workspace in 22 digits of base 62 and `_`, 30 random digits, and 6 of the CRC32
 * of all those before. Keys of an earlier version name no workspace.
 */
export function makeKey(workspaceId: string): string {
  return make(start, placeOf(workspaceId));
}

function placeOf(workspaceId: string): string {
  return `${inBase62(BigInt(`0x${workspaceId.replaceAll('-', '')}`), placeLength)}_`;
}

/** Make the code of an invitation: `hwi_`, and the rest as of a key. */
export function makeInvitationCode(workspaceId: string): string {
  return make(invitationStart, placeOf(workspaceId));
}

/** The id of the workspace that a key or the code of an invitation names; null where it names none. */
export function workspaceIn(key: string): string | null {
  const [, place] = form.exec(key) ?? [];
  if (place === undefined) return null;
  let id = 0n;
  for (const digit of place) id = id * 62n + BigInt(digits.indexOf(digit));
  const hex = id.toString(16).padStart(32, '0');
  return hex.length > 32
    ? null
    : hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Make what the cookie of a session holds: `hws_`, and the rest as of a key. */
export function makeSessionSecret(): string {
  return make(sessionStart, '');
}

function make(begin: string, place: string): string {
  let secret = '';
  while (secret.length < secretLength) {
    for (const byte of randomBytes(secretLength)) {
      // 248 is the last multiple of 62 in a byte: the rest would favour the first digits.
      if (byte < 248 && secret.length < secretLength) secret += digits.charAt(byte % 62);
    }
  }
  return begin + place + secret + checksum(place + secret);
}

/** Whether a string has the form and the checksum of a key; checked without the database. */
export function isWellFormedKey(key: string): boolean {
  return key.startsWith(start) && isWellFormed(key);
}

/** The same of the secret of a session. */
export function isWellFormedSession(secret: string): boolean {
  return secret.startsWith(sessionStart) && isWellFormed(secret);
}

/** The same of the code of an invitation. */
export function isWellFormedInvitation(code: string): boolean {
  return code.startsWith(invitationStart) && isWellFormed(code);
}

function isWellFormed(key: string): boolean {
  return (
    form.test(key) &&
    checksum(key.slice(start.length, -checksumLength)) === key.slice(-checksumLength)
  );
}

/** What a key is told apart by: its first eight random digits, or `chosen` for a key we did not make. */
export function prefixOf(key: string): string {
  const [, , secret] = isWellFormedKey(key) ? (form.exec(key) ?? []) : [];
  return secret?.slice(0, 8) ?? chosenPrefix;
}

/** The hash a key is stored and found by: HMAC-SHA-256 under the installation's pepper, in hex. */
export function hashKey(pepper: Buffer, key: string): string {
  return createHmac('sha256', pepper).update(key).digest('hex');
}

function checksum(secret: string): string {
  return inBase62(BigInt(crc32(Buffer.from(secret))), checksumLength);
}

function inBase62(value: bigint, length: number): string {
  let rest = value;
  let text = '';
  for (let i = 0; i < length; i += 1) {
    text = digits.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}
