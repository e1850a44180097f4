// A planning executor of GraphQL, as Grafast is one: a query or a mutation is executed by a plan that is kept with its
// document. This file is the one entrance; the others of the folder are its parts.
//
// It takes a list of 100 two thirds of the CPU that the library's executor does, reads long variables and builds long
// lists in turns, and counts the characters of an answer. A property test (test/graphql/execution/planned.test.ts) holds it
// against the library's, which executes subscriptions and introspection.

import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { type MaybePromise, whenReady } from '../../async/maybe-promise.ts';
import {
  answerTooLong,
  type CooperativeScheduler,
  maxCharacters,
} from '../../limits/cooperative-scheduler.ts';
import type { Caller } from '../caller.ts';
import { Execution } from './execution.ts';
import { blankAnswer, runFields } from './fields.ts';
import { Plan } from './query-plan.ts';
import type { ObjectPlan } from './shape.ts';
import { tooManyAtOnce, valuesOfVariables } from './variables.ts';

/** Plans of one document: one for each of its operations, and of what is left out of it. */
const maxPlans = 8;
/** Fields of a plan that is kept; one that grew larger is worked out again when it is asked for again. */
const maxKeptFields = 5_000;
/** Fields of all plans that are kept. */
const maxFieldsOfAll = 100_000;

/** A plugin for Yoga: operations are executed by their plans. It comes before what changes how is executed. */
export function usePlannedOperations(): Plugin {
  return {
    onExecute({ executeFn, setExecuteFn }) {
      setExecuteFn((args) =>
        whenReady(executePlanned(args), (answer) => answer ?? executeFn(args)),
      );
    },
  };
}

/** Execute a query or a mutation; null where it is left to the library's executor. */
export function executePlanned(args: ExecutionArgs): MaybePromise<ExecutionResult | null> {
  const { schema, document, operationName, contextValue, variableValues } = args;
  const operation = getOperationAST(document, operationName);
  const type = operation && operation.operation !== 'subscription' && rootOf(schema, operation);
  if (!type) return null;
  const { allowance }: Partial<Caller> = contextValue ?? {};
  const scheduler = allowance?.scheduler ?? null;
  const values = valuesOfVariables(schema, operation, variableValues ?? {}, scheduler);
  return whenReady(values, ({ coerced, errors }) =>
    coerced
      ? executeWith(args, { operation, type, variableValues: coerced }, scheduler)
      : refusal(errors),
  );
}

function rootOf(schema: GraphQLSchema, { operation }: OperationDefinitionNode) {
  return operation === 'query' ? schema.getQueryType() : schema.getMutationType();
}

/** What is told of variables that are not what they have to be. */
function refusal(errors: readonly GraphQLError[]): ExecutionResult {
  for (const { extensions } of errors) Object.assign(extensions, { http: { status: 400 } });
  return { errors };
}

/** An operation, the type of its root, and what its variables stand for. */
interface Executed {
  readonly operation: OperationDefinitionNode;
  readonly type: GraphQLObjectType;
  readonly variableValues: Record<string, unknown>;
}

function executeWith(
  { schema, document, rootValue, contextValue, variableValues: given }: ExecutionArgs,
  { operation, type, variableValues }: Executed,
  scheduler: CooperativeScheduler | null,
): MaybePromise<ExecutionResult | null> {
  const kept = keptOf(document);
  const plan = planOf(kept, schema, operation, variableValues);
  const root = plan.root(type);
  if (!root) {
    // The library's executor reads all variables in one go.
    const error = tooManyAtOnce(given ?? {});
    return error && { errors: [asGraphQL(error)] };
  }
  const { fragments } = kept;
  const asked = { schema, operation, fragments, rootValue, contextValue, variableValues };
  const run = new Execution(asked, scheduler);
  const isInOrder = operation.operation === 'mutation' && root.fields.length > 1;
  const data = isInOrder ? runInOrder(root, rootValue, run) : runAtOnce(root, rootValue, run);
  return whenReady(data, (built) => {
    const answer = () => {
      keepWithin(kept, plan);
      return answerOf(built, run);
    };
    const ended = run.ended();
    return ended ? ended.then(answer) : answer();
  });
}

