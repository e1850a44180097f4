// What an assignment of an UPDATE or a MERGE changes: a column, or a field of one.

import type { Dialect } from '../dialect.ts';
import { columnPath, type Identifier, identifierOf, namesOfText } from '../node.ts';
import {
  addSources,
  type Column,
  type ColumnSource,
  namedColumn,
  type Relation,
  together,
} from './relation.ts';
import { type Item, isNamed, newItem, sameName } from './scope.ts';
import { type Uses, usesOf } from './use.ts';

/** The left side of an assignment. */
export interface Assigned {
  /** What its qualifier names, or the table that is changed. */
  readonly item: Item;
  readonly column: Identifier;
  /** Which part of the column, outermost field first; none for all of it. */
  readonly fields: readonly Identifier[];
}

/**
 * The names on the left side of an assignment. They may arrive as one text; where that is quoted, a dot in it may be a
 * letter.
 */
export function assignedPath(
  dialect: Dialect,
  left: unknown,
  items: readonly Item[],
  main: Item | undefined,
): Identifier[] {
  const path = columnPath(left) ?? [identifierOf(left) ?? []].flat();
  const [name, another] = path;
  if (!name || another) return path;
  if (!name.quoted) return namesOfText(name.name);
  const has = (text: string) =>
    main && namedColumn(dialect, main.relation, { name: text, quoted: true }) !== undefined;
  if (!name.name.includes('.') || has(name.name)) return path;
  const parts = name.name.split('.').map((part) => ({ name: part, quoted: true }));
  if (dialect.fieldPaths || has(parts[0]?.name ?? '')) return parts;
  const starts = (own: string) => name.name.toLowerCase().startsWith(`${own.toLowerCase()}.`);
  const table = items.find(({ alias }) => alias && starts(alias.name))?.alias;
  return table ? [table, { ...name, name: name.name.slice(table.name.length + 1) }] : path;
}

/** What these names mean: a qualifier goes first, then a column of the table that is changed, and its fields. */
export function assignedBy(
  dialect: Dialect,
  path: readonly Identifier[],
  items: readonly Item[],
  main: Item,
): Assigned | null {
  const behind = (item: Item, length: number): Assigned | null => {
    const [column, ...fields] = path.slice(length);
    return column ? { item, column, fields } : null;
  };
  const qualified = (named: (item: Item, qualifier: readonly Identifier[]) => boolean) => {
    for (let length = Math.min(4, path.length - 1); length >= 1; length--) {
      const item = items.find((each) => named(each, path.slice(0, length)));
      if (item) return behind(item, length);
    }
    return null;
  };
  const [head] = path;
  const last = path.at(-1);
  if (!head || !last) return null;
  const has = (name: Identifier) => namedColumn(dialect, main.relation, name) !== undefined;
  const found =
    qualified(isNamed) ?? (has(head) ? behind(main, 0) : null) ?? qualified(isBehindAlias);
  if (found) return found;
  const isField = dialect.fieldPaths || (path.length === 2 && !has(last));
  return isField ? behind(main, 0) : { item: main, column: last, fields: [] };
}

/** Whether a qualifier is the name of a table that was given an alias. */
function isBehindAlias({ table }: Item, qualifier: readonly Identifier[]): boolean {
  return (
    table !== null && isNamed(newItem({ columns: [], open: [] }, null, { path: table }), qualifier)
  );
}

const CHANGED = usesOf('TRANSFORMATION');

/** The column with the value that it is given, in one of its fields where the assignment names one. */
export function columnWith(value: Column, fields: readonly Identifier[]): Column {
  const [field, ...rest] = fields;
  if (!field) return value;
  const part = columnWith({ ...value, name: field }, rest);
  const sources = new Map<ColumnSource, Uses>();
  addSources(sources, value.sources, CHANGED);
  return { ...value, sources, parts: { columns: [part], open: [] } };
}

/** Add what a column is given to what it is given elsewhere in the statement. */
export function addAssigned(columns: Map<string, Column>, added: Column): void {
  const key = added.name.name.toLowerCase();
  const seen = columns.get(key);
  columns.set(key, seen ? bothValues(seen, added) : added);
}

function bothValues(one: Column, other: Column): Column {
  const parts = one.parts && other.parts ? bothParts(one.parts, other.parts) : null;
  return {
    ...one,
    sources: together(one.sources, other.sources),
    parts: parts ?? one.parts ?? other.parts ?? null,
  };
}

function bothParts(one: Relation, other: Relation): Relation {
  const left = one.columns.map((part) => {
    const twin = other.columns.find(({ name }) => sameName(name, part.name));
    return twin ? bothValues(part, twin) : part;
  });
  const more = other.columns.filter(({ name }) => !left.some((part) => sameName(part.name, name)));
  return { columns: [...left, ...more], open: [...one.open, ...other.open] };
}
