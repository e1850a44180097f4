// Malformed requests: Node.js would refuse them without an id or a log line.

import { maxHeaderSize, type ServerResponse, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { beginRequest, type RequestTask, type SentAnswer } from '../tracing/request.ts';
import { problemAnswer, type SentProblem } from './problem.ts';

/** What was refused, as if it had been a request. */
export interface Malformed {
  readonly task: RequestTask;
  readonly answer: SentAnswer;
}

const noHttp: SentProblem = { code: 'BAD_REQUEST', detail: 'This is not a request of HTTP/1.1.' };
/** What Node.js says of it where it is not simply no HTTP. */
const problems = new Map<string, SentProblem>([
  [
    'HPE_HEADER_OVERFLOW',
    {
      code: 'HEADERS_TOO_LARGE',
      detail: `The address and the headers are larger than ${maxHeaderSize} bytes.`,
    },
  ],
  [
    'HPE_CHUNK_EXTENSIONS_OVERFLOW',
    {
      code: 'PAYLOAD_TOO_LARGE',
      detail: 'The chunks of the request body have too many extensions.',
    },
  ],
  [
    'ERR_HTTP_REQUEST_TIMEOUT',
    { code: 'REQUEST_TIMEOUT', detail: 'The request comes too slowly.' },
  ],
]);

const what = '(malformed)';
const noArrival = {
  ...{ method: '', path: '', id: undefined, traceParent: undefined },
  clientAddress: null,
};

/**
 * Answer what is no request, and close its connection; null where the connection broke, where a client left in
 * the middle of a request, and where it has been answered so already. Into an answer that is being sent nothing
 * is written.
 */
export function refuseMalformed(
  { code = '' }: NodeJS.ErrnoException,
  connection: Duplex,
  underWay: readonly ServerResponse[],
): Malformed | null {
  if (connection.writableEnded) return null;
  const isLeft = code === 'HPE_INVALID_EOF_STATE' && underWay.length > 0;
  const isNoHttp = code.startsWith('HPE_') && !isLeft;
  const problem = problems.get(code) ?? (isNoHttp ? noHttp : null);
  const isAnswering = underWay.some(({ headersSent }) => headersSent);
  const isAnswered = problem !== null && connection.writable && !isAnswering;
  if (!isAnswered) connection.destroy();
  if (!problem) return null;
  return refusedOn(connection, problem, isAnswered);
}

/** Any method of ours; where nothing is said of a path, they are all that there are. */
const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const noTunnel: SentProblem = {
  code: 'METHOD_NOT_ALLOWED',
  detail: `This server opens no tunnels (CONNECT). Use one of ${methods}.`,
  headers: { allow: methods },
};

/** Answer a request for a tunnel in the same way: Node.js gives up what it has of its connection. */
export function refuseTunnel(connection: Duplex, underWay: readonly ServerResponse[]): Malformed {
  // No one else listens to it any more.
  connection.on('error', () => {});
  // What is unread when a connection is closed takes the answer with it.
  connection.resume();
  const isAnswered = connection.writable && !underWay.some(({ headersSent }) => headersSent);
  if (!isAnswered) connection.destroy();
  return refusedOn(connection, noTunnel, isAnswered);
}

/** Name what is refused, and answer it where that is still possible. */
function refusedOn(connection: Duplex, problem: SentProblem, isAnswered: boolean): Malformed {
  const named = beginRequest(noArrival, null);
  named.errors.set(problem.code, 1);
  const { status, head, text } = problemAnswer(problem, named.id);
  const headers = { ...head, 'x-request-id': named.id, connection: 'close' };
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  if (isAnswered) {
    connection.end(`${lines.join('\r\n')}\r\n\r\n${text}`, () => connection.destroy());
  }
  return {
    // Browsers open connections before they need them: one over which nothing came is nothing to read about.
    task: { ...named, operation: what, subject: what, isQuiet: isSilent(connection) },
    answer: { statusCode: status, headersSent: isAnswered, writableFinished: isAnswered },
  };
}

function isSilent(connection: Duplex): boolean {
  return connection instanceof Socket && connection.bytesRead === 0;
}
