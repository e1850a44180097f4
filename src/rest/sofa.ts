// SOFA: it binds the parameters of a request to the operations' arguments.

import { Request as LightRequest } from '@whatwg-node/fetch';
import type { ExecutionArgs, GraphQLSchema } from 'graphql';
import { useSofa } from 'sofa-api';
import { invalid, notFound } from '../errors.ts';
import { sectionOf } from './openapi/facade.ts';
import type { Operation } from './operations/operation.ts';
import type { Arguments } from './read.ts';

/** One call of an operation. `run` gets all variables and gives what is answered. */
export interface Call {
  readonly operation: Operation;
  readonly args: Arguments;
  run(variables: Record<string, unknown>): Promise<unknown>;
}

/** What came of a call: the status of success, and what is answered, to be written as JSON. */
export interface CallResult {
  readonly status: number;
  readonly value: unknown;
}

/** Serves calls; throws what the operation throws. */
export type Serve = (call: Call) => Promise<CallResult>;

/** What travels with a request through SOFA. */
interface Carried {
  run(bound: Record<string, unknown>): Promise<Record<string, unknown>>;
}

// SOFA only ever sees requests that are made here, so the origin is of no matter.
const origin = 'http://rest.invalid';

/**
 * Serve the operations through SOFA, one instance for each section of the paths. Which operation is meant is
 * known: for SOFA each has a path of its own without parameters, which it finds without trying patterns.
 * Errors of the operations are thrown as they are.
 */
export function createSofa(facade: GraphQLSchema, operations: readonly Operation[]): Serve {
  const bySection = new Map<string, Operation[]>();
  for (const operation of operations) {
    const name = sectionName(operation);
    bySection.set(name, [...(bySection.get(name) ?? []), operation]);
  }
  // A section waits for the first request to it: all of them together take a quarter of a second.
  const sections = new Map<string, ReturnType<typeof openSection>>();
  const sectionFor = (name: string) => {
    const section = sections.get(name) ?? openSection(facade, bySection.get(name) ?? []);
    sections.set(name, section);
    return section;
  };

  return async (call) => {
    const { operation, args } = call;
    // Nothing is to be bound, as where a record is asked for by its id.
    if (args.plain.size === 0) {
      return { status: operation.status, value: await call.run({ ...args.beside }) };
    }
    let ran: Promise<unknown> | undefined;
    const carried: Carried = {
      run: async (bound) => {
        ran = call.run({ ...bound, ...args.beside });
        // What fails is thrown below. SOFA is not to write a long answer, in one piece and in a copy.
        await ran.catch(() => {});
        return { [operation.name]: null };
      },
    };
    // Its handler is never exposed: besides the routes it has one that calls any URL it is given.
    const section = sectionFor(sectionName(operation));
    const response = await section.handleRequest(requestOf(call), carried);
    if (ran) return { status: operation.status, value: await ran };
    // It did not get as far as the operation: binding failed, or the path matched nothing.
    if (response?.status === 400) throw invalid("The request's parameters can't be read.");
    throw notFound('Path');
  };
}

function openSection(facade: GraphQLSchema, operations: readonly Operation[]) {
  const routes = operations.map((operation) => [
    `${operation.kind === 'query' ? 'Query' : 'Mutation'}.${operation.name}`,
    { method: operation.method, path: pathOf(operation), responseStatus: operation.status },
  ]);
  return useSofa({
    basePath: '/',
    schema: sectionOf(facade, operations),
    routes: Object.fromEntries(routes),
    execute: async ({ contextValue, variableValues }: ExecutionArgs) => {
      // The context is what `serve` gave to `handle`, which SOFA's types can't tell.
      const { run } = contextValue as Carried;
      return { data: await run(variableValues ?? {}) };
    },
  });
}

/** The request as SOFA is to see it: all single values in the query, no body. */
function requestOf({ operation, args }: Call): Request {
  const query = new URLSearchParams([...args.plain]);
  return new LightRequest(`${origin}${pathOf(operation)}?${query}`, { method: operation.method });
}

function pathOf({ name }: Operation): string {
  return `/${name}`;
}

function sectionName({ path }: Operation): string {
  return path.split('/')[1] ?? '';
}
