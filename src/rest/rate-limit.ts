// In charge of how many writes a key may make in a minute.

import { createHash } from 'node:crypto';
import { CatalogError } from '../errors.ts';

/** Counts a request, says on its answer how much is left, and throws TOO_MANY_REQUESTS past the limit. */
export type RateLimit = (request: Request, headers: Headers) => void;

const windowMs = 60_000;
const reads = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Limit the writes of each key to `perMinute` in any clock minute of this process; 0 sets no limit.
 * The headers are those of the IETF draft `RateLimit header fields for HTTP`.
 */
export function createRateLimit(perMinute: number, now: () => number = Date.now): RateLimit {
  const counts = new Map<string, number>();
  let window = 0;
  return (request, headers) => {
    if (perMinute === 0 || reads.has(request.method)) return;
    const current = Math.floor(now() / windowMs);
    // Counts of the minute before matter to nobody, so the map never grows past a minute's keys.
    if (current !== window) counts.clear();
    window = current;
    const key = digest(request.headers.get('authorization') ?? '');
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    const reset = Math.ceil(((current + 1) * windowMs - now()) / 1000);
    headers.set('ratelimit-limit', String(perMinute));
    headers.set('ratelimit-remaining', String(Math.max(0, perMinute - count)));
    headers.set('ratelimit-reset', String(reset));
    if (count <= perMinute) return;
    headers.set('retry-after', String(reset));
    throw new CatalogError(
      'TOO_MANY_REQUESTS',
      `This key may write ${perMinute} times a minute; try again in ${reset} s.`,
    );
  };
}

function digest(header: string): string {
  return createHash('sha256').update(header).digest('base64url');
}
