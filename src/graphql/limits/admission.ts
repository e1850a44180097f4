// Lets operations in: what they may cost, how many are run at once, and how long.

import {
  type DefinitionNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { z } from 'zod';
import { type MaybePromise, whenReady } from '../../async/maybe-promise.ts';
import { type Bounded, boundsOf, type RequestBounds } from '../../limits/bounds.ts';
import { CooperativeScheduler } from '../../limits/cooperative-scheduler.ts';
import { mainThread } from '../../limits/fair-queue.ts';
import { checkDepth } from '../../limits/request-size.ts';
import type { CountedWrites, WriteRate } from '../../limits/write-rate.ts';
import { currentRequest } from '../../tracing/request.ts';
import { type Caller, isSignedIn } from '../caller.ts';
import { mutateOnce } from '../idempotent-mutation.ts';
import { type ErrorListener, maskError } from '../masking.ts';
import { written } from '../written-answer.ts';
import { checkCost } from './cost-limit.ts';
import { checkFilters } from './filter-size.ts';
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
      let cost: number;
      try {
        cost = checkCost(args);
        checkFilters(args);
      } catch (error) {
        setResultAndStopExecution({ errors: [maskError(error, onUnexpected)] });
        return;
      }
      const operation = getOperationAST(document, operationName);
      const isWrite = operation?.operation === 'mutation';
      const writes = isWrite ? countWrites(operation, document) : 0;
      const isBounded = !isUnbounded(schema, document, operationName);
      const key = isWrite ? (caller.idempotencyKey ?? null) : null;
      setExecuteFn((given) => {
        const executed = (contextValue: Caller): MaybePromise<unknown> => {
          const execute = (within: Caller) => executeFn({ ...given, contextValue: within });
          if (key === null || !isSignedIn(contextValue)) return execute(contextValue);
          return mutateOnce(contextValue, { key, fields: writes, ...given }, execute);
        };
        const run = (): MaybePromise<unknown> => {
          if (!isBounded) {
            return bounds.runLong(caller, (contextValue) =>
              unbounded(contextValue, () => executed(contextValue)),
            );
          }
          const work = (contextValue: Caller) => {
            // What may be of any shape is read in one go.
            const turn = contextValue.allowance?.scheduler?.spend(checkDepth(variableValues ?? {}));
            return whenReady(
              whenReady(turn, () => executed(contextValue)),
              (result) => writtenFor(contextValue, result),
            );
          };
          return bounds.run(caller, work, { endsWithClient: !isWrite, saysNothing: hasNoData });
        };
        const counting = isSignedIn(caller) ? writeRate?.count(caller.viewer, writes) : null;
        const bytes = isWrite ? (currentRequest()?.bodyBytes ?? 0) : 0;
        const weighing = isSignedIn(caller) ? writeRate?.weigh(caller.viewer, bytes) : null;
        const runWeighed = () => whenReady(weighing ?? null, run);
        const running = counting ? runCounted(counting, runWeighed) : runWeighed();
        const isAsked = caller.params?.extensions?.cost === true;
        return isAsked ? whenReady(running, (result) => withExtension(result, { cost })) : running;
      });
    },
  };
}

/** Run what writes when its writes are counted; the answer says how many are left. */
async function runCounted(counting: Promise<CountedWrites>, run: () => MaybePromise<unknown>) {
  const { refusal, headers } = await counting;
  if (refusal) throw refusal;
  return withHeaders(await run(), headers);
}

/** Whether nothing could be answered; the errors say why. */
function hasNoData(result: unknown): boolean {
  if (typeof result !== 'object' || result === null || !('data' in result)) return false;
  const { data } = result;
  return (
    data === null || (typeof data === 'object' && Object.values(data).every((one) => one === null))
  );
}

/** Do what may take as long as it needs. */
async function unbounded(ctx: Bounded, work: () => unknown): Promise<unknown> {
  return written(
    await work(),
    new CooperativeScheduler(mainThread, boundsOf(ctx.viewer), neverOver),
  );
}

/** What may take as long as it needs is done to its end. */
const neverOver = { throwIfAborted: () => {} };

/** Each field of a mutation is a write; one that is written twice under one name is run once. */
function countWrites(operation: OperationDefinitionNode, document: DocumentNode): number {
  const names = new Set<string>();
  const spread = new Set<string>();
  const gather = (set: SelectionSetNode | undefined) => {
    for (const one of set?.selections ?? []) {
      if (one.kind === Kind.FIELD) names.add((one.alias ?? one.name).value);
      else if (one.kind === Kind.INLINE_FRAGMENT) gather(one.selectionSet);
      else if (!spread.has(one.name.value)) {
        spread.add(one.name.value);
        gather(fragmentIn(document, one.name.value)?.selectionSet);
      }
    }
  };
  gather(operation.selectionSet);
  return names.size;
}

function fragmentIn(document: DocumentNode, name: string): FragmentDefinitionNode | undefined {
  const isMeant = (one: DefinitionNode): one is FragmentDefinitionNode =>
    one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === name;
  return document.definitions.find(isMeant);
}

function withHeaders(result: unknown, headers: Readonly<Record<string, string>>): unknown {
  return withExtension(result, { http: { headers: { ...headersOf(result), ...headers } } });
}

/** Headers that an answer has already; most have none. */
function headersOf(result: unknown): object {
  if (typeof result !== 'object' || result === null || !('extensions' in result)) return {};
  const parsed = withHeadersShape.safeParse(result);
  return parsed.success ? parsed.data.extensions.http.headers : {};
}

const withHeadersShape = z.object({
  extensions: z.object({ http: z.object({ headers: z.record(z.string(), z.string()) }) }),
});

/** An answer with something next to its data and errors. */
function withExtension(result: unknown, more: object): unknown {
  if (typeof result !== 'object' || result === null) return result;
  const before = 'extensions' in result ? result.extensions : undefined;
  return { ...result, extensions: { ...(typeof before === 'object' ? before : {}), ...more } };
}

/** A long answer is written here, in turns, and not by the server at once. */
function writtenFor({ allowance }: Bounded, result: unknown): MaybePromise<unknown> {
  const scheduler = allowance?.scheduler;
  return scheduler?.isLong ? written(result, scheduler) : result;
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
