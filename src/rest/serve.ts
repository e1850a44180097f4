// Serves one request: the key first, then the body, then the operation, then the reply.

import { hash } from 'node:crypto';
import type { MaybePromise } from '../async/maybe-promise.ts';
import { type Body, readBody } from '../http/body.ts';
import { lightResponse, linesResponse } from '../http/light-response.ts';
import { idempotencyKeyIn, replayHeader } from '../jobs/idempotency.ts';
import {
  expectedVersions,
  isKnown,
  tagOfAnswer,
  tagOfRecord,
  takesCondition,
  withVersionOf,
} from './conditional-request.ts';
import { type Engine, openSession } from './executor.ts';
import { envelope, type Selection } from './list-envelope.ts';
import type { Operation, Successor } from './operations/operation.ts';
import { expectedVariable, versionField } from './operations/versioned.ts';
import { bodyNamesOf, queryNamesOf, readArguments } from './read.ts';
import type { Address } from './request-url.ts';
import {
  formNamesOfRoute,
  kindOf,
  queryNamesOfRoute,
  type RequestKind,
  type Route,
} from './route.ts';
import {
  addWarning,
  inQuery,
  type MeetUnknown,
  type UnknownParameters,
  unknownIn,
} from './unknown.ts';

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
 * choice such as a transaction's, and gives the first answer again to the one who asks again.
 * Throws UNPROCESSABLE where the key came with another request, which its fingerprint shows.
 */
export type Once<Context> = (
  context: Context,
  request: { readonly key: string; readonly fingerprint: string },
  effect: (context: Context) => Promise<Answer>,
) => Promise<Answer>;

/** An answer as it is sent: its status and its JSON, null where there is none. */
export interface Answer {
  readonly status: number;
  readonly body: string | null;
  readonly isReplay?: true;
}

/** What serving needs to know of the server. */
export interface Serving<Initial extends object, Context extends Initial> {
  readonly engine: Engine<Initial>;
  /** The path that everything is below. */
  readonly base: string;
  readonly maxBodyBytes: number;
  /** What becomes of parameters that no one reads; they are refused where it is absent. */
  readonly unknown?: UnknownParameters;
  /**
   * Let a request in, before its body is read: gives the context to run with, or throws
   * UNAUTHENTICATED or TOO_MANY_REQUESTS. Headers that it sets are sent with the answer.
   */
  readonly admit: (
    context: Initial,
    request: Request,
    headers: Headers,
    kind?: RequestKind,
  ) => Context | Promise<Context>;
  /** Count the bytes of a body that is to be written; throws TOO_MANY_REQUESTS. Without it, none are counted. */
  readonly weigh?: (context: Context, bytes: number) => Promise<void> | null;
  /**
   * Do the work of an operation within what one request may take: throws TOO_MANY_REQUESTS when its
   * turn does not come, and TIMEOUT. Without it, nothing is bounded.
   */
  readonly run?: <T>(
    operation: Operation,
    context: Context,
    work: (context: Context) => Promise<T>,
  ) => Promise<T>;
  /** Writes JSON; in one piece where it is absent. */
  readonly write?: (context: Context, value: unknown) => MaybePromise<string>;
  /** Serves requests that carry an `Idempotency-Key`. Without it, such keys are ignored. */
  readonly once?: Once<Context>;
  /** What was taken without an effect, in words. Without it, nothing is said of that. */
  readonly warningsOf?: (context: Context) => readonly string[];
}

/** Serve an operation. Throws what is to be answered as a problem. */
export async function serveOperation<Initial extends object, Context extends Initial>(
  serving: Serving<Initial, Context>,
  operation: Operation,
  { request, requestId, address, params, headers }: Incoming,
): Promise<Response> {
  const { engine, base, maxBodyBytes, unknown, admit, weigh, once } = serving;
  const { run = unbounded, write = inOnePiece, warningsOf = () => [] } = serving;
  if (operation.successor) announceSuccessor(headers, operation, params, address.url, base);
  const session = await openSession(engine, request, requestId);
  const context = await admit(session.context, request, headers);
  const meetUnknown = unknownIn(unknown ?? 'refuse', headers);
  meetUnknown(inQuery(address.url.searchParams, queryNamesOf(operation)));
  const body = takesBody(operation) ? await readBody(request, maxBodyBytes) : noBody;
  await weigh?.(context, Buffer.byteLength(body.text));
  // Clients put whole records into a body, so what it has next to its fields is no mistake for certain.
  const fields = { noun: 'field', given: Object.keys(body.fields), known: bodyNamesOf(operation) };
  unknownIn('warn', headers)(fields);
  const parts = { path: params, query: address.url.searchParams, body: body.fields };
  const variables = readArguments(operation, parts, meetUnknown);
  const expected = takesCondition(operation)
    ? expectedVersions(request, operation.isConditional)
    : undefined;
  let version: number | null = null;
  const effect = async (within: Context): Promise<Answer> => {
    const run = (more: object) => session.run(operation, { ...variables, ...more }, within);
    const selected = expected
      ? await withVersionOf(expected, (one) => run({ [expectedVariable]: one }))
      : await run({});
    const record = operation.isVersioned ? withoutVersion(selected) : { selected };
    version = record.version ?? null;
    for (const text of warningsOf(within)) addWarning(headers, text);
    const value = shaped(operation, record.selected, variables, address.url);
    const { status } = operation;
    return { status, body: status === 204 ? null : await write(within, value) };
  };
  const key =
    operation.method === 'POST' && once
      ? idempotencyKeyIn(request.headers.get('idempotency-key'))
      : undefined;
  if (!key || !once) return reply(request, await run(operation, context, effect), version);
  const fingerprint = hash('sha256', `${address.path}?${address.url.searchParams}\n${body.text}`);
  const keyed = { key, fingerprint };
  const answer = await run(operation, context, (within) => once(within, keyed, effect));
  if (answer.isReplay) headers.set(...replayHeader);
  return reply(request, answer, version);
}

