// The cookies of signing in: the one of the session, and the one of a sign-in under way.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { SignInChecks } from './provider.ts';

/** What a cookie is called and for how long it is kept. */
interface CookieSettings {
  readonly name: string;
  readonly sameSite: 'Strict' | 'Lax';
  readonly maxAgeSeconds: number;
}

/** Where browsers reach this server. */
export interface WithOrigin {
  /** Such as https://headwater.example.com or http://127.0.0.1:4000. */
  readonly origin: string;
}

/** The cookie of a session is for requests that our own pages send, and for nothing else. */
export function sessionCookie(maxAgeMs: number): CookieSettings {
  const maxAgeSeconds = Math.floor(maxAgeMs / 1000);
  return { name: 'headwater', sameSite: 'Strict', maxAgeSeconds };
}

/** How long a sign-in at a provider may take, in milliseconds. */
export const pendingMs = 10 * 60_000;

/** The cookie of a sign-in under way comes back from another site, from the provider. */
export const pendingCookie: CookieSettings = {
  name: 'headwater-sign-in',
  sameSite: 'Lax',
  maxAgeSeconds: pendingMs / 1000,
};

/** The header that sets a cookie; null takes it away. */
export function setCookie(
  { origin }: WithOrigin,
  kind: CookieSettings,
  value: string | null,
): string {
  const age = value === null ? 0 : kind.maxAgeSeconds;
  const secure = isSecure(origin) ? '; Secure' : '';
  return `${nameOf(kind, origin)}=${value ?? ''}; Path=/; HttpOnly; SameSite=${kind.sameSite}; Max-Age=${age}${secure}`;
}

/** The value of a cookie in the header that a browser sent; null without one, or with two. */
export function readCookie(
  { origin }: WithOrigin,
  { name }: Pick<CookieSettings, 'name'>,
  header: string | null | undefined,
): string | null {
  const start = `${nameOf({ name }, origin)}=`;
  const found = (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(start));
  const [one] = found;
  return one !== undefined && found.length === 1 ? one.slice(start.length) : null;
}

function isSecure(origin: string): boolean {
  return origin.startsWith('https:');
}

/**
 * With TLS a name that no other host of the domain can set. Without, cookies are of a host whatever its
 * port: two servers on one machine are not to take each other's.
 */
function nameOf({ name }: Pick<CookieSettings, 'name'>, origin: string): string {
  return isSecure(origin) ? `__Host-${name}` : `${name}-${new URL(origin).port || '80'}`;
}

/** A sign-in at a provider that is under way. */
export interface PendingSignIn extends SignInChecks {
  readonly provider: string;
  /** Where in the explorer the person wants to go. */
  readonly to: string;
  /** When it was begun, in milliseconds since 1970. */
  readonly at: number;
}

const pendingShape = z.object({
  provider: z.string(),
  to: z.string(),
  at: z.number(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
});

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
const keyBytes = 32;

/** Seals what a browser keeps for us: it can neither read nor change it. */
export interface CookieSeal {
  seal(pending: PendingSignIn): string;
  /** What was sealed; null for what was not, or is too old. */
  open(sealed: string, now: Date): PendingSignIn | null;
}

/** A seal by a secret of the installation, the same on every process. */
export function createCookieSeal(secret: Buffer): CookieSeal {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'headwater sign-in', keyBytes));
  return {
    seal(pending) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
      const text = Buffer.concat([cipher.update(JSON.stringify(pending)), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
    },
    open(sealed, now) {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length <= nonceBytes + tagBytes) return null;
      const opener = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      });
      opener.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      try {
        const text = Buffer.concat([
          opener.update(bytes.subarray(nonceBytes + tagBytes)),
          opener.final(),
        ]);
        const pending = pendingShape.parse(JSON.parse(text.toString()));
        return now.getTime() - pending.at > pendingMs ? null : pending;
      } catch {
        // A bit of it is another one, or another server sealed it.
        return null;
      }
    },
  };
}
