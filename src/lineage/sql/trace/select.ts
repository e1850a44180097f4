// Traces one SELECT: its FROM, its select list, and the clauses that decide about its rows.
import type { IndirectUse } from '../answer.ts';
import {
  at,
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
import { type OutputPlace, outputName, ownName } from '../scope/output-name.ts';
import {
  allSources,
  type Column,
  NOTHING,
  namedColumn,
  type OpenStar,
  openColumn,
  type Relation,
  type Sources,
} from '../scope/relation.ts';
import { newItem, openScope, type Scope, type ScopeSurroundings } from '../scope/scope.ts';
import { traceCtes } from './cte.ts';
import { partsOfFound } from './expressions/column.ts';
import { holdsAggregate } from './expressions/deciding.ts';
import { collect, referenceOf, sourcesOf } from './expressions/expression.ts';
import { partsOf } from './expressions/value-parts.ts';
import { expandStarOf, fieldColumns } from './field-columns.ts';
import { readFrom } from './from.ts';
import { expandColumnsFunction, expandStar, expandStarLike, ofEachColumn, starOf } from './star.ts';
import { addIndirect, assign, type Trace } from './trace.ts';

/** Trace a SELECT and give its columns. */
export function traceSelect(trace: Trace, body: Node, around: ScopeSurroundings): Relation {
  const within = { ctes: traceCtes(trace, at(body, 'with'), around), outer: around.outer };
  const scope = openScope(within, trace.dialect.lateralAlias);
  readFrom(trace, body, scope, within);
  nameWindows(trace, listAt(body.group_by, 'expressions'), scope);
  for (const window of listAt(body, 'windows')) {
    const name = identifierOf(at(window, 'name'));
    if (name && isNode(window)) scope.windows.set(name.name.toLowerCase(), window.spec);
  }
  const relation = traceSelectList(trace, listAt(body, 'expressions'), scope);
  traceClauses(trace, body, scope, relation);
  return without(relation, identifiersAt(body, 'exclude'));
}

/** Spark's `GROUP BY window(ts, '1 hour')` makes the column `window`, a struct of its bounds. */
function nameWindows(trace: Trace, keys: readonly unknown[], scope: Scope): void {
  if (!/^(?:spark|databricks)$/.test(trace.dialect.name)) return;
  for (const key of keys) {
    const name = kindOf(key) === 'function' ? textAt(bodyOf(key), 'name') : null;
    const own = name && /^(?:session_)?window$/i.test(name) ? { name, quoted: false } : null;
    if (!own) continue;
    const rest = sourcesOf(trace, key, scope);
    const column = { name: own, sources: rest, expression: key };
    const relation = { columns: [column], open: [] };
    scope.items.push(newItem(relation, own, { rest, hidden: true }));
  }
}

/** The columns of a select list, or of a RETURNING list. */
export function traceSelectList(trace: Trace, list: readonly unknown[], scope: Scope): Relation {
  const columns: Column[] = [];
  const open: OpenStar[] = [];
  const add = (relation: Relation) => {
    for (const star of relation.open) open.push({ ...star, at: star.at + columns.length });
    columns.push(...relation.columns);
  };
  let unnamed = 0;
  list.forEach((item, i) => {
    const star = starOf(item);
    const like = star
      ? null
      : (expandStarLike(trace, item, scope) ??
        expandStarOf(trace, item, scope) ??
        fieldColumns(trace, item, scope));
    if (star) add(expandStar(trace, star, scope));
    else if (like) add(like);
    else if (kindOf(item) === 'function' && /^columns$/i.test(textAt(bodyOf(item), 'name') ?? '')) {
      add(expandColumnsFunction(bodyOf(item), scope));
    } else {
      const place = { position: i, unnamed };
      if (trace.dialect.unnamed === 'f0_' && isUnnamed(trace, item)) unnamed++;
      for (const each of ofEachColumn(trace, item, scope)) {
        for (const column of traceItem(trace, each, place, scope)) columns.push(column);
      }
    }
  });
  return { columns, open };
}

/** Whether the engine has to make up a name for an item. */
function isUnnamed(trace: Trace, item: unknown): boolean {
  return namesOf(trace, item).names === null && ownName(trace.dialect, item) === null;
}

function traceItem(trace: Trace, item: unknown, place: OutputPlace, scope: Scope): Column[] {
  const { expression, names } = namesOf(trace, item);
  if (names?.[0]?.name.startsWith('@') && !names[0].quoted) {
    const name = names[0];
    assign(trace, name, sourcesOf(trace, expression, scope), expression);
    return [];
  }
  const reference = referenceOf(trace, expression, scope);
  const sources = reference?.sources ?? sourcesOf(trace, expression, scope);
  const made = reference ? (reference.column?.expression ?? null) : expression;
  const parts = reference ? partsOfFound(reference) : partsOf(trace, expression, scope);
  if (!names) {
    const name = outputName(trace.dialect, expression, place);
    return [{ name, sources, expression: made, parts }];
  }
  return names.map((name) => {
    const column = { name, sources, expression: made, parts };
    const key = name.name.toLowerCase();
    if (!scope.aliases.has(key)) scope.aliases.set(key, column);
    return column;
  });
}

/** An item without its alias, and the names given to it; null when it was given none. */
function namesOf(trace: Trace, item: unknown): { expression: unknown; names: Identifier[] | null } {
  const kind = kindOf(item);
  const body = bodyOf(item);
  if (kind === 'alias' || kind === 'aliases') {
    const several = identifiersAt(body, kind === 'alias' ? 'column_aliases' : 'expressions');
    const one = identifierOf(body.alias);
    const names = several.length > 0 ? several : one ? [one] : null;
    return { expression: body.this, names };
  }
  // Spark's `TRANSFORM (a, b) USING 'script' AS (x, y)`.
  if (kind === 'query_transform') {
    const names = listAt(bodyOf(body.schema), 'expressions').map((each) =>
      identifierOf(bodyOf(each)),
    );
    const given = names.filter((name) => name !== null);
    return { expression: body.expressions, names: given.length > 0 ? given : null };
  }
  // T-SQL: `SELECT total = a + b`, and `SELECT @total = a + b`, which gives no column.
  if (kind === 'eq' && trace.dialect.name === 'tsql') {
    const path = kindOf(body.left) === 'column' ? columnPath(body.left) : null;
    const [name, more] = path ?? [];
    if (name && !more) return { expression: body.right, names: [name] };
  }
  return { expression: item, names: null };
}

function traceClauses(trace: Trace, body: Node, scope: Scope, relation: Relation): void {
  const note = (node: unknown, use: IndirectUse) => {
    if (node) addIndirect(trace, sourcesOf(trace, node, scope), use);
  };
  note(body.where_clause, 'FILTER');
  note(body.prewhere, 'FILTER');
  note(body.connect, 'FILTER');
  // From here on aliases may be used in every dialect that allows them at all.
  scope.seesAliases = true;
  note(body.having, 'FILTER');
  note(body.qualify, 'FILTER');
  const keys = listAt(body.group_by, 'expressions');
  if (isSet(body.group_by, 'all') || (keys.length === 1 && isAll(keys[0]))) {
    const all = listAt(body, 'expressions').filter((item) => !holdsAggregate(item));
    note(all, 'GROUP_BY');
  } else noteKeys(trace, keys, scope, relation, 'GROUP_BY');
  noteKeys(trace, listAt(body, 'distinct_on'), scope, relation, 'GROUP_BY');
  // Whole rows are compared: each column decides which of them are left.
  if (isSet(body, 'distinct') && listAt(body, 'distinct_on').length === 0) {
    addIndirect(trace, allSources(relation), 'GROUP_BY');
  }
  noteKeys(trace, listAt(body, 'limit_by'), scope, relation, 'GROUP_BY');
  for (const clause of ['order_by', 'sort_by', 'distribute_by', 'cluster_by']) {
    noteKeys(trace, listAt(body[clause], 'expressions'), scope, relation, 'SORT');
  }
  const limit = isAll(at(body, 'limit').this) ? null : body.limit;
  const aside = [limit, body.offset, body.top, body.fetch];
  collect(trace, aside, scope, new Map());
}

/** `GROUP BY ALL` is by all that is no aggregate, and LIMIT ALL is none. */
function isAll(key: unknown): boolean {
  const [name, more] = kindOf(key) === 'column' ? (columnPath(key) ?? []) : [];
  return name !== undefined && !more && !name.quoted && name.name.toLowerCase() === 'all';
}

/**
 * Keys to group or sort by. A number is a position in the select list. A bare name means an
 * output column first when sorting, an input column first when grouping.
 */
export function noteKeys(
  trace: Trace,
  keys: readonly unknown[],
  scope: Scope,
  relation: Relation,
  use: IndirectUse,
): void {
  for (const key of keys) {
    const ordered = kindOf(key) === 'ordered' ? bodyOf(key) : key;
    const plain = isNode(ordered) && 'desc' in ordered ? ordered.this : key;
    addIndirect(trace, keySources(trace, plain, scope, relation, use), use);
  }
}

function keySources(
  trace: Trace,
  key: unknown,
  scope: Scope,
  relation: Relation,
  use: IndirectUse,
): Sources {
  const kind = kindOf(key);
  if (kind === 'literal') {
    const position = Number(textAt(bodyOf(key), 'value'));
    return relation.columns[position - 1]?.sources ?? NOTHING;
  }
  const path = kind === 'column' ? columnPath(key) : null;
  const [name, more] = path ?? [];
  if (name && !more) {
    const alias = scope.aliases.get(name.name.toLowerCase());
    if (alias && use === 'SORT') return alias.sources;
    // What several tables have, or may have, means the output of that name.
    const output = namedColumn(trace.dialect, relation, name);
    const holders = scope.items.filter(
      ({ hidden, relation: given }) =>
        !hidden && (namedColumn(trace.dialect, given, name) || openColumn(given.open, name)),
    );
    const isShared = scope.shared.has(name.name.toLowerCase());
    if (output && holders.length > 1 && !isShared) return output.sources;
    // GROUP BY ALL names no column.
    if (name.name.toLowerCase() === 'all' && !name.quoted) return NOTHING;
  }
  return sourcesOf(trace, key, scope);
}

/** Redshift's `SELECT * EXCLUDE a FROM t`. */
function without(relation: Relation, names: readonly Identifier[]): Relation {
  if (names.length === 0) return relation;
  const gone = new Set(names.map((name) => name.name.toLowerCase()));
  const columns = relation.columns.filter((column) => !gone.has(column.name.name.toLowerCase()));
  const open = relation.open.map((star) => ({
    ...star,
    except: new Set([...star.except, ...gone]),
  }));
  return { columns, open };
}
