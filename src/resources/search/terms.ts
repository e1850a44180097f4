// Terms of a search, as all its parts know them.

import type { Kind } from '../kind.ts';

/** What is searched for. */
export interface Terms {
  /** The query without white space around it. */
  readonly phrase: string;
  /** Its words: runs of letters and digits, without repeats. */
  readonly words: readonly string[];
}

/** Where to search; null for everywhere. */
export interface Narrowing {
  readonly kinds: readonly Kind[] | null;
  readonly integrationIds: readonly string[] | null;
  readonly tagIds: readonly string[] | null;
  readonly teamIds: readonly string[] | null;
  readonly ownerIds: readonly string[] | null;
}

/** A search that nothing narrows. */
export const everywhere: Narrowing = {
  kinds: null,
  integrationIds: null,
  tagIds: null,
  teamIds: null,
  ownerIds: null,
};

/** A resource whose title is nearly what was searched for. */
export interface Guess {
  readonly id: string;
  /** 1 for the same letters, less for each that differs. */
  readonly nearness: number;
}

/** What was guessed. */
export interface Guesses {
  readonly near: readonly Guess[];
  /** True when there were more titles to look at than were. */
  readonly isCapped: boolean;
}
