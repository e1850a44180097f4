// Reads what makes rows without being a table: UNNEST, FLATTEN, LATERAL VIEW, JSON_TABLE, ...

import {
  bodyOf,
  columnPath,
  type Identifier,
  identifierOf,
  identifiersAt,
  isNode,
  isSet,
  kindOf,
  listAt,
  type Node,
  textAt,
} from '../node.ts';
import { givenColumns } from '../scope/function-columns.ts';
import { namedTable } from '../scope/named-table.ts';
import {
  addSources,
  asTheyAre,
  type Column,
  type ColumnSource,
  joined,
  NOTHING,
  type Relation,
  type Sources,
} from '../scope/relation.ts';
import { type Item, inside, newItem, type Scope } from '../scope/scope.ts';
import type { Uses } from '../scope/use.ts';
import { ownerOf, relationOfParts, withParts } from './element-parts.ts';
import { sourcesOf } from './expressions/expression.ts';
import { partsOf } from './expressions/value-parts.ts';
import { readItem } from './from.ts';
import { readHeld, readRoutine } from './held-rows.ts';
import { traceTable } from './query.ts';
import { readTableArguments } from './table-argument.ts';
import { addIndirect, missing, type Trace } from './trace.ts';

interface Aliases {
  readonly alias: Identifier | null;
  readonly columns: readonly Identifier[];
}

/**
 * Read a table function into a scope. Its columns are made of its arguments: those with an alias
 * or a name that the function is known to give, and any other that the query asks of it.
 */
export function readFunction(trace: Trace, node: unknown, aliases: Aliases, scope: Scope): void {
  const kind = kindOf(node);
  const body = bodyOf(node);
  if (kind === 'unnest') {
    readUnnest(trace, body, aliases, scope);
    return;
  }
  if (kind === 'match_recognize') {
    readMatchRecognize(trace, body, aliases, scope);
    return;
  }
  if (kind === 'at_index') {
    readAtIndex(trace, body, scope);
    return;
  }
  if (kind === 'stage_reference') {
    readStage(trace, body, aliases, scope);
    return;
  }
  const named = kind === 'function' ? namedTable(body, scope) : null;
  const held =
    named?.length === 1 ? trace.filled.get(named[0]?.name.toLowerCase() ?? '') : undefined;
  if (held) {
    readHeld(trace, held, aliases, scope);
    return;
  }
  if (named) {
    const path = named.map((part) => ({ ...part }));
    const [catalog, schema, name] = [path.at(-3) ?? null, path.at(-2) ?? null, path.at(-1)];
    const relation = traceTable(trace, { name, schema, catalog }, inside(scope));
    scope.items.push(newItem(relation, aliases.alias ?? name ?? null, { table: named }));
    return;
  }
  if (kind === 'function' && readRoutine(trace, body, aliases, scope)) return;
  const wrapped = kind === 'function' ? wrappedFunction(body) : null;
  if (wrapped) {
    readFunction(trace, wrapped, aliases, scope);
    return;
  }

  if (kind === 'function' && readTableArguments(trace, body, aliases.alias, scope)) return;

  const name = textAt(body, 'name') ?? '';
  // The first argument of OPENQUERY names a server.
  const made = /^openquery$/i.test(name)
    ? NOTHING
    : (ownerOf(trace, name, scope) ?? sourcesOf(trace, withoutNames(node), scope));
  const isCall = kind === 'function' || kind === 'method_call';
  const isElsewhere = made.size === 0 && isCall && !GENERATORS.test(name);
  const sources = isElsewhere ? outside(trace, { name: name || '()', quoted: false }) : made;
  const given = aliases.columns.length > 0 ? aliases.columns : givenColumns(kind, body);
  push(
    scope,
    aliases.alias ?? ownAlias(trace, name),
    withParts(trace, node, given, scope).map((column) => ({
      ...columnFrom(column.name, sources),
      ...column,
    })),
    sources,
  );
  const item = scope.items.at(-1);
  // PostgreSQL calls the only column of a function after its alias, others know no such rule.
  if (item && !isRelational(kind))
    item.single = trace.dialect.unnamed === 'function' || isPath(kind);
}

/** Where a function is given no alias, some engines let its columns be qualified by its own name. */
function ownAlias({ dialect }: Trace, name: string): Identifier | null {
  const isNamed = dialect.unnamed === 'function' || /^(?:sqlite|duckdb)$/.test(dialect.name);
  return isNamed && /^\w+$/.test(name) ? { name, quoted: false } : null;
}

