// Collects the columns that the value of an expression is made of.

import {
  at,
  bodyOf,
  columnPath,
  identifierOf,
  identifiersAt,
  isSet,
  kindOf,
  listAt,
  type Node,
  pushChildren,
  tablePath,
  textAt,
} from '../../node.ts';
import { AS_IS, addSources, allSources, type ColumnSource, NOTHING } from '../../scope/relation.ts';
import { inside, isNamed, type Scope, withParameters } from '../../scope/scope.ts';
import { type Uses, usesOf } from '../../scope/use.ts';
import { words } from '../../word-set.ts';
import { traceQuery } from '../query.ts';
import { readTable, type Trace } from '../trace.ts';
import { type FoundColumn, resolveColumn } from './column.ts';
import { external, variable } from './column-reference.ts';
import { AGGREGATES, aggregates, DECIDING } from './deciding.ts';
import { readFunction, readMap, readMethod } from './function.ts';
import { partTaken } from './part-taken.ts';

/** What a handler of one kind of node works with. */
export interface ExpressionReading {
  readonly trace: Trace;
  readonly scope: Scope;
  readonly into: Map<ColumnSource, Uses>;
  /** What the parts of the expression are used for. */
  readonly uses: Uses;
  /** What is still to be read; a handler adds the parts that are plain expressions. */
  readonly rest: unknown[];
}

/**
 * Add the sources of an expression to `into`. Conditions of CASE, the window's partition and order,
 * an aggregate's filter and order all count; the type of a cast, the unit of an interval and
 * `count(*)` don't. Nested queries give their select list, EXISTS gives nothing. Iterative, for
 * expressions are as deep as their operators are many.
 */
export function collect(
  trace: Trace,
  node: unknown,
  scope: Scope,
  into: Map<ColumnSource, Uses>,
  uses: Uses = usesIn(node),
): void {
  const rest: unknown[] = [node];
  const reading: ExpressionReading = { trace, scope, into, uses, rest };
  while (rest.length > 0) {
    const value = rest.pop();
    if (typeof value !== 'object' || value === null) continue;
    const kind = kindOf(value);
    const handle = kind === null ? undefined : HANDLERS.get(kind);
    if (handle && kind !== null) handle(reading, at(value, kind), value);
    else pushChildren(rest, value);
  }
}

/** The sources of an expression, as a set of its own. */
export function sourcesOf(trace: Trace, node: unknown, scope: Scope): Map<ColumnSource, Uses> {
  const into = new Map<ColumnSource, Uses>();
  // Each of several expressions is whole in itself.
  for (const one of Array.isArray(node) ? node : [node]) collect(trace, one, scope, into);
  return into;
}

const CHANGED = usesOf('TRANSFORMATION');
const PLAIN = words('column dot paren subquery annotated identifier');

/** What an expression does to the columns it holds; an aggregate says so itself. */
export function usesIn(node: unknown): Uses {
  const kind = kindOf(node) ?? '';
  if (kind === 'window_function' || kind === 'within_group') return usesIn(bodyOf(node).this);
  if (kind === 'function' && aggregates(textAt(bodyOf(node), 'name') ?? '')) return AS_IS;
  return PLAIN.has(kind) || AGGREGATES.has(kind) ? AS_IS : CHANGED;
}

/** What a bare column reference means, or null when the expression is more than that. */
export function referenceOf(trace: Trace, node: unknown, scope: Scope): FoundColumn | null {
  const kind = kindOf(node);
  if (kind === 'paren' || kind === 'annotated') return referenceOf(trace, bodyOf(node).this, scope);
  if (kind !== 'column' && kind !== 'dot') return null;
  const path = columnPath(node);
  return path ? resolveColumn(trace, path, scope) : null;
}

export type Handler = (reading: ExpressionReading, body: Node, node: unknown) => void;

const nothing: Handler = () => {};

