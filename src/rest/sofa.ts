// The router of REST: SOFA, which finds the endpoint of a path and a method. One instance for each section of the paths.

import { Request as LightRequest } from '@whatwg-node/fetch';
import { type ExecutionArgs, type GraphQLSchema, getOperationAST, Kind } from 'graphql';
import { useSofa } from 'sofa-api';
import { CatalogError } from '../errors.ts';
import { lightResponse } from '../http/light-response.ts';
import { nearest } from '../text/nearest.ts';
import { sectionOf } from './openapi/facade.ts';
import type { Method, Operation } from './operations/operation.ts';
import { replyWithProblem } from './reply.ts';
import type { Incoming } from './serve.ts';

/** A path and a method, and what answers them. */
export interface Endpoint {
  readonly method: Method | 'OPTIONS';
  /** Below the base, such as `/tag/tags/:tag_id`. */
  readonly path: string;
  /** The operation that SOFA makes its route of. Without one it is a plain route of the same router. */
  readonly operation?: Operation;
  readonly handle: (incoming: Incoming) => Promise<Response>;
}

/** A request whose endpoint is not known yet. */
export type Unrouted = Omit<Incoming, 'params'>;

/** What the routes of one section are made of. */
interface Section {
  readonly base: string;
  readonly facade: () => GraphQLSchema;
  readonly endpoints: readonly Endpoint[];
}

/** What SOFA passes from a request to the endpoint that it finds. It adds its own request, with the path's parameters. */
interface SofaContext {
  readonly request?: { readonly params?: Incoming['params'] };
  answer(endpoint: Endpoint, params: Incoming['params']): Promise<unknown>;
}

// The routers see only requests that are made here, without bodies: the origin does not matter.
const origin = 'http://rest.invalid';

/**
 * What answers each request by its endpoint. Throws NOT_FOUND where no endpoint has the path, and what the endpoint
 * throws; a method that the path lacks is answered with METHOD_NOT_ALLOWED.
 */
export function createRouter(
  endpoints: readonly Endpoint[],
  facade: () => GraphQLSchema,
  base: string,
): (incoming: Unrouted) => Promise<Response> {
  const methods = methodsByPath(endpoints);
  const sections = new Map<string, Endpoint[]>();
  for (const endpoint of [...endpoints, ...optionsOf(methods)].toSorted(bySpecificity)) {
    const name = sectionName(endpoint.path);
    sections.set(name, [...(sections.get(name) ?? []), endpoint]);
  }
  // A section is made with the first request to it: all of them together take a quarter of a second.
  const routers = new Map<string, ReturnType<typeof openSection>>();
  const routerOf = (path: string) => {
    const name = sectionName(path);
    const own = sections.get(name);
    // SOFA also has a route that calls any URL it is given. It is in no section of ours, so no request reaches it.
    if (!own) return null;
    const router = routers.get(name) ?? openSection({ base, facade, endpoints: own });
    routers.set(name, router);
    return router;
  };
  const route = async (method: string, incoming: Unrouted): Promise<Response | null> => {
    const { path } = incoming.address;
    const router = routerOf(path.slice(base.length));
    if (!router) return null;
    let answer: Promise<Response> | undefined;
    const context: SofaContext = {
      answer(endpoint, params) {
        answer = endpoint.handle({ ...incoming, params });
        // SOFA would write the answer in one piece, and an error in its own way: both stay here.
        return answer.catch(() => {});
      },
    };
    const request = new LightRequest(origin + decodable(path), { method });
    await router.handleRequest(request, context);
    return answer ?? null;
  };
  return async (incoming) => {
    const path = incoming.address.path.slice(base.length);
    const method = incoming.request.method === 'HEAD' ? 'GET' : incoming.request.method;
    // A path that is spelled out is no parameter of another path, whatever its method.
    const isRefused = methods.get(path)?.has(method) === false;
    const answer =
      (isRefused ? null : await route(method, incoming)) ?? (await route('OPTIONS', incoming));
    if (answer) return answer;
    throw noSuchPath(path, methods.keys(), base);
  };
}

