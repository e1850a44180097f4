// Cursors: the values by which a row stands in its place in a list, as a text that clients send back.

import { parseTextArray } from '../database/value-parsers.ts';
import { invalidField } from '../errors.ts';
import { isStorable } from '../text/text.ts';
import { isUuid } from '../text/uuid.ts';
import type { SortTerm } from './listing.ts';

/** Longer than any of ours, in characters: those of rows in an order of several long texts have tens of thousands. */
const longest = 100_000;

/** The cursor of a row whose keys PostgreSQL wrote as an array. */
export function encodeCursor(keys: string | undefined): string | null {
  if (keys === undefined) return null;
  return Buffer.from(JSON.stringify(parseTextArray(keys))).toString('base64url');
}

/** The keys of a cursor of a list in this order. Throws BAD_REQUEST that names the field for any other. */
export function decodeCursor(
  field: string,
  cursor: string | null | undefined,
  order: readonly SortTerm[],
): string[] | null {
  if (cursor == null) return null;
  const keys = cursor.length > longest ? null : readKeys(cursor);
  const isOfThisList =
    keys?.length === order.length && order.every(({ type }, i) => fits[type](keys[i] ?? ''));
  if (keys && isOfThisList) return keys;
  const message =
    'This is not a cursor of this list in this order; take one from pageInfo or an edge.';
  throw invalidField(field, message);
}

function readKeys(cursor: string): string[] | null {
  try {
    const keys: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(keys) && keys.every((key) => typeof key === 'string')) return keys;
  } catch {
    // It is none of ours.
  }
  return null;
}

const isNumber = (key: string) => /^-?(\d+(\.\d+)?(e[+-]?\d+)?|Infinity)$/.test(key);

/** What PostgreSQL writes for the values of each type. */
const fits: Record<SortTerm['type'], (key: string) => boolean> = {
  uuid: isUuid,
  text: isStorable,
  boolean: (key) => key === 'true' || key === 'false',
  timestamptz: (key) =>
    /^(\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00( BC)?|-?infinity)$/.test(key),
  float8: isNumber,
  int4: isNumber,
};
