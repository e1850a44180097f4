// The name of a request: what answers, logs and the audit log call it.

import { randomUUID } from 'node:crypto';

/** The id that a client or proxy gave a request in `X-Request-Id`, if it can stand in a log, else a new one. */
export function requestIdOf(given: string | null): string {
  return given !== null && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
}
