// Turns the last item of a scope into what PIVOT or UNPIVOT makes of it.

import {
  bodyOf,
  columnPath,
  type Identifier,
  identifierOf,
  identifiersAt,
  isSet,
  kindOf,
  listAt,
  type Node,
  textAt,
  walk,
} from '../node.ts';
import {
  addSources,
  type Column,
  type ColumnSource,
  type OpenStar,
  openColumn,
  type Relation,
  renamed,
  type Sources,
} from '../scope/relation.ts';
import type { Item, Scope } from '../scope/scope.ts';
import type { Uses } from '../scope/use.ts';
import { sourcesOf } from './expressions/expression.ts';
import { addIndirect, type Trace } from './trace.ts';

/** Apply a pivot to the item before it. Columns that it doesn't use go through. */
export function applyPivot(trace: Trace, kind: string | null, body: Node, scope: Scope): void {
  const item = scope.items.at(-1);
  if (!item) return;
  const within: Scope = { ...scope, items: [item] };
  const unpivots = kind === 'unpivot' || isSet(body, 'unpivot') || isSet(body, 'value_column');
  const made = unpivots ? unpivot(trace, body, item, within) : pivot(trace, body, item, within);
  const names = [...identifiersAt(body, 'alias_columns'), ...identifiersAt(body, 'column_aliases')];
  item.relation = renamed(made.relation, names);
  item.rest = made.rest;
  const alias = identifierOf(body.alias);
  if (alias) {
    item.alias = alias;
    item.path = null;
  }
}

interface Made {
  readonly relation: Relation;
  /** What a column is made of whose name can't be determined from the text. */
  readonly rest: Sources | null;
}

/** Each value of the pivoted column becomes a column of each aggregate. */
function pivot(trace: Trace, body: Node, item: Item, within: Scope): Made {
  // The standalone form says ON a, b USING sum(c) GROUP BY d.
  const isStatement = listAt(body, 'using').length > 0 || listAt(body, 'fields').length === 0;
  const aggregates = listAt(body, isStatement ? 'using' : 'expressions');
  const fields = listAt(body, isStatement ? 'expressions' : 'fields');
  const used = usedNames([aggregates, fields.map((field) => inParts(field).over)]);
  const each = aggregates.map((aggregate) => ({
    sources: sourcesOf(trace, aggregate, within),
    alias: kindOf(aggregate) === 'alias' ? identifierOf(bodyOf(aggregate).alias) : null,
    expression: aggregate,
  }));
  const rest = new Map<ColumnSource, Uses>();
  for (const { sources } of each) addSources(rest, sources);

  const columns: Column[] = [];
  for (const field of fields) {
    const { over, values } = inParts(field);
    addIndirect(trace, sourcesOf(trace, over, within), 'GROUP_BY');
    for (const value of values) {
      const name = valueName(value);
      if (!name) continue;
      for (const aggregate of each) {
        columns.push({ ...aggregate, name: pivotName(trace, name, aggregate, each.length) });
      }
    }
  }
  // Values that the text doesn't list give columns that can't be named.
  if (columns.length === 0 && rest.size > 0) {
    columns.push({ name: { name: '*', quoted: false }, sources: rest, expression: null });
  }
  const group = body.group ? usedNames(body.group) : null;
  const kept = without(item.relation.columns, used).filter(
    (column) => group === null || group.has(column.name.name.toLowerCase()),
  );
  const open = group ? [] : item.relation.open.map((star) => closed(star, used));
  const named = group ? keptByGroup(item, group, kept) : kept;
  return { relation: { columns: [...named, ...columns], open }, rest };
}

/** GROUP BY names columns also of a table whose columns aren't known. */
function keptByGroup(item: Item, group: ReadonlySet<string>, kept: readonly Column[]): Column[] {
  const has = (name: string) => kept.some((column) => column.name.name.toLowerCase() === name);
  const more = [...group]
    .filter((name) => !has(name))
    .map((text) => ({ name: text, quoted: false }))
    .map((name) => ({ name, sources: openColumn(item.relation.open, name) }))
    .flatMap(({ name, sources }) => (sources ? [{ name, sources, expression: null }] : []));
  return [...kept, ...more];
}

