// The JSON Schema of a tool's answer: what its operation selects, as the schema types it.

import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLLeafType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNullableType,
  isCompositeType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isUnionType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

/** A JSON Schema of an object. */
export interface ObjectSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

/** What is read while a schema is made. */
interface Work {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Whether null stays in the answer: below its first fields it is left away. */
  readonly isRoot: boolean;
}

/** The schema of what an operation answers. Throws where it selects what the schema does not have. */
export function answerSchema(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): ObjectSchema {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const one of document.definitions) {
    if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one);
  }
  const root = schema.getRootType(operation.operation);
  if (!root) throw new Error(`The schema has no ${operation.operation}.`);
  const { properties, ...whole } = objectOf(
    { schema, fragments, isRoot: true },
    [operation.selectionSet],
    root,
  );
  return { ...whole, properties: { leftOut, ...properties } };
}

/** Said where an answer would be longer than its budget. */
const leftOut = { type: 'array', items: { type: 'string' }, description: 'What is not here.' };

/** One field of an answer. What is selected of one type among several may be absent. */
interface Selected {
  readonly type: GraphQLOutputType;
  readonly selections: SelectionSetNode[];
  isCertain: boolean;
}

function objectOf(
  work: Work,
  sets: readonly SelectionSetNode[],
  type: GraphQLCompositeType,
): ObjectSchema {
  const fields = new Map<string, Selected>();
  for (const set of sets) gather(work, set, type, true, fields);
  const properties: Record<string, object> = {};
  const below = { ...work, isRoot: false };
  for (const [name, { type, selections }] of fields) {
    properties[name] = valueSchema(below, work.isRoot ? type : getNullableType(type), selections);
  }
  const required = [...fields].flatMap(([name, { isCertain, type }]) =>
    isCertain && (work.isRoot || isNonNullType(type)) ? [name] : [],
  );
  return { type: 'object', properties, required, additionalProperties: false };
}

function gather(
  work: Work,
  { selections }: SelectionSetNode,
  type: GraphQLCompositeType,
  isCertain: boolean,
  fields: Map<string, Selected>,
): void {
  for (const one of selections) {
    if (one.kind === Kind.FIELD) {
      const name = (one.alias ?? one.name).value;
      const field = isUnionType(type) ? undefined : type.getFields()[one.name.value];
      if (!field) throw new Error(`${type} has no field ${one.name.value}.`);
      const known = fields.get(name) ?? { type: field.type, selections: [], isCertain };
      known.isCertain ||= isCertain;
      if (one.selectionSet) known.selections.push(one.selectionSet);
      fields.set(name, known);
      continue;
    }
    const fragment = one.kind === Kind.INLINE_FRAGMENT ? one : work.fragments.get(one.name.value);
    const on = fragment?.typeCondition?.name.value ?? type.name;
    const narrowed = work.schema.getType(on);
    if (!fragment || !isCompositeType(narrowed)) throw new Error(`There is no fragment on ${on}.`);
    gather(work, fragment.selectionSet, narrowed, isCertain && narrowed === type, fields);
  }
}

function valueSchema(
  work: Work,
  type: GraphQLOutputType,
  selections: readonly SelectionSetNode[],
): object {
  if (isNonNullType(type)) return present(work, type.ofType, selections);
  const schema = present(work, type, selections);
  return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: 'null' }] };
}

function present(
  work: Work,
  type: GraphQLOutputType,
  selections: readonly SelectionSetNode[],
): object {
  if (isListType(type)) return { type: 'array', items: valueSchema(work, type.ofType, selections) };
  if (isCompositeType(type)) return objectOf(work, selections, type);
  return isLeafType(type) ? leafSchema(type) : {};
}

const scalars = new Map<string, object>([
  ['ID', { type: 'string' }],
  ['String', { type: 'string' }],
  ['DateTime', { type: 'string' }],
  ['Boolean', { type: 'boolean' }],
  ['Int', { type: 'integer' }],
  ['SafeInt', { type: 'integer' }],
  ['Float', { type: 'number' }],
]);

function leafSchema(type: GraphQLLeafType): object {
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) };
  return scalars.get(type.name) ?? {};
}
