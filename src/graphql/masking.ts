// Which errors leave the server: those meant for the client, and a request id in place of all others.

import { GraphQLError, type GraphQLSchema, isEnumType } from 'graphql';
import { z } from 'zod';
import { failureOf } from '../database/failure.ts';
import { CatalogError, codeOf, type ErrorCode, statusOf, VersionConflict } from '../errors.ts';
import { currentRequestId, noteError } from '../tracing/request.ts';
import { withoutValues } from './without-values.ts';

/** Called with each error that is no client's business, to log it. */
export type ErrorListener = (error: unknown) => void;

/**
 * What a client is told about whatever was thrown: an error of ours, or what a failure of the database
 * means to it; null for a fault of ours. GraphQL and REST answer alike.
 */
export function clientErrorOf(error: unknown): CatalogError | null {
  return error instanceof CatalogError ? error : failureOf(error);
}

/**
 * Turn whatever was thrown into what the client sees: our own errors with their code and fields,
 * GraphQL's own about the request as BAD_REQUEST, anything else as INTERNAL_SERVER_ERROR.
 */
export function maskError(error: unknown, onUnexpected: ErrorListener): GraphQLError {
  const original = error instanceof GraphQLError ? (error.originalError ?? null) : error;
  if (error instanceof GraphQLError && original === null) {
    return withCode(error, withoutValues(error.message), ...refusalIn(error));
  }
  const known = clientErrorOf(original);
  const graphql = error instanceof GraphQLError ? error : new GraphQLError('');
  if (known) {
    const fields = known.fields.length > 0 ? { fields: known.fields } : {};
    const since = known instanceof VersionConflict ? known.since : {};
    return withCode(graphql, known.message, known.code, { ...fields, ...since, ...httpOf(known) });
  }
  if (original instanceof GraphQLError) {
    return withCode(graphql, withoutValues(original.message), 'BAD_REQUEST');
  }
  onUnexpected(original);
  return withCode(graphql, 'Something went wrong on the server.', 'INTERNAL_SERVER_ERROR');
}

/** Who is to come back later is told so by HTTP, whatever else the answer holds. */
function httpOf({ code, headers }: CatalogError): { http?: object } {
  return 'retry-after' in headers ? { http: { status: statusOf(code), headers } } : {};
}

/** What Yoga says of a request that it refuses: our code of its status, and that status itself. */
function refusalIn({ extensions }: GraphQLError): [code: ErrorCode, more: object] {
  const refused = refusalShape.safeParse(extensions);
  if (!refused.success) return ['BAD_REQUEST', {}];
  const { http } = refused.data;
  return [codeOf(http.status) ?? 'BAD_REQUEST', { http }];
}

const refusalShape = z.object({
  http: z.object({
    status: z.number(),
    spec: z.boolean().optional(),
    headers: z.record(z.string(), z.string()).optional(),
  }),
});

function withCode(error: GraphQLError, message: string, code: string, more = {}): GraphQLError {
  const { nodes, source, positions, path } = error;
  noteError('graphql', code);
  return new GraphQLError(message, {
    nodes: nodes ?? null,
    source: source ?? null,
    positions: positions ?? null,
    path: path ?? null,
    extensions: { code, ...requestName(), ...more },
  });
}

/** The id by which the log knows the request that an error answers, where there is one. */
export function requestName(): { request_id?: string } {
  const id = currentRequestId();
  return id === null ? {} : { request_id: id };
}

/** The enum that a message of GraphQL is about, where it suggests nothing. */
const aboutEnum = /(?: in "(\w+)" enum|^Enum "(\w+)" cannot represent [^.]*)\.$/;
/** An enum of more values is not listed in a message. */
const mostListed = 30;

/** The error with the values that its enum has; the same error where it is about something else. */
export function withAllowedWords(schema: GraphQLSchema, error: GraphQLError): GraphQLError {
  const [, one, other] = aboutEnum.exec(error.message) ?? [];
  const type = schema.getType(one ?? other ?? '');
  if (!isEnumType(type) || type.getValues().length > mostListed) return error;
  const names = type.getValues().map(({ name }) => name);
  const { nodes, source, positions, path, extensions } = error;
  return new GraphQLError(`${error.message} Use one of ${names.join(', ')}.`, {
    nodes: nodes ?? null,
    source: source ?? null,
    positions: positions ?? null,
    path: path ?? null,
    extensions,
  });
}
