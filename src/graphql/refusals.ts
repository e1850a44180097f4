// Reports to the audit log what was refused: fields for want of permission, and keys that work no more.

import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLSchema,
  getArgumentValues,
  getOperationAST,
  Kind,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Refusals, Refused } from '../audit/refusal.ts';
import { type LapsedKey, lapseWords } from '../auth/lapsed-key.ts';
import { isUuid } from '../text/uuid.ts';
import { currentRequest, type RequestSource } from '../tracing/request.ts';
import { type Caller, isSignedIn } from './caller.ts';
import { fieldsBelow } from './execution/selection.ts';

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

/** A request as it came: its path is without its query. */
interface Arrived extends RequestSource {
  readonly method: string;
  readonly path: string;
  readonly now?: (() => Date) | undefined;
}

/** Note that a request came with a key that worked once, and name the key where the request is reported. */
export function noteLapsed(
  refusals: Refusals,
  { method, path, requestId, clientAddress, now = () => new Date() }: Arrived,
  { viewer, lapse }: LapsedKey,
): void {
  const answered = currentRequest();
  if (answered) answered.keyId = viewer.keyId ?? null;
  refusals.note(
    { viewer, requestId, clientAddress, now },
    {
      activity: 'access_refused',
      request: `${method} ${path}`,
      message: lapseWords[lapse],
    },
  );
}

function noteAll(refusals: Refusals, args: Executed, result: unknown): void {
  const ctx = args.contextValue;
  if (!isSignedIn(ctx)) return;
  const noted = new Set<unknown>();
  for (const error of errorsIn(result)) {
    if (codeOf(error) !== 'FORBIDDEN') continue;
    const [key] = error.path ?? [];
    // A list may be refused in each of its rows.
    if (noted.has(key)) continue;
    noted.add(key);
    refusals.note(ctx, { ...refusedOf(args, key), message: error.message });
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

/**
 * What was refused, by its name in the schema: clients choose aliases as they like. Without a key of the answer it
 * is all that was asked for.
 */
function refusedOf(args: Executed, key: unknown): Pick<Refused, 'request' | 'targetId'> {
  const fields = rootFields(args).filter(
    ({ alias, name }) => key === undefined || (alias ?? name).value === key,
  );
  const [field] = fields;
  if (!field) return { request: '(unknown)' };
  if (fields.some(({ name }) => name.value !== field.name.value)) return { request: '(several)' };
  return { request: field.name.value, targetId: targetOf(args, field) };
}

/** The fields of an operation itself, those in fragments included. */
function rootFields({ document, operationName }: Executed): FieldNode[] {
  const fragments = document.definitions
    .filter((one): one is FragmentDefinitionNode => one.kind === Kind.FRAGMENT_DEFINITION)
    .map((one) => [one.name.value, one] as const);
  const operation = getOperationAST(document, operationName);
  return fieldsBelow({ fragments: Object.fromEntries(fragments) }, operation?.selectionSet);
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
