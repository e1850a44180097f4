// Traces DELETE: no column flows, but tables are read to decide which rows go.

import { at, identifierOf, kindOf, listAt, type Node } from '../node.ts';
import { relationOf } from '../scope/relation.ts';
import { newItem, openScope, type Scope, type ScopeSurroundings } from '../scope/scope.ts';
import { sourcesOf } from './expressions/expression.ts';
import { readItem } from './from.ts';
import { readJoin } from './join.ts';
import { traceOutput } from './output-clause.ts';
import { addEffect } from './statement.ts';
import { addIndirect, type Trace, targetTable } from './trace.ts';

/** Trace a DELETE. Its own table is the target, not a source. Gives the scope RETURNING sees. */
export function traceDelete(trace: Trace, body: Node, around: ScopeSurroundings): Scope {
  const target = targetTable(trace, body.table);
  const scope = openScope(around);
  if (!target) return scope;
  const alias = identifierOf(body.alias) ?? identifierOf(at(body, 'table').alias);
  const path = target.path.map((name) => ({ name, quoted: true }));
  const own = newItem(relationOf(target), alias ?? path.at(-1) ?? null, {
    path: alias ? null : path,
  });
  scope.items.push(own);
  for (const table of listAt(body, 'using')) {
    const node = kindOf(table) === 'table' ? table : { table };
    if (targetTable(trace, kindOf(table) === 'table' ? at(table, 'table') : table) !== target) {
      readItem(trace, node, scope, around);
    }
  }
  for (const join of listAt(body, 'joins')) readJoin(trace, join, scope, around);
  const where = body.where_clause;
  if (where) addIndirect(trace, sourcesOf(trace, where, scope), 'FILTER');
  addEffect(trace, 'DELETE', target);
  traceOutput(trace, at(body, 'output'), target, null);
  return scope;
}
