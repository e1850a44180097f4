// Reads the items of FROM into a scope: tables, derived tables, joins, laterals and functions.

import {
  at,
  bodyOf,
  type Identifier,
  identifierOf,
  identifiersAt,
  isQueryKind,
  isSet,
  kindOf,
  listAt,
  type Node,
  tablePath,
  unwrap,
} from '../node.ts';
import { EMPTY_RELATION, joined, NOTHING, type Relation, renamed } from '../scope/relation.ts';
import { inside, newItem, type Scope, type ScopeSurroundings, sameName } from '../scope/scope.ts';
import { tableAt } from '../scope/table.ts';
import { traceCtes } from './cte.ts';
import { columnOfItem, resolveColumn } from './expressions/column.ts';
import { readJoin } from './join.ts';
import { applyPivot } from './pivot.ts';
import { traceQuery, traceTable } from './query.ts';
import { readFunction, readLateralView } from './table-function.ts';
import type { Trace } from './trace.ts';

/** Read FROM, the joins and the lateral views of a SELECT, in this order. */
export function readFrom(trace: Trace, body: Node, scope: Scope, around: ScopeSurroundings): void {
  for (const item of listAt(body.from, 'expressions')) readItem(trace, item, scope, around);
  for (const join of listAt(body, 'joins')) readJoin(trace, join, scope, around);
  for (const view of listAt(body, 'lateral_views')) readLateralView(trace, view, scope);
}

/**
 * Read one item of FROM. `lateral`: it may use the items before it, as LATERAL and APPLY say.
 */
export function readItem(
  trace: Trace,
  node: unknown,
  scope: Scope,
  around: ScopeSurroundings,
  lateral = false,
): void {
  const kind = kindOf(node);
  const body = bodyOf(node);
  if (kind === null) return;
  if (kind === 'table') readTableItem(trace, body, scope, around);
  else if (kind === 'subquery' || kind === 'paren') {
    readDerived(trace, body, scope, around, lateral || isSet(body, 'lateral'));
  } else if (isQueryKind(kind)) {
    const relation = traceQuery(trace, node, surroundings(scope, around, lateral));
    scope.items.push(newItem(relation, identifierOf(body.alias)));
  } else if (kind === 'joined_table') readJoined(trace, body, scope, around);
  else if (kind === 'alias') readAliased(trace, body, scope, around, lateral);
  else if (kind === 'pivot' && unpivoted(body))
    readFunction(trace, body.this, unpivoted(body) ?? NO_NAMES, scope);
  else if (kind === 'pivot' || kind === 'unpivot') {
    readItem(trace, asItem(body.this), scope, around, lateral);
    applyPivot(trace, kind, body, scope);
  } else if (kind === 'lateral') {
    const inner = body.this;
    if (isTableLike(inner)) readAliased(trace, body, scope, around, true);
    else readFunction(trace, inner, aliasesOf(body), scope);
  } else if (kind === 'tuple' && kindOf(listAt(body, 'expressions')[1]) === 'table_alias') {
    // PostgreSQL's `f(x) AS r (a int, b text)` without a comma before the types.
    const [made, named] = listAt(body, 'expressions');
    const columns = listAt(bodyOf(named), 'columns').map((column) => identifierOf(bodyOf(column)));
    const alias = identifierOf(bodyOf(named).this);
    readFunction(trace, made, { alias, columns: columns.filter((name) => name !== null) }, scope);
  } else if (WRAPPERS.has(kind)) {
    readItem(trace, body.this, scope, around, lateral);
    const alias = identifierOf(body.alias);
    const item = scope.items.at(-1);
    if (alias && item) nameItem(item, alias);
  } else readFunction(trace, node, aliasesOf(body), scope);
}

const NO_NAMES = { alias: null, columns: [] };

/** Redshift's `FROM t, UNPIVOT t.object AS value AT name`: the parser takes it all for an alias. */
function unpivoted(body: Node): { alias: null; columns: Identifier[] } | null {
  const [, value, name] = /^(\w+) AT (\w+)$/i.exec(identifierOf(body.alias)?.name ?? '') ?? [];
  if (!value || !name || !isSet(body, 'unpivot')) return null;
  return { alias: null, columns: [value, name].map((each) => ({ name: each, quoted: false })) };
}

// What stands around an item without changing its columns.
const WRAPPERS = new Set([
  'table_sample',
  'tablesample',
  'stream',
  'final',
  'at_time',
  'historical_data',
  'annotated',
]);

const TABLE_LIKE = new Set([
  'table',
  'subquery',
  'paren',
  'joined_table',
  'pivot',
  'unpivot',
  'alias',
]);

function isTableLike(node: unknown): boolean {
  const kind = kindOf(node);
  return kind !== null && (TABLE_LIKE.has(kind) || isQueryKind(kind));
}

/** A PIVOT statement names its table like a column. */
function asItem(node: unknown): unknown {
  if (kindOf(node) !== 'column') return node;
  const body = bodyOf(node);
  return { table: { name: body.name, schema: body.table, catalog: null } };
}

/** What a derived table sees: items before it only when it is lateral. */
function surroundings(
  scope: Scope,
  around: ScopeSurroundings,
  lateral: boolean,
): ScopeSurroundings {
  return lateral ? inside(scope) : around;
}

function aliasesOf(body: Node): { alias: Identifier | null; columns: Identifier[] } {
  const names = identifiersAt(body, 'column_aliases');
  const columns = names.length > 0 ? names : identifiersAt(body, 'columns');
  return { alias: identifierOf(body.alias), columns };
}

