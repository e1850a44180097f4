// Traces UPDATE: each assignment carries its value's sources to a column of the target.

import {
  at,
  type Identifier,
  identifierOf,
  kindOf,
  listAt,
  type Node,
  tablePath,
} from '../node.ts';
import {
  type Assigned,
  addAssigned,
  assignedBy,
  assignedPath,
  columnWith,
} from '../scope/assigned.ts';
import { type Column, namedColumn } from '../scope/relation.ts';
import {
  type Item,
  openScope,
  type Scope,
  type ScopeSurroundings,
  sameName,
} from '../scope/scope.ts';
import { type Table, tableAt } from '../scope/table.ts';
import { sourcesOf } from './expressions/expression.ts';
import { partsOf } from './expressions/value-parts.ts';
import { readItem } from './from.ts';
import { readJoin } from './join.ts';
import { traceOutput } from './output-clause.ts';
import { addEffect } from './statement.ts';
import { addIndirect, assign, type Trace } from './trace.ts';

/**
 * Trace an UPDATE. The table may be named by an alias of its FROM (T-SQL), or be one of several
 * joined ones (MySQL), where each assignment says by its qualifier which one it means. Gives the
 * scope that RETURNING sees.
 */
export function traceUpdate(trace: Trace, body: Node, around: ScopeSurroundings): Scope {
  const scope = openScope(around);
  for (const item of listAt(body.from_clause, 'expressions')) readItem(trace, item, scope, around);
  for (const join of listAt(body, 'from_joins')) readJoin(trace, join, scope, around);

  const named = namedByFrom(body, scope);
  const readBefore = new Set(trace.sources);
  if (!named) {
    readItem(trace, { table: body.table }, scope, around);
    const own = scope.items.pop();
    if (own) scope.items.unshift(own);
  }
  for (const table of listAt(body, 'extra_tables')) readItem(trace, { table }, scope, around);
  for (const join of listAt(body, 'table_joins')) readJoin(trace, join, scope, around);

  const main = named ?? scope.items[0];
  const byTarget = new Map<Table, Map<string, Column>>();
  for (const assignment of listAt(body, 'set')) {
    const [left, right] = sides(assignment);
    const path = assignedPath(trace.dialect, left, scope.items, main);
    const sources = sourcesOf(trace, right, scope);
    if (path[0]?.name.startsWith('@') && !path[0].quoted) {
      assign(trace, path[0], sources, right);
      continue;
    }
    const assigned = main ? assignedBy(trace.dialect, path, scope.items, main) : null;
    const placed = assigned ? targetOf(trace, assigned, scope) : null;
    if (!placed || !assigned) continue;
    const parts = partsOf(trace, right, scope);
    const value = { name: placed.column, sources, expression: right, parts };
    const columns = byTarget.get(placed.table) ?? new Map();
    byTarget.set(placed.table, columns);
    addAssigned(columns, columnWith(value, assigned.fields));
  }
  if (body.where_clause) {
    addIndirect(trace, sourcesOf(trace, body.where_clause, scope), 'FILTER');
  }
  for (const [table, assigned] of byTarget) {
    const columns = [...assigned.values()];
    const sources = readBesides(trace, table, columns, readBefore);
    addEffect(trace, 'UPDATE', table, { columns, open: [] }, sources);
  }
  const [table] = byTarget.keys();
  traceOutput(trace, at(body, 'output'), table ?? null, null);
  return scope;
}

/** The sides of an assignment; T-SQL's `SET @x = total = total + 1` is one of the column. */
function sides(assignment: unknown): [left: unknown, right: unknown] {
  const [left, right] = Array.isArray(assignment) ? assignment : [];
  const isBoth = /^@/.test(identifierOf(left)?.name ?? '') && kindOf(right) === 'eq';
  return isBoth ? [at(right, 'eq').left, at(right, 'eq').right] : [left, right];
}

/** The item of FROM that the updated name stands for. */
function namedByFrom(body: Node, scope: Scope): Item | undefined {
  const table = at(body, 'table');
  const [only, another] = tablePath(table);
  if (identifierOf(table.alias) || !only || another) return undefined;
  return scope.items.find((item) => item.alias && item.table && sameName(item.alias, only));
}

/** The table that is written, and which of its columns. */
function targetOf(
  trace: Trace,
  { item, column }: Assigned,
  scope: Scope,
): { table: Table; column: Identifier } | null {
  return throughCte(trace, item, column) ?? tableOf(trace, item, column, scope);
}

/** The column of the table that an item is. A CTE is none: of which table its column is, is not known here. */
function tableOf(trace: Trace, item: Item, column: Identifier, { ctes }: Scope) {
  const path = item.table ?? [];
  const [only, another] = path;
  if (!only || (!another && ctes.has(only.name.toLowerCase()))) return null;
  return { table: tableAt(trace.tables, path), column };
}

/** T-SQL updates through a CTE: what changes is the column that the CTE hands on. */
function throughCte(trace: Trace, item: Item, name: Identifier) {
  const column = namedColumn(trace.dialect, item.relation, name);
  const [only, another] = column?.sources.keys() ?? [];
  if (!only || another || 'missing' in only) return null;
  return { table: only.table, column: { name: only.name, quoted: true } };
}

/** The target counts as read only when its own columns were used, or FROM names it again. */
function readBesides(
  trace: Trace,
  target: Table,
  columns: readonly Column[],
  readBefore: ReadonlySet<Table>,
): ReadonlySet<Table> {
  const sources = new Set(trace.sources);
  const uses = columns.some((column) =>
    [...column.sources.keys()].some((source) => !('missing' in source) && source.table === target),
  );
  if (!uses && !readBefore.has(target)) sources.delete(target);
  return sources;
}
