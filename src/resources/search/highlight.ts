// Showing where a resource holds the words of a search: short pieces of its texts.

import type { Resource } from '../../generated/prisma/client.ts';
import { literally } from '../../text/text.ts';
import type { Sought } from './sought.ts';
import { beginningsOf } from './word.ts';

/** The texts of a resource that are searched. */
export const highlightFields = ['title', 'description', 'definition'] as const;

/** A piece of a text that holds words of the search. */
export interface Highlight {
  readonly field: (typeof highlightFields)[number];
  /** The piece, as plain text, with an ellipsis where it was cut. */
  readonly text: string;
  /** Where in the piece the words are, in order, none overlapping. */
  readonly matches: readonly TextSpan[];
}

/** From the first character to before the last one, counted in UTF-16 units. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Characters of a piece, more or less. */
const pieceLength = 200;
const maxMatches = 20;
/** As far as the longest text is searched. */
const searchedLength = 10_000;

type Searched = Pick<Resource, (typeof highlightFields)[number]>;

/** How many characters of a resource are looked through. */
export function searchedIn(resource: Searched): number {
  const lengths = highlightFields.map((field) => resource[field]?.length ?? 0);
  return lengths.reduce((sum, length) => sum + Math.min(length, searchedLength), 0);
}

/** A piece of each text in which words of the search occur, the title first. */
export function highlightsOf(
  resource: Searched,
  phrase: string,
  sought: readonly Sought[],
): Highlight[] {
  const pattern = patternOf(phrase, sought);
  if (pattern === null) return [];
  return highlightFields.flatMap((field) => {
    const text = (resource[field] ?? '').slice(0, searchedLength);
    const highlight = pieceOf(text, pattern);
    return highlight ? [{ field, ...highlight }] : [];
  });
}

/**
 * The phrase, any of the words, what words of their families begin with, or what they were meant to be; longer ones
 * first, so that the longest is marked. A letter besides longer words is in nearly every other: it is marked where it is
 * a word, as "a" in "a_table".
 */
function patternOf(phrase: string, sought: readonly Sought[]): RegExp | null {
  const words = sought.flatMap(({ word: { text }, meant }) => [
    text,
    ...beginningsOf(text),
    ...meant.flat(),
  ]);
  const marked = [...new Set([phrase, ...words])].filter((word) => word !== '');
  if (marked.length === 0) return null;
  marked.sort((a, b) => b.length - a.length);
  const hasLonger = marked.some((word) => word.length > 1);
  const patterns = marked.map((word) =>
    hasLonger && /^[a-z0-9]$/i.test(word)
      ? `(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`
      : literally(word),
  );
  return new RegExp(patterns.join('|'), 'giu');
}

function pieceOf(text: string, pattern: RegExp): Omit<Highlight, 'field'> | null {
  const first = text.search(pattern);
  if (first < 0) return null;
  const start = text.length <= pieceLength ? 0 : startBefore(text, first);
  const end = text.length <= start + pieceLength ? text.length : endAfter(text, start);
  const lead = start > 0 ? '…' : '';
  const piece = `${lead}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
  const matches = [...piece.matchAll(pattern)].slice(0, maxMatches).map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
  return { text: piece, matches };
}

/** Some way before the first match, at the start of a word where there is one. */
function startBefore(text: string, match: number): number {
  const earliest = Math.max(0, match - pieceLength / 4);
  if (earliest === 0) return 0;
  const space = text.slice(earliest, match).search(/\s/);
  return space < 0 ? wholeCharacter(text, earliest) : earliest + space + 1;
}

function endAfter(text: string, start: number): number {
  const latest = start + pieceLength;
  const space = text.slice(start, latest).search(/\s\S*$/);
  return space < pieceLength / 2 ? wholeCharacter(text, latest) : start + space;
}

/** A surrogate pair is one character: it is not cut in two. */
function wholeCharacter(text: string, index: number): number {
  return /[\uDC00-\uDFFF]/.test(text.charAt(index)) ? index + 1 : index;
}