function readTableItem(trace: Trace, body: Node, scope: Scope, around: ScopeSurroundings): void {
  const path = tablePath(body);
  const last = path.at(-1);
  const alias = identifierOf(body.alias);
  if (readPath(trace, path, alias, scope)) return;
  // BigQuery's parser repeats a quoted path as its alias.
  const given = identifiersAt(body, 'column_aliases');
  const isPart = given.length > 0 && isPartition(alias);
  const own =
    alias && !alias.name.includes('.') && !isJoinWord(trace, alias) && !isPart ? alias : null;
  const relation = renamed(traceTable(trace, body, around), isPart ? [] : given);
  const item = newItem(relation, own ?? last ?? null, {
    path: own ? null : wholePath(trace, path, around),
    table: path,
  });
  if (path[0]?.name.startsWith('@')) item.rest = NOTHING;
  scope.items.push(item);
  for (const pivot of listAt(body, 'pivots'))
    applyPivot(trace, kindOf(pivot), bodyOf(pivot), scope);
}

/** Columns may be qualified by more than FROM says: `SELECT sales.orders.id FROM orders`. */
function wholePath(
  trace: Trace,
  path: readonly Identifier[],
  around: ScopeSurroundings,
): readonly Identifier[] {
  const [only, another] = path;
  if (!only || (!another && around.ctes.has(only.name.toLowerCase()))) return path;
  const table = tableAt(trace.tables, path);
  const known = table.known?.path ?? [];
  const whole = known.length > table.path.length ? known : table.path;
  return whole.map((name) => ({ name, quoted: true }));
}

/** Oracle's and MySQL's `FROM t PARTITION (p1)`: the parser takes it for an alias. */
function isPartition(alias: Identifier | null): boolean {
  return alias !== null && !alias.quoted && /^(?:sub)?partition$/i.test(alias.name);
}

/** ClickHouse's `FROM t GLOBAL JOIN u`: the parser takes GLOBAL for an alias. */
function isJoinWord(trace: Trace, alias: Identifier): boolean {
  if (trace.dialect.name !== 'clickhouse' || alias.quoted) return false;
  return alias.name.toUpperCase() === 'GLOBAL';
}

/** `FROM t, t.items AS i`: a path into a column of an earlier item, where the dialect has that. */
function readPath(
  trace: Trace,
  path: readonly Identifier[],
  alias: Identifier | null,
  scope: Scope,
): boolean {
  const [head, column] = path;
  if (!trace.dialect.pathInFrom || !head || !column) return false;
  const earlier = scope.items.find((item) => item.alias && sameName(item.alias, head));
  if (!earlier || tableAt(trace.tables, path).known) return false;
  const found = columnOfItem(trace, earlier, column) ?? resolveColumn(trace, path, scope);
  const value = alias ?? path.at(-1) ?? null;
  scope.items.push(newItem(EMPTY_RELATION, value, { rest: found.sources, value, single: true }));
  return true;
}

function readDerived(
  trace: Trace,
  body: Node,
  scope: Scope,
  around: ScopeSurroundings,
  lateral: boolean,
): void {
  const alias = identifierOf(body.alias);
  const inner = body.this;
  const innerKind = kindOf(unwrap(inner));
  if (!isQueryKind(innerKind) && isTableLike(unwrap(inner))) {
    // Brackets around a table or a join, or `TABLE t` as a derived table.
    readAliased(trace, { ...body, this: unwrap(inner) }, scope, around, lateral);
  } else {
    const seen = surroundings(scope, around, lateral);
    const within = { ctes: traceCtes(trace, at(body, 'with'), seen), outer: seen.outer };
    const relation = traceQuery(trace, inner, within);
    scope.items.push(newItem(renamed(relation, identifiersAt(body, 'column_aliases')), alias));
  }
  for (const pivot of listAt(body, 'pivots'))
    applyPivot(trace, kindOf(pivot), bodyOf(pivot), scope);
}

/** `(a JOIN b ...) AS x`: without an alias its tables stay visible by their own names. */
function readJoined(trace: Trace, body: Node, scope: Scope, around: ScopeSurroundings): void {
  const before = scope.items.length;
  readItem(trace, body.left, scope, around);
  for (const join of listAt(body, 'joins')) readJoin(trace, join, scope, around);
  for (const view of listAt(body, 'lateral_views')) readLateralView(trace, view, scope);
  const alias = identifierOf(body.alias);
  if (!alias) return;
  const inner = scope.items.splice(before);
  scope.items.push(newItem(joined(inner.map((item) => item.relation)), alias));
}

function readAliased(
  trace: Trace,
  body: Node,
  scope: Scope,
  around: ScopeSurroundings,
  lateral: boolean,
): void {
  const { alias, columns } = aliasesOf(body);
  if (!isTableLike(body.this)) {
    readFunction(trace, body.this, { alias, columns }, scope);
    return;
  }
  const before = scope.items.length;
  readItem(trace, body.this, scope, around, lateral);
  if (!alias && columns.length === 0) return;
  const inner = scope.items.splice(before);
  const [only, another] = inner;
  if (only && !another) {
    only.relation = renamed(only.relation, columns);
    if (alias) nameItem(only, alias);
    scope.items.push(only);
  } else {
    const relation: Relation = renamed(joined(inner.map((item) => item.relation)), columns);
    scope.items.push(newItem(relation, alias));
  }
}

function nameItem(item: { alias: Identifier | null; path: unknown }, alias: Identifier): void {
  item.alias = alias;
  item.path = null;
}
