// A request under way: its id, its viewer, its costs.

import type { ServerResponse } from 'node:http';
import { requestIdOf } from '../http/request-id.ts';
import { type Task, tasks } from './task.ts';
import { readTraceParent } from './trace-parent.ts';
import type { Tracer } from './tracer.ts';

/** The part of the server that answers. */
export type ServerPart = 'graphql' | 'rest' | 'mcp' | 'site' | 'other';

/** What of a response is looked at when it is over. */
export type SentAnswer = Pick<ServerResponse, 'headersSent' | 'statusCode' | 'writableFinished'>;

/** A request, as the log and the metrics report it. */
export interface RequestTask extends Task {
  readonly kind: 'request';
  readonly method: string;
  /** Where it was sent, without its query and without secrets of ours. */
  readonly path: string;
  /** Address of its client; null where its connection is gone. */
  readonly clientAddress: string | null;
  /** Whether it is one of those that come every few seconds, and no one reads about. */
  readonly isQuiet: boolean;
  /** When it came, in milliseconds of this process. */
  readonly began: number;
  part: ServerPart;
  /** What it asks for, in the client's words: `query Orders`, `GET /api/v1/tag/tags`; null as yet. */
  operation: string | null;
  /** The same in words of ours alone, of which there are not many; null as yet. */
  subject: string | null;
  /** The user that it acts for; null without a key that works. */
  userId: string | null;
  /** The key that it came with, also one that worked once; null for any other. */
  keyId: string | null;
  /** Bytes of its body, as far as that was read into memory. */
  bodyBytes: number;
  /** How often each code was answered as an error. */
  readonly errors: Map<string, number>;
}

/** Where something comes from: the request that asked for it; null where none did, as for a job. */
export interface RequestSource {
  /** Names the request in answers and logs. */
  readonly requestId: string | null;
  /** Address of who sent it. */
  readonly clientAddress: string | null;
}

/** What a request says of itself before anybody answers it. */
export interface Arrival {
  readonly method: string;
  readonly path: string;
  /** Its headers `X-Request-Id` and `traceparent`. */
  readonly id: string | undefined;
  readonly traceParent: string | undefined;
  readonly clientAddress: string | null;
}

/** What balancers and scrapers ask for. */
const quietPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** How keys, sessions and the secrets of webhooks begin: somebody may paste one into an address. */
const madeSecret = /(hwk|hws|whsec)_[^/]+/g;

/** Begin to answer a request: run the rest with `tasks.run`. */
export function beginRequest(
  { method, path, id, traceParent, clientAddress }: Arrival,
  tracer: Tracer | null,
): RequestTask {
  const parent = readTraceParent(traceParent);
  const isQuiet = quietPaths.has(path);
  const span = tracer && !isQuiet ? tracer.request(parent) : null;
  return {
    kind: 'request',
    id: requestIdOf(id ?? null),
    traceId: span?.traceId ?? parent?.traceId ?? null,
    span,
    method,
    path: path.replaceAll(madeSecret, '$1_***'),
    clientAddress,
    isQuiet,
    began: performance.now(),
    part: 'other',
    operation: null,
    subject: null,
    userId: null,
    keyId: null,
    statements: 0,
    rows: 0,
    databaseMs: 0,
    bodyBytes: 0,
    errors: new Map(),
  };
}

/** The request that the running code answers, if it answers one. */
export function currentRequest(): RequestTask | undefined {
  const task = tasks.getStore();
  return isRequest(task) ? task : undefined;
}

/** The id of the request that the running code answers; null where it answers none. */
export function currentRequestId(): string | null {
  return currentRequest()?.id ?? null;
}

/** The id and the client of the request that the running code answers; null where it answers none. */
export function currentSource(): RequestSource {
  const { id, clientAddress } = currentRequest() ?? { id: null, clientAddress: null };
  return { requestId: id, clientAddress };
}

/** Note that a part of the server answers the running request with an error. */
export function noteError(part: ServerPart, code: string): void {
  const request = currentRequest();
  // REST asks GraphQL, and may make another error of what it is answered; agents are shown the error as it is.
  const isShown = request?.part === part || (request?.part === 'mcp' && part === 'graphql');
  if (!request || !isShown) return;
  request.errors.set(code, (request.errors.get(code) ?? 0) + 1);
}

/** Note what the running request asks for, in words of which there are not many. */
export function noteSubject(subject: string): void {
  const request = currentRequest();
  if (!request) return;
  request.operation = subject;
  request.subject = subject;
}

function isRequest(task: Task | undefined): task is RequestTask {
  return task?.kind === 'request';
}
