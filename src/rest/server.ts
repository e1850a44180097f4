// REST over HTTP: which operation or route a request means, and an answer to everything.

import { Headers as LightHeaders } from '@whatwg-node/fetch';
import type { GraphQLSchema } from 'graphql';
import { Hono } from 'hono';
import { CatalogError } from '../errors.ts';
import { lightResponse } from '../http/light-response.ts';
import { requestIdOf } from '../http/request-id.ts';
import { nearest } from '../text/nearest.ts';
import { currentRequest, noteSubject } from '../tracing/request.ts';
import { docsFile, docsPage } from './openapi/docs.ts';
import { buildFacade } from './openapi/facade.ts';
import { type Info, type OpenApi, openapi } from './openapi/openapi.ts';
import type { Method, Operation } from './operations/operation.ts';
import { catalogErrorIn, replyWithProblem } from './reply.ts';
import { readAddress } from './request-url.ts';
import type { Route } from './route.ts';
import { type Incoming, type Serving, serveOperation, serveRoute } from './serve.ts';
import { createSofa, type Serve } from './sofa.ts';

/** What REST is made of. `Initial` is the context that Yoga makes, `Context` one with a viewer. */
export interface RestOptions<Initial extends object, Context extends Initial>
  extends Serving<Initial, Context> {
  readonly schema: GraphQLSchema;
  readonly operations: readonly Operation[];
  readonly routes?: readonly Route<Context>[];
  readonly info: Info;
  /** Whether `X-Forwarded-Proto` and `X-Forwarded-Host` say what the client sees. */
  readonly trustProxy: boolean;
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
  const { base, info, operations, routes = [], schema } = options;
  const { facade, sofa } = derivedFrom(schema, operations);
  const document = lazy(() => openapi(facade(), operations, routes, base, info));
  const table: Table = new Map();
  for (const operation of operations) {
    add(table, operation, (incoming) => serveOperation(options, sofa(), operation, incoming));
  }
  for (const route of routes) {
    add(table, route, (incoming) => serveRoute(options, route, operations, incoming));
  }
  const text = lazy(() => JSON.stringify(document()));
  const json = { 'content-type': 'application/json', 'cache-control': 'no-cache' };
  const page = (path: string, handler: Handler) => add(table, { method: 'GET', path }, handler);
  page('/openapi.json', async () => lightResponse(text(), { headers: json }));
  page('/', async () => lightResponse(indexOf(info, base), { headers: json }));
  page('/docs', async () => docsPage(base, info.title));
  page('/docs/:file', ({ params }) => docsFile(base, params.file ?? ''));
  const fetch = listen(options, mount(table, base));
  return {
    fetch,
    get document() {
      return document();
    },
  };
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

/** What operations amount to: the same for all who serve them. */
interface Derived {
  readonly facade: () => GraphQLSchema;
  readonly sofa: () => Serve;
}

const derived = new WeakMap<readonly Operation[], Derived>();

/**
 * What is derived from operations, which were checked when they were read. It waits for the first request
 * that needs it, for a start is not to wait.
 */
function derivedFrom(schema: GraphQLSchema, operations: readonly Operation[]): Derived {
  const known = derived.get(operations);
  if (known) return known;
  const facade = lazy(() => buildFacade(schema, operations));
  const made = { facade, sofa: lazy(() => createSofa(facade(), operations)) };
  derived.set(operations, made);
  return made;
}

/** Make something when it is first asked for, and once. */
function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

type Handler = (incoming: Incoming) => Promise<Response>;

/** By path, with its parameters called p0, p1 and so on: who serves which method. */
type Table = Map<string, Map<string, Served>>;

/** What serves a path by one method. */
interface Served {
  readonly handler: Handler;
  /** The path's parameters, in their order. */
  readonly names: readonly string[];
  /** The path as documented, such as `/tag/tags/:tag_id`. */
  readonly path: string;
}

interface Place {
  readonly method: Method;
  readonly path: string;
  readonly aliases?: readonly string[];
}

function add(table: Table, { method, path, aliases = [] }: Place, handler: Handler): void {
  for (const one of [path, ...aliases]) {
    const names = [...one.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
    let at = 0;
    const key = one.replaceAll(/:\w+/g, () => `:p${at++}`).replace(/\/$/, '');
    const methods = table.get(key) ?? new Map();
    methods.set(method, { handler, names, path });
    table.set(key, methods);
  }
}

/** What is said of a path that nothing serves: the nearest that is served, and where all are listed. */
function noSuchPath(path: string, served: Iterable<string>, base: string): CatalogError {
  const spelledOut = [...served].filter((one) => one !== '' && !one.includes(':'));
  const near = nearest(path, spelledOut);
  const hint = near === undefined ? '' : ` Did you mean ${base}${near}?`;
  return new CatalogError(
    'NOT_FOUND',
    `Path not found.${hint} All paths are listed at ${base}/docs.`,
  );
}

/** What Hono hands from `fetch` to the handlers. */
interface Bindings {
  readonly incoming: Omit<Incoming, 'params'>;
}

function mount(table: Table, base: string): Hono<{ Bindings: Bindings }> {
  const app = new Hono<{ Bindings: Bindings }>({
    // Both slash forms and pasted URLs are one path already when the routes are tried.
    getPath: (_, options) => bindingsIn(options?.env).incoming.address.path,
  });
  // A path that is spelled out comes before one with a parameter in its place.
  const order = (path: string) => path.replaceAll(/:\w+/g, '\uffff');
  const paths = [...table].sort(([one], [other]) => (order(one) < order(other) ? -1 : 1));
  for (const [path, methods] of paths) {
    const allowed = [...methods.keys(), ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'];
    const allow = { allow: allowed.join(', ') };
    app.all(base + path, async (c) => {
      const { incoming } = c.env;
      const { method } = incoming.request;
      // Hono itself drops the body of what answers HEAD.
      const found = methods.get(method === 'HEAD' ? 'GET' : method);
      if (found) {
        noteSubject(`${method} ${base}${found.path}`);
        const given: Readonly<Record<string, string>> = c.req.param();
        const params = found.names.map((name, at) => [name, given[`p${at}`] ?? '']);
        return found.handler({ ...incoming, params: Object.fromEntries(params) });
      }
      if (method === 'OPTIONS') return lightResponse(null, { status: 204, headers: allow });
      const error = new CatalogError('METHOD_NOT_ALLOWED', `This path serves ${allow.allow}.`);
      return replyWithProblem(error, incoming.requestId, allow);
    });
  }
  app.notFound((c) => {
    const { address, requestId } = c.env.incoming;
    const error = noSuchPath(address.path.slice(base.length), table.keys(), base);
    return replyWithProblem(error, requestId);
  });
  app.onError((error) => {
    throw error;
  });
  return app;
}

function listen<Initial extends object, Context extends Initial>(
  { base, trustProxy, failureOf, onUnexpected }: RestOptions<Initial, Context>,
  app: Hono<{ Bindings: Bindings }>,
): Rest['fetch'] {
  return async (request) => {
    // Without a server around it, as in a test, a request has no name yet.
    const requestId = currentRequest()?.id ?? requestIdOf(request.headers.get('x-request-id'));
    const headers = new LightHeaders({
      'x-request-id': requestId,
      'x-content-type-options': 'nosniff',
    });
    let response: Response;
    try {
      const address = readAddress(request, base, trustProxy);
      response = await app.fetch(request, { incoming: { request, requestId, address, headers } });
    } catch (error) {
      // What Yoga masked has been reported; what a route or a transaction threw is as it was thrown.
      const known = catalogErrorIn(error) ?? failureOf(error);
      response = replyWithProblem(known ?? error, requestId);
      // What breaks off because the client left is nobody's fault.
      if (known === null && !request.signal.aborted) onUnexpected(error, requestId);
      if (request.method === 'HEAD')
        response = lightResponse(null, {
          status: response.status,
          headers: Object.fromEntries(response.headers),
        });
    }
    for (const [name, value] of headers) response.headers.set(name, value);
    return response;
  };
}

function bindingsIn(env: unknown): Bindings {
  // `listen` is the only one who calls Hono, which types the environment of getPath as unknown.
  return env as Bindings;
}
