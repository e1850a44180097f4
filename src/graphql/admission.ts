// In charge of letting operations in: what they may cost, how many are run at once, and how long.

import { type DocumentNode, type GraphQLSchema, getOperationAST, Kind } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Bounds } from '../limits/bounds.ts';
import { checkCost } from './cost-limit.ts';
import { type ErrorListener, maskError } from './masking.ts';
import { weightOf } from './weight.ts';
import { type Caller, isSignedIn } from './yoga.ts';

/** Run operations within bounds. The last of the plugins, for it is around whatever executes. */
export function useAdmission(bounds: Bounds, onUnexpected: ErrorListener): Plugin<Caller> {
  return {
    onExecute({ args, executeFn, setExecuteFn, setResultAndStopExecution }) {
      const { contextValue: caller, schema, document, operationName } = args;
      // REST asks with operations of ours, within bounds of its own.
      if (isSignedIn(caller) && caller.budget) return;
      try {
        checkCost(args);
      } catch (error) {
        return setResultAndStopExecution({ errors: [maskError(error, onUnexpected)] });
      }
      if (!isSignedIn(caller) || isUnbounded(schema, document, operationName)) return;
      const isWrite = getOperationAST(document, operationName)?.operation === 'mutation';
      setExecuteFn((given) =>
        bounds.run(caller, async (contextValue) => executeFn({ ...given, contextValue }), {
          endsWithClient: !isWrite,
        }),
      );
    },
  };
}

/** Whether all that an operation asks for may take as long as it needs, as imports may. */
export function isUnbounded(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName?: string | null,
): boolean {
  const operation = getOperationAST(document, operationName);
  const fields = operation && schema.getRootType(operation.operation)?.getFields();
  if (!fields) return false;
  return operation.selectionSet.selections.every((selection) => {
    const field = selection.kind === Kind.FIELD ? fields[selection.name.value] : undefined;
    return field !== undefined && weightOf(field).isUnbounded === true;
  });
}
