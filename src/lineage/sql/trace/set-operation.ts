// Traces UNION, INTERSECT and EXCEPT: branches side by side, by position or by name.

import { at, bodyOf, isSet, isSetOperation, kindOf, listAt, type Node } from '../node.ts';
import { merged, type Relation } from '../scope/relation.ts';
import { newItem, openScope, type ScopeSurroundings } from '../scope/scope.ts';
import { traceCtes } from './cte.ts';
import { traceQuery } from './query.ts';
import { noteKeys } from './select.ts';
import type { Trace } from './trace.ts';

/** Trace a set operation. Chains lean to the left and may be long, so they are taken in a loop. */
export function traceSetOperation(
  trace: Trace,
  node: unknown,
  around: ScopeSurroundings,
): Relation {
  const chain: { body: Node; around: ScopeSurroundings }[] = [];
  let current = node;
  let within = around;
  while (isSetOperation(kindOf(current))) {
    const body = bodyOf(current);
    within = { ctes: traceCtes(trace, at(body, 'with'), within), outer: within.outer };
    chain.push({ body, around: within });
    current = body.left;
  }
  let relation = traceQuery(trace, current, within);
  for (const { body, around: inner } of chain.reverse()) {
    const right = traceQuery(trace, body.right, inner);
    const byName = isSet(body, 'by_name') || isSet(body, 'corresponding');
    relation = merged(relation, right, byName);
    noteOrder(trace, body, relation, inner);
  }
  return relation;
}

/** ORDER BY behind a set operation names its output columns. */
function noteOrder(trace: Trace, body: Node, relation: Relation, around: ScopeSurroundings): void {
  const keys = listAt(body.order_by, 'expressions');
  if (keys.length === 0) return;
  const scope = openScope(around);
  scope.items.push(newItem(relation, null));
  noteKeys(trace, keys, scope, relation, 'SORT');
}
