// What a failed delivery means: whether to try again, and when.

import type { Scrub } from '../../secrets/redaction.ts';

/** A delivery that did not succeed. */
export class DeliveryFailure extends Error {
  /** Trying again would not help. */
  readonly isPermanent: boolean;
  /** Seconds after which the other side wants to be asked again; null where it did not say. */
  readonly retryAfter: number | null;

  constructor(message: string, { isPermanent = false, retryAfter = null as number | null } = {}) {
    super(message);
    this.name = 'DeliveryFailure';
    this.isPermanent = isPermanent;
    this.retryAfter = retryAfter;
  }
}

/** A failure that stays one however often it is tried. */
export function permanent(message: string): DeliveryFailure {
  return new DeliveryFailure(message, { isPermanent: true });
}

/** What an HTTP status says: too many requests and the server's own faults pass, others stay. */
export function statusFailure(
  who: string,
  status: number,
  retryAfter: string | null,
): DeliveryFailure {
  const message = `${who} answered with the status ${status}.`;
  if (status === 429 || status === 503) {
    return new DeliveryFailure(message, { retryAfter: secondsIn(retryAfter) });
  }
  const mayPass = status >= 500 || status === 408 || status === 425;
  return mayPass ? new DeliveryFailure(message) : permanent(message);
}

/** A request that brought no answer: the network may be better next time. */
export function requestFailure(who: string, error: unknown, scrub: Scrub): DeliveryFailure {
  if (error instanceof DeliveryFailure) return error;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const reason = cause instanceof Error ? scrub(cause.message).slice(0, 300) : 'no reason given';
  return new DeliveryFailure(`${who} could not be reached: ${reason}.`);
}

/** Anything longer than a day is taken for a mistake. */
const longestWait = 86_400;

/** `Retry-After` is a number of seconds, or a date. */
function secondsIn(header: string | null): number | null {
  if (header === null) return null;
  const seconds = /^\d+$/.test(header.trim())
    ? Number(header)
    : Math.ceil((Date.parse(header) - Date.now()) / 1_000);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), longestWait) : null;
}
