// The operations that REST serves: what the rest.graphql files say, as plain records.

import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type Source,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromAST,
} from 'graphql';
import { z } from 'zod';
import type { Form } from '../../fields.ts';
import { markOf } from '../../graphql/views/mark.ts';
import { valuesOf } from './directive.ts';
import { type Definitions, readDefinitions } from './documents.ts';
import { type Feeds, formOf, readFeeds, wordsOf } from './feeds.ts';
import { misplaced } from './place.ts';
import { type Versioning, versioningOf } from './versioned.ts';

/** One operation of the schema under one path of the REST API. */
export interface Operation extends Versioning {
  readonly name: string;
  readonly kind: 'query' | 'mutation';
  readonly method: Method;
  /** As documented, below the base: `/tag/:tag_id`. */
  readonly path: string;
  readonly aliases: readonly string[];
  /** The status of success. */
  readonly status: number;
  readonly shape: Shape;
  readonly tag: string;
  readonly summary: string;
  readonly description: string | undefined;
  /** What the schema says of what it does, in documented names; undefined where it says nothing. */
  readonly meaning: string | undefined;
  /** What replaces it. An operation with a successor is deprecated. */
  readonly successor: Successor | undefined;
  /** The type that it answers, for the message that there is no such thing. */
  readonly subject: string;
  /** Error statuses that are special to it. */
  readonly errors: readonly number[];
  readonly parameters: readonly Parameter[];
  /** Examples of fields, by the fragment that describes their record. */
  readonly examples: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  /** What it asks for, as its file says it. */
  readonly document: DocumentNode;
  /** The definition in its file, for errors that point at it. */
  readonly node: OperationDefinitionNode;
  /** Documented names of the arguments and input fields that the variables feed. */
  readonly documentedNames: ReadonlyMap<string, string>;
}

/** One documented parameter, which is one variable of the operation. */
export interface Parameter {
  readonly name: string;
  readonly place: 'path' | 'query' | 'body';
  readonly type: GraphQLInputType;
  /** What its absence means; undefined where absence is just that. */
  readonly defaultValue: unknown;
  /** What it means, and in which other ways it is taken. */
  readonly description: string | undefined;
  readonly also: readonly string[];
  readonly ignored: boolean;
  readonly example: unknown;
  /** Whether the server refuses its absence in words of its own, whatever its type says. */
  readonly needed: boolean;
  /** Whether a record is nothing without it: a PUT needs it, whatever making one does. */
  readonly isEssential: boolean;
  /** The words that it is one of, where it is text. */
  readonly words: readonly string[] | undefined;
  /** The input object that it is a field of, such as UpdateTagInput; undefined for an argument. */
  readonly input: string | undefined;
  /** What the schema says of its form, as keywords of JSON Schema. */
  readonly form: Form | undefined;
}

export type Method = z.infer<typeof method>;
export type Shape = z.infer<typeof shape>;
export type Successor = z.infer<typeof successor>;

const method = z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
const shape = z.enum(['RECORD', 'ARRAY', 'LIST', 'AUDIT_LIST', 'LOG', 'NONE']);
const successor = z.object({ path: z.string(), filter: z.unknown().optional() });
// GraphQL has checked the types; these say them to TypeScript.
const restArguments = z.object({
  method,
  path: z.string(),
  aliases: z.array(z.string()),
  status: z.number().nullish(),
  tag: z.string(),
  summary: z.string(),
  description: z.string().nullish(),
  shape,
  successor: successor.nullish(),
  errors: z.array(z.number()),
});
const paramArguments = z.object({
  in: z.enum(['QUERY', 'BODY']).nullish(),
  description: z.string().nullish(),
  also: z.array(z.string()),
  ignored: z.boolean(),
  needed: z.boolean(),
  example: z.unknown().optional(),
});

/** Read all operations. Throws an error that names file and line where one can't be served. */
export function readOperations(schema: GraphQLSchema, sources: readonly Source[]): Operation[] {
  const definitions = readDefinitions(schema, sources);
  const operations = definitions.operations.map((node) => readOperation(schema, definitions, node));
  const taken = new Map<string, Operation>();
  for (const operation of operations) {
    for (const path of [operation.path, ...operation.aliases]) {
      const route = `${operation.method} ${path.replaceAll(/:\w+/g, ':').replace(/\/$/, '')}`;
      const other = taken.get(route);
      if (other) throw misplaced(operation.node, `${other.name} is already served at ${route}.`);
      taken.set(route, operation);
    }
  }
  return operations;
}

function readOperation(
  schema: GraphQLSchema,
  definitions: Definitions,
  node: OperationDefinitionNode,
): Operation {
  const given = valuesOf('rest', node);
  if (!node.name || !given) throw misplaced(node, 'An operation needs a name and @rest.');
  if (node.operation === 'subscription') throw misplaced(node, 'REST serves no subscriptions.');
  const rest = restArguments.parse(given);
  const feeds = readFeeds(schema, node);
  const document = documentOf(definitions, node.name.value);
  const operation: Operation = {
    ...rest,
    ...versioningOf(schema, { ...rest, kind: node.operation }, document),
    name: node.name.value,
    kind: node.operation,
    status: rest.status ?? (rest.shape === 'NONE' ? 204 : 200),
    description: rest.description ?? undefined,
    meaning: meaningOf(schema, node),
    successor: rest.successor ?? undefined,
    subject: subjectOf(schema, node),
    parameters: (node.variableDefinitions ?? []).map((variable) =>
      readParameter(schema, rest, variable, feeds),
    ),
    examples: definitions.examples,
    document,
    node,
    documentedNames: feeds.names,
  };
  checkPaths(operation);
  checkPages(operation);
  return operation;
}

