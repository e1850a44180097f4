// Reports to the audit log which fields were refused for want of permission.

import {
  type DocumentNode,
  type FieldNode,
  type GraphQLError,
  type GraphQLSchema,
  getArgumentValues,
  getOperationAST,
  Kind,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Refusals } from '../audit/refusal.ts';
import { isUuid } from '../uuid.ts';
import { type Caller, isSignedIn } from './caller.ts';

/** What was run. */
interface Executed {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  readonly variableValues?: Readonly<Record<string, unknown>> | null | undefined;
  readonly contextValue: Caller;
}

/** Note each root field that answers FORBIDDEN, of GraphQL's own requests and of those of REST. */
export function useRefusals(refusals: Refusals): Plugin<Caller> {
  return {
    onExecute: ({ args }) => ({
      onExecuteDone: ({ result }) => noteAll(refusals, args, result),
    }),
    onSubscribe: ({ args }) => ({
      onSubscribeResult: ({ result }) => noteAll(refusals, args, result),
    }),
  };
}

function noteAll(refusals: Refusals, args: Executed, result: unknown): void {
  const ctx = args.contextValue;
  if (!isSignedIn(ctx)) return;
  const noted = new Set<string>();
  for (const error of errorsIn(result)) {
    if (codeOf(error) !== 'FORBIDDEN') continue;
    const key = String(error.path?.[0] ?? '');
    // A list may be refused in each of its rows.
    if (noted.has(key)) continue;
    noted.add(key);
    const field = rootField(args, key);
    refusals.note(ctx, {
      request: field?.name.value ?? key,
      message: error.message,
      targetId: field ? targetOf(args, field) : null,
    });
  }
}

function errorsIn(result: unknown): readonly GraphQLError[] {
  if (typeof result !== 'object' || result === null || !('errors' in result)) return [];
  return Array.isArray(result.errors) ? result.errors : [];
}

/** The code of an error, masked or not. */
function codeOf({ extensions, originalError }: GraphQLError): unknown {
  if (originalError && 'code' in originalError) return originalError.code;
  return extensions?.code;
}

/** The root field that has a name in the answer; not one that stands in a fragment. */
function rootField({ document, operationName }: Executed, key: string): FieldNode | undefined {
  const operation = getOperationAST(document, operationName);
  return operation?.selectionSet.selections.find(
    (selection): selection is FieldNode =>
      selection.kind === Kind.FIELD && (selection.alias ?? selection.name).value === key,
  );
}

/** Arguments that name what a field is about, the most specific first. */
const targets = ['resourceId', 'integrationId', 'id'];

function targetOf(args: Executed, field: FieldNode): string | null {
  const { schema, document, operationName, variableValues } = args;
  const operation = getOperationAST(document, operationName);
  const root = operation ? schema.getRootType(operation.operation) : null;
  const definition = root?.getFields()[field.name.value];
  if (!definition) return null;
  const given = getArgumentValues(definition, field, variableValues ?? {});
  const ids = targets.map((name) => given[name]);
  return ids.find((id): id is string => typeof id === 'string' && isUuid(id)) ?? null;
}