function openSection({ base, facade, endpoints }: Section) {
  const served = new Map(
    endpoints.flatMap((endpoint) => {
      const { operation } = endpoint;
      return operation ? [[operation.name, { ...endpoint, operation }] as const] : [];
    }),
  );
  const routes = [...served.values()].map(({ operation, method, path }) => [
    `${operation.kind === 'query' ? 'Query' : 'Mutation'}.${operation.name}`,
    { method, path: withoutSlash(path) },
  ]);
  const router = useSofa({
    basePath: base,
    schema: sectionOf(
      facade(),
      [...served.values()].map(({ operation }) => operation),
    ),
    routes: Object.fromEntries(routes),
    // Our own document and page are endpoints.
    openAPI: { endpoint: false },
    swaggerUI: { endpoint: false },
    execute: async ({ document, contextValue }: ExecutionArgs) => {
      const [field] = getOperationAST(document)?.selectionSet.selections ?? [];
      const name = field?.kind === Kind.FIELD ? field.name.value : '';
      const endpoint = served.get(name);
      // SOFA's types can't tell that it is the one that `route` passes.
      const { request, answer } = contextValue as SofaContext;
      if (endpoint) await answer(endpoint, { ...request?.params });
      return { data: { [name]: null } };
    },
  });
  for (const endpoint of endpoints) {
    if (endpoint.operation) continue;
    router.route({
      method: endpoint.method,
      path: withoutSlash(endpoint.path) || '/',
      handler: async ({ params }: { params?: Incoming['params'] }, { answer }: SofaContext) => {
        await answer(endpoint, { ...params });
        // Its types want an answer of a type of its own. This one is dropped.
        return lightResponse(null, { status: 204 }) as never;
      },
    });
  }
  return router;
}

/** The methods that each path serves. Paths that differ by the names of their parameters are one. */
function methodsByPath(endpoints: readonly Endpoint[]): Map<string, Set<string>> {
  const shapes = new Map<string, string>();
  const methods = new Map<string, Set<string>>();
  for (const { method, path } of endpoints) {
    const shape = withoutSlash(path).replaceAll(parameter, ':');
    const first = shapes.get(shape) ?? withoutSlash(path);
    shapes.set(shape, first);
    methods.set(first, (methods.get(first) ?? new Set<string>()).add(method));
  }
  return methods;
}

/** What says which methods a path serves, to OPTIONS and to any method that the path lacks. */
function optionsOf(methods: ReadonlyMap<string, ReadonlySet<string>>): Endpoint[] {
  return [...methods].map(([path, served]) => {
    const allowed = [...served, ...(served.has('GET') ? ['HEAD'] : []), 'OPTIONS'];
    const allow = { allow: allowed.join(', ') };
    const error = new CatalogError('METHOD_NOT_ALLOWED', `This path serves ${allow.allow}.`);
    return {
      method: 'OPTIONS',
      path,
      handle: async ({ request, requestId }) =>
        request.method === 'OPTIONS'
          ? lightResponse(null, { status: 204, headers: allow })
          : replyWithProblem(error, request, requestId, allow),
    };
  });
}

/** An error for a path that no endpoint has, with the nearest one and where all are listed. */
function noSuchPath(path: string, served: Iterable<string>, base: string): CatalogError {
  const spelledOut = [...served].filter((one) => one !== '' && !one.includes(':'));
  const near = nearest(path, spelledOut);
  const hint = near === undefined ? '' : ` Did you mean ${base}${near}?`;
  return new CatalogError(
    'NOT_FOUND',
    `Path not found.${hint} All paths are listed at ${base}/docs.`,
  );
}

const parameter = /:\w+/g;

/** The first pattern that fits is taken: one that is spelled out further comes first. */
function bySpecificity(one: Endpoint, other: Endpoint): number {
  const order = ({ path }: Endpoint) => path.replaceAll(parameter, '\uffff');
  return order(one) < order(other) ? -1 : 1;
}

function sectionName(path: string): string {
  return path.split('/')[1] ?? '';
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, '');
}

/** SOFA's router decodes parameters and fails where that can't be done; a path that can't be decoded is taken as it is. */
function decodable(path: string): string {
  try {
    decodeURI(path);
    return path;
  } catch {
    return path.replaceAll('%', '%25');
  }
}
