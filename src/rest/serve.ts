// In charge of serving one request: the key first, then the body, then the operation, then the reply.

import { hash } from 'node:crypto';
import { invalidField } from '../errors.ts';
import type { Address } from './address.ts';
import { type Body, readBody } from './body.ts';
import { type Engine, openSession } from './engine.ts';
import { envelope, type Selection } from './envelope.ts';
import type { Operation } from './operation.ts';
import { readArguments } from './read.ts';
import type { Route } from './route.ts';
import type { Answer, Serve } from './sofa.ts';

/** A request, where it was sent, and headers for its answer. */
export interface Incoming {
  readonly request: Request;
  readonly requestId: string;
  readonly address: Address;
  readonly params: Readonly<Record<string, string>>;
  readonly headers: Headers;
}

/**
 * Serves a POST with an `Idempotency-Key`: runs the effect once for each key, with a context of its
 * choice such as a transaction's, and gives the first answer again to whoever asks again.
 * Throws UNPROCESSABLE where the key came with another request, told by its fingerprint.
 */
export type Once<Context> = (
  context: Context,
  request: { readonly key: string; readonly fingerprint: string },
  effect: (context: Context) => Promise<Answer>,
) => Promise<Answer>;

/** What serving needs to know of the server. */
export interface Surroundings<Initial extends object, Context extends Initial> {
  readonly engine: Engine<Initial>;
  /** The path that everything is below. */
  readonly base: string;
  readonly maxBodyBytes: number;
  /**
   * Let a request in, before its body is read: gives the context to run with, or throws
   * UNAUTHENTICATED or TOO_MANY_REQUESTS. Headers that it sets are sent with the answer.
   */
  readonly admit: (
    context: Initial,
    request: Request,
    headers: Headers,
  ) => Context | Promise<Context>;
  /**
   * Do the work of an operation within what one request may take: throws TOO_MANY_REQUESTS when its
   * turn does not come, and TIMEOUT. Without it, nothing is bounded.
   */
  readonly run?: <T>(
    operation: Operation,
    context: Context,
    work: (context: Context) => Promise<T>,
  ) => Promise<T>;
  /** Serves requests that carry an `Idempotency-Key`. Without it, such keys are ignored. */
  readonly once?: Once<Context>;
}

/** Serve an operation. Throws what is to be answered as a problem. */
export async function serveOperation<Initial extends object, Context extends Initial>(
  { engine, base, maxBodyBytes, admit, run = unbounded, once }: Surroundings<Initial, Context>,
  serve: Serve,
  operation: Operation,
  { request, requestId, address, params, headers }: Incoming,
): Promise<Response> {
  if (operation.successor) announceSuccessor(headers, operation, params, address.url.origin + base);
  const session = await openSession(engine, request, requestId);
  const context = await admit(session.context, request, headers);
  const body = takesBody(operation) ? await readBody(request, maxBodyBytes) : noBody;
  const args = readArguments(operation, {
    path: params,
    query: address.url.searchParams,
    body: body.fields,
  });
  const effect = (within: Context): Promise<Answer> =>
    serve({
      operation,
      args,
      run: async (variables) => {
        const selected = await session.run(operation, variables, within);
        return shaped(operation, selected, variables, address.url);
      },
    });
  const key = operation.method === 'POST' && once ? idempotencyKeyOf(request) : undefined;
  if (!key || !once) return reply(request, await run(operation, context, effect));
  const fingerprint = hash('sha256', `${address.path}?${address.url.searchParams}\n${body.text}`);
  const keyed = { key, fingerprint };
  return reply(request, await run(operation, context, (within) => once(within, keyed, effect)));
}

function unbounded<Context, T>(
  _operation: Operation,
  context: Context,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  return work(context);
}

/** Serve a route that is written by hand. Throws what is to be answered as a problem. */
export async function serveRoute<Initial extends object, Context extends Initial>(
  { engine, admit }: Surroundings<Initial, Context>,
  route: Route<Context>,
  { request, requestId, address, params, headers }: Incoming,
): Promise<Response> {
  const session = await openSession(engine, request, requestId);
  const context = await admit(session.context, request, headers);
  const query = address.url.searchParams;
  const { status, body } = await route.handle({ request, context, params, query });
  return reply(request, { status, body: body === undefined ? null : JSON.stringify(body) });
}

const noBody: Body = { text: '', fields: {} };

function takesBody({ method }: Operation): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH';
}

/** What the operation selected, in the shape that its documentation promises. */
function shaped(
  { shape, parameters }: Operation,
  selected: unknown,
  variables: Readonly<Record<string, unknown>>,
  url: URL,
): unknown {
  if (shape === 'RECORD' || shape === 'NONE') return selected;
  const selection: Selection =
    typeof selected === 'object' && selected !== null ? { ...selected } : {};
  if (shape === 'ARRAY') return selection.results;
  const numberOf = (name: string): number => {
    const given = variables[name] ?? parameters.find((one) => one.name === name)?.defaultValue;
    return typeof given === 'number' ? given : 1;
  };
  const page = numberOf('page');
  return envelope(shape, selection, { page, pageSize: numberOf('page_size'), url });
}

/** Answer with JSON. What a GET answers has a tag, and nobody is sent again what he has. */
function reply(request: Request, { status, body }: Answer): Response {
  if (body === null) return new Response(null, { status });
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return new Response(body, { status, headers });
  }
  const etag = `W/"${hash('sha1', body, 'base64url')}"`;
  const cached = { ...headers, 'cache-control': 'private, no-cache', etag };
  const known = (request.headers.get('if-none-match') ?? '').split(',').map((tag) => tag.trim());
  if (known.includes(etag) || known.includes('*')) {
    return new Response(null, { status: 304, headers: cached });
  }
  return new Response(body, { status, headers: cached });
}

function idempotencyKeyOf(request: Request): string | undefined {
  const key = request.headers.get('idempotency-key');
  if (key === null) return undefined;
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw invalidField('Idempotency-Key', 'It has 1 to 255 visible ASCII characters.');
}

/** Say that an operation is deprecated, and what answers the same question now. */
function announceSuccessor(
  headers: Headers,
  { successor }: Operation,
  params: Readonly<Record<string, string>>,
  base: string,
): void {
  if (!successor) return;
  const filled = JSON.stringify(successor.filter, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(':') ? (params[value.slice(1)] ?? value) : value,
  );
  const query = filled === undefined ? '' : `?filter=${encodeURIComponent(filled)}`;
  headers.set('deprecation', 'true');
  headers.set('link', `<${base}${successor.path}${query}>; rel="successor-version"`);
}
