// Selection of rows: one by one, or from the last one on.

import { useState } from 'react';

/** What is selected, and how that is changed. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** Select a row or take it out; with those from the last one on where `isRange`. */
  toggle(id: string, isRange: boolean): void;
  /** Select exactly these. */
  set(ids: Iterable<string>): void;
}

/** The rows from one to another, in their order. */
export function rangeOf(order: readonly string[], from: string | null, to: string): string[] {
  const [a, b] = [from === null ? -1 : order.indexOf(from), order.indexOf(to)];
  if (a < 0 || b < 0) return [to];
  return order.slice(Math.min(a, b), Math.max(a, b) + 1);
}

/** The selection among rows in an order. */
export function useSelection(order: readonly string[]): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [last, setLast] = useState<string | null>(null);
  return {
    ids,
    toggle: (id, isRange) => {
      const next = new Set(ids);
      const isOn = !ids.has(id);
      for (const one of isRange ? rangeOf(order, last, id) : [id]) {
        if (isOn) next.add(one);
        else next.delete(one);
      }
      setIds(next);
      setLast(id);
    },
    set: (chosen) => {
      setIds(new Set(chosen));
      setLast(null);
    },
  };
}
