// In charge of what variables stand for: a long list is read piece by piece, between which others are served.

import {
  coerceInputValue,
  type GraphQLSchema,
  getNullableType,
  getVariableValues,
  isInputType,
  isListType,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql';
import type { Pace } from '../../limits/pace.ts';
import type { Soon } from '../../limits/soon.ts';

/** Items of a list that are read in one go, which takes a few milliseconds. */
const itemsPerTurn = 250;

type Values = Readonly<Record<string, unknown>>;

/**
 * The values of an operation's variables, each checked against its type: at once where no list is long. Null where
 * one is wrong.
 */
export function valuesOfVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  given: Values,
  pace: Pace | null,
): Soon<Values | null> {
  const isLong = ({ variable }: VariableDefinitionNode) => {
    const value = given[variable.name.value];
    return Array.isArray(value) && value.length > itemsPerTurn;
  };
  const long = pace ? variableDefinitions.filter(isLong) : [];
  const others = variableDefinitions.filter((one) => !long.includes(one));
  const { coerced = null } = getVariableValues(schema, others, given, { maxErrors: 1 });
  if (!pace || !coerced || long.length === 0) return coerced;
  return withLong(schema, long, { given, coerced, pace });
}

interface Reading {
  readonly given: Values;
  /** Values of the others. */
  readonly coerced: Values;
  readonly pace: Pace;
}

async function withLong(
  schema: GraphQLSchema,
  long: readonly VariableDefinitionNode[],
  { given, coerced, pace }: Reading,
): Promise<Values | null> {
  const values = { ...coerced };
  for (const { type, variable } of long) {
    const name = variable.name.value;
    const list = getNullableType(typeFromAST(schema, type));
    const itemType = isListType(list) ? list.ofType : null;
    const items = given[name];
    if (!isInputType(itemType) || !Array.isArray(items)) return null;
    const read: unknown[] = [];
    for (let from = 0; from < items.length; from += itemsPerTurn) {
      if (from > 0) await pace.next();
      const faults: unknown[] = [];
      for (const item of items.slice(from, from + itemsPerTurn)) {
        read.push(coerceInputValue(item, itemType, (...fault) => void faults.push(fault)));
      }
      if (faults.length > 0) return null;
    }
    values[name] = read;
  }
  return values;
}
