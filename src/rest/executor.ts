// Runs prepared operations through Yoga: its context, its masking, its cancellation.

import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Plugin } from 'graphql-yoga';
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
export async function openSession<Context extends object>(
  engine: Engine<Context>,
  request: Request,
  requestId: string,
): Promise<RestSession<Context>> {
  const enveloped = engine.getEnveloped({ request, params: {}, requestId });
  const own = await enveloped.contextFactory();
  return {
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
  };
}

/** Rows of a page that compiled code builds, in one piece. */
const maxRowsInOnePiece = 100;

/**
 * A Yoga plugin that compiles the queries among the operations, which REST runs again and again.
 * Compiled code takes no list piece by piece: it runs with the context that `inOnePiece` makes, and a large
 * page is left to the executor that queries have.
 */
export function useCompiledOperations<Context extends object>(
  operations: readonly Operation[],
  inOnePiece: (context: Context) => object = (context) => context,
): Plugin<Context> {
  // A mutation's time goes into its writes, so only queries are worth the compiled code.
  const queries = operations.filter(
    ({ kind, parameters }) =>
      kind === 'query' && !parameters.some(({ type }) => containsItself(type)),
  );
  const waiting = new Map<DocumentNode, Operation>(queries.map((one) => [one.executed, one]));
  const compiled = new Map<DocumentNode, (args: ExecutionArgs) => unknown>();
  return {
    onExecute({ args, setExecuteFn }) {
      const { page_size: rows } = args.variableValues ?? {};
      if (typeof rows === 'number' && rows > maxRowsInOnePiece) return;
      const operation = waiting.get(args.document);
      if (operation) {
        waiting.delete(args.document);
        // Its JSON serializer fails on custom scalars; JSON.stringify is left to SOFA.
        const query = compileQuery(args.schema, operation.executed, operation.name);
        if (isCompiledQuery(query)) {
          compiled.set(args.document, async ({ rootValue, contextValue, variableValues }) =>
            withCauses(await query.query(rootValue, contextValue, variableValues)),
          );
        }
      }
      const run = compiled.get(args.document);
      const contextValue = inOnePiece(args.contextValue);
      if (run) setExecuteFn((given) => run({ ...given, contextValue }));
    },
  };
}

/**
 * Whether an input type leads back to itself, as filters do. The compiler writes out every level of
 * such a variable until the stack is full, which takes it ten seconds, and gives up.
 */
function containsItself(type: GraphQLInputType, outer: readonly GraphQLNamedType[] = []): boolean {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return false;
  if (outer.includes(named)) return true;
  const inside = [...outer, named];
  return Object.values(named.getFields()).some((field) => containsItself(field.type, inside));
}

/**
 * Compiled code blames nobody for a null where the schema promises a value; graphql-js gives such an
 * error a cause, which shows masking that it is no fault of the client.
 */
function withCauses(result: ExecutionResult): ExecutionResult {
  if (!result.errors) return result;
  const errors = result.errors.map((error) => {
    const { message, nodes, path, originalError } = error;
    if (originalError || !message.startsWith('Cannot return null')) return error;
    return new GraphQLError(message, {
      nodes: nodes ?? null,
      path: path ?? null,
      originalError: new Error(message),
    });
  });
  return { ...result, errors };
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
