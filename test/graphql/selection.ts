// Asks for all that a field of the schema answers.

import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { schema } from '../../src/graphql/schema.ts';

/** Arguments that say how much is answered, where no one says it: of a root field, and of a field below one. */
const bounds: Readonly<Record<string, number>> = { first: 100, maxNodes: 100 };
const boundsBelow: Readonly<Record<string, number>> = { first: 10 };

type Field = GraphQLField<unknown, unknown>;

/**
 * A request for a field with some of its arguments, as variables of their names, and every leaf of its answer to some
 * depth: of an interface what each of its types has next to it, too, and of a list of pages its rows.
 */
export function requestOf(
  kind: 'query' | 'mutation' | 'subscription',
  field: Field,
  args: readonly GraphQLArgument[],
  depth: number,
): string {
  const head = args.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const given = args.map(({ name }) => `${name}: $${name}`);
  // A page is bounded from one of its ends.
  const isBounded = args.some(({ name }) => name === 'last');
  const others = field.args.filter((argument) => !isBounded && !args.includes(argument));
  const call = callOf([...given, ...bounding(others, bounds)]);
  const set = selectionOf(field.type, depth);
  const text = `${kind}${head && ` (${head})`} { ${field.name}${call}${set} }`;
  return text.includes(spread) ? `${text} fragment ${itself} on Resource ${leaves()}` : text;
}

const callOf = (args: readonly string[]) => (args.length > 0 ? `(${args.join(', ')})` : '');

const bounding = (args: readonly GraphQLArgument[], most: typeof bounds) =>
  args.flatMap(({ name }) => (most[name] === undefined ? [] : [`${name}: ${most[name]}`]));

/** How deep a root field is asked: what finds things of any kind has the fields of all types. */
export const depthOf = ({ name }: Field): number => (/^(nodes?|resources)$/.test(name) ? 1 : 2);

/** What resources are themselves is said once: they lie wherever something leads to. */
const itself = 'ResourceItself';
const spread = `{ ...${itself} }`;
const leaves = () => fullSelection(schema.getType('Resource'), 0);

function selectionOf(type: GraphQLOutputType, depth: number): string {
  const named = getNamedType(type);
  return depth === 0 && isA('Resource', named) ? ` ${spread}` : fullSelection(named, depth);
}

/** Every leaf of an answer to some depth that takes no arguments and that it has whatever it turns out to be. */
export function plainSelectionOf(type: GraphQLOutputType, depth: number): string {
  const named = getNamedType(type);
  if (!isObjectType(named) && !isInterfaceType(named)) return '';
  const fields = Object.values(named.getFields())
    .filter(({ args }) => args.every((argument) => !isNonNullType(argument.type)))
    .flatMap((field) => {
      if (isLeaf(field)) return [field.name];
      const next = named.name === 'Resource' ? 0 : depth - 1;
      return depth === 0 ? [] : [`${field.name} ${plainSelectionOf(field.type, next)}`];
    });
  return `{ __typename ${fields.join(' ')} }`;
}

function fullSelection(type: GraphQLNamedType | undefined, depth: number): string {
  if (!isInterfaceType(type) && !isObjectType(type)) return '';
  const common = selected(type, Object.values(type.getFields()), depth);
  const own = isInterfaceType(type) ? ownSelections(type, depth) : '';
  return ` { __typename ${common} ${own}}`;
}

/** Fragments for what the types of an interface have next to it. */
function ownSelections(type: GraphQLInterfaceType, depth: number): string {
  const { interfaces, objects } = schema.getImplementations(type);
  const known = new Set(interfaces.flatMap((one) => schema.getPossibleTypes(one)));
  const below = interfaces.map((one) => `... on ${one.name}${selectionOf(one, depth)} `);
  const common = Object.keys(type.getFields());
  const own = objects
    .filter((one) => !known.has(one))
    .map((one) => {
      const fields = Object.values(one.getFields()).filter(({ name }) => !common.includes(name));
      const set = selected(one, fields, depth, (field) => aliasIn(objects, one, field));
      return set && `... on ${one.name} { ${set} } `;
    });
  return [...below, ...own].join('');
}

/** Fields of one name have to be alike in an answer, whichever of the types it is of. */
function aliasIn(types: readonly GraphQLObjectType[], { name }: GraphQLObjectType, field: Field) {
  const isAlike = types.every((one) => {
    const other = one.getFields()[field.name];
    return !other || String(other.type) === String(field.type);
  });
  return isAlike ? '' : `${field.name}Of${name}: `;
}

function selected(
  type: GraphQLNamedType,
  fields: readonly Field[],
  depth: number,
  aliasOf: (field: Field) => string = () => '',
): string {
  return fields
    .filter(({ args }) => args.every((argument) => !isNonNullType(argument.type)))
    .filter((field) => isLeaf(field) || !isTooDeep(type, field, depth))
    .map((field) => {
      // A resource leads to everything: below the first step only what it is itself.
      const next = isA('Resource', type) ? 0 : Math.max(0, depth - 1);
      const call = callOf(bounding(field.args, boundsBelow));
      return `${aliasOf(field)}${field.name}${call}${selectionOf(field.type, next)}`;
    })
    .join(' ');
}

function isLeaf({ type }: Field): boolean {
  const named = getNamedType(type);
  return !('getFields' in named) || isEnumType(named);
}

/** What is no thing of its own, such as a page or a value, is no step. The rows of a page stand in it twice. */
const isTooDeep = (type: GraphQLNamedType, { name }: Field, depth: number) =>
  depth === 0 && (isA('Node', type) || name === 'edges');

function isA(name: 'Node' | 'Resource', type: GraphQLNamedType): boolean {
  if (type.name === name) return true;
  return isObjectType(type) || isInterfaceType(type)
    ? type.getInterfaces().some((one) => one.name === name)
    : false;
}