/** Functions whose rows are made of their arguments alone; others may read whatever they like. */
const GENERATORS =
  /^(?:generate_\w+|range|sequence|generator|numbers|numbers_mt|zeros|zeros_mt|one|values|unnest|flatten|explode\w*|posexplode\w*|inline\w*|stack|nodes|(?:\w+_)?split(?:_\w+)?|substring|rows_from|string_to_table|regexp_matches|(?:json|jsonb|xml)\w*|openjson|openxml|table)$/i;

function outside(trace: Trace, name: Identifier): Sources {
  return asTheyAre([missing(trace, [name], 'EXTERNAL')]);
}

/** `read_csv('x', header = true)`: the left side of such an argument is its name. */
function withoutNames(node: unknown): unknown {
  if (kindOf(node) !== 'function') return node;
  return listAt(bodyOf(node), 'args').map((argument) =>
    kindOf(argument) === 'eq' ? bodyOf(argument).right : argument,
  );
}

/** Whether what makes the rows is a path into a column rather than a function. */
function isPath(kind: string | null): boolean {
  return kind === 'column' || kind === 'dot' || kind === 'explode' || kind === 'explode_outer';
}

function isRelational(kind: string | null): boolean {
  return kind === 'j_s_o_n_table' || kind === 'x_m_l_table' || kind === 'open_j_s_o_n';
}

/** Hive's and Spark's `LATERAL VIEW explode(xs) t AS x`. */
export function readLateralView(trace: Trace, view: unknown, scope: Scope): void {
  if (!isNode(view)) return;
  const columns = identifiersAt(view, 'column_aliases');
  readFunction(trace, view.this, { alias: identifierOf(view.table_alias), columns }, scope);
}

function columnFrom(name: Identifier, sources: Sources): Column {
  return { name, sources, expression: null };
}

function push(
  scope: Scope,
  alias: Identifier | null,
  columns: readonly Column[],
  rest: Sources,
): void {
  const relation: Relation = { columns, open: [] };
  const value = columns.length === 0 ? alias : null;
  scope.items.push(newItem(relation, alias, { rest, value }));
}

/** Each array gives the column at its place; the ordinal number is made of nothing. */
function readUnnest(trace: Trace, body: Node, aliases: Aliases, scope: Scope): void {
  const arrays = [body.this, ...listAt(body, 'expressions')];
  const each = arrays.map((array) => sourcesOf(trace, array, scope));
  const rest = new Map<ColumnSource, Uses>();
  for (const sources of each) addSources(rest, sources);
  const offset = offsetOf(trace, body);
  const alias = aliases.alias ?? identifierOf(body.alias);
  const fields = isSet(body, 'this') ? structFields(body.this) : [];
  const names = aliases.columns;
  const numbered = isSet(body, 'with_ordinality') && !offset && names.length > arrays.length;
  const parts = partsOf(trace, body.this, scope)?.columns ?? [];
  // `UNNEST(rows) AS t (p, q)` names the fields of a row, `UNNEST(rows) AS t (r)` the row.
  const isTakenApart = arrays.length === 1 && names.length > 1 && names.length <= parts.length + 1;
  const columns = names.map((name, i): Column => {
    const isNumber = numbered && i === names.length - 1;
    const part = isTakenApart ? parts[i] : undefined;
    if (part && !isNumber) return { ...part, name };
    const made = isNumber ? NOTHING : arrays.length > 1 ? (each[i] ?? rest) : rest;
    return { ...columnFrom(name, made), parts: i === 0 ? relationOfParts(parts) : null };
  });
  const unnamed = parts.length > 0 ? parts : fields.map((name) => columnFrom(name, rest));
  const own = columns.length > 0 ? columns : unnamed;
  push(scope, alias, own, rest);
  const item = scope.items.at(-1);
  if (item && alias) item.value = alias;
  if (item) item.single = true;
  // The offset stays apart, so that the alias goes on to mean the element.
  if (offset) scope.items.push(newItem({ columns: [columnFrom(offset, NOTHING)], open: [] }, null));
}

/** BigQuery's `WITH OFFSET AS o`, which is the column `offset` where it has no name. */
function offsetOf({ dialect }: Trace, body: Node): Identifier | null {
  const given = identifierOf(body.offset_alias);
  if (given || dialect.name !== 'bigquery' || !isSet(body, 'with_ordinality')) return given;
  return { name: 'offset', quoted: false };
}

