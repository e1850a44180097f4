// Seals texts: each under a key of its own, which is sealed under a master key.

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { MasterKey } from './master-key.ts';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
const keyBytes = 32;
/** Says how a text was sealed, should that ever change. */
const version = 'v2';

/** `v2:<id of the master key>:<sealed key>:<sealed text>`, the last two in base64. */
export type Envelope = string;

/**
 * Seal a text: AES-256-GCM under a new key, that key under the master key. `owner` says whose it is and
 * is authenticated with both: the text of one row opens for no other.
 */
export function seal(master: MasterKey, owner: string, text: string): Envelope {
  const key = randomBytes(keyBytes);
  const wrapped = encrypt(master.key, key, keyOwner(owner));
  const sealed = encrypt(key, Buffer.from(text), owner);
  return [version, master.id, wrapped.toString('base64'), sealed.toString('base64')].join(':');
}

/** The text of an envelope, or null when it was sealed under none of the master keys. */
export function unseal(
  masters: readonly MasterKey[],
  owner: string,
  envelope: Envelope,
): string | null {
  const { master, wrapped, sealed } = read(masters, envelope);
  if (!master) return null;
  return decrypt(decrypt(master.key, wrapped, keyOwner(owner)), sealed, owner).toString();
}

/**
 * The same text under the first of the master keys: only its key is sealed again. Null when it was
 * sealed under none of them.
 */
export function rewrap(
  masters: readonly [MasterKey, ...MasterKey[]],
  owner: string,
  envelope: Envelope,
): Envelope | null {
  const { master, wrapped, sealed } = read(masters, envelope);
  const [current] = masters;
  if (!master) return null;
  if (master.id === current.id) return envelope;
  const key = decrypt(master.key, wrapped, keyOwner(owner));
  const again = encrypt(current.key, key, keyOwner(owner));
  return [version, current.id, again.toString('base64'), sealed.toString('base64')].join(':');
}

const keyOwner = (owner: string) => `key|${owner}`;

function read(masters: readonly MasterKey[], envelope: Envelope) {
  const [how, id, wrapped = '', sealed = ''] = envelope.split(':');
  return {
    master: how === version ? masters.find((one) => one.id === id) : undefined,
    wrapped: Buffer.from(wrapped, 'base64'),
    sealed: Buffer.from(sealed, 'base64'),
  };
}

/** Nonce, tag, then the text. */
function encrypt(key: Buffer, text: Buffer, owner: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(owner));
  const body = Buffer.concat([cipher.update(text), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

/** Throws when a bit of it, or of the owner, is another one. */
function decrypt(key: Buffer, sealed: Buffer, owner: string): Buffer {
  const nonce = sealed.subarray(0, nonceBytes);
  const opener = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  opener.setAAD(Buffer.from(owner));
  opener.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([opener.update(sealed.subarray(nonceBytes + tagBytes)), opener.final()]);
}
