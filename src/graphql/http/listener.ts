// In charge of GraphQL's way in and out of node:http: one request is read, handed to Yoga, and its answer sent.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { ReadableStreamDefaultReader } from 'node:stream/web';
import { clientLeft } from '../../aborting.ts';
import { CatalogError, statusOf } from '../../errors.ts';
import { readMessage } from '../../http/body.ts';
import { noteError } from '../../tracing/request.ts';
import { type ErrorListener, requestName } from '../masking.ts';

/** What a request becomes on its way to Yoga, and what Yoga answers with. */
export interface FetchHandler {
  readonly fetchAPI: { readonly Request: typeof Request };
  handleRequest(request: Request, initial: object): Response | PromiseLike<Response>;
}

export interface ListenerOptions {
  /** Larger bodies are refused with 413, those that come too slowly with 408. */
  readonly maxBodyBytes: number;
  readonly onUnexpected: ErrorListener;
}

/** Whose the addresses of requests are: nothing looks at it, and the header `Host` may be no name of a host. */
const origin = 'http://localhost';

/** Answers the requests of node:http. The signal of a request aborts when its client goes away. */
export function graphqlListener(
  handler: FetchHandler,
  { maxBodyBytes, onUnexpected }: ListenerOptions,
): RequestListener {
  const { fetchAPI, handleRequest } = handler;
  async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const leaving = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) leaving.abort(clientLeft());
    });
    const { method = 'GET', url = '/', headers: sent } = message;
    const init = { method, headers: namesAndValues(sent), signal: leaving.signal };
    const body = method === 'POST' ? await readMessage(message, maxBodyBytes) : null;
    const whole = body === null ? init : { ...init, body };
    const asked = new fetchAPI.Request(`${origin}${url}`, whole);
    await send(await handleRequest(asked, {}), response);
  }
  return (message, response) => {
    answer(message, response).catch((error: unknown) => {
      // Nobody is there to be told.
      if (response.destroyed) return;
      if (error instanceof CatalogError) return refuse(error, response);
      onUnexpected(error);
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    });
  };
}

/** A header that was sent several times is one, as node:http joined it. */
function namesAndValues(headers: IncomingMessage['headers']): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) plain[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return plain;
}

async function send(answer: Response, response: ServerResponse): Promise<void> {
  if (response.destroyed) return;
  response.statusCode = answer.status;
  answer.headers.forEach((value, name) => {
    response.setHeader(name, value);
  });
  if (isStream(answer)) return sendPieces(answer, response);
  const text = await answer.text();
  if (!response.destroyed) response.end(text);
}

/** Events come one by one; all else is a text already, of which no stream has to be made. */
function isStream({ headers }: Response): boolean {
  const type = headers.get('content-type') ?? '';
  return type.startsWith('text/event-stream') || type.startsWith('multipart/');
}

/** Send events as they come, no faster than the client reads them, until either side ends. */
async function sendPieces({ body }: Response, response: ServerResponse): Promise<void> {
  if (!body) return void response.end();
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  const closed = new Promise<void>((resolve) => response.once('close', resolve));
  response.once('close', () => void reader.cancel().catch(() => {}));
  response.flushHeaders();
  for (;;) {
    const next = await reader.read();
    if (next.done || response.destroyed) break;
    if (response.write(next.value)) continue;
    await Promise.race([new Promise<void>((resolve) => response.once('drain', resolve)), closed]);
  }
  response.end();
}

function refuse({ message, code }: CatalogError, response: ServerResponse): void {
  noteError('graphql', code);
  const errors = [{ message, extensions: { code, ...requestName() } }];
  response.writeHead(statusOf(code), { 'content-type': 'application/json' });
  response.end(JSON.stringify({ errors }));
}
