// In charge of queries that are made at random over a schema, and of changing them at random.

import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { Random } from '../../bench/random.ts';

/** What arguments of a name, of a field and a name such as `monitor.id`, or of a type may be given. */
export type Values = ReadonlyMap<string, readonly string[]>;

/** A field of a query with what is asked of it. */
export interface Part {
  readonly field: string;
  /** Values as GraphQL writes them. */
  readonly args: Map<string, string>;
  /** Fields of one line that cost nothing more, and those that hold others. */
  readonly leaves: string[];
  readonly inner: Part[];
}

/** A query: the fields of its root, each under an alias of its own. */
export interface Query {
  readonly roots: Part[];
}

/** How deep a query is made, the root included: the server takes 20 levels. */
const maxLevels = 9;
/** Fields with fields of their own in one set. */
const maxInner = 3;
/** Rows that a list is asked for. */
export const sizes = ['1000', '1000', '500', '200', '100', '50', '10', '2'];

export class Maker {
  readonly #schema: GraphQLSchema;
  readonly #values: Values;
  readonly #random: Random;

  constructor(schema: GraphQLSchema, values: Values, random: Random) {
    this.#schema = schema;
    this.#values = values;
    this.#random = random;
  }

  /** A new query, of one to four roots. */
  make(): Query {
    const roots: Part[] = [];
    while (roots.length < this.#random.whole(1, 4)) {
      const root = this.#root();
      if (root) roots.push(root);
    }
    return { roots };
  }

  /** A query like another one, with one thing changed. */
  change(query: Query): Query {
    const copy = structuredClone(query);
    const parts = copy.roots.flatMap(allOf);
    const part = parts[this.#random.whole(0, parts.length - 1)];
    const way = this.#random.whole(0, 4);
    if (!part || way === 0) {
      const root = this.#root();
      return root ? { roots: [...copy.roots, root].slice(-6) } : copy;
    }
    const again = copy.roots[this.#random.whole(0, copy.roots.length - 1)];
    // The same once more is run once more, and what is read for it is not shared.
    if (way === 1 && again) return { roots: [...copy.roots, structuredClone(again)].slice(-20) };
    const found = this.#fieldOf(part);
    if (!found) return copy;
    if (way === 2) this.#fillArguments(part, found);
    if (way === 3) this.#fillSelection(part, found, 3);
    if (way === 4) for (const key of part.args.keys()) this.#resize(part, key);
    return copy;
  }

  #root(): Part | null {
    const fields = Object.values(this.#schema.getQueryType()?.getFields() ?? {});
    return this.#part(this.#any(fields), 1);
  }

  #part(field: Field | undefined, level: number): Part | null {
    if (!field || !this.#canAsk(field)) return null;
    const part: Part = { field: field.name, args: new Map(), leaves: [], inner: [] };
    this.#fillArguments(part, field);
    this.#fillSelection(part, field, level);
    const isEmpty = part.leaves.length + part.inner.length === 0;
    return isCompositeType(getNamedType(field.type)) && isEmpty ? null : part;
  }

  #canAsk({ name, args }: Field): boolean {
    return args.every((arg) => !isNonNullType(arg.type) || this.#valuesOf(name, arg).length > 0);
  }

  #valuesOf(field: string, arg: GraphQLArgument): readonly string[] {
    const type = getNamedType(arg.type);
    const known =
      this.#values.get(`${field}.${arg.name}`) ??
      this.#values.get(arg.name) ??
      this.#values.get(type.name);
    if (known) return known;
    if (!isEnumType(type)) return type.name === 'Boolean' ? ['true', 'false'] : [];
    const names = type.getValues().map(({ name }) => name);
    return isListType(arg.type) ? names.map((name) => `[${name}]`) : names;
  }

  #fillArguments(part: Part, { name, args }: Field): void {
    part.args.clear();
    for (const arg of args) {
      const values = this.#valuesOf(name, arg);
      const isLeftOut = !isNonNullType(arg.type) && this.#random.even() < leftOut(arg.name);
      const value = this.#any(values);
      if (value !== undefined && !isLeftOut) part.args.set(arg.name, value);
    }
    // A page is asked for in one way.
    if (part.args.has('first'))
      for (const other of ['last', 'page', 'pageSize']) part.args.delete(other);
    if (part.args.has('last')) for (const other of ['page', 'pageSize']) part.args.delete(other);
  }

