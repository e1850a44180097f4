// The items of a select list that give a column for each field of a value: stars of expressions, `unnest(s)`, `inline(xs)`.

import {
  bodyOf,
  columnPath,
  identifierOf,
  identifiersAt,
  isSet,
  kindOf,
  listAt,
  textAt,
} from '../node.ts';
import { STAR_OF } from '../repair/phrases/table.ts';
import type { Column, Relation } from '../scope/relation.ts';
import type { Scope } from '../scope/scope.ts';
import { deepestType, fieldsOf } from '../scope/struct.ts';
import { referenceOf } from './expressions/expression.ts';
import { partsOf } from './expressions/value-parts.ts';
import { expandPath, replacedBy } from './star.ts';
import type { Trace } from './trace.ts';

/** `f(x).* EXCEPT (a) REPLACE (b AS c)`, which a rewrite put in a function; null for any other expression. */
export function expandStarOf(trace: Trace, item: unknown, scope: Scope): Relation | null {
  const call = kindOf(item) === 'function' ? bodyOf(item) : null;
  if (textAt(call, 'name')?.toUpperCase() !== STAR_OF) return null;
  const [of, ...changes] = listAt(call, 'args');
  const { columns, open } = expandPath(trace, of, scope);
  const argumentsOf = (name: string) =>
    changes
      .filter((change) => textAt(bodyOf(change), 'name')?.toUpperCase() === name)
      .flatMap((change) => [...listAt(bodyOf(change), 'args')]);
  const except = new Set(
    argumentsOf('_EXCEPT').map((each) => columnPath(each)?.at(-1)?.name.toLowerCase()),
  );
  const left = columns.filter(({ name }) => !except.has(name.name.toLowerCase()));
  const replaced = new Map<string, Column>();
  for (const change of argumentsOf('STRUCT')) {
    const { alias, this: expression } = bodyOf(change);
    const name = identifierOf(alias);
    if (name) replaced.set(name.name.toLowerCase(), replacedBy(trace, name, expression, scope));
  }
  const known = left.map((column) => replaced.get(column.name.name.toLowerCase()) ?? column);
  const more = [...replaced.values()].filter((column) => !known.includes(column));
  return { columns: [...known, ...more], open };
}

/**
 * The columns of DuckDB's `unnest(s)` and Spark's `inline(xs)` in a select list; null for any other expression, and where
 * the fields are not known.
 */
export function fieldColumns(trace: Trace, item: unknown, scope: Scope): Relation | null {
  const isNamed = kindOf(item) === 'alias';
  const expression = isNamed ? bodyOf(item).this : item;
  const call = kindOf(expression) === 'function' ? bodyOf(expression) : null;
  const name = textAt(call, 'name')?.toLowerCase() ?? '';
  const [value] = listAt(call, 'args');
  const isInline = /^inline(?:_outer)?$/.test(name) && SPARK.test(trace.dialect.name);
  const isUnnest = name === 'unnest' && trace.dialect.name === 'duckdb';
  if (!isInline && !isUnnest) return null;
  const levels = isInline ? 1 : levelsOf(trace, listAt(call, 'args'), scope);
  const parts = levels > 0 ? partsOf(trace, value, scope) : null;
  if (!parts || parts.columns.length === 0) return null;
  const columns = opened(parts, levels);
  // DuckDB has no use for an alias there.
  const given = isInline && isNamed ? identifiersAt(bodyOf(item), 'column_aliases') : [];
  return {
    columns: columns.map((column, i) => ({ ...column, name: given[i] ?? column.name })),
    open: parts.open,
  };
}

const SPARK = /^(?:spark|databricks|hive)$/;

/** How many levels of structs an `unnest` takes apart: a list counts as one, and gives rows. */
function levelsOf(trace: Trace, [value, ...options]: readonly unknown[], scope: Scope): number {
  let depth = 1;
  for (const option of options) {
    const { name, value: given } = bodyOf(option);
    const key = identifierOf(name)?.name.toLowerCase();
    if (key === 'max_depth') depth = Number(textAt(bodyOf(given), 'value'));
    if (key === 'recursive' && isSet(bodyOf(given), 'value')) return deepestType;
  }
  return isStruct(trace, value, scope) ? depth : depth - 1;
}

function opened({ columns }: Relation, levels: number): Column[] {
  return columns.flatMap((column) =>
    levels > 1 && column.parts ? opened(column.parts, levels - 1) : [column],
  );
}

/** Whether a value is a struct rather than a list of such, as far as its expression or its type says. */
function isStruct(trace: Trace, value: unknown, scope: Scope): boolean {
  const kind = kindOf(value);
  if (kind === 'paren') return isStruct(trace, bodyOf(value).this, scope);
  if (kind === 'map_func') return true;
  if (kind === 'function')
    return /^(?:struct_pack|row)$/i.test(textAt(bodyOf(value), 'name') ?? '');
  const column = referenceOf(trace, value, scope)?.column;
  if (!column) return false;
  return column.expression === null
    ? /^struct\b.*[^\]]$/is.test(typeOf(column))
    : isStruct(trace, column.expression, scope);
}

/** The type of a column of a table, or of a field of one; empty where it is not known. */
function typeOf({ sources }: Column): string {
  const [source] = sources.keys();
  if (!source || 'missing' in source) return '';
  const { table, name, fields = [] } = source;
  const at = table.columns?.indexOf(name) ?? -1;
  let type = table.known?.types?.[at] ?? '';
  for (const field of fields) {
    type = fieldsOf(type)?.find((each) => each.name === field)?.type ?? '';
  }
  return type.trim();
}
