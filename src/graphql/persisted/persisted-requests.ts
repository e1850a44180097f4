// Runs operations that a request names by an id, as GraphQL over HTTP and the clients of today spell it.
//
// `documentId` names a listed one; `extensions.persistedQuery` one that this client, or another, has sent
// before with its hash. Who names one that isn't known sends its text next: that is their protocol.

import type { ExecutionArgs } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { z } from 'zod';
import { CatalogError, forbidden, invalid, unauthenticated } from '../../errors.ts';
import type { Caller } from '../caller.ts';
import { type ErrorListener, maskError } from '../masking.ts';
import { hashOf, type PersistedOperations } from './persisted-operations.ts';

/** How Apollo's clients, and those that do as they do, name an operation by its hash. */
const persistedQuery = z.object({
  persistedQuery: z.object({ version: z.literal(1), sha256Hash: z.string() }),
});

/** What an operation may be executed with, as far as this looks at it. */
type Executed = Pick<ExecutionArgs, 'contextValue'> & {
  readonly contextValue: Caller & { readonly request: Request };
};

/**
 * A Yoga plugin: puts the text in the place of an id before anything reads it, and refuses what is not
 * listed where only that may be run. REST and MCP run operations of ours, which don't come this way.
 */
export function usePersistedOperations(
  operations: PersistedOperations,
  onUnexpected: ErrorListener,
): Plugin<Caller> {
  /** Texts that came with their hash. */
  const offered = new WeakMap<Request, string>();
  const unlisted = new WeakSet<Request>();

  function textFor(request: Request, params: GraphQLParams): string | undefined {
    const { documentId, hash } = namesOf(request, params);
    const { query } = params;
    if (documentId !== undefined) {
      if (query) throw invalid('Send `documentId` or `query`, not both.');
      return listed(operations, documentId);
    }
    if (typeof query !== 'string' || query === '') return hash && known(operations, hash);
    if (hash !== undefined) {
      if (hash !== hashOf(query)) throw invalid('`sha256Hash` is not the SHA-256 of `query`.');
      offered.set(request, query);
    }
    return query;
  }

  /** Refuse what is not listed; remember what came with its hash, of those who may ask at all. */
  function letIn({ contextValue: { request, viewer } }: Executed): CatalogError | undefined {
    if (unlisted.has(request) && viewer?.role !== 'admin') {
      return viewer ? forbidden(onlyListed) : unauthenticated();
    }
    const text = viewer ? offered.get(request) : undefined;
    if (text !== undefined) operations.remember(text);
    return undefined;
  }

  return {
    onParams({ request, params, setParams }) {
      const query = textFor(request, params);
      if (query === undefined) return;
      if (operations.onlyListed && !operations.isListed(query)) unlisted.add(request);
      if (query !== params.query) setParams({ ...params, query });
    },
    onExecute({ args, setResultAndStopExecution }) {
      const refusal = letIn(args);
      if (refusal) setResultAndStopExecution({ errors: [maskError(refusal, onUnexpected)] });
    },
    onSubscribe({ args, setResultAndStopExecution }) {
      const refusal = letIn(args);
      if (refusal) setResultAndStopExecution({ errors: [maskError(refusal, onUnexpected)] });
    },
  };
}

/** The ids by which a request names its operation. */
function namesOf(
  request: Request,
  params: GraphQLParams & { readonly documentId?: unknown },
): { documentId?: string; hash?: string } {
  const documentId =
    params.documentId ??
    (request.method === 'GET' ? new URL(request.url).searchParams.get('documentId') : null);
  if (typeof documentId === 'string') return { documentId };
  if (documentId != null) throw invalid('`documentId` is a string.');
  if (params.extensions === undefined) return {};
  const found = persistedQuery.safeParse(params.extensions);
  return found.success ? { hash: found.data.persistedQuery.sha256Hash } : {};
}

function listed(operations: PersistedOperations, id: string): string {
  const text = operations.textOf(id);
  if (text !== undefined) return text;
  throw new CatalogError(
    'PERSISTED_QUERY_NOT_FOUND',
    'No operation has this `documentId`; send its text as `query`.',
  );
}

function known(operations: PersistedOperations, hash: string): string {
  const text = operations.textOf(hash);
  if (text !== undefined) return text;
  // Some clients know it by these very letters.
  throw new CatalogError('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound');
}

const onlyListed =
  'This server runs listed operations only: name one by its `documentId`, or have yours listed (PERSISTED_OPERATIONS).';
