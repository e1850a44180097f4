// Makes what a resolver answers into what a client is answered, by the type of the field.

import {
  defaultTypeResolver,
  type FieldNode,
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLLeafType,
  type GraphQLList,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type SelectionSetNode,
} from 'graphql';
import { Pieces } from '../../limits/cooperative-scheduler.ts';
import { type Execution, type FieldInfo, isPromise, later, Place } from './execution.ts';
import { runFields } from './fields.ts';
import type { CompleteIn, CompleteLeaf, Completer, ObjectPlan, Planner } from './shape.ts';

/** The field that values belong to. */
interface Of {
  /** Such as `Table.owners`. */
  readonly coordinate: string;
  readonly nodes: readonly FieldNode[];
  readonly sets: readonly SelectionSetNode[];
}

/** What completes the values of a type. */
export function completerOf(plan: Planner, type: GraphQLOutputType, of: Of): Completer {
  if (isNonNullType(type)) return neverNull(completerOf(plan, type.ofType, of), of);
  if (isLeafType(type)) return { isLeaf: true, complete: leafOf(type) };
  if (isListType(type)) return { isLeaf: false, complete: listOf(plan, type, of) };
  const complete = isAbstractType(type) ? abstractOf(plan, type, of) : objectOf(plan, type, of);
  return { isLeaf: false, complete };
}

function neverNull(inner: Completer, { coordinate }: Of): Completer {
  const checked = (completed: unknown) => {
    if (completed === null) {
      throw new Error(`Cannot return null for non-nullable field ${coordinate}.`);
    }
    return completed;
  };
  if (inner.isLeaf) {
    return { isLeaf: true, complete: (value, run) => checked(inner.complete(value, run)) };
  }
  return {
    isLeaf: false,
    complete: (value, run, place, info) => checked(inner.complete(value, run, place, info)),
  };
}

function leafOf(type: GraphQLLeafType): CompleteLeaf {
  const isText = type.name === 'String' || type.name === 'ID';
  return (value, run) => {
    if (value === null || value === undefined) return null;
    if (isText && typeof value === 'string') {
      run.characters += value.length;
      return value;
    }
    if (value instanceof Error) throw value;
    const serialized = serialize(type, value);
    if (serialized === null || serialized === undefined) {
      throw new Error(
        `Expected \`${type}.serialize(${String(value)})\` to return non-nullable value, returned: ${serialized}`,
      );
    }
    if (typeof serialized === 'string') run.characters += serialized.length;
    else if (typeof serialized === 'object' && !(serialized instanceof Date)) run.hasJson = true;
    return serialized;
  };
}

/** A value that is none of the type is an error of ours, which masking tells by its class. */
function serialize(type: GraphQLLeafType, value: unknown): unknown {
  try {
    return type.serialize(value);
  } catch (error) {
    throw error instanceof GraphQLError ? new Error(error.message) : error;
  }
}

function listOf(plan: Planner, { ofType }: GraphQLList<GraphQLOutputType>, of: Of): CompleteIn {
  const item = completerOf(plan, ofType, of);
  const isNullable = !isNonNullType(ofType);
  const put: Put = (value, list, at, run, place, info) => {
    let inner: Place | null = null;
    try {
      if (item.isLeaf) {
        if (!isPromise(value)) return item.complete(value, run);
        return expectItem(value, item.complete, list, at, run, place);
      }
      const within = new Place(place, at, undefined, list, isNullable);
      inner = within;
      if (!isPromise(value)) return item.complete(value, run, within, info);
      const complete = (come: unknown) => item.complete(come, run, within, info);
      return expectItem(value, complete, list, at, run, place);
    } catch (error) {
      if (inner) inner.isDead = true;
      return run.fail(error, of.nodes, place, at, isNullable);
    }
  };
  const expectItem = (
    value: PromiseLike<unknown>,
    complete: CompleteLeaf,
    holder: unknown[],
    key: number,
    run: Execution,
    within: Place,
  ) => {
    run.expect(value, { complete, nodes: of.nodes, holder, key, isNullable, within, fields: 1 });
    return later;
  };
  return (value, run, place, info) => {
    if (value === null || value === undefined) return null;
    if (value instanceof Error) throw value;
    const list: unknown[] = [];
    if (value instanceof Pieces) {
      run.begin();
      void inPieces(value, list, run, place, info, put, of, isNullable).finally(() => run.end());
      return list;
    }
    if (!isIterable(value)) {
      throw new GraphQLError(
        `Expected Iterable, but did not find one for field "${of.coordinate}".`,
      );
    }
    let at = 0;
    for (const one of value) {
      list.push(null);
      const completed = put(one, list, at, run, place, info);
      if (completed !== later) list[at] = completed;
      at += 1;
    }
    return list;
  };
}

