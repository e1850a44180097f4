// Metrics of requests: how many, how long, for what, and how they ended.

import { Counter, Histogram, type Registry } from 'prom-client';
import { statusOf } from '../errors.ts';
import type { RequestTask, SentAnswer } from '../tracing/request.ts';

/** How a request ended, from the server's point of view. */
export type RequestOutcome = 'ok' | 'refused' | 'failed' | 'left';

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** What is asked for where that can't be determined: a path that is not ours, a query that can't be read. */
const unknown = '(unknown)';
const firstFault = 500;
const firstRefusal = 400;

/** Count requests in a registry; answers what is to be called with each when it is over. */
export function watchRequests(
  registry: Registry,
): (request: RequestTask, answer: SentAnswer, ms: number) => void {
  const durations = new Histogram({
    name: 'headwater_http_request_duration_seconds',
    help: 'How long requests took, by part of the server, method and status; without subscriptions.',
    labelNames: ['part', 'method', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  const counts = new Counter({
    name: 'headwater_requests_total',
    // Operations are the routes of REST and the fields of the schema: clients can't make new ones.
    help: 'Requests by operation and outcome: ok, refused, failed, or left by their client.',
    labelNames: ['part', 'operation', 'outcome'],
    registers: [registry],
  });
  const seconds = new Counter({
    name: 'headwater_request_seconds_total',
    help: 'How long the requests for an operation took together.',
    labelNames: ['part', 'operation'],
    registers: [registry],
  });
  const errors = new Counter({
    name: 'headwater_errors_total',
    help: 'Errors that were answered, by code; a GraphQL request may have several.',
    labelNames: ['part', 'code'],
    registers: [registry],
  });
  return (request, answer, ms) => {
    const { part, subject } = request;
    const took = ms / 1_000;
    const operation = subject ?? unknown;
    const method = methods.has(request.method) ? request.method : 'other';
    if (answer.writableFinished && !isSubscription(request)) {
      durations.observe({ part, method, status: String(answer.statusCode) }, took);
    }
    counts.inc({ part, operation, outcome: outcomeOf(request, answer) });
    seconds.inc({ part, operation }, took);
    for (const [code, count] of request.errors) errors.inc({ part, code }, count);
  };
}

/** It lasts as long as its client wants, which says nothing of how quick the server is. */
function isSubscription({ subject }: RequestTask): boolean {
  return subject?.startsWith('subscription ') ?? false;
}

/** How a request ended. GraphQL says so in the codes of its errors, whatever the status. */
function outcomeOf({ errors, subject }: RequestTask, answer: SentAnswer): RequestOutcome {
  if (!answer.headersSent) return 'left';
  // It says no for a while by its very purpose, at each stop and each start.
  if (subject === '/readyz') return 'ok';
  const worst = Math.max(answer.statusCode, ...[...errors.keys()].map(statusOf));
  if (worst >= firstFault) return 'failed';
  return worst >= firstRefusal ? 'refused' : 'ok';
}
