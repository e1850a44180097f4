// The errors that a client may see: their codes, and the HTTP status of each code; and what any error says.

import { isUuid } from './text/uuid.ts';

/** What went wrong, in one word that clients can rely on. */
export type ErrorCode = keyof typeof statuses;

// REST reads this table for every error, GraphQL for what could not be run at all.
const statuses = {
  BAD_REQUEST: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  PERSISTED_QUERY_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UNPROCESSABLE: 422,
  TOO_MANY_REQUESTS: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL_SERVER_ERROR: 500,
  UNAVAILABLE: 503,
  OUTCOME_UNKNOWN: 503,
  TIMEOUT: 504,
  INSUFFICIENT_STORAGE: 507,
} as const;

/** One thing that is wrong with the input: the field as its client names it, and why. */
export interface FieldError {
  field: string;
  message: string;
}

/** An error whose message is meant for the client. Anything else that is thrown stays inside. */
export class CatalogError extends Error {
  readonly code: ErrorCode;
  readonly fields: readonly FieldError[];
  /** Headers of the answer: `retry-after`, and what says more of it. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string,
    fields: readonly FieldError[] = [],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = 'CatalogError';
    this.code = code;
    this.fields = fields;
    this.headers = headers;
  }
}

/** What happened to a record since a client read it, as far as that is known. */
export interface Since {
  /** The version that the record has now. */
  readonly currentVersion: number;
  /** Who saved it last; null for an import or the server itself, and where no one is known. */
  readonly changedBy: { readonly id: string; readonly name: string; readonly email: string } | null;
  readonly changedAt: Date;
  /** What was changed since then, by the names of the input; null where that is not known. */
  readonly changedFields: readonly string[] | null;
}

/** A CONFLICT: the record has changed since the version that the client expects it at. */
export class VersionConflict extends CatalogError {
  readonly since: Since;

  constructor(message: string, since: Since) {
    super('CONFLICT', message);
    this.name = 'VersionConflict';
    this.since = since;
  }
}

/** The HTTP status that answers an error code; 500 for a code that is not ours. */
export function statusOf(code: string): number {
  return isErrorCode(code) ? statuses[code] : 500;
}

/** The code that answers an HTTP status; undefined for a status that none of ours has. */
export function codeOf(status: number): ErrorCode | undefined {
  return Object.keys(statuses)
    .filter(isErrorCode)
    .find((code) => statuses[code] === status);
}

/** Whether a string is one of the codes above. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(statuses, code);
}

/**
 * What an error says in its own words, and whatever else was thrown as text. A driver's words may hold
 * secrets: what goes to a client is scrubbed first, or is a CatalogError's.
 */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // An error of several addresses that were tried has no message of its own.
  return error.message === '' && 'code' in error ? String(error.code) : error.message;
}

/** The input is wrong; `fields` names what is, and what would be allowed. */
export function invalid(message: string, fields: readonly FieldError[] = []): CatalogError {
  return new CatalogError('BAD_REQUEST', message, fields);
}

/** Fields of the input are wrong: the message says it of each. */
export function invalidFields(fields: readonly FieldError[]): CatalogError {
  return invalid(fields.map(({ field, message }) => `${field}: ${message}`).join(' '), fields);
}

/** One field of the input is wrong. */
export function invalidField(field: string, message: string): CatalogError {
  return invalidFields([{ field, message }]);
}

/**
 * Nothing by that id that the viewer may know of. `what` is its type, such as `Monitor`. What was given for
 * an id and is none is not said back: it may be a secret in the wrong place.
 */
export function notFound(what: string, id?: string): CatalogError {
  const isNamed = id !== undefined && isUuid(id);
  return new CatalogError('NOT_FOUND', `${what} ${isNamed ? `${id} was not` : 'not'} found.`);
}

/** The viewer's role does not allow it; `fields` names what of the input it does not. */
export function forbidden(message: string, fields: readonly FieldError[] = []): CatalogError {
  return new CatalogError('FORBIDDEN', message, fields);
}

/** The request collides with the state of things. */
export function conflict(message: string): CatalogError {
  return new CatalogError('CONFLICT', message);
}

/** The request carries no key that works. */
export function unauthenticated(): CatalogError {
  return new CatalogError(
    'UNAUTHENTICATED',
    'Send a valid API key in the header `Authorization: Bearer <API_KEY>`.',
  );
}

/** When a client may try again what was UNAVAILABLE: `Retry-After`, in seconds, and of people who sign in. */
export const retryAfterSeconds = 2;

/** Something the server needs does not answer; the client may try again. */
export function unavailable(message: string): CatalogError {
  return new CatalogError('UNAVAILABLE', message);
}

/** Whether a change was made isn't known: its commit was sent, and the answer was lost. */
export function outcomeUnknown(): CatalogError {
  return new CatalogError(
    'OUTCOME_UNKNOWN',
    'The connection to the database was lost at the end. It may have been done: look, or send it again with ' +
      'the same Idempotency-Key.',
  );
}

/** What else says when a client may try again: what is known not to be done, and what is done once however often it is sent. */
export function mayTryAgain(
  code: ErrorCode,
  request: Pick<Request, 'method' | 'headers'>,
): boolean {
  if (code !== 'OUTCOME_UNKNOWN') return code === 'UNAVAILABLE';
  const isOnce = request.method === 'POST' && request.headers.has('idempotency-key');
  return isOnce || request.method === 'GET' || request.method === 'HEAD';
}

/** The request took longer than one may; sent again it would take as long. */
export function timedOut(message: string): CatalogError {
  return new CatalogError('TIMEOUT', message);
}

/** The client did more than it may in a time; after `retryAfter` seconds it may go on. */
export class TooManyRequests extends CatalogError {
  constructor(message: string, retryAfter: number, more: Readonly<Record<string, string>> = {}) {
    super('TOO_MANY_REQUESTS', message, [], { 'retry-after': String(retryAfter), ...more });
  }
}

/** Programs sent more than is taken at once; after `retryAfter` seconds they may go on. */
export function overloaded(message: string, retryAfter: number): CatalogError {
  return new CatalogError('UNAVAILABLE', message, [], { 'retry-after': String(retryAfter) });
}

/** The body or file is larger than the server takes. */
export function tooLarge(message: string): CatalogError {
  return new CatalogError('PAYLOAD_TOO_LARGE', message);
}