const HANDLERS = new Map<string, Handler>([
  ['literal', nothing],
  ['identifier', nothing],
  ['data_type', nothing],
  ['next_value_for', nothing],
  ['column', readColumn],
  ['dot', readDot],
  ['subscript', readPart],
  ['j_s_o_n_extract', readPart],
  ['star', readStar],
  ['parameter', readParameter],
  ['select', readQuery],
  ['union', readQuery],
  ['intersect', readQuery],
  ['except', readQuery],
  ['subquery', readQuery],
  ['exists', readExists],
  ['lambda', readLambda],
  ['comprehension', readComprehension],
  ...DECIDING,
  ['function', readFunction],
  ['method_call', readMethod],
  ['map_func', readMap],
  ['connect_by_root', readRoot],
  ['j_s_o_n_key_value', readKeyValue],
  ['interval', ({ rest }, body) => rest.push(body.this)],
  ['alias', readAlias],
  ['named_argument', ({ rest }, body) => rest.push(body.value)],
  ['table', readTableValue],
  ['table_argument', readTableArgument],
]);

function readColumn(
  { trace, scope, into, uses }: ExpressionReading,
  body: Node,
  node: unknown,
): void {
  const path = columnPath(node);
  if (!path) return;
  if (identifierOf(body)?.name === '*') readStarOf({ scope, into, uses }, body.table);
  else addSources(into, resolveColumn(trace, path, scope).sources, uses);
}

function readDot(
  { trace, scope, into, uses, rest }: ExpressionReading,
  body: Node,
  node: unknown,
): void {
  const path = columnPath(node);
  const held = path ? null : readElement(trace, body);
  if (path) addSources(into, resolveColumn(trace, path, scope).sources, uses);
  else if (held) addSources(into, held.sources, uses);
  else {
    const part = partTaken(trace, node, scope);
    if (part) addSources(into, part.sources, uses);
    else rest.push(body.this);
  }
}

/** A field of a value whose parts are known: what the other parts are made of doesn't count. */
function readPart(
  { trace, scope, into, uses, rest }: ExpressionReading,
  body: Node,
  node: unknown,
): void {
  const part = partTaken(trace, node, scope);
  if (part) addSources(into, part.sources, uses);
  else pushChildren(rest, body);
}

/** PL/SQL's `rows(i).id`: a field of what a collection was filled with. */
function readElement(trace: Trace, body: Node): FoundColumn | null {
  const name = kindOf(body.this) === 'function' ? textAt(bodyOf(body.this), 'name') : null;
  const field = identifierOf(body.field);
  if (!name || !field || !trace.filled.has(name.toLowerCase())) return null;
  return variable(trace, [{ name, quoted: false }, field]);
}

/** A star as an argument (`to_json(t.*)`, `hash(*)`) is all columns; that of `count(*)` is none. */
function readStar(reading: ExpressionReading, body: Node): void {
  readStarOf(reading, body.table);
}

function readStarOf(
  { scope, into, uses }: Pick<ExpressionReading, 'scope' | 'into' | 'uses'>,
  table: unknown,
): void {
  const qualifier = identifierOf(table);
  for (const item of scope.items) {
    if (qualifier ? isNamed(item, [qualifier]) : !item.hidden)
      addSources(into, allSources(item.relation), uses);
  }
}

/** Snowflake's `$1` is the first column of a VALUES list or a staged file. */
function readParameter({ trace, scope, into, uses }: ExpressionReading, body: Node): void {
  const { index } = body;
  const name = textAt(body, 'name') ?? '';
  if (trace.dialect.name === 'tsql' && GRAPH_COLUMN.test(name)) {
    const path = [{ name: `$${name}`, quoted: true }];
    addSources(into, resolveColumn(trace, path, scope).sources, uses);
  }
  // `@@rowcount` and the like are the engine's own.
  if (name !== '' && body.style !== 'DoubleAt') {
    const path = [{ name, quoted: false }];
    addSources(into, (variable(trace, path) ?? external(trace, path)).sources, uses);
  }
  if (trace.dialect.name !== 'snowflake' || typeof index !== 'number') return;
  for (const item of scope.items) {
    const column = item.relation.columns[index - 1];
    addSources(into, column?.sources ?? item.rest ?? NOTHING, uses);
  }
}

