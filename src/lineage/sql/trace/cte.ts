// Traces the CTEs of a WITH clause, also those that recurse.

import {
  at,
  bodyOf,
  columnPath,
  type Identifier,
  identifierOf,
  identifiersAt,
  isNode,
  isQuery,
  isSet,
  isSetOperation,
  kindOf,
  listAt,
  type Node,
  tablePath,
  unwrap,
  walk,
} from '../node.ts';
import {
  ANY_COLUMN,
  asTheyAre,
  EMPTY_RELATION,
  merged,
  type Relation,
  renamed,
} from '../scope/relation.ts';
import { type Cte, type Ctes, openScope, type ScopeSurroundings } from '../scope/scope.ts';
import { isTemplate, tablesOfMacro } from '../tokens/templated.ts';
import { sourcesOf } from './expressions/expression.ts';
import { traceQuery } from './query.ts';
import { missing, note, readTable, type Trace } from './trace.ts';

/** The CTEs that a query sees: those of its own WITH before those around it. */
export function traceCtes(trace: Trace, clause: Node, around: ScopeSurroundings): Ctes {
  const list = listAt(clause, 'ctes');
  if (list.length === 0) return around.ctes;
  const ctes = new Map(around.ctes);
  for (const cte of isSet(clause, 'recursive') ? inOrder(list) : list) {
    const name = isNode(cte) ? identifierOf(cte.alias) : null;
    if (!isNode(cte) || !name) continue;
    const within = { ctes, outer: around.outer };
    const traced = traceCte(trace, cte, isSet(clause, 'recursive'), name, within);
    ctes.set(name.name.toLowerCase(), traced);
  }
  return ctes;
}

/** Behind WITH RECURSIVE a CTE may read one that comes later; that one is traced first. */
function inOrder(list: readonly unknown[]): unknown[] {
  const left = list.map((cte) => {
    const body = at({ cte }, 'cte');
    return {
      cte,
      name: identifierOf(body.alias)?.name.toLowerCase(),
      reads: shortNames(body.this),
    };
  });
  const ordered: unknown[] = [];
  while (left.length > 0) {
    const free = left.findIndex(({ reads }, i) =>
      left.every(({ name }, j) => i === j || name === undefined || !reads.has(name)),
    );
    for (const { cte } of left.splice(Math.max(free, 0), 1)) ordered.push(cte);
  }
  return ordered;
}

/** The tables of one part that a query names, in lower case. */
function shortNames(query: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  walk(query, (value) => {
    const [only, another] = kindOf(value) === 'table' ? tablePath(bodyOf(value)) : [];
    if (only && !another) names.add(only.name.toLowerCase());
  });
  return names;
}

const CHANGES = new Set(['insert', 'update', 'delete', 'merge', 'table', 'pivot', 'unpivot']);

function traceCte(
  trace: Trace,
  cte: Node,
  recursive: boolean,
  name: Identifier,
  within: ScopeSurroundings,
): Cte {
  const body = cte.this;
  const names = identifiersAt(cte, 'columns');
  const macro = macroIn(body);
  if (macro) return { relation: renamed(writtenByMacro(trace, macro), names), scalar: false };
  // ClickHouse names values like tables: `WITH 1 AS x`, `WITH (SELECT max(a) FROM t) AS m`.
  if (isValue(trace, cte)) {
    if (!isQuery(body)) return { relation: EMPTY_RELATION, scalar: true, expression: body };
    const sources = sourcesOf(trace, body, openScope(within, true));
    const column = { name, sources, expression: body };
    return { relation: { columns: [column], open: [] }, scalar: true };
  }
  const mayRecurse = recursive || trace.dialect.implicitRecursion;
  const inner = unwrap(body);
  if (mayRecurse && isSetOperation(kindOf(inner)) && mentions(inner, name)) {
    return { relation: traceRecursive(trace, inner, name, names, within), scalar: false };
  }
  return { relation: renamed(traceQuery(trace, body, within), names), scalar: false };
}

/** The macro that writes the query of a CTE, or null. */
function macroIn(body: unknown): Identifier | null {
  const [only, another] = kindOf(unwrap(body)) === 'column' ? (columnPath(unwrap(body)) ?? []) : [];
  return only && !another && isTemplate(only.name) ? only : null;
}

/** What a macro gives: columns of any name, made of what the text doesn't show; it reads what it is given. */
function writtenByMacro(trace: Trace, macro: Identifier): Relation {
  for (const path of tablesOfMacro(macro.name)) {
    readTable(
      trace,
      path.map((name) => ({ name, quoted: false })),
    );
  }
  const message = 'A macro writes a part of this statement, so not all of it can be read here.';
  note(trace, { code: 'INCOMPLETE', message, about: [] });
  const sources = asTheyAre([missing(trace, [macro], 'EXTERNAL')]);
  return { columns: [{ name: ANY_COLUMN, sources, expression: null }], open: [] };
}

function isValue(trace: Trace, cte: Node): boolean {
  const body = cte.this;
  if (trace.dialect.name === 'clickhouse' && cte.alias_first === false) return true;
  return !isQuery(body) && !CHANGES.has(kindOf(unwrap(body)) ?? '');
}

function mentions(query: unknown, name: Identifier): boolean {
  return shortNames(query).has(name.name.toLowerCase());
}

// Each round can carry sources one column further; real queries settle after one or two.
const MOST_ROUNDS = 20;

/** Branches that don't name the CTE are its seed; the others are traced until nothing is new. */
function traceRecursive(
  trace: Trace,
  union: unknown,
  name: Identifier,
  names: readonly Identifier[],
  within: ScopeSurroundings,
): Relation {
  const branches = branchesOf(union);
  const seeds = branches.filter((branch) => !mentions(branch, name));
  const steps = branches.filter((branch) => mentions(branch, name));
  const [first, ...others] = seeds.map((seed) => traceQuery(trace, seed, within));
  let relation = renamed(
    others.reduce((all, next) => merged(all, next, false), first ?? { columns: [], open: [] }),
    names,
  );
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const ctes = new Map(within.ctes);
    ctes.set(name.name.toLowerCase(), { relation, scalar: false });
    const before = sizeOf(relation);
    for (const step of steps) {
      const next = traceQuery(trace, step, { ctes, outer: within.outer });
      relation = merged(relation, renamed(next, names), false);
    }
    if (sizeOf(relation) === before) break;
  }
  return relation;
}

function branchesOf(union: unknown): unknown[] {
  const branches: unknown[] = [];
  let current = union;
  while (isSetOperation(kindOf(current)) && !isSet(bodyOf(current), 'with')) {
    branches.unshift(bodyOf(current).right);
    current = unwrapUnion(bodyOf(current).left);
  }
  branches.unshift(current);
  return branches;
}

function unwrapUnion(node: unknown): unknown {
  const inner = unwrap(node);
  return isSetOperation(kindOf(inner)) ? inner : node;
}

function sizeOf(relation: Relation): number {
  let size = relation.open.length;
  for (const column of relation.columns) {
    // Uses only grow, too: a larger number is a use that is new.
    for (const uses of column.sources.values()) size += 1 + uses;
  }
  return size;
}
