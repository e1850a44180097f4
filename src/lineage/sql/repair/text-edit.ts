// Edits the text of a statement by its tokens.

import type { Token } from '../tokens/tokens.ts';
import type { Written } from './written.ts';

/** Another text for a stretch of a statement. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly what: string;
}

/** Finds the edits that a statement offers. */
export type Finder = (written: Written) => Edit[];

/** The text with all edits; those that overlap an earlier one are left out. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = '';
  let at = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start)) {
    if (edit.start < at) continue;
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}

/** The index behind the bracket that closes the one at `open`, or -1. */
export function closing(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    if (tokens[i]?.word === '(') depth++;
    else if (tokens[i]?.word === ')' && --depth === 0) return i;
  }
  return -1;
}

/** The text from one token to another, both included. */
export function textOf(written: Written, from: number, to: number): string {
  return written.text.slice(written.tokens[from]?.start ?? 0, written.tokens[to]?.end ?? 0);
}

/** One edit from one token to another, both included; none when one of them is missing. */
export function cut(
  tokens: readonly Token[],
  from: number,
  to: number,
  what: string,
  text = '',
): Edit[] {
  const first = tokens[from];
  const last = tokens[to];
  return first && last ? [{ start: first.start, end: last.end, text, what }] : [];
}

/** The index of the first token at bracket depth 0 that fits, from `from` on, or -1. */
export function find(
  tokens: readonly Token[],
  from: number,
  fits: (word: string, i: number) => boolean,
): number {
  let depth = 0;
  for (let i = from; i < tokens.length; i++) {
    const word = tokens[i]?.word ?? '';
    if (depth === 0 && fits(word, i)) return i;
    if (word === '(') depth++;
    else if (word === ')') depth--;
  }
  return -1;
}
