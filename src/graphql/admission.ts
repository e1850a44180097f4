// In charge of letting operations in: what they may cost, how many are run at once, and how long.

import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  getOperationAST,
  Kind,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Bounds } from '../limits/bounds.ts';
import type { Pace } from '../limits/pace.ts';
import { checkCost } from './cost-limit.ts';
import { jsonInTurns } from './json-in-turns.ts';
import { type ErrorListener, maskError } from './masking.ts';
import { weightOf } from './weight.ts';
import { type Caller, isSignedIn } from './yoga.ts';

/** Run operations within bounds. The last of the plugins, for it is around whatever executes. */
export function useAdmission(bounds: Bounds, onUnexpected: ErrorListener): Plugin<Caller> {
  return {
    onExecute({ args, executeFn, setExecuteFn, setResultAndStopExecution }) {
      const { contextValue: caller, schema, document, operationName } = args;
      // REST asks with operations of ours, within bounds of its own.
      if (isSignedIn(caller) && caller.allowance) return;
      try {
        checkCost(args);
      } catch (error) {
        setResultAndStopExecution({ errors: [maskError(error, onUnexpected)] });
        return;
      }
      if (!isSignedIn(caller) || isUnbounded(schema, document, operationName)) return;
      const isWrite = getOperationAST(document, operationName)?.operation === 'mutation';
      setExecuteFn((given) =>
        bounds.run(
          caller,
          async (contextValue) => {
            const result: unknown = await executeFn({ ...given, contextValue });
            return withJson(result, contextValue.allowance?.pace);
          },
          { endsWithClient: !isWrite },
        ),
      );
    },
  };
}

/** A long answer is written here, in turns, and not by the server at once. */
async function withJson(result: unknown, pace: Pace | null | undefined): Promise<unknown> {
  if (!pace?.isLong || !isResult(result) || result.errors) return result;
  const text = `{"data":${await jsonInTurns(result.data, pace)}}`;
  return { ...result, stringify: () => text };
}

function isResult(value: unknown): value is ExecutionResult {
  return typeof value === 'object' && value !== null && 'data' in value;
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
