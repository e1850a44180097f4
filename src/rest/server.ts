// REST over HTTP: which operation or route a request means, and an answer to everything.

import { Headers as LightHeaders } from '@whatwg-node/fetch';
import type { GraphQLSchema } from 'graphql';
import type { CatalogError } from '../errors.ts';
import { lightResponse } from '../http/light-response.ts';
import { requestIdOf } from '../http/request-id.ts';
import { currentRequest, noteSubject } from '../tracing/request.ts';
import { docsFile, docsPage } from './openapi/docs.ts';
import { buildFacade } from './openapi/facade.ts';
import { type Info, type OpenApi, openapi } from './openapi/openapi.ts';
import type { Method, Operation } from './operations/operation.ts';
import { catalogErrorIn, replyWithProblem } from './reply.ts';
import { readAddress, type SeenOrigin } from './request-url.ts';
import type { Route, SignedRoute } from './route.ts';
import { type Serving, serveOperation, serveRoute } from './serve.ts';
import { createRouter, type Endpoint, type Unrouted } from './sofa.ts';

/** What REST is made of. `Initial` is the context that Yoga makes, `Context` one with a viewer. */
export interface RestOptions<Initial extends object, Context extends Initial>
  extends Serving<Initial, Context> {
  readonly schema: GraphQLSchema;
  readonly operations: readonly Operation[];
  readonly routes?: readonly Route<Context>[];
  readonly signedRoutes?: readonly SignedRoute[];
  readonly info: Info;
  /** Which origin links have. */
  readonly seenOrigin: SeenOrigin;
  /** What a failure of the database means to a client; null for what is a fault of ours. */
  readonly failureOf: (error: unknown) => CatalogError | null;
  /** Called with what is answered with 500, unless Yoga's masking has been notified of it. */
  readonly onUnexpected: (error: unknown, requestId: string) => void;
}

/** REST, to be mounted. */
export interface Rest {
  /** Answers any request; never throws. */
  fetch(request: Request): Promise<Response>;
  readonly document: OpenApi;
}

/** Put REST together, of operations that fit the schema. */
export function createRest<Initial extends object, Context extends Initial>(
  options: RestOptions<Initial, Context>,
): Rest {
  const { base, info, operations, routes = [], signedRoutes = [], schema } = options;
  const facade = facadeOf(schema, operations);
  const document = lazy(() =>
    openapi(facade(), operations, [...routes, ...signedRoutes], base, info),
  );
  const text = lazy(() => JSON.stringify(document()));
  const json = { 'content-type': 'application/json', 'cache-control': 'no-cache' };
  const noted = (method: Method, path: string, handle: Endpoint['handle']): Endpoint['handle'] => {
    return (incoming) => {
      noteSubject(`${method} ${base}${path}`);
      return handle(incoming);
    };
  };
  const page = (path: string, handle: Endpoint['handle']): Endpoint => {
    return { method: 'GET', path, handle: noted('GET', path, handle) };
  };
  const endpoints: Endpoint[] = [
    ...operations.flatMap((operation) => {
      const { method, path, aliases } = operation;
      const handle = noted(method, path, (incoming) =>
        serveOperation(options, operation, incoming),
      );
      return [{ method, path, operation, handle }, ...alsoAt(aliases, { method, handle })];
    }),
    ...routes.flatMap((route) => {
      const { method, path, aliases = [] } = route;
      const handle = noted(method, path, (incoming) =>
        serveRoute(options, route, operations, incoming),
      );
      return alsoAt([path, ...aliases], { method, handle });
    }),
    ...signedRoutes.map(({ method, path, answer }): Endpoint => {
      const handle = noted(method, path, async ({ request, params }) => {
        const { status, body } = await answer(request, params);
        const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
        return lightResponse(JSON.stringify(body), { status, headers });
      });
      return { method, path, handle };
    }),
    page('/openapi.json', async () => lightResponse(text(), { headers: json })),
    page('/', async () => lightResponse(indexOf(info, base), { headers: json })),
    page('/docs', async () => docsPage(base, info.title)),
    page('/docs/:file', ({ params }) => docsFile(base, params.file ?? '')),
  ];
  return {
    fetch: listen(options, createRouter(endpoints, facade, base)),
    get document() {
      return document();
    },
  };
}

function alsoAt(paths: readonly string[], endpoint: Omit<Endpoint, 'path'>): Endpoint[] {
  return paths.map((path) => ({ ...endpoint, path }));
}

/** What is at the base itself: where everything else is. */
function indexOf({ title, version }: Info, base: string): string {
  const links = {
    documentation: `${base}/docs`,
    openapi: `${base}/openapi.json`,
    graphql: '/graphql',
  };
  return JSON.stringify({ title, version, ...links });
}

const facades = new WeakMap<readonly Operation[], () => GraphQLSchema>();

/** The facade of operations, the same for all who serve them; it is made for the first request that needs it. */
function facadeOf(schema: GraphQLSchema, operations: readonly Operation[]): () => GraphQLSchema {
  const facade = facades.get(operations) ?? lazy(() => buildFacade(schema, operations));
  facades.set(operations, facade);
  return facade;
}

/** Make something when it is first asked for, and once. */
function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function listen<Initial extends object, Context extends Initial>(
  { base, seenOrigin, failureOf, onUnexpected }: RestOptions<Initial, Context>,
  route: (incoming: Unrouted) => Promise<Response>,
): Rest['fetch'] {
  return async (request) => {
    // Without a server around it, as in a test, a request has no name yet.
    const requestId = currentRequest()?.id ?? requestIdOf(request.headers.get('x-request-id'));
    const headers = new LightHeaders({
      'x-request-id': requestId,
      'x-content-type-options': 'nosniff',
    });
    let answer: Response;
    try {
      const address = readAddress(request, base, seenOrigin);
      answer = await route({ request, requestId, address, headers });
    } catch (error) {
      // What Yoga masked has been reported; what a route or a transaction threw is as it was thrown.
      const known = catalogErrorIn(error) ?? failureOf(error);
      answer = replyWithProblem(known ?? error, request, requestId);
      // A request that breaks off because the client left is not a failure.
      if (known === null && !request.signal.aborted) onUnexpected(error, requestId);
    }
    const response = request.method === 'HEAD' ? withoutBody(answer) : answer;
    for (const [name, value] of headers) response.headers.set(name, value);
    return response;
  };
}

function withoutBody({ status, headers }: Response): Response {
  return lightResponse(null, { status, headers: Object.fromEntries(headers) });
}
