// Executes queries by plans that are kept with their documents; all else is left to the usual executor.

import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { answerTooLong, maxCharacters, type Pace } from '../../limits/pace.ts';
import { type Soon, soon } from '../../limits/soon.ts';
import type { Caller } from '../caller.ts';
import { Execution } from './execution.ts';
import { runFields } from './fields.ts';
import { Plan } from './query-plan.ts';
import { valuesOfVariables } from './variables.ts';

/** Plans of one document: one for each of its operations, and of what is left out of it. */
const maxPlans = 8;
/** Fields of a plan that is kept; one that grew larger is worked out anew when it is asked for again. */
const maxKeptFields = 5_000;
/** Fields of all plans that are kept. */
const maxFieldsOfAll = 100_000;

/** A plugin for Yoga: queries are executed by their plans. It comes before what changes how is executed. */
export function usePlannedQueries(): Plugin {
  return {
    onExecute({ executeFn, setExecuteFn }) {
      setExecuteFn((args) => soon(executePlanned(args), (answer) => answer ?? executeFn(args)));
    },
  };
}

/** Execute a query; null where it is left to the usual executor, which says what is wrong with it, too. */
export function executePlanned(args: ExecutionArgs): Soon<ExecutionResult | null> {
  const { schema, document, operationName, contextValue } = args;
  const operation = getOperationAST(document, operationName);
  if (operation?.operation !== 'query') return null;
  const { allowance }: Partial<Caller> = contextValue ?? {};
  const pace = allowance?.pace ?? null;
  const given = args.variableValues ?? {};
  const values = valuesOfVariables(schema, operation, given, pace);
  return soon(values, (variables) => variables && executeWith(args, operation, variables, pace));
}

function executeWith(
  { schema, document, rootValue, contextValue }: ExecutionArgs,
  operation: OperationDefinitionNode,
  variableValues: Readonly<Record<string, unknown>>,
  pace: Pace | null,
): Soon<ExecutionResult | null> {
  const type = schema.getQueryType();
  if (!type) return null;
  const kept = keptOf(document);
  const plan = planOf(kept, schema, operation, variableValues);
  const root = plan.root(type);
  if (!root) return null;
  const { fragments } = kept;
  const asked = { schema, operation, fragments, rootValue, contextValue, variableValues };
  const run = new Execution(asked, pace);
  let data: Record<string, unknown> | null = null;
  try {
    data = runFields(root, rootValue, run, undefined);
  } catch (error) {
    run.failWhole(error);
  }
  const answer = () => {
    keepWithin(kept, plan);
    pace?.noteCharacters(run.hasJson ? null : run.characters);
    if (run.characters > maxCharacters) return { errors: [tooLong()], data: null };
    const { errors } = run;
    const told = run.hasNoData ? null : data;
    return errors.length === 0 ? { data: told } : { errors, data: told };
  };
  const ended = run.ended();
  return ended ? ended.then(answer) : answer();
}

function tooLong(): GraphQLError {
  const originalError = answerTooLong(maxCharacters);
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