  #resize(part: Part, name: string): void {
    const size = this.#any(sizes);
    if (/^(first|last|pageSize)$/.test(name) && size) part.args.set(name, size);
  }

  #fillSelection(part: Part, field: Field, level: number): void {
    const type = getNamedType(field.type);
    if (!isCompositeType(type)) return;
    const own = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
    const leaves = own.filter((one) => isLeafType(getNamedType(one.type)) && one.args.length === 0);
    const share = this.#random.even();
    part.leaves.splice(0, Infinity, '__typename');
    for (const leaf of leaves) if (this.#random.even() < share) part.leaves.push(leaf.name);
    part.inner.splice(0, Infinity);
    if (level >= maxLevels) return;
    const holders = own.filter((one) => isCompositeType(getNamedType(one.type)));
    const count = this.#random.whole(isConnection(type) ? 1 : 0, maxInner);
    for (let n = 0; n < count; n += 1) {
      const inner = this.#part(this.#any(holders), level + 1);
      if (inner && !part.inner.some((one) => one.field === inner.field)) part.inner.push(inner);
    }
    if (isInterfaceType(type) && this.#random.even() < 0.5) {
      const kind = this.#kindOf(type, level);
      if (kind) part.inner.push(kind);
    }
  }

  /** What only one kind of an interface has, as a fragment within the field. */
  #kindOf(type: GraphQLInterfaceType, level: number): Part | null {
    const kind = this.#any(this.#schema.getPossibleTypes(type));
    if (!kind) return null;
    const own = Object.values(kind.getFields()).filter((field) => !type.getFields()[field.name]);
    const holders = own.filter((field) => isCompositeType(getNamedType(field.type)));
    const inner = this.#part(this.#any(holders), level + 1);
    const field = `... on ${kind.name}`;
    return inner && { field, args: new Map(), leaves: ['__typename'], inner: [inner] };
  }

  /** Fields of the root that it never asks for, since an argument that they need has no value. */
  get unasked(): string[] {
    const fields = Object.values(this.#schema.getQueryType()?.getFields() ?? {});
    return fields.filter((field) => !this.#canAsk(field)).map(({ name }) => name);
  }

  #fieldOf(part: Part): Field | undefined {
    for (const type of Object.values(this.#schema.getTypeMap())) {
      if (!isObjectType(type)) continue;
      const field = type.getFields()[part.field];
      const named = field && getNamedType(field.type);
      const has = (name: string) => isObjectType(named) && name in named.getFields();
      if (field && part.inner.every((one) => has(one.field))) return field;
    }
    return undefined;
  }

  #any<T>(list: readonly T[]): T | undefined {
    return list[this.#random.whole(0, list.length - 1)];
  }
}

type Field = GraphQLField<unknown, unknown>;

/** How often an argument that may be left out is. */
function leftOut(name: string): number {
  return name === 'first' || name === 'maxNodes' || name === 'depth' || name === 'days' ? 0.1 : 0.7;
}

function isConnection(type: { readonly name: string }): boolean {
  return type.name.endsWith('Connection');
}

function allOf(part: Part): Part[] {
  return [part, ...part.inner.flatMap(allOf)];
}

/** A query as it is sent. */
export function textOf({ roots }: Query): string {
  return `{ ${roots.map((root, n) => `r${n}: ${written(root)}`).join(' ')} }`;
}

function written({ field, args, leaves, inner }: Part): string {
  const given = [...args].map(([name, value]) => `${name}: ${value}`).join(', ');
  const selected = [...leaves, ...inner.map(written)].join(' ');
  return `${field}${given ? `(${given})` : ''}${selected ? ` { ${selected} }` : ''}`;
}

/** The same query with the largest number of rows halved; false where none is large. */
export function shrink(query: Query): boolean {
  const sized = query.roots
    .flatMap(allOf)
    .flatMap((part) =>
      [...part.args]
        .filter(
          ([name, value]) =>
            /^(first|last|pageSize|maxNodes|days)$/.test(name) && Number(value) > 1,
        )
        .map(([name, value]) => ({ part, name, size: Number(value) })),
    );
  const largest = sized.sort((a, b) => b.size - a.size)[0];
  if (!largest) return false;
  largest.part.args.set(largest.name, String(Math.floor(largest.size / 2)));
  return true;
}
