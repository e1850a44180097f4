// In charge of GraphQL requests that nobody would write by hand: valid, nearly valid and hostile ones.

import fc from 'fast-check';
import {
  type GraphQLField,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { hostileText, hostileValues } from '../rest/fuzz.ts';
import { requestOf } from './selection.ts';

export interface FuzzRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Filters contain filters: deeper ones than this are not made. */
const maxDepth = 4;

/** Requests for a root field; some of the ids that they name exist. */
export function requestsFor(
  kind: 'query' | 'mutation',
  field: GraphQLField<unknown, unknown>,
  ids: readonly string[],
): fc.Arbitrary<FuzzRequest> {
  const values = fc.record(
    Object.fromEntries(field.args.map(({ name, type }) => [name, anyValue(type, ids, 0)])),
    { requiredKeys: field.args.filter(({ type }) => isNonNullType(type)).map(({ name }) => name) },
  );
  return values.map((variables) => {
    const given = field.args.filter(({ name }) => Object.hasOwn(variables, name));
    return { query: requestOf(kind, field, given, 1), variables };
  });
}

/** Values of a type, with a wrong one here and there. */
function anyValue(
  type: GraphQLInputType,
  ids: readonly string[],
  depth: number,
): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 9, arbitrary: rightValue(type, ids, depth) },
    { weight: 1, arbitrary: fc.constantFrom<unknown>(...hostileValues) },
  );
}

function rightValue(
  type: GraphQLInputType,
  ids: readonly string[],
  depth: number,
): fc.Arbitrary<unknown> {
  if (isNonNullType(type)) return rightValue(type.ofType, ids, depth);
  if (isListType(type)) {
    return fc.array(anyValue(type.ofType, ids, depth + 1), { maxLength: depth > maxDepth ? 0 : 3 });
  }
  if (isEnumType(type)) return fc.constantFrom(...type.getValues().map(({ name }) => name));
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields());
    const wanted = fields.filter((one) => depth <= maxDepth || isNonNullType(one.type));
    return fc.record(
      Object.fromEntries(wanted.map((one) => [one.name, anyValue(one.type, ids, depth + 1)])),
      { requiredKeys: wanted.filter((one) => isNonNullType(one.type)).map(({ name }) => name) },
    );
  }
  return scalars(ids)[type.name] ?? fc.jsonValue({ maxDepth: 2 });
}

function scalars(ids: readonly string[]): Readonly<Record<string, fc.Arbitrary<unknown>>> {
  return {
    ID: fc.oneof(fc.constantFrom(...ids), fc.uuid(), hostileText),
    String: fc.oneof(fc.string({ maxLength: 30 }), hostileText),
    Boolean: fc.boolean(),
    Int: fc.oneof(fc.integer({ min: -2, max: 60 }), fc.integer()),
    Float: fc.oneof(fc.double({ noNaN: true }), fc.integer()),
    DateTime: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  };
}
