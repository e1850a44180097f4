// Traces DELETE: no column flows, but tables are read to decide which rows go.

import { at, identifierOf, kindOf, listAt, type Node, tablePath } from '../node.ts';
import { EMPTY_RELATION, type Relation, relationOf } from '../scope/relation.ts';
import {
  type Cte,
  newItem,
  openScope,
  type Scope,
  type ScopeSurroundings,
  sameName,
} from '../scope/scope.ts';
import { type Table, tableAt } from '../scope/table.ts';
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
  const cte = cteNamed(body.table, around);
  const own = newItem(cte?.relation ?? relationOf(target), alias ?? path.at(-1) ?? null, {
    path: alias ? null : path,
    table: path,
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
  const named = listAt(body, 'tables').flatMap((table) => tableNamed(trace, table, scope) ?? []);
  if (named.length === 0 || cte) {
    addEffect(trace, 'DELETE', cte ? onlyTableOf(cte.relation) : target);
  }
  for (const each of cte ? [] : new Set(named)) {
    const others = [...trace.sources, target, ...named].filter((table) => table !== each);
    addEffect(trace, 'DELETE', each, EMPTY_RELATION, new Set(others));
  }
  traceOutput(trace, at(body, 'output'), target, null);
  return scope;
}

/** MySQL's `DELETE o, c FROM orders o JOIN customers c` names its targets by their aliases. */
function tableNamed(trace: Trace, named: unknown, scope: Scope): Table | null {
  const [only, another] = tablePath(named);
  const item = scope.items.find(({ alias }) => only && !another && alias && sameName(alias, only));
  return item?.table ? tableAt(trace.tables, item.table) : targetTable(trace, named);
}

/** T-SQL deletes through a CTE: what goes are rows of the table that it reads. */
function cteNamed(table: unknown, around: ScopeSurroundings): Cte | undefined {
  const [only, another] = tablePath(table);
  return only && !another ? around.ctes.get(only.name.toLowerCase()) : undefined;
}

/** The table that all columns of a relation are made of, or null where they are of several. */
function onlyTableOf(relation: Relation): Table | null {
  const tables = new Set<Table>();
  for (const column of relation.columns) {
    for (const source of column.sources.keys())
      if (!('missing' in source)) tables.add(source.table);
  }
  const [only, another] = tables;
  return only && !another ? only : null;
}
