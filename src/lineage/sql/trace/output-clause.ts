// Traces T-SQL's OUTPUT ... INTO: the rows that a change touched also go to another table.

import { listAt, type Node } from '../node.ts';
import { loggedInto } from '../scope/named-table.ts';
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
  const into = loggedInto(clause.into_table ?? clause.into);
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
