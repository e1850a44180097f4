// Opens the key that a page of the server seals for a command: the secret half of a pair, another one for each sign-in.

import { createHash } from 'node:crypto';

/** Who can open what was sealed for it. */
export interface KeyOpener {
  /** A point of the curve P-256, 65 bytes as base64url, to seal with. */
  readonly point: string;
  /** What was sealed for it; null for anything else. */
  open(sealed: string): Promise<string | null>;
}

const { subtle } = globalThis.crypto;
const curve = { name: 'ECDH', namedCurve: 'P-256' };
const info = Buffer.from('headwater login');
const pointBytes = 65;
const nonceBytes = 12;

/** Make an opener, whose secret half never leaves the process. */
export async function makeKeyOpener(): Promise<KeyOpener> {
  const { publicKey, privateKey } = await subtle.generateKey(curve, false, ['deriveBits']);
  const point = Buffer.from(await subtle.exportKey('raw', publicKey)).toString('base64url');
  const keyWith = async (theirs: Uint8Array<ArrayBuffer>) => {
    const from = await subtle.importKey('raw', theirs, curve, false, []);
    const secret = await subtle.deriveBits({ name: curve.name, public: from }, privateKey, 256);
    const shared = await subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey']);
    return subtle.deriveKey(
      { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info },
      shared,
      { name: 'AES-GCM', length: 256 },
      false,
      ['decrypt'],
    );
  };
  return {
    point,
    async open(sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      const key = await keyWith(bytes.subarray(0, pointBytes)).catch(() => null);
      if (!key) return null;
      const iv = bytes.subarray(pointBytes, pointBytes + nonceBytes);
      const text = bytes.subarray(pointBytes + nonceBytes);
      return subtle.decrypt({ name: 'AES-GCM', iv }, key, text).then(
        (opened) => Buffer.from(opened).toString(),
        () => null,
      );
    },
  };
}

/** What people compare on two screens: eight letters and digits of the SHA-256 of the point. */
export function comparedOf({ point }: Pick<KeyOpener, 'point'>): string {
  const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  const hash = createHash('sha256').update(Buffer.from(point, 'base64url')).digest();
  const code = [...hash.subarray(0, 8)].map((byte) => letters.charAt(byte % letters.length));
  return `${code.slice(0, 4).join('')}-${code.slice(4).join('')}`;
}
