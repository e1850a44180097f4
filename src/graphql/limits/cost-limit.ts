// Refuses requests that cost too much, before anything of them is run.

import { type DocumentNode, type GraphQLSchema, getOperationAST } from 'graphql';
import { type CatalogError, invalid } from '../../errors.ts';
import { type Cost, costOf, maxCost, type Variables } from './cost.ts';

/** What is asked, and with which values. */
export interface CostedRequest {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  readonly variableValues?: Variables | null | undefined;
}

/** What a request costs. Throws BAD_REQUEST, with the cost, the limit and the most expensive field, for what costs too much. */
export function checkCost(asked: CostedRequest): number {
  const cost = knownCost(asked);
  if (cost.total > maxCost) throw tooDear(cost);
  return cost.total;
}

function tooDear({ total, dearest }: Cost): CatalogError {
  const number = (value: number) => value.toLocaleString('en');
  return invalid(
    `This request costs ${number(total)}, and one may cost ${number(maxCost)}. The most expensive field is ` +
      `\`${dearest.path.join('.')}\`, whose rows cost ${number(dearest.cost)}: ask for fewer rows ` +
      'with `first`, or for fewer fields.',
  );
}

/** Costs by document, and by what of the variables they depend on. */
const costs = new WeakMap<DocumentNode, Map<string, Cost>>();
/** Costs of one document that are remembered. */
const maxKnown = 100;

function knownCost({ schema, document, operationName, variableValues }: CostedRequest): Cost {
  const variables = declaredIn(document, operationName, variableValues ?? {});
  const known = costs.get(document) ?? new Map<string, Cost>();
  costs.set(document, known);
  const key = `${operationName ?? ''} ${keyOf(variables)}`;
  const before = known.get(key);
  if (before) return before;
  const cost = costOf(schema, document, operationName, variables);
  if (known.size >= maxKnown) known.clear();
  known.set(key, cost);
  return cost;
}

/** The variables that an operation declares: a request may come with any others, of which nothing is remembered. */
function declaredIn(
  document: DocumentNode,
  operationName: string | null | undefined,
  given: Variables,
): Variables {
  const declared = getOperationAST(document, operationName)?.variableDefinitions ?? [];
  const names = declared.map(({ variable }) => variable.name.value);
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(given, name)).map((name) => [name, given[name]]),
  );
}

/**
 * Only numbers, booleans and the lengths of lists can change what a request costs, and whether there is a value at all:
 * null takes the place of a default.
 */
function keyOf(variables: Variables): string {
  return Object.entries(variables)
    .map(([name, value]) => {
      if (Array.isArray(value)) return `${name}#${value.length}`;
      const decides = value === null || typeof value === 'number' || typeof value === 'boolean';
      return decides ? `${name}=${value}` : name;
    })
    .join(' ');
}
