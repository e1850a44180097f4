// A client that asks for everything it can, and keeps what it receives.

import {
  buildClientSchema,
  type GraphQLField,
  getIntrospectionQuery,
  getNamedType,
  type IntrospectionQuery,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { z } from 'zod';

/** What is known by kind, to ask for one by one: ids of integrations, jobs and so on. */
export type Known = Readonly<Record<string, readonly string[]>>;

export interface Visitor {
  /** Every answer so far: what was asked, its status, headers and body. */
  readonly received: readonly string[];
  graphql(query: string, variables?: object): Promise<z.infer<typeof answer>>;
  /** Ask GraphQL with another header `Authorization`. */
  as(authorization: string, query: string): Promise<void>;
  /** Ask GraphQL for what shows a secret: the answer is not among those received. */
  unheard(query: string): Promise<z.infer<typeof answer> & { readonly text: string }>;
  /** Ask the REST API, or with a path from the root anything else. */
  http(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Read all lists and all that is known, over both; how many answers that were. */
  readEverything(known: Known): Promise<number>;
}

const answer = z.object({
  data: z.record(z.string(), z.any()).nullish(),
  errors: z.array(z.object({ message: z.string() })).optional(),
});

/** A client of the server at an address, with a key. */
export function openVisitor(address: string, key: string): Visitor {
  const received: string[] = [];

  async function fetched(
    method: string,
    path: string,
    body?: unknown,
    authorization = `Bearer ${key}`,
  ): Promise<string> {
    const headers = { authorization, 'content-type': 'application/json' };
    const sent = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(`${address}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: sent }),
    });
    const text = await response.text();
    const answered = [...response.headers].map((pair) => pair.join(': ')).join('\n');
    // The path is what was asked, not what was received.
    received.push(`${method} ${path.split('?')[0]}\n${response.status}\n${answered}\n\n${text}`);
    return text;
  }

  async function graphql(query: string, variables: object = {}) {
    return answer.parse(JSON.parse(await fetched('POST', '/graphql', { query, variables })));
  }

  async function http(method: string, path: string, body?: unknown): Promise<unknown> {
    const text = await fetched(method, path.startsWith('/') ? path : `/api/v1/${path}`, body);
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }

  async function readGraphQL(known: Known): Promise<void> {
    const { data } = await graphql(getIntrospectionQuery());
    const schema = buildClientSchema(introspected.parse(data));
    for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) {
      const required = field.args.filter(isRequiredArgument).map(({ name }) => name);
      if (required.every((name) => name === 'first')) await readDeep(field);
      if (required.length !== 1) continue;
      for (const id of known[field.name] ?? []) {
        await graphql(`{ ${field.name}(${required[0]}: "${id}") ${selection(field, 1)} }`);
      }
    }
  }

  /** As deep as the server's limits let it. */
  async function readDeep(field: GraphQLField<unknown, unknown>): Promise<void> {
    const args = field.args.some(({ name }) => name === 'first') ? '(first: 100)' : '';
    for (const depth of [3, 2, 1]) {
      const { errors } = await graphql(`{ ${field.name}${args} ${selection(field, depth)} }`);
      if (!errors) return;
    }
  }

  async function readRest(known: Known): Promise<void> {
    const document = paths.parse(await http('GET', 'openapi.json'));
    for (const [path, operations] of Object.entries(document.paths)) {
      if (!('get' in operations)) continue;
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
      const ids = names.length === 0 ? [''] : (known[(names[0] ?? '').replace(/_id$/, '')] ?? []);
      if (names.length > 1) continue;
      for (const id of ids) await fetched('GET', `/api/v1${path.replace(/\{\w+\}/, id)}`);
    }
  }

  return {
    received,
    graphql,
    async as(authorization, query) {
      await fetched('POST', '/graphql', { query }, authorization);
    },
    async unheard(query) {
      await fetched('POST', '/graphql', { query });
      const text = received.pop() ?? '';
      return { text, ...answer.parse(JSON.parse(text.slice(text.indexOf('\n\n') + 2))) };
    },
    http,
    async readEverything(known) {
      const before = received.length;
      await readGraphQL(known);
      await readRest(known);
      for (const path of ['/', '/metrics', '/readyz', '/healthz', '/graphql', '/api/v1/docs']) {
        await fetched('GET', path);
      }
      return received.length - before;
    },
  };
}

const introspected = z.custom<IntrospectionQuery>((value) => typeof value === 'object');
const paths = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

/** All fields that need no argument but a length, and what they hold, so deep. */
function selection(field: GraphQLField<unknown, unknown>, depth: number): string {
  const type = getNamedType(field.type);
  if (isLeafType(type)) return '';
  if (!isObjectType(type) && !isInterfaceType(type)) return '{ __typename }';
  const fields = Object.values(type.getFields()).flatMap((inner) => {
    const required = inner.args.filter(isRequiredArgument);
    if (required.some(({ name }) => name !== 'first')) return [];
    const isLeaf = isLeafType(getNamedType(inner.type));
    // The rows of a page are as deep as the page.
    const isPage = ['nodes', 'edges', 'node', 'pageInfo'].includes(inner.name);
    if (!isLeaf && depth === 0 && !isPage) return [];
    const args = inner.args.some(({ name }) => name === 'first') ? '(first: 20)' : '';
    return [`${inner.name}${args} ${selection(inner, isPage ? depth : depth - 1)}`];
  });
  return `{ __typename ${fields.join(' ')} }`;
}
