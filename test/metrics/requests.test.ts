// What is counted of one request, by how it ended and what it asked for.

import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { watchRequests } from '../../src/metrics/requests.ts';
import { beginRequest } from '../../src/tracing/request.ts';

const sent = { headersSent: true, statusCode: 200, writableFinished: true };

/** The lines that one request makes, without what nothing was counted of. */
async function counted(
  given: { subject?: string; method?: string; errors?: readonly string[] } = {},
  answer: Partial<typeof sent> = {},
) {
  const { subject = 'query Orders', method = 'POST', errors = [] } = given;
  const registry = new Registry();
  const request = beginRequest(
    { method, path: '/', id: undefined, traceParent: undefined, clientAddress: null },
    null,
  );
  Object.assign(request, { subject, errors: new Map(errors.map((code) => [code, 1])) });
  watchRequests(registry)(request, { ...sent, ...answer }, 1_500);
  return registry.metrics();
}

test('how long a request took is measured where it was answered to its end', async () => {
  const finished =
    'headwater_http_request_duration_seconds_sum{part="other",method="POST",status="200"} 1.5';
  expect(await counted()).toContain(finished);
  const measured = /duration_seconds_sum\{/;
  expect(await counted({}, { writableFinished: false })).not.toMatch(measured);
  // It lasts as long as its client wants.
  expect(await counted({ subject: 'subscription Changes' })).not.toMatch(measured);
  expect(await counted({ method: 'BREW' })).toContain('method="other"');
});

test.each([
  ['ok', 'query Orders', [], {}],
  ['ok', 'query Orders', [], { statusCode: 399 }],
  ['refused', 'query Orders', [], { statusCode: 400 }],
  ['refused', 'query Orders', [], { statusCode: 499 }],
  ['failed', 'query Orders', [], { statusCode: 500 }],
  ['refused', 'query Orders', ['NOT_FOUND'], {}],
  ['failed', 'query Orders', ['NOT_FOUND', 'INTERNAL_SERVER_ERROR'], {}],
  ['left', 'query Orders', [], { headersSent: false, statusCode: 500 }],
  ['ok', '/readyz', [], { statusCode: 503 }],
])('it counts as %s: %s with the errors %j and %j', async (outcome, subject, errors, answer) => {
  expect(await counted({ subject, errors }, answer)).toContain(
    `headwater_requests_total{part="other",operation="${subject}",outcome="${outcome}"} 1`,
  );
});
