// A shelf: texts of some kinds that lie in each other, and where each of them has its page.

import type { ReactNode } from 'react';
import type { ShelfBranchData, ShelfBranchVariables, ShelfTextData } from './shelf.graphql';

type Where = ShelfBranchVariables['where'];
type ShelfKind = 'document' | 'collection' | 'glossary';

/** What differs between documents and glossary terms. */
export interface Shelf {
  /** Where its page is. */
  readonly address: '/documents' | '/glossary';
  /** The kinds on it: the first is what is written, others only hold it. */
  readonly kinds: readonly [ShelfKind, ...ShelfKind[]];
  readonly words: ShelfWords;
  /** A part of the page of each that only this shelf has. */
  readonly uses?: { readonly name: string; readonly show: (id: string) => ReactNode };
  /** What stands next to the name of each, among what can be done with it, below its text, and at its side. */
  readonly more?: {
    readonly [Place in 'mark' | 'act' | 'below' | 'facts']: (id: string) => ReactNode;
  };
  /** States that the list can be narrowed to. */
  readonly states?: ShelfStates;
}

/** States of what is on a shelf. */
interface ShelfStates {
  readonly label: string;
  readonly any: string;
  readonly choices: readonly { readonly id: string; readonly name: string }[];
  readonly where: (state: string) => Where;
  /** What the list says of one; undefined for nothing. */
  readonly says: (one: OnShelf) => string | undefined;
}

/** One in the list. */
export type OnShelf = ShelfBranchData['resources']['nodes'][number];

/** What is said of them. */
export interface ShelfWords {
  readonly title: string;
  readonly filter: string;
  readonly none: string;
  readonly noneHow: string;
  readonly noneChosen: string;
  readonly text: string;
  readonly archived: string;
  readonly create: { readonly [Kind in ShelfKind]?: string };
}

/** A text that is there. */
export type ShelfShown = NonNullable<ShelfTextData['resource']>;

/** What lies in one of them, or in none. */
export function whereIn({ kinds }: Shelf, id: string | null): Where {
  const kind = { kind: { in: [...kinds] } };
  if (id === null) {
    return { ...kind, parentId: { isSet: false }, collections: { none: {} } };
  }
  // A document of a collection lies in it, unless it lies in another document.
  const listed = { parentId: { isSet: false }, collections: { some: { id: { eq: id } } } };
  return { ...kind, or: [{ parentId: { eq: id } }, listed] };
}

/** Those that have a part of a name, or of a synonym, and are in a state. */
export function whereNamed({ kinds, states }: Shelf, name: string, state = ''): Where {
  const part = { contains: name };
  return {
    kind: { in: [...kinds] },
    ...(name === '' ? {} : { or: [{ title: part }, { synonyms: part }] }),
    ...(state === '' ? {} : states?.where(state)),
  };
}

/** Those that were deleted. */
export function whereArchived({ kinds }: Shelf): Where {
  return { kind: { in: [...kinds] }, archived: true };
}

/** Something that a text lies in. */
export interface Around {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
}

interface Lying {
  readonly collections: readonly Around[];
  readonly parent?: (Around & Lying) | null | undefined;
}

/** What it lies in, from the outermost on: other texts, and the collection of the outermost. */
export function aroundOf({ collections, parent }: Lying): readonly Around[] {
  if (parent) return [...aroundOf(parent), parent];
  const [collection] = collections;
  return collection ? [collection] : [];
}

/** What moves a text. */
interface Move {
  readonly parentId: string | null;
  readonly addCollectionIds?: string[];
  readonly removeCollectionIds: string[];
}

/** Where a text lies. */
interface Placed {
  readonly id: string;
  readonly kind: string;
  readonly parentId: string | null;
  readonly collections: readonly { readonly id: string }[];
}

/**
 * What is to be changed so that a text lies in another one, or in none. `from` is where it was seen: a document
 * may be in several collections, and leaves only that one.
 */
export function moveOf(
  { kind, parentId, collections }: Placed,
  into: Pick<Around, 'id' | 'kind'> | null,
  from: string | null,
): Move {
  const left = collections.filter(({ id }) => parentId === null && id === from).map(({ id }) => id);
  const removeCollectionIds = left.filter((id) => id !== into?.id);
  if (into?.kind === 'collection' && kind !== 'collection') {
    return { parentId: null, addCollectionIds: [into.id], removeCollectionIds };
  }
  return { parentId: into?.id ?? null, removeCollectionIds };
}

/** What is to be changed so that a text lies where it was before a move. */
export function moveBackOf({ parentId }: Placed, moved: Move): Move {
  const { addCollectionIds = [], removeCollectionIds } = moved;
  return {
    parentId,
    addCollectionIds: removeCollectionIds,
    removeCollectionIds: addCollectionIds,
  };
}

/** Whether one may lie in another. */
export function mayHold(into: Pick<Around, 'kind'>, kind: string): boolean {
  return into.kind === kind || (into.kind === 'collection' && kind === 'document');
}
