// The statement that is to be repaired, and the other texts that are offered for it.

import type { Token } from '../tokens/tokens.ts';

/** One or more statements to be parsed in the place of one. */
export interface Rewrite {
  /** What was done, in words for a diagnostic. */
  readonly what: string;
  readonly texts: readonly string[];
  /** Puts right in the tree what the other text made different. */
  readonly mend?: ((tree: unknown) => unknown) | undefined;
}

/** A statement's text with its tokens, whose offsets count from the start of the text. */
export interface Written {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly dialect: Spoken;
}

/** What rewrites have to know of a dialect. */
export interface Spoken {
  readonly name: string;
  readonly fold: 'lower' | 'upper' | 'keep';
}
