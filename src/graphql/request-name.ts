// What the log and the metrics call a GraphQL request.

import { type DocumentNode, getOperationAST, Kind, type OperationDefinitionNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { currentRequest } from '../tracing/request.ts';

/** A longer name of an operation is cut. */
const maxName = 100;

/** A Yoga plugin: notes what a request to `/graphql` asks for. It comes before whatever may refuse it. */
export function useRequestNames(): Plugin {
  return {
    onExecute: ({ args }) => noteName(args),
    onSubscribe: ({ args }) => noteName(args),
  };
}

interface Asked {
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
}

function noteName({ document, operationName }: Asked): void {
  const request = currentRequest();
  // REST has named its requests by their routes.
  if (request?.part !== 'graphql') return;
  const operation = getOperationAST(document, operationName);
  if (!operation) return;
  const { operation: type, name } = operation;
  request.subject = `${type} ${rootOf(operation)}`;
  request.operation = name ? `${type} ${name.value.slice(0, maxName)}` : request.subject;
}

/** The one field that an operation asks for. How many there are is bounded by the schema. */
function rootOf({ selectionSet }: OperationDefinitionNode): string {
  const names = new Set(
    selectionSet.selections.map((one) => (one.kind === Kind.FIELD ? one.name.value : '(several)')),
  );
  const [only = '(several)', ...others] = names;
  return others.length > 0 ? '(several)' : only;
}