type Put = (
  value: unknown,
  list: unknown[],
  at: number,
  run: Execution,
  place: Place,
  info: FieldInfo,
) => unknown;

/** Complete a list that comes piece by piece. One that fails ends with what it failed with. */
async function inPieces(
  rows: Pieces<unknown>,
  list: unknown[],
  run: Execution,
  place: Place,
  info: FieldInfo,
  put: Put,
  { nodes }: Of,
  isNullable: boolean,
): Promise<void> {
  const fail = (error: unknown) =>
    run.settle(null, {
      complete: () => {
        throw error;
      },
      nodes,
      holder: list,
      key: list.length,
      isNullable,
      within: place,
      fields: 0,
    });
  try {
    for await (const piece of rows.read()) {
      for (const row of piece) {
        const at = list.length;
        list.push(null);
        const completed = put(row, list, at, run, place, info);
        if (completed !== later) list[at] = completed;
      }
    }
  } catch (error) {
    fail(error);
  }
}

function objectOf(plan: Planner, type: GraphQLObjectType, { nodes, sets }: Of): CompleteIn {
  let known: ObjectPlan | null = null;
  const fieldsOf = (value: unknown, run: Execution, place: Place) => {
    known ??= plan.objectOf(type, sets);
    return runFields(known, value, run, place);
  };
  return (value, run, place, info) => {
    if (value === null || value === undefined) return null;
    if (value instanceof Error) throw value;
    const is = type.isTypeOf?.(value, run.asked.contextValue, info) ?? true;
    const checked = (isOf: unknown) => {
      if (isOf) return fieldsOf(value, run, place);
      throw new GraphQLError(`Expected value of type "${type.name}" but got: ${shown(value)}.`, {
        nodes,
      });
    };
    return isPromise(is) ? laterIn(run, place, is, checked, nodes) : checked(is);
  };
}

function abstractOf(plan: Planner, type: GraphQLAbstractType, of: Of): CompleteIn {
  const resolveType = type.resolveType ?? defaultTypeResolver;
  const byName = new Map<string, CompleteIn>();
  const complete = (
    name: unknown,
    value: unknown,
    run: Execution,
    place: Place,
    info: FieldInfo,
  ) => {
    const known = typeof name === 'string' ? byName.get(name) : undefined;
    if (known) return known(value, run, place, info);
    const found = objectOf(plan, runtimeType(plan, type, name, of), of);
    byName.set(String(name), found);
    return found(value, run, place, info);
  };
  return (value, run, place, info) => {
    if (value === null || value === undefined) return null;
    if (value instanceof Error) throw value;
    const name = resolveType(value, run.asked.contextValue, info, type);
    if (!isPromise(name)) return complete(name, value, run, place, info);
    return laterIn(run, place, name, (come) => complete(come, value, run, place, info), of.nodes);
  };
}

/** The type that an object of an interface or a union is of. Throws where it can't be one of them. */
function runtimeType(
  { schema }: Planner,
  type: GraphQLAbstractType,
  name: unknown,
  { coordinate, nodes }: Of,
): GraphQLObjectType {
  const fault = (what: string) => new GraphQLError(what, { nodes });
  if (typeof name !== 'string') {
    throw fault(
      `Abstract type "${type.name}" must resolve to an Object type at runtime for field "${coordinate}".`,
    );
  }
  const found = schema.getType(name);
  if (!isObjectType(found)) {
    throw fault(
      `Abstract type "${type.name}" was resolved to a type "${name}" that does not exist inside the schema.`,
    );
  }
  if (schema.isSubType(type, found)) return found;
  throw fault(`Runtime Object type "${name}" is not a possible type for "${type.name}".`);
}

/** Wait for what says how a value is completed, which is put into its place then. */
function laterIn(
  run: Execution,
  place: Place,
  promise: PromiseLike<unknown>,
  complete: (come: unknown) => unknown,
  nodes: readonly FieldNode[],
): typeof later {
  const { holder, key, isNullable, prev } = place;
  run.expect(promise, { complete, nodes, holder, key, isNullable, within: prev, fields: 1 });
  return later;
}

function shown(value: unknown): string {
  return typeof value === 'object' ? '[object]' : String(value);
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}
