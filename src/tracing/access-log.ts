// The line that the log has of each request.

import type { RequestTask, SentAnswer } from './request.ts';

/** The part of a log that takes such lines. */
export interface LineLog {
  isLevelEnabled(level: 'info' | 'debug'): boolean;
  info(fields: object, message: string): void;
  debug(fields: object, message: string): void;
}

/** Of a path that is none of ours, so much. */
const maxPath = 200;

/** Write the line of a request that is over after so many milliseconds: answered, or left by its client. */
export function logAnswer(
  log: LineLog,
  request: RequestTask,
  answer: SentAnswer,
  ms: number,
): void {
  const { method, path, operation, statements, rows } = request;
  const level = request.isQuiet ? 'debug' : 'info';
  if (!log.isLevelEnabled(level)) return;
  const what = operation ?? `${method} ${path.slice(0, maxPath)}`;
  const status = answer.headersSent ? answer.statusCode : null;
  const fields = {
    ...namesOf(request),
    method,
    operation: what,
    status,
    ms: rounded(ms),
    statements,
    rows,
    database_ms: rounded(request.databaseMs),
    user: request.userId,
    key: request.keyId,
    ...(request.errors.size > 0 ? { errors: Object.fromEntries(request.errors) } : {}),
    // What a client did not wait for is not answered, whatever the status says.
    ...(answer.writableFinished ? {} : { cut: true }),
  };
  const line = `${what} ${status ?? 'not answered'}`;
  log[level](fields, line);
}

/** What all lines that belong to a request or a job have in common. */
export function namesOf(task: {
  readonly kind: 'request' | 'job';
  readonly id: string;
  readonly traceId: string | null;
}): object {
  const name = task.kind === 'request' ? { request_id: task.id } : { job_id: task.id };
  return task.traceId === null ? name : { ...name, trace_id: task.traceId };
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
