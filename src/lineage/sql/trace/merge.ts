// Traces MERGE: the assignments of its updates and the values of its inserts.

import {
  at,
  bodyOf,
  columnPath,
  type Identifier,
  identifierOf,
  identifiersAt,
  kindOf,
  listAt,
  type Node,
  textAt,
} from '../node.ts';
import { addAssigned, assignedBy, assignedPath, columnWith } from '../scope/assigned.ts';
import { type Column, columnOfTarget, joined, type Relation } from '../scope/relation.ts';
import { openScope, type Scope, type ScopeSurroundings } from '../scope/scope.ts';
import type { Table } from '../scope/table.ts';
import { sourcesOf } from './expressions/expression.ts';
import { partsOf } from './expressions/value-parts.ts';
import { readItem } from './from.ts';
import { traceOutput } from './output-clause.ts';
import { addEffect } from './statement.ts';
import { addIndirect, type Trace, targetTable } from './trace.ts';

/** What the branches of a MERGE work with. */
interface Merging {
  readonly trace: Trace;
  readonly target: Table;
  /** The source first, then the target: a bare name in a value means the source's column. */
  readonly scope: Scope;
  readonly source: Scope;
  /** The target alone. */
  readonly own: Scope;
  readonly columns: Map<string, Column>;
  /** The source's stars that stay closed flow on as they are. */
  star: Relation['open'];
}

/**
 * Trace a MERGE. The target counts as read when a value is made of its own columns. Gives the scope
 * that RETURNING sees.
 */
export function traceMerge(trace: Trace, body: Node, around: ScopeSurroundings): Scope {
  const table = kindOf(body.this) === 'alias' ? bodyOf(body.this).this : body.this;
  const target = targetTable(trace, bodyOf(table));
  if (!target) return openScope(around);
  const source = openScope(around);
  readItem(trace, body.using, source, around);
  const sourcesRead = new Set(trace.sources);
  const own = openScope(around);
  readItem(trace, body.this, own, around);
  const scope = { ...openScope(around), items: [...source.items, ...own.items] };

  const merging: Merging = { trace, target, scope, source, own, columns: new Map(), star: [] };
  for (const entry of listAt(bodyOf(body.whens), 'expressions')) {
    const when = bodyOf(entry);
    if (when.condition) {
      addIndirect(trace, sourcesOf(trace, when.condition, seenBy(when, merging)), 'FILTER');
    }
    traceBranch(merging, listAt(bodyOf(when.then), 'expressions'));
  }
  addIndirect(trace, sourcesOf(trace, body.on, scope), 'JOIN');

  const columns = [...merging.columns.values()];
  // Queries within values read tables too; the target only counts when its columns are used.
  const read = new Set(trace.sources);
  const uses = columns.some((column) =>
    [...column.sources.keys()].some((each) => !('missing' in each) && each.table === target),
  );
  if (!uses && !sourcesRead.has(target)) read.delete(target);
  const relation = { columns, open: merging.star };
  addEffect(trace, 'MERGE', target, relation, read);
  traceOutput(trace, bodyOf(body.returning), target, relation);
  return scope;
}

/** The rows that a branch's condition sees: where nothing matched, there are those of one side only. */
function seenBy(when: Node, { scope, source, own }: Merging): Scope {
  if (at(when.matched, 'boolean').value === true) return scope;
  return at(when.source, 'boolean').value === true ? own : source;
}

function traceBranch(merging: Merging, all: readonly unknown[]): void {
  const { trace, scope } = merging;
  // Oracle's branches end with a condition of their own.
  const parts = all.filter((part) => kindOf(part) !== 'where');
  for (const part of all) {
    if (kindOf(part) === 'where') {
      addIndirect(trace, sourcesOf(trace, bodyOf(part).this, scope), 'FILTER');
    }
  }
  const action = textAt(bodyOf(parts[0]), 'this')?.toUpperCase();
  if (action === 'UPDATE') traceAssignments(merging, parts[1]);
  if (action === 'INSERT') traceValues(merging, parts.slice(1));
}

function traceAssignments(merging: Merging, list: unknown): void {
  if (kindOf(list) === 'star') {
    passThrough(merging, leftOut(list));
    return;
  }
  for (const assignment of listAt(bodyOf(list), 'expressions')) {
    const pair = bodyOf(assignment);
    const { trace, scope, own } = merging;
    const [main] = own.items;
    const path = assignedPath(trace.dialect, pair.left, own.items, main);
    const assigned = main ? assignedBy(trace.dialect, path, own.items, main) : null;
    if (kindOf(assignment) !== 'eq' || !assigned) continue;
    const value = givenTo(merging, assigned.column, pair.right, scope);
    addAssigned(merging.columns, columnWith(value, assigned.fields));
  }
}

/** `INSERT (a, b) VALUES (x, y)`, `INSERT VALUES (x, y)`, `INSERT ROW` or `INSERT *`. */
function traceValues(merging: Merging, parts: readonly unknown[]): void {
  const last = parts.at(-1);
  if (kindOf(last) === 'star') {
    passThrough(merging, leftOut(last));
    return;
  }
  const known = merging.target.columns?.map((name) => ({ name, quoted: true }));
  const listed = parts.length > 1 ? namesIn(parts[0]) : known;
  if (textAt(bodyOf(last), 'this')?.toUpperCase() === 'ROW') {
    insertRow(merging, listed);
    return;
  }
  listAt(bodyOf(last), 'expressions').forEach((value, i) => {
    const name = listed?.[i] ?? columnPath(value)?.at(-1);
    if (name) addAssigned(merging.columns, givenTo(merging, name, value, merging.source));
  });
}

function namesIn(list: unknown): Identifier[] {
  return listAt(bodyOf(list), 'expressions').map(
    (name) => columnPath(name)?.at(-1) ?? identifierOf(name) ?? { name: '', quoted: false },
  );
}

/** Every column of the source to the target's column of the same name, where it has one. */
function passThrough(merging: Merging, except: ReadonlySet<string> = new Set()): void {
  const flat = joined(merging.source.items.map((item) => item.relation));
  const known = merging.target.columns?.map((name) => name.toLowerCase());
  for (const column of flat.columns) {
    if (except.has(column.name.name.toLowerCase())) continue;
    if (known && !known.includes(column.name.name.toLowerCase())) continue;
    const name = columnOfTarget(merging.target, column.name);
    addAssigned(merging.columns, { ...column, name });
  }
  merging.star = flat.open.map((star) => ({
    ...star,
    except: new Set([...star.except, ...except]),
  }));
}

/** The names in lower case that a star leaves out: `* EXCEPT (a)`. */
function leftOut(star: unknown): ReadonlySet<string> {
  const names = identifiersAt(bodyOf(star), 'except');
  return new Set(names.map(({ name }) => name.toLowerCase()));
}

/** Every column of the source, in order, to the columns listed or known. */
function insertRow(merging: Merging, names: readonly Identifier[] | undefined): void {
  const flat = joined(merging.source.items.map((item) => item.relation));
  if (!names || flat.open.length > 0) {
    passThrough(merging);
    return;
  }
  flat.columns.forEach((column, i) => {
    addAssigned(merging.columns, { ...column, name: names[i] ?? column.name });
  });
}

function givenTo({ trace }: Merging, name: Identifier, value: unknown, scope: Scope): Column {
  const sources = sourcesOf(trace, value, scope);
  return { name, sources, expression: value, parts: partsOf(trace, value, scope) };
}
