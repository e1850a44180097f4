// Traces T-SQL's OUTPUT ... INTO: the rows that a change touched also go to another table.

import {
  bodyOf,
  columnPath,
  type Identifier,
  identifierOf,
  kindOf,
  listAt,
  type Node,
  textAt,
} from '../node.ts';
import { EMPTY_RELATION, type Relation, relationOf } from '../scope/relation.ts';
import { NO_SURROUNDINGS, newItem, openScope } from '../scope/scope.ts';
import type { Table } from '../scope/table.ts';
import { outputColumn, underColumns } from './insert.ts';
import { addEffect } from './statement.ts';
import { type Trace, targetTable } from './trace.ts';

/**
 * Trace `OUTPUT inserted.a, deleted.b INTO log (x, y)` of a change of `target`. `rows` is what
 * `inserted` holds, where that is more than the target's own columns.
 */
export function traceOutput(
  trace: Trace,
  clause: Node,
  target: Table | null,
  rows: Relation | null,
): void {
  const returning = [...listAt(clause, 'columns'), ...listAt(clause, 'expressions')];
  const into = intoOf(clause.into_table ?? clause.into);
  if (!into || returning.length === 0) return;
  const scope = openScope(NO_SURROUNDINGS);
  const own = target ? relationOf(target) : EMPTY_RELATION;
  const inserted = rows ? overOwn(rows, own) : own;
  scope.items.push(newItem(inserted, { name: 'inserted', quoted: false }));
  scope.items.push(newItem(own, { name: 'deleted', quoted: false }));
  const columns = returning.map((item, i) => outputColumn(trace, item, i, scope));
  const [name, schema, catalog] = [...into.path].reverse();
  const log = targetTable(trace, { name, schema: schema ?? null, catalog: catalog ?? null });
  const relation = underColumns({ columns: into.columns }, log, { columns, open: [] });
  addEffect(trace, 'INSERT', log, relation);
}

/** The new row: what the change wrote, and the target's own columns for the rest. */
function overOwn(rows: Relation, own: Relation): Relation {
  const written = new Set(rows.columns.map((column) => column.name.name.toLowerCase()));
  const rest = own.columns.filter((column) => !written.has(column.name.name.toLowerCase()));
  const open = [...rows.open, ...own.open].map((star) => ({
    ...star,
    except: new Set([...star.except, ...written]),
  }));
  return { columns: [...rows.columns, ...rest], open: open.slice(0, 1) };
}

/** The table behind INTO, which with a column list looks like a call of a function or a method. */
function intoOf(node: unknown): { path: Identifier[]; columns: Identifier[] } | null {
  const kind = kindOf(node);
  const body = bodyOf(node);
  const columns = listAt(body, 'args')
    .map(identifierOf)
    .filter((name) => name !== null);
  if (kind === 'function') {
    const names = (textAt(body, 'name') ?? '').split('.');
    return { path: names.map((name) => ({ name, quoted: false })), columns };
  }
  // `log (a)` reads like the logarithm.
  if (kind === 'ln') {
    const column = identifierOf(body.this);
    return { path: [{ name: 'log', quoted: false }], columns: column ? [column] : [] };
  }
  if (kind === 'method_call') {
    const method = identifierOf(body.method);
    return { path: [...(columnPath(body.this) ?? []), ...(method ? [method] : [])], columns };
  }
  const path = columnPath(node);
  return path ? { path, columns: [] } : null;
}
