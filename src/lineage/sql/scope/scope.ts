// What the names of one query may mean: the items of its FROM, its aliases, and the queries around.
import { type Identifier, identifierOf } from '../node.ts';
import type { Column, Relation, Sources } from './relation.ts';

/** An item of FROM. */
export interface Item {
  /** What it is called, or null for a derived table without a name. */
  alias: Identifier | null;
  /** The path of a table without alias: its columns may be qualified with all of it. */
  path: readonly Identifier[] | null;
  /** The table itself behind an alias, for UPDATE and DELETE through the alias. */
  table: readonly Identifier[] | null;
  relation: Relation;
  /** What every column that isn't listed is made of: the arguments of a table function. */
  rest: Sources | null;
  /** A name that stands for the item's only value: `UNNEST(xs) AS x`. */
  value: Identifier | null;
  /** Whether that value is all it has, so that a star is this value alone. */
  single: boolean;
  /** The right side of a semi or anti join: columns may be named there, but never come out. */
  hidden: boolean;
}

export interface Scope {
  readonly items: Item[];
  readonly outer: Scope | null;
  readonly ctes: Ctes;
  /** Columns of USING and NATURAL joins, by lower-case name: all sides hold them. */
  readonly shared: Map<string, Set<Item>>;
  /** Aliases of the select list, by lower-case name. */
  readonly aliases: Map<string, Column>;
  readonly windows: Map<string, unknown>;
  /** Parameters of a lambda or a comprehension: no columns. */
  readonly parameters: ReadonlySet<string>;
  /** Whether aliases of the select list may be used where we are now. */
  seesAliases: boolean;
}

/** The CTEs that a query sees, by lower-case name. */
export type Ctes = ReadonlyMap<string, Cte>;

export interface Cte {
  readonly relation: Relation;
  /** ClickHouse's `WITH 1 AS x`: a value rather than a table. */
  readonly scalar: boolean;
  /** The value's expression, when it is made of columns of whatever query uses it. */
  readonly expression?: unknown;
}

/** What surrounds a query. */
export interface ScopeSurroundings {
  readonly ctes: Ctes;
  readonly outer: Scope | null;
}

export const NO_SURROUNDINGS: ScopeSurroundings = { ctes: new Map(), outer: null };

export function openScope(around: ScopeSurroundings, seesAliases = false): Scope {
  return {
    items: [],
    outer: around.outer,
    ctes: around.ctes,
    shared: new Map(),
    aliases: new Map(),
    windows: new Map(),
    parameters: NONE,
    seesAliases,
  };
}

const NONE: ReadonlySet<string> = new Set();

/** The same scope from within a lambda, whose parameters hide columns. */
export function withParameters(scope: Scope, names: readonly unknown[]): Scope {
  const parameters = new Set<string>();
  for (const name of names) {
    const identifier = identifierOf(name);
    if (identifier) parameters.add(identifier.name.toLowerCase());
  }
  return { ...openScope({ ctes: scope.ctes, outer: scope }), parameters };
}

/** What a query nested in an expression of this scope sees. */
export function inside(scope: Scope): ScopeSurroundings {
  return { ctes: scope.ctes, outer: scope };
}

export function newItem(relation: Relation, alias: Identifier | null, more?: Partial<Item>): Item {
  return {
    alias,
    path: null,
    table: null,
    relation,
    rest: null,
    value: null,
    single: false,
    hidden: false,
    ...more,
  };
}

/** Whether a qualifier of one to four parts names an item. */
export function isNamed(item: Item, qualifier: readonly Identifier[]): boolean {
  const last = qualifier.at(-1);
  if (!last) return false;
  if (qualifier.length === 1 && item.alias) return sameName(item.alias, last);
  const { path } = item;
  if (!path) return false;
  // A qualifier of several parts may come as one text, in which a dot may be a letter of a part.
  if (path.some((part) => part.name.includes('.'))) {
    return path.some((_, i) => sameText(path.slice(i), qualifier));
  }
  if (path.length < qualifier.length) return false;
  return qualifier.every((part, i) => {
    const own = path[path.length - qualifier.length + i];
    return own !== undefined && sameName(own, part);
  });
}

function sameText(path: readonly Identifier[], qualifier: readonly Identifier[]): boolean {
  const [one, other] = [path, qualifier].map((names) => names.map(({ name }) => name).join('.'));
  return one?.toLowerCase() === other?.toLowerCase();
}

export function sameName(one: Identifier, other: Identifier): boolean {
  return one.name === other.name || one.name.toLowerCase() === other.name.toLowerCase();
}
