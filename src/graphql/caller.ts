// Who sends a request: somebody with a key or a session that works, or no one yet.

import type { ServerContext } from '../context.ts';
import type { Bounded } from '../limits/bounds.ts';

/** What every request has: a whole context, or, without a key that works, no viewer to act for. */
export interface Caller extends Bounded, Partial<Pick<ServerContext, 'surroundings'>> {
  /** Why somebody who is signed in doesn't count here; absent where that is not why. */
  readonly refusal?: string;
  /** The header `Idempotency-Key` of a request to GraphQL; null without one. */
  readonly idempotencyKey?: string | null;
  /** What came with the request, as the server hands it on. */
  readonly params?: { readonly extensions?: { readonly cost?: unknown } | undefined };
}

/** Whether a key, or a session, came with the request, so that it has a context. */
export function isSignedIn(caller: Caller): caller is ServerContext {
  return caller.viewer !== null;
}

/** The key of the header `Authorization: Bearer <API_KEY>`, or null without one. */
export function keyIn(authorization: string): string | null {
  const [, key] = /^Bearer +(\S+) *$/i.exec(authorization) ?? [];
  return key ?? null;
}
