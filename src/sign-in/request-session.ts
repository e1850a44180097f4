// The session of a request: whether it acts for the person who is signed in with its browser.

import type { Viewer } from '../auth/viewer.ts';
import { viewerOfSession } from '../auth/web-session.ts';
import type { Database } from '../database/database.ts';
import { readCookie, sessionCookie } from './cookie.ts';
import { foreignness, type HeaderReader, originOf, pageHeader } from './origin.ts';
import type { SignInSettings } from './sign-in-settings.ts';

/** What a request says of a session. */
export type ShownSession =
  /** Nothing, or nothing that counts. */
  | null
  /** A cookie that must not count, and why. */
  | { readonly refusal: string }
  | { readonly secret: string };

/** Who is signed in with a browser. */
export interface SessionReader {
  /** What a request for GraphQL shows: a session counts for requests of our own pages alone. */
  sessionIn(method: string, header: HeaderReader): ShownSession;
  /** Who is signed in; null for no one. `isUse` is false for what merely stays open. */
  viewerOf(secret: string, isUse: boolean): Promise<Viewer | null>;
}

/** The session reader of one process. */
export function createSessionReader(
  database: Database,
  settings: SignInSettings,
  now: () => Date,
): SessionReader {
  const kind = sessionCookie(settings.sessions.maxAgeMs);
  return {
    sessionIn(method, header) {
      if (method !== 'POST' || !header(pageHeader)) return null;
      const origin = originOf(settings, header);
      const secret = readCookie({ origin }, kind, header('cookie'));
      if (secret === null) return null;
      const refusal = foreignness(origin, header);
      return refusal === null ? { secret } : { refusal };
    },
    viewerOf: (secret, isUse) =>
      viewerOfSession(database, { secret, limits: settings.sessions, now: now(), isUse }),
  };
}
