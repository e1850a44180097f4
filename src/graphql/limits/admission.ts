// Lets operations in: what they may cost, how many are run at once, and how long.

import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { type Bounded, checkViewer, type RequestBounds } from '../../limits/bounds.ts';
import { checkDepth } from '../../limits/depth.ts';
import type { WriteRate } from '../../limits/write-rate.ts';
import { type Caller, isSignedIn } from '../caller.ts';
import { jsonInTurns } from '../json-in-turns.ts';
import { type ErrorListener, maskError } from '../masking.ts';
import { checkCost } from './cost-limit.ts';
import { weightOf } from './weight.ts';

/** What operations are let in by. */
export interface Admission {
  readonly bounds: RequestBounds;
  readonly writeRate: WriteRate | undefined;
  readonly onUnexpected: ErrorListener;
}

/** Run operations within bounds. The last of the plugins, for it is around whatever executes. */
export function useAdmission({ bounds, writeRate, onUnexpected }: Admission): Plugin<Caller> {
  return {
    onExecute({ args, executeFn, setExecuteFn, setResultAndStopExecution }) {
      const { contextValue: caller, schema, document, operationName, variableValues } = args;
      // REST asks with operations of ours, within bounds of its own.
      if (caller.allowance) return;
      try {
        checkCost(args);
      } catch (error) {
        setResultAndStopExecution({ errors: [maskError(error, onUnexpected)] });
        return;
      }
      const operation = getOperationAST(document, operationName);
      const isWrite = operation?.operation === 'mutation';
      const writes = isWrite ? countWrites(operation.selectionSet, document) : 0;
      const isBounded = !isUnbounded(schema, document, operationName);
      setExecuteFn(async (given) => {
        const counted = isSignedIn(caller) ? await writeRate?.count(caller.viewer, writes) : null;
        if (counted?.refusal) throw counted.refusal;
        const result: unknown = isBounded
          ? await bounds.run(
              caller,
              async (contextValue) => {
                // The executor reads all variables in one go.
                await contextValue.allowance?.pace?.spend(checkDepth(variableValues ?? {}));
                return withJson(await executeFn({ ...given, contextValue }), contextValue);
              },
              { endsWithClient: !isWrite, saysNothing: hasNoData },
            )
          : await unbounded(caller, () => executeFn(given));
        return counted ? withHeaders(result, counted.headers) : result;
      });
    },
  };
}

/** Whether nothing could be answered; the errors say why. */
function hasNoData(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'data' in result && result.data === null;
}

/** Do what may take as long as it needs: who asked may have lost the right to the answer meanwhile. */
async function unbounded(ctx: Bounded, work: () => unknown): Promise<unknown> {
  const began = performance.now();
  const result = await work();
  await checkViewer(ctx, began);
  return result;
}

/** Each field of a mutation is a write. */
function countWrites({ selections }: SelectionSetNode, document: DocumentNode): number {
  const counts = selections.map((selection) => {
    if (selection.kind === Kind.FIELD) return 1;
    if (selection.kind === Kind.INLINE_FRAGMENT)
      return countWrites(selection.selectionSet, document);
    const fragment = document.definitions.find(
      (one) => one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === selection.name.value,
    );
    return fragment && 'selectionSet' in fragment && fragment.selectionSet
      ? countWrites(fragment.selectionSet, document)
      : 0;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

function withHeaders(result: unknown, headers: Readonly<Record<string, string>>): unknown {
  if (typeof result !== 'object' || result === null) return result;
  return { ...result, extensions: { http: { headers } } };
}

/** A long answer is written here, in turns, and not by the server at once. */
async function withJson(result: unknown, { allowance }: Bounded): Promise<unknown> {
  const pace = allowance?.pace;
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
