// When a request to a source is sent again: one policy for all that speak HTTP.

import { setTimeout as sleep } from 'node:timers/promises';
import { CatalogError, unavailable } from '../../errors.ts';
import { codeOf } from '../connectors/failure.ts';
import type { HttpAnswer } from './http-source.ts';

/**
 * What an answer asks for: `again`, as the source is busy; `renew`, once more with a new token; `final` for all else,
 * good or bad.
 */
export type Repetition = 'final' | 'again' | 'renew';

/** How a request is repeated. */
export interface RetryRules {
  /** Whether it does the same however often it is sent: a GET, or a request that carries an id. */
  readonly isRepeatable: boolean;
  /** Milliseconds since 1970 by which it has to be answered, waits included. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  /** What an answer of this source means beyond its status; undefined leaves it to the status. */
  readonly judge?: ((answer: HttpAnswer) => Repetition | undefined) | undefined;
  /** Forget the token that was refused. */
  readonly renew?: (() => void) | undefined;
  readonly clock?: RetryClock | undefined;
}

/** How waits are measured and spent. */
export interface RetryClock {
  now(): number;
  /** From 0 to 1. */
  random(): number;
  pause(ms: number, signal: AbortSignal): Promise<void>;
}

const realClock: RetryClock = {
  now: Date.now,
  random: Math.random,
  pause: (ms, signal) => sleep(ms, undefined, { signal }),
};

const firstWaitMs = 500;
const longestWaitMs = 32_000;
/** No answer of a source is asked for more often than this, however short its waits are. */
const mostAttempts = 100;

/**
 * Send a request until its answer is final, `attempt` counting from 0. Waits as long as the source asks for, else
 * longer each time, and never beyond the deadline: then it throws UNAVAILABLE.
 */
export async function retrying(
  attempt: (count: number) => Promise<HttpAnswer>,
  rules: RetryRules,
): Promise<HttpAnswer> {
  const { clock = realClock, signal } = rules;
  let isRenewed = false;
  for (let count = 0; ; count += 1) {
    signal.throwIfAborted();
    const result = await attempt(count).catch((error: unknown) => lost(error, rules));
    const verdict = result ? verdictOf(result, rules) : 'again';
    if (result && verdict === 'renew' && !isRenewed && rules.renew) {
      isRenewed = true;
      rules.renew();
      continue;
    }
    if (result && verdict !== 'again') return result;
    const wait = Math.max(askedWait(result, clock.now()), backoff(count, clock.random()));
    if (count >= mostAttempts || clock.now() + wait > rules.deadline) throw busy(result, wait);
    await clock.pause(wait, signal);
  }
}

/** Nothing for a connection that was lost on the way and may be tried again. */
function lost(error: unknown, { isRepeatable, signal }: RetryRules): null {
  signal.throwIfAborted();
  const isReset =
    ['ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(codeOf(error)) ||
    (error instanceof CatalogError && error.code === 'UNAVAILABLE');
  if (isRepeatable && isReset) return null;
  throw error;
}

function verdictOf(answer: HttpAnswer, { judge, isRepeatable }: RetryRules): Repetition {
  const own = judge?.(answer);
  if (own) return own;
  if (answer.status === 401) return 'renew';
  if (answer.status === 429 || answer.status === 503) return 'again';
  return isRepeatable && [500, 502, 504].includes(answer.status) ? 'again' : 'final';
}

function backoff(count: number, random: number): number {
  return random * Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(count, 10));
}

/** Milliseconds that an answer asks to wait: `Retry-After` in seconds or as a date; 0 where it says nothing. */
function askedWait(answer: HttpAnswer | null, now: number): number {
  const said = answer?.headers['retry-after']?.trim() ?? '';
  const isDate = /^\w{3}, .* GMT$/.test(said);
  const ms = isDate ? Date.parse(said) - now : Number(said) * 1_000;
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}

function busy(answer: HttpAnswer | null, wait: number): CatalogError {
  if (!answer) return unavailable('The source closed the connection, again and again.');
  const asked = wait >= 1_000 ? `, and asks to wait ${Math.ceil(wait / 1_000)} s` : '';
  return unavailable(
    answer.status === 429
      ? `The source takes no more requests for now (429)${asked}.`
      : `The source is not available for now (${answer.status})${asked}.`,
  );
}
