// GraphQL's way in and out of node:http: one request is read, handed to Yoga, and its answer sent.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { clientLeft } from '../../async/abort.ts';
import { CatalogError, retryAfterSeconds, statusOf } from '../../errors.ts';
import { readMessage } from '../../http/body.ts';
import { LongBodies } from '../../http/long-bodies.ts';
import { sendAnswer } from '../../http/send.ts';
import type { BodySize } from '../../limits/request-size.ts';
import { noteError } from '../../tracing/request.ts';
import { clientErrorOf, type ErrorListener, requestName } from '../masking.ts';

/** What a request becomes on its way to Yoga, and what Yoga answers with. */
export interface FetchHandler {
  readonly fetchAPI: { readonly Request: typeof Request };
  /** Called without a context: of one that it is given Yoga makes a slow copy. */
  handleRequest(request: Request, ...context: never[]): Response | PromiseLike<Response>;
}

export interface ListenerOptions {
  /** Larger bodies are refused with 413, those that come too slowly with 408. */
  readonly bodySize: BodySize;
  readonly onUnexpected: ErrorListener;
}

/** Whose the addresses of requests are: nothing looks at it, and the header `Host` may be no name of a host. */
const origin = 'http://localhost';
/** Where most requests are sent, parsed once: Yoga asks for the parts of every address. */
const usual = { path: '/graphql', address: new URL(`${origin}/graphql`) };

/** Answers the requests of node:http. The signal of a request aborts when its client goes away. */
export function graphqlListener(
  handler: FetchHandler,
  { bodySize, onUnexpected }: ListenerOptions,
): RequestListener {
  const { fetchAPI, handleRequest } = handler;
  const longBodies = new LongBodies();
  async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const leaving = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) leaving.abort(clientLeft());
    });
    // What somebody may see is no one else's: neither a cache nor a page is to make anything of it.
    response.setHeader('cache-control', 'no-store');
    response.setHeader('x-content-type-options', 'nosniff');
    const { method = 'GET', url = '/', headers: sent } = message;
    const init = { method, headers: namesAndValues(sent), signal: leaving.signal };
    const body = method === 'POST' ? await readMessage(message, await bodySize(sent)) : null;
    const whole = body === null ? init : { ...init, body };
    const address = url === usual.path ? usual.address : `${origin}${url}`;
    const read = await longBodies.enter(body ?? '', sent, leaving.signal);
    let answered: Response;
    try {
      answered = await handleRequest(new fetchAPI.Request(address, whole));
    } finally {
      read();
    }
    await sendAnswer(answered, response);
  }
  return (message, response) => {
    answer(message, response).catch((error: unknown) => {
      // No one is there to be told.
      if (response.destroyed) return;
      const known = clientErrorOf(error);
      if (!known) onUnexpected(error);
      refuse(known ?? fault, response);
    });
  };
}

const fault = new CatalogError('INTERNAL_SERVER_ERROR', 'Something went wrong on the server.');

/** A header that was sent several times is one, as node:http joined it. */
function namesAndValues(headers: IncomingMessage['headers']): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) plain[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return plain;
}

/** Answer with an error and nothing else, or, where an answer has begun, break off. */
function refuse(error: CatalogError, response: ServerResponse): void {
  const { message, code } = error;
  noteError('graphql', code);
  if (response.headersSent) return void response.destroy();
  const text = JSON.stringify({ errors: [{ message, extensions: { code, ...requestName() } }] });
  response.writeHead(statusOf(code), {
    'content-type': 'application/json',
    // In place of the length of an answer that could not be sent.
    'content-length': Buffer.byteLength(text),
    ...(code === 'UNAVAILABLE' ? { 'retry-after': String(retryAfterSeconds) } : {}),
    ...error.headers,
  });
  response.end(text);
}
