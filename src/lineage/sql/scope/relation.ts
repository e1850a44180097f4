// What a table, a query or an item of FROM offers: named columns, and stars that stay closed.
import type { KnownField } from '../answer.ts';
import type { Dialect } from '../dialect.ts';
import type { Identifier } from '../node.ts';
import {
  columnOfTable,
  fieldOfColumn,
  fieldsOfColumn,
  spelled,
  type Table,
  type TableColumn,
} from './table.ts';
import { type Uses, usedWithin, usesOf } from './use.ts';

/** A column that couldn't be determined; it travels with the columns that use it. */
export interface Missing {
  readonly missing: true;
  readonly path: readonly Identifier[];
  /** EXTERNAL: it lies in no table, such as a staged file or a variable that is filled elsewhere. */
  readonly reason: 'AMBIGUOUS' | 'UNKNOWN' | 'EXTERNAL';
  readonly candidates: readonly Table[];
}

export type ColumnSource = TableColumn | Missing;
/** Where a value comes from, and how it is made of that. */
export type Sources = ReadonlyMap<ColumnSource, Uses>;

export interface Column {
  readonly name: Identifier;
  readonly sources: Sources;
  /** The tree of the expression that makes it; null when it is a table's column as it is. */
  readonly expression: unknown;
  /** The fields of its value, or of the elements of it, where they are known. */
  readonly parts?: Relation | null;
}

/** All columns of tables whose columns aren't known; several tables are branches of one union. */
export interface OpenStar {
  readonly tables: readonly Table[];
  /** How many known columns come before it. */
  readonly at: number;
  /** Lower-case names that it surely doesn't hold. */
  readonly except: ReadonlySet<string>;
}

export interface Relation {
  readonly columns: readonly Column[];
  readonly open: readonly OpenStar[];
}

export const NOTHING: Sources = new Map();
export const AS_IS: Uses = usesOf('IDENTITY');
export const EMPTY_RELATION: Relation = { columns: [], open: [] };

/** The name of a column that stands for all that something gives without saying what. */
export const ANY_COLUMN: Identifier = { name: '*', quoted: false };

/** What a column of a name is made of that a relation may give without saying so, or undefined. */
export function anyColumn(relation: Relation): Sources | undefined {
  return indexOf(relation.columns).get(ANY_COLUMN.name)?.[0]?.sources;
}

/** The columns of a table, or one open star when they aren't known. */
export function relationOf(table: Table): Relation {
  if (!table.columns) return { columns: [], open: [{ tables: [table], at: 0, except: NO_NAMES }] };
  const seen = relations.get(table);
  if (seen && seen.of === table.columns && seen.origin === table.origin) return seen.relation;
  const relation = { columns: columnsOf(table, table.columns), open: [] };
  relations.set(table, { of: table.columns, origin: table.origin, relation });
  return relation;
}

// A script reads the same wide tables again and again; what a table offers never changes once made.
const relations = new WeakMap<
  Table,
  { of: readonly string[]; origin: Table['origin']; relation: Relation }
>();

function columnsOf(table: Table, names: readonly string[]): Column[] {
  return names.map((name, i) => nested(columnOfTable(table, name), name, fieldsOfColumn(table, i)));
}

/** A column of a table, or a field of one, with its own fields as parts. */
function nested(column: TableColumn, name: string, fields: readonly KnownField[] | null): Column {
  const columns = fields?.map((field) =>
    nested(fieldOfColumn(column, field.name), field.name, field.fields),
  );
  return {
    name: { name, quoted: true },
    sources: asTheyAre([column]),
    expression: null,
    parts: columns ? { columns, open: [] } : null,
  };
}