/** Columns that every node and edge of T-SQL's graphs has. */
const GRAPH_COLUMN = /^(?:node|edge|from|to)_id$/i;

/** `CONNECT_BY_ROOT title`: what follows without brackets arrives as a plain word. */
function readRoot({ rest }: ExpressionReading, body: Node): void {
  rest.push(asColumn(body.this));
}

/** `JSON_OBJECTAGG(k:v)`: and so does the key. */
function readKeyValue({ rest }: ExpressionReading, body: Node): void {
  rest.push(body.expression, asColumn(body.this));
}

function asColumn(node: unknown): unknown {
  const name = kindOf(node) === 'var' ? identifierOf(node) : null;
  return name ? { column: { name, table: null } } : node;
}

function readQuery(
  { trace, scope, into, uses }: ExpressionReading,
  _body: Node,
  node: unknown,
): void {
  addSources(into, allSources(traceQuery(trace, node, inside(scope))), uses);
}

function readExists({ trace, scope }: ExpressionReading, body: Node): void {
  traceQuery(trace, body.this, inside(scope));
}

function readLambda({ trace, scope, into, uses, rest }: ExpressionReading, body: Node): void {
  // What looks like a lambda may take a part of a document: `lower(doc -> 'a')`.
  if (trace.dialect.arrowPaths || (!isSet(body, 'colon') && isPath(trace, body.body))) {
    const columns = identifiersAt(body, 'parameters');
    rest.push(body.body, ...columns.map((name) => ({ column: { name, table: null } })));
    return;
  }
  collect(trace, body.body, withParameters(scope, listAt(body, 'parameters')), into, uses);
}

/** DuckDB has lambdas as well; none of them would give one text or number for all. */
function isPath(trace: Trace, body: unknown): boolean {
  if (trace.dialect.name !== 'duckdb') return false;
  const kind = kindOf(body) ?? '';
  return kind === 'literal' || (/^json_extract/.test(kind) && isPath(trace, bodyOf(body).this));
}

/** DuckDB's `[x + 1 for x in xs if x > 2]`. */
function readComprehension(
  { trace, scope, into, uses, rest }: ExpressionReading,
  body: Node,
): void {
  const within = withParameters(scope, [body.expression, body.position]);
  collect(trace, [body.this, body.condition], within, into, uses);
  rest.push(body.iterator);
}

/** ClickHouse lets any expression be named and used by that name elsewhere in the query. */
function readAlias({ trace, scope, into, uses, rest }: ExpressionReading, body: Node): void {
  const name = identifierOf(body.alias);
  if (trace.dialect.name !== 'clickhouse' || !name) {
    rest.push(body.this);
    return;
  }
  const sources = sourcesOf(trace, body.this, scope);
  const key = name.name.toLowerCase();
  if (!scope.aliases.has(key)) scope.aliases.set(key, { name, sources, expression: body.this });
  addSources(into, sources, uses);
}

/** A table given to a function (`ML.PREDICT(MODEL m, TABLE t)`). */
function readTableValue({ trace, scope, into, uses }: ExpressionReading, body: Node): void {
  const path = tablePath(body);
  const [only, another] = path;
  const cte = only && !another ? scope.ctes.get(only.name.toLowerCase()) : undefined;
  addSources(into, allSources(cte?.relation ?? readTable(trace, path)), uses);
}

/** BigQuery's `MODEL m` names no table. */
function readTableArgument({ rest }: ExpressionReading, body: Node): void {
  if (textAt(body, 'prefix')?.toUpperCase() !== 'MODEL') rest.push(body.this);
}
