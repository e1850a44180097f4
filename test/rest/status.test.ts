// The status that answers each error code: clients retry, ask again or give up by it.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CatalogError, type ErrorCode } from '../../src/errors.ts';
import { replyWithProblem } from '../../src/rest/reply.ts';

// Written down once more, so that a change of one has to be meant; a code without a line here does not compile.
const statuses: Record<ErrorCode, number> = {
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
};

test('each code is answered with its status, in the head and in the body', async () => {
  const found: Record<string, number> = {};
  for (const code of Object.keys(statuses).filter(isCode)) {
    const answer = replyWithProblem(
      new CatalogError(code, 'No.'),
      new Request('http://headwater/'),
      'request',
    );
    found[code] = answer.status;
    expect(await answer.json()).toMatchObject({ code, status: answer.status });
  }
  expect(found).toEqual(statuses);
});

test('the documentation has the same table', () => {
  const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| (\d{3}) \| `([A-Z_]+)` \|/gm)];
  expect(Object.fromEntries(rows.map(([, status, code]) => [code, Number(status)]))).toEqual(
    statuses,
  );
});

function isCode(code: string): code is ErrorCode {
  return Object.hasOwn(statuses, code);
}
