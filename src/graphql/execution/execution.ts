// One execution of a planned query: what it knows, what it waits for, and what became null.

import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getArgumentValues,
  locatedError,
  type OperationDefinitionNode,
} from 'graphql';
import type { CooperativeScheduler } from '../../limits/cooperative-scheduler.ts';

/** What is known of a field, whose rows it is the same for. */
export interface FieldOfRun {
  /** Another number for each field of a plan. */
  readonly id: number;
  /** What it is called in the answer. */
  readonly key: string;
  readonly nodes: readonly FieldNode[];
  readonly definition: GraphQLField<unknown, unknown>;
  readonly parentType: GraphQLObjectType;
}

/** What holds the values of an answer: an object by its fields, a list by its places. */
export type AnswerPart = unknown[] | Record<string, unknown>;

type Fragments = Readonly<Record<string, FragmentDefinitionNode>>;

/** What an operation is asked with. */
export interface Asked {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Fragments;
  readonly rootValue: unknown;
  readonly contextValue: unknown;
  /** As the schema takes them. */
  readonly variableValues: Record<string, unknown>;
}

/** Where an object or a list lies in the answer; a path of GraphQL, and what is null should it fail. */
export class Place {
  readonly prev: Place | undefined;
  readonly key: string | number;
  readonly typename: string | undefined;
  readonly holder: AnswerPart;
  readonly isNullable: boolean;
  /** Whether it has failed, so that what still happens in it is of no interest. */
  isDead = false;

  constructor(
    prev: Place | undefined,
    key: string | number,
    typename: string | undefined,
    holder: AnswerPart,
    isNullable: boolean,
  ) {
    this.prev = prev;
    this.key = key;
    this.typename = typename;
    this.holder = holder;
    this.isNullable = isNullable;
  }
}

/** What a resolver is told of its field. Most of them ask for none of it. */
export class FieldInfo implements GraphQLResolveInfo {
  readonly #field: FieldOfRun;
  readonly #run: Execution;
  readonly #parent: Place | undefined;
  #path: GraphQLResolveInfo['path'] | undefined;

  constructor(field: FieldOfRun, run: Execution, parent: Place | undefined, path?: Place) {
    this.#field = field;
    this.#run = run;
    this.#parent = parent;
    this.#path = path;
  }

  get fieldName(): string {
    return this.#field.definition.name;
  }
  get fieldNodes(): readonly FieldNode[] {
    return this.#field.nodes;
  }
  get returnType(): GraphQLOutputType {
    return this.#field.definition.type;
  }
  get parentType(): GraphQLObjectType {
    return this.#field.parentType;
  }
  get path(): GraphQLResolveInfo['path'] {
    const { key, parentType } = this.#field;
    this.#path ??= { prev: this.#parent, key, typename: parentType.name };
    return this.#path;
  }
  get schema(): GraphQLSchema {
    return this.#run.asked.schema;
  }
  get fragments(): Fragments {
    return this.#run.asked.fragments;
  }
  get rootValue(): unknown {
    return this.#run.asked.rootValue;
  }
  get operation(): OperationDefinitionNode {
    return this.#run.asked.operation;
  }
  get variableValues(): Record<string, unknown> {
    return this.#run.asked.variableValues;
  }
}

/** A value that comes later: how it is completed, and where it belongs. */
export interface Awaited {
  readonly complete: (value: unknown, run: Execution) => unknown;
  readonly nodes: readonly FieldNode[];
  readonly holder: AnswerPart;
  readonly key: string | number;
  readonly isNullable: boolean;
  /** The object or list that it belongs to. */
  readonly within: Place | undefined;
  /** Fields that are built of it once it has come; those of lists in it are counted with their rows. */
  readonly fields: number;
}

/** One execution. It has ended when nothing is waited for any more. */
export class Execution {
  readonly asked: Asked;
  /** In which turns it is built; null where it is built in one piece. */
  readonly scheduler: CooperativeScheduler | null;
  readonly errors: GraphQLError[] = [];
  /** Characters of its texts and of the names of its fields: a text that was read once may be in it often. */
  characters = 0;
  /** Whether the answer holds values of any shape, whose characters no one has counted. */
  hasJson = false;
  readonly #arguments: (Record<string, unknown> | undefined)[] = [];
  #pending = 0;
  #onEnd: (() => void) | undefined;
  #hasNoData = false;

  constructor(asked: Asked, scheduler: CooperativeScheduler | null) {
    this.asked = asked;
    this.scheduler = scheduler;
  }

