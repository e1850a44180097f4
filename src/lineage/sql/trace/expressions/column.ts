// Resolves a column reference: which item of which scope it names, and what it is made of.
import type { Identifier } from '../../node.ts';
import {
  addSources,
  allSources,
  anyColumn,
  asTheyAre,
  type Column,
  type ColumnSource,
  NOTHING,
  namedColumn,
  openColumn,
  type Relation,
  type Sources,
} from '../../scope/relation.ts';
import { type Item, isNamed, type Scope, sameName } from '../../scope/scope.ts';
import type { Uses } from '../../scope/use.ts';
import { isTemplate } from '../../tokens/templated.ts';
import { missing, type Trace } from '../trace.ts';
import { atPosition, behindAlias, external, variable } from './column-reference.ts';
import { sourcesOf } from './expression.ts';

/** What a reference means: its sources, and the column it hands on when it is one as it is. */
export interface FoundColumn {
  readonly sources: Sources;
  readonly column?: Column | undefined;
  /** What follows the column: a path into a struct. */
  readonly fields?: readonly Identifier[] | undefined;
}

const MOST_NESTED = 300;
const NO_COLUMN: FoundColumn = { sources: NOTHING };
const ONE_PART = [resolveKnownHead, resolveOpen];

/**
 * What a reference of one or more parts means. Scopes are searched from the inside out; in each, a
 * qualifier goes first, then (for what has no qualifier, or whose head is a struct column) the
 * columns. What can't be determined is reported and travels on as missing.
 */
export function resolveColumn(
  trace: Trace,
  written: readonly Identifier[],
  from: Scope,
): FoundColumn {
  const path = takenApart(trace, written);
  const head = path[0];
  if (!head) return NO_COLUMN;
  if (isTemplate(head.name) && path.length === 1) return external(trace, path);
  if (isNoColumn(trace, path)) {
    const filled = variable(trace, path);
    return filled ?? (/^[@:](?!@)/.test(head.name) ? external(trace, path) : NO_COLUMN);
  }
  const ordinal = trace.dialect.name === 'duckdb' ? /^#(\d+)$/.exec(head.name)?.[1] : undefined;
  if (ordinal) return atPosition(trace, path, Number(ordinal), from);
  // A qualifier may belong to an outer query; only when none does may it be a struct of a table
  // whose columns aren't known.
  const steps =
    path.length > 1
      ? [[resolveQualified, resolveKnownHead], trace.dialect.fieldPaths ? [resolveOpen] : []]
      : [ONE_PART];
  for (const step of steps) {
    let scope: Scope | null = from;
    for (let depth = 0; scope && depth < MOST_NESTED; depth++) {
      if (scope.parameters.has(head.name.toLowerCase())) return NO_COLUMN;
      for (const resolve of step) {
        const found = resolve(trace, path, scope);
        if (found) return found;
      }
      scope = scope.outer;
    }
  }
  const filled = variable(trace, path);
  if (filled) return filled;
  if (/^metadata\$file/i.test(head.name)) return external(trace, path);
  if (isValue(trace, head)) return NO_COLUMN;
  const hidden = behindAlias(trace, path, from);
  return hidden ?? { sources: asTheyAre([missing(trace, path, 'UNKNOWN')]) };
}

/** BigQuery's `` `p.d.t`.a ``: one pair of backticks around a whole qualifier. */
function takenApart({ dialect }: Trace, path: readonly Identifier[]): readonly Identifier[] {
  const [head, ...rest] = path;
  const isPath = dialect.name === 'bigquery' && head?.quoted && rest.length > 0;
  if (!isPath || !head.name.includes('.')) return path;
  return [...head.name.split('.').map((name) => ({ name, quoted: true })), ...rest];
}

/** A qualifier of up to four parts before the column; what follows it is a path into a struct. */
function resolveQualified(
  trace: Trace,
  path: readonly Identifier[],
  scope: Scope,
): FoundColumn | null {
  for (let length = Math.min(4, path.length - 1); length >= 1; length--) {
    const qualifier = path.slice(0, length);
    const item = scope.items.find((each) => isNamed(each, qualifier));
    const name = path[length];
    if (!item || !name) continue;
    const found = columnOfItem(trace, item, name);
    if (found) return followed(trace, found, path.slice(length + 1));
    // `x.field` of `UNNEST(xs) AS x` is a path into the value, not a column of a table.
    if (item.value && item.rest) return { sources: item.rest };
    const tables = item.relation.open.flatMap((star) => star.tables);
    const unknown = missing(trace, path.slice(0, length + 1), 'UNKNOWN', tables);
    return { sources: asTheyAre([unknown]) };
  }
  return null;
}

