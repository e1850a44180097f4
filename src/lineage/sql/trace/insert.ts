// Traces INSERT and its kin: which output of the query goes to which column of the target.

import {
  at,
  bodyOf,
  columnPath,
  type Identifier,
  identifierOf,
  identifiersAt,
  isSet,
  kindOf,
  listAt,
  type Node,
  tablePath,
} from '../node.ts';
import { outputName } from '../scope/output-name.ts';
import {
  asTheyAre,
  type Column,
  EMPTY_RELATION,
  type Relation,
  relationOf,
  renamed,
  together,
} from '../scope/relation.ts';
import {
  NO_SURROUNDINGS,
  newItem,
  openScope,
  type Scope,
  type ScopeSurroundings,
} from '../scope/scope.ts';
import type { Table } from '../scope/table.ts';
import { sourcesOf } from './expressions/expression.ts';
import { traceOutput } from './output-clause.ts';
import { traceQuery } from './query.ts';
import { addEffect } from './statement.ts';
import { addIndirect, missing, note, type Trace, targetTable } from './trace.ts';

/**
 * Trace an INSERT. Outputs go to the columns of its list; without one, to the target's known
 * columns by position; without those, to columns of their own names.
 */
export function traceInsert(trace: Trace, body: Node, around: ScopeSurroundings): void {
  const target = targetTable(trace, body.table);
  const relation = traceRows(trace, body, around);
  const placed = underColumns(body, target, relation);
  const conflict = traceConflict(trace, body, target, placed, around);
  const all = conflict.length > 0 ? withUpdates(placed, conflict) : placed;
  addEffect(trace, 'INSERT', target, all);
  traceOutput(trace, at(body, 'output'), target, placed);
}

function traceRows(trace: Trace, body: Node, around: ScopeSurroundings): Relation {
  const query = body.query ?? body.source;
  if (kindOf(query) === 'execute') return fromProcedure(trace, body);
  if (query) return traceQuery(trace, query, around);
  const rows = listAt(body, 'values').filter((row) => Array.isArray(row));
  const scope = openScope(around);
  const first: readonly unknown[] = rows[0] ?? [];
  const columns = first.map((value, i) => ({
    name: { name: `column${i + 1}`, quoted: false },
    sources: sourcesOf(
      trace,
      rows.map((row) => row[i]),
      scope,
    ),
    expression: value,
  }));
  return { columns, open: [] };
}

/** `INSERT INTO t (a, b) EXEC p`: what the procedure gives lies in no table of the text. */
function fromProcedure(trace: Trace, body: Node): Relation {
  const named = tablePath(bodyOf(bodyOf(body.query).this));
  const path = named.length > 0 ? named : [{ name: 'EXEC', quoted: false }];
  const message = 'What the procedure reads is not in the text.';
  note(trace, { code: 'INCOMPLETE', message, about: path });
  const known = targetTable(trace, body.table)?.columns ?? [];
  const listed = identifiersAt(body, 'columns');
  const names = listed.length > 0 ? listed : known.map((name) => ({ name, quoted: true }));
  const sources = asTheyAre([missing(trace, path, 'EXTERNAL')]);
  return { columns: names.map((name) => ({ name, sources, expression: null })), open: [] };
}

/** The relation under the target's column names: those listed in the body, or the known ones. */
export function underColumns(body: Node, target: Table | null, relation: Relation): Relation {
  const listed = identifiersAt(body, 'columns');
  if (listed.length > 0) return isSet(body, 'by_name') ? relation : renamed(relation, listed);
  if (isSet(body, 'by_name') || !target?.columns) return relation;
  const fixed = fixedPartitions(body);
  const names = target.columns
    .filter((name) => !fixed.has(name.toLowerCase()))
    .map((name) => ({ name, quoted: true }));
  return renamed(relation, names);
}

/** Columns that `PARTITION (day = '...')` fills: the query has no column for them. */
function fixedPartitions(body: Node): ReadonlySet<string> {
  const fixed = new Set<string>();
  for (const entry of listAt(body, 'partition')) {
    const [name, value] = Array.isArray(entry) ? entry : [];
    const identifier = identifierOf(name);
    if (identifier && value) fixed.add(identifier.name.toLowerCase());
  }
  return fixed;
}

