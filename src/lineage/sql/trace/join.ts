// Reads one join into a scope: its item, the columns both sides share, and its condition.

import {
  bodyOf,
  type Identifier,
  identifierOf,
  identifiersAt,
  isNode,
  kindOf,
  listAt,
  textAt,
} from '../node.ts';
import { namedColumn } from '../scope/relation.ts';
import { type Item, newItem, type Scope, type ScopeSurroundings } from '../scope/scope.ts';
import { sharedSources } from './expressions/column.ts';
import { sourcesOf } from './expressions/expression.ts';
import { readItem } from './from.ts';
import { applyPivot } from './pivot.ts';
import { addIndirect, type Trace } from './trace.ts';

/** Read a join. The columns of its condition are indirect; USING columns come from all sides. */
export function readJoin(
  trace: Trace,
  join: unknown,
  scope: Scope,
  around: ScopeSurroundings,
): void {
  if (!isNode(join)) return;
  const kind = textAt(join, 'kind') ?? '';
  if (kind === 'Array' || kind === 'LeftArray') {
    readArrayJoin(trace, join.this, scope);
    return;
  }
  const before = scope.items.length;
  const lateral = kind === 'CrossApply' || kind === 'OuterApply';
  readItem(trace, join.this, scope, around, lateral);
  for (const pivot of listAt(join, 'pivots'))
    applyPivot(trace, kindOf(pivot), bodyOf(pivot), scope);
  const left = scope.items.slice(0, before);
  const right = scope.items.slice(before);
  const oneSided = /Semi|Anti/.test(kind);

  const shared = kind.startsWith('Natural')
    ? naturalColumns(trace, left, right)
    : identifiersAt(join, 'using');
  for (const name of shared) {
    const sides = [...left.filter((item) => mayHold(trace, item, name, left)), ...right];
    addIndirect(trace, sharedSources(trace, sides, name), 'JOIN');
    if (oneSided) continue;
    const key = name.name.toLowerCase();
    const items = scope.shared.get(key) ?? new Set<Item>();
    for (const side of sides) items.add(side);
    scope.shared.set(key, items);
  }
  for (const field of ['on', 'match_condition']) {
    if (join[field]) addIndirect(trace, sourcesOf(trace, join[field], scope), 'JOIN');
  }
  if (oneSided) for (const item of right) item.hidden = true;
}

/** Whether the left side of USING has the column: it is known to, or it is the only open one. */
function mayHold(trace: Trace, item: Item, name: Identifier, left: readonly Item[]): boolean {
  if (item.hidden) return false;
  if (namedColumn(trace.dialect, item.relation, name)) return true;
  const known = left.some((other) => namedColumn(trace.dialect, other.relation, name));
  const open = left.filter((other) => other.relation.open.length > 0);
  return !known && open.length === 1 && open[0] === item;
}

function naturalColumns(trace: Trace, left: readonly Item[], right: readonly Item[]): Identifier[] {
  return right.flatMap((item) =>
    item.relation.columns
      .map((column) => column.name)
      .filter((name) => left.some((other) => namedColumn(trace.dialect, other.relation, name))),
  );
}

/** ClickHouse's ARRAY JOIN: its columns, or their aliases, now stand for elements. */
function readArrayJoin(trace: Trace, node: unknown, scope: Scope): void {
  const list = kindOf(node) === 'tuple' ? listAt(bodyOf(node), 'expressions') : [node];
  for (const item of list) {
    const name = identifierOf(kindOf(item) === 'alias' ? bodyOf(item).alias : item);
    const sources = sourcesOf(trace, item, scope);
    if (!name) continue;
    const column = { name, sources, expression: null };
    const relation = { columns: [column], open: [] };
    scope.items.push(newItem(relation, null, { rest: sources, hidden: false }));
  }
}
