// The HTTP server from its first connection to its last, before and after the program.

import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connectionLimits } from '../limits/connections.ts';
import {
  type Arrival,
  beginRequest,
  noteSubject,
  type RequestTask,
  type SentAnswer,
} from '../tracing/request.ts';
import { endSpan } from '../tracing/span.ts';
import { tasks } from '../tracing/task.ts';
import type { Tracer } from '../tracing/tracer.ts';
import { clientAddressOf } from './client-address.ts';
import { sayHealth } from './health.ts';
import { refuseMalformed, refuseTunnel } from './malformed.ts';
import { type SentProblem, sendProblem } from './problem.ts';
import { bareHeaders } from './strict-headers.ts';
import { UnderWay } from './under-way.ts';

/** A server that answers from the moment on which it listens. */
export interface HttpServer {
  readonly server: Server;
  /**
   * Hand requests to the program from now on. Until then `/healthz` says 200, `/readyz` and all else
   * 503 with `Retry-After`. `onAnswer` is called with those answers, too.
   */
  begin(program: RequestListener, onAnswer?: AnswerListener): void;
  /**
   * From now on `/readyz` says 503, and each answer closes its connection, so that clients open the
   * next one elsewhere; all else is served as before.
   */
  drain(): void;
  /**
   * Listen no more, and wait until each request under way has its answer. Connections that carry
   * none are closed; one whose request is just being sent has a second for that.
   */
  close(): Promise<void>;
}

/** How often connections without a request are looked for while the server closes. */
const closeIdleMs = 100;
/** How long a connection that sent nothing yet, or half a request, is waited for. */
const headersMs = 1_000;

/** Answers before the program begins that are kept for it, of which balancers make a few in a second. */
const mostEarly = 1_000;

/** Called with each request that is over after so many milliseconds: answered, or left by its client. */
export type AnswerListener = (request: RequestTask, answer: SentAnswer, ms: number) => void;

const noHost: SentProblem = {
  code: 'BAD_REQUEST',
  detail: 'The header Host is missing, or there are several: HTTP/1.1 requires one.',
  headers: { connection: 'close' },
};

/** Who watches requests, and whom they come through. */
export interface Watchers {
  readonly onAnswer?: AnswerListener;
  /** Null where nothing is traced. */
  readonly tracer?: Tracer | null;
  /** Whether `X-Forwarded-For` says where requests come from. */
  readonly trustsProxy?: boolean;
}

/** Make a server that doesn't listen yet. */
export function openHttpServer({
  onAnswer,
  tracer = null,
  trustsProxy = false,
}: Watchers = {}): HttpServer {
  let program: RequestListener | null = null;
  let draining = false;
  const underWay = new UnderWay();
  const answers = announceAnswers(onAnswer);
  const answer = (request: IncomingMessage, response: ServerResponse, path: string) => {
    if (draining) response.setHeader('connection', 'close');
    const isHealth = path === '/healthz' || path === '/readyz';
    // What balancers ask for many times a second is no page.
    if (!isHealth) setBareHeaders(response);
    if (!hasOneHost(request)) return sendProblem(response, noHost);
    if (isHealth) noteSubject(path);
    if (path === '/healthz') return sayHealth(response, 200, 'alive');
    if (path === '/readyz' && draining) return sayHealth(response, 503, 'shutting down');
    if (program) return program(request, response);
    if (path === '/readyz') return sayHealth(response, 503, 'starting');
    const detail = 'The server is starting; try again in a second.';
    return sendProblem(response, { code: 'UNAVAILABLE', detail });
  };
  const server = createServer(connectionLimits, (request, response) => {
    const { socket } = request;
    if (!underWay.add(socket, response)) return void socket.destroy();
    const path = pathOf(request);
    const task = beginRequest(arrivalOf(request, path, trustsProxy), tracer);
    response.setHeader('x-request-id', task.id);
    response.once('close', () => {
      underWay.delete(socket, response);
      answers.over(task, response);
    });
    tasks.run(task, answer, request, response, path);
  });
  server.on('clientError', (error, connection) => {
    const malformed = refuseMalformed(error, connection, underWay.on(connection));
    if (malformed) answers.over(malformed.task, malformed.answer);
  });
  server.on('connect', (_request, connection) => {
    const { task, answer: sent } = refuseTunnel(connection, underWay.on(connection));
    answers.over(task, sent);
  });
  // What is expected besides 100-continue may be answered with 417 (RFC 9110), which would have no name.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connection', (socket) => underWay.follow(socket));
  return {
    server,
    begin(listener, onAnswerOf = () => {}) {
      program = listener;
      answers.listen(onAnswerOf);
    },
    drain() {
      draining = true;
      for (const response of underWay.all()) {
        if (!response.headersSent) response.setHeader('connection', 'close');
      }
    },
    close: () => closeServer(server, underWay),
  };
}

async function closeServer(server: Server, underWay: UnderWay): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  // An answer that had begun before the draining leaves its connection open.
  const closing = setInterval(() => server.closeIdleConnections(), closeIdleMs);
  // Node.js takes those on which nothing or half a request came for busy, and a server that
  // closes no longer looks at `headersTimeout`.
  const late = setTimeout(() => underWay.destroyIdle(), headersMs);
  await closed;
  clearInterval(closing);
  clearTimeout(late);
}

/** Calls who listens to answers; one who listens later is called with what came before. */
function announceAnswers(onAnswer: AnswerListener | undefined) {
  const early: Parameters<AnswerListener>[] = [];
  let later: AnswerListener = (...ended) => {
    if (early.length < mostEarly) early.push(ended);
  };
  return {
    over(task: RequestTask, answer: SentAnswer): void {
      const ms = performance.now() - task.began;
      endSpan(task, answer);
      onAnswer?.(task, answer, ms);
      later(task, answer, ms);
    },
    listen(listener: AnswerListener): void {
      later = listener;
      for (const ended of early.splice(0)) listener(...ended);
    },
  };
}

/** The path of a request, without its query. */
export function pathOf({ url = '/' }: IncomingMessage): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

function setBareHeaders(response: ServerResponse): void {
  for (const [name, value] of Object.entries(bareHeaders)) response.setHeader(name, value);
}

/**
 * Whether a request says once which host it is for, as RFC 9112 has it: of two, a proxy may have looked at the other one.
 * Only HTTP/1.0 may say none.
 */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}

function arrivalOf(request: IncomingMessage, path: string, trustsProxy: boolean): Arrival {
  const { method = '', headers } = request;
  const { 'x-request-id': id, traceparent } = headers;
  const clientAddress = clientAddressOf(request, trustsProxy);
  return { method, path, id: oneOf(id), traceParent: oneOf(traceparent), clientAddress };
}

/** A header that was sent twice says nothing. */
function oneOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}
