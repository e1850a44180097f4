// What a request may cost: how many fields its answer can have, estimated before it is run.

import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  getOperationAST,
  isAbstractType,
  isCompositeType,
  isListType,
  isObjectType,
  isUnionType,
  Kind,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
  type ValueNode,
} from 'graphql';
import { maxFields } from '../../limits/cooperative-scheduler.ts';
import { defaultPageSize } from '../../lists/page.ts';
import { type ByArguments, type Weight, weightOf } from './weight.ts';

/** The most that a request may cost: what its answer may have, should each row be there. */
export const maxCost = maxFields;

/** Rows of a list that does not say how many it can have. */
const defaultItems = 5;

/** What a request costs, and where most of it arises. */
export interface Cost {
  readonly total: number;
  /** The field whose own rows cost most, as a path from the root. */
  readonly dearest: Place;
  /** Fields of an object without those of the lists in it. */
  readonly fields: number;
}

interface Place {
  readonly path: readonly string[];
  readonly cost: number;
}

/** Values of the variables of a request, as they came. */
export type Variables = Readonly<Record<string, unknown>>;

/**
 * What an operation costs: one for each field of each row that its answer can have, more for fields
 * that have a weight. A list has as many rows as its arguments allow, wherever they are written; of
 * types that exclude each other the dearest counts. The document must be valid.
 */
export function costOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
  variables: Variables,
): Cost {
  const operation = getOperationAST(document, operationName);
  const root = operation && schema.getRootType(operation.operation);
  if (!operation || !root) return free;
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const part of document.definitions) {
    if (part.kind === Kind.FRAGMENT_DEFINITION) fragments.set(part.name.value, part);
  }
  const given = new Map<string, unknown>();
  for (const { variable, defaultValue } of operation.variableDefinitions ?? []) {
    const name = variable.name.value;
    const sent = Object.hasOwn(variables, name);
    given.set(name, sent ? variables[name] : defaultValue && literalOf(defaultValue, given));
  }
  const reader: Reader = { schema, fragments, variables: given, known: new Map() };
  return costOfSet(reader, operation.selectionSet, root, null);
}

/** Executors ask with the same nodes for every row of the list above. */
const knownFields = new WeakMap<readonly FieldNode[], number>();

/** How many fields an object that a field answers has, or each row of a list, without those of the lists in it. */
export function fieldsOfRow(info: GraphQLResolveInfo): number {
  const before = knownFields.get(info.fieldNodes);
  if (before !== undefined) return before;
  const fields = countFields(info);
  knownFields.set(info.fieldNodes, fields);
  return fields;
}

function countFields(info: GraphQLResolveInfo): number {
  const type = getNamedType(info.returnType);
  if (!isCompositeType(type)) return 1;
  const { schema, variableValues } = info;
  const fragments = new Map(Object.entries(info.fragments));
  const variables = new Map(Object.entries(variableValues));
  const reader: Reader = { schema, fragments, variables, known: new Map() };
  const sets = info.fieldNodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  return sets.reduce((sum, set) => sum + costOfSet(reader, set, type, null).fields, 1);
}

const free: Cost = { total: 0, dearest: { path: [], cost: 0 }, fields: 0 };

interface Reader {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: ReadonlyMap<string, unknown>;
  /** Costs that were worked out before: a fragment is spread any number of times. */
  readonly known: Map<SelectionSetNode, Map<string, Cost>>;
}

/**
 * What one object of a type costs. `rows` is how many rows its lists have, where the field that
 * answers the object says so: a connection is such an object.
 */
function costOfSet(
  reader: Reader,
  set: SelectionSetNode,
  type: GraphQLCompositeType,
  rows: number | null,
): Cost {
  const known = reader.known.get(set) ?? new Map<string, Cost>();
  reader.known.set(set, known);
  const key = `${type.name} ${rows}`;
  const before = known.get(key);
  if (before) return before;
  // Fragments cannot lead back to themselves in a valid document, but this must end for any.
  known.set(key, free);
  const nothing = { total: 0, own: 0, fields: 0 };
  const tally: Tally = { ...nothing, dearest: { path: [], cost: 0 }, byType: new Map() };
  for (const selection of set.selections) addSelection(reader, tally, selection, type, rows);
  const cost = sumOf(tally);
  known.set(key, cost);
  return cost;
}

/** What was found so far in one set of fields. */
interface Tally {
  total: number;
  /** What the fields of the object itself cost, without the lists below. */
  own: number;
  fields: number;
  dearest: Place;
  /** Costs of what only objects of one type have, which no two types can have together. */
  readonly byType: Map<string, Cost[]>;
}