/** ON CONFLICT DO UPDATE and ON DUPLICATE KEY UPDATE: further sources for columns of the target. */
function traceConflict(
  trace: Trace,
  body: Node,
  target: Table | null,
  placed: Relation,
  around: ScopeSurroundings,
): Column[] {
  const conflict = at(at(body, 'on_conflict'), 'on_conflict');
  const action = bodyOf(conflict.action);
  const list = [...listAt(action, 'expressions'), ...listAt(conflict, 'expressions')];
  if (list.length === 0 || !target) return [];
  const scope = openScope(around);
  const alias = identifierOf(at(body, 'table').alias) ?? identifierOf(body.alias);
  const inserted = identifierOf(body.source_alias);
  const row = placed.open.length > 0 ? { columns: placed.columns, open: placed.open } : placed;
  scope.items.push(newItem(relationOf(target), alias ?? identifierOf(body.table)));
  // The row that was to be inserted may be named, but a bare name means the target's column.
  for (const name of ['excluded', 'new', inserted?.name ?? 'values']) {
    scope.items.push(newItem(row, { name, quoted: false }, { hidden: true }));
  }
  const columns: Column[] = [];
  for (const assignment of list) {
    const pair = bodyOf(assignment);
    const name = columnPath(pair.left)?.at(-1);
    if (kindOf(assignment) !== 'eq' || !name) continue;
    const value = insertedValue(pair.right) ?? pair.right;
    columns.push({ name, sources: sourcesOf(trace, value, scope), expression: value });
  }
  const filter = sourcesOf(trace, conflict.where ?? conflict.where_ ?? null, scope);
  addIndirect(trace, filter, 'FILTER');
  return columns;
}

/** MySQL's `VALUES(b)` is the value that was to be inserted into b. */
function insertedValue(value: unknown): unknown {
  const call = bodyOf(value);
  const isValues = kindOf(value) === 'function' && String(call.name).toLowerCase() === 'values';
  const name = isValues ? columnPath(listAt(call, 'args')[0])?.at(-1) : undefined;
  if (!name) return null;
  return { column: { name, table: { name: 'excluded', quoted: false }, join_mark: false } };
}

function withUpdates(placed: Relation, updates: readonly Column[]): Relation {
  const columns = [...placed.columns];
  for (const update of updates) {
    const key = update.name.name.toLowerCase();
    const i = columns.findIndex((column) => column.name.name.toLowerCase() === key);
    const column = columns[i];
    if (!column) columns.push(update);
    else columns[i] = { ...column, sources: together(column.sources, update.sources) };
  }
  return { columns, open: placed.open };
}

/** One item of a VALUES or OUTPUT list as a column. */
export function outputColumn(trace: Trace, item: unknown, i: number, scope: Scope): Column {
  const named = kindOf(item) === 'alias' ? bodyOf(item) : null;
  const expression = named ? named.this : item;
  const alias: Identifier | null = named ? identifierOf(named.alias) : null;
  const name = alias ?? outputName(trace.dialect, expression, { position: i, unnamed: i });
  return { name, sources: sourcesOf(trace, expression, scope), expression };
}

/** INSERT ALL and INSERT FIRST: one query into several tables, an effect for each. */
export function traceMultiInsert(trace: Trace, body: Node): void {
  const rows = body.source ? traceQuery(trace, body.source, NO_SURROUNDINGS) : EMPTY_RELATION;
  const scope = openScope(NO_SURROUNDINGS);
  scope.items.push(newItem(rows, null));
  for (const branch of listAt(body, 'expressions')) {
    const conditional = bodyOf(branch);
    if (conditional.expression) {
      addIndirect(trace, sourcesOf(trace, conditional.expression, scope), 'FILTER');
    }
    const insert = bodyOf(kindOf(branch) === 'conditional_insert' ? conditional.this : branch);
    const target = targetTable(trace, insert.table);
    if (!target) continue;
    const values = listAt(insert, 'values')[0];
    const columns = Array.isArray(values)
      ? values.map((value, i) => outputColumn(trace, value, i, scope))
      : null;
    const relation = columns ? { columns, open: [] } : rows;
    addEffect(trace, 'INSERT', target, underColumns(insert, target, relation));
  }
}
