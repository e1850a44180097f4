// Dispatches a statement to what traces its kind; queries and changes alike become effects.
import type { StatementKind } from '../answer.ts';
import {
  at,
  bodyOf,
  type Identifier,
  identifierOf,
  isQuery,
  isSetOperation,
  kindOf,
  listAt,
  type Node,
  namesOfText,
  tablePath,
  textAt,
  unwrap,
} from '../node.ts';
import { EMPTY_RELATION, fieldsOfParts, type Relation, relationOf } from '../scope/relation.ts';
import {
  NO_SURROUNDINGS,
  newItem,
  openScope,
  type Scope,
  type ScopeSurroundings,
} from '../scope/scope.ts';
import { defineTable, renameTable, type Table } from '../scope/table.ts';
import { traceCopy, traceLoad } from './copy.ts';
import { traceCreateTable, traceCreateView } from './create.ts';
import { traceCtes } from './cte.ts';
import { traceDelete } from './delete.ts';
import { sourcesOf } from './expressions/expression.ts';
import { traceInsert, traceMultiInsert } from './insert.ts';
import { traceMerge } from './merge.ts';
import { traceQuery } from './query.ts';
import { traceSelectList } from './select.ts';
import { assign, note, readTable, type Trace, targetTable } from './trace.ts';
import { traceUpdate } from './update.ts';

/** Trace a statement: its effects are added to those of the trace. */
export function traceStatement(trace: Trace, node: unknown): void {
  const kind = kindOf(node) ?? '';
  const isSelect = isQuery(node) || kind === 'pivot' || kind === 'table';
  const traceKind = isSelect ? traceSelectStatement : (KINDS.get(kind) ?? passOver);
  traceKind(trace, bodyOf(node), node);
}

type TraceKind = (trace: Trace, body: Node, node: unknown) => void;

const traceChangeStatement: TraceKind = (trace, _body, node) => {
  const returned = traceChange(trace, node, NO_SURROUNDINGS);
  if (returned !== EMPTY_RELATION) trace.returned = returned;
};

/** A statement that only holds another one in one of its fields. */
function within(field: string): TraceKind {
  return (trace, body) => traceStatement(trace, body[field]);
}

const traceDrop: TraceKind = (trace) => addEffect(trace, 'DROP', null);

const KINDS = new Map<string, TraceKind>([
  ['insert', traceChangeStatement],
  ['update', traceChangeStatement],
  ['delete', traceChangeStatement],
  ['merge', traceChangeStatement],
  ['multitable_inserts', traceMultiInsert],
  ['create_table', traceCreateTable],
  ['create_view', traceCreateView],
  ['copy', traceCopy],
  ['load_data', traceLoad],
  ['create_task', within('body')],
  ['prepare', within('statement')],
  ['locking_statement', within('expression')],
  ['export', within('this')],
  ['cache', traceCache],
  ['alter_view', traceAlterView],
  ['alter_table', traceAlterTable],
  ['set_statement', traceVariables],
  ['declare', traceDeclare],
  ['drop_table', traceDrop],
  ['drop_view', traceDrop],
]);

function passOver(trace: Trace): void {
  const message = 'This statement reads and writes no columns that lineage follows.';
  note(trace, { code: 'SKIPPED', message, about: [] });
  addEffect(trace, 'OTHER', null);
}

/** A change, perhaps within a CTE: it is an effect of its own, and what it returns goes on. */
export function traceChange(trace: Trace, node: unknown, around: ScopeSurroundings): Relation {
  const body = bodyOf(node);
  // A MERGE has its WITH as a node, the others as a plain body.
  const clause = body.with_ ? bodyOf(body.with_) : at(body, 'with');
  const within = { ctes: traceCtes(trace, clause, around), outer: around.outer };
  switch (kindOf(node)) {
    case 'update':
      return traceReturning(trace, body, traceUpdate(trace, body, within));
    case 'delete':
      return traceReturning(trace, body, traceDelete(trace, body, within));
    case 'merge':
      return traceReturning(trace, body, traceMerge(trace, body, within));
    default:
      traceInsert(trace, body, within);
      return traceReturning(trace, body, openScope(within));
  }
}

/** RETURNING gives columns of the table that was changed, and of others that the change named. */
function traceReturning(trace: Trace, body: Node, scope: Scope): Relation {
  const returning = listAt(body, 'returning');
  const table = identifierOf(body.table) ? targetTable(trace, body.table) : null;
  if (returning.length === 0 || !table) return EMPTY_RELATION;
  const path = table.path.map((name) => ({ name, quoted: true }));
  const relation = relationOf(table);
  trace.sources.add(table);
  if (scope.items.length === 0) {
    const alias = identifierOf(at(body, 'table').alias) ?? path.at(-1) ?? null;
    scope.items.push(newItem(relation, alias, { path }));
  }
  return traceSelectList(trace, returning, scope);
}

/** Add what the statement does to one target. What was read so far counts as its sources. */
export function addEffect(
  trace: Trace,
  kind: StatementKind,
  target: Table | null,
  relation: Relation = EMPTY_RELATION,
  sources: ReadonlySet<Table> = new Set(trace.sources),
): void {
  if (target) trace.tables.written.add(target);
  trace.effects.push({ kind, target, relation, sources });
}

function traceSelectStatement(trace: Trace, _body: Node, node: unknown): void {
  const relation = traceQuery(trace, node, NO_SURROUNDINGS);
  const { intoVariable, intoTable } = trace.dialect;
  const fills = intoVariable || (trace.procedural && !intoTable);
  if (fills) fillVariables(trace, node, relation);
  const into = fills ? null : intoOf(node);
  const target = into ? targetTable(trace, into) : null;
  if (!target) {
    addEffect(trace, 'SELECT', null, relation);
    return;
  }
  addEffect(trace, 'CREATE_TABLE', target, relation);
  defineAs(target, relation);
}

