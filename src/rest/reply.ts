// Error answers: from whatever was thrown to RFC 9457 problem details.

import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import {
  CatalogError,
  type ErrorCode,
  type FieldError,
  invalidField,
  isErrorCode,
  mayTryAgain,
  retryAfterSeconds,
  type Since,
  statusOf,
  VersionConflict,
} from '../errors.ts';
import { lightResponse } from '../http/light-response.ts';
import { noteError } from '../tracing/request.ts';

/** The body of an error answer (RFC 9457), with the fields that this product adds. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ErrorCode;
  readonly request_id: string;
  readonly errors?: readonly FieldError[];
  /** Of a record that is at another version than the client expects: what it is at, and why. */
  readonly current_version?: number;
  readonly changed_by?: Since['changedBy'];
  readonly changed_at?: string;
  readonly changed_fields?: readonly string[] | null;
}

/** What answers an error: nothing of it is shown unless the error is meant for the client. */
export function problemOf(error: unknown, requestId: string): Problem {
  const known = catalogErrorIn(error);
  // Over REST only a condition of the request can be what expects a version.
  const isStale = known instanceof VersionConflict;
  const code = isStale ? 'PRECONDITION_FAILED' : (known?.code ?? 'INTERNAL_SERVER_ERROR');
  const status = statusOf(code);
  return {
    // The code says more than a type of our own could; about:blank means that the title is HTTP's.
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: known && status !== 500 ? known.message : 'Something went wrong on the server.',
    code,
    request_id: requestId,
    ...(known && known.fields.length > 0 ? { errors: known.fields } : {}),
    ...(isStale ? sinceOf(known) : {}),
  };
}

function sinceOf({ since }: VersionConflict) {
  return {
    current_version: since.currentVersion,
    changed_by: since.changedBy,
    changed_at: since.changedAt.toISOString(),
    changed_fields: since.changedFields,
  };
}

/** Answer with problem details. `headers` are added, such as `Allow`. */
export function replyWithProblem(
  error: unknown,
  request: Pick<Request, 'method' | 'headers'>,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const problem = problemOf(error, requestId);
  noteError('rest', problem.code);
  return lightResponse(JSON.stringify(problem), {
    status: problem.status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...(problem.status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
      ...(mayTryAgain(problem.code, request) ? { 'retry-after': String(retryAfterSeconds) } : {}),
      ...headers,
      // An error that knows how long it takes says so itself.
      ...(error instanceof CatalogError ? error.headers : {}),
    },
  });
}

/** The error meant for the client inside of what was thrown, as GraphQL or a library wrapped it. */
export function catalogErrorIn(error: unknown): CatalogError | undefined {
  for (let inner = error, depth = 0; inner instanceof Error && depth < 8; depth += 1) {
    if (inner instanceof CatalogError) return inner;
    const masked = maskedErrorOf(inner);
    if (masked) return masked;
    inner = 'originalError' in inner ? inner.originalError : inner.cause;
  }
  return undefined;
}

// Yoga's masking leaves a GraphQL error that carries the code and the fields as extensions.
function maskedErrorOf(error: Error): CatalogError | undefined {
  if (!('extensions' in error)) return undefined;
  const { extensions } = error;
  if (typeof extensions !== 'object' || extensions === null) return undefined;
  if (!('code' in extensions) || typeof extensions.code !== 'string') return undefined;
  if (!isErrorCode(extensions.code)) return undefined;
  const since = sinceIn.safeParse(extensions);
  if (since.success) return new VersionConflict(error.message, since.data);
  const fields = 'fields' in extensions ? fieldErrorsIn(extensions.fields) : [];
  return refusalIn(error) ?? new CatalogError(extensions.code, error.message, fields);
}

// GraphQL's own refusal of a null where the schema wants a value names no field, but has this form.
function refusalIn(error: Error): CatalogError | undefined {
  const [, field] = /^(?:Variable "\$|Argument ")(\w+)"/.exec(error.message) ?? [];
  return field ? invalidField(field, 'must not be null') : undefined;
}

/** Masking keeps what happened since a version as it was. */
const sinceIn = z.object({
  currentVersion: z.number(),
  changedBy: z.object({ id: z.string(), name: z.string(), email: z.string() }).nullable(),
  changedAt: z.date(),
  changedFields: z.array(z.string()).nullable(),
});

function fieldErrorsIn(value: unknown): FieldError[] {
  const items: unknown[] = Array.isArray(value) ? value : [];
  return items.flatMap((item) => {
    if (typeof item !== 'object' || item === null) return [];
    if (!('field' in item) || !('message' in item)) return [];
    return [{ field: String(item.field), message: String(item.message) }];
  });
}

/**
 * The same error in the words of the REST documentation: fields by their documented names.
 * `names` gives those of the arguments and input fields of the schema.
 */
export function inDocumentedNames(
  error: CatalogError,
  names: ReadonlyMap<string, string>,
): CatalogError {
  if (error instanceof VersionConflict) return sinceInDocumentedNames(error, names);
  let message = error.message;
  const fields = error.fields.map(({ field, message: why }) => {
    const [found, documented] = longestName(field, names);
    if (found === documented) return { field, message: why };
    const word = new RegExp(`\\b${found.replaceAll('.', '\\.')}\\b`, 'g');
    message = message.replaceAll(word, documented);
    return {
      field: documented + field.slice(found.length),
      message: why.replaceAll(word, documented),
    };
  });
  return new CatalogError(error.code, message, fields);
}

function sinceInDocumentedNames(
  { message, since }: VersionConflict,
  names: ReadonlyMap<string, string>,
): VersionConflict {
  const documented = (field: string) =>
    names.get(`input.${field}`) ?? field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const changedFields = since.changedFields?.map(documented) ?? null;
  const said = since.changedFields?.join(', ') ?? '';
  const words = said === '' ? message : message.replace(said, changedFields?.join(', ') ?? '');
  return new VersionConflict(words, { ...since, changedFields });
}

/** The longest start of a field's path that has a documented name, with that name. */
function longestName(field: string, names: ReadonlyMap<string, string>): [string, string] {
  const steps = field.split('.');
  for (let length = steps.length; length > 0; length -= 1) {
    const start = steps.slice(0, length).join('.');
    const documented = names.get(start);
    if (documented !== undefined) return [start, documented];
  }
  return [field, field];
}
