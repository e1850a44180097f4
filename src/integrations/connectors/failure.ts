// What the failure of a source means: to a client in words, without its secrets.

import { CatalogError, invalid, messageOf, unavailable } from '../../errors.ts';
import type { Scrub } from '../../secrets/redaction.ts';
import type { ConnectionCheck } from './connector.ts';
import { refusalOf, saidBy, wholeMessage, withoutValues } from './source-error.ts';

/** A source did not answer in time; it was cut off. */
export function tooSlow(what: string, ms: number): CatalogError {
  return unavailable(`${what} timed out after ${ms / 1_000} s.`);
}

const lockedMessage = 'A table is locked by someone else at the source. Try again later.';

/** Somebody else holds a lock on what was asked for: another time there may be none. */
export function locked(): CatalogError {
  return unavailable(lockedMessage);
}

/** Whether it was a lock that stood in the way. */
export function isLocked(error: unknown): boolean {
  return error instanceof CatalogError && error.message === lockedMessage;
}

/** The source answered, and said no; for drivers whose errors do not say. */
export class SourceRefusal extends Error {
  /** What the source calls it: a word that holds nothing of a row. */
  readonly code: string;

  constructor(said: unknown, code: string) {
    super(messageOf(said));
    this.name = 'SourceRefusal';
    this.code = code;
  }
}

/** What a connector refuses by itself, in a sentence of ours. */
export function refused(reason: string): CatalogError {
  return invalid(`The source refused: ${reason}`);
}

/**
 * The error to throw for whatever a driver threw: UNAVAILABLE where the source could not be reached,
 * BAD_REQUEST where it answered and said no. Nothing of the driver's error travels but its code, and its words
 * without secrets and values for those who may write SQL for the source.
 */
export function sourceFailure(error: unknown, scrub: Scrub, sql: string): CatalogError {
  if (error instanceof CatalogError) return error;
  const code = codeOf(error);
  const unreached = unreachable[code];
  if (unreached !== undefined) return unavailable(unreached);
  const said = scrub(messageOf(error)).trim();
  if (error instanceof SourceRefusal || isAnswer(code)) return refusalOf(said, code, sql);
  const hint = hintOf(code, said);
  if (hint) return unavailable(`No encrypted connection: ${withoutValues(said, sql)}. ${hint}`);
  return unavailable(`The connection to the source failed: ${withoutValues(said, sql)}`);
}

/** What a driver's error is called, such as ECONNREFUSED, or SQLSTATE 42501; empty without one. */
export function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  // A connection that tried several addresses carries the errors of each.
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  for (const key of ['sqlState', 'code']) {
    const value: unknown = key in error ? Reflect.get(error, key) : undefined;
    if (typeof value === 'string' && value !== '') return value;
  }
  return '';
}

/** What to do where encryption is what failed; undefined where it is not. */
function hintOf(code: string, said: string): string | undefined {
  if (code.includes('ALTNAME') || /altnames/.test(said)) {
    return 'The certificate is of another host: set host to a name that it has, or ssl to verify-ca.';
  }
  if (/CERT|ISSUER|VERIFY_LEAF/.test(code) || /certificate/i.test(said)) {
    return "The certificate is not trusted: set ca to its authority's, or ssl to require to do without a check.";
  }
  if (/SSL_SUPPORT|^EPROTO$|^ERR_SSL/.test(code) || /does not support SSL/.test(said)) {
    return 'The source offers none: turn it on there, or set ssl to prefer or disable to do without.';
  }
  return undefined;
}

const unreachable: Readonly<Record<string, string | undefined>> = {
  ECONNREFUSED: 'Nothing listens at the host and port of the source.',
  ECONNRESET: 'The source closed the connection.',
  EPIPE: 'The source closed the connection.',
  ETIMEDOUT: 'The source does not answer.',
  EHOSTUNREACH: 'There is no way to the host of the source.',
  ENETUNREACH: 'There is no way to the network of the source.',
  PROTOCOL_CONNECTION_LOST: 'The source closed the connection.',
};

/** Codes of five characters are the SQLSTATE of an answer; 08 and 57P are those of a lost server. */
function isAnswer(code: string): boolean {
  return /^[0-9A-Z]{5}$/.test(code) && !code.startsWith('08') && !code.startsWith('57P');
}

/** The check of a source that could not be connected to. */
export function failedConnection(error: unknown): ConnectionCheck {
  if (!(error instanceof CatalogError)) throw error;
  // Who may try a connection has its credentials.
  const message = wholeMessage(error.message, saidBy(error));
  return { name: 'connection', state: 'missing', message, fix: null };
}