function unbounded<Context, T>(
  _operation: Operation,
  context: Context,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  return work(context);
}

function inOnePiece(_context: object, value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}

/** Serve a route that is written by hand. Throws what is to be answered as a problem. */
export async function serveRoute<Initial extends object, Context extends Initial>(
  { engine, base, unknown, admit }: Serving<Initial, Context>,
  route: Route<Context>,
  operations: readonly Operation[],
  { request, requestId, address, params, headers }: Incoming,
): Promise<Response> {
  const session = await openSession(engine, request, requestId);
  const context = await admit(session.context, request, headers, kindOf(route, request));
  const meet = unknownIn(unknown ?? 'refuse', headers);
  const parameters = queryNamesOfRoute(route);
  const inForm: MeetUnknown = (carried) =>
    meet({ elsewhere: { names: parameters, place: 'as a parameter of the query' }, ...carried });
  meet({
    ...inQuery(address.url.searchParams, parameters),
    elsewhere: { names: formNamesOfRoute(route), place: 'as a field of the form' },
  });
  if (takesCondition(request)) expectedVersions(request, false);
  const { status, body, lines, linesType, file } = await route.handle({
    ...{ request, context, params, headers, base, meetUnknown: inForm, keepPlace() {} },
    query: address.url.searchParams,
    read(operationId, variables) {
      const operation = operations.find(({ name }) => name === operationId);
      if (!operation) throw new Error(`There is no operation ${operationId}.`);
      return session.run(operation, variables, context);
    },
  });
  if (lines) {
    const type = linesType === undefined ? {} : { 'content-type': linesType };
    return linesResponse(lines, { status, headers: { 'cache-control': 'no-store', ...type } });
  }
  if (file) {
    return lightResponse(file.content, { status, headers: { 'content-type': file.type } });
  }
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

/** To make the tag of a longer list, in characters, would keep others waiting. */
const longestTagged = 8_000_000;

/**
 * Answer with JSON. What a GET answers has a tag, and no one is sent again what he has. So has a record
 * that a PATCH changed or a POST made, as it is now: the next change may follow on it without another look.
 *
 * The light `Response` keeps a text as it is; of Node.js' own a stream would be made, to be read again.
 */
function reply(
  request: Request,
  { status, body }: Answer,
  version: number | null = null,
): Response {
  if (body === null) return lightResponse(null, { status });
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  const tag = () => (version === null ? tagOfAnswer(body) : tagOfRecord(version, body));
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const isTagged = (request.method === 'PATCH' || status === 201) && version !== null;
    const tagged = isTagged ? { ...headers, etag: tag() } : headers;
    return lightResponse(body, { status, headers: tagged });
  }
  if (version === null && body.length > longestTagged) {
    return lightResponse(body, { status, headers });
  }
  const etag = tag();
  const cached = { ...headers, 'cache-control': 'private, no-cache', etag };
  if (isKnown(request, etag)) return lightResponse(null, { status: 304, headers: cached });
  return lightResponse(body, { status, headers: cached });
}

/** A record without the version that was asked for next to its fields, and that version. */
function withoutVersion(selected: unknown): { selected: unknown; version?: number } {
  if (typeof selected !== 'object' || selected === null || !(versionField in selected)) {
    return { selected };
  }
  const { [versionField]: version, ...fields } = selected;
  return { selected: fields, ...(typeof version === 'number' ? { version } : {}) };
}

/** Say that an operation is deprecated, and what answers the same question now. */
function announceSuccessor(
  headers: Headers,
  operation: Operation,
  params: Readonly<Record<string, string>>,
  { origin, searchParams }: URL,
  base: string,
): void {
  const { successor } = operation;
  if (!successor) return;
  const filter = queryOf(successor).replaceAll(parameterInQuery, (unchanged, name: string) => {
    const value = params[name];
    return value === undefined ? unchanged : encodeURIComponent(JSON.stringify(value));
  });
  // What the request narrowed the list by, its successor takes by the same names.
  const query = [filter, searchParams.toString()].filter((part) => part !== '').join('&');
  const address = `${origin}${base}${successor.path}${query && `?${query}`}`;
  headers.set('deprecation', 'true');
  headers.set('link', `<${address}>; rel="successor-version"`);
}

/** A value `":table_id"` of a filter, as it is written in a query. */
const parameterInQuery = /%22%3A(\w+)%22/g;

const queries = new WeakMap<Successor, string>();

/** What is asked of a successor, with the names of parameters in place of their values: written once. */
function queryOf(successor: Successor): string {
  const known = queries.get(successor);
  if (known !== undefined) return known;
  const filter = JSON.stringify(successor.filter);
  const query = filter === undefined ? '' : `filter=${encodeURIComponent(filter)}`;
  queries.set(successor, query);
  return query;
}
