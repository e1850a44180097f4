// What OpenAPI says of errors: their body, and what each status means.

import { CatalogError, type ErrorCode, statusOf } from '../../errors.ts';
import { problemOf } from '../reply.ts';
import type { JsonSchema } from './json-schema.ts';

/** The body of every error. */
export const problemSchema: JsonSchema = {
  type: 'object',
  description: 'Problem details (RFC 9457).',
  properties: {
    type: { type: 'string', format: 'uri-reference' },
    title: { type: 'string', description: "The status in HTTP's words." },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What went wrong, for people.' },
    code: { type: 'string', description: 'What went wrong, for programs.' },
    request_id: { type: 'string', description: 'Names the request in the logs of the server.' },
    errors: {
      type: 'array',
      description: 'For bad input: every field that is wrong, by its documented name.',
      items: {
        type: 'object',
        properties: { field: { type: 'string' }, message: { type: 'string' } },
        required: ['field', 'message'],
        additionalProperties: false,
      },
    },
    current_version: { type: 'integer', description: 'For 412: the version of the record now.' },
    changed_by: {
      description: 'For 412: who saved it last; null for an import or the server itself.',
      anyOf: [
        {
          type: 'object',
          properties: {
            id: { type: 'string', format: 'uuid' },
            name: { type: 'string' },
            email: { type: 'string' },
          },
          required: ['id', 'name', 'email'],
          additionalProperties: false,
        },
        { type: 'null' },
      ],
    },
    changed_at: { type: 'string', format: 'date-time', description: 'For 412: when.' },
    changed_fields: {
      type: ['array', 'null'],
      description: 'For 412: what was changed since the expected version; null if not known.',
      items: { type: 'string' },
    },
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  additionalProperties: false,
};

const canWait = new Set<ErrorCode>(['TOO_MANY_REQUESTS', 'UNAVAILABLE']);
const waitHeaders = {
  'Retry-After': {
    description: 'Try again after this many seconds.',
    schema: { type: 'integer' },
  },
};

const problems: readonly (readonly [ErrorCode, string, string])[] = [
  [
    'BAD_REQUEST',
    'A parameter is missing or wrong; `errors` says which.',
    'title must be a string',
  ],
  ['UNAUTHENTICATED', 'The key is missing or wrong.', 'Send a valid API key.'],
  ['FORBIDDEN', "The key's role does not allow it.", 'Only admins may read the audit log.'],
  ['NOT_FOUND', 'Not found, or hidden from the caller.', 'Table not found.'],
  ['REQUEST_TIMEOUT', 'The body comes too slowly.', 'The upload comes too slowly.'],
  ['CONFLICT', 'It conflicts with what is there.', 'A sync is already in progress.'],
  [
    'PRECONDITION_FAILED',
    'The record has changed since the version of `If-Match`; the body says by whom and when.',
    'Ada Lovelace changed description at 2024-05-01T12:00:00.000Z: it is at version 4 now, not 3.',
  ],
  ['PAYLOAD_TOO_LARGE', 'The body is too large.', 'The request body is larger than 1048576 bytes.'],
  [
    'UNSUPPORTED_MEDIA_TYPE',
    'The body has a content type that is not accepted.',
    'Send multipart/form-data.',
  ],
  ['UNPROCESSABLE', 'The Idempotency-Key was used for another request.', 'Use a key of its own.'],
  [
    'TOO_MANY_REQUESTS',
    'The limit of writes is reached; `Retry-After` says for how long.',
    'Wait.',
  ],
  ['INTERNAL_SERVER_ERROR', 'The server is at fault.', ''],
  [
    'UNAVAILABLE',
    'The server cannot answer now; `Retry-After` says when to try again.',
    'The database does not answer.',
  ],
  ['INSUFFICIENT_STORAGE', 'The disk of the server is full.', 'There is no room for the upload.'],
];

/** What answers each status of an error, by the name that operations refer to. */
export const problemResponses = Object.fromEntries([
  ...problems.map(([code, description, detail]) => [
    responseName(statusOf(code)),
    problemResponse(description, new CatalogError(code, detail)),
  ]),
  ['ProblemOther', problemResponse('Any other problem.', new CatalogError('NOT_FOUND', 'Gone.'))],
]);

function problemResponse(description: string, error: CatalogError): object {
  const example = problemOf(error, '1c8f5e0a-3b1d-4a52-8a1e-9a3c0f0d7c11');
  const schema = { $ref: '#/components/schemas/Problem' };
  const content = { 'application/problem+json': { schema, example } };
  return { description, ...(canWait.has(error.code) ? { headers: waitHeaders } : {}), content };
}

/** The errors of an operation, by status. */
export function errorResponses(statuses: ReadonlySet<number>): Record<string, object> {
  const known = [...statuses].sort((one, other) => one - other);
  const ref = (name: string) => ({ $ref: `#/components/responses/${name}` });
  return {
    ...Object.fromEntries(known.map((status) => [status, ref(responseName(status))])),
    default: ref('ProblemOther'),
  };
}

function responseName(status: number): string {
  return `Problem${status}`;
}