/** The field names of `UNNEST([STRUCT(1 AS a, 2 AS b)])`. */
function structFields(array: unknown): Identifier[] {
  const first = listAt(bodyOf(array), 'expressions')[0];
  if (kindOf(first) !== 'function' || textAt(bodyOf(first), 'name')?.toLowerCase() !== 'struct')
    return [];
  return listAt(bodyOf(first), 'args')
    .map((field) => identifierOf(bodyOf(field).alias))
    .filter((name) => name !== null);
}

/** Redshift's `FROM t, t.items AS item AT position`. */
function readAtIndex(trace: Trace, body: Node, scope: Scope): void {
  readItem(trace, body.this, scope, inside(scope), true);
  const index = identifierOf(body.expression);
  if (index) scope.items.push(newItem({ columns: [columnFrom(index, NOTHING)], open: [] }, null));
}

/** A staged file holds columns that no catalog knows; in T-SQL `@t` is a table variable. */
function readStage(trace: Trace, body: Node, aliases: Aliases, scope: Scope): void {
  const name = identifierOf(body.name);
  if (trace.dialect.name !== 'tsql' || !name) {
    const file = name ?? { name: '@', quoted: false };
    push(scope, aliases.alias, [], outside(trace, file));
    const item = scope.items.at(-1);
    // Its alias means the file, not a value.
    if (item) item.value = null;
    return;
  }
  const relation = traceTable(trace, { name, schema: null, catalog: null }, inside(scope));
  scope.items.push(newItem(relation, aliases.alias ?? name, { table: [name] }));
}

function readMatchRecognize(trace: Trace, body: Node, aliases: Aliases, scope: Scope): void {
  const before = scope.items.length;
  readItem(trace, body.this, scope, inside(scope));
  const input = scope.items.splice(before);
  const within: Scope = { ...scope, items: [...input, ...patternItems(body, input)] };
  addIndirect(trace, sourcesOf(trace, body.partition_by, within), 'GROUP_BY');
  addIndirect(trace, sourcesOf(trace, body.order_by, within), 'SORT');
  addIndirect(trace, sourcesOf(trace, body.define, within), 'FILTER');
  const measures = listAt(body, 'measures').map((measure) => {
    const inner = isNode(measure) && measure.this ? measure.this : measure;
    const name = identifierOf(bodyOf(inner).alias) ?? { name: '_measure', quoted: false };
    return columnFrom(name, sourcesOf(trace, inner, within));
  });
  const isEachRow = /^all/i.test(textAt(body, 'rows') ?? '');
  const shown = isEachRow
    ? joined(input.map((item) => item.relation))
    : partitions(trace, body, within);
  const columns = [...shown.columns, ...measures];
  const { open } = shown;
  const alias = aliases.alias ?? identifierOf(body.alias);
  scope.items.push(newItem({ columns, open }, alias));
}

/** Where a match gives one row, that holds what rows were partitioned by, and the measures. */
function partitions(trace: Trace, body: Node, within: Scope): Relation {
  const columns = listAt(body, 'partition_by').flatMap((key) => {
    const name = columnPath(key)?.at(-1);
    return name ? [columnFrom(name, sourcesOf(trace, key, within))] : [];
  });
  return { columns, open: [] };
}

/** The variables of a pattern stand for rows of the input: `down.price` is its price. */
function patternItems(body: Node, input: readonly Item[]): Item[] {
  const names = new Map<string, Identifier>();
  for (const entry of listAt(body, 'define')) {
    const name = identifierOf(Array.isArray(entry) ? entry[0] : null);
    if (name) names.set(name.name.toLowerCase(), name);
  }
  for (const [word] of (textAt(body, 'pattern') ?? '').matchAll(/[\p{L}_][\p{L}\w]*/gu)) {
    if (!names.has(word.toLowerCase()))
      names.set(word.toLowerCase(), { name: word, quoted: false });
  }
  const relation = joined(input.map((item) => item.relation));
  return [...names.values()].map((name) => newItem(relation, name, { hidden: true }));
}

/** `TABLE(f(x))` and `LATERAL(f(x))` are f(x). */
function wrappedFunction(body: Node): unknown {
  const [only, another] = listAt(body, 'args');
  const name = textAt(body, 'name') ?? '';
  if (!/^(?:table|lateral)$/i.test(name) || another !== undefined) return null;
  return kindOf(only) === 'column' ? null : only;
}
