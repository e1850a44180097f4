// Values of variables: large ones are read in pieces, and others are served in between.

import {
  coerceInputValue,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  getVariableValues,
  isInputObjectType,
  isInputType,
  isListType,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import { invalid } from '../../errors.ts';
import { CooperativeScheduler } from '../../limits/cooperative-scheduler.ts';
import { mainThread } from '../../limits/fair-queue.ts';

/** Values that are read in one go, which takes about a millisecond. A list of more is read in pieces. */
const valuesPerTurn = 1_000;
/** The most that are read in one go where there is no other way. */
const mostAtOnce = 5_000;
/** What is wrong is told so many times, as the library does. */
const maxErrors = 50;
/** The scheduler of what has none of its own. */
const ofNobody = new CooperativeScheduler(mainThread, 'variables', { throwIfAborted: () => {} });

type Values = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];

/** What the variables of an operation stand for, or why they can't. */
export type VariablesRead =
  | { readonly coerced: Record<string, unknown>; readonly errors?: undefined }
  | { readonly errors: readonly GraphQLError[]; readonly coerced?: undefined };

/** A list that is read in pieces. */
interface LongList {
  readonly definition: VariableDefinitionNode;
  /** Where it lies in what it was found in. */
  readonly path: Path;
  readonly items: readonly unknown[];
  readonly itemType: GraphQLInputType;
}

/** The values of an operation's variables, each checked against its type: at once where they are few. */
export function valuesOfVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  given: Values,
  scheduler: CooperativeScheduler | null,
): MaybePromise<VariablesRead> {
  if (!hasMore(given, valuesPerTurn)) {
    return getVariableValues(schema, variableDefinitions, given, { maxErrors });
  }
  const left = { ...given };
  const long: LongList[] = [];
  for (const definition of variableDefinitions) {
    const name = definition.variable.name.value;
    const type = typeFromAST(schema, definition.type);
    if (!Object.hasOwn(given, name) || !isInputType(type)) continue;
    left[name] = withoutLong(given[name], type, { definition, path: [name], into: long });
  }
  const read = getVariableValues(schema, variableDefinitions, left, { maxErrors });
  return read.coerced ? new Reading(scheduler ?? ofNobody).readAll(read.coerced, long) : read;
}

/** Why variables can't be read in one go; null where they can. */
export function tooManyAtOnce(given: Values): Error | null {
  if (!hasMore(given, mostAtOnce)) return null;
  const most = mostAtOnce.toLocaleString('en');
  return invalid(
    `Subscriptions and introspection queries may have at most ${most} variable values.`,
  );
}

/** Whether there are more than so many values, those within lists and objects included. */
function hasMore(value: unknown, most: number): boolean {
  return sizeOf(value, most + 1) > most;
}

/** How many values there are, counted up to so many. */
function sizeOf(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  let size = 1;
  for (const one of Array.isArray(value) ? value : Object.values(value)) {
    if (size >= most) break;
    size += sizeOf(one, most - size);
  }
  return size;
}

interface Finding {
  readonly definition: VariableDefinitionNode;
  readonly path: Path;
  readonly into: LongList[];
}

/** A value with an empty list in the place of each long one; which those are is noted. */
function withoutLong(value: unknown, type: GraphQLInputType, finding: Finding): unknown {
  if (!hasMore(value, valuesPerTurn)) return value;
  const { definition, path, into } = finding;
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    const itemType = nullable.ofType;
    // A single value stands for a list of it.
    if (!Array.isArray(value)) {
      return [withoutLong(value, itemType, { ...finding, path: [...path, 0] })];
    }
    into.push({ definition, path, items: value, itemType });
    return [];
  }
  if (!isInputObjectType(nullable) || !isRecord(value)) return value;
  const fields = nullable.getFields();
  const parts = Object.entries(value).map(([name, part]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const within = { ...finding, path: [...path, name] };
    return [name, field ? withoutLong(part, field.type, within) : part];
  });
  return Object.fromEntries(parts);
}

/** Reads long lists, as much of them in a turn as it has room for. */
class Reading {
  readonly #scheduler: CooperativeScheduler;
  readonly #errors: GraphQLError[] = [];
  #inTurn = 0;

  constructor(scheduler: CooperativeScheduler) {
    this.#scheduler = scheduler;
  }

  /** Fill the lists that were left empty. */
  async readAll(
    coerced: Record<string, unknown>,
    long: readonly LongList[],
  ): Promise<VariablesRead> {
    for (const list of long) await this.#read(list, coerced, []);
    return this.#errors.length > 0 ? { errors: this.#errors } : { coerced };
  }

  async #read(list: LongList, within: unknown, before: Path): Promise<void> {
    const { definition, path, items, itemType } = list;
    const read = partAt(within, path);
    if (!Array.isArray(read)) return;
    for (const [at, item] of items.entries()) {
      if (this.#errors.length >= maxErrors) return;
      const size = sizeOf(item, valuesPerTurn);
      this.#inTurn += size;
      if (this.#inTurn > valuesPerTurn) {
        await this.#scheduler.next();
        this.#inTurn = size;
      }
      const into: LongList[] = [];
      const place = [...before, ...path, at];
      const left = withoutLong(item, itemType, { definition, path: [], into });
      read.push(coerceInputValue(left, itemType, this.#noting(definition, place)));
      for (const inner of into) await this.#read(inner, read[at], place);
    }
  }

  #noting(definition: VariableDefinitionNode, place: Path) {
    return (path: Path, _: unknown, { message }: GraphQLError) => {
      const [name, ...rest] = [...place, ...path];
      const at = rest.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
      const said = `Variable "$${name}" got an invalid value at "${name}${at}"; ${message}`;
      this.#errors.push(new GraphQLError(said, { nodes: definition }));
    };
  }
}

function partAt(whole: unknown, path: Path): unknown {
  return path.reduce<unknown>((part, key) => (isRecord(part) ? part[key] : undefined), whole);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
