// Expands stars of a select list into the columns that are known, and leaves the rest open.

import {
  bodyOf,
  columnPath,
  type Identifier,
  identifierOf,
  isNode,
  kindOf,
  listAt,
  type Node,
  namesOfText,
  textAt,
  walk,
} from '../node.ts';
import { STAR_PATTERN } from '../repair/phrases/column-list.ts';
import { ANY_COLUMN, type Column, type OpenStar, type Relation } from '../scope/relation.ts';
import { type Item, isNamed, type Scope } from '../scope/scope.ts';
import { partsOfFound, resolveColumn, sharedSources } from './expressions/column.ts';
import { referenceOf, sourcesOf } from './expressions/expression.ts';
import { partsOf } from './expressions/value-parts.ts';
import { note, type Trace } from './trace.ts';

/** The star in an item of a select list: `*`, `t.*`, `s.t.*`, with EXCEPT, REPLACE and RENAME. */
export function starOf(item: unknown): Node | null {
  const kind = kindOf(item);
  const body = bodyOf(item);
  if (kind === 'star') return body;
  if (kind === 'alias' || kind === 'annotated' || kind === 'apply') return starOf(body.this);
  if (kind === 'column' && identifierOf(body)?.name === '*') return body;
  if (kind === 'braced_wildcard') return starOf(body) ?? body;
  if (kind === 'dot' && identifierOf(body.field)?.name === '*') {
    return { table: body.this };
  }
  return null;
}

/** The columns a star stands for. Columns of USING come once, from both sides. */
export function expandStar(trace: Trace, star: Node, scope: Scope): Relation {
  const changes = changesOf(star);
  const qualifier = qualifierOf(trace, star.table);
  const items = scope.items.filter((item) => (qualifier ? isNamed(item, qualifier) : !item.hidden));
  if (star.table && (!qualifier || items.length === 0)) {
    return expandPath(trace, star.table, scope);
  }

  const columns: Column[] = [];
  const open: OpenStar[] = [];
  const placed = new Set<string>();
  for (const item of items) {
    for (const column of columnsOf(item)) {
      const key = column.name.name.toLowerCase();
      if (changes.except.has(key) || !changes.shows(column.name.name)) continue;
      const sharing = qualifier ? undefined : scope.shared.get(key);
      const isShared = sharing?.has(item) === true;
      if (isShared && placed.has(key)) continue;
      if (isShared) placed.add(key);
      const sources =
        sharing && isShared ? sharedSources(trace, sharing, column.name) : column.sources;
      const name = changes.rename.get(key) ?? column.name;
      const replacement = changes.replace.get(key);
      if (!replacement) columns.push({ ...column, name, sources });
      else columns.push(replacedBy(trace, name, replacement, scope));
    }
    for (const each of item.relation.open) open.push(narrowed(each, columns.length, changes));
  }
  if (open.length > 0) columns.push(...changedOpen(trace, changes, columns, items, scope));
  return { columns, open };
}

interface Changes {
  readonly except: ReadonlySet<string>;
  readonly replace: ReadonlyMap<string, unknown>;
  readonly rename: ReadonlyMap<string, Identifier>;
  /** Whether a pattern behind the star lets a name through. */
  readonly shows: (name: string) => boolean;
}

function changesOf(star: Node): Changes {
  const except = new Set<string>();
  let shows = (_name: string) => true;
  for (const field of ['except', 'exclude']) {
    for (const name of listAt(star, field)) {
      const identifier = identifierOf(name);
      if (identifier?.name.startsWith(STAR_PATTERN)) {
        const written = identifier.name.slice(STAR_PATTERN.length);
        const pattern = starPattern(written.replace(/^NOT /, ''));
        shows = (column) => pattern.test(column) !== written.startsWith('NOT ');
        continue;
      }
      // `EXCEPT (t.a)` arrives as one flat name.
      const plain = identifier?.quoted ? identifier.name : identifier?.name.split('.').at(-1);
      if (plain) except.add(plain.toLowerCase());
    }
  }
  const replace = new Map<string, unknown>();
  for (const item of listAt(star, 'replace')) {
    const body = kindOf(item) === 'alias' ? bodyOf(item) : item;
    const name = isNode(body) ? identifierOf(body.alias) : null;
    if (name && isNode(body)) replace.set(name.name.toLowerCase(), body.this);
  }
  const rename = new Map<string, Identifier>();
  for (const pair of listAt(star, 'rename')) {
    const [from, to] = Array.isArray(pair) ? pair.map(identifierOf) : [];
    if (from && to) rename.set(from.name.toLowerCase(), to);
  }
  return { except, replace, rename, shows };
}

