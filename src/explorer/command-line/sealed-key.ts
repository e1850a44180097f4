// Seals a text for the one who holds the other half of a key, so that it may go over a screen or an address.

const curve = { name: 'ECDH', namedCurve: 'P-256' };
const info = 'headwater login';
const nonceBytes = 12;

/** Whether the browser has what sealing needs: it does over https and at localhost. */
export const maySeal = () => crypto.subtle !== undefined;

/**
 * Seal a text for `recipient`, a point of the curve P-256 in 65 bytes as base64url: a point of our own, a nonce of 12 bytes,
 * and the text by AES-256-GCM under what HKDF-SHA256 makes of their common secret, all as base64url. Rejects where the
 * recipient is no such point.
 */
export async function sealFor(recipient: string, text: string): Promise<string> {
  const theirs = await crypto.subtle.importKey('raw', bytesOf(recipient), curve, false, []);
  const own = await crypto.subtle.generateKey(curve, false, ['deriveBits']);
  const secret = await crypto.subtle.deriveBits(
    { name: curve.name, public: theirs },
    own.privateKey,
    256,
  );
  const shared = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey']);
  const encode = (value: string) => new TextEncoder().encode(value);
  const key = await crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encode(info) },
    shared,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt'],
  );
  const iv = crypto.getRandomValues(new Uint8Array(nonceBytes));
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, encode(text));
  const point = await crypto.subtle.exportKey('raw', own.publicKey);
  return base64url([new Uint8Array(point), iv, new Uint8Array(sealed)]);
}

/**
 * What people compare of a recipient on two screens: eight letters and digits, of which none looks like another, for the
 * lowest five bits of each of the first eight bytes of its SHA-256.
 */
export async function comparedOf(recipient: string): Promise<string> {
  const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytesOf(recipient)));
  const code = [...hash.slice(0, 8)].map((byte) => letters.charAt(byte % letters.length)).join('');
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function base64url(parts: readonly Uint8Array[]): string {
  const binary = parts.flatMap((part) => [...part].map((byte) => String.fromCharCode(byte)));
  return btoa(binary.join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