function sumOf({ total, own, fields, dearest, byType }: Tally): Cost {
  let place = larger(dearest, { path: [], cost: own });
  let [most, mostFields] = [0, 0];
  for (const costs of byType.values()) {
    const sum = (of: (cost: Cost) => number) => costs.reduce((all, cost) => all + of(cost), 0);
    most = Math.max(
      most,
      sum((cost) => cost.total),
    );
    mostFields = Math.max(
      mostFields,
      sum((cost) => cost.fields),
    );
    for (const cost of costs) place = larger(place, cost.dearest);
  }
  return { total: total + most, dearest: place, fields: fields + mostFields };
}

function addSelection(
  reader: Reader,
  tally: Tally,
  selection: SelectionNode,
  type: GraphQLCompositeType,
  rows: number | null,
): void {
  if (isLeftOut(reader, selection)) return;
  if (selection.kind === Kind.FIELD) {
    addField(reader, tally, selection, type, rows);
    return;
  }
  const fragment =
    selection.kind === Kind.FRAGMENT_SPREAD
      ? reader.fragments.get(selection.name.value)
      : selection;
  if (!fragment) return;
  const named = fragment.typeCondition?.name.value;
  const condition = named === undefined ? type : reader.schema.getType(named);
  if (!isCompositeType(condition)) return;
  const cost = costOfSet(reader, fragment.selectionSet, condition, rows);
  if (isObjectType(condition) && isAbstractType(type)) {
    tally.byType.set(condition.name, [...(tally.byType.get(condition.name) ?? []), cost]);
    return;
  }
  tally.total += cost.total;
  tally.fields += cost.fields;
  tally.dearest = larger(tally.dearest, cost.dearest);
}

function addField(
  reader: Reader,
  tally: Tally,
  node: FieldNode,
  type: GraphQLCompositeType,
  rows: number | null,
): void {
  const name = node.name.value;
  const field = fieldOf(type, name);
  const weight: Weight = field ? weightOf(field) : {};
  const argument = (arg: string) => (field ? argumentOf(reader, field, node, arg) : undefined);
  const own = numberIn(weight.own, argument) ?? 1;
  tally.total += own;
  tally.own += own;
  tally.fields += 1;
  const inner = field && getNamedType(field.type);
  if (!field || !node.selectionSet || !isCompositeType(inner)) return;
  const isList = isListType(getNullableType(field.type));
  const page = weight.rows?.(argument) ?? pageOf(field, argument);
  const times = isList ? (numberIn(weight.items, argument) ?? page ?? rows ?? defaultItems) : 1;
  const cost = costOfSet(reader, node.selectionSet, inner, isList ? null : page);
  tally.total += cost.total * times;
  if (!isList) tally.fields += cost.fields;
  const { path, cost: most } = cost.dearest;
  tally.dearest = larger(tally.dearest, { path: [name, ...path], cost: most * times });
}

function larger(one: Place, other: Place): Place {
  return other.cost > one.cost ? other : one;
}

function fieldOf(
  type: GraphQLCompositeType,
  name: string,
): GraphQLField<unknown, unknown> | undefined {
  if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
  if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
  return isUnionType(type) ? undefined : type.getFields()[name];
}

type Argument = (name: string) => unknown;

function numberIn(size: number | ByArguments | undefined, argument: Argument): number | undefined {
  return typeof size === 'function' ? size(argument) : size;
}

/** How many rows a page can have, where a field has arguments that say so. */
function pageOf(field: GraphQLField<unknown, unknown>, argument: Argument): number | null {
  const names = ['first', 'last', 'pageSize'].filter((name) =>
    field.args.some((arg) => arg.name === name),
  );
  if (names.length === 0) return null;
  const given = names.map(argument).find((value) => typeof value === 'number');
  return typeof given === 'number' ? Math.max(0, given) : defaultPageSize;
}

/** The value of an argument, from wherever it comes; undefined where it has none. */
function argumentOf(
  { variables }: Reader,
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
  name: string,
): unknown {
  const written = node.arguments?.find((argument) => argument.name.value === name);
  const value = written && literalOf(written.value, variables);
  // Null means what leaving it out means.
  if (value != null) return value;
  return field.args.find((argument) => argument.name === name)?.defaultValue;
}

/** A written value as far as costs depend on it: numbers, booleans, and lists for their length. */
function literalOf(value: ValueNode, variables: ReadonlyMap<string, unknown>): unknown {
  switch (value.kind) {
    case Kind.VARIABLE:
      return variables.get(value.name.value);
    case Kind.INT:
    case Kind.FLOAT:
      return Number(value.value);
    case Kind.BOOLEAN:
      return value.value;
    case Kind.NULL:
      return null;
    case Kind.LIST:
      return value.values;
    default:
      return value;
  }
}

function isLeftOut({ variables }: Reader, { directives = [] }: SelectionNode): boolean {
  return directives.some(({ name, arguments: given = [] }) => {
    const condition = given.find((argument) => argument.name.value === 'if');
    const value = condition && literalOf(condition.value, variables);
    return name.value === 'skip' ? value === true : name.value === 'include' && value === false;
  });
}
