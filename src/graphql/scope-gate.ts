// The gate of scopes: which fields a key may ask for, whichever API it came by.

import {
  type DocumentNode,
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLSchema,
  getOperationAST,
  type OperationTypeNode,
  separateOperations,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { type ApiKeyScope, hasScope, scopeRefusal } from '../auth/key-scope.ts';
import { forbidden } from '../errors.ts';
import { type Caller, isSignedIn } from './caller.ts';
import { type ErrorListener, maskError } from './masking.ts';

/** What all fields of a root need, those that are added to it later included. */
const needed: Readonly<Record<OperationTypeNode, ApiKeyScope>> = {
  query: 'READ',
  subscription: 'READ',
  mutation: 'WRITE',
};

/** Fields of the roots for keys with the scope IMPORT: they see to it themselves into which integration. */
const forImports = new Set([
  ...['importArtifacts', 'importCsv', 'importJsonl', 'triggerSync'],
  ...['integration', 'integrations', 'job', 'jobs', 'jobChanged'],
]);

/** What such a key reads of an integration, and what it doesn't of a job; of other types but these, nothing. */
const ofIntegration = ['id', 'name', 'type', 'fedBy'];
const notOfJob = ['user'];
const counts = /^(PageInfo|(Job|Integration)(Connection|Edge)|Import\w+|SharedCounts)$/;

/** A plugin that refuses what the scopes of a key do not allow, before anything of it is run. */
export function useScopes(onUnexpected: ErrorListener): Plugin<Caller> {
  const errorsFor = (args: Asked) => {
    const refusal = refusalOf(args);
    return refusal && { errors: [maskError(refusal, onUnexpected)] };
  };
  return {
    onExecute({ args, setResultAndStopExecution }) {
      const answer = errorsFor(args);
      if (answer) setResultAndStopExecution(answer);
    },
    onSubscribe({ args, setResultAndStopExecution }) {
      const answer = errorsFor(args);
      if (answer) setResultAndStopExecution(answer);
    },
  };
}

/** An operation, and who asks for it. */
interface Asked {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  readonly contextValue: Caller;
}

function refusalOf({ schema, document, operationName, contextValue }: Asked): GraphQLError | null {
  const operation = getOperationAST(document, operationName);
  if (!operation || !isSignedIn(contextValue)) return null;
  const { viewer } = contextValue;
  const scope = needed[operation.operation];
  if (hasScope(viewer, scope)) return null;
  const root = schema.getRootType(operation.operation);
  const own = separateOperations(document)[operation.name?.value ?? ''] ?? document;
  if (isForImports(schema, own, root, hasScope(viewer, 'IMPORT'))) return null;
  const originalError = forbidden(scopeRefusal(viewer, scope));
  return new GraphQLError(originalError.message, { originalError });
}

/** Whether a document asks for nothing but itself, and what is for imports where the key is. */
function isForImports(
  schema: GraphQLSchema,
  document: DocumentNode,
  root: GraphQLObjectType | null | undefined,
  isImport: boolean,
): boolean {
  let isForThem = true;
  const types = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(types, {
      Field({ name: { value: name } }) {
        const parent = types.getParentType();
        if (name.startsWith('__')) return false;
        const isFor = parent === root ? forImports.has(name) : isShown(parent?.name ?? '', name);
        isForThem &&= isImport && isFor;
        return undefined;
      },
    }),
  );
  return isForThem;
}

/** Whether a key with the scope IMPORT alone may read a field. */
function isShown(type: string, field: string): boolean {
  if (type === 'Integration') return ofIntegration.includes(field);
  if (type === 'Job') return !notOfJob.includes(field);
  return counts.test(type);
}
