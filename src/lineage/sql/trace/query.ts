// Dispatches a query of any form to what traces it, and gives the relation that comes out.

import { at, bodyOf, type Identifier, identifiersAt, kindOf, listAt, tablePath } from '../node.ts';
import { allSources, EMPTY_RELATION, joined, type Relation, renamed } from '../scope/relation.ts';
import { openScope, type ScopeSurroundings } from '../scope/scope.ts';
import { traceCtes } from './cte.ts';
import { sourcesOf } from './expressions/expression.ts';
import { readItem } from './from.ts';
import { traceSelect } from './select.ts';
import { traceSetOperation } from './set-operation.ts';
import { traceChange } from './statement.ts';
import { readTable, type Trace } from './trace.ts';

/**
 * Trace a query: note what it reads and by which columns its rows are decided, and give its
 * columns with their sources. Anything that is no query gives nothing.
 */
export function traceQuery(trace: Trace, node: unknown, around: ScopeSurroundings): Relation {
  const kind = kindOf(node);
  const body = bodyOf(node);
  switch (kind) {
    case 'select':
      return traceSelect(trace, body, around);
    case 'union':
    case 'intersect':
    case 'except':
      return traceSetOperation(trace, node, around);
    case 'subquery':
    case 'paren': {
      const within = { ctes: traceCtes(trace, at(body, 'with'), around), outer: around.outer };
      return renamed(traceQuery(trace, body.this, within), identifiersAt(body, 'column_aliases'));
    }
    case 'values':
      return traceValues(trace, body, around);
    case 'table':
      return traceTable(trace, body, around);
    case 'alias':
    case 'from_first':
    case 'with':
    case 'cte':
      return traceQuery(trace, body.this, around);
    case 'pivot':
    case 'unpivot': {
      const scope = openScope(around);
      readItem(trace, node, scope, around);
      return joined(scope.items.map((item) => item.relation));
    }
    case 'insert':
    case 'update':
    case 'delete':
    case 'merge':
      // PostgreSQL's changes within a CTE: they write, and what they return goes on.
      return traceChange(trace, node, around);
    default:
      return EMPTY_RELATION;
  }
}

/** The table of a `TABLE t` query or an item of FROM: a CTE of that name goes first. */
export function traceTable(trace: Trace, table: unknown, around: ScopeSurroundings): Relation {
  const path = tablePath(table);
  const [only, another] = path;
  const cte = only && !another ? around.ctes.get(only.name.toLowerCase()) : undefined;
  if (cte && !cte.scalar) return cte.relation;
  return (!another && only && rowsOfTrigger(trace, only)) || readTable(trace, path);
}

/** T-SQL's triggers read `inserted` and `deleted` like tables: the rows of the trigger's own. */
function rowsOfTrigger(trace: Trace, { name }: Identifier): Relation | null {
  const isOne = trace.dialect.name === 'tsql' && /^(?:inserted|deleted)$/i.test(name);
  const rows = isOne ? trace.filled.get(name.toLowerCase()) : undefined;
  for (const source of rows ? allSources(rows).keys() : []) {
    if (!('missing' in source)) trace.sources.add(source.table);
  }
  return rows ?? null;
}

function traceValues(trace: Trace, body: unknown, around: ScopeSurroundings): Relation {
  const rows = listAt(body, 'expressions').map((row) => listAt(row, 'expressions'));
  const scope = openScope(around);
  const columns = (rows[0] ?? []).map((first, i) => ({
    name: { name: `column${i + 1}`, quoted: false },
    sources: sourcesOf(
      trace,
      rows.map((row) => row[i]),
      scope,
    ),
    expression: first,
  }));
  return renamed({ columns, open: [] }, identifiersAt(body, 'column_aliases'));
}
