// Finds the parts of a value: the fields of a struct, record or object, also through arrays, aggregates and conditions.

import {
  at,
  bodyOf,
  columnPath,
  type Identifier,
  identifierOf,
  isQueryKind,
  kindOf,
  listAt,
  type Node,
  textAt,
  unwrap,
} from '../../node.ts';
import {
  addSources,
  type Column,
  type ColumnSource,
  merged,
  type Relation,
} from '../../scope/relation.ts';
import { inside, type Scope } from '../../scope/scope.ts';
import { type Uses, usesOf } from '../../scope/use.ts';
import { traceQuery } from '../query.ts';
import type { Trace } from '../trace.ts';
import { referenceOf, sourcesOf } from './expression.ts';
import { isText, partTaken } from './part-taken.ts';

/** What surrounds an expression whose parts are asked for. */
interface Within {
  readonly trace: Trace;
  readonly scope: Scope;
}

/** The parts of a value as columns, or null where it has none that are known. An array has those of its elements. */
export function partsOf(trace: Trace, node: unknown, scope: Scope): Relation | null {
  const kind = kindOf(node);
  const find =
    kind === null ? undefined : (FINDERS.get(kind) ?? (isQueryKind(kind) ? ofQuery : undefined));
  return find?.({ trace, scope }, bodyOf(node), node) ?? null;
}

type Finder = (within: Within, body: Node, node: unknown) => Relation | null;

const inThis: Finder = ({ trace, scope }, body) => partsOf(trace, body.this, scope);

const ofReference: Finder = ({ trace, scope }, _body, node) => {
  const path = columnPath(node);
  if (path) {
    const found = referenceOf(trace, node, scope);
    return found && !found.fields?.length ? (found.column?.parts ?? null) : null;
  }
  return partTaken(trace, node, scope)?.parts ?? null;
};

/** `s['p']` is a field, `xs[0]` an element. */
const ofSubscript: Finder = ({ trace, scope }, body, node) => {
  const taken = partTaken(trace, node, scope);
  return taken || isText(body.index) ? (taken?.parts ?? null) : partsOf(trace, body.this, scope);
};

/** Snowflake's `s:p.q`. */
const ofPath: Finder = ({ trace, scope }, _body, node) =>
  partTaken(trace, node, scope)?.parts ?? null;

const ofFunction: Finder = (within, body) => {
  const name = (textAt(body, 'name') ?? '').toLowerCase();
  const args = listAt(body, 'args');
  if (name === 'struct' || name === 'row' || name === 'struct_pack' || name === 'tuple') {
    return relationOf(args.map((argument, i) => fieldOf(within, argument, i)));
  }
  if (
    /^(?:named_struct|object_construct(?:_keep_null)?|json(?:b)?_build_object|json_object)$/.test(
      name,
    )
  ) {
    return ofPairs(within, args);
  }
  // What gives one of the values, or all of them as an array.
  if (TAKES_FIRST.test(name)) return through(within, args[0], body);
  if (/^(?:coalesce|ifnull|nvl|array|list_value)$/.test(name)) return either(within, args);
  if (name === 'if' || name === 'iff') return conditional(within, [args[0]], args.slice(1));
  return null;
};

const TAKES_FIRST =
  /^(?:array_?agg|list|collect_(?:list|set)|any_value|first|last|first_value|last_value|arbitrary|min_by|max_by|arg_m(?:in|ax)|array_(?:concat|reverse|distinct|sort)|element_at|explode(?:_outer)?|posexplode|unnest|flatten|list_\w+|parse_json|to_variant)$/;

/** A part of the value of an aggregate or a condition: what decides about the whole decides about each part. */
function decidedBy(
  within: Within,
  relation: Relation | null,
  nodes: readonly unknown[],
  use: Uses,
): Relation | null {
  const deciding = nodes.filter(Boolean).map((node) => sourcesOf(within.trace, node, within.scope));
  if (!relation || deciding.every(({ size }) => size === 0)) return relation;
  const columns = relation.columns.map((column) => {
    const sources = new Map<ColumnSource, Uses>(column.sources);
    for (const each of deciding)
      for (const source of each.keys()) sources.set(source, (sources.get(source) ?? 0) | use);
    return { ...column, sources };
  });
  return { columns, open: relation.open };
}

const AGGREGATED = usesOf('AGGREGATION');

function through(within: Within, value: unknown, body: Node): Relation | null {
  const parts = partsOf(within.trace, value, within.scope);
  if (!parts) return null;
  const columns = parts.columns.map((column) => {
    const sources = new Map<ColumnSource, Uses>();
    addSources(sources, column.sources, AGGREGATED);
    return { ...column, sources };
  });
  const rest = listAt(body, 'args').slice(1);
  const sorted = decidedBy(
    within,
    { columns, open: parts.open },
    [body.order_by, ...rest, body.having_max].flat(),
    usesOf('SORT'),
  );
  return decidedBy(within, sorted, [body.filter], usesOf('FILTER'));
}

const ofAggregate: Finder = (within, body) =>
  through(within, body.this ?? listAt(body, 'args')[0], body);

/** The parts of one of several values; null where one of them has parts that are not known. */
function either(within: Within, values: readonly unknown[]): Relation | null {
  let all: Relation | null = null;
  for (const value of values) {
    if (isNothing(value)) continue;
    const parts = partsOf(within.trace, value, within.scope);
    if (!parts) return null;
    all = all ? merged(all, parts, false) : parts;
  }
  return all;
}

