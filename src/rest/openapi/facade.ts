// The facade: the schema of records, lists and bodies that the operations amount to.

import {
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLFieldConfig,
  GraphQLIncludeDirective,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLNullableType,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLSchema,
  GraphQLString,
  getNamedType,
  getNullableType,
  type InlineFragmentNode,
  isAbstractType,
  isCompositeType,
  isListType,
  isNonNullType,
  isUnionType,
  Kind,
  type SelectionNode,
} from 'graphql';
import { emptyObject, envelopeType, logTypes } from '../list-envelope.ts';
import type { Operation } from '../operations/operation.ts';
import { misplaced } from '../operations/place.ts';
import { argumentsOf } from './arguments.ts';

type Fields = Record<string, GraphQLFieldConfig<unknown, unknown>>;

/**
 * Derive the facade. Its root fields are the operations by name; its types are named after the
 * fragments, have the documented names, and are as deep as the answers: no field leads back.
 */
export function buildFacade(schema: GraphQLSchema, operations: readonly Operation[]) {
  const records = new Map<string, GraphQLObjectType>();
  const asked = new Map<string, Fields>();
  const roots: Record<Operation['kind'], Fields> = { query: {}, mutation: {} };
  for (const operation of operations) {
    roots[operation.kind][operation.name] = {
      type: new GraphQLNonNull(answerOf({ schema, records, asked, operation })),
      args: argumentsOf(operation),
      description: operation.summary,
    };
  }
  return schemaOf(roots.query, roots.mutation);
}

/** The part of a facade that serves some of its operations, in their order. */
export function sectionOf(facade: GraphQLSchema, operations: readonly Operation[]): GraphQLSchema {
  const part = (type: GraphQLObjectType | null | undefined): Fields => {
    const fields = type?.toConfig().fields ?? {};
    const own = operations.flatMap(({ name }) => {
      const field = fields[name];
      return field ? [[name, field] as const] : [];
    });
    return Object.fromEntries(own);
  };
  const query = part(facade.getQueryType());
  // SOFA breaks on a schema without a query type.
  const placeholder = { _: { type: GraphQLString } };
  return schemaOf(
    Object.keys(query).length > 0 ? query : placeholder,
    part(facade.getMutationType()),
  );
}

function schemaOf(query: Fields, mutation: Fields): GraphQLSchema {
  const root = (name: string, fields: Fields) =>
    Object.keys(fields).length > 0 ? new GraphQLObjectType({ name, fields }) : null;
  return new GraphQLSchema({
    query: root('Query', query),
    mutation: root('Mutation', mutation),
  });
}

/** What deriving the answer of one operation needs to know. */
interface Work {
  readonly schema: GraphQLSchema;
  readonly records: Map<string, GraphQLObjectType>;
  /** By record, fields that it has in answers of operations that were asked for them with a parameter. */
  readonly asked: Map<string, Fields>;
  readonly operation: Operation;
}

/** The type of an operation's answer. It is never null: what isn't there is an error. */
function answerOf(work: Work): GraphQLNullableType & GraphQLOutputType {
  const { operation } = work;
  const { shape } = operation;
  if (shape === 'NONE') return emptyObject;
  const roots = rootsOf(work);
  const name = `${operation.name}Answer`;
  const [only] = roots.values();
  if (shape === 'RECORD' && only && roots.size === 1) {
    return getNullableType(typeOf(work, only, name));
  }
  const fields = mergedOf(work, roots);
  if (shape === 'RECORD') return recordOf(work, name, fields);
  if (shape === 'LOG') {
    take(operation, fields, 'count');
    return recordOf(work, name, fields, logTypes);
  }
  const results = getNullableType(
    typeOf(work, take(operation, fields, 'results'), `${name}Result`),
  );
  if (!isListType(results)) throw misplaced(operation.node, '`results` names no list.');
  if (shape === 'ARRAY') return results;
  take(operation, fields, 'count');
  const [stray] = fields.keys();
  if (stray) throw misplaced(operation.node, `The list envelope has no place for ${stray}.`);
  const list = envelopeType(shape, results);
  const known = work.records.get(list.name) ?? list;
  work.records.set(list.name, known);
  return known;
}

/** Several root fields make one record of what each of them selects. */
function mergedOf(work: Work, roots: ReadonlyMap<string, Selected>): Map<string, Selected> {
  const { node, shape } = work.operation;
  const fields = new Map<string, Selected>();
  for (const root of roots.values()) {
    const type = getNullableType(root.type);
    if (!isCompositeType(type))
      throw misplaced(node, `The shape ${shape} needs objects to select from.`);
    select(work, root.selections, type, false, fields);
  }
  return fields;
}

/** What an answer has under one name: the type in the schema, and what is selected from it. */
interface Selected {
  type: GraphQLOutputType;
  description: string | null | undefined;
  /** Only some types of an interface or union have it, so it may be absent. */
  optional: boolean;
  selections: SelectionNode[];
}

