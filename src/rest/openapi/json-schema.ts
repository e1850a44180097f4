// JSON Schemas of the facade's types, for clients that read JSON.

import {
  type GraphQLInputField,
  type GraphQLLeafType,
  type GraphQLType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredInputField,
} from 'graphql';
import { z } from 'zod';

/** A JSON Schema (2020-12), as OpenAPI 3.1 has it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

type Components = Map<string, JsonSchema>;

/** What is to be said of a field of an input beyond its type. */
const said = z.object({
  needed: z.boolean().optional(),
  form: z.record(z.string(), z.unknown()).optional(),
});
type Said = z.infer<typeof said>;

/**
 * The schema of a type. Records and input objects are put into `components` by name and referred to.
 * A record has all of its fields and no others; a body may have more, which are ignored.
 */
function schemaOf(type: GraphQLType, components: Components): JsonSchema {
  if (!isNonNullType(type)) return orNull(schemaOfValue(type, components));
  return schemaOfValue(type.ofType, components);
}

/** The schema of a type where null is out of the question, as in a query parameter. */
export function schemaOfValue(type: GraphQLType, components: Components): JsonSchema {
  if (isNonNullType(type)) return schemaOfValue(type.ofType, components);
  if (isListType(type)) return { type: 'array', items: schemaOf(type.ofType, components) };
  if (isLeafType(type)) return leafSchema(type);
  if (!isObjectType(type) && !isInputObjectType(type)) throw new Error(`REST can't show ${type}.`);
  if (!components.has(type.name)) {
    // Taking the place first keeps an input type that contains itself from going round.
    components.set(type.name, {});
    components.set(type.name, objectSchema(type, components));
  }
  return { $ref: `#/components/schemas/${type.name}` };
}

function objectSchema(type: GraphQLType, components: Components): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  if (isObjectType(type)) {
    for (const { name, type: inner, description, extensions } of Object.values(type.getFields())) {
      properties[name] = described(schemaOf(inner, components), description);
      if (extensions.optional !== true) required.push(name);
    }
  } else if (isInputObjectType(type)) {
    for (const field of Object.values(type.getFields())) {
      const { name, type: inner, description, defaultValue } = field;
      const { needed = false, form } = saidOf(field);
      const own = needed ? schemaOfValue(inner, components) : schemaOf(inner, components);
      const schema = described(withForm(own, form), description);
      properties[name] = defaultValue === undefined ? schema : { ...schema, default: defaultValue };
      if (isRequired(field)) required.push(name);
    }
  }
  return {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    ...(isObjectType(type) ? { additionalProperties: false } : {}),
  };
}

/** The same with further keywords: null stays possible where it is. */
export function withForm(schema: JsonSchema, form: JsonSchema | undefined): JsonSchema {
  if (!form) return schema;
  const whole: JsonSchema = { ...schema, ...form };
  const { type, enum: words } = whole;
  const orNull = Array.isArray(type) && type.includes('null');
  return Array.isArray(words) && orNull
    ? { ...whole, enum: [...new Set([...words, null])] }
    : whole;
}

/** What is said of the form of a value that is one of some words, or of a list of such values. */
export function formAmong(
  type: GraphQLType,
  words: readonly string[] | undefined,
  form: JsonSchema | undefined,
): JsonSchema | undefined {
  if (!words) return form;
  const isList = isListType(getNullableType(type));
  return { ...form, ...(isList ? { items: { type: 'string', enum: words } } : { enum: words }) };
}

/** Whether the server refuses the absence of a field, by its type or in words of its own. */
export function isRequired(field: GraphQLInputField): boolean {
  return isRequiredInputField(field) || saidOf(field).needed === true;
}

/** Of a field of the facade, or of an input of the schema that it shows as it is. */
function saidOf({ extensions }: { readonly extensions: Readonly<Record<string, unknown>> }): Said {
  return said.safeParse(extensions.said ?? extensions).data ?? {};
}

const scalars = new Map<string, JsonSchema>([
  ['ID', { type: 'string', format: 'uuid' }],
  ['UUID', { type: 'string', format: 'uuid' }],
  ['String', { type: 'string' }],
  ['Boolean', { type: 'boolean' }],
  ['Int', { type: 'integer', format: 'int32' }],
  ['SafeInt', { type: 'integer', format: 'int64' }],
  ['Float', { type: 'number' }],
  ['DateTime', { type: 'string', format: 'date-time' }],
  ['Date', { type: 'string', format: 'date' }],
  ['JSON', {}],
  ['JSONObject', { type: 'object' }],
  ['EmptyObject', { type: 'object', additionalProperties: false }],
]);

function leafSchema(type: GraphQLLeafType): JsonSchema {
  if (isEnumType(type)) {
    return { type: 'string', enum: type.getValues().map(({ name }) => name) };
  }
  return scalars.get(type.name) ?? {};
}

/** The same schema, and null. */
function orNull(schema: JsonSchema): JsonSchema {
  if (typeof schema.type === 'string') {
    const values: unknown = schema.enum;
    return {
      ...schema,
      type: [schema.type, 'null'],
      ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
    };
  }
  return '$ref' in schema ? { anyOf: [schema, { type: 'null' }] } : schema;
}

function described(schema: JsonSchema, description: string | null | undefined): JsonSchema {
  return description ? { ...schema, description } : schema;
}
