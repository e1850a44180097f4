// In charge of whether a request acts for whoever is signed in with the browser that sent it.

import type { Viewer } from '../auth/viewer.ts';
import { viewerOfSession } from '../auth/web-session.ts';
import type { Database } from '../database/database.ts';
import { readCookie, sessionCookie } from './cookie.ts';
import { foreignness, type HeaderReader, originOf, pageHeader } from './origin.ts';
import type { SignInSettings } from './sign-in-settings.ts';

/** What a request says of a session. */
export type Shown =
  /** Nothing, or nothing that counts. */
  | null
  /** A cookie that must not count, and why. */
  | { readonly refusal: string }
  | { readonly secret: string };

/** Who is signed in with a browser. */
export interface Gate {
  /** What a request for GraphQL shows: a session counts for requests of our own pages alone. */
  shown(method: string, header: HeaderReader): Shown;
  /** Who is signed in; null for nobody. `isUse` is false for what merely stays open. */
  viewerOf(secret: string, isUse: boolean): Promise<Viewer | null>;
}

/** The gate of one process. */
export function createGate(database: Database, settings: SignInSettings, now: () => Date): Gate {
  const kind = sessionCookie(settings.sessions.maxAgeMs);
  return {
    shown(method, header) {
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
