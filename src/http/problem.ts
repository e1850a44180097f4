// Problem details (RFC 9457) outside of REST and GraphQL, and for requests that failed.

import { type ServerResponse, STATUS_CODES } from 'node:http';
import { type ErrorCode, retryAfterSeconds, statusOf } from '../errors.ts';
import { currentRequest, currentRequestId, noteError } from '../tracing/request.ts';

/** What went wrong, for the one who asked. */
export interface SentProblem {
  readonly code: ErrorCode;
  readonly detail: string;
  /** The name of the status where absent. */
  readonly title?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers a request with a problem, and notes it for the log and the metrics. */
export function sendProblem(response: ServerResponse, problem: SentProblem): void {
  noteError(currentRequest()?.part ?? 'other', problem.code);
  const { status, head, text } = problemAnswer(problem, currentRequestId());
  response.writeHead(status, head).end(text);
}

/** An answer with a problem: its status, its headers and its text. */
export interface ProblemAnswer {
  readonly status: number;
  readonly head: Readonly<Record<string, string>>;
  readonly text: string;
}

/** What answers with a problem the request of a name. */
export function problemAnswer(problem: SentProblem, requestId: string | null): ProblemAnswer {
  const { code, detail, headers = {} } = problem;
  const status = statusOf(code);
  const { title = STATUS_CODES[status] } = problem;
  const about = { type: 'about:blank', title, status, detail, code };
  const text = JSON.stringify({ ...about, request_id: requestId });
  const head = {
    'content-type': 'application/problem+json',
    'content-length': String(Buffer.byteLength(text)),
    ...(code === 'UNAVAILABLE' ? { 'retry-after': String(retryAfterSeconds) } : {}),
    ...headers,
  };
  return { status, head, text };
}

/**
 * Ends a request that failed unexpectedly, so that no client waits for good: with 500, or cut where its answer
 * had begun.
 */
export function failRequest(response: ServerResponse): void {
  if (response.headersSent) response.destroy();
  else {
    const detail = 'Something went wrong on the server.';
    sendProblem(response, { code: 'INTERNAL_SERVER_ERROR', detail });
  }
}
