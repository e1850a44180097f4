// Showing where a resource holds the words of a search: short pieces of its texts.

import type { Resource } from '../../generated/prisma/client.ts';
import { literally } from '../../text/text.ts';
import type { Terms } from './terms.ts';
import { nearnessOf } from './typo.ts';

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
/** As far as the texts are indexed. */
const searchedLength = 100_000;

type Searched = Pick<Resource, (typeof highlightFields)[number]>;

/** How many characters of a resource are looked through. */
export function searchedIn(resource: Searched): number {
  const lengths = highlightFields.map((field) => resource[field]?.length ?? 0);
  return lengths.reduce((sum, length) => sum + Math.min(length, searchedLength), 0);
}

/** A piece of each text in which words of the search occur, the title first, where words may be forgiven. */
export function highlightsOf(resource: Searched, terms: Terms): Highlight[] {
  const texts = highlightFields.map((field) => ({
    field,
    text: (resource[field] ?? '').slice(0, searchedLength),
  }));
  const pattern = patternOf(terms);
  const meant = meantIn(resource.title, absentWords(terms, pattern, texts));
  const ofTitle =
    meant.length === 0 ? pattern : patternOf({ ...terms, words: [...terms.words, ...meant] });
  return texts.flatMap(({ field, text }) => {
    const highlight = pieceOf(text, field === 'title' ? ofTitle : pattern);
    return highlight ? [{ field, ...highlight }] : [];
  });
}

/** Words of the search that stand in none of the texts as they were typed. */
function absentWords(
  { words }: Terms,
  pattern: RegExp,
  texts: readonly { readonly text: string }[],
): string[] {
  const found = new Set(
    texts.flatMap(({ text }) => (text.match(pattern) ?? []).map((word) => word.toLowerCase())),
  );
  return words.filter((word) => ![...found].some((one) => one.includes(word.toLowerCase())));
}

/** The words of a title that others were meant to be. */
function meantIn(title: string, words: readonly string[]): string[] {
  if (words.length === 0) return [];
  const parts = title.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return parts.filter((part) => words.some((word) => nearnessOf([word], part) !== null));
}

/**
 * The phrase or any of the words; longer ones first, so that the longest is marked. A letter besides longer words
 * is in nearly every other: it is marked where it is a word, as "a" in "a_table".
 */
function patternOf({ phrase, words }: Terms): RegExp {
  const sought = [phrase, ...words].sort((a, b) => b.length - a.length);
  const hasLonger = words.some((word) => word.length > 1);
  const patterns = sought.map((word) =>
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
