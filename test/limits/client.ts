// Asks an app over HTTP, and keeps the whole response: what bounds say is in its status and headers.

import type { Catalog } from '../catalog.ts';

/** What came back. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // What a request answers is known only to the test that asks.
  // biome-ignore lint/suspicious/noExplicitAny: tests read into answers of any shape.
  readonly body: any;
  readonly ms: number;
  /** The code of the first error, over both APIs; undefined where there is none. */
  readonly code: string | undefined;
}

/** How a request is sent. */
export interface Sending {
  /** The whole header `Authorization`, or null for none. */
  readonly authorization: string | null;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** Send a request with JSON to an address. */
export async function send(url: string, sending: Sending): Promise<Reply> {
  const { authorization, method = 'POST', headers, body, signal } = sending;
  const began = performance.now();
  const response = await fetch(url, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(authorization === null ? {} : { authorization }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  });
  const text = await response.text();
  const parsed = text === '' ? undefined : JSON.parse(text);
  return {
    status: response.status,
    headers: response.headers,
    body: parsed,
    ms: performance.now() - began,
    code: parsed?.errors?.[0]?.extensions?.code ?? parsed?.code,
  };
}

/** Both APIs of an app, asked with the key of one person. */
export interface Client {
  graphql(query: string, variables?: object, signal?: AbortSignal): Promise<Reply>;
  rest(method: string, path: string, body?: unknown): Promise<Reply>;
}

/** A client with a key of the catalog, of the app that listens at an origin. */
export function clientOf(origin: string, key: string): Client {
  const authorization = `Bearer ${key}`;
  return {
    graphql: (query, variables = {}, signal) =>
      send(`${origin}/graphql`, {
        authorization,
        body: { query, variables },
        ...(signal ? { signal } : {}),
      }),
    rest: (method, path, body) =>
      send(`${origin}/api/v1${path}`, {
        authorization,
        method,
        ...(body === undefined ? {} : { body }),
      }),
  };
}

/** Clients of the catalog's own app, with settings of its own, for each of the roles. */
export async function clientsOf(catalog: Catalog, settings: Readonly<Record<string, string>>) {
  await catalog.app(settings);
  const origin = await catalog.listen();
  const as = (role: 'admin' | 'editor' | 'viewer' | 'guest') =>
    clientOf(origin, catalog.keyOf(role));
  return { origin, admin: as('admin'), editor: as('editor'), viewer: as('viewer') };
}