function isNothing(value: unknown): boolean {
  const inner = unwrap(value);
  return kindOf(inner) === null || kindOf(inner) === 'null';
}

function conditional(
  within: Within,
  conditions: readonly unknown[],
  values: readonly unknown[],
): Relation | null {
  return decidedBy(within, either(within, values), conditions, usesOf('CONDITIONAL'));
}

const ofCase: Finder = (within, body) => {
  const whens = listAt(body, 'whens').filter((when): when is unknown[] => Array.isArray(when));
  const conditions = whens.map(([condition]) => condition);
  const values = [...whens.map(([, value]) => value), body.else_, body.else];
  return conditional(within, [body.operand, ...conditions], values);
};

const ofIf: Finder = (within, body) =>
  conditional(within, [body.condition], [body.true_value, body.false_value]);

/** `STRUCT(a AS p, b)`, `struct_pack(p := a)`. */
function fieldOf(within: Within, argument: unknown, place: number): Column {
  const body = bodyOf(argument);
  const isNamed = kindOf(argument) === 'named_argument';
  const isAlias = kindOf(argument) === 'alias';
  const value = isNamed ? body.value : isAlias ? body.this : argument;
  const given = isNamed ? identifierOf(body.name) : isAlias ? identifierOf(body.alias) : null;
  const own = columnPath(value)?.at(-1) ?? { name: `_${place + 1}`, quoted: false };
  return columnOf(within, given ?? own, value);
}

function columnOf({ trace, scope }: Within, name: Identifier, value: unknown): Column {
  const reference = referenceOf(trace, value, scope);
  const sources = reference?.sources ?? sourcesOf(trace, value, scope);
  return { name, sources, expression: null, parts: partsOf(trace, value, scope) };
}

/** `named_struct('p', a, 'q', b)`. */
function ofPairs(within: Within, args: readonly unknown[]): Relation | null {
  const columns: Column[] = [];
  for (let i = 0; i + 1 < args.length; i += 2) {
    const name = kindOf(args[i]) === 'literal' ? identifierOf(args[i]) : null;
    if (!name) return null;
    columns.push(columnOf(within, { ...name, quoted: false }, args[i + 1]));
  }
  return relationOf(columns);
}

/** DuckDB's `{'p': a}`. */
const ofMap: Finder = (within, body) => {
  const values = listAt(body, 'values');
  const pairs = listAt(body, 'keys').flatMap((key, i) => {
    const name = identifierOf(key);
    return name ? [columnOf(within, { ...name, quoted: false }, values[i])] : [];
  });
  return pairs.length === values.length ? relationOf(pairs) : null;
};

/** `CAST(ROW(a, b) AS ROW(p INT, q INT))` gives the parts other names, by their places. */
const ofCast: Finder = ({ trace, scope }, body) => {
  const parts = partsOf(trace, body.this, scope);
  const names = listAt(at(body, 'to'), 'fields').map((field) =>
    identifierOf(at({ field }, 'field').name),
  );
  if (!parts || names.length === 0) return parts;
  return relationOf(
    parts.columns.map((column, i) => ({ ...column, name: names[i] ?? column.name })),
  );
};

/** BigQuery's `(a, b)` is a struct without names. */
const ofTuple: Finder = (within, body) =>
  relationOf(listAt(body, 'expressions').map((each, i) => fieldOf(within, each, i)));

const ofArray: Finder = (within, body) => either(within, listAt(body, 'expressions'));

const mostQueries = 50;
const queries = new WeakMap<Trace, number>();

/** `(SELECT AS STRUCT a, b FROM t)` has its columns for parts; a plain query those of its only column. */
const ofQuery: Finder = ({ trace, scope }, _body, node) => {
  const query = unwrap(node);
  const asked = (queries.get(trace) ?? 0) + 1;
  queries.set(trace, asked);
  // Each is traced once more for its parts, and so is what is nested in it.
  if (asked > mostQueries) return null;
  const relation = traceQuery(trace, node, inside(scope));
  if (textAt(bodyOf(query), 'kind')?.toUpperCase() === 'STRUCT') return relation;
  return relation.columns.length === 1 ? (relation.columns[0]?.parts ?? null) : null;
};

function relationOf(columns: readonly Column[]): Relation | null {
  return columns.length > 0 ? { columns, open: [] } : null;
}

const FINDERS = new Map<string, Finder>([
  ['paren', inThis],
  ['annotated', inThis],
  ['alias', inThis],
  ['cast', ofCast],
  ['try_cast', ofCast],
  ['safe_cast', ofCast],
  ['column', ofReference],
  ['dot', ofReference],
  ['subscript', ofSubscript],
  ['j_s_o_n_extract', ofPath],
  ['function', ofFunction],
  ['aggregate_function', ofFunction],
  ['array_agg', ofAggregate],
  ['any_value', ofAggregate],
  ['first_value', ofAggregate],
  ['first', ofAggregate],
  ['last', ofAggregate],
  ['explode', inThis],
  ['explode_outer', inThis],
  ['unnest', inThis],
  ['if_func', ofIf],
  ['case', ofCase],
  ['coalesce', (within, body) => either(within, listAt(body, 'expressions'))],
  ['map_func', ofMap],
  ['array_func', ofArray],
  ['array', ofArray],
  ['tuple', ofTuple],
  ['subquery', ofQuery],
]);
