// GraphQL requests that no one would write by hand: valid, nearly valid and hostile ones.

import fc from 'fast-check';
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  type OperationTypeNode,
} from 'graphql';
import { schema } from '../../src/graphql/schema.ts';
import { hostileText, hostileValues } from '../rest/fuzz.ts';
import { plainSelectionOf } from './selection.ts';

export interface FuzzRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Filters contain filters: deeper ones than this are not made. */
const maxDepth = 4;

/** Requests for a root field and for fields with arguments below it; some of the ids that they name exist. */
export function requestsFor(
  kind: OperationTypeNode,
  field: Field,
  ids: readonly string[],
): fc.Arbitrary<FuzzRequest> {
  const below = belowOf(field);
  const chosen =
    below.length === 0
      ? fc.constant([])
      : fc.subarray([...below], { maxLength: Math.min(2, below.length) });
  return fc.tuple(chosen, mostly).chain(([places, isOfType]) => {
    const stock = { ids, isOfType };
    // What is wrong with the root itself keeps a request from what lies below it.
    const root =
      places.length > 0 ? { ...field, args: field.args.filter(isRequiredArgument) } : field;
    const calls = [root, ...places.map((place) => place.field)];
    return fc.tuple(...calls.map(({ args }) => argumentsOf(args, stock))).map((values) => {
      const [own, ...others] = calls.map((call, at) => callOf(call, values[at] ?? {}, at));
      const inner = places.map(({ path }, at) => within(path, others[at]?.text ?? ''));
      const whole = plainSelectionOf(field.type, 1).replace(/ \}$/, ` ${inner.join(' ')} }`);
      const given = [...(own ? [own] : []), ...others];
      const head = given.flatMap(({ declared }) => declared).join(', ');
      const variables = Object.assign({}, ...given.map((one) => one.variables));
      return { query: `${kind}${head && ` (${head})`} { ${own?.text} ${whole} }`, variables };
    });
  });
}

/** Of four requests three. */
const mostly = fc.nat(3).map((one) => one > 0);

/** What values are made of. */
interface Stock {
  readonly ids: readonly string[];
  /** Whether each value is of its type: one that is not keeps the others from being looked at. */
  readonly isOfType: boolean;
}

type Field = GraphQLField<unknown, unknown>;

/** A field with arguments below another, and the fields and types that lead to it. */
export interface FieldBelow {
  readonly path: readonly string[];
  readonly field: Field;
}

/** Fields that lead from one to another below it, at most. */
const maxSteps = 3;

/** The fields with arguments below a field, as near as each is; those that many types have once. */
export function belowOf({ type }: Field): readonly FieldBelow[] {
  const found = new Map<string, FieldBelow>();
  const seen = new Set<string>();
  let level = [{ path: [] as string[], type: getNamedType(type) }];
  for (let steps = 0; steps <= maxSteps && level.length > 0; steps += 1) {
    const next: typeof level = [];
    for (const place of level.flatMap(withKinds)) {
      if (seen.has(place.type.name) || !hasFields(place.type)) continue;
      seen.add(place.type.name);
      for (const field of Object.values(place.type.getFields())) {
        const { path } = place;
        if (field.args.length > 0 && !found.has(nameOf(field))) {
          found.set(nameOf(field), { path, field });
        }
        if (field.args.some(isRequiredArgument)) continue;
        next.push({ path: [...path, field.name], type: getNamedType(field.type) });
      }
    }
    level = next;
  }
  return [...found.values()];
}

/** Tells a field by its name and arguments. */
export function nameOf({ name, args }: Field): string {
  return `${name}(${args.map((one) => `${one.name}: ${one.type}`).join(', ')})`;
}

/** A type with those that it may turn out to be. */
function withKinds(place: { path: string[]; type: GraphQLNamedType }) {
  if (!isInterfaceType(place.type)) return [place];
  const kinds = schema.getPossibleTypes(place.type);
  return [place, ...kinds.map((type) => ({ path: [...place.path, `... on ${type.name}`], type }))];
}

