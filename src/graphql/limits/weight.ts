// What single fields weigh when the cost of a request is estimated.

import { __Directive, __Field, __Schema, __Type, type GraphQLField } from 'graphql';

/** A number that follows from the arguments of a field; a list is given as something with a length. */
export type ByArguments = (argument: (name: string) => unknown) => number;

/** What a field costs next to what lies below it. */
export interface Weight {
  /** What it costs itself, in fields of an answer; 1 unless said. */
  readonly own?: number | ByArguments;
  /** Rows that the list can have; unless said what `first`, `last` or `pageSize` say. */
  readonly items?: number | ByArguments;
  /**
   * Rows that the lists of the object that this field answers can have, where they have neither
   * arguments nor a weight that says it.
   */
  readonly rows?: ByArguments;
  /** Whether it may take as long as it needs where nothing else is asked for, as an import may. */
  readonly isUnbounded?: boolean;
}

/** What a field costs that sends a statement for each row it is asked of, not one for all rows. */
export const statement = 100;

/** Says in the definition of a field what it weighs: `extensions: weighing({ own: statement })`. */
export function weighing(weight: Weight): { readonly weight: Weight } {
  return { weight };
}

/** As many as the argument of that name says. */
export function numberOf(name: string): ByArguments {
  return (argument) => {
    const value = argument(name);
    return typeof value === 'number' ? Math.max(0, value) : 0;
  };
}

/** As many as the list has that is the argument of that name. */
export function lengthOf(name: string): ByArguments {
  return (argument) => {
    const value = argument(name);
    return Array.isArray(value) ? value.length : 1;
  };
}

const light: Weight = {};

// On the average of all types of the schema, with some room to grow.
const ofIntrospection = new Map<GraphQLField<unknown, unknown>, Weight>();
for (const [type, items] of [
  [__Schema, { types: 200, directives: 10 }],
  [__Type, { fields: 15, inputFields: 2, interfaces: 1, possibleTypes: 1, enumValues: 1 }],
  [__Field, { args: 1 }],
  [__Directive, { args: 2 }],
] as const) {
  for (const [name, most] of Object.entries(items)) {
    const field = type.getFields()[name];
    if (field) ofIntrospection.set(field, { items: most });
  }
}

/** What a field weighs. */
export function weightOf(field: GraphQLField<unknown, unknown>): Weight {
  const { weight } = field.extensions;
  return isWeight(weight) ? weight : (ofIntrospection.get(field) ?? light);
}

function isWeight(value: unknown): value is Weight {
  return typeof value === 'object' && value !== null;
}
