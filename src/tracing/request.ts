// In charge of what is known of one request while it is answered: its name, who asks, what it took.

import { randomUUID } from 'node:crypto';
import { type Task, tasks } from './task.ts';
import { readTraceParent, type TraceParent } from './trace-parent.ts';

/** The part of the server that answers. */
export type Face = 'graphql' | 'rest' | 'site' | 'other';

/** A request, as the log and the metrics tell of it. */
export interface RequestTask extends Task {
  readonly kind: 'request';
  readonly method: string;
  /** Where it was sent, without its query. */
  readonly path: string;
  /** The trace that its client says it is part of; null where it says none. */
  readonly parent: TraceParent | null;
  /** When it came, in milliseconds of this process. */
  readonly began: number;
  face: Face;
  /** What it asks for, in the client's words: `query Orders`, `GET /api/v1/tag/tags`; null as yet. */
  operation: string | null;
  /** The same in words of ours alone, of which there are not many; null as yet. */
  subject: string | null;
  /** The user that it acts for, and the key that it came with; null without a key that works. */
  userId: string | null;
  keyId: string | null;
  /** How often each code was answered as an error. */
  readonly errors: Map<string, number>;
}

/** What a request says of itself before anybody answers it. */
export interface Arrival {
  readonly method: string;
  readonly path: string;
  /** Its headers `X-Request-Id` and `traceparent`. */
  readonly id: string | undefined;
  readonly traceParent: string | undefined;
}

/** Begin to answer a request: run the rest with `tasks.run`. */
export function beginRequest({ method, path, id, traceParent }: Arrival): RequestTask {
  return {
    kind: 'request',
    id: requestIdFrom(id),
    method,
    path,
    parent: readTraceParent(traceParent),
    began: performance.now(),
    face: 'other',
    operation: null,
    subject: null,
    userId: null,
    keyId: null,
    statements: 0,
    databaseMs: 0,
    errors: new Map(),
  };
}

/** The id that a client or a proxy gave a request, if it can stand in a log, else a new one. */
export function requestIdFrom(given: string | null | undefined): string {
  return given && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
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

/** Note that the answer to the running request tells of an error. */
export function noteError(code: string): void {
  const errors = currentRequest()?.errors;
  errors?.set(code, (errors.get(code) ?? 0) + 1);
}

function isRequest(task: Task | undefined): task is RequestTask {
  return task?.kind === 'request';
}
