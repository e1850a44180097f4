// Traces the CTEs of a WITH clause, also those that recurse.

import {
  bodyOf,
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
import { EMPTY_RELATION, merged, type Relation, renamed } from '../scope/relation.ts';
import { type Cte, type Ctes, openScope, type ScopeSurroundings } from '../scope/scope.ts';
import { sourcesOf } from './expressions/expression.ts';
import { traceQuery } from './query.ts';
import type { Trace } from './trace.ts';

/** The CTEs that a query sees: those of its own WITH before those around it. */
export function traceCtes(trace: Trace, clause: Node, around: ScopeSurroundings): Ctes {
  const list = listAt(clause, 'ctes');
  if (list.length === 0) return around.ctes;
  const ctes = new Map(around.ctes);
  for (const cte of list) {
    const name = isNode(cte) ? identifierOf(cte.alias) : null;
    if (!isNode(cte) || !name) continue;
    const within = { ctes, outer: around.outer };
    const traced = traceCte(trace, cte, isSet(clause, 'recursive'), name, within);
    ctes.set(name.name.toLowerCase(), traced);
  }
  return ctes;
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

function isValue(trace: Trace, cte: Node): boolean {
  const body = cte.this;
  if (trace.dialect.name === 'clickhouse' && cte.alias_first === false) return true;
  return !isQuery(body) && !CHANGES.has(kindOf(unwrap(body)) ?? '');
}

function mentions(query: unknown, name: Identifier): boolean {
  let found = false;
  walk(query, (value) => {
    if (kindOf(value) !== 'table') return;
    const [only, another] = tablePath(bodyOf(value));
    if (only && !another && only.name.toLowerCase() === name.name.toLowerCase()) found = true;
  });
  return found;
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
