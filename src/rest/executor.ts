// Runs prepared operations through Yoga: its context, its masking, its cancellation.

import type { ExecutionArgs, ExecutionResult, GraphQLError, GraphQLSchema } from 'graphql';
import { type MaybePromise, whenReady } from '../async/maybe-promise.ts';
import { notFound } from '../errors.ts';
import type { Selection } from './list-envelope.ts';
import type { Operation } from './operations/operation.ts';
import { catalogErrorIn, inDocumentedNames } from './reply.ts';

/** The part of a Yoga server that REST needs. `Context` is what its context factory makes. */
export interface Engine<Context extends object> {
  /** The schema that the operations are of; the server's own where absent. */
  readonly schema?: GraphQLSchema;
  getEnveloped(initial: { request: Request; params: object; requestId: string }): {
    readonly schema: GraphQLSchema;
    contextFactory(): Promise<Context> | Context;
    execute(args: ExecutionArgs): unknown;
  };
}

/** One request's way into the schema. */
export interface RestSession<Context extends object> {
  readonly context: Context;
  /**
   * Run an operation, in another context if one is given, such as a transaction's.
   * Gives what the operation selects; throws NOT_FOUND where that is null, and the errors of the
   * resolvers with fields by their documented names.
   */
  run(
    operation: Operation,
    variables: Readonly<Record<string, unknown>>,
    context?: Context,
  ): Promise<unknown>;
}

/** Open a session for a request. Throws what the context factory throws, such as UNAUTHENTICATED. */
export function openSession<Context extends object>(
  engine: Engine<Context>,
  request: Request,
  requestId: string,
): MaybePromise<RestSession<Context>> {
  const enveloped = engine.getEnveloped({ request, params: {}, requestId });
  return whenReady(enveloped.contextFactory(), (own) => ({
    context: own,
    run: async (operation, variables, context = own) => {
      const result: unknown = await enveloped.execute({
        schema: engine.schema ?? enveloped.schema,
        document: operation.executed,
        variableValues: variables,
        contextValue: context,
      });
      if (!isResult(result)) throw new Error(`${operation.name} gave no result.`);
      if (result.errors?.[0]) throw inRestTerms(result.errors[0], operation);
      return payloadOf(operation, result.data ?? {});
    },
  }));
}

/** The answer in the data of an operation: its one root field, or the fields of all in one record. */
function payloadOf(operation: Operation, data: Selection): unknown {
  const roots = Object.values(data);
  if (roots.some((root) => root === null)) throw notFound(operation.subject);
  return roots.length === 1 ? roots[0] : Object.assign({}, ...roots);
}

/** What went wrong, in documented names where it is meant for the client. */
function inRestTerms(error: GraphQLError, { name, documentedNames }: Operation): Error {
  const known = catalogErrorIn(error);
  if (known) return inDocumentedNames(known, documentedNames);
  return new Error(`The operation ${name} failed.`, { cause: error });
}

function isResult(value: unknown): value is ExecutionResult {
  return typeof value === 'object' && value !== null && ('data' in value || 'errors' in value);
}
