// The server's own origin, and whether a request comes from its pages.

import type { SignInSettings } from './sign-in-settings.ts';

/** Headers by name, as Node.js and as fetch have them. */
export type HeaderReader = (name: string) => string | null | undefined;

/** The header that our own pages send with what they ask; others can't without being asked first. */
export const pageHeader = 'x-headwater-explorer';

/** Where the browser that sent a request reaches this server. */
export function originOf(
  { publicUrl, trustsProxy }: Pick<SignInSettings, 'publicUrl' | 'trustsProxy'>,
  header: HeaderReader,
): string {
  if (publicUrl !== null) return publicUrl;
  const [forwardedHost] = (trustsProxy ? (header('x-forwarded-host') ?? '') : '').split(',');
  const [forwardedProto] = (trustsProxy ? (header('x-forwarded-proto') ?? '') : '').split(',');
  const scheme = forwardedProto?.trim() === 'https' ? 'https' : 'http';
  const address = `${scheme}://${forwardedHost?.trim() || header('host') || 'localhost'}`;
  return URL.canParse(address) ? new URL(address).origin : 'http://localhost';
}

/** What keeps a request from acting for the one who is signed in: the sentence for it; null where nothing does. */
export function foreignness(own: string, header: HeaderReader): string | null {
  const origin = header('origin');
  const site = header('sec-fetch-site');
  if (origin === own && (!site || site === 'same-origin')) return null;
  return (
    `A session counts for requests of this server's own pages, at ${own}; this one came from ` +
    `${origin ?? 'no page'}. Behind a proxy set PUBLIC_URL to what browsers see.`
  );
}

/** A path within the explorer that somebody wants to go to; the first page for anything else. */
export function pathWithin(origin: string, wanted: string | null): string {
  const most = 2_000;
  if (!wanted?.startsWith('/') || wanted.length > most || /[\\\s]/.test(wanted)) return '/';
  if (!URL.canParse(wanted, origin)) return '/';
  const address = new URL(wanted, origin);
  if (address.origin !== origin) return '/';
  // Without its dots a path can begin with two slashes (`/.//host`): browsers take that for a host.
  if (/^\/(\/|sign-)/.test(address.pathname)) return '/';
  return address.pathname + address.search;
}
