// Traces UNION, INTERSECT and EXCEPT: branches side by side, by position or by name.

import { at, bodyOf, isSet, isSetOperation, kindOf, listAt, type Node } from '../node.ts';
import { allSources, merged, type Relation } from '../scope/relation.ts';
import { newItem, openScope, type ScopeSurroundings } from '../scope/scope.ts';
import { traceCtes } from './cte.ts';
import { traceQuery } from './query.ts';
import { noteKeys } from './select.ts';
import { addIndirect, type Trace } from './trace.ts';

/** Trace a set operation. Chains lean to the left and may be long, so they are taken in a loop. */
export function traceSetOperation(
  trace: Trace,
  node: unknown,
  around: ScopeSurroundings,
): Relation {
  const chain: { kind: string; body: Node; around: ScopeSurroundings }[] = [];
  let current = node;
  let within = around;
  for (let kind = kindOf(current); isSetOperation(kind); kind = kindOf(current)) {
    const body = bodyOf(current);
    within = { ctes: traceCtes(trace, at(body, 'with'), within), outer: within.outer };
    chain.push({ kind, body, around: within });
    current = body.left;
  }
  let relation = traceQuery(trace, current, within);
  const bindsTighter = !/^(?:oracle|sqlite)$/.test(trace.dialect.name);
  let isTaken = false;
  for (const { kind, body, around: inner } of chain.reverse()) {
    const right = traceQuery(trace, body.right, inner);
    // Whole rows are compared: each column of both sides decides which of them are left.
    const use = comparison(kind, body);
    if (use) for (const side of [relation, right]) addIndirect(trace, allSources(side), use);
    const byName = isSet(body, 'by_name') || isSet(body, 'corresponding');
    // What EXCEPT takes away gives no value; INTERSECT behind it belongs to that.
    isTaken = kind === 'except' || (isTaken && kind === 'intersect' && bindsTighter);
    if (!isTaken) relation = merged(relation, right, byName);
    noteOrder(trace, body, relation, inner);
  }
  return relation;
}

/** What comparing rows is like: UNION groups equal ones unless it takes all, EXCEPT and INTERSECT filter. */
function comparison(kind: string, body: Node): 'GROUP_BY' | 'FILTER' | null {
  if (kind === 'union') return isSet(body, 'all') ? null : 'GROUP_BY';
  return 'FILTER';
}

/** ORDER BY behind a set operation names its output columns. */
function noteOrder(trace: Trace, body: Node, relation: Relation, around: ScopeSurroundings): void {
  const keys = listAt(body.order_by, 'expressions');
  if (keys.length === 0) return;
  const scope = openScope(around);
  scope.items.push(newItem(relation, null));
  noteKeys(trace, keys, scope, relation, 'SORT');
}