function rootsOf(work: Work): Map<string, Selected> {
  const { kind, document } = work.operation;
  const root = kind === 'query' ? work.schema.getQueryType() : work.schema.getMutationType();
  const node = document.definitions.find((one) => one.kind === Kind.OPERATION_DEFINITION);
  const fields = new Map<string, Selected>();
  if (root && node) select(work, node.selectionSet.selections, root, false, fields);
  return fields;
}

/** Gather what a selection set answers, with its fragments spread out. */
function select(
  work: Work,
  selections: readonly SelectionNode[],
  parent: GraphQLCompositeType,
  optional: boolean,
  fields: Map<string, Selected>,
): void {
  for (const selection of selections) {
    if (selection.kind !== Kind.FIELD) {
      const fragment =
        selection.kind === Kind.INLINE_FRAGMENT
          ? selection
          : fragmentOf(work, selection.name.value);
      const on = conditionOf(work, fragment) ?? parent;
      const isOnAll = on === parent || isPartOf(work.schema, parent, on);
      const always = isOnAll && !isConditional(selection);
      select(work, fragment.selectionSet.selections, on, optional || !always, fields);
      continue;
    }
    const key = (selection.alias ?? selection.name).value;
    const field = isUnionType(parent) ? undefined : parent.getFields()[selection.name.value];
    if (!field) throw misplaced(selection, `REST can't show ${selection.name.value}.`);
    const known = fields.get(key);
    const more = selection.selectionSet?.selections ?? [];
    if (known) {
      known.selections.push(...more);
      known.optional &&= optional;
    } else {
      const { type, description } = field;
      fields.set(key, { type, description, optional, selections: [...more] });
    }
  }
}

/** Whether a parameter of the operation decides if it is there. */
function isConditional({ directives }: SelectionNode): boolean {
  return directives?.some(({ name }) => name.value === GraphQLIncludeDirective.name) ?? false;
}

function isPartOf(schema: GraphQLSchema, one: GraphQLCompositeType, of: GraphQLCompositeType) {
  return isAbstractType(of) && !isUnionType(one) && schema.isSubType(of, one);
}

/** The facade's type of a field: the schema's own for a leaf, a record for an object. */
function typeOf(work: Work, { type, selections }: Selected, fallback: string): GraphQLOutputType {
  const named = getNamedType(type);
  if (!isCompositeType(named)) return type;
  const [only, ...others] = selections.toSorted(
    (one, other) => Number(isConditional(one)) - Number(isConditional(other)),
  );
  let record: GraphQLObjectType;
  if (only?.kind === Kind.FRAGMENT_SPREAD && others.every(isConditional)) {
    const fragment = fragmentOf(work, only.name.value);
    const fields = new Map<string, Selected>();
    const on = conditionOf(work, fragment) ?? named;
    select(work, fragment.selectionSet.selections, on, false, fields);
    record = recordOf(work, only.name.value, fields);
    const more = new Map<string, Selected>();
    select(work, others, named, true, more);
    const { name } = record;
    work.asked.set(name, { ...work.asked.get(name), ...fieldsOf(work, name, more) });
  } else {
    const fields = new Map<string, Selected>();
    select(work, selections, named, false, fields);
    record = recordOf(work, fallback, fields);
  }
  return rewrap(type, record);
}

function recordOf(
  work: Work,
  name: string,
  selected: ReadonlyMap<string, Selected>,
  more: Fields = {},
): GraphQLObjectType {
  const known = work.records.get(name);
  if (known) return known;
  const fields = fieldsOf(work, name, selected);
  const { asked } = work;
  const record = new GraphQLObjectType({
    name,
    // Operations that are read later may be asked for more.
    fields: () => ({ ...fields, ...asked.get(name), ...more }),
  });
  work.records.set(name, record);
  return record;
}

function fieldsOf(work: Work, name: string, selected: ReadonlyMap<string, Selected>): Fields {
  const fields: Fields = {};
  for (const [key, one] of selected) {
    fields[key] = {
      type: typeOf(work, one, `${name}_${key}`),
      ...(one.description ? { description: one.description } : {}),
      extensions: { optional: one.optional },
    };
  }
  return fields;
}

function take(operation: Operation, fields: Map<string, Selected>, key: string): Selected {
  const found = fields.get(key);
  if (!found) {
    throw misplaced(operation.node, `The shape ${operation.shape} needs a field called ${key}.`);
  }
  fields.delete(key);
  return found;
}

function fragmentOf({ operation }: Work, name: string): FragmentDefinitionNode {
  for (const definition of operation.document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === name) {
      return definition;
    }
  }
  throw misplaced(operation.node, `There is no fragment ${name}.`);
}

function conditionOf(
  { schema }: Work,
  { typeCondition }: FragmentDefinitionNode | InlineFragmentNode,
): GraphQLCompositeType | undefined {
  const type = typeCondition && schema.getType(typeCondition.name.value);
  return isCompositeType(type) ? type : undefined;
}

/** The same lists and nulls around another type. */
function rewrap(type: GraphQLOutputType, inner: GraphQLObjectType): GraphQLOutputType {
  if (isNonNullType(type)) return new GraphQLNonNull(rewrap(type.ofType, inner));
  return isListType(type) ? new GraphQLList(rewrap(type.ofType, inner)) : inner;
}
