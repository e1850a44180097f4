// In charge of orders by texts of which an index has but the beginnings: as long as texts end there, these are the order.
//
// Many rows may have one title, and all of them would be read to be put in order by what lies beyond its beginning.

import { parseTextArray } from '../database/value-parsers.ts';
import type { SortTerm } from './listing.ts';

/** Characters of a text that indexes have. */
const headLength = 256;

/** An order, and where in it to begin. */
interface Start {
  readonly order: readonly SortTerm[];
  readonly cursor: readonly string[] | null;
}

/** An order by the beginnings of texts alone; null where it is none, or begins at a text that may be longer. */
export function byHeads({ order, cursor }: Start): Start | null {
  const [head, rest, ...others] = order;
  if (!head || !rest?.isRest) return null;
  if (cursor === null) return { order: [head, ...others], cursor };
  const [text = '', _rest, ...keys] = cursor;
  return mayGoOn(text) ? null : { order: [head, ...others], cursor: [text, ...keys] };
}

/** Whether a row of this cursor may stand elsewhere in the order by whole texts. */
export function isBeyondHead(cursor: string): boolean {
  return mayGoOn(cursor) && mayGoOn(parseTextArray(cursor)[0] ?? '');
}

// PostgreSQL counts characters, of which some are two here: none are fewer.
const mayGoOn = (text: string) => text.length >= headLength;