/** Among what is surely there: shared columns, known ones, aliases, values and whole rows. */
function resolveKnownHead(
  trace: Trace,
  path: readonly Identifier[],
  scope: Scope,
): FoundColumn | null {
  const head = path[0];
  if (!head) return null;
  const key = head.name.toLowerCase();

  const sharing = scope.shared.get(key);
  if (sharing) return { sources: sharedSources(trace, sharing, head) };

  const known = resolveKnown(trace, head, scope);
  if (known) return followed(trace, known, path.slice(1));

  const alias = scope.seesAliases && path.length === 1 ? scope.aliases.get(key) : undefined;
  if (alias) return { sources: alias.sources, column: alias };

  const value = scope.items.find((item) => item.value && sameName(item.value, head));
  if (value) {
    const { rest, relation } = value;
    const column = { name: head, sources: rest ?? NOTHING, expression: null, parts: relation };
    return followed(trace, { sources: column.sources, column }, path.slice(1));
  }

  const scalar = resolveScalar(trace, key, scope);
  if (scalar) return scalar;
  const row = trace.dialect.wholeRow ? wholeRow(head, scope) : undefined;
  return row ? followed(trace, { sources: row.sources, column: row }, path.slice(1)) : null;
}

/** What is found along a path of fields: each is a part of the value before, as far as its parts are known. */
function followed(trace: Trace, found: FoundColumn, fields: readonly Identifier[]): FoundColumn {
  let { column, sources } = found;
  let rest = fields;
  for (let field = rest[0]; field && column?.parts; field = rest[0]) {
    const part = namedColumn(trace.dialect, column.parts, field);
    if (!part) break;
    column = part;
    sources = part.sources;
    rest = rest.slice(1);
  }
  return { sources, column, fields: rest };
}

/** The parts of what was found, where nothing is left of the path to it. */
export function partsOfFound({ column, fields = [] }: FoundColumn): Relation | null {
  return fields.length === 0 ? (column?.parts ?? null) : null;
}

/** ClickHouse's `WITH 1 AS x`: a CTE used as a value. */
function resolveScalar(trace: Trace, key: string, scope: Scope): FoundColumn | null {
  const cte = scope.ctes.get(key);
  if (!cte || !(cte.scalar || trace.dialect.name === 'clickhouse')) return null;
  if (cte.expression !== undefined) {
    // It may be made of columns of this query, one of which may have its own name.
    const ctes = new Map(scope.ctes);
    ctes.delete(key);
    return { sources: sourcesOf(trace, cte.expression, { ...scope, ctes }) };
  }
  const column = cte.relation.columns[0];
  return column ? { sources: column.sources, column } : null;
}

/** Among the columns that are known: one item has it, or several do and it is ambiguous. */
function resolveKnown(trace: Trace, head: Identifier, scope: Scope): FoundColumn | null {
  const holders: { item: Item; column: Column }[] = [];
  for (const item of scope.items) {
    const column = item.hidden ? undefined : namedColumn(trace.dialect, item.relation, head);
    if (column) holders.push({ item, column });
  }
  const [first, second] = holders;
  if (!first) return null;
  if (!second) return { sources: first.column.sources, column: first.column };
  const exact = holders.filter(({ column }) => column.name.name === head.name);
  const [only, another] = exact;
  if (only && !another) return { sources: only.column.sources, column: only.column };
  // What a table function makes hides a column of the same name, as in `FROM t, UNNEST(t.x) AS x`.
  const made = holders.find(({ item }) => item.rest);
  if (made) return { sources: made.column.sources, column: made.column };
  const sources = holders.flatMap(({ column }) => [...column.sources.keys()]);
  const tables = sources.flatMap((source) => ('missing' in source ? [] : [source.table]));
  return { sources: asTheyAre([missing(trace, [head], 'AMBIGUOUS', [...new Set(tables)])]) };
}

