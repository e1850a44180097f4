// Circles: the lines that close one are turned, so that the rest has an order.

import type { Cell, Link } from './cell.ts';

interface End {
  readonly id: string;
  readonly a: Cell;
  readonly b: Cell;
}

/** The lines with those turned that lead back to where a walk came from. Without recursion. */
export function turnCircles(cells: readonly Cell[], ends: readonly End[]): Link[] {
  const out = new Map<Cell, End[]>(cells.map((cell) => [cell, []]));
  for (const end of ends) out.get(end.a)?.push(end);
  const turned = new Set<End>();
  const isUnderway = new Map<Cell, boolean>();
  for (const root of cells) {
    if (isUnderway.has(root)) continue;
    isUnderway.set(root, true);
    const stack = [{ cell: root, left: (out.get(root) ?? []).values() }];
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const { value: end, done } = top.left.next();
      if (done) {
        isUnderway.set(top.cell, false);
        stack.pop();
        continue;
      }
      const state = isUnderway.get(end.b);
      if (state === true) turned.add(end);
      if (state !== undefined) continue;
      isUnderway.set(end.b, true);
      stack.push({ cell: end.b, left: (out.get(end.b) ?? []).values() });
    }
  }
  return ends.map((end) => {
    const isTurned = turned.has(end);
    return { id: end.id, isTurned, a: isTurned ? end.b : end.a, b: isTurned ? end.a : end.b };
  });
}