/** The fields of the root, some of which may come later; null where nothing can be told. */
function runAtOnce(root: ObjectPlan, rootValue: unknown, run: Execution) {
  try {
    return runFields(root, rootValue, run, undefined);
  } catch (error) {
    run.failWhole(error);
    return null;
  }
}

/** The fields of a mutation one after the other; what comes after one that must not fail and did is not done. */
async function runInOrder(root: ObjectPlan, rootValue: unknown, run: Execution) {
  const data = blankAnswer(root);
  for (const field of root.fields) {
    if (run.hasNoData) break;
    const only = { ...root, fields: [field], characters: field.key.length };
    const part = runAtOnce(only, rootValue, run);
    await run.ended();
    if (part) data[field.key] = part[field.key];
  }
  return data;
}

function answerOf(built: Record<string, unknown> | null, run: Execution): ExecutionResult {
  const { errors, scheduler } = run;
  scheduler?.noteCharacters(run.hasJson ? null : run.characters);
  if (run.characters > maxCharacters)
    return { errors: [asGraphQL(answerTooLong(maxCharacters))], data: null };
  const data = run.hasNoData ? null : built;
  return errors.length === 0 ? { data } : { errors, data };
}

function asGraphQL(originalError: Error): GraphQLError {
  return new GraphQLError(originalError.message, { originalError });
}

/** What is known of a document. */
interface Kept {
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  /** Variables that decide whether something is left out. */
  readonly conditions: readonly string[];
  readonly plans: Map<string, Plan>;
  /** Fields of its plans that were counted. */
  fields: number;
}

let documents = new WeakMap<DocumentNode, Kept>();
let fieldsOfAll = 0;

function keptOf(document: DocumentNode): Kept {
  const known = documents.get(document);
  if (known) return known;
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null);
  for (const part of document.definitions) {
    if (part.kind === Kind.FRAGMENT_DEFINITION) fragments[part.name.value] = part;
  }
  const kept = { fragments, conditions: conditionsOf(document), plans: new Map(), fields: 0 };
  documents.set(document, kept);
  return kept;
}

function conditionsOf(document: DocumentNode): string[] {
  const names = new Set<string>();
  visit(document, {
    Directive(directive) {
      for (const { value } of directive.arguments ?? []) {
        if (value.kind === Kind.VARIABLE) names.add(value.name.value);
      }
    },
  });
  return [...names];
}

function planOf(
  { plans, fragments, conditions }: Kept,
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): Plan {
  const left = conditions.map((name) => String(variables[name]));
  const key = `${operation.name?.value ?? ''} ${left.join(' ')}`;
  const known = plans.get(key);
  if (known?.schema === schema) return known;
  // Not all of them: they may be large, and the plan is kept.
  const deciding = conditions.filter((name) => Object.hasOwn(variables, name));
  const values = Object.fromEntries(deciding.map((name) => [name, variables[name]]));
  const plan = new Plan(schema, operation, fragments, values);
  if (plans.size >= maxPlans) plans.clear();
  plans.set(key, plan);
  return plan;
}

/** Forget plans that have grown too large, and all of them where they are too many together. */
function keepWithin(kept: Kept, plan: Plan): void {
  if (plan.size === kept.fields) return;
  const fields = [...kept.plans.values()].reduce((sum, { size }) => sum + size, 0);
  if (fields > maxKeptFields) kept.plans.clear();
  else fieldsOfAll += Math.max(0, fields - kept.fields);
  kept.fields = fields;
  if (fieldsOfAll < maxFieldsOfAll) return;
  documents = new WeakMap();
  fieldsOfAll = 0;
}