/** A table or its alias as an expression: every column of it. */
function wholeRow(head: Identifier, scope: Scope): Column | undefined {
  // A table without alias whose columns aren't known may rather have a column of its own name.
  const item = scope.items.find(
    ({ alias, path, relation }) =>
      alias && sameName(alias, head) && (!path || relation.open.length === 0),
  );
  if (!item) return undefined;
  const all = allSources(item.relation);
  if (item.rest) addSources(all, item.rest);
  return { name: head, sources: all, expression: null, parts: item.relation };
}

/** Among the items whose columns aren't known: the only one has it, of several none is picked. */
function resolveOpen(trace: Trace, path: readonly Identifier[], scope: Scope): FoundColumn | null {
  const head = path[0];
  if (!head || isValue(trace, head)) return null;
  const open = scope.items.filter(
    (item) => !item.hidden && openColumn(item.relation.open, head) !== undefined,
  );
  const [only, another] = open;
  if (only && !another) {
    const sources = openColumn(only.relation.open, head) ?? NOTHING;
    return { sources: registered(trace, sources) };
  }
  if (only) {
    if (scope.outer && outerKnows(trace, head, scope.outer)) return null;
    const tables = open.flatMap((item) => item.relation.open.flatMap((star) => star.tables));
    return { sources: asTheyAre([missing(trace, [head], 'AMBIGUOUS', [...new Set(tables)])]) };
  }
  const made = scope.items.filter(
    (item) => !item.hidden && ((item.rest && !item.value) || anyColumn(item.relation)),
  );
  const [maker, other] = made;
  if (!maker || other || (scope.outer && outerKnows(trace, head, scope.outer))) return null;
  return { sources: maker.rest ?? anyColumn(maker.relation) ?? NOTHING };
}

function outerKnows(trace: Trace, head: Identifier, from: Scope): boolean {
  for (let scope: Scope | null = from; scope; scope = scope.outer) {
    const knows = scope.items.some((item) => namedColumn(trace.dialect, item.relation, head));
    if (knows) return true;
  }
  return false;
}

/** A column of one item, or undefined when it surely has none of that name. */
export function columnOfItem(trace: Trace, item: Item, name: Identifier): FoundColumn | undefined {
  const position = /^\$(\d+)$/.exec(name.name)?.[1];
  const byPosition = position ? item.relation.columns[Number(position) - 1] : undefined;
  const column = byPosition ?? namedColumn(trace.dialect, item.relation, name);
  if (column) return { sources: column.sources, column };
  if (name.name === '*') return { sources: allSources(item.relation) };
  const open = openColumn(item.relation.open, name);
  if (open) return { sources: registered(trace, open) };
  const rest = item.rest ?? anyColumn(item.relation);
  return rest ? { sources: rest } : undefined;
}

/** What all sides of a USING or NATURAL join hold under one name. */
export function sharedSources(trace: Trace, items: Iterable<Item>, name: Identifier): Sources {
  const all = new Map<ColumnSource, Uses>();
  for (const item of items) addSources(all, columnOfItem(trace, item, name)?.sources ?? NOTHING);
  return all;
}

/** Missing columns made deep below become the trace's own, so that they are reported once. */
function registered(trace: Trace, sources: Sources): Sources {
  const [first] = sources.keys();
  if (!first || !('missing' in first)) return sources;
  return asTheyAre([missing(trace, first.path, first.reason, first.candidates)]);
}

/** Parameters (`@x`) and sequences (`seq.nextval`) are written like columns. */
function isNoColumn(trace: Trace, path: readonly Identifier[]): boolean {
  const head = path[0];
  const last = path.at(-1);
  if (!head || !last || head.quoted) return false;
  if (head.name.startsWith('@') || head.name.startsWith(':')) return true;
  if (path.length < 2) return false;
  const name = last.name.toLowerCase();
  if (trace.dialect.name === 'oracle' || trace.dialect.name === 'snowflake') {
    return name === 'nextval' || name === 'currval';
  }
  return false;
}

/**
 * Whether a name stands for a value of its own, a variable or a word such as SYSDATE, unless a
 * table is known to have a column of that name.
 */
function isValue(trace: Trace, name: Identifier): boolean {
  if (name.quoted) return false;
  const key = name.name.toLowerCase();
  if (trace.variables.has(key) || trace.filled.has(key)) return true;
  return trace.dialect.values.has(key);
}