/** The fields that columns have, for who reads the table that they make. */
export function fieldsOfParts({ parts }: Column): readonly KnownField[] | null {
  if (!parts || parts.open.length > 0) return null;
  return parts.columns.map((part) => ({ name: part.name.name, fields: fieldsOfParts(part) }));
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** The column that a name means among those of a relation: exact case first, then any case. */
export function namedColumn(
  dialect: Dialect,
  relation: Relation,
  name: Identifier,
): Column | undefined {
  const alike = indexOf(relation.columns).get(name.name.toLowerCase());
  if (!alike || alike.length === 1) return alike?.[0];
  const wanted = spelled(dialect, name);
  return alike.find((column) => spelled(dialect, column.name) === wanted) ?? alike[0];
}

// Wide relations are asked for many names; lists never change once made.
const indexes = new WeakMap<readonly Column[], Map<string, Column[]>>();

function indexOf(columns: readonly Column[]): Map<string, Column[]> {
  const made = indexes.get(columns);
  if (made) return made;
  const index = new Map<string, Column[]>();
  for (const column of columns) {
    const key = column.name.name.toLowerCase();
    const list = index.get(key);
    if (list) list.push(column);
    else index.set(key, [column]);
  }
  indexes.set(columns, index);
  return index;
}

/** A column by name that an open star would hold, or undefined when it surely doesn't. */
export function openColumn(open: readonly OpenStar[], name: Identifier): Sources | undefined {
  const stars = open.filter((star) => !star.except.has(name.name.toLowerCase()));
  const [only, another] = stars;
  if (!only) return undefined;
  if (another) {
    const candidates = stars.flatMap((star) => star.tables);
    return asTheyAre([{ missing: true, path: [name], reason: 'AMBIGUOUS', candidates }]);
  }
  return asTheyAre(only.tables.map((table) => columnOfTable(table, name.name)));
}

/** A name as the target spells its column, when its columns are known. */
export function columnOfTarget(target: Table, name: Identifier): Identifier {
  const key = name.name.toLowerCase();
  const own = target.columns?.find((column) => column.toLowerCase() === key);
  return own === undefined ? name : { name: own, quoted: true };
}

/** Everything a relation holds: each column's sources, and `*` of tables that stay closed. */
export function allSources(relation: Relation): Map<ColumnSource, Uses> {
  const all = new Map<ColumnSource, Uses>();
  for (const column of relation.columns) addSources(all, column.sources);
  addSources(all, starSources(relation.open));
  return all;
}

/** Sources that are handed on without a change. */
export function asTheyAre(sources: readonly ColumnSource[]): Map<ColumnSource, Uses> {
  return new Map(sources.map((source) => [source, AS_IS]));
}

/** Add the sources of a part to those of the whole, which uses the part in these ways. */
export function addSources(into: Map<ColumnSource, Uses>, from: Sources, uses: Uses = AS_IS): void {
  for (const [source, own] of from) {
    into.set(source, (into.get(source) ?? 0) | usedWithin(uses, own));
  }
}

/** The sources of both together. */
export function together(one: Sources, other: Sources): Sources {
  const all = new Map(one);
  addSources(all, other);
  return all;
}

/**
 * A relation under a list of column names, as in `AS t (a, b)`. Fewer names than columns leave the
 * rest as they are. Names for an open star take it apart: what comes before and behind it keeps its
 * place, what falls on it is made of some column of its tables.
 */
export function renamed(relation: Relation, names: readonly Identifier[]): Relation {
  if (names.length === 0) return relation;
  const { columns, open } = relation;
  const first = open[0];
  if (!first) {
    return {
      columns: columns.map((column, i) => ({ ...column, name: names[i] ?? column.name })),
      open,
    };
  }
  const behind = columns.length - (open.at(-1)?.at ?? 0);
  const taken = names.map((name, i) => {
    const fromEnd = names.length - i;
    const column =
      i < first.at ? columns[i] : fromEnd <= behind ? columns[columns.length - fromEnd] : undefined;
    if (column) return { ...column, name };
    return { name, sources: starSources(open), expression: null };
  });
  return { columns: taken, open: [] };
}

function starSources(open: readonly OpenStar[]): Sources {
  const columns = open.flatMap((star) => star.tables.map((table) => columnOfTable(table, '*')));
  return asTheyAre(columns);
}

/** Several relations side by side. */
export function joined(relations: readonly Relation[]): Relation {
  const columns: Column[] = [];
  const open: OpenStar[] = [];
  for (const relation of relations) {
    for (const star of relation.open) open.push({ ...star, at: star.at + columns.length });
    columns.push(...relation.columns);
  }
  return { columns, open };
}

/** Two branches of a set operation, column for column, or by name where `byName` says so. */
export function merged(left: Relation, right: Relation, byName: boolean): Relation {
  if (byName) return mergedByName(left, right);
  if (left.open.length === 0 && right.open.length === 0) {
    const columns = left.columns.map((column, i) =>
      both(column, right.columns[i]?.sources, right.columns[i]?.parts),
    );
    return { columns, open: [] };
  }
  return mergedOpen(left, right);
}

function both(
  column: Column,
  sources: Sources | undefined,
  parts: Relation | null | undefined = null,
): Column {
  const own = column.parts && parts ? { parts: merged(column.parts, parts, false) } : {};
  if (!sources || sources.size === 0) return column;
  return { ...column, ...own, sources: together(column.sources, sources) };
}

function mergedByName(left: Relation, right: Relation): Relation {
  const taken = new Map<string, Column>();
  for (const relation of [left, right]) {
    for (const column of relation.columns) {
      const key = column.name.name.toLowerCase();
      const seen = taken.get(key);
      taken.set(key, seen ? both(seen, column.sources) : column);
    }
  }
  for (const [one, other] of [
    [left, right],
    [right, left],
  ] as const) {
    for (const column of one.columns) {
      if (indexOf(other.columns).has(column.name.name.toLowerCase())) continue;
      const key = column.name.name.toLowerCase();
      const seen = taken.get(key);
      const extra = openColumn(other.open, column.name);
      if (seen && extra) taken.set(key, both(seen, extra));
    }
  }
  const at = taken.size;
  const open = [...left.open, ...right.open].map((star) => ({ ...star, at }));
  return { columns: [...taken.values()], open: oneStar(open, left, right) };
}

/** Branches with stars: positions are sure before the first star only, and behind the last. */
function mergedOpen(left: Relation, right: Relation): Relation {
  const bothOpen = left.open.length > 0 && right.open.length > 0;
  if (bothOpen) return mergedByName(left, right);
  const [closed, opened] = left.open.length > 0 ? [right, left] : [left, right];
  const star = opened.open[0];
  const first = star?.at ?? 0;
  const rest = opened.columns.length - (opened.open.at(-1)?.at ?? 0);
  const names = left.open.length > 0 ? null : left.columns;
  const columns = closed.columns.map((column, i) => {
    const fromEnd = closed.columns.length - i;
    const twin =
      i < first
        ? opened.columns[i]
        : fromEnd <= rest
          ? opened.columns[opened.columns.length - fromEnd]
          : undefined;
    const name = names?.[i]?.name ?? twin?.name ?? column.name;
    return { ...both(column, twin?.sources ?? starSources(opened.open)), name };
  });
  return { columns, open: [] };
}

function oneStar(open: readonly OpenStar[], left: Relation, right: Relation): readonly OpenStar[] {
  const [first] = open;
  if (!first || left.open.length === 0 || right.open.length === 0) return open;
  const tables = [...new Set(open.flatMap((star) => star.tables))];
  return [{ tables, at: first.at, except: NO_NAMES }];
}
