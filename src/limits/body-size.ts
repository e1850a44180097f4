// In charge of how large a body may be: of somebody who shows no key that works much smaller, for they may be many.

import type { IncomingHttpHeaders } from 'node:http';
import { TooManyRequests, unauthenticated } from '../errors.ts';

/** Says how many bytes the body of a request may have, before it is read. Throws UNAUTHENTICATED and TOO_MANY_REQUESTS. */
export type BodySize = (headers: IncomingHttpHeaders) => number | Promise<number>;

/** What is known of who sends a request, by its headers. */
export interface SenderLook {
  /** Whether they name a key, or a session, that works. */
  readonly isSignedIn: (headers: IncomingHttpHeaders) => Promise<boolean>;
  /** Called where a body is refused unread: nobody else looks at the key of such a request. */
  readonly onRefused: (headers: IncomingHttpHeaders) => Promise<void>;
}

/** Enough for any question about the schema, which is all that nobody in particular may ask. */
const maxUnknownBytes = 100_000;

/**
 * Bodies of at most so many bytes, and of 100,000 where neither a key nor a session that works is shown: who
 * announces a larger one then is asked for a key.
 */
export function bodySizes(maxBytes: number, { isSignedIn, onRefused }: SenderLook): BodySize {
  if (maxBytes <= maxUnknownBytes) return () => maxBytes;
  return (headers) => {
    const length = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY);
    // Node.js takes no more of a body than it was announced with.
    if (length <= maxUnknownBytes) return maxUnknownBytes;
    const ofUnknown = () => {
      if (Number.isFinite(length)) throw unauthenticated();
      return maxUnknownBytes;
    };
    if (headers.authorization === undefined && headers.cookie === undefined) return ofUnknown();
    return isSignedIn(headers).then(
      async (isKnown) => {
        if (isKnown) return maxBytes;
        if (Number.isFinite(length)) await onRefused(headers);
        return ofUnknown();
      },
      (error: unknown) => {
        if (error instanceof TooManyRequests) throw error;
        // Where the database does not answer, that is what will be said.
        return maxBytes;
      },
    );
  };
}
