// What a route is that no operation can express, such as an upload.

import { z } from 'zod';
import type { ApiKeyScope } from '../auth/key-scope.ts';
import type { KeepPlace } from '../limits/per-key.ts';
import type { Method } from './operations/operation.ts';
import type { MeetUnknown } from './unknown.ts';

/** A route written by hand. It is served like the operations: key first, errors as problems. */
export interface Route<Context extends object> {
  readonly method: Method;
  /** Below the base, as documented: `/integration/integrations/:integration_id/import_metadata`. */
  readonly path: string;
  readonly aliases?: readonly string[];
  /** Its part of the OpenAPI document, but for path parameters and the usual errors. */
  readonly document: RouteDocument;
  /** What a key needs to use it, next to what its function asks for. */
  readonly scope: ApiKeyScope;
  /** Whether it takes no more than one request may, as operations do; an upload takes as long as it needs. */
  readonly isBounded?: boolean;
  /** Whether it is neither counted nor bounded by key: its clients lose what is refused with 429. */
  readonly isNeverLimited?: boolean;
  handle(request: RouteRequest<Context>): Promise<RouteReply>;
}

/** A route whose requests carry a signature of their own in place of a key. */
export interface SignedRoute extends Pick<Route<object>, 'method' | 'path' | 'document'> {
  /** Answers a request as it came. Throws UNAUTHENTICATED for one whose signature is not that of its body. */
  answer(request: Request, params: Readonly<Record<string, string>>): Promise<RouteReply>;
}

/** What OpenAPI says of a route; the objects are those of OpenAPI 3.1. */
export interface RouteDocument {
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Parameters of the query, and headers. */
  readonly parameters?: readonly RouteParameter[];
  /** What a request carries in place of a key. */
  readonly security?: readonly object[];
  readonly requestBody?: object;
  /** Successes by status; errors beyond 401, 403, 404 and 500 by status alone. */
  readonly responses: Readonly<Record<string, object>>;
  readonly errors?: readonly number[];
}

/** A parameter of OpenAPI. */
export interface RouteParameter {
  readonly name: string;
  readonly in: string;
  readonly [more: string]: unknown;
}

/** The names that parameters of a route's query have. */
export function queryNamesOfRoute({ document }: Pick<Route<never>, 'document'>): string[] {
  const inQuery = (document.parameters ?? []).filter((one) => one.in === 'query');
  return inQuery.map(({ name }) => name);
}

const form = z.object({
  content: z.object({
    'multipart/form-data': z.object({
      schema: z.object({ properties: z.record(z.string(), z.unknown()) }),
    }),
  }),
});

/** The names that fields of a route's form have; none where it takes no form. */
export function formNamesOfRoute({ document }: Pick<Route<never>, 'document'>): string[] {
  const { data } = form.safeParse(document.requestBody);
  return Object.keys(data?.content['multipart/form-data'].schema.properties ?? {});
}

/** A request for a route, from a caller whose key has been checked. */
export interface RouteRequest<Context extends object> {
  /** As it came: its body has not been read. */
  readonly request: Request;
  readonly context: Context;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Headers of the answer, whatever it is: an error as well. */
  readonly headers: Headers;
  /** Deals with what else the request carries, such as fields of a form that no one reads. */
  readonly meetUnknown: MeetUnknown;
  /** The path that all of REST is below. */
  readonly base: string;
  /** Counts it as under way until something is over, also when it is answered before. */
  readonly keepPlace: KeepPlace;
  /**
   * What a documented operation answers to the same caller, by its `operationId` and the parameters of
   * its path. Throws as the operation does.
   */
  read(operationId: string, params: Readonly<Record<string, string>>): Promise<unknown>;
}

/** How requests are counted: uploads by their own number, what is never limited not at all, all others as writes. */
export type RequestKind = 'operation' | 'upload' | 'never limited';

/** How a request for a route is counted. */
export function kindOf(
  { isBounded, isNeverLimited }: Pick<Route<never>, 'isBounded' | 'isNeverLimited'>,
  { method }: { readonly method: string },
): RequestKind {
  if (isNeverLimited) return 'never limited';
  return method === 'POST' && !isBounded ? 'upload' : 'operation';
}

/** The answer of a route: JSON, lines of JSON, a file, or nothing. */
export interface RouteReply {
  readonly status: number;
  readonly body?: unknown;
  /** What is sent as it comes, in place of a body: one or several lines at a time. */
  readonly lines?: AsyncIterable<string>;
  /** What the lines are, where they are no JSON. */
  readonly linesType?: string;
  /** What is sent as it is, in place of a body. */
  readonly file?: { readonly type: string; readonly content: Uint8Array<ArrayBuffer> };
}

/** Lines of an answer, which take a place of their key until its client has them, or has gone. */
export function keptUntilRead(
  { request, keepPlace }: Pick<RouteRequest<object>, 'request' | 'keepPlace'>,
  lines: AsyncGenerator<string>,
): AsyncGenerator<string> {
  if (request.method === 'HEAD') return lines;
  let over = () => {};
  keepPlace(
    new Promise<void>((resolve) => {
      over = resolve;
    }),
  );
  request.signal.addEventListener('abort', () => over(), { once: true });
  return untilRead(lines, () => over());
}

async function* untilRead(lines: AsyncGenerator<string>, over: () => void): AsyncGenerator<string> {
  try {
    yield* lines;
  } finally {
    over();
  }
}
