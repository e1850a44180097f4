// A statement of a script, or a part of one that is read by itself.

import type { Filled } from './cursor.ts';
import type { Token } from './tokens.ts';

/** One statement of a script, as text with its place. */
export interface Piece {
  readonly text: string;
  /** Offset in the script. */
  readonly start: number;
  /** Its tokens; their offsets count from the start of the script. */
  readonly tokens: readonly Token[];
  /** Which statement of the script it is, or is a part of, from 1. */
  readonly statement: number;
  /** Whether it stands in a procedure, function, trigger or anonymous block. */
  readonly procedural: boolean;
  /** Parameters and variables that may be named like columns there, in lower case. */
  readonly variables: ReadonlySet<string>;
  /** Whether templates in it were read as names. */
  readonly isTemplate: boolean;
  /** Whether templates of its text have branches, of which one was read. */
  readonly hasBranches: boolean;
  /** The variables, cursor or record that its rows fill, or null. */
  readonly fills: Filled | null;
  /** Whether it does nothing but fill them, so that it is no statement of its own. */
  readonly isSilent: boolean;
  /** Why it can't be read, where it runs a text that is not there or in another language. */
  readonly unread: string | null;
}
