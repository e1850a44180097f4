// The HTTP status of a GraphQL answer, as the GraphQL over HTTP specification has it.
//
// Clients that accept `application/graphql-response+json` read the status: what could not be run at all
// has that of its error. Those of `application/json` look into the body, and get 200 for it. A request
// that is none of GraphQL, such as a body that is no JSON, has its status for both, and so has one that
// may be sent again later.

import { type ExecutionResult, GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { isPending, type MaybePromise } from '../../async/maybe-promise.ts';
import { mayTryAgain, retryAfterSeconds, statusOf } from '../../errors.ts';

/** A Yoga plugin: gives answers without data the status of their errors. Partial answers stay 200. */
export function useStatuses(): Plugin {
  return {
    onRequestParse({ requestParser, setRequestParser }) {
      if (requestParser) setRequestParser((request) => parsed(() => requestParser(request)));
    },
    onExecute: () => ({
      onExecuteDone({ result }) {
        if (Symbol.asyncIterator in result || 'data' in result) return;
        // The executor gives variables of the wrong type a status for clients of either type.
        for (const { extensions } of result.errors ?? []) delete extensions.http;
      },
    }),
    onResultProcess({ request, result, setResult }) {
      if (Array.isArray(result) || Symbol.asyncIterator in result) return;
      if (isUnavailable(result)) setResult(asUnavailable(result, request));
      else if (!('data' in result)) for (const error of result.errors ?? []) giveStatus(error);
    },
  };
}

/** What can't be read as a request of GraphQL is refused for clients of either type. */
function parsed<T>(parse: () => MaybePromise<T>): MaybePromise<T> {
  try {
    const params = parse();
    return isPending(params) ? params.catch(refuse) : params;
  } catch (error) {
    return refuse(error);
  }
}

/** Throws it as what it means to a client. */
function refuse(error: unknown): never {
  // Variables in an address are parsed without a word about what is wrong with them.
  if (error instanceof SyntaxError) throw malformed('`variables` and `extensions` must be JSON.');
  if (error instanceof GraphQLError) throw malformed(error.message);
  throw error;
}

function malformed(message: string): GraphQLError {
  const http = { status: statusOf('BAD_REQUEST') };
  return new GraphQLError(message, { extensions: { http } });
}

function isUnavailable({ data, errors = [] }: ExecutionResult): boolean {
  const isNothing = Object.values(data ?? {}).every((value) => value === null);
  const isAway = errors.every(({ extensions }) => statusOf(String(extensions.code)) === 503);
  return errors.length > 0 && isNothing && isAway;
}

/** 503, with `Retry-After` where it does no harm, whatever the client accepts: balancers and clients expect it. */
function asUnavailable(result: ExecutionResult, request: Request): ExecutionResult {
  const mayRepeat = result.errors?.every(({ extensions: { code } }) =>
    mayTryAgain(code === 'OUTCOME_UNKNOWN' ? code : 'UNAVAILABLE', request),
  );
  const headers = mayRepeat ? { 'retry-after': String(retryAfterSeconds) } : {};
  return { ...result, extensions: { ...result.extensions, http: { status: 503, headers } } };
}

/** Yoga knows by `spec` that a status is for `application/graphql-response+json` alone. */
function giveStatus({ extensions }: GraphQLError): void {
  const status = statusOf(String(extensions.code));
  const headers = extensions.code === 'UNAUTHENTICATED' ? { 'www-authenticate': 'Bearer' } : {};
  extensions.http ??= { spec: true, status, headers };
}