function qualifierOf({ dialect }: Trace, table: unknown): Identifier[] | null {
  if (!table) return null;
  const single = identifierOf(table);
  if (!single || kindOf(table) === 'paren')
    return kindOf(table) === 'dot' ? columnPath(table) : null;
  return single.quoted && !dialect.quotedPaths ? [single] : namesOfText(single.name);
}

/**
 * What an item shows to a star: its columns, the one value that its alias stands for, or one
 * column `*` for all that a function gives without saying what.
 */
function columnsOf(item: Item): readonly Column[] {
  if (item.relation.columns.length > 0 || !item.rest) return item.relation.columns;
  const name = (item.single && item.value) || { name: '*', quoted: false };
  return [{ name, sources: item.rest, expression: null }];
}

/** A column that REPLACE puts in the place of another. */
export function replacedBy(
  trace: Trace,
  name: Identifier,
  expression: unknown,
  scope: Scope,
): Column {
  const reference = referenceOf(trace, expression, scope);
  const sources = reference?.sources ?? sourcesOf(trace, expression, scope);
  return { name, sources, expression: reference ? null : expression };
}

function narrowed(star: OpenStar, at: number, changes: Changes): OpenStar {
  const gone = [...changes.except, ...changes.replace.keys(), ...changes.rename.keys()];
  return { ...star, at, except: new Set([...star.except, ...gone]) };
}

/** Columns that EXCEPT leaves closed but REPLACE and RENAME name all the same. */
function changedOpen(
  trace: Trace,
  changes: Changes,
  known: readonly Column[],
  items: readonly Item[],
  scope: Scope,
): Column[] {
  const has = (name: string) =>
    known.some((column) => column.name.name.toLowerCase() === name.toLowerCase());
  const more: Column[] = [];
  for (const [name, expression] of changes.replace) {
    if (!has(name)) more.push(replacedBy(trace, { name, quoted: true }, expression, scope));
  }
  const [only, another] = items.filter((item) => item.relation.open.length > 0);
  for (const [from, to] of changes.rename) {
    if (has(to.name) || !only || another) continue;
    const column = { column: { name: { name: from, quoted: false }, table: null } };
    const within: Scope = { ...scope, items: [only] };
    more.push({ name: to, sources: sourcesOf(trace, column, within), expression: null });
  }
  return more;
}

/** `s.*` of a struct, `(r).*` or `f(x).*`: its fields where they are known, else one column. */
export function expandPath(trace: Trace, qualifier: unknown, scope: Scope): Relation {
  const path = qualifierOf(trace, qualifier);
  const found = path ? resolveColumn(trace, path, scope) : referenceOf(trace, qualifier, scope);
  const sources = found?.sources ?? sourcesOf(trace, qualifier, scope);
  if (sources.size === 0) return { columns: [], open: [] };
  const parts = found ? partsOfFound(found) : partsOf(trace, qualifier, scope);
  if (parts && parts.columns.length > 0) return parts;
  const message = 'The fields behind this star are not known; they are shown as one column.';
  note(trace, { code: 'UNEXPANDED_STAR', message, about: path ?? [] });
  return { columns: [{ name: ANY_COLUMN, sources, expression: null }], open: [] };
}