/** The table of SELECT INTO, which stands in the leftmost branch of a set operation. */
function intoOf(node: unknown): Node | null {
  let current = unwrap(node);
  while (isSetOperation(kindOf(current))) current = unwrap(bodyOf(current).left);
  const table = bodyOf(at(bodyOf(current), 'into').this);
  const name = identifierOf(table);
  return name && !/^[@:]/.test(name.name) ? table : null;
}

/** Later statements of the script see the table with these columns. */
export function defineAs(table: Table, relation: Relation): void {
  const names = relation.columns.map((column) => column.name.name);
  const isOpen = relation.open.length > 0;
  defineTable(table, isOpen ? null : names, isOpen ? null : relation.columns.map(fieldsOfParts));
}

function traceCache(trace: Trace, body: Node): void {
  const name = identifierOf(body.table);
  if (!name || !body.query) {
    addEffect(trace, 'OTHER', null);
    return;
  }
  const relation = traceQuery(trace, body.query, NO_SURROUNDINGS);
  const target = targetTable(trace, { name, schema: null, catalog: null });
  addEffect(trace, 'CREATE_VIEW', target, relation);
  if (target) defineAs(target, relation);
}

function traceAlterView(trace: Trace, body: Node): void {
  const query = listAt(body, 'actions').map((action) => at(action, 'AsSelect'))[0];
  if (!query || kindOf(query) === null) {
    addEffect(trace, 'OTHER', null);
    return;
  }
  const relation = traceQuery(trace, query, NO_SURROUNDINGS);
  const target = targetTable(trace, body.name);
  addEffect(trace, 'CREATE_VIEW', target, relation);
  if (target) defineAs(target, relation);
}

/**
 * A table that the script wrote goes on under its new name. Swapping and partitions taken from
 * another table move rows into the table.
 */
function traceAlterTable(trace: Trace, body: Node): void {
  const table = targetTable(trace, body.name);
  for (const action of listAt(body, 'actions')) {
    const renamed = targetTable(trace, at(action, 'RenameTable'));
    if (table && renamed) renameTable(trace.tables, table, renamed);
    const partition = at(action, 'ReplacePartition').source;
    const other = identifierOf(at(action, 'SwapWith'))
      ? tablePath(at(action, 'SwapWith'))
      : partition
        ? tablePath(bodyOf(partition))
        : givingTable(textAt(at(action, 'Raw'), 'sql') ?? '');
    if (!table || other.length === 0) continue;
    const relation = readTable(trace, other);
    addEffect(trace, 'ALTER_TABLE', table, relation);
    return;
  }
  addEffect(trace, 'ALTER_TABLE', null);
}

/** Hive's EXCHANGE PARTITION and ClickHouse's ATTACH PARTITION arrive as text. */
function givingTable(action: string): Identifier[] {
  const name = /\bpartition\b.*\b(?:with\s+table|from)\s+((?:[\w.$]|`[^`]+`|"[^"]+")+)/is.exec(
    action,
  );
  return namesOfText(name?.[1] ?? '');
}

/** T-SQL's `DECLARE @x INT = (SELECT ...)` and `DECLARE @t TABLE (a INT)`. */
function traceDeclare(trace: Trace, body: Node): void {
  const scope = openScope(NO_SURROUNDINGS);
  for (const item of listAt(body, 'expressions')) {
    const { this: declared, default: value } = bodyOf(item);
    const name = identifierOf(declared);
    const columns = declaredColumns(textAt(bodyOf(item), 'kind') ?? '');
    const table = name && columns ? targetTable(trace, { name }) : null;
    if (table) {
      defineTable(table, columns);
      addEffect(trace, 'CREATE_TABLE', table);
      return;
    }
    if (name && value) assign(trace, name, sourcesOf(trace, value, scope), value);
  }
  addEffect(trace, 'OTHER', null);
}

/** The columns of `TABLE (a INT PRIMARY KEY, b DECIMAL(10, 2), UNIQUE (b))`; null for other types. */
function declaredColumns(type: string): string[] | null {
  const list = /^table\s*\((.*)\)$/is.exec(type.trim())?.[1];
  if (list === undefined) return null;
  // What stands in brackets of its own belongs to a type or a constraint.
  const plain = list.replace(/\([^()]*(?:\([^()]*\)[^()]*)*\)/g, '');
  return plain.split(',').flatMap((column) => {
    const [, name = ''] = /^\s*\[?([^\s\]]+)/.exec(column) ?? [];
    return /^(?:primary|unique|check|index|constraint|)$/i.test(name) ? [] : [name];
  });
}

/** `SELECT a, b INTO v, w FROM t` in a procedure fills variables. */
function fillVariables(trace: Trace, node: unknown, relation: Relation): void {
  const into = at(bodyOf(unwrap(node)), 'into');
  const names = [into.this, ...listAt(into, 'expressions')]
    .map((each) => identifierOf(bodyOf(each)))
    .filter((name) => name !== null);
  names.forEach((name, i) => {
    const column = relation.columns[i];
    if (column) assign(trace, name, column.sources, column.expression);
  });
}

/** `SET x = (SELECT ...)` reads tables, and writes none. */
function traceVariables(trace: Trace, body: Node): void {
  const scope = openScope(NO_SURROUNDINGS);
  // PostgreSQL's settings hold names and texts, and no queries.
  const items = trace.dialect.unnamed === 'function' ? [] : listAt(body, 'items');
  for (const item of items) {
    const value = at(item, 'value');
    const name = identifierOf(at(item, 'name'));
    if (name) assign(trace, name, sourcesOf(trace, value, scope), value);
  }
  addEffect(trace, 'OTHER', null);
}