function pivotName(
  trace: Trace,
  value: Identifier,
  aggregate: { alias: Identifier | null },
  count: number,
): Identifier {
  if (!aggregate.alias) return value;
  // BigQuery puts the aggregate's alias first; others last, and DuckDB and Spark only if several.
  if (trace.dialect.name === 'bigquery') {
    return { name: `${aggregate.alias.name}_${value.name}`, quoted: value.quoted };
  }
  const single = trace.dialect.name === 'spark' || trace.dialect.name === 'databricks';
  if (single && count === 1) return value;
  return { name: `${value.name}_${aggregate.alias.name}`, quoted: value.quoted };
}

/** `column IN (values)` of a pivot. */
function inParts(field: unknown): { over: unknown; values: readonly unknown[] } {
  const body = bodyOf(field);
  if (kindOf(field) === 'in') return { over: body.this, values: listAt(body, 'expressions') };
  return { over: field, values: [] };
}

/** Each listed column becomes a row: its name in one new column, its value in another. */
function unpivot(trace: Trace, body: Node, item: Item, within: Scope): Made {
  const into = bodyOf(body.into);
  const isStatement = isSet(body, 'into');
  const listed = isStatement
    ? listAt(body, 'expressions')
    : [...listAt(body, 'columns'), ...listAt(body, 'fields')];
  const nameColumn = identifierOf(isStatement ? into.this : body.name_column);
  const values = isStatement
    ? identifiersAt(into, 'expressions')
    : [identifierOf(body.value_column), ...identifiersAt(body, 'extra_value_columns')];
  const targets = values.filter((name) => name !== null);

  const all = new Map<ColumnSource, Uses>();
  const each = targets.map(() => new Map<ColumnSource, Uses>());
  for (const entry of listed) {
    const inner = kindOf(entry) === 'pivot_alias' ? bodyOf(entry).this : entry;
    const tuple = kindOf(inner) === 'tuple' ? listAt(bodyOf(inner), 'expressions') : [inner];
    const aligned = tuple.length === targets.length;
    for (const [i, sources] of each.entries()) {
      addSources(sources, sourcesOf(trace, aligned ? tuple[i] : inner, within));
    }
    addSources(all, sourcesOf(trace, inner, within));
  }
  const used = usedNames(listed);
  const made: Column[] = targets.map((name, i) => ({
    name,
    sources: each[i] ?? all,
    expression: null,
  }));
  // The name column holds which of the listed columns the row came from.
  if (nameColumn) made.unshift({ name: nameColumn, sources: all, expression: null });
  const columns = [...without(item.relation.columns, used), ...made];
  const open = item.relation.open.map((star) => closed(star, used));
  return { relation: { columns, open }, rest: null };
}

/** The columns an expression names, in lower case; the aliases given to them are none. */
function usedNames(root: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: unknown) => {
    if (kindOf(node) === 'pivot_alias') visit(bodyOf(node).this);
    else if (Array.isArray(node)) for (const each of node) visit(each);
    else {
      walk(node, (value) => {
        if (kindOf(value) !== 'column') return;
        const name = columnPath(value)?.at(-1);
        if (name) names.add(name.name.toLowerCase());
      });
    }
  };
  visit(root);
  return names;
}

function without(columns: readonly Column[], used: ReadonlySet<string>): Column[] {
  return columns.filter((column) => !used.has(column.name.name.toLowerCase()));
}

function closed(star: OpenStar, used: ReadonlySet<string>): OpenStar {
  return { ...star, except: new Set([...star.except, ...used]) };
}

/** What a pivoted value is called: its alias, or the value itself. */
function valueName(value: unknown): Identifier | null {
  const kind = kindOf(value);
  const body = bodyOf(value);
  if (kind === 'alias' || kind === 'pivot_alias') return identifierOf(body.alias);
  if (kind === 'literal') return { name: textAt(body, 'value') ?? '', quoted: true };
  if (kind === 'column' || kind === 'identifier') return identifierOf(body);
  if (kind !== 'tuple') return null;
  const parts = listAt(body, 'expressions').map((part) => valueName(part)?.name ?? '');
  return { name: parts.join('_'), quoted: true };
}