function hasFields(type: GraphQLNamedType): type is GraphQLObjectType | GraphQLInterfaceType {
  return isObjectType(type) || isInterfaceType(type);
}

/** Values for arguments, or for the fields of an input. */
function argumentsOf(
  args: readonly (GraphQLArgument | GraphQLInputField)[],
  stock: Stock,
  depth = 0,
): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const [needed, others] = [args.filter(isNeeded), args.filter((one) => !isNeeded(one))];
  const some = fc.subarray(
    others,
    stock.isOfType ? { maxLength: Math.min(few, others.length) } : {},
  );
  return some.chain((chosen) =>
    fc.record(
      Object.fromEntries(
        [...needed, ...chosen].map(({ name, type }) => [name, anyValue(type, stock, depth)]),
      ),
      { noNullPrototype: true },
    ),
  );
}

/** Of what may be left out so much is given at most where values are of their types: each may be refused. */
const few = 2;

const isNeeded = ({ type }: GraphQLArgument | GraphQLInputField) => isNonNullType(type);

/** How the first, second or third field is asked with these values, without its selection where that is the root. */
function callOf(
  { name, args, type }: Field,
  values: Readonly<Record<string, unknown>>,
  at: number,
) {
  const given = args.filter((one) => Object.hasOwn(values, one.name));
  const call = given.map((one) => `${one.name}: $${one.name}${at}`).join(', ');
  const asked = `${name}${call && `(${call})`}`;
  return {
    text: at === 0 ? asked : `below${at}: ${asked} ${plainSelectionOf(type, 0)}`,
    declared: given.map((one) => `$${one.name}${at}: ${one.type}`),
    variables: Object.fromEntries(given.map((one) => [`${one.name}${at}`, values[one.name]])),
  };
}

function within(path: readonly string[], text: string): string {
  return path.reduceRight((inner, step) => `${step} { ${inner} }`, text);
}

/** Values of a type; where any will do, with a wrong one here and there. */
function anyValue(type: GraphQLInputType, stock: Stock, depth: number): fc.Arbitrary<unknown> {
  if (stock.isOfType) return rightValue(type, stock, depth);
  return fc.oneof(
    { weight: 9, arbitrary: rightValue(type, stock, depth) },
    { weight: 1, arbitrary: fc.constantFrom<unknown>(...hostileValues) },
  );
}

function rightValue(type: GraphQLInputType, stock: Stock, depth: number): fc.Arbitrary<unknown> {
  if (isNonNullType(type)) return rightValue(type.ofType, stock, depth);
  if (isListType(type)) {
    return fc.array(anyValue(type.ofType, stock, depth + 1), {
      maxLength: depth > maxDepth ? 0 : 3,
    });
  }
  if (isEnumType(type)) return fc.constantFrom(...type.getValues().map(({ name }) => name));
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields());
    if (type.isOneOf && stock.isOfType) {
      return fc
        .constantFrom(...fields)
        .chain(({ name, type: inner }) =>
          anyValue(inner, stock, depth + 1).map((value) => ({ [name]: value })),
        );
    }
    const wanted = fields.filter((one) => depth <= maxDepth || isNeeded(one));
    return argumentsOf(wanted, stock, depth + 1);
  }
  return scalars(stock.ids)[type.name] ?? fc.jsonValue({ maxDepth: 2 });
}

/** Those that a time may be of; others are among the hostile texts. */
const years = { min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z') };

function scalars(ids: readonly string[]): Readonly<Record<string, fc.Arbitrary<unknown>>> {
  return {
    ID: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...ids) }, fc.uuid(), hostileText),
    String: fc.oneof(fc.string({ maxLength: 30 }), hostileText),
    Boolean: fc.boolean(),
    Int: fc.oneof(fc.integer({ min: -2, max: 60 }), fc.integer()),
    Float: fc.oneof(fc.double({ noNaN: true }), fc.integer()),
    DateTime: fc.date({ ...years, noInvalidDate: true }).map((date) => date.toISOString()),
  };
}