  /** Whether a field failed and nothing around it may be null. */
  get hasNoData(): boolean {
    return this.#hasNoData;
  }

  /** The arguments of a field, which all rows of a list have in common. */
  argumentsOf(field: FieldOfRun): Record<string, unknown> {
    if (field.definition.args.length === 0) return {};
    const known = this.#arguments[field.id];
    if (known) return known;
    const [node] = field.nodes;
    const given = node ? getArgumentValues(field.definition, node, this.asked.variableValues) : {};
    this.#arguments[field.id] = given;
    return given;
  }

  /**
   * Wait for a value. Whatever comes of it is heard: no rejection is left to end the process. Thousands of
   * rows may wait for one and the same value: those for which this turn has no room wait for theirs.
   */
  expect(promise: PromiseLike<unknown>, awaited: Awaited): void {
    this.begin();
    const fail = (error: unknown) => {
      this.#failLater(error, awaited);
      this.end();
    };
    promise.then((value) => {
      const turn = this.scheduler?.spend(awaited.fields);
      if (turn) turn.then(() => this.#arrive(value, awaited), fail);
      else this.#arrive(value, awaited);
    }, fail);
  }

  #arrive(value: unknown, awaited: Awaited): void {
    this.settle(value, awaited);
    this.end();
  }

  /** Complete a value that has come, and put it where it belongs. */
  settle(value: unknown, awaited: Awaited): void {
    const { holder, key, complete } = awaited;
    try {
      const completed = complete(value, this);
      if (completed !== later) put(holder, key, completed);
    } catch (error) {
      this.#failLater(error, awaited);
    }
  }

  /** Something more is waited for, until `end` is called for it. */
  begin(): void {
    this.#pending += 1;
  }

  end(): void {
    this.#pending -= 1;
    if (this.#pending === 0) this.#onEnd?.();
  }

  /** Resolves when nothing is waited for; null where nothing is. */
  ended(): Promise<void> | null {
    if (this.#pending === 0) return null;
    return new Promise((resolve) => {
      this.#onEnd = resolve;
    });
  }

  /** What failed, told with its place: noted where the value may be null, and thrown where it may not. */
  fail(
    raw: unknown,
    nodes: readonly FieldNode[],
    within: Place | undefined,
    key: string | number,
    isNullable: boolean,
  ): null {
    const errors = located(raw, nodes, within, key);
    if (!isNullable) throw errors[0];
    this.errors.push(...errors);
    return null;
  }

  /** Note what failed with nothing around it that may be null. */
  failWhole(error: unknown): void {
    if (this.#hasNoData) return;
    this.#hasNoData = true;
    this.errors.push(error instanceof GraphQLError ? error : locatedError(error, undefined));
  }

  /** The nearest value around it that may be null becomes null, unless it has before. */
  #failLater(raw: unknown, { nodes, holder, key, isNullable, within }: Awaited): void {
    if (isDead(within) || this.#hasNoData) return;
    const errors = located(raw, nodes, within, key);
    if (isNullable) {
      put(holder, key, null);
      this.errors.push(...errors);
      return;
    }
    this.errors.push(...errors.slice(0, 1));
    let at = within;
    while (at && !at.isNullable) at = at.prev;
    if (at) {
      at.isDead = true;
      put(at.holder, at.key, null);
    } else this.#hasNoData = true;
  }
}

/** Stands for a value that is put into its place later. */
export const later = Symbol('later');

export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'then' in value &&
    typeof value.then === 'function'
  );
}

function put(holder: AnswerPart, key: string | number, value: unknown): void {
  if (Array.isArray(holder)) holder[Number(key)] = value;
  else holder[key] = value;
}

function isDead(place: Place | undefined): boolean {
  for (let at = place; at; at = at.prev) if (at.isDead) return true;
  return false;
}

function located(
  raw: unknown,
  nodes: readonly FieldNode[],
  within: Place | undefined,
  key: string | number,
): GraphQLError[] {
  const path: (string | number)[] = [key];
  for (let at = within; at; at = at.prev) path.push(at.key);
  path.reverse();
  const all: unknown[] = raw instanceof AggregateError ? raw.errors : [raw];
  return all.map((one) => locatedError(asError(one), nodes, path));
}

/** What was thrown as an error, whatever it is. */
function asError(raw: unknown): Error {
  if (raw instanceof Error) return raw;
  const isLike = typeof raw === 'object' && raw !== null && 'message' in raw;
  return new Error(isLike && typeof raw.message === 'string' ? raw.message : String(raw));
}
