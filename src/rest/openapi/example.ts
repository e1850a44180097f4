// Examples: a value for every type of the facade, from the fragments and parameters.

import {
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLOutputType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isObjectType,
} from 'graphql';
import { envelopeExamples } from '../list-envelope.ts';
import type { Operation } from '../operations/operation.ts';
import { isRequired } from './json-schema.ts';

type Type = GraphQLInputType | GraphQLOutputType;

/** Gives an example of a type; `name` is the documented field or parameter that has it. */
export type Examples = (type: Type, name: string) => unknown;

/**
 * Gather what the operations say by way of example. A field's example is the one that its record's
 * fragment gives, else that of a parameter of the same name and type, else one of its type.
 */
export function readExamples(operations: readonly Operation[]): Examples {
  const byRecord = new Map<string, Readonly<Record<string, unknown>>>(envelopeExamples);
  const byName = new Map<string, unknown>();
  for (const { examples, parameters } of operations) {
    for (const [name, values] of examples) byRecord.set(name, values);
    for (const { name, type, example } of parameters) {
      if (example !== undefined) byName.set(`${name}: ${getNullableType(type)}`, example);
    }
  }

  const exampleOf: Examples = (type, name) => {
    const inner = getNullableType(type);
    const known = byName.get(`${name}: ${inner}`);
    if (known !== undefined) return known;
    if (isListType(inner)) return [exampleOf(inner.ofType, name)];
    if (isEnumType(inner)) return inner.getValues()[0]?.name;
    if (isLeafType(inner)) return scalars.has(inner.name) ? scalars.get(inner.name) : name;
    if (!isObjectType(inner) && !isInputObjectType(inner)) return {};
    const own = byRecord.get(inner.name) ?? {};
    const fields = isInputObjectType(inner)
      ? Object.values(inner.getFields()).filter((field) => isShown(field, byName))
      : Object.values(inner.getFields());
    return Object.fromEntries(
      fields.map((field) => [
        field.name,
        Object.hasOwn(own, field.name) ? own[field.name] : exampleOf(field.type, field.name),
      ]),
    );
  };
  return exampleOf;
}

/** A body shows what it needs, and what somebody has given an example of: made-up ids would be refused. */
function isShown(field: GraphQLInputField, byName: ReadonlyMap<string, unknown>): boolean {
  return isRequired(field) || byName.has(`${field.name}: ${getNullableType(field.type)}`);
}

const id = '0d9f1c1e-6f0b-4c39-9d8a-2f1f0f6b7a51';
const scalars = new Map<string, unknown>([
  ['ID', id],
  ['UUID', id],
  ['Boolean', true],
  ['Int', 1],
  ['SafeInt', 1],
  ['Float', 0.5],
  ['DateTime', '2024-05-01T12:00:00.000Z'],
  ['Date', '2024-05-01'],
  ['JSON', {}],
  ['JSONObject', {}],
  ['EmptyObject', {}],
]);