/** `LIKE:a%`, as a rewrite put it among the names that a star leaves out. */
function starPattern(written: string): RegExp {
  const [kind = '', ...rest] = written.split(':');
  const text = rest.join(':');
  if (kind === 'LIKE' || kind === 'ILIKE') return likePattern(text, kind === 'ILIKE');
  if (kind === 'GLOB') return likePattern(text.replaceAll('*', '%').replaceAll('?', '_'), false);
  return patternFrom(`^(?:${text})$`);
}

function likePattern(text: string, anyCase: boolean): RegExp {
  const parts = text.split(/([%_])/).map((part) => {
    return part === '%' ? '.*' : part === '_' ? '.' : part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`, anyCase ? 'is' : 's');
}

/** Snowflake's `t.* ILIKE '%id%'`, also with NOT: the columns whose names fit the pattern. */
export function expandStarLike(trace: Trace, item: unknown, scope: Scope): Relation | null {
  const isNot = kindOf(item) === 'not';
  const test = isNot ? bodyOf(item).this : item;
  const kind = kindOf(test);
  const star = kind === 'i_like' || kind === 'like' ? starOf(bodyOf(test).left) : null;
  const text = textAt(bodyOf(bodyOf(test).right), 'value');
  if (!star || text === null) return null;
  const relation = expandStar(trace, star, scope);
  const pattern = likePattern(text, kind === 'i_like');
  return {
    ...relation,
    columns: relation.columns.filter(({ name }) => pattern.test(name.name) !== isNot),
  };
}

/** DuckDB's and ClickHouse's `COLUMNS('pattern')`, and `COLUMNS(* EXCLUDE (a))`. */
export function expandColumnsFunction(body: Node, scope: Scope): Relation {
  const argument = listAt(body, 'args')[0];
  const pattern = patternOf(argument);
  const star = starOf(argument);
  const { except } = changesOf(star ?? {});
  const columns: Column[] = [];
  const open: OpenStar[] = [];
  for (const item of scope.items) {
    if (item.hidden) continue;
    for (const column of columnsOf(item)) {
      const { name } = column.name;
      if (pattern.test(name) && !except.has(name.toLowerCase())) columns.push(column);
    }
    for (const each of item.relation.open) open.push({ ...each, at: columns.length });
  }
  return { columns, open };
}

/** An expression, and one with `COLUMNS(...)` in it once for each column that this means. */
export function ofEachColumn(trace: Trace, expression: unknown, scope: Scope): unknown[] {
  if (!/^(?:duckdb|clickhouse)$/.test(trace.dialect.name)) return [expression];
  let call: Node | null = null;
  walk(expression, (node) => {
    if (isColumnsCall(node)) call ??= bodyOf(node);
  });
  const columns = call ? expandColumnsFunction(call, scope).columns : [];
  if (columns.length === 0) return [expression];
  return columns.map(({ name }) =>
    withColumn(expression, { column: { name: { name: name.name, quoted: false }, table: null } }),
  );
}

function isColumnsCall(node: unknown): boolean {
  return kindOf(node) === 'function' && /^columns$/i.test(textAt(bodyOf(node), 'name') ?? '');
}

/** A tree with a column in the place of `COLUMNS(...)`; ClickHouse's APPLY around it is left out. */
function withColumn(tree: unknown, column: unknown): unknown {
  if (isColumnsCall(tree)) return column;
  if (Array.isArray(tree)) return tree.map((each) => withColumn(each, column));
  if (!isNode(tree)) return tree;
  if (kindOf(tree) === 'apply') return withColumn(bodyOf(tree).this, column);
  return Object.fromEntries(
    Object.entries(tree).map(([field, part]) => [field, withColumn(part, column)]),
  );
}

function patternOf(argument: unknown): RegExp {
  const text = kindOf(argument) === 'literal' ? textAt(bodyOf(argument), 'value') : null;
  return patternFrom(text);
}

function patternFrom(text: string | null): RegExp {
  // A pattern that is long enough to be a trap, or none to this engine, matches every name.
  if (text === null || text.length > 200 || /[*+}]\)?[*+{]/.test(text)) return /^/;
  try {
    return new RegExp(text);
  } catch {
    return /^/;
  }
}