function readParameter(
  schema: GraphQLSchema,
  { method, path }: Pick<Operation, 'method' | 'path'>,
  node: VariableDefinitionNode,
  feeds: Feeds,
): Parameter {
  const name = node.variable.name.value;
  const param = paramArguments.parse(
    valuesOf('param', node) ?? { also: [], ignored: false, needed: false },
  );
  // Validation has made sure that every variable has an input type, which typeFromAST can't tell.
  const type = typeFromAST(schema, node.type) as GraphQLInputType;
  const fed = feeds.places.get(name);
  const optionalInRest = fed && markOf(fed).optionalInRest;
  const notes = [
    param.description ?? fed?.description,
    param.also.length > 0 && `Also taken as ${param.also.map((one) => `\`${one}\``).join(', ')}.`,
    param.ignored && 'Accepted and ignored.',
  ].filter((note) => typeof note === 'string');
  const inQuery = param.in ? param.in === 'QUERY' : method === 'GET' || method === 'DELETE';
  return {
    name,
    place: namesIn(path).includes(name) ? 'path' : inQuery ? 'query' : 'body',
    type,
    defaultValue: node.defaultValue ? valueFromAST(node.defaultValue, type) : undefined,
    description: notes.length > 0 ? notes.join(' ') : undefined,
    also: param.also,
    ignored: param.ignored,
    example: param.example,
    needed: param.needed || optionalInRest === 'refused',
    isEssential: optionalInRest !== undefined,
    words: wordsOf(fed),
    input: feeds.inputs.get(name),
    form: formOf(fed),
  };
}

/** The runnable operation with the fragments that it uses, directly or through others. */
function documentOf({ runnable }: Definitions, name: string): DocumentNode {
  const fragments = new Map<string, FragmentDefinitionNode>();
  let operation: OperationDefinitionNode | undefined;
  for (const definition of runnable.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      fragments.set(definition.name.value, definition);
    } else if (definition.kind === Kind.OPERATION_DEFINITION) {
      if (definition.name?.value === name) operation = definition;
    }
  }
  const used = new Set<FragmentDefinitionNode>();
  const collect = (selectionSet: SelectionSetNode | undefined): void => {
    for (const selection of selectionSet?.selections ?? []) {
      if (selection.kind !== Kind.FRAGMENT_SPREAD) collect(selection.selectionSet);
      const fragment =
        selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : undefined;
      if (!fragment || used.has(fragment)) continue;
      used.add(fragment);
      collect(fragment.selectionSet);
    }
  };
  collect(operation?.selectionSet);
  return { kind: Kind.DOCUMENT, definitions: [...(operation ? [operation] : []), ...used] };
}

function checkPaths({ path, aliases, parameters, node }: Operation): void {
  const inPath = parameters.filter(({ place }) => place === 'path');
  for (const one of [path, ...aliases]) {
    if (!one.startsWith('/')) throw misplaced(node, `The path ${one} starts with a slash.`);
    const names = namesIn(one);
    const missing = names.find((name) => !inPath.some((parameter) => parameter.name === name));
    if (missing) throw misplaced(node, `The path ${one} names no variable $${missing}.`);
    if (names.length !== inPath.length) throw misplaced(node, `${one} lacks a path parameter.`);
  }
  const optional = inPath.find(({ type }) => !isNonNullType(type));
  if (optional) throw misplaced(node, `$${optional.name} stands in the path: make it required.`);
}

function checkPages({ shape, parameters, node }: Operation): void {
  if (shape !== 'LIST' && shape !== 'AUDIT_LIST' && shape !== 'LOG') return;
  for (const name of ['page', 'page_size']) {
    const found = parameters.find((parameter) => parameter.name === name);
    if (typeof found?.defaultValue !== 'number') {
      throw misplaced(node, `The shape ${shape} needs a variable $${name}: Int with a default.`);
    }
  }
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].flatMap(([, name]) => name ?? []);
}

function rootOf(schema: GraphQLSchema, { operation, selectionSet }: OperationDefinitionNode) {
  const [root] = selectionSet.selections;
  const name = root?.kind === Kind.FIELD ? root.name.value : '';
  return schema.getRootType(operation)?.getFields()[name];
}

/** The type that an operation answers; a word for it where there is none. */
function subjectOf(schema: GraphQLSchema, node: OperationDefinitionNode): string {
  const field = rootOf(schema, node);
  return field ? getNamedType(field.type).name : 'Record';
}

/** What the schema says of what an operation does. Names of fields are those of REST, in snake case. */
function meaningOf(schema: GraphQLSchema, node: OperationDefinitionNode): string | undefined {
  const inSnakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (one) => `_${one.toLowerCase()}`);
  return rootOf(schema, node)?.description?.replaceAll(/\b[a-z]+(?:[A-Z][a-z]+)+\b/g, inSnakeCase);
}
