// What a combobox offers for what was typed: those whose names begin like it first, and only so many.

import type { ReactNode } from 'react';

/** Something that can be chosen. */
export interface Choosable {
  readonly id: string;
  readonly name: string;
  /** The part of the list that it is in; absent where the list has no parts. */
  readonly under?: string;
  /** What is said of it, at the end of its row. */
  readonly says?: string | undefined;
  /** What stands before its name, such as the picture of its kind. */
  readonly mark?: ReactNode;
  /** What stands after its name, such as that it is deprecated. */
  readonly state?: ReactNode;
}

/** Rows of a list at most: who looks for another one types more. */
export const mostShown = 50;

/** Those whose name, or what is said of them, has a text in it, in the order of their parts; all of them for an empty one. */
export function matching(all: readonly Choosable[], text: string): readonly Choosable[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return all;
  const found = all.filter(({ name, says = '' }) =>
    `${name} ${says}`.toLowerCase().includes(wanted),
  );
  const begins = ({ name }: Choosable) => Number(name.toLowerCase().startsWith(wanted));
  return found.toSorted((a, b) => begins(b) - begins(a));
}

/** The parts of a list in the order in which they begin, each with its rows. */
export function partsOf(
  list: readonly Choosable[],
): readonly { readonly under: string; readonly rows: readonly Choosable[] }[] {
  const parts = Map.groupBy(list, ({ under = '' }) => under);
  return [...parts].map(([under, rows]) => ({ under, rows }));
}

/** The same in the order of their names. */
export function byName<One extends { readonly name: string }>(list: readonly One[]): One[] {
  return list.toSorted((a, b) => a.name.localeCompare(b.name));
}
